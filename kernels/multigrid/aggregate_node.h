/* kernels/multigrid/aggregate_node.h - steps of one node or one aggregate of smoothed aggregation: one
 * source, compiled for both backends
 *
 * Results that decide integers (strengths and what compares with them) are rounded the same way on both:
 * products and sums without contraction.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MULTIGRID_AGGREGATE_NODE_H
#define BF_KERNELS_MULTIGRID_AGGREGATE_NODE_H
#include "kernels/multigrid/aggregates.h"
#include "kernels/multigrid/hash_noise.h"

#ifdef __CUDA_ARCH__
#define BF_MG_MULTIPLY(x, y) __dmul_rn((x), (y))
#define BF_MG_ADD(x, y)      __dadd_rn((x), (y))
#else
#define BF_MG_MULTIPLY(x, y) ((x) * (y))
#define BF_MG_ADD(x, y)      ((x) + (y))
#endif

/* Frobenius norm of a block D x D; the same of its transpose, bit for bit. */
static inline BF_HD double bf_mg_norm(int D, const double *v)
{
  double sum = 0.0;
  for (int a = 0; a < D; a++) sum = BF_MG_ADD(sum, BF_MG_MULTIPLY(v[a * D + a], v[a * D + a]));
  for (int a = 0; a < D; a++)
    for (int b = a + 1; b < D; b++) {
      const double x = v[a * D + b], y = v[b * D + a];
      sum = BF_MG_ADD(sum, BF_MG_ADD(BF_MG_MULTIPLY(x, x), BF_MG_MULTIPLY(y, y)));
    }
  return sqrt(sum);
}

static inline BF_HD double bf_mg_diagonal_norm(const bf_block_rows *A, bf_int i)
{
  const int D = A->form.br;
  for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++)
    if (A->col[k] == i) return bf_mg_norm(D, (const double *)A->val + k * D * D);
  return 0.0;
}

/* s_ij of a norm and the norms of both diagonal blocks. */
static inline BF_HD float bf_mg_strength(double norm, double di, double dj)
{
  const double p = BF_MG_MULTIPLY(di, dj);
  return (float)(norm / sqrt(p > 1e-300 ? p : 1e-300));
}

static inline BF_HD int bf_mg_is_strong(float s, double theta)
{
  return s > 0.0F && (double)s >= theta;
}

/* Diagonal entry of F: weak couplings are not added where they would leave less than a tenth of it. */
static inline BF_HD double bf_mg_lumped(double d, double weak)
{
  return d + weak > 0.1 * d ? d + weak : d;
}

/* ---- MIS-2 ---- */
enum { BF_MG_OUT = 0, BF_MG_UNDECIDED = 1, BF_MG_ROOT = 2 };

/* State, then 31 bits of the hash, then the number: no two are equal. */
static inline BF_HD uint64_t bf_mg_key(int state, bf_int i)
{
  const uint64_t hash = bf_mix64((uint64_t)i) >> 33;
  return state == BF_MG_OUT ? 0 : (uint64_t)state << 62 | hash << 31 | (uint64_t)i;
}

/* Largest key of a node and its strong neighbours. */
static inline BF_HD uint64_t bf_mg_largest(const bf_mg_graph *G, bf_int i, const uint64_t *key)
{
  uint64_t most = key[i];
  for (int64_t k = G->ptr[i]; k < G->ptr[i + 1]; k++) {
    const uint64_t other = key[G->col[k]];
    most                 = other > most ? other : most;
  }
  return most;
}

/* State of a node from its key and the largest one at distance two. */
static inline BF_HD int bf_mg_decide(uint64_t own, uint64_t largest)
{
  const int state = (int)(own >> 62);
  if (state != BF_MG_UNDECIDED) return state;
  if (own == largest) return BF_MG_ROOT;
  return (int)(largest >> 62) == BF_MG_ROOT ? BF_MG_OUT : BF_MG_UNDECIDED;
}

/* Aggregate of a node that has none: that of its strongest neighbour, the smaller one of equals; or -1. */
static inline BF_HD bf_int bf_mg_join(const bf_mg_graph *G, bf_int i, const bf_int *aggregate)
{
  float  best = 0.0F;
  bf_int to   = -1;
  for (int64_t k = G->ptr[i]; k < G->ptr[i + 1]; k++) {
    const bf_int a = aggregate[G->col[k]];
    const float  s = G->strength[k];
    if (a >= 0 && (s > best || (s == best && to >= 0 && a < to))) {
      best = s;
      to   = a;
    }
  }
  return to;
}

/* ---- tentative prolongator ---- */
/* Modes that are made orthogonal to the first `leading` ones before they are compared: rotations to
 * translations, so that small aggregates far from the centre keep them. */
static inline BF_HD int bf_mg_leading(int nq)
{
  return nq == 6 ? 3 : nq == 3 ? 2 : 0;
}

