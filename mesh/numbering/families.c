/* mesh/numbering/families.c - rows for the nodes of quadratic elements, a segment of rows for each family
 *
 *     row = position of the owner + a constant of the family
 *
 * The owner of a node between vertices is the corner of its edge, face or element at the smallest position;
 * its family is given by which of the three it is, and by the last corner relative to the owner: the
 * difference of positions or, if levels are known and the lattice has more than one block, the difference of
 * levels and whether the second corner is at the next position.  In a structured block all offsets between
 * two families are then constant, so each segment of rows has its own full table.  A segment goes from the
 * family's first owner to its last, rounded up to 128 rows; slots without a node are phantom rows.  A family
 * of fewer nodes than 5 % of the vertices gets no segment; its nodes, and the second of two nodes that ask
 * for one row, are appended without holes by (smaller, larger) end.  Blocks numbered one by one have their
 * families each, one block's after the other's; an edge between two blocks is appended.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/numbering/band_cost.h"
#include "mesh/numbering/quadratic.h"
#include "mesh/numbering/vertex_mesh.h"
#include <string.h>

typedef struct maker {
  const bf_vmesh *v;
  const bf_int   *level; /* or NULL */
  bf_int          npos;  /* positions */
  bf_mid         *at;    /* owned [nused] */
  bf_int         *of;    /* owned [keys]: count of a key, then its family or -1; 0 between blocks */
  bf_int         *rest;  /* owned [nused] */
  bf_int          nrest;
} maker;

static inline int64_t key_of(const maker *M, bf_mid a)
{
  const bf_int up = M->level ? M->level[a.hi] - M->level[a.lo] : a.hi - a.lo;
  return (int64_t)BF_MID_KINDS * (up < 0 ? -up : up) + (M->level ? a.kind : a.kind % 3);
}

/* sorted[n] = from[n], stably by lo or by hi; count[npos + 1]. */
static void sort_by(const maker *M, int lo, const bf_int *from, bf_int n, bf_int *sorted, bf_int *count)
{
  for (bf_int k = 0; k <= M->npos; k++) count[k] = 0;
  for (bf_int i = 0; i < n; i++) count[(lo ? M->at[from[i]].lo : M->at[from[i]].hi) + 1]++;
  for (bf_int k = 0; k < M->npos; k++) count[k + 1] += count[k];
  for (bf_int i = 0; i < n; i++) sorted[count[lo ? M->at[from[i]].lo : M->at[from[i]].hi]++] = from[i];
}

/* The family of a node inside the block that ends at hi: 0 = vertices, -1 = none.  Once of[] contains them.
 */
static inline bf_int family_of(const maker *M, bf_mid a, bf_int hi)
{
  return a.lo == a.hi ? 0 : a.hi >= hi ? -1 : -M->of[key_of(M, a)] - 1;
}

/* of[key] = -1 - family, families 1, 2, ... in ascending order of the keys; 0 for keys of few nodes.  Returns
 * the number of families, the vertices included. */
static bf_int choose(maker *M, bf_int hi, bf_int ld, const bf_int *node, bf_int n)
{
  int64_t key[BF_FAMILIES_MAX];
  bf_int  nkeys = 0;
  for (bf_int i = 0; i < n; i++) {
    const bf_mid a = M->at[node[i]];
    if (a.lo != a.hi && a.hi < hi) M->of[key_of(M, a)]++;
  }
  for (bf_int i = 0; i < n; i++) {
    const bf_mid a = M->at[node[i]];
    if (a.lo == a.hi || a.hi >= hi) continue;
    const int64_t k = key_of(M, a);
    if ((int64_t)M->of[k] * 20 >= ld && nkeys < BF_FAMILIES_MAX - 1) {
      bf_int j = nkeys++;
      for (; j > 0 && key[j - 1] > k; j--) key[j] = key[j - 1];
      key[j] = k;
    }
    M->of[k] = 0;
  }
  for (bf_int f = 0; f < nkeys; f++) M->of[key[f]] = -2 - f;
  return nkeys + 1;
}

/* shift[f] = row of a node of family f minus the position of its owner; end[f] = the first row after the
 * family, a multiple of 128.  Families one after another from row `base` on, each from its first owner to its
 * last.
 */
static void lay_out(const maker *M, bf_int hi, const bf_int *node, bf_int n, bf_int families, bf_int base,
                    bf_int *shift, bf_int *end)
{
  bf_int first[BF_FAMILIES_MAX], last[BF_FAMILIES_MAX];
  for (bf_int f = 0; f < families; f++) first[f] = last[f] = -1;
  for (bf_int i = 0; i < n; i++) { /* by owner, ascending */
    const bf_int f = family_of(M, M->at[node[i]], hi), owner = M->at[node[i]].lo;
    if (f < 0) continue;
    if (first[f] < 0) first[f] = owner;
    last[f] = owner;
  }
  for (bf_int f = 0; f < families; f++) {
    shift[f] = base - first[f];
    base += (last[f] - first[f] + BF_SLICE) / BF_SLICE * BF_SLICE;
    end[f] = base;
  }
}

