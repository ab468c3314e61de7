/* Eliminates the equations of a jointed part exactly, body by body. Its unknowns are the changes x of the bodies' (v+,
 * w+) and the held numbers y (dynamics/gradient/solve.c),
 *
 *     S x - W_y y = b,          -Y_x x + (1 - Y_y) y = h.
 *
 * A held number belongs to the node of that body of its edge which is eliminated first. The block row of a node i has
 * columns only of its own unknowns and of the x of later bodies j, so its elimination fills no more blocks than that of
 * the bodies alone. With the node's own block D, its inverse [A B; A' B'] and the columns [S_ij; -Y_xj] and rows [S_ji,
 * -W_yj] of another body,
 *
 *     x_i = A b_i + B h_i + sum_j X_j x_j,     X_j = -(A S_ij + B H_j),                  H_j = -Y_xj,
 *     b_j <- b_j - P_j b_i - Q_j h_i,          P_j = S_ji A - W_yj A',  Q_j = S_ji B - W_yj B',
 *     S_jl <- S_jl - P_j S_il - Q_j H_l.
 *
 * The stiffness of the regularised laws has no part in this: it would cost digits. Where Y_y is 1 up to rounding, y is
 * the force that holds a motion, W_x contains W_y Y_x, and abut_gradient_nodes_soften subtracts it. Joints have no such
 * part from the beginning (dynamics/gradient/joint_map.c).
 *
 * A body has six degrees of freedom, so its node holds at most six numbers, whose rows in it are independent. The
 * others are left over (dynamics/gradient/left.c). Tested in tests/dynamics/joint/test_joint_gradient.c. */
#include "dynamics/gradient/nodes.h"

#include <math.h>
#include <string.h>

#include "base/lane_algebra.h"
#include "dynamics/gradient/map_lanes.h"

enum { SIDE = ABUT_MAP_SIDE, ROW = ABUT_BLOCK_ROW, BLOCK = ABUT_BLOCK_SIZE, WIDTH = 2 * ROW, MOST = 2 * SIDE };

/* A row of a node is independent of the others if more than this part of it is left. */
static const double independent = 1e-2;

/* --- memory --- */

void abut_gradient_nodes_carve(AbutArena *arena, AbutGradientPart *part)
{
	AbutGradientNodes *nodes = &part->system.nodes;
	const size_t n = (size_t)part->n, n_entries = (size_t)(part->system.pattern.n_blocks - part->n) / 2;
	nodes->first = abut_arena_take(arena, n + 1, sizeof(int));
	nodes->held = abut_arena_take(arena, (size_t)part->n_held, sizeof(int));
	nodes->map = abut_arena_take(arena, (size_t)part->n_held, sizeof(int));
	nodes->position = abut_arena_take(arena, (size_t)part->n_maps, sizeof(int));
	nodes->busy = abut_arena_take(arena, n, sizeof(bool));
	nodes->blocks = abut_arena_take(arena, (2 * n + 4 * n_entries) * BLOCK, sizeof(double));
}

/* Return the blocks A, B of a node, and X, P, Q, H of an entry of its row. */
ALWAYS_INLINE double *own_blocks(const AbutGradientPart *part, int k)
{
	return &part->system.nodes.blocks[(size_t)(2 * k + 4 * part->system.pattern.first[k]) * BLOCK];
}

ALWAYS_INLINE double *entry_blocks(const AbutGradientPart *part, int k, int entry)
{
	return &part->system.nodes.blocks[(size_t)(2 * (k + 1) + 4 * entry) * BLOCK];
}

/* --- edges --- */

/* Adds `factor` times the equation 0 = row - y of a held number to a row of the edge's matrix. */
static void add_equation(const AbutEdgeMap *map, int held, double factor, double *row)
{
	const double *own = abut_map_held_row(map, held);
	for (int c = 0; factor != 0.0 && c < map->stride; c++) {
		row[c] += factor * own[c];
	}
	row[abut_map_by_held(map) + held] -= factor;
}

