/* The `abut` command: finds the verb and runs it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

const AbutVerb abut_verbs[] = {
    {"run", "simulate a scene",
     "usage: abut run SCENE [--method M] [--set PATH=VALUE]... [--out DIR [--save-every N]] [--view | --no-view]\n"
     "                      [--inputs FILE] [--log FILE] [--json] [--seed N] [--threads N]\n"
     "                      [--dump-failures DIR [--dump-relaxed]] [--quiet]\n"
     "       abut run --resume DIR [--until T] [--view | --no-view] [--log FILE] [--json] [--threads N] [--quiet]\n"
     "\n"
     "Simulates the scene for its duration and prints a table of what happened. SCENE is a file; /dev/stdin\n"
     "reads a pipe.\n"
     "\n"
     "  --method M        single-level (default), bilevel, lcp, point-ncp or convex\n"
     "  --set PATH=VALUE  overrides one value of the scene, such as timestep=0.05, solver.kappa=1e-8,\n"
     "                    bodies[1].mass=2 or bodies.cube.mass=2; may be repeated\n"
     "  --out DIR         writes summary.json, trajectory.csv, contacts.csv, steps.csv and scene.json into DIR,\n"
     "                    which is made if needed, and replay.html, a page that shows the run (`abut help view`);\n"
     "                    run.json, inputs.csv and snapshots/ are for --resume\n"
     "  --view            the page in any case: without its bundle there is no run; DIR is out/ and the scene's file\n"
     "                    name when left out\n"
     "  --no-view         no page\n"
     "  --save-every N    keeps a snapshot every N steps, from which --resume goes on (default 0: the last state's)\n"
     "  --inputs FILE     forces and torques by step, in place of the scene's: a CSV such as DIR/inputs.csv of a run,\n"
     "                    of the columns step (or time), body, force_x, force_y, force_z, torque_x, torque_y,\n"
     "                    torque_z, each row in force until the body's next\n"
     "  --resume DIR      goes on with the run of DIR, which was killed, interrupted or ended, to the same files as\n"
     "                    those of one run; a SCENE (with --set, --method) is held against the run's\n"
     "  --until T         with --resume: the run's new end, s\n"
     "  --log FILE        writes the iterations of every step into FILE, as CSV\n"
     "  --threads N       solves the islands of a step on N threads (default 1; 0: one per core); the same bits for\n"
     "                    any number\n"
     "  --dump-failures DIR\n"
     "                    keeps each step that fails as a file in DIR that `abut solve` takes again; at most 100\n"
     "  --dump-relaxed    keeps steps that were not finished to the exact solution, too\n"
     "  --json            prints the summary as one JSON object instead of the table\n"
     "  --seed N          seed of every random choice (this verb makes none), echoed in the summary\n"
     "  --quiet           prints nothing but errors\n"
     "\n"
     "SIGINT, SIGTERM and SIGHUP, where they are not ignored, end the run after its step, with all files; the summary\n"
     "then says \"interrupted\".\n"
     "\n"
     "Exit status: 0 done, 1 a step failed, 2 the call or the scene is wrong, 3 the machine failed; of a run that was\n"
     "interrupted the signal's: 130, 143 and 129 in a shell.\n",
     abut_verb_run},
    {"validate", "check a scene and its shapes without running it",
     "usage: abut validate SCENE [--set PATH=VALUE]... [--json] [--seed N] [--quiet]\n"
     "\n"
     "Reads the scene, checks every value, makes the model and tests every shape: finite, bounded, with an inside, "
     "and\n"
     "of your own functions that they are convex and their derivatives right. Prints what the moving bodies weigh.\n"
     "SCENE is a file; /dev/stdin reads a pipe. An error is one line on stderr:\n"
     "abut: FILE:LINE:COLUMN: PATH.IN.JSON: what is wrong and what is allowed.\n"
     "\n"
     "Exit status: 0 valid, 2 not valid, 3 the machine failed.\n",
     abut_verb_validate},
    {"solve", "take a step again that a run has kept",
     "usage: abut solve DUMP [--set PATH=VALUE]... [--cold] [--json] [--log FILE]\n"
     "\n"
     "Takes the one step of a file that `abut run --dump-failures` wrote, from the same state, and prints how it "
     "ended\n"
     "and how it got there: tries, every iteration, contacts. Without overrides it ends as it did in the run, to the\n"
     "bit, with the same program on the same machine.\n"
     "\n"
     "  --set PATH=VALUE  overrides one value of the scene, such as solver.kappa=1e-8, solver.linear_solver=dense or\n"
     "                    solver.warm_start=false; may be repeated; motion and inputs are the file's\n"
     "  --cold            takes the motion alone from the file, and not the last solution: needed where an\n"
     "                    override changes masses, shapes, contacts or the friction cone\n"
     "  --json            prints one JSON object instead of the text\n"
     "  --log FILE        writes the iterations into FILE, as CSV\n"
     "\n"
     "Exit status: 0 solved, 1 not solved, 2 the call or the file is wrong, 3 the machine failed.\n",
     abut_verb_solve},
    {"collide", "scaling, contact point, normal and gap of each pair of a scene",
     "usage: abut collide SCENE [--kappa K] [--near GAP] [--set PATH=VALUE]... [--json] [--seed N]\n"
     "\n"
     "For each pair of parts that may touch, at the scene's initial poses: the scaling at which the two share a\n"
     "point (above 1: apart), that point, the normal from a to b, the gap, and how the scaling changes with the\n"
     "poses. Halfspaces do not scale.\n"
     "\n"
     "  --kappa K         relaxation of the conic problem, 1e-12 to 1e-2 (default 1e-8); 0: exact, without the\n"
     "                    derivatives\n"
     "  --near GAP        only pairs whose gap is at most GAP metres\n"
     "  --set PATH=VALUE  overrides one value of the scene, such as bodies.cube.position=[0,0,0.4]; may be repeated\n"
     "  --json            prints one JSON object instead of the table\n"
     "  --seed N          seed of every random choice (this verb makes none), echoed in the object\n"
     "\n"
     "Exit status: 0 done, 1 a pair was not solved, 2 the call or the scene is wrong, 3 the machine failed.\n",
     abut_verb_collide},
    {"grad", "derivatives of a step by state, input and parameters",
     "usage: abut grad SCENE [--step K] [--wrt NAME,...] [--kappa-gradient K] [--method M] [--check [--tolerance T]]\n"
     "                       [--set PATH=VALUE]... [--json] [--seed N]\n"
     "\n"
     "Takes K steps of the scene and differentiates the next: a block of 12 rows for each moving body, its position\n"
     "(m, of the centre of mass, world), rotation (rad, small angles about the body's axes), velocity (m/s, world)\n"
     "and spin (rad/s, body axes) after the step, by the same before it (state), by force (N, world) and torque (N m,\n"
     "body axes) (input), and by each kind of parameter of the scene. Prints a line for each block.\n"
     "\n"
     "  --step K          steps before the one that is differentiated (default 0: the first)\n"
     "  --wrt NAME,...    blocks: state, input, timestep, gravity, mass, inertia, centre_of_mass, friction,\n"
     "                    torsional_radius, size, face, part_position, part_rotation (default: all); may be\n"
     "                    repeated; method lcp has state, input and mass, convex these, gravity, inertia and\n"
     "                    friction, point-ncp these and timestep\n"
     "  --kappa-gradient K\n"
     "                    on the central path at K, 1e-12 to 1, where what opens, closes and slips is smoothed;\n"
     "                    0: at the exact solution (default: the scene's solver.kappa_gradient, 0); of method\n"
     "                    point-ncp, which has none, 1e-9 stands for it\n"
     "  --method M        single-level (default), lcp, point-ncp or convex\n"
     "  --check           holds every entry against central differences of steps, and tells the worst and how many\n"
     "                    the differences do not decide\n"
     "  --tolerance T     of --check, relative to a block's largest entry, or to what a unit does in flight where\n"
     "                    that is larger (default 1e-4; 1e-6 on the path)\n"
     "  --set PATH=VALUE  overrides one value of the scene, such as timestep=0.05; may be repeated\n"
     "  --json            prints one JSON object with all entries instead of the table\n"
     "  --seed N          seed of every random choice (this verb makes none), echoed in the object\n"
     "\n"
     "Exit status: 0 done, 1 a step failed, has no derivative, or is past the tolerance, 2 the call or the scene is\n"
     "wrong, 3 the machine failed.\n",
     abut_verb_grad},
    {"bench", "time the solver on fixed cases",
     "usage: abut bench [NAME] [--json] [--seed N]\n"
     "       abut bench peers [NAME] [--quick] [--json] [--seed N]\n"
     "       abut bench originals [NAME] [--quick] [--json] [--seed N]\n"
     "       abut bench query [--quick] [--json] [--seed N]\n"
     "       abut bench inverse [--json] [--seed N]\n"
     "\n"
     "Runs every case, or those whose names start with NAME, and prints the time of a step, the iterations and the\n"
     "share of exact steps of each. --json prints them as one JSON object.\n"
     "The piles are run only when NAME is all of theirs: pile_20, pile_100, pile_1000.\n"
     "\n"
     "peers compares with MuJoCo and ODE on the same scenes, where Debian's libmujoco-dev and libode-dev were found\n"
     "when this was built: some minutes, less for the cases whose names start with NAME, or with --quick a few steps\n"
     "of each case, which only shows that it works.\n"
     "\n"
     "originals compares method lcp with DART and method convex with MuJoCo: wrenches, motion, momentum and times of\n"
     "the same scenes, where Debian's libdart-dev and libmujoco-dev were found when this was built.\n"
     "\n"
     "query times queries of all pairs of shapes: scaling, contact point, normal, and their derivatives.\n"
     "\n"
     "inverse counts how often a second contact impulses are found from velocities, of 2, 5, 10 and 20 contacts.\n"
     "\n"
     "Exit status: 0 done, 1 a step failed, 2 the call is wrong, 3 the machine failed.\n",
     abut_verb_bench},
    {"sweep", "run a grid of scenes, methods, parameters and seeds",
     "usage: abut sweep SPEC [--out DIR] [--resume] [--threads N] [--shard I/N] [--seed N] [--json] [--quiet]\n"
     "       abut sweep SPEC --show RUN\n"
     "       abut sweep --merge DIR... --out DIR [--json] [--quiet]\n"
     "       mpirun -n N abut sweep SPEC ...\n"
     "\n"
     "Makes every run of the grid that SPEC describes, a JSON file, and writes a row each: runs.csv, which is the "
     "same\n"
     "for any number of threads, shards and processes, times.csv and sweep.json. A run that fails, or whose scene the\n"
     "method does not take, is a row too, and changes no exit status.\n"
     "\n"
     "  --out DIR         the folder; out/ and the spec's name when left out\n"
     "  --resume          goes on where a sweep in this folder was ended, and begins it where there is none\n"
     "  --threads N       runs at a time (default 0: one per core; 1 for each process under mpirun)\n"
     "  --shard I/N       only the I-th of N equal shares of the runs: one job of N, each with a folder of its own\n"
     "  --merge           joins the folders of all shards into one, as if one machine had made all runs\n"
     "  --seed N          first of the spec's seeds, in place of its own\n"
     "  --show RUN        prints the call of `abut run` that repeats a run, by its number in runs.csv\n"
     "  --json            prints the counts as one JSON object instead of the table\n"
     "  --quiet           prints nothing but errors\n"
     "\n"
     "Under mpirun the processes share out the runs that are missing; one that is killed loses those that it had not\n"
     "ended, and --resume makes them.\n"
     "\n"
     "Exit status: 0 all runs ended, 2 the call, the spec or the folder is wrong, 3 the machine failed: what was "
     "ended\n"
     "is kept.\n",
     abut_verb_sweep},
    {"experiment", "run a named experiment: tables, figures and a page",
     "usage: abut experiment\n"
     "       abut experiment NAME [--quick] [--out DIR] [--resume] [--threads N] [--spec FILE] [--json] [--seed N]\n"
     "\n"
     "Without a name, lists the experiments. Runs one and writes its results into DIR: every table as CSV and JSON,\n"
     "the figures as SVG and PNG with the gnuplot scripts that draw them, result.json, and report.html, one page\n"
     "with all of it.\n"
     "\n"
     "  --quick           within a minute, on fewer runs: shows that it works, without verdicts\n"
     "  --out DIR         default: out/NAME, or out/NAME-quick\n"
     "  --resume          go on with what a killed run has left in DIR\n"
     "  --threads N       of experiments made of many runs (default 0: one per core)\n"
     "  --spec FILE       settings of your own, in place of spec.json in the experiment's folder\n"
     "  --json            prints result.json in place of the tables\n"
     "  --seed N          seed of every random choice\n"
     "\n"
     "Exit status: 0 done, 1 a target is missed, 2 the call or the spec is wrong, 3 the machine failed.\n",
     abut_verb_experiment},
    {"mesh", "turn a mesh into a convex polytope, or a union of them",
     "usage: abut mesh FILE [--hull] [--faces N] [--outer | --inner] [--scale S] [--unit U] [--up AXIS]\n"
     "                      [--decompose [--concavity C] [--max-parts N] [--no-cache]]\n"
     "                      [--out FILE.json] [--json] [--seed N] [--quiet]\n"
     "\n"
     "Reads a mesh (STL, OBJ, PLY, glTF, COLLADA and whatever else Assimp reads), repairs what can be repaired, and\n"
     "prints its volume, centre of mass and inertia (for a density of 1 kg/m^3) and its convex hull. An open mesh has\n"
     "no volume: the hull's is given then, and said. Warnings go to stderr, each with a cure.\n"
     "\n"
     "  --hull            the convex hull (default)\n"
     "  --decompose       a union of convex hulls that contains the mesh, which must be closed\n"
     "  --concavity C     how far the hulls may be from the mesh, and it may lie inside them, as a part of its "
     "longest\n"
     "                    side: 1e-4 to 1 (default 0.02)\n"
     "  --max-parts N     at most N hulls, whatever the concavity (default 32)\n"
     "  --no-cache        neither uses nor writes FILE.abut-decomposition.json, where the hulls are kept\n"
     "  --faces N         at most N faces, at least 4, of each polytope\n"
     "  --outer, --inner  so that the polytope contains the hull (default), or lies within it\n"
     "  --unit U          unit of the file: um, mm, cm, dm, m, km, in, ft, yd or mi (default: m, or what its format\n"
     "                    declares)\n"
     "  --scale S         a further factor\n"
     "  --up AXIS         axis of the file that points up, x, y or z: it is turned to z (default: what the format\n"
     "                    declares, else z)\n"
     "  --out FILE.json   writes the polytope as a shape for a scene, with the mass of the mesh and its source\n"
     "  --json            prints one JSON object instead of the text\n"
     "  --seed N          seed of every random choice (this verb makes none), echoed in the object\n"
     "  --quiet           prints nothing but warnings and errors\n"
     "\n"
     "Exit status: 0 done, 2 the call or the file is wrong, 3 the machine failed or the work was interrupted.\n",
     abut_verb_mesh},
    {"import", "turn a robot model, URDF or MJCF, into a scene",
     "usage: abut import MODEL.urdf|MODEL.xml [-o SCENE.json] [--json] [--quiet]\n"
     "\n"
     "Reads the bodies of a model that move freely, with what is fixed to them, and what stands still, and writes "
     "them\n"
     "as a scene. What a scene has no place for is listed on stderr, with its line: joints and what hangs on them,\n"
     "actuators, sensors, geometry that is only shown.\n"
     "\n"
     "  --out FILE, -o FILE\n"
     "                    the scene; without it, it is printed. Meshes are named from its folder\n"
     "  --json            with --out: prints what was made and what was left out as one JSON object\n"
     "  --quiet           prints nothing but the scene and errors\n"
     "\n"
     "Exit status: 0 done, 2 the call or the model is wrong, or nothing in it can be a scene, 3 the machine failed.\n",
     abut_verb_import},
    {"export", "turn a run into files of other programs",
     "usage: abut export RUN --format csv|npz|glb|mcap [-o FILE] [--quiet]\n"
     "\n"
     "Reads RUN, a folder that `abut run --out` wrote, and writes all its steps as one file:\n"
     "\n"
     "  csv   a row for each frame and body: pose, velocities, and what contacts gave to the body\n"
     "  npz   arrays for numpy.load: times, poses, velocities, contacts, steps\n"
     "  glb   glTF 2.0: the shapes as meshes, moved by an animation; Blender and browsers show it\n"
     "  mcap  for Foxglove and Rerun: coordinate frames, shapes, contacts as arrows, numbers of each step\n"
     "\n"
     "  --format F        may be left out where FILE ends with its name\n"
     "  --out FILE, -o FILE\n"
     "                    default RUN/run.FORMAT; /dev/stdout writes into a pipe\n"
     "  --quiet           prints nothing but errors\n"
     "\n"
     "Exit status: 0 done, 2 the call or the folder is wrong, 3 the machine failed.\n",
     abut_verb_export},
    {"view", "write the replay page of a run, or of two side by side",
     "usage: abut view DIR [DIR] [--out FILE.html] [--every N] [--json] [--quiet]\n"
     "\n"
     "Writes one HTML file with the run that `abut run --out DIR` has left in DIR: the scene in three dimensions, its\n"
     "contacts and forces, and plots in step with it. It opens in any browser, offline, and needs no other file. With\n"
     "a second folder, the two runs stand side by side, such as one scene by two methods.\n"
     "\n"
     "  --out FILE.html   the page; DIR/replay.html when left out, DIR/side_by_side.html of two runs\n"
     "  --every N         shows every N-th state (default 0: all, or as many as fit into 20 MB)\n"
     "  --json            prints the page's path, size and states as one JSON object\n"
     "  --quiet           prints nothing but errors\n"
     "\n"
     "The page's bundle is made by set-up where npm is there (scripts/view.sh BUILD_FOLDER); it is looked for in\n"
     "ABUT_VIEW_BUNDLE, beside the command, and in share/abut of an installed tree.\n"
     "\n"
     "Exit status: 0 done, 2 the call or a run's folder is wrong, or the bundle is not there, 3 the machine failed.\n",
     abut_verb_view},
    {"help", "explain a verb", "usage: abut help [VERB]\n", abut_verb_help},
    {NULL, NULL, NULL, NULL},
};

static int run_verb(const char *name, int argc, char **argv)
{
	for (const AbutVerb *verb = abut_verbs; verb->name; verb++) {
		if (strcmp(verb->name, name) == 0) {
			if (!verb->run) {
				abut_report("%s: not available in version %s", name, abut_version());
				return ABUT_EXIT_USAGE;
			}
			return verb->run(argc, argv);
		}
	}
	abut_report_unknown_verb("", name);
	return ABUT_EXIT_USAGE;
}

int main(int argc, char **argv)
{
	/* A reader that goes away is an error of writing, reported like any other. */
	signal(SIGPIPE, SIG_IGN);
	if (argc < 2) {
		abut_report("no verb given; `abut help` lists the verbs");
		return ABUT_EXIT_USAGE;
	}
	if (strcmp(argv[1], "--version") == 0) {
		return abut_print_version();
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		return abut_verb_help(0, NULL);
	}
	return run_verb(argv[1], argc - 2, argv + 2);
}
