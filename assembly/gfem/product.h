/* assembly/gfem/product.h - inside assembly/: products of tall matrices with few columns, on the host */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_GFEM_PRODUCT_H
#define BF_ASSEMBLY_GFEM_PRODUCT_H

enum { BF_PANEL = 8 };

/* A matrix of `depth` rows is stored in panels of BF_PANEL columns, panel[p][row][BF_PANEL]; the last panel
 * is filled up with zeros. */
static inline int bf_panels(int n)
{
  return (n + BF_PANEL - 1) / BF_PANEL;
}

/* Row `row` of A = factor v[n]. */
void bf_panel_row(int n, int depth, int row, double factor, const double *v, double *A);

/* M[a][b] = sum over rows k0 .. k0+k-1 of A[k][a] B[k][b], a, b < 8 panels, rows of M 8 panels long; upper:
 * only the panels b >= a of it.  Cost: 64 k panels^2, half of it with upper. */
void bf_panel_product(int panels, int depth, int a0, int b0, int k, const double *A, const double *B,
                      int upper, double *M);
#endif