void abut_gradient_nodes_soften(const AbutEdgeMap *map)
{
	for (int held = 0; held < map->n_held; held++) {
		double *own = &map->at[(abut_map_first_held_row(map) + held) * map->stride];
		const int column = abut_map_by_held(map) + held;
		const double pull = own[column];
		const bool stiff = fabs(pull) > 0.5;
		for (int r = 0; r < abut_map_rows(map); r++) {
			double *row = &map->at[r * map->stride];
			const double by = row[column];
			if (row != own && !stiff) {
				add_equation(map, held, by / (1.0 - pull), row);
				row[column] = 0.0;
			} else if (r < abut_map_first_held_row(map)) {
				add_equation(map, held, -by / pull, row);
			}
		}
		if (!stiff) {
			memset(own, 0, (size_t)map->stride * sizeof *own);
		}
	}
}

/* --- which numbers a node holds --- */

/* The numbers that a node holds: index, edge, row among the edge's held ones; the columns of their pivots. */
typedef struct Node {
	int n, held[SIDE], row[SIDE], column[SIDE];
	const AbutEdgeMap *map[SIDE];
	double reduced[SIDE][SIDE]; /* their rows in the body's columns, eliminated */
} Node;

static int first_position(const AbutGradientPart *part, const AbutEdgeMap *map)
{
	int first = part->n;
	for (int s = 0; s < map->n_sides; s++) {
		const int position = part->system.pattern.position_of[map->body[s]];
		first = position < first ? position : first;
	}
	return first;
}

/* Returns whether the row of a held number is zero. Such numbers are zero, too. */
static bool is_void(const AbutEdgeMap *map, int row)
{
	const double *own = &abut_map_held_row(map, row)[abut_map_by_velocity(map)];
	bool zero = true;
	for (int c = 0; c < SIDE * map->n_sides; c++) {
		zero = zero && own[c] == 0.0;
	}
	return zero;
}

/* Adds a number to the node of a body if its row is independent. */
static bool add_held(const AbutEdgeMap *map, int row, int body, Node *node)
{
	const double *from =
	    &abut_map_held_row(map, row)[abut_map_by_velocity(map) + SIDE * abut_map_side_of(map, body)];
	double own[SIDE], size = 0.0, left = 0.0;
	int column = 0;
	for (int c = 0; c < SIDE; c++) {
		own[c] = from[c];
		size = fmax(size, fabs(own[c]));
	}
	for (int k = 0; k < node->n; k++) {
		const double factor = own[node->column[k]];
		for (int c = 0; c < SIDE; c++) {
			own[c] -= factor * node->reduced[k][c];
		}
	}
	for (int c = 0; c < SIDE; c++) {
		column = fabs(own[c]) > left ? c : column;
		left = fmax(left, fabs(own[c]));
	}
	if (node->n == SIDE || !(left > independent * size)) {
		return false;
	}
	for (int c = 0; c < SIDE; c++) {
		node->reduced[node->n][c] = own[c] / own[column];
	}
	node->column[node->n] = column;
	node->map[node->n] = map;
	node->row[node->n] = row;
	node->held[node->n++] = map->held + row;
	return true;
}

/* Returns whether held numbers of the edge depend on each other. Then the node holds all of them, or none. */
static bool is_linked(const AbutEdgeMap *map)
{
	for (int i = 0; i < map->n_held; i++) {
		const double *row = &abut_map_held_row(map, i)[abut_map_by_held(map)];
		for (int k = 0; k < map->n_held; k++) {
			if (k != i && row[k] != 0.0) {
				return true;
			}
		}
	}
	return false;
}

/* Chooses the numbers of the node at position k: those of edges that no earlier node has. */
static void choose(const AbutGradientPart *part, int k, Node *node)
{
	const AbutGradientNodes *nodes = &part->system.nodes;
	const int body = part->system.pattern.body_at[k];
	node->n = 0;
	for (int i = 0; i < part->n_maps; i++) {
		const AbutEdgeMap *map = &part->maps[i];
		const int n = node->n;
		int wanted = 0;
		if (nodes->position[i] != k || map->yields) {
			continue;
		}
		for (int row = 0; row < map->n_held; row++) {
			wanted += !is_void(map, row);
			add_held(map, row, body, node);
		}
		node->n = node->n - n < wanted && is_linked(map) ? n : node->n;
	}
}

/* --- elimination of a node --- */

