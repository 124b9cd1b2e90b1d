/* assembly/condense.h - inside assembly/: element matrices without the unknowns in the middle of the element
 */
#ifndef BF_CONDENSE_H
#define BF_CONDENSE_H
#include "assembly/model_internal.h"

typedef struct bf_condenser {            /* memory of one batch */
  void   *S, *g, *inverse, *info, *work; /* owned backend memory of a chunk: bf_schur, bf_inverse_batch */
  bf_int *host_info;                     /* owned */
} bf_condenser;

/* Bytes of an element in a chunk, beside its matrix. */
size_t bf_condense_bytes(const bf_element_batch *E);
bf_err bf_condense_create(bf_backend *be, const bf_element_batch *E, bf_int chunk, bf_condenser *s);
void   bf_condense_release(bf_backend *be, bf_condenser *s);

/* Ke of elements e0 .. e1-1 (used up) -> s->S[..][nb][nb], and what their loads add to the other nodes,
 * s->g[..][nb]; keeps m->inverse.  nrows: of the condensed numbering; f: backend, loads of the rows behind
 * these.  BF_E_MODEL naming an element whose inner node has no stiffness. */
bf_err bf_condense_chunk(bf_model *m, bf_backend *be, const bf_model_batch *B, bf_int e0, bf_int e1,
                         bf_int nrows, double *Ke, const double *f, bf_condenser *s);
#endif
