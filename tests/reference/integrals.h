/* tests/reference/integrals.h - element integrals written out as the books write them: B as a full matrix,
 * long double, J inverted by elimination, surfaces by the cross product
 *
 * A t_batch is an element batch in host memory with everything it points to; t_batch_on makes the backend's
 * copy.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef T_INTEGRALS_H
#define T_INTEGRALS_H
#include "kernels/backend.h"
#include "tests/test.h"

typedef struct t_batch {
  bf_element_batch E; /* host pointers, all owned */
  bf_int           nrows;
  int              nmat;
} t_batch;

/* Elements with the real shape functions of line2, quad4 or hex8 (nen = 2, 4, 8; 2 points a direction), or,
 * for any other nen, with invented smooth ones; rdim of the reference element in space of sdim.  Coordinates,
 * nodes, symmetric positive C, factors and materials are random, Jacobians well away from singular. */
t_batch t_batch_random(bf_form form, int nen, int rdim, int sdim, int ncomp, bf_int ne, uint64_t *seed);
/* The same in bodies of revolution: sdim = 2, every radius positive. */
t_batch t_batch_revolved(bf_form form, int nen, int rdim, int ncomp, bf_int ne, uint64_t *seed);
/* quad4 or hex8 of the strain form with the incompatible modes 1 - xi_i^2. */
t_batch t_batch_with_modes(int rdim, bf_int ne, uint64_t *seed);
/* One element: reference square or cube of edge 2 (line2, quad4, hex8), mapped by x = A xi + c. */
t_batch t_batch_affine(bf_form form, int rdim, int sdim, int ncomp, const double A[3][3]);
void    t_batch_free(t_batch *b);

/* The same batch in backend memory; release with t_batch_off. */
bf_element_batch t_batch_on(bf_backend *be, const t_batch *b);
void             t_batch_off(bf_backend *be, bf_element_batch *E);

/* K[nd][nd], fe[nd] of element e, from the definitions of elements.h */
void   t_element_matrix(const bf_element_batch *E, bf_int e, double *K);
void   t_element_source(const bf_element_batch *E, bf_int e, const bf_element_source *f, double *fe);
void   t_element_stress(const bf_element_batch *E, bf_int e, const bf_element_source *s, double *fe);
double t_element_measure(const bf_element_batch *E,
                         bf_int                  e); /* scale * volume, area or length (once round) */
#endif
