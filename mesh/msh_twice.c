/* mesh/msh_twice.c - two elements with the same nodes would count their stiffness twice: E206
 *
 * Elements are chained by their lowest node, so each is compared with a handful of others: by the sum of its
 * node numbers first, then node by node.
 */
#include "base/memory.h"
#include "mesh/msh_internal.h"

static int same_set(const bf_int *a, const bf_int *b, int nen)
{
  for (int i = 0; i < nen; i++) {
    int found = 0;
    for (int j = 0; j < nen; j++) found |= a[i] == b[j];
    if (!found) return 0;
  }
  return 1;
}

static bf_err check_block(const bf_mesh *mesh, const bf_block *block, bf_diags *diags)
{
  bf_err    err  = BF_OK;
  const int nen  = bf_elem(block->type)->nnodes;
  bf_int   *head = NULL, *next = NULL, first = -1, second = -1, pairs = 0; /* chains of 1 + element, 0 ends */
  int64_t  *sum = NULL;
  BF_GO(BF_NEW_ARRAY(head, mesh->nnodes));
  BF_GO(BF_NEW_ARRAY(next, block->n));
  BF_GO(BF_NEW_ARRAY(sum, block->n));
  for (bf_int e = 0; e < block->n; e++) {
    const bf_int *node   = block->node + (size_t)e * (size_t)nen;
    bf_int        lowest = node[0];
    for (int a = 0; a < nen; a++) {
      sum[e] += node[a];
      if (node[a] < lowest) lowest = node[a];
    }
    for (bf_int o = head[lowest]; o; o = next[o - 1]) {
      if (sum[o - 1] != sum[e] || !same_set(node, block->node + (size_t)(o - 1) * (size_t)nen, nen)) continue;
      if (pairs++ == 0) {
        first  = o - 1;
        second = e;
      }
      break;
    }
    next[e]      = head[lowest];
    head[lowest] = e + 1;
  }
  if (pairs) {
    bf_diag_add(diags, BF_ERROR, 206, (bf_where){mesh->file, 0, 0},
                "elements %lld and %lld (%s) have the same nodes (%d such pair%s): write every element once",
                (long long)block->tag[first], (long long)block->tag[second], bf_elem(block->type)->name,
                pairs, pairs == 1 ? "" : "s");
    err = BF_FAIL(BF_E_MODEL, "%s: %d elements are listed twice", mesh->file, pairs);
  }
done:
  bf_host_free(head);
  bf_host_free(next);
  bf_host_free(sum);
  return err;
}

bf_err bf_msh_check_twice(const bf_mesh *mesh, bf_diags *diags)
{
  for (int b = 0; b < mesh->nblocks; b++)
    if (bf_elem(mesh->block[b].type)->dim == mesh->dim) BF_TRY(check_block(mesh, &mesh->block[b], diags));
  return BF_OK;
}