/* Block (i, j) of T, or -1. */
static inline BF_HD int64_t bf_mg_own_block(const int64_t *ptr, const bf_int *col, int64_t i, bf_int j)
{
  int64_t lo = ptr[i], hi = ptr[i + 1];
  while (lo < hi) {
    const int64_t mid = lo + (hi - lo) / 2;
    if (col[mid] < j)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < ptr[i + 1] && col[lo] == j ? lo : -1;
}

/* Value of mode j in row r, 0 on fixed unknowns. */
static inline BF_HD double bf_mg_mode(const bf_mg_basis *B, int j, int64_t r)
{
  if (B->fixed && B->fixed[r]) return 0.0;
  return B->modes ? B->modes[(int64_t)j * B->n * B->ncomp + r] : r % B->ncomp == j ? 1.0 : 0.0;
}

/* Entry (j, l) of the Gram matrix of aggregate a. */
static inline BF_HD double bf_mg_gram_entry(const bf_mg_basis *B, bf_int a, int j, int l)
{
  double sum = 0.0;
  for (int64_t m = B->ptr[a]; m < B->ptr[a + 1]; m++)
    for (int c = 0; c < B->ncomp; c++) {
      const int64_t r = (int64_t)B->node[m] * B->ncomp + c;
      sum += bf_mg_mode(B, j, r) * bf_mg_mode(B, l, r);
    }
  return sum;
}

/* Share of leading mode t in mode j. */
static inline BF_HD double bf_mg_share(int nq, const double *gram, int t, int j)
{
  const int leading = bf_mg_leading(nq);
  if (t >= leading || j < leading) return t == j ? 1.0 : 0.0;
  return gram[t * nq + t] > 0.0 ? gram[j * nq + t] / gram[t * nq + t] : 0.0;
}

/* Entry (j, l) of the Gram matrix of the modes less their shares of the leading ones. */
static inline BF_HD double bf_mg_rest(int nq, const double *gram, int j, int l)
{
  const int leading = bf_mg_leading(nq);
  double    v       = gram[l * nq + j];
  for (int t = 0; t < leading && l >= leading; t++) v -= bf_mg_share(nq, gram, t, l) * gram[t * nq + j];
  for (int t = 0; t < leading && j >= leading; t++) {
    double w = gram[l * nq + t];
    for (int u = 0; u < leading && l >= leading; u++) w -= bf_mg_share(nq, gram, u, l) * gram[u * nq + t];
    v -= bf_mg_share(nq, gram, t, j) * w;
  }
  return v;
}

/* Length of mode j less its shares; 0 where it vanishes beside the largest mode. */
static inline BF_HD double bf_mg_length(int nq, const double *gram, int j)
{
  double most = 0.0;
  for (int t = 0; t < nq; t++) most = gram[t * nq + t] > most ? gram[t * nq + t] : most;
  const double square = bf_mg_rest(nq, gram, j, j);
  return square > 1e-12 * most ? sqrt(square) : 0.0;
}

/* scaled(j, l): unit diagonal, 0 where a mode vanishes. */
static inline BF_HD double bf_mg_scaled(int nq, const double *gram, int j, int l)
{
  const double x = bf_mg_length(nq, gram, j), y = bf_mg_length(nq, gram, l);
  if (!(x > 0.0 && y > 0.0)) return 0.0;
  return j == l ? 1.0 : bf_mg_rest(nq, gram, j, l) / (x * y);
}

#define BF_MG_RANK 1e-6 /* eigenvalues of the scaled Gram matrix below are dropped */

/* Column e of M: mode j enters combination e with M(j, e). */
static inline BF_HD double bf_mg_combine(int nq, const double *gram, const double *vectors,
                                         const double *values, int j, int e)
{
  const int leading = bf_mg_leading(nq);
  double    sum     = 0.0;
  if (!(values[e] > BF_MG_RANK)) return 0.0;
  for (int l = 0; l < nq; l++) { /* mode l less its shares: of mode j -share, of itself 1 */
    const double length = bf_mg_length(nq, gram, l);
    if (!(length > 0.0)) continue;
    const double w = vectors[e * nq + l] / length;
    if (l == j) sum += w;
    if (l != j && l >= leading && j < leading) sum -= bf_mg_share(nq, gram, j, l) * w;
  }
  return sum / sqrt(values[e]);
}

/* Share of combination e in mode j: modes = T R. */
static inline BF_HD double bf_mg_coarse_mode(int nq, const double *gram, const double *vectors,
                                             const double *values, int e, int j)
{
  const int leading = bf_mg_leading(nq);
  double    sum     = 0.0;
  if (!(values[e] > BF_MG_RANK)) return 0.0;
  for (int l = 0; l < nq; l++) {
    const double length = bf_mg_length(nq, gram, l);
    if (l == j) sum += vectors[e * nq + l] * length;
    if (l != j && l < leading && j >= leading)
      sum += vectors[e * nq + l] * length * bf_mg_share(nq, gram, l, j);
  }
  return sum * sqrt(values[e]);
}
#endif
