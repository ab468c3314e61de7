/* The bilevel path (the single-level paper's section V-B, its baseline; DCOL). Momentum balances, contact and friction
 * laws are those of dynamics/contact/contact.h, but the collision problems are not among the unknowns. They are solved
 * separately, to `kappa`, whenever the outer problem is evaluated, and differentiated by the implicit function theorem.
 *
 * Outer unknowns  y = [v, w of every moving body | psi of every pair],  z = [gamma, friction of every pair]
 *
 * A contact's elimination (dynamics/contact/condense.c) begins with its collision problem; once that is solved, the
 * elimination is the theorem. */
#ifndef DYNAMICS_METHODS_BILEVEL_BILEVEL_H
#define DYNAMICS_METHODS_BILEVEL_BILEVEL_H

#include "dynamics/island/island.h"
#include "dynamics/pairs/islands.h"

/* Creates the outer problem of islands up to a size in island->method, and sets island->solver. */
AbutStatus abut_bilevel_create(const AbutModel *model, const AbutIslandSize *size, AbutIsland *island);
/* Destroys the outer problem. */
void abut_bilevel_destroy(AbutIsland *island);

#endif
