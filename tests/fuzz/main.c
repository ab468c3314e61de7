/* Runs fuzz harnesses. With libFuzzer (FUZZ_ENGINE): abut_fuzz --target=NAME CORPUS ... Without: abut_fuzz CORPUS calls
 * each harness with the files of CORPUS/NAME, and with a few random changes of each, which seeds make repeatable. */
#include <dirent.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "effort.h"
#include "fuzz.h"

static const struct {
	const char *name;
	void (*run)(const uint8_t *data, size_t size);
} targets[] = {
#define FUZZ_X(name) {#name, fuzz_##name},
    FUZZ_LIST(FUZZ_X)
#undef FUZZ_X
};

enum { TARGETS = sizeof targets / sizeof *targets };

#ifdef FUZZ_ENGINE
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int chosen = -1;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	for (int i = 1; i < *argc; i++) {
		for (int k = 0; k < TARGETS && strncmp((*argv)[i], "--target=", 9) == 0; k++) {
			chosen = strcmp((*argv)[i] + 9, targets[k].name) == 0 ? k : chosen;
		}
	}
	if (chosen < 0) {
		fputs("usage: abut_fuzz --target=NAME [libFuzzer options] CORPUS\n", stderr);
		exit(2);
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	targets[chosen].run(data, size);
	return 0;
}

#else

enum { INPUT_MAX = 1 << 20, CHANGES = TEST_EFFORT(32) };

/* Copies the input to memory of its own size, so that sanitizers see a read past its end. */
static void run(int target, const uint8_t *data, size_t size)
{
	uint8_t *const copy = malloc(size > 0 ? size : 1);
	FUZZ_CHECK(copy);
	memcpy(copy, data, size);
	targets[target].run(copy, size);
	free(copy);
}

/* Changes a byte, cuts a piece out, or repeats one; returns the new size. */
static size_t change(AbutRng *rng, uint8_t *data, size_t size)
{
	const size_t at = size > 0 ? abut_rng_next(rng) % size : 0, rest = size - at;
	const size_t piece = rest > 0 ? abut_rng_next(rng) % (rest < 16 ? rest : 16) : 0;
	switch (size > 0 ? abut_rng_next(rng) % 3 : 3) {
	case 0:
		data[at] = (uint8_t)abut_rng_next(rng);
		return size;
	case 1:
		memmove(data + at, data + at + piece, rest - piece);
		return size - piece;
	case 2:
		memmove(data + at + piece, data + at, rest);
		return size + piece;
	default:
		return size;
	}
}

/* Runs one file and its changes. Returns the number of inputs. */
static long run_file(int target, const char *path)
{
	static uint8_t text[INPUT_MAX], changed[INPUT_MAX + 16];
	FILE *const file = fopen(path, "rb");
	FUZZ_CHECK(file);
	const size_t size = fread(text, 1, sizeof text, file);
	fclose(file);
	run(target, text, size);
	AbutRng rng = {size};
	for (int i = 0; i < CHANGES; i++) {
		memcpy(changed, text, size);
		run(target, changed, change(&rng, changed, size));
	}
	return 1 + CHANGES;
}

static bool run_folder(int target, const char *corpus)
{
	char folder[512], path[1024];
	const double start = abut_now_us();
	long inputs = 0;
	snprintf(folder, sizeof folder, "%s/%s", corpus, targets[target].name);
	DIR *const list = opendir(folder);
	for (struct dirent *entry; list && (entry = readdir(list));) {
		if (entry->d_name[0] != '.') {
			snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
			inputs += run_file(target, path);
		}
	}
	if (list) {
		closedir(list);
	}
	printf("%-12s %6ld inputs %7.2f s\n", targets[target].name, inputs, 1e-6 * (abut_now_us() - start));
	fflush(stdout);
	return inputs > 0;
}

int main(int argc, char **argv)
{
	bool good = argc >= 2;
	for (int i = 0; i < TARGETS && argc >= 2; i++) {
		if (argc < 3 || strcmp(argv[2], targets[i].name) == 0) {
			good = run_folder(i, argv[1]) && good;
		}
	}
	return good ? 0 : 1;
}
#endif
