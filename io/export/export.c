/* Formats by their names. */
#include "io/export/export.h"

#define ABUT_X(constant, name) [constant] = (name),
const char *const abut_export_names[] = {ABUT_EXPORT_LIST(ABUT_X)};
#undef ABUT_X

AbutStatus abut_export(const AbutRunRecord *record, AbutExportFormat format, FILE *file, AbutError *error)
{
	static AbutStatus (*const writers[])(const AbutRunRecord *, FILE *, AbutError *) = {
	    [ABUT_EXPORT_CSV] = abut_export_csv,
	    [ABUT_EXPORT_NPZ] = abut_export_npz,
	    [ABUT_EXPORT_GLB] = abut_export_glb,
	    [ABUT_EXPORT_MCAP] = abut_export_mcap,
	};
	return writers[format](record, file, error);
}