/* Copies the node's own block to T: balances, then held numbers. */
static void own_block(const AbutGradientPart *part, int k, const Node *node, double T[MOST][WIDTH])
{
	const int body = part->system.pattern.body_at[k];
	const double *S = abut_block(&part->system.factors, body, body);
	memset(T, 0, MOST * sizeof *T);
	for (int r = 0; r < SIDE; r++) {
		memcpy(T[r], &S[r * ROW], SIDE * sizeof(double));
	}
	for (int i = 0; i < node->n; i++) {
		const AbutEdgeMap *map = node->map[i];
		const int side = abut_map_side_of(map, body);
		const double *Y = abut_map_held_row(map, node->row[i]);
		for (int c = 0; c < SIDE; c++) {
			T[SIDE + i][c] = -Y[abut_map_by_velocity(map) + SIDE * side + c];
			T[c][SIDE + i] =
			    -map->at[(SIDE * side + c) * map->stride + abut_map_by_held(map) + node->row[i]];
		}
		for (int j = 0; j < node->n; j++) {
			T[SIDE + i][SIDE + j] = (i == j ? 1.0 : 0.0) -
			                        (node->map[j] == map ? Y[abut_map_by_held(map) + node->row[j]] : 0.0);
		}
	}
}

/* Returns the balance with the largest entry in a column, among those without a pivot. */
static int largest(const double T[MOST][WIDTH], const int *column_of, int column)
{
	int best = -1;
	for (int r = 0; r < SIDE; r++) {
		if (column_of[r] < 0 && (best < 0 || fabs(T[r][column]) > fabs(T[best][column]))) {
			best = r;
		}
	}
	return best;
}

/* Inverts T: held numbers first, at the pivots of `choose`, then the balances. The inverse has the quadrants A, B, A',
 * B' (SIDE rows and ROW columns each) in the rows and columns of the unknowns and of the right sides. */
ALWAYS_INLINE bool invert(const Node *node, double T[MOST][WIDTH], double inverse[4][BLOCK])
{
	const int n = SIDE + node->n;
	int column_of[MOST];
	bool used[MOST] = {false};
	for (int r = 0; r < MOST; r++) {
		column_of[r] = -1;
	}
	for (int i = 0; i < node->n; i++) {
		abut_exchange(n, WIDTH, T[0], SIDE + i, node->column[i]);
		column_of[SIDE + i] = node->column[i];
		used[node->column[i]] = true;
	}
	for (int c = 0; c < n; c++) {
		if (used[c]) {
			continue;
		}
		const int row = largest((const double(*)[WIDTH])T, column_of, c);
		if (!isfinite(1.0 / T[row][c])) {
			return false;
		}
		abut_exchange(n, WIDTH, T[0], row, c);
		column_of[row] = c;
	}
	memset(inverse, 0, 4 * sizeof *inverse);
	for (int i = 0; i < n; i++) {
		const int of = column_of[i];
		for (int j = 0; j < n; j++) {
			inverse[2 * (of / SIDE) + j / SIDE][of % SIDE * ROW + j % SIDE] = T[i][column_of[j]];
		}
	}
	return true;
}

/* target += factor left right, for 6 x 6 blocks with rows of eight. */
ALWAYS_INLINE void add_block(double *restrict target, double factor, const double *restrict left,
                             const double *restrict right)
{
	for (int r = 0; r < SIDE; r++) {
		double sum[ROW];
		memcpy(sum, &target[r * ROW], sizeof sum);
		for (int q = 0; q < SIDE; q++) {
			const double entry = factor * left[r * ROW + q];
			for (int c = 0; c < ROW; c++) {
				sum[c] += entry * right[q * ROW + c];
			}
		}
		memcpy(&target[r * ROW], sum, sizeof sum);
	}
}

/* Writes H = -Y_xj and V = -W_yj of the node's numbers at another body. */
static void held_blocks(const Node *node, int body, double H[BLOCK], double V[BLOCK])
{
	memset(H, 0, BLOCK * sizeof *H);
	memset(V, 0, BLOCK * sizeof *V);
	for (int i = 0; i < node->n; i++) {
		const AbutEdgeMap *map = node->map[i];
		const int side = abut_map_side_of(map, body);
		for (int c = 0; side >= 0 && c < SIDE; c++) {
			H[i * ROW + c] =
			    -abut_map_held_row(map, node->row[i])[abut_map_by_velocity(map) + SIDE * side + c];
			V[c * ROW + i] =
			    -map->at[(SIDE * side + c) * map->stride + abut_map_by_held(map) + node->row[i]];
		}
	}
}

