/* Solves a step with method bilevel, the baseline of the single-level paper (section V-B; collision problems of DCOL).
 * Momentum balances, contact and friction laws are those of dynamics/contact/contact.h, but the collision problems are
 * not part of the unknowns. They are solved separately, to `kappa`, at every evaluation of the outer problem, and are
 * differentiated by the implicit function theorem.
 *
 * Outer unknowns  y = [v, w of every moving body | psi of every pair],  z = [gamma, friction of every pair]
 * and those of the joints (dynamics/joint/joint.h), which have no inner problem.
 *
 * The elimination of a contact (dynamics/contact/condense.c) begins with its collision problem. If this is solved, the
 * elimination is the implicit function theorem, so the code of the single-level method is reused. */
#pragma once

#include "dynamics/island/island.h"
#include "dynamics/pairs/islands.h"

/* Creates the outer problem in island->method, for islands of at most `size`, and sets island->solver. */
AbutStatus abut_bilevel_create(const AbutModel *model, const AbutIslandSize *size, AbutIsland *island);
/* Destroys the outer problem. */
void abut_bilevel_destroy(AbutIsland *island);
