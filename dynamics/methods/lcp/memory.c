/* Stores and recalls the sets of a contact's points. */
#include "dynamics/methods/lcp/memory.h"

#include "dynamics/contact/setup.h"
#include "dynamics/methods/manifold/island.h"

enum { SETS = ABUT_BOXED_IDLE + 1 };

/* Returns 1 plus the number whose digits are the sets; the lowest digit is the set of the normal row. */
static int encode(const AbutBoxedSet *set, int rows)
{
	int code = 0;
	for (int k = rows - 1; k >= 0; k--) {
		code = SETS * code + (int)set[k];
	}
	return 1 + code;
}

static void decode(int code, int rows, AbutBoxedSet *set)
{
	code--;
	for (int k = 0; k < rows; k++) {
		set[k] = (AbutBoxedSet)(code % SETS);
		code /= SETS;
	}
}

/* Returns the stored code of the point with this feature, or 0 if there is none. The range is checked, since a snapshot
 * may hold any numbers. */
static int find(const double *memory, uint64_t feature)
{
	static const double most = SETS * SETS * SETS;
	const double high = (double)(feature >> 32), low = (double)(feature & 0xffffffffu);
	for (int i = 0; i < ABUT_MANIFOLD_POINTS; i++) {
		const double *point = &memory[ABUT_LCP_POINT_MEMORY * i];
		if (point[0] == high && point[1] == low && point[2] >= 1.0 && point[2] <= most) {
			return (int)point[2];
		}
	}
	return 0;
}

void abut_lcp_remember(const AbutLcpContact *contact, double scaling, int entry, AbutContactStore *store)
{
	AbutContactMemory *memory = &store->entries[entry];
	double *out = &store->y[memory->y];
	for (int i = 0; i < ABUT_MANIFOLD_POINTS; i++, out += ABUT_LCP_POINT_MEMORY) {
		const bool used = i < contact->manifold.n;
		const uint64_t feature = used ? contact->manifold.points[i].feature : 0;
		out[0] = (double)(feature >> 32);
		out[1] = (double)(feature & 0xffffffffu);
		out[2] = used ? encode(&contact->set[i * contact->rows_per_point], contact->rows_per_point) : 0;
	}
	memory->alpha = scaling;
	memory->solved = true;
}

void abut_lcp_recall(const AbutContactStore *store, int source, const AbutLcpContact *contact, AbutBoxedSet *guess)
{
	const AbutContactMemory *memory = source >= 0 && store->entries[source].solved ? &store->entries[source] : NULL;
	for (int i = 0; i < contact->manifold.n; i++) {
		const uint64_t feature = contact->manifold.points[i].feature;
		const int rows = contact->rows_per_point, code = memory ? find(&store->y[memory->y], feature) : 0;
		AbutBoxedSet *set = &guess[i * rows];
		for (int k = 0; k < rows; k++) {
			set[k] = ABUT_BOXED_IDLE;
		}
		if (code > 0) {
			decode(code, rows, set);
		}
	}
}

void abut_lcp_size(const AbutModel *model, AbutPair *pair)
{
	abut_contact_size(model, pair);
	pair->n_y = ABUT_LCP_MEMORY;
	pair->n_z = 0;
}

AbutRoom abut_lcp_room(const AbutModel *model, int contacts)
{
	AbutRoom room = abut_contact_room(model, contacts);
	room.n_y = abut_room_total(contacts, ABUT_LCP_MEMORY);
	room.n_z = 0;
	return room;
}
