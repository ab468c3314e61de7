/* Runs the verb `export`, which converts a run to a file for other programs. Tested in tests/cli/view/export.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "cli/common/args.h"
#include "cli/common/report.h"
#include "cli/view/model.h"
#include "io/export/export.h"
#include "io/text/output_target.h"
#include "io/text/words.h"

/* Chooses the format by `name`, or by the ending of `out` if there is no name; false after a message. */
static bool choose_format(const char *name, const char *out, AbutExportFormat *format)
{
	const char *const dot = out ? strrchr(out, '.') : NULL;
	const char *const given = name ? name : dot ? dot + 1 : "";
	const int index = abut_text_index(given, abut_export_names, ABUT_EXPORT_COUNT);
	char known[64];
	if (index >= 0) {
		*format = (AbutExportFormat)index;
		return true;
	}
	abut_text_join(abut_export_names, ABUT_EXPORT_COUNT, known, sizeof known);
	if (name) {
		abut_report("export: --format is '%s'; it must be one of %s, or, of a scene file, mjcf or urdf", name,
		            known);
	} else {
		abut_report("export: the format is missing; give --format, one of %s, or, of a scene file, mjcf or "
		            "urdf, or an --out that ends with it",
		            known);
	}
	return false;
}

/* Chooses the table by `name`, which only format csv may have; false after a message. */
static bool choose_table(const char *name, AbutExportFormat format, AbutExportTable *table)
{
	const int index = name ? abut_text_index(name, abut_export_tables, ABUT_EXPORT_TABLE_COUNT) : (int)*table;
	char known[64];
	if (name && format != ABUT_EXPORT_CSV) {
		abut_report("export: --table is '%s'; only format csv has tables, and %s contains all", name,
		            abut_export_names[format]);
		return false;
	}
	if (index < 0) {
		abut_text_join(abut_export_tables, ABUT_EXPORT_TABLE_COUNT, known, sizeof known);
		abut_report("export: --table is '%s'; it must be one of %s", name, known);
		return false;
	}
	*table = (AbutExportTable)index;
	return true;
}

/* What to write, and where. */
typedef struct Export {
	AbutExportFormat format;
	AbutExportTable table;
	const char *out; /* NULL: a file in the folder of the run */
	bool quiet;
} Export;

static AbutStatus write_file(const AbutRunRecord *record, const Export *as, const char *path, AbutError *error)
{
	AbutTarget target = {0};
	AbutStatus status = abut_target_open(&target, NULL, path, error);
	ABUT_THEN(status, abut_export(record, as->format, as->table, target.file, error));
	return abut_target_end(&target, status, error);
}

/* Returns `out`, RUN/run.FORMAT, RUN/run_joints.csv or RUN/run_sensors.csv; the caller frees it. */
static char *choose_path(const char *run, const Export *as)
{
	const size_t size = strlen(run) + 24;
	char *const path = as->out ? strdup(as->out) : malloc(size);
	if (path && !as->out) {
		const bool bodies = as->table == ABUT_EXPORT_BODIES;
		snprintf(path, size, "%s/run%s%s.%s", run, bodies ? "" : "_",
		         bodies ? "" : abut_export_tables[as->table], abut_export_names[as->format]);
	}
	return path;
}

/* Returns whether the path is a file instead of the folder of a run; then after a message. */
static bool is_file(const char *run, const Export *as)
{
	struct stat info;
	const bool is = stat(run, &info) == 0 && S_ISREG(info.st_mode);
	if (is) {
		const char *format = abut_export_names[as->format];
		abut_report("export: --format %s needs the folder of a run, and %s is a file; first `abut run %s --out "
		            "run`, then `abut export run --format %s`. A scene itself is exported as mjcf or urdf",
		            format, run, run, format);
	}
	return is;
}

static int export_run(const char *run, const Export *as)
{
	AbutRunRecord record;
	AbutError error = {0};
	char *const path = choose_path(run, as);
	int exit_status = ABUT_EXIT_MACHINE;
	if (!path) {
		return abut_report_memory();
	}
	if (is_file(run, as)) {
		free(path);
		return ABUT_EXIT_USAGE;
	}
	AbutStatus status = abut_run_read(run, &record, &error);
	if (status != ABUT_OK) {
		exit_status = abut_report_error(&error, ABUT_EXIT_USAGE);
	} else {
		status = write_file(&record, as, path, &error);
		exit_status = abut_report_output(status, &error);
		if (status == ABUT_OK && !as->quiet && strncmp(path, "/dev/", 5) != 0) {
			char joints[32] = "";
			if (record.joints) {
				snprintf(joints, sizeof joints, ", %d joint%s", record.n_joints,
				         record.n_joints == 1 ? "" : "s");
			}
			char sensors[32] = "";
			if (record.sensors) {
				const int n = abut_model_sensor_count(record.model);
				snprintf(sensors, sizeof sensors, ", %d sensor%s", n, n == 1 ? "" : "s");
			}
			printf("%s: %ld frames of %d bodies, %ld contacts%s%s\n", path, record.n_frames,
			       record.n_bodies, record.first_contact[record.n_frames], joints, sensors);
		}
		abut_run_record_free(&record);
	}
	free(path);
	return abut_finish_stdout(exit_status);
}