/* Eliminates the node at position k. */
ALWAYS_INLINE bool eliminate(const AbutGradientPart *part, int k, const Node *node)
{
	const AbutBlockPattern *pattern = &part->system.pattern;
	const AbutBlockSystem *system = &part->system.factors;
	double T[MOST][WIDTH], inverse[4][BLOCK];
	own_block(part, k, node, T);
	if (!invert(node, T, inverse)) {
		return false;
	}
	memcpy(own_blocks(part, k), inverse, 2 * sizeof *inverse);
	for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
		const double *upper = abut_block_at(system, abut_block_entry(k, e)), *lower = upper + BLOCK;
		double *X = entry_blocks(part, k, e), *P = X + BLOCK, *Q = P + BLOCK, *H = Q + BLOCK, V[BLOCK];
		held_blocks(node, pattern->body_at[pattern->next[e]], H, V);
		memset(X, 0, 3 * BLOCK * sizeof *X);
		add_block(X, -1.0, inverse[0], upper);
		add_block(X, -1.0, inverse[1], H);
		add_block(P, 1.0, lower, inverse[0]);
		add_block(P, 1.0, V, inverse[2]);
		add_block(Q, 1.0, lower, inverse[1]);
		add_block(Q, 1.0, V, inverse[3]);
	}
	for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
		const double *P = entry_blocks(part, k, e) + BLOCK;
		for (int f = pattern->first[k]; f < pattern->first[k + 1]; f++) {
			const double *H = entry_blocks(part, k, f) + 3 * BLOCK;
			double *target =
			    abut_block(system, pattern->body_at[pattern->next[e]], pattern->body_at[pattern->next[f]]);
			add_block(target, -1.0, P, abut_block_at(system, abut_block_entry(k, f)));
			add_block(target, -1.0, P + BLOCK, H);
		}
	}
	return true;
}

/* Lists the numbers that no node holds, after those of the nodes, and the edge of each number. */
static void list_left(AbutGradientPart *part)
{
	AbutGradientNodes *nodes = &part->system.nodes;
	const int n_own = nodes->first[part->n];
	int n = n_own;
	for (int i = 0; i < part->n_maps; i++) {
		const int k = nodes->position[i];
		for (int held = part->maps[i].held; held < part->maps[i].held + part->maps[i].n_held; held++) {
			bool own = false;
			nodes->map[held] = i;
			for (int at = nodes->first[k]; !own && at < nodes->first[k + 1]; at++) {
				own = nodes->held[at] == held;
			}
			if (!own && !is_void(&part->maps[i], held - part->maps[i].held)) {
				nodes->held[n++] = held;
			}
		}
	}
	nodes->n_left = n - n_own;
}

ABUT_CLONES bool abut_gradient_nodes_factorise(AbutGradientPart *part)
{
	AbutGradientNodes *nodes = &part->system.nodes;
	int n = 0;
	for (int i = 0; i < part->n_maps; i++) {
		nodes->position[i] = first_position(part, &part->maps[i]);
	}
	for (int k = 0; k < part->n; k++) {
		Node node;
		choose(part, k, &node);
		nodes->first[k] = n;
		memcpy(&nodes->held[n], node.held, (size_t)node.n * sizeof(int));
		n += node.n;
		if (!eliminate(part, k, &node)) {
			return false;
		}
	}
	nodes->first[part->n] = n;
	list_left(part);
	return true;
}

/* --- solution --- */

/* target += factor M source or (`transposed`) factor M' source, for a block and six rows of eight columns. */
ALWAYS_INLINE void add(bool transposed, double factor, const double *M, const AbutLanes *source, AbutLanes *target)
{
	AbutLanes sum[SIDE];
	memcpy(sum, target, sizeof sum);
	for (int q = 0; q < SIDE; q++) {
		for (int r = 0; r < SIDE; r++) {
			abut_lanes_add(sum[r], factor * (transposed ? M[q * ROW + r] : M[r * ROW + q]), source[q]);
		}
	}
	memcpy(target, sum, sizeof sum);
}

ALWAYS_INLINE AbutLanes *rows_at(const AbutGradientPart *part, AbutLanes *X, int position)
{
	return &X[SIDE * (size_t)part->system.pattern.body_at[position]];
}

