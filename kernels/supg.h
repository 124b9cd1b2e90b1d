/* kernels/supg.h - stabilisation parameter of the transport form (kernels/elements.h, TRANSPORT), for both
 * backends and the host's integrals
 *
 *     h   = 2 |v| / sum_a |v . grad N_a|,  N_a the linear shape functions of the corners
 *     Pe  = |v| h / (2 p D),               p the degree of the elements
 *     tau = t / (1 + |r| t),               t = h / (2 p |v|) (coth Pe - 1/Pe)
 *
 * h is the element length along the flow, in one dimension the length of the element; h/p the distance of
 * the nodes. On linear elements in one dimension with r = 0 and constant D, v and f the nodal values are
 * exact with this tau.
 * Source     Brooks and Hughes, Comput. Methods Appl. Mech. Eng. 32 (1982) 199, sec. 3.2; h: Tezduyar and
 *            Park, same journal 59 (1986) 307; r as in Codina, same journal 156 (1998) 185. p:
 *            docs/theory/advection.md.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_SUPG_H
#define BF_KERNELS_SUPG_H
#include <math.h>

#ifndef BF_HD
#ifdef __CUDACC__
#define BF_HD __host__ __device__
#else
#define BF_HD
#endif
#endif

/* Pe of an element with sum = sum_a |v . grad N_a|; 0 for zero velocity */
static inline BF_HD double bf_cell_peclet(int p, double speed, double sum, double D)
{
  return sum > 0.0 ? speed * speed / (sum * p * D) : 0.0; /* h = 2 speed/sum */
}

/* tau; p = 0: 0. */
static inline BF_HD double bf_supg_tau(int p, double speed, double sum, double D, double r)
{
  if (p == 0 || !(sum > 0.0)) return 0.0;
  const double h = 2.0 * speed / (sum * p), Pe = bf_cell_peclet(p, speed, sum, D), P2 = Pe * Pe;
  double       t; /* (coth Pe - 1/Pe)/Pe loses digits below 0.1: series */
  if (Pe < 0.1)
    t = h * h / (4.0 * D) *
        (1.0 / 3.0 - P2 * (1.0 / 45.0 - P2 * (2.0 / 945.0 - P2 * (1.0 / 4725.0 - P2 * (2.0 / 93555.0)))));
  else
    t = h / (2.0 * speed) * (1.0 / tanh(Pe) - 1.0 / Pe);
  return t / (1.0 + fabs(r) * t);
}
#endif
