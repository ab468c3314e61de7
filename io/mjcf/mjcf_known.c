/* Lists the elements and attributes of MJCF, MuJoCo 2.2 to 3.3, of the sections that the importer reads, and notes
 * others. Tested in tests/io/import_unknown.c. */
#include "io/mjcf/mjcf_known.h"

#include <stddef.h>

#include "io/robot/known.h"

#define BODIES "worldbody body frame replicate"
#define TURN "quat axisangle xyaxes zaxis euler"
#define SHAPE "name class type group pos size fromto material rgba user " TURN
#define LIMITS "limited range margin solreflimit solimplimit solreffriction solimpfriction frictionloss "
#define TENDON                                                                                                         \
	"name class group user springlength stiffness damping armature actuatorfrclimited actuatorfrcrange " LIMITS
#define ACTS                                                                                                           \
	"name class group user ctrllimited forcelimited ctrlrange forcerange lengthrange gear cranklength joint "      \
	"jointinparent tendon slidersite cranksite site refsite body delay nsample interp"
#define SENSOR "name cutoff noise user delay nsample interp interval "

static const AbutKnown rows[] = {
    {"mujoco", "default asset worldbody contact equality tendon actuator sensor keyframe", "class"},
    {"mujoco", "size visual statistic custom extension deformable skin", NULL},
    {"mujoco", "compiler",
     "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb eulerseq "
     "meshdir "
     "texturedir assetdir discardvisual convexhull usethread fusestatic inertiafromgeom inertiagrouprange "
     "exactmeshinertia alignfree saveinertial conflict"},
    {"compiler", "lengthrange", NULL},
    {"mujoco", "option",
     "timestep apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance mpr_tolerance sleep_tolerance "
     "gravity wind magnetic density viscosity o_margin o_solref o_solimp o_friction integrator collision cone jacobian "
     "solver iterations ls_iterations noslip_iterations ccd_iterations mpr_iterations sdf_iterations sdf_initpoints "
     "actuatorgroupdisable"},
    {"option", "flag",
     "constraint equality frictionloss limit contact passive spring damper gravity clampctrl warmstart filterparent "
     "actuation refsafe sensor midphase nativeccd eulerdamp autoreset override energy fwdinv invdiscrete sensornoise "
     "multiccd island sleep"},
    {"mujoco worldbody body frame replicate default asset contact equality tendon actuator sensor keyframe", "include",
     NULL},
    {"default", "default", "class"},
    {"default",
     "mesh material camera light pair equality tendon general motor position velocity intvelocity damper "
     "cylinder muscle adhesion plugin",
     NULL},
    {"asset", "texture hfield skin material model", NULL},
    {"asset", "mesh",
     "name class content_type file vertex normal texcoord face refpos refquat scale smoothnormal maxhullvert inertia "
     "builtin params material octree_maxdepth"},
    {"asset mesh geom body", "plugin", NULL},
    {BODIES, "body", "name childclass pos mocap gravcomp sleep user " TURN},
    {"body", "inertial", "pos mass diaginertia fullinertia " TURN},
    {BODIES " default", "joint",
     "name class type group pos axis springdamper stiffness ref springref armature damping user actuatorfrcrange "
     "actuatorfrclimited actuatorgravcomp " LIMITS},
    {"body frame replicate", "freejoint", "name group align"},
    {BODIES " default", "geom",
     "contype conaffinity condim priority friction mass density shellinertia solmix solref solimp margin gap hfield "
     "mesh "
     "fitscale fluidshape fluidcoef " SHAPE},
    {BODIES " default", "site", SHAPE},
    {BODIES, "frame", "name childclass pos " TURN},
    {BODIES, "replicate", "count sep offset euler"},
    {BODIES, "attach", "model body prefix"},
    {BODIES, "camera light composite flexcomp", NULL},
    {"contact", "pair", "name class geom1 geom2 condim friction solref solreffriction solimp gap margin"},
    {"contact", "exclude", "name class body1 body2"},
    {"equality", "connect weld", "name class body1 body2 site1 site2 anchor relpose active solref solimp torquescale"},
    {"equality", "joint", "name class joint1 joint2 polycoef active solref solimp"},
    {"equality", "tendon", "name class tendon1 tendon2 polycoef active solref solimp"},
    {"tendon", "fixed", TENDON},
    {"fixed", "joint", "joint coef"},
    {"actuator", "general",
     "actlimited actrange actdim actearly dyntype gaintype biastype dynprm gainprm biasprm " ACTS},
    {"actuator", "motor", ACTS},
    {"actuator", "position", "kp kv dampratio timeconst inheritrange " ACTS},
    {"actuator", "velocity", "kv " ACTS},
    {"sensor",
     "touch accelerometer velocimeter gyro force torque jointpos jointvel jointactuatorfrc actuatorpos actuatorvel "
     "actuatorfrc ballquat ballangvel",
     SENSOR "site joint actuator"},
    {"sensor", "framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel",
     SENSOR "objtype objname reftype refname"},
    {"keyframe", "key", "name class time qpos qvel act ctrl mpos mquat"},
};

void abut_mjcf_note_unknown(const AbutMjcf *mjcf)
{
	abut_importer_check_known(mjcf->importer, mjcf->root, rows, (int)(sizeof rows / sizeof *rows), "MJCF",
	                          "equality tendon actuator sensor");
}
