/* Runs the verb `mesh`, which converts a mesh to a convex polytope, or a union of them. Tested in tests/cli/mesh/mesh.c
 * and tests/cli/mesh/mesh_decompose.c. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/hash.h"
#include "cli/common/args.h"
#include "cli/common/interrupt.h"
#include "cli/common/progress.h"
#include "cli/common/report.h"
#include "cli/mesh/report.h"
#include "io/mesh/decomposition_cache.h"
#include "io/text/file_text.h"
#include "io/text/output_target.h"
#include "io/text/words.h"

typedef struct Options {
	bool hull, decompose, no_cache, inner, outer, json, quiet;
	const char *unit, *up, *out;
	unsigned long long seed, max_faces, max_parts; /* 0: not given */
	double concavity;                              /* 0: not given */
	AbutMeshOptions mesh;
} Options;

/* --- interruption and progress --- */

static bool show_progress(void *context, const char *stage, double part)
{
	AbutProgress *progress = context;
	if (part >= 0.0) {
		abut_progress_line(progress, "%s: %.0f %%", stage, 100.0 * part);
	} else {
		abut_progress_line(progress, "%s", stage);
	}
	return !abut_interrupted();
}

/* --- options --- */

static bool read_up(const char *text, AbutMeshUp *out)
{
	static const char *const axes[] = {"x", "y", "z"};
	const int axis = text ? abut_text_index(text, axes, 3) : -1;
	if (axis >= 0) {
		*out = (AbutMeshUp)(ABUT_MESH_UP_X + axis);
	} else if (text) {
		abut_report("mesh: --up is '%s'; it must be x, y or z, the axis of the file that points up", text);
	}
	return !text || axis >= 0;
}

static bool check_options(Options *options)
{
	const char *known = NULL;
	if (!read_up(options->up, &options->mesh.up)) {
		return false;
	}
	if (options->unit && !abut_mesh_unit(options->unit, &options->mesh.unit, &known)) {
		return abut_deny("mesh: --unit is '%s'; it must be one of %s", options->unit, known);
	}
	if ((options->concavity > 0.0 || options->max_parts > 0) && !options->decompose) {
		return abut_deny("mesh: --concavity and --max-parts need --decompose");
	}
	if (options->decompose && (options->inner || options->hull)) {
		return abut_deny(
		    "mesh: --decompose cannot be combined with --hull or --inner: its hulls contain the mesh");
	}
	if (options->inner && options->outer) {
		return abut_deny("mesh: --inner and --outer cannot be combined");
	}
	return true;
}

/* --- the work --- */

/* Computes the FNV-1a hash of the file, which records where a shape comes from. */
static AbutStatus hash_file(const char *path, unsigned long long *out, AbutError *error)
{
	uint64_t hash = ABUT_HASH_START;
	unsigned char bytes[1 << 14];
	FILE *file = fopen(path, "rb");
	if (!file) {
		return abut_file_fail(error, path, abut_read_status(errno), "cannot be read again for its hash: %s",
		                      strerror(errno));
	}
	errno = EIO; /* unless the read says more */
	for (size_t n = 0; (n = fread(bytes, 1, sizeof bytes, file)) > 0;) {
		hash = abut_hash_bytes(hash, bytes, n);
	}
	const int reason = ferror(file) ? errno : 0;
	fclose(file);
	*out = hash;
	return reason == 0 ? ABUT_OK
	                   : abut_file_fail(error, path, abut_read_status(reason),
	                                    "cannot be read again for its hash: %s", strerror(reason));
}

static AbutStatus decompose(AbutMeshResult *result, const AbutMesh *mesh, const AbutMeshOptions *mesh_options,
                            AbutError *error)
{
	const AbutDecomposeOptions options = {.concavity = result->concavity,
	                                      .max_parts = result->max_parts,
	                                      .max_faces = result->max_faces,
	                                      .progress = mesh_options->progress,
	                                      .context = mesh_options->context};
	return abut_decompose_cached(mesh, &options, result->cache ? result->path : NULL, &result->parts,
	                             &result->cache_warning, error);
}

/* Warns of a mesh that fills less than half of its hull. */
static void warn_hollow(AbutMeshResult *result)
{
	const double part = result->mass.volume / result->hull.hull.volume;
	if (result->has_mass && part < 0.5 && result->n_warnings < ABUT_MESH_WARNINGS_MAX) {
		snprintf(result->warnings[result->n_warnings++], ABUT_MESH_WARNING_SIZE,
		         "the mesh fills only %.0f %% of its hull, so its hollows become solid; --decompose keeps them",
		         100.0 * part);
	}
}