/* Copies the right sides of a node's held numbers. */
ALWAYS_INLINE void get_held(const AbutGradientNodes *nodes, int k, const AbutLanes *held, AbutLanes h[SIDE])
{
	const int first = nodes->first[k], n = nodes->first[k + 1] - first;
	memset(h, 0, SIDE * sizeof *h);
	for (int i = 0; i < n; i++) {
		memcpy(h[i], held[nodes->held[first + i]], sizeof *h);
	}
}

/* Marks the nodes whose right sides may differ from zero before the elimination. */
static void mark_busy(const AbutGradientPart *part, int first, int last)
{
	bool *busy = part->system.nodes.busy;
	const bool all = first == 0 && last == part->n - 1;
	memset(busy, all, (size_t)part->n * sizeof *busy);
	for (int i = first; !all && i <= last; i++) {
		busy[part->system.pattern.position_of[i]] = true;
	}
	for (int i = 0; !all && i < 2 * part->directions.n; i++) {
		const int body = part->directions.at[i / 2].body[i % 2];
		if (body >= 0) {
			busy[part->system.pattern.position_of[body]] = true;
		}
	}
	for (int i = 0; !all && i < part->n_maps; i++) {
		const AbutEdgeMap *map = &part->maps[i];
		for (int s = 0; abut_map_touches(map, first, last) && s < map->n_sides; s++) {
			busy[part->system.pattern.position_of[map->body[s]]] = true;
		}
	}
}

ABUT_CLONES void abut_gradient_nodes_solve(const AbutGradientPart *part, int first, int last)
{
	const AbutBlockPattern *pattern = &part->system.pattern;
	bool *busy = part->system.nodes.busy;
	mark_busy(part, first, last);
	memset(part->lanes.x, 0, SIDE * (size_t)part->n * sizeof *part->lanes.x);
	for (int k = 0; k < part->n; k++) {
		const AbutLanes *b = rows_at(part, part->lanes.right, k);
		AbutLanes h[SIDE];
		if (!busy[k]) {
			continue;
		}
		get_held(&part->system.nodes, k, part->lanes.held_right, h);
		add(false, 1.0, own_blocks(part, k), b, rows_at(part, part->lanes.x, k));
		add(false, 1.0, own_blocks(part, k) + BLOCK, h, rows_at(part, part->lanes.x, k));
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			const double *P = entry_blocks(part, k, e) + BLOCK;
			AbutLanes *to = rows_at(part, part->lanes.right, pattern->next[e]);
			busy[pattern->next[e]] = true;
			add(false, -1.0, P, b, to);
			add(false, -1.0, P + BLOCK, h, to);
		}
	}
	for (int k = part->n - 1; k >= 0; k--) {
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			add(false, 1.0, entry_blocks(part, k, e), rows_at(part, part->lanes.x, pattern->next[e]),
			    rows_at(part, part->lanes.x, k));
		}
	}
}

ABUT_CLONES void abut_gradient_nodes_solve_transposed(const AbutGradientPart *part)
{
	const AbutBlockPattern *pattern = &part->system.pattern;
	const AbutGradientNodes *nodes = &part->system.nodes;
	for (int k = 0; k < part->n; k++) {
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			add(true, 1.0, entry_blocks(part, k, e), rows_at(part, part->lanes.x, k),
			    rows_at(part, part->lanes.x, pattern->next[e]));
		}
	}
	for (int k = part->n - 1; k >= 0; k--) {
		const AbutLanes *x = rows_at(part, part->lanes.x, k);
		AbutLanes b[SIDE], h[SIDE];
		memset(b, 0, sizeof b);
		memset(h, 0, sizeof h);
		add(true, 1.0, own_blocks(part, k), x, b);
		add(true, 1.0, own_blocks(part, k) + BLOCK, x, h);
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			const double *P = entry_blocks(part, k, e) + BLOCK;
			const AbutLanes *of = rows_at(part, part->lanes.right, pattern->next[e]);
			add(true, -1.0, P, of, b);
			add(true, -1.0, P + BLOCK, of, h);
		}
		memcpy(rows_at(part, part->lanes.right, k), b, sizeof b);
		for (int i = nodes->first[k]; i < nodes->first[k + 1]; i++) {
			memcpy(part->lanes.held[nodes->held[i]], h[i - nodes->first[k]], sizeof *h);
		}
	}
}
