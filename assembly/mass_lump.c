/* assembly/mass_lump.c - the mass of every element shared between its nodes as the diagonal of its matrix
 * says
 *
 *     d_a += M_aa^e m_e / sum_b M_bb^e,   m_e = sum_ab M_ab^e
 *
 * Element matrices of one direction come from the backend chunk by chunk; the sums are made on the host,
 * element after element. */
#include "assembly/mass_batches.h"
#include "base/memory.h"

/* Elements of a chunk: Ke[n][nen][nen], node[n][nen]. */
static void share(const bf_numbering *num, bf_int n, int nen, const bf_int *node, const double *Ke, double *d)
{
  for (size_t e = 0; e < (size_t)n; e++) {
    const double *M    = Ke + e * (size_t)(nen * nen);
    double        mass = 0.0, trace = 0.0;
    for (int k = 0; k < nen * nen; k++) mass += M[k];
    for (int a = 0; a < nen; a++) trace += M[a * (nen + 1)];
    for (int a = 0; a < nen; a++)
      d[num->row[node[e * (size_t)nen + (size_t)a]]] += M[a * (nen + 1)] * mass / trace;
  }
}

static bf_err lump_batch(const bf_numbering *num, bf_backend *be, const bf_model_batch *B, double *d)
{
  bf_err                  err   = BF_OK;
  const bf_element_batch *E     = &B->E;
  const size_t            bytes = (size_t)(E->nen * E->nen) * sizeof(double);
  void                   *Ke    = NULL;
  double                 *host  = NULL;
  bf_int                  chunk;
  if (E->ne == 0) return BF_OK;
  BF_GO(bf_batch_chunk(be, E, bytes, &chunk));
  const size_t most = ((size_t)BF_CHUNK_MIB_HOST << 20) / bytes; /* it comes to the host too */
  if ((size_t)chunk > most) chunk = (bf_int)most;
  BF_GO(be->ops.alloc(be, (size_t)chunk * bytes, &Ke));
  BF_GO(BF_NEW_ARRAY(host, (size_t)chunk * (size_t)(E->nen * E->nen)));
  for (bf_int e0 = 0; e0 < E->ne; e0 += chunk) {
    const bf_int n = E->ne - e0 < chunk ? E->ne - e0 : chunk;
    BF_GO(BF_OP(be, element_matrix, E, e0, e0 + n, Ke));
    BF_GO(be->ops.copy(be, host, Ke, (size_t)n * bytes, BF_TO_HOST));
    BF_GO(be->ops.sync(be));
    share(num, n, E->nen, B->node + (size_t)e0 * (size_t)E->nen, host, d);
    if (e0 + n == E->ne) break;
  }
done:
  be->ops.release(be, Ke);
  bf_host_free(host);
  return err;
}

bf_err bf_mass_lump(const bf_model *m, const bf_numbering *num, bf_backend *be, double *d, bf_phases *phases)
{
  bf_err      err = BF_OK;
  bf_batches *bs  = NULL;
  BF_GO(bf_mass_batches_create(m, num, be, 1, phases, &bs));
  for (int i = 0; i < bs->n; i++) BF_GO(lump_batch(num, be, &bs->batch[i], d));
done:
  bf_batches_destroy(&bs);
  return err;
}