/* Families of the block at positions lo .. hi-1, whose nodes are node[n]: rows from F->nrows on, segments. */
static bf_err place_block(maker *M, bf_int lo, bf_int hi, const bf_int *node, bf_int n, bf_families *F)
{
  const bf_int ld = (hi - lo + BF_SLICE - 1) / BF_SLICE * BF_SLICE, base = F->nrows;
  const bf_int families = choose(M, hi, ld, node, n);
  bf_int       shift[BF_FAMILIES_MAX], end[BF_FAMILIES_MAX];
  BF_CHECK((int64_t)base + (int64_t)families * ld + M->v->nused < INT32_MAX, BF_E_MODEL,
           "%d families of %d rows", families, ld);
  lay_out(M, hi, node, n, families, base, shift, end);
  uint8_t *taken = NULL;
  BF_TRY(BF_NEW_ARRAY(taken, end[families - 1] - base));
  for (bf_int i = 0; i < n; i++) {
    const bf_mid a      = M->at[node[i]];
    const bf_int family = family_of(M, a, hi), row = family < 0 ? -1 : shift[family] + a.lo;
    if (row < 0 || taken[row - base]) {
      M->rest[M->nrest++] = node[i];
      continue;
    }
    taken[row - base] = 1;
    F->row[node[i]]   = row;
  }
  for (bf_int i = 0; i < n; i++)
    if (M->at[node[i]].hi < hi) M->of[key_of(M, M->at[node[i]])] = 0;
  bf_host_free(taken);
  for (bf_int f = 0; f < families; f++) F->cut[F->nseg++] = f ? end[f - 1] : base;
  F->n += families;
  F->nrows = end[families - 1];
  return BF_OK;
}

bf_err bf_families_create(const bf_mesh *m, const bf_vmesh *v, const bf_int *vertex_pos, const bf_int *level,
                          bf_int nblocks, const bf_int *cut, bf_families *F)
{
  bf_err       err  = BF_OK;
  const bf_int npos = cut[nblocks], n = v->nused;
  const size_t nkeys = (size_t)BF_MID_KINDS * ((size_t)npos + 1);
  maker        M     = {.v = v, .level = level, .npos = npos};
  bf_int      *order = NULL, first = 0;
  *F = (bf_families){0};
  BF_GO(BF_NEW_ARRAY(M.at, n));
  BF_GO(bf_mid_ends(m, v, vertex_pos, M.at));
  BF_GO(BF_NEW_ARRAY(M.of, nkeys));
  BF_GO(BF_NEW_ARRAY(M.rest, n));
  BF_GO(BF_NEW_ARRAY(F->row, n));
  BF_GO(BF_NEW_ARRAY(F->cut, (size_t)nblocks * BF_FAMILIES_MAX + 2));
  BF_GO(BF_NEW_ARRAY(order, n));
  for (bf_int i = 0; i < n; i++) M.rest[i] = i;
  sort_by(&M, 0, M.rest, n, order, M.of);
  sort_by(&M, 1, order, n, M.rest, M.of);
  for (bf_int i = 0; i < n; i++) order[i] = M.rest[i]; /* by (lo, hi); rest[] is free again */
  memset(M.of, 0, nkeys * sizeof *M.of);
  for (bf_int b = 0; b < nblocks; b++) {
    bf_int end = first;
    while (end < n && M.at[order[end]].lo < cut[b + 1]) end++;
    BF_GO(place_block(&M, cut[b], cut[b + 1], order + first, end - first, F));
    first = end;
  }
  if (M.nrest > 0) { /* in order of appearance, by (lo, hi) */
    F->cut[F->nseg++] = F->nrows;
    for (bf_int i = 0; i < M.nrest; i++) F->row[M.rest[i]] = F->nrows++;
  } else { /* the last rows need no phantoms after them */
    F->nrows = 0;
    for (bf_int i = 0; i < n; i++) F->nrows = F->row[i] >= F->nrows ? F->row[i] + 1 : F->nrows;
  }
  F->cut[F->nseg] = F->nrows;
done:
  bf_host_free(M.at);
  bf_host_free(M.of);
  bf_host_free(M.rest);
  bf_host_free(order);
  if (err != BF_OK) bf_families_clear(F);
  return err;
}

void bf_families_clear(bf_families *F)
{
  bf_host_free(F->row);
  bf_host_free(F->cut);
  *F = (bf_families){0};
}
