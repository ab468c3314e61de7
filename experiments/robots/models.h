/* The robots of the experiment: files of other programs, and an ant of our own. */
#pragma once

#include "experiments/setting/imported.h"

enum { ABUT_ROBOT_PATH = 4096 };

/* Where a robot comes from, and what the experiment does with it. */
typedef struct AbutRobotSource {
	const char *name;
	const char *file;     /* in DATA/models; NULL: made by this project */
	const char *scene;    /* a shipped scene, in experiments/scenes; NULL: none */
	const char *origin;   /* where to get the file */
	const char *keyframe; /* of the start; NULL: the model's own pose */
	const char *torso;    /* the body whose height is recorded */
	bool lacks_floor;     /* a floor is added to the file */
	bool is_atlas;        /* feet, motors and a floor are added to the scene */
	bool is_driven;       /* random targets of its motors make sense */
	double target;        /* s: aim for the largest stable timestep; 0: none */
} AbutRobotSource;

extern const AbutRobotSource abut_robot_sources[];
extern const int abut_robot_source_count;

typedef struct AbutRobotModel {
	const AbutRobotSource *source;
	AbutImportedRobot imported; /* its def is the scene */
	AbutJointDef *joints;       /* owned: of Atlas */
	AbutShape *feet[4];         /* owned: of Atlas */
	AbutPairDef pairs[2];       /* of Atlas */
	char path[ABUT_ROBOT_PATH]; /* the model for MuJoCo: an imported file, or an export of Atlas and shipped scenes
	                             */
} AbutRobotModel;

/* Returns whether the file of a robot exists in the folder `data`, which may be NULL. */
bool abut_robot_source_exists(const AbutRobotSource *source, const char *data);
/* The folders of a run: of the experiment's files, of the robots of other projects (NULL: none), and of results. */
typedef struct AbutRobotFolders {
	const char *source, *data, *out;
} AbutRobotFolders;

/* Opens a robot. Models that are made or changed are written into the folder of results. Close it in either case, and
 * do not move it. */
AbutStatus abut_robot_model_open(const AbutRobotSource *source, const AbutRobotFolders *folders, AbutRobotModel *robot,
                                 AbutError *error);
void abut_robot_model_close(AbutRobotModel *robot);
