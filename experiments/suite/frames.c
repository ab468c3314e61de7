/* Draws bodies as shaded polygons. */
#include "experiments/suite/frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/vec3.h"

enum { CORNERS = 4, MOST_RING = 128, AROUND = 16, BANDS = 9, N_COLOURS = 6 };

static const double degree = 0.017453292519943295;

typedef struct Polygon {
	double depth; /* distance of its middle towards the eye, m */
	int colour;   /* 0xRRGGBB */
	bool outlined;
	int n;
	double corners[CORNERS][2]; /* picture coordinates, in half heights */
} Polygon;

typedef struct Drawing {
	double right[3], up[3], eye[3]; /* unit, world */
	const AbutView *view;
	Polygon *polygons;
	int n, room;
	bool failed; /* out of memory */
} Drawing;

/* A part of a body at its pose. */
typedef struct Placed {
	const AbutShape *shape;
	double R[9], x[3]; /* body to world: rotation, position (m) */
	int colour;
} Placed;

static void look(const AbutView *view, Drawing *out)
{
	const double c = cos(view->turn * degree), s = sin(view->turn * degree);
	const double level = cos(view->rise * degree), rise = sin(view->rise * degree);
	*out = (Drawing){.right = {c, s, 0.0}, .eye = {s * level, -c * level, rise}, .view = view};
	abut_cross3(out->eye, out->right, out->up);
}

static void project(const Drawing *drawing, const double p[3], double out[2])
{
	double from[3];
	abut_sub3(p, drawing->view->centre, from);
	abut_divide3(from, drawing->view->half, from);
	out[0] = abut_dot3(drawing->right, from);
	out[1] = abut_dot3(drawing->up, from);
}

static void add(Drawing *drawing, const Polygon *polygon)
{
	if (!abut_grow(&drawing->polygons, &drawing->room, drawing->n + 1, sizeof *polygon)) {
		drawing->failed = true;
		return;
	}
	drawing->polygons[drawing->n++] = *polygon;
}

/* Shades a colour by Lambert's law, with a light above and to the left of the eye. */
static int shade(const Drawing *drawing, int colour, const double normal[3])
{
	const double light = 0.62 * abut_dot3(normal, drawing->up) + 0.66 * abut_dot3(normal, drawing->eye) -
	                     0.42 * abut_dot3(normal, drawing->right);
	const double share = 0.5 + 0.5 * fmax(0.0, fmin(light, 1.0));
	int out = 0;
	for (int byte = 16; byte >= 0; byte -= 8) {
		out = out << 8 | (int)(share * (double)(colour >> byte & 255));
	}
	return out;
}

/* Adds a flat polygon (world) if its outer side, to which `outward` points, faces the eye. */
static void add_flat(Drawing *drawing, int colour, bool outlined, int n, double points[][3], const double outward[3])
{
	Polygon polygon = {.n = n, .outlined = outlined};
	const double *a = points[0], *b = points[1], *c = points[2], *d = points[n - 1];
	double across[3], along[3], normal[3];
	abut_sub3(c, a, across);
	abut_sub3(d, b, along);
	if (n == 3) {
		memcpy(along, (const double[]){b[0] - a[0], b[1] - a[1], b[2] - a[2]}, sizeof along);
	}
	abut_cross3(across, along, normal);
	const double area = abut_norm3(normal), sign = abut_dot3(normal, outward) < 0.0 ? -1.0 : 1.0;
	if (!(area > 1e-9 * drawing->view->half * drawing->view->half)) {
		return;
	}
	abut_scale3(sign / area, normal, normal);
	if (abut_dot3(normal, drawing->eye) <= 0.0) {
		return;
	}
	polygon.colour = shade(drawing, colour, normal);
	for (int i = 0; i < n; i++) {
		project(drawing, points[i], polygon.corners[i]);
		polygon.depth += abut_dot3(points[i], drawing->eye) / (double)n;
	}
	add(drawing, &polygon);
}

static void to_world(const Placed *part, const double p[3], double out[3])
{
	abut_mat3_vec(part->R, p, out);
	abut_add3(out, part->x, out);
}

/* --- polytopes: their facets --- */

typedef struct Corner {
	double point[3], angle;
} Corner;

static int by_angle(const void *a, const void *b)
{
	const double x = ((const Corner *)a)->angle, y = ((const Corner *)b)->angle;
	return (x > y) - (x < y);
}

/* Computes vertex i in the body frame. */
static void vertex(const AbutShape *shape, int i, double out[3])
{
	double own[3];
	for (int k = 0; k < 3; k++) {
		own[k] = shape->kind == ABUT_SHAPE_BOX ? shape->size[k] * (i >> k & 1 ? 1.0 : -1.0)
		                                       : shape->vertices[3 * i + k];
	}
	abut_mat3_vec(shape->rotation, own, out);
	abut_add3(out, shape->position, out);
}