static void warn_cache(AbutMeshResult *result)
{
	if (result->cache_warning.message[0]) {
		snprintf(result->warnings[result->n_warnings++], ABUT_MESH_WARNING_SIZE, "%.*s",
		         ABUT_MESH_WARNING_SIZE - 1, result->cache_warning.message);
	}
}

static AbutStatus convert(AbutMeshResult *result, const AbutMeshOptions *options, AbutError *error)
{
	AbutMesh *mesh = NULL;
	AbutStatus status = abut_mesh_load(result->path, options, &mesh, &result->mesh, error);
	ABUT_THEN(status, abut_mesh_hull_with_progress(mesh, result->decompose ? 0 : result->max_faces, result->fit,
	                                               options->progress, options->context, &result->shape,
	                                               &result->hull, error));
	AbutError no_mass = {0};
	if (status == ABUT_OK) {
		status = abut_mesh_mass_in_hull(mesh, &result->hull.hull, &result->mass, &no_mass);
		result->has_mass = status == ABUT_OK;
		if (abut_is_of_system(status)) {
			*error = no_mass;
		} else {
			status = ABUT_OK;
		}
	}
	if (status == ABUT_OK && result->decompose) {
		status = decompose(result, mesh, options, error);
	}
	abut_mesh_destroy(mesh);
	if (status != ABUT_OK) {
		return status;
	}
	result->n_warnings = abut_mesh_warnings(&result->mesh, result->warnings);
	if (!result->has_mass && result->mesh.closed) {
		snprintf(result->warnings[result->n_warnings++], ABUT_MESH_WARNING_SIZE,
		         "mass and inertia are those of the hull: %.*s", ABUT_MESH_WARNING_SIZE - 48, no_mass.message);
	}
	if (!result->decompose) {
		warn_hollow(result);
	} else {
		result->n_warnings += abut_decomposition_warnings(result->parts, &result->warnings[result->n_warnings]);
		warn_cache(result);
	}
	status = abut_shape_set_mass(result->shape, &result->mass, error);
	return status == ABUT_OK && result->parts
	           ? abut_decomposition_bundle(result->parts, &result->mass, &result->bundle, error)
	           : status;
}

static int write_out(const AbutMeshResult *result, const char *path)
{
	AbutTarget target = {0};
	AbutError error = {0};
	const AbutStatus status = abut_target_open(&target, NULL, path, &error);
	if (status == ABUT_OK) {
		(result->parts ? abut_mesh_write_union : abut_mesh_write)(target.file, result);
	}
	return abut_report_output(abut_target_end(&target, status, &error), &error);
}

static int print(const AbutMeshResult *result, const Options *options)
{
	for (int i = 0; i < result->n_warnings && !options->json; i++) {
		abut_report("%s: warning: %s", result->path, result->warnings[i]);
	}
	if (options->json) {
		abut_mesh_print_json(result);
	} else if (!options->quiet) {
		abut_mesh_print(result);
	}
	return abut_finish_stdout(ABUT_EXIT_DONE);
}

/* Returns whether both paths name one file. */
static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int call(const char *path, Options *options)
{
	if (options->out && is_same_file(path, options->out)) {
		return abut_refuse("mesh: --out %s would overwrite the mesh; choose another name", options->out);
	}
	AbutProgress progress = abut_progress_begin();
	AbutError error = {0};
	AbutMeshResult result = {.path = path,
	                         .seed = options->seed,
	                         .max_faces = (int)options->max_faces,
	                         .decompose = options->decompose,
	                         .cache = !options->no_cache,
	                         .concavity = options->concavity,
	                         .max_parts = (int)options->max_parts,
	                         .fit = options->inner ? ABUT_MESH_FIT_INNER : ABUT_MESH_FIT_OUTER};
	options->mesh.progress = show_progress;
	options->mesh.context = &progress;
	progress.wanted = progress.wanted && !options->quiet;
	abut_interrupt_catch();
	AbutStatus status = convert(&result, &options->mesh, &error);
	ABUT_THEN(status, hash_file(path, &result.hash, &error));
	abut_progress_end(&progress);
	int exit_status = ABUT_EXIT_DONE;
	if (abut_interrupted()) {
		abut_report("mesh: interrupted; nothing was written");
	} else if (status != ABUT_OK) {
		if (!error.file[0]) {
			snprintf(error.file, sizeof error.file, "%s", path);
		}
		exit_status = abut_report_error(&error, ABUT_EXIT_USAGE);
	} else {
		exit_status = options->out ? write_out(&result, options->out) : ABUT_EXIT_DONE;
		exit_status = exit_status == ABUT_EXIT_DONE ? print(&result, options) : exit_status;
	}
	abut_shape_destroy(result.shape);
	abut_decomposition_destroy(result.parts);
	abut_bundle_destroy(result.bundle);
	abut_interrupt_obey();
	return exit_status;
}

