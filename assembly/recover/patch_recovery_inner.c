/* assembly/recover/patch_recovery_inner.c - the corner nodes that their cells surround: see patch_recovery.h
 *
 * A patch surrounds its node where every side of a cell at the node belongs to two of its cells: the
 * exclusive or of a 64-bit hash of all sides is 0.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/recover/patch_recovery.h"
#include "base/memory.h"

static uint64_t mix(uint64_t z) /* a bijection: MurmurHash3's last step */
{
  z = (z ^ (z >> 33)) * 0xff51afd7ed558ccdu;
  z = (z ^ (z >> 33)) * 0xc4ceb9fe1a85ec53u;
  return z ^ (z >> 33);
}

int bf_patches_local(const bf_view *view, bf_int cell, bf_int v)
{
  const bf_int *point = view->point + view->ptr[cell];
  int           a     = 0;
  while (point[a] != v) a++;
  return a;
}

/* 1: the cells of corner point v surround it.  hash[v] = mix(1 + v) */
static int surrounded(const bf_patches *p, const uint64_t *hash, bf_int v)
{
  uint64_t all = 0;
  for (int64_t i = p->ptr[v]; i < p->ptr[v + 1]; i++) {
    const bf_int        cell  = p->item[i];
    const bf_elem_info *el    = bf_elem(p->view->type[cell]);
    const bf_int       *point = p->view->point + p->view->ptr[cell];
    const int           n = bf_elem(el->face_type)->ncorners, a = bf_patches_local(p->view, cell, v);
    for (int f = 0; f < el->nfaces; f++) {
      uint64_t side = 0;
      int      has  = 0;
      for (int k = 0; k < n; k++) has |= el->face[f][k] == a;
      if (!has) continue;
      for (int k = 0; k < n; k++) side += hash[point[el->face[f][k]]];
      all ^= mix(side);
    }
  }
  return all == 0;
}

bf_err bf_patches_inner(const bf_patches *p, bf_int *slot)
{
  bf_err    err  = BF_OK;
  uint64_t *hash = NULL;
  BF_GO(BF_NEW_ARRAY(hash, p->view->npoints));
#pragma omp parallel for
  for (bf_int v = 0; v < p->view->npoints; v++) hash[v] = mix(1 + (uint64_t)v);
#pragma omp parallel for
  for (bf_int v = 0; v < p->view->npoints; v++) {
    slot[v] = -1;
    if (p->ptr[v + 1] == p->ptr[v]) continue;
    const bf_int cell = p->item[p->ptr[v]];
    if (bf_patches_local(p->view, cell, v) < bf_elem(p->view->type[cell])->ncorners && surrounded(p, hash, v))
      slot[v] = 0;
  }
done:
  bf_host_free(hash);
  return err;
}
