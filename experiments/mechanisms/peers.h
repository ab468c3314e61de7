/* Rows of other engines, measured by this project on the same kinds of mechanisms. */
#pragma once

/* A value at 1, 2, 5, 10 and 20 ms. */
enum { PEER_TIMESTEPS = 5 };
typedef struct PeerRow {
	const char *mechanism, *engine;
	const char *quantity;          /* "energy" (of the swing) or "opening_mm" */
	double values[PEER_TIMESTEPS]; /* NaN: not measured; INFINITY: diverged */
} PeerRow;

extern const double abut_peer_timesteps[PEER_TIMESTEPS];
extern const PeerRow abut_peer_rows[];
extern const int abut_peer_row_count;
