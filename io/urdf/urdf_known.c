/* Lists the elements and attributes of links and joints of URDF, with extensions of other programs, and notes others.
 * Tested in tests/io/import_unknown.c. */
#include "io/urdf/urdf_known.h"

#include <stddef.h>

#include "io/robot/known.h"

static const AbutKnown rows[] = {
    {"robot", "link", "name type"},
    {"link", "inertial", "name"},
    {"link", "visual collision", "name group"},
    {"link inertial visual collision joint", "origin", "xyz rpy"},
    {"link", "contact", ""},
    {"inertial", "mass", "value"},
    {"inertial", "inertia", "ixx ixy ixz iyy iyz izz"},
    {"visual collision", "geometry", "name"},
    {"visual collision", "material verbose contact_coefficients drake:proximity_properties", NULL},
    {"geometry", "box", "size"},
    {"geometry", "sphere", "radius"},
    {"geometry", "cylinder capsule", "radius length"},
    {"geometry", "mesh", "filename scale"},
    {"contact", "lateral_friction", "value"},
    {"contact",
     "rolling_friction spinning_friction restitution stiffness damping contact_cfm contact_erp inertia_scaling "
     "friction_anchor",
     NULL},
    {"link", "self_collision_checking sensor material audio_source", NULL},
    {"robot", "joint", "name type"},
    {"robot", "loop_joint", "name type"},
    {"joint loop_joint", "axis", "xyz"},
    {"joint", "parent child", "link"},
    {"loop_joint", "link1 link2", "link xyz rpy"},
    {"joint loop_joint", "limit", "lower upper effort velocity acceleration jerk"},
    {"joint loop_joint", "dynamics", "damping friction stiffness armature"},
    {"joint", "mimic", "joint multiplier offset"},
    {"joint", "calibration safety_controller hardwareInterface", NULL},
};

void abut_urdf_note_unknown(AbutImporter *importer, const AbutXml *robot)
{
	abut_importer_check_known(importer, robot, rows, (int)(sizeof rows / sizeof *rows), "URDF", "robot");
}
