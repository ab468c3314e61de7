/* Calls the writer of a format. */
#include "io/export/export.h"

#include "io/export/csv_tables.h"
#include "io/export/glb.h"
#include "io/export/mcap.h"
#include "io/export/npz.h"

#define ABUT_X(constant, name) [constant] = (name),
const char *const abut_export_names[] = {ABUT_EXPORT_LIST(ABUT_X)};
const char *const abut_export_tables[] = {ABUT_EXPORT_TABLE_LIST(ABUT_X)};
#undef ABUT_X

AbutStatus abut_export(const AbutRunRecord *record, AbutExportFormat format, AbutExportTable table, FILE *file,
                       AbutError *error)
{
	static AbutStatus (*const writers[])(const AbutRunRecord *, FILE *, AbutError *) = {
	    [ABUT_EXPORT_NPZ] = abut_export_npz,
	    [ABUT_EXPORT_GLB] = abut_export_glb,
	    [ABUT_EXPORT_MCAP] = abut_export_mcap,
	};
	static AbutStatus (*const tables[])(const AbutRunRecord *, FILE *, AbutError *) = {
	    [ABUT_EXPORT_BODIES] = abut_export_bodies,
	    [ABUT_EXPORT_JOINTS] = abut_export_joints,
	    [ABUT_EXPORT_SENSORS] = abut_export_sensors,
	};
	return (format == ABUT_EXPORT_CSV ? tables[table] : writers[format])(record, file, error);
}
