/* mesh/families.c - rows for the nodes of quadratic elements, a segment of rows for each family
 *
 *     row = family * ld + position of the owner,   ld = vertices rounded up to 128
 *
 * The owner of a mid-edge node is the end of its edge at the smaller position, its family the place of the
 * other end as the owner sees it: how many positions farther on or, where levels are known and the lattice
 * has more than one block, how many levels farther on and whether it is the next position.  In a structured
 * block all offsets between two families are then constant, so each segment of rows has a full table of its
 * own.  Slots without a node are phantom rows.  A family of fewer than 5 % of ld gets no segment; its nodes,
 * and the second of two nodes that ask for one row, are appended without holes by (smaller, larger) end.
 */
#include "base/memory.h"
#include "mesh/numbering_internal.h"

typedef struct maker {
  const bf_vmesh *v;
  const bf_int   *level; /* or NULL */
  bf_mid         *at;    /* owned [nused] */
  bf_int         *of;    /* owned [keys]: count of a key, then its family or -1 */
} maker;

static inline bf_int key_of(const maker *M, bf_mid a)
{
  if (!M->level) return a.hi - a.lo;
  const bf_int up = M->level[a.hi] - M->level[a.lo];
  return 2 * (up < 0 ? -up : up) + (a.hi - a.lo == 1);
}

/* The keys of enough nodes become families 1, 2, ... in ascending order. */
static void choose(maker *M, bf_int nkeys, bf_families *F)
{
  for (bf_int i = 0; i < M->v->nused; i++)
    if (M->at[i].lo != M->at[i].hi) M->of[key_of(M, M->at[i])]++;
  F->n = 1;
  for (bf_int k = 0; k < nkeys; k++)
    M->of[k] = (int64_t)M->of[k] * 20 >= F->ld && F->n < BF_FAMILIES_MAX ? F->n++ : -1;
}

/* rest[n]: numbers of nodes sorted by (lo, hi), by two counting sorts over count[nv + 1]; spare[n]. */
static void sort_rest(const maker *M, bf_int *rest, bf_int *spare, bf_int n, bf_int *count)
{
  const bf_int nv = M->v->cells.nv;
  for (int by_lo = 0; by_lo < 2; by_lo++) {
    const bf_int *from = by_lo ? spare : rest;
    bf_int       *to   = by_lo ? rest : spare;
    for (bf_int k = 0; k <= nv; k++) count[k] = 0;
    for (bf_int i = 0; i < n; i++) count[(by_lo ? M->at[from[i]].lo : M->at[from[i]].hi) + 1]++;
    for (bf_int k = 0; k < nv; k++) count[k + 1] += count[k];
    for (bf_int i = 0; i < n; i++) to[count[by_lo ? M->at[from[i]].lo : M->at[from[i]].hi]++] = from[i];
  }
}

/* Rows by family; what finds none goes to rest[]; returns how many. */
static bf_int place(const maker *M, uint8_t *taken, bf_families *F, bf_int *rest)
{
  bf_int nrest = 0;
  F->nrows     = 0;
  for (bf_int i = 0; i < M->v->nused; i++) {
    const bf_mid a      = M->at[i];
    const bf_int family = a.lo == a.hi ? 0 : M->of[key_of(M, a)], row = family * F->ld + a.lo;
    if (family < 0 || taken[row]) {
      rest[nrest++] = i;
      continue;
    }
    taken[row] = 1;
    F->row[i]  = row;
    F->nrows   = row + 1 > F->nrows ? row + 1 : F->nrows;
  }
  return nrest;
}

bf_err bf_families_create(const bf_mesh *m, const bf_vmesh *v, const bf_int *vertex_pos, const bf_int *level,
                          bf_families *F)
{
  bf_err       err = BF_OK;
  const bf_int nv = v->cells.nv, nkeys = 2 * nv + 2;
  maker        M     = {v, level, NULL, NULL};
  uint8_t     *taken = NULL;
  bf_int      *rest = NULL, *spare = NULL;
  *F = (bf_families){.n = 1, .ld = (nv + BF_SLICE - 1) / BF_SLICE * BF_SLICE};
  BF_GO(BF_NEW_ARRAY(M.at, v->nused));
  BF_GO(bf_mid_ends(m, v, vertex_pos, M.at));
  BF_GO(BF_NEW_ARRAY(M.of, nkeys));
  choose(&M, nkeys, F);
  BF_NEED((int64_t)F->n * F->ld + v->nused < INT32_MAX, BF_E_MODEL, "%d families of %d rows", F->n, F->ld);
  BF_GO(BF_NEW_ARRAY(F->row, v->nused));
  BF_GO(BF_NEW_ARRAY(rest, v->nused));
  BF_GO(BF_NEW_ARRAY(spare, v->nused));
  BF_GO(BF_NEW_ARRAY(taken, (size_t)F->n * (size_t)F->ld));
  const bf_int nrest = place(&M, taken, F, rest);
  if (nrest == 0) goto done;
  F->nrows = F->n * F->ld;
  sort_rest(&M, rest, spare, nrest, M.of);
  for (bf_int i = 0; i < nrest; i++) F->row[rest[i]] = F->nrows++;
done:
  bf_host_free(M.at);
  bf_host_free(M.of);
  bf_host_free(rest);
  bf_host_free(spare);
  bf_host_free(taken);
  if (err != BF_OK) {
    bf_host_free(F->row);
    F->row = NULL;
  }
  return err;
}