/* Returns the format of robot models of this name, or that the ending of `out` means if there is no name; -1: none. */
static int find_model_format(const char *name, const char *out)
{
	const char *const dot = out ? strrchr(out, '.') : NULL;
	const char *const given = name ? name : dot ? dot + 1 : "";
	const bool is_xml = !name && strcmp(given, "xml") == 0;
	return is_xml ? ABUT_MODEL_MJCF : abut_text_index(given, abut_model_formats, ABUT_MODEL_COUNT);
}

static int execute(const AbutVerb *verb, int argc, char **argv)
{
	const char *format = NULL, *table = NULL, *run = NULL;
	Export as = {.format = ABUT_EXPORT_CSV};
	bool json = false;
	const AbutOption options[] = {
	    {"format", ABUT_OPTION_TEXT, &format},  {"table", ABUT_OPTION_TEXT, &table},
	    {"out", ABUT_OPTION_TEXT, &as.out},     {"json", ABUT_OPTION_FLAG, &json},
	    {"quiet", ABUT_OPTION_FLAG, &as.quiet},
	};
	int exit_status = ABUT_EXIT_USAGE;
	if (!abut_args_parse(verb, argc, argv, options, sizeof options / sizeof *options, &run, &exit_status)) {
		return exit_status;
	}
	const int model = find_model_format(format, as.out);
	if (model >= 0) {
		exit_status = as.out && !table ? abut_export_model(run, (AbutModelFormat)model, as.out, json, as.quiet)
		                               : abut_refuse("export: --format %s needs --out FILE, and has no tables",
		                                             abut_model_formats[model]);
	} else if (json) {
		exit_status = abut_refuse("export: --json needs --format mjcf or urdf: only these leave parts out");
	} else {
		exit_status = choose_format(format, as.out, &as.format) && choose_table(table, as.format, &as.table)
		                  ? export_run(run, &as)
		                  : ABUT_EXIT_USAGE;
	}
	return exit_status;
}

const AbutVerb abut_verb_export = {
    .name = "export",
    .summary = "convert a run or a scene to files for other programs",
    .help = "usage: abut export RUN --format csv|npz|glb|mcap [--table TABLE] [-o FILE] [--quiet]\n"
            "       abut export SCENE.json --format mjcf|urdf -o FILE [--json] [--quiet]\n"
            "\n"
            "Reads RUN, a folder written by `abut run --out`, and writes all its steps to one file:\n"
            "\n"
            "  csv               one row per frame and body: pose, velocities, and the sum of contact impulses on\n"
            "                    the body; with --table joints, one row per frame, joint and freedom: position,\n"
            "                    velocity, reaction and efforts; with --table sensors, one row per frame and value\n"
            "                    of a sensor\n"
            "  npz               arrays for numpy.load: times, poses, velocities, contacts, joints, sensors,\n"
            "                    steps\n"
            "  glb               glTF 2.0: the shapes as meshes, moved by an animation, with a mark at each joint,\n"
            "                    for Blender and browsers\n"
            "  mcap              for Foxglove and Rerun: coordinate frames, shapes, contacts as arrows, values of\n"
            "                    each step, states, forces and axes of joints\n"
            "  mjcf              the bodies, joints and motors of a scene file as a model for MuJoCo, at its initial\n"
            "                    poses; what MJCF cannot hold is listed on stderr\n"
            "  urdf              the same for ROS and others, with joints at coordinate 0; shapes that URDF does\n"
            "                    not have become mesh files beside FILE\n"
            "\n"
            "  --format F        one of the above; may be left out if the name of FILE ends with it\n"
            "  --table T         table of the csv: bodies (default), joints or sensors\n"
            "  --out FILE, -o FILE\n"
            "                    the file (default: RUN/run.FORMAT, of other tables than bodies RUN/run_TABLE.csv);\n"
            "                    /dev/stdout writes to a pipe\n"
            "  --json            mjcf, urdf: prints the results and what the format cannot hold as one JSON object\n"
            "  --quiet           prints only errors\n"
            "\n"
            "Exit status: 0 done, 2 the call or the folder is wrong, 3 system error (memory, disk).\n",
    .argument = "run folder",
    .min_arguments = 1,
    .max_arguments = 1,
    .run = execute};