static int execute(const AbutVerb *verb, int argc, char **argv)
{
	Options options = {.mesh = abut_mesh_options_default()};
	const AbutOption known[] = {
	    {"hull", ABUT_OPTION_FLAG, &options.hull},
	    {"faces", ABUT_OPTION_FACES, &options.max_faces},
	    {"inner", ABUT_OPTION_FLAG, &options.inner},
	    {"outer", ABUT_OPTION_FLAG, &options.outer},
	    {"scale", ABUT_OPTION_POSITIVE, &options.mesh.scale},
	    {"unit", ABUT_OPTION_TEXT, &options.unit},
	    {"up", ABUT_OPTION_TEXT, &options.up},
	    {"out", ABUT_OPTION_TEXT, &options.out},
	    {"json", ABUT_OPTION_FLAG, &options.json},
	    {"quiet", ABUT_OPTION_FLAG, &options.quiet},
	    {"seed", ABUT_OPTION_INTEGER, &options.seed},
	    {"decompose", ABUT_OPTION_FLAG, &options.decompose},
	    {"no-cache", ABUT_OPTION_FLAG, &options.no_cache},
	    {"concavity", ABUT_OPTION_POSITIVE, &options.concavity},
	    {"max-parts", ABUT_OPTION_COUNT, &options.max_parts},
	};
	const char *path = NULL;
	int exit_status = ABUT_EXIT_USAGE;
	if (abut_args_parse(verb, argc, argv, known, sizeof known / sizeof *known, &path, &exit_status)) {
		exit_status = check_options(&options) ? call(path, &options) : ABUT_EXIT_USAGE;
	}
	return exit_status;
}

const AbutVerb abut_verb_mesh = {
    .name = "mesh",
    .summary = "convert a mesh to a convex polytope or a union of them",
    .help = "usage: abut mesh FILE [--hull] [--faces N] [--outer | --inner] [--scale S] [--unit U] [--up AXIS]\n"
            "                      [--decompose [--concavity C] [--max-parts N] [--no-cache]]\n"
            "                      [--out FILE.json] [--json] [--seed N] [--quiet]\n"
            "\n"
            "Reads a mesh (STL, OBJ, PLY, glTF, COLLADA or another format of Assimp) and repairs it where\n"
            "possible. Prints volume, centre of mass and inertia (for a density of 1 kg/m^3) and the convex hull.\n"
            "An open mesh has no volume; the values of its hull are printed instead, and marked so. Each warning\n"
            "on stderr suggests a remedy.\n"
            "\n"
            "  --hull            makes the convex hull (default)\n"
            "  --decompose       makes a union of convex hulls that contains the mesh, which must be closed\n"
            "  --concavity C     largest distance of a hull from the mesh, and depth of the mesh's surface inside\n"
            "                    a hull, as a fraction of the longest side: 1e-4 to 1 (default 0.02)\n"
            "  --max-parts N     at most N hulls, even if the concavity is not reached (default 32)\n"
            "  --no-cache        neither reads nor writes the cache of hulls, FILE.abut-decomposition.json\n"
            "  --faces N         at most N faces, at least 4, for each polytope\n"
            "  --outer, --inner  a polytope with fewer faces contains the hull (default), or lies within it\n"
            "  --unit U          unit of the file: um, mm, cm, dm, m, km, in, ft, yd or mi (default: the unit\n"
            "                    that the format declares, else m)\n"
            "  --scale S         multiplies all lengths by S\n"
            "  --up AXIS         axis of the file that points up: x, y or z; it is turned to z (default: the axis\n"
            "                    that the format declares, else z)\n"
            "  --out FILE.json   writes the polytope as a shape for a scene, with the mass of the mesh and its\n"
            "                    source\n"
            "  --json            prints one JSON object instead of text\n"
            "  --seed N          seed of all random choices (this verb makes none), repeated in the object\n"
            "  --quiet           prints only warnings and errors\n"
            "\n"
            "Exit status: 0 done, 2 the call or the file is wrong, 3 system error (memory, disk). After a signal,\n"
            "the verb ends with this signal (130, 143 or 129 in a shell) and writes nothing.\n",
    .argument = "mesh file",
    .min_arguments = 1,
    .max_arguments = 1,
    .run = execute};