/* Finds the vertices of the facet of a row, in order around it. */
static int facet_ring(const AbutShape *shape, int row, Corner ring[MOST_RING])
{
	const int vertices = shape->kind == ABUT_SHAPE_BOX ? 8 : shape->n_vertices;
	const double *normal = &shape->A[3 * row], bound = shape->h[row] + shape->d[row];
	double middle[3] = {0.0, 0.0, 0.0}, first[3], second[3];
	int n = 0;
	for (int i = 0; i < vertices && n < MOST_RING; i++) {
		vertex(shape, i, ring[n].point);
		if (fabs(bound - abut_dot3(normal, ring[n].point)) < 1e-6 * shape->outer_radius) {
			abut_add3(middle, ring[n].point, middle);
			n++;
		}
	}
	for (int i = 0; i < n; i++) {
		double from[3];
		for (int k = 0; k < 3; k++) {
			from[k] = ring[i].point[k] - middle[k] / (double)n;
		}
		if (i == 0) {
			memcpy(first, from, sizeof first);
			abut_cross3(normal, first, second);
		}
		ring[i].angle = atan2(abut_dot3(second, from), abut_dot3(first, from));
	}
	qsort(ring, (size_t)n, sizeof *ring, by_angle);
	return n;
}

/* Adds the facets. A facet with more than four corners is added in pieces of four, without outlines. */
static void add_facets(Drawing *drawing, const Placed *part)
{
	const AbutShape *shape = part->shape;
	Corner ring[MOST_RING];
	for (int row = 0; row < shape->n_orthant; row++) {
		const int n = facet_ring(shape, row, ring);
		double outward[3];
		abut_mat3_vec(part->R, &shape->A[3 * row], outward);
		for (int i = 0; i + 2 < n; i += 2) {
			double points[CORNERS][3];
			const int corners = i + 3 < n ? 4 : 3;
			to_world(part, ring[0].point, points[0]);
			for (int k = 1; k < corners; k++) {
				to_world(part, ring[i + k].point, points[k]);
			}
			add_flat(drawing, part->colour, n <= CORNERS, corners, points, outward);
		}
	}
}

/* --- everything else: patches between furthest points --- */

/* Computes the direction (band, around) of the part, and the point of the part furthest along it, both in the world. */
static void furthest(const Placed *part, int band, int around, double direction[3], double point[3])
{
	const double rise = degree * (band == 0 ? -90.0 : band == BANDS ? 90.0 : -70.0 + 20.0 * (band - 1));
	const double turn = 360.0 * degree * around / AROUND;
	/* Exactly zero at the poles; otherwise, rounding would put a disc's furthest point on its rim. */
	const double level = band == 0 || band == BANDS ? 0.0 : cos(rise);
	const double own[3] = {level * cos(turn), level * sin(turn), sin(rise)};
	double body[3], reached[3];
	abut_mat3_vec(part->shape->rotation, own, body);
	abut_shape_support(part->shape, body, reached);
	abut_mat3_vec(part->R, body, direction);
	to_world(part, reached, point);
}

static void add_patches(Drawing *drawing, const Placed *part)
{
	for (int band = 0; band < BANDS; band++) {
		for (int around = 0; around < AROUND; around++) {
			double points[CORNERS][3], direction[3], outward[3] = {0.0, 0.0, 0.0};
			for (int k = 0; k < CORNERS; k++) {
				furthest(part, band + (k >= 2), around + (k == 1 || k == 2), direction, points[k]);
				abut_add3(outward, direction, outward);
			}
			add_flat(drawing, part->colour, false, CORNERS, points, outward);
		}
	}
}

/* --- the whole --- */

/* Adds a halfspace as a floor that is drawn before everything else. It reaches 40 half heights of the picture in each
 * direction; Away from the eye it ends `view->behind` beyond the middle of the picture, if `behind` is set. */
static void add_floor(Drawing *drawing, const Placed *part)
{
	const AbutView *view = drawing->view;
	const double *normal = part->shape->A, reach = 40.0 * view->half;
	const double behind = view->behind > 0.0 ? view->behind : reach;
	double up[3], points[CORNERS][3], side[3], away[3];
	abut_mat3_vec(part->R, normal, up);
	abut_cross3(up, drawing->right, away);
	const double length = abut_norm3(away);
	if (length < 1e-9) {
		return; /* a wall along the line of sight */
	}
	abut_divide3(away, length, away);
	abut_cross3(away, up, side);
	const double height = part->shape->h[0] - abut_dot3(up, view->centre) + abut_dot3(up, part->x);
	for (int k = 0; k < CORNERS; k++) {
		const double s = k == 0 || k == 3 ? -reach : reach, t = k < 2 ? -reach : behind;
		for (int i = 0; i < 3; i++) {
			points[k][i] = view->centre[i] + height * up[i] + s * side[i] + t * away[i];
		}
	}
	const int before = drawing->n;
	add_flat(drawing, part->colour, false, CORNERS, points, up);
	if (drawing->n > before) {
		drawing->polygons[before].depth = -INFINITY;
	}
}

