/* Holds the figures of MuJoCo 3.12.1, DART 6.12.1 and Bullet 3.24 multibody (32-bit floats), each one trajectory of 10
 * s measured by this project with these engines (November 2026). Energy: max |E - E0| over the sum of m g |r|. Opening:
 * the largest gap of a loop. */
#include "experiments/mechanisms/peers.h"

#include <math.h>

const double abut_peer_timesteps[PEER_TIMESTEPS] = {0.001, 0.002, 0.005, 0.01, 0.02};

const PeerRow abut_peer_rows[] = {{"chain5", "MuJoCo Euler", "energy", {0.50, 0.61, 0.61, INFINITY, INFINITY}},
                                  {"chain5", "MuJoCo RK4", "energy", {9e-6, 9e-4, 2.5e-2, 0.22, 0.72}},
                                  {"chain5", "DART", "energy", {0.41, 0.48, 0.66, NAN, NAN}},
                                  {"chain5", "Bullet", "energy", {0.57, 0.61, 0.86, INFINITY, INFINITY}},
                                  {"chain20", "MuJoCo Euler", "energy", {0.42, INFINITY, INFINITY, INFINITY, INFINITY}},
                                  {"chain20", "MuJoCo RK4", "energy", {1.9e-3, 1.2e-2, INFINITY, INFINITY, INFINITY}},
                                  {"four-bar", "MuJoCo Euler", "opening_mm", {0.84, 1.7, 5.0, 30.0, 248.0}},
                                  {"four-bar", "MuJoCo stiff", "opening_mm", {0.20, 0.40, 2.4, 53.0, 133.0}},
                                  {"four-bar", "DART", "opening_mm", {1.2, 2.9, 11.0, 38.0, 128.0}},
                                  {"four-bar", "Bullet", "opening_mm", {0.12, 0.49, 2.8, 9.5, 27.0}},
                                  {"ring20", "MuJoCo Euler", "opening_mm", {1.8, 3.1, 7.8, INFINITY, INFINITY}}};
const int abut_peer_row_count = sizeof abut_peer_rows / sizeof *abut_peer_rows;