static void add_part(Drawing *drawing, const Placed *part)
{
	if (part->shape->kind == ABUT_SHAPE_HALFSPACE) {
		add_floor(drawing, part);
	} else if (part->shape->kind == ABUT_SHAPE_BOX || part->shape->kind == ABUT_SHAPE_POLYTOPE) {
		add_facets(drawing, part);
	} else {
		add_patches(drawing, part);
	}
}

static int from_far_to_near(const void *a, const void *b)
{
	const double x = ((const Polygon *)a)->depth, y = ((const Polygon *)b)->depth;
	return (x > y) - (x < y);
}

static void write_polygon(const Polygon *polygon, const AbutFrame *frame, AbutTable *table)
{
	abut_table_number(table, frame->panel);
	abut_table_text(table, frame->label);
	ABUT_NUMBERS(table, polygon->colour, polygon->outlined, polygon->n);
	for (int i = 0; i < CORNERS; i++) {
		abut_table_numbers(table, 2, polygon->corners[i < polygon->n ? i : polygon->n - 1]);
	}
}

/* The least impulse drawn as a dot, relative to the largest. A relaxed step leaves small impulses on open contacts. */
static const double worth_a_dot = 1e-6;

static double largest_impulse(const AbutFrame *frame, int n)
{
	double largest = 0.0;
	for (int i = 0; i < n; i++) {
		AbutContact contact;
		abut_contact_get(frame->model, frame->workspace, i, &contact);
		largest = fmax(largest, contact.normal_impulse);
	}
	return largest;
}

static void write_dots(const Drawing *drawing, const AbutFrame *frame, AbutTable *table)
{
	const int n = frame->workspace ? abut_contact_count(frame->workspace) : 0;
	const double least = worth_a_dot * largest_impulse(frame, n);
	for (int i = 0; i < n; i++) {
		AbutContact contact;
		Polygon dot = {.n = 1};
		abut_contact_get(frame->model, frame->workspace, i, &contact);
		if (contact.normal_impulse > least) {
			project(drawing, contact.point, dot.corners[0]);
			write_polygon(&dot, frame, table);
		}
	}
}

AbutTable *abut_frames_table(AbutReport *report, const char *name, const char *title)
{
	static const AbutColumn columns[] = {
	    {"panel", "panel", 3},     {"label", "label", 0}, {"colour", "colour", 8}, {"outlined", "outlined", 1},
	    {"corners", "corners", 1}, {"x1", "x1", 6},       {"y1", "y1", 6},         {"x2", "x2", 6},
	    {"y2", "y2", 6},           {"x3", "x3", 6},       {"y3", "y3", 6},         {"x4", "x4", 6},
	    {"y4", "y4", 6},
	};
	return ABUT_DATA(report, name, title, columns);
}

AbutStatus abut_frames_add(const AbutFrame *frame, const AbutView *view, AbutTable *table, AbutError *error)
{
	static const int colours[N_COLOURS] = {0x6f9fd0, 0xf08a96, 0x5fae6e, 0xe0cf6a, 0x8adcf2, 0xc56aa6};
	Drawing drawing;
	int moving = 0;
	look(view, &drawing);
	for (int b = 0; b < frame->def->n_bodies; b++) {
		const AbutBodyDef *body = &frame->def->bodies[b];
		Placed part = {.colour = body->is_static ? 0xd9dde3 : colours[moving % N_COLOURS]};
		AbutBodyState state;
		moving += !body->is_static;
		abut_state_get_body(frame->model, frame->state, b, &state);
		abut_quat_to_mat3(state.orientation, part.R);
		memcpy(part.x, state.position, sizeof part.x);
		for (int i = 0; i < body->n_parts; i++) {
			part.shape = body->parts[i];
			add_part(&drawing, &part);
		}
	}
	if (drawing.n > 0) {
		qsort(drawing.polygons, (size_t)drawing.n, sizeof *drawing.polygons, from_far_to_near);
	}
	for (int i = 0; i < drawing.n; i++) {
		write_polygon(&drawing.polygons[i], frame, table);
	}
	write_dots(&drawing, frame, table);
	free(drawing.polygons);
	return drawing.failed ? abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a picture") : ABUT_OK;
}

void abut_frames_figure(AbutReport *report, const char *name, int panels, int columns, int size, const char *caption)
{
	const int across = panels < columns ? panels : columns, rows = (panels + columns - 1) / columns;
	abut_report_common_figure(report, name, "frames", size * across, (size + 26) * rows, caption);
}
