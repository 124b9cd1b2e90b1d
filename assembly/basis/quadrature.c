/* assembly/basis/quadrature.c - Gauss products on boxes, symmetric and conical rules on simplices
 *
 * Gauss-Jacobi: weight (1-x)^alpha on [-1,1], nodes the roots of P_n^(alpha,0), weights
 *     w_i = 2^(alpha+1) / ((1 - x_i^2) P_n'(x_i)^2),       exact to degree 2n-1.
 * Conical product: the square (cube) collapsed onto the simplex, xi = s, eta = (1-s) t, zeta = (1-s)(1-t) r;
 * the Jacobian (1-s)^(d-1) (1-t)^(d-2) is the weight of the factors.
 * Sources: A. H. Stroud, Approximate Calculation of Multiple Integrals (1971), sec. 2.4 (conical); G. Strang,
 * G. J. Fix, An Analysis of the Finite Element Method (1973) (tri 3, 6 points); N. J. Walkington, Quadrature
 * on simplices of arbitrary dimension, Carnegie Mellon University 00-CNA-023 (2000) (tet 14 points, degree
 * 5).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/quadrature.h"
#include <math.h>
#include <string.h>

/* p = P_n^(alpha,0)(x), *dp its derivative, by the three-term recurrence. */
static double jacobi(int n, double alpha, double x, double *dp)
{
  double p0 = 1.0, d0 = 0.0, p1 = alpha + 1.0 + 0.5 * (alpha + 2.0) * (x - 1.0), d1 = 0.5 * (alpha + 2.0);
  for (int k = 2; k <= n; k++) {
    const double m = 2.0 * k + alpha, a = 2.0 * k * (k + alpha) * (m - 2.0), b = (m - 1.0) * m * (m - 2.0),
                 c = (m - 1.0) * alpha * alpha, e = 2.0 * (k + alpha - 1.0) * (k - 1.0) * m;
    const double p2 = ((b * x + c) * p1 - e * p0) / a, d2 = ((b * x + c) * d1 + b * p1 - e * d0) / a;
    p0 = p1, d0 = d1;
    p1 = p2, d1 = d2;
  }
  *dp = d1;
  return p1;
}

/* Nodes ascending in [-1,1] and weights; alpha = 0 gives Gauss-Legendre, made exactly symmetric. */
static void gauss_jacobi(int n, int alpha, double *x, double *w)
{
  const double pi = 3.14159265358979323846;
  for (int i = 0; i < n; i++) {
    double z = -cos(pi * (i + 0.75) / (n + 0.5)), dp = 1.0;
    for (int it = 0; it < 100; it++) { /* Newton on P_n / prod_{j<i} (x - x_j) */
      const double p = jacobi(n, alpha, z, &dp);
      double       s = 0.0;
      for (int j = 0; j < i; j++) s += 1.0 / (z - x[j]);
      const double step = p / (dp - p * s);
      z -= step;
      if (fabs(step) < 1e-15) break;
    }
    x[i] = z;
  }
  for (int i = 0; i < n && alpha == 0; i++) /* pairs +-x; the middle one is 0 */
    if (2 * i < n - 1)
      x[n - 1 - i] = -x[i];
    else if (2 * i == n - 1)
      x[i] = 0.0;
  for (int i = 0; i < n; i++) {
    double dp;
    jacobi(n, alpha, x[i], &dp);
    w[i] = pow(2.0, alpha + 1) / ((1.0 - x[i] * x[i]) * dp * dp);
  }
}

static void box(int dim, int p, bf_rule *r)
{
  double x[8], w[8];
  gauss_jacobi(p, 0, x, w);
  const int ny = dim > 1 ? p : 1, nz = dim > 2 ? p : 1;
  for (int k = 0; k < nz; k++)
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < p; i++) {
        const int q = r->n++;
        r->xi[q][0] = x[i];
        if (dim > 1) r->xi[q][1] = x[j];
        if (dim > 2) r->xi[q][2] = x[k];
        r->w[q] = w[i] * (dim > 1 ? w[j] : 1.0) * (dim > 2 ? w[k] : 1.0);
      }
}

static void conical(int dim, int p, bf_rule *r)
{
  double x[3][8], w[3][8]; /* factor c has alpha = dim-1-c, on [0,1] */
  for (int c = 0; c < dim; c++) {
    gauss_jacobi(p, dim - 1 - c, x[c], w[c]);
    for (int i = 0; i < p; i++) {
      x[c][i] = 0.5 * (1.0 + x[c][i]);
      w[c][i] *= pow(0.5, dim - c); /* dx/2 and (1-x)^alpha = ((1-X)/2)^alpha */
    }
  }
  const int nz = dim > 2 ? p : 1;
  for (int i = 0; i < p; i++)
    for (int j = 0; j < p; j++)
      for (int k = 0; k < nz; k++) {
        const int    q = r->n++;
        const double s = x[0][i], t = x[1][j];
        r->xi[q][0] = s;
        r->xi[q][1] = (1.0 - s) * t;
        if (dim > 2) r->xi[q][2] = (1.0 - s) * (1.0 - t) * x[2][k];
        r->w[q] = w[0][i] * w[1][j] * (dim > 2 ? w[2][k] : 1.0);
      }
}

/* One symmetric orbit: barycentric coordinates that are all places of the given values (nb = dim+1 of them;
 * `first` values a, the others b), each with weight w. */
static void orbit(int nb, int first, double a, double b, double w, bf_rule *r)
{
  for (int m = 0; m < 1 << nb; m++) { /* which coordinates are a */
    int count = 0;
    for (int i = 0; i < nb; i++) count += m >> i & 1;
    if (count != first) continue;
    const int q = r->n++;
    for (int i = 1; i < nb; i++) r->xi[q][i - 1] = m >> i & 1 ? a : b;
    r->w[q] = w;
  }
}

/* The symmetric rule of exactly this many points. */
static void symmetric(int dim, int n, bf_rule *r)
{
  if (dim == 2) {
    switch (n) {
    case 1: orbit(3, 3, 1.0 / 3.0, 0.0, 0.5, r); return;             /* degree 1 */
    case 3: orbit(3, 1, 2.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0, r); return; /* degree 2 */
    default: break;
    }
    /* 6 points, degree 4 (Strang and Fix): a and w are the roots of the moment equations in closed form */
    const double s = sqrt(10.0), t = sqrt(38.0 - 44.0 * sqrt(0.4));
    const double a1 = (8.0 - s + t) / 18.0, a2 = (8.0 - s - t) / 18.0;
    const double u = sqrt(213125.0 - 53320.0 * s);
    orbit(3, 1, 1.0 - 2.0 * a1, a1, 0.5 * (620.0 + u) / 3720.0, r);
    orbit(3, 1, 1.0 - 2.0 * a2, a2, 0.5 * (620.0 - u) / 3720.0, r);
    return;
  }
  switch (n) {
  case 1: orbit(4, 4, 0.25, 0.0, 1.0 / 6.0, r); return; /* degree 1 */
  case 4: {                                             /* degree 2 */
    const double b = (5.0 - sqrt(5.0)) / 20.0;
    orbit(4, 1, 1.0 - 3.0 * b, b, 1.0 / 24.0, r);
    return;
  }
  default: break;
  }
  /* 14 points, degree 5 (Walkington) */
  const double a = 0.31088591926330060980, b = 0.092735250310891226402, c = 0.045503704125649649492;
  orbit(4, 1, 1.0 - 3.0 * a, a, 0.11268792571801585080 / 6.0, r);
  orbit(4, 1, 1.0 - 3.0 * b, b, 0.073493043116361949544 / 6.0, r);
  orbit(4, 2, 0.5 - c, c, 0.042546020777081466438 / 6.0, r);
}

int bf_quadrature_max(bf_elem_type type)
{
  return bf_elem(type)->dim == 3 ? 4 : 8;
}

bf_err bf_quadrature(bf_elem_type type, int points, bf_rule_use use, bf_rule *rule)
{
  BF_CHECK(rule && (int)type >= 0 && type < BF_ELEM_TYPES, BF_E_ARG, "type %d", (int)type);
  const bf_elem_info *el = bf_elem(type);
  BF_CHECK(points >= 0 && points <= bf_quadrature_max(type), BF_E_ARG,
           "%d integration points per direction, %s takes 1 to %d", points, el->name,
           bf_quadrature_max(type));
  memset(rule, 0, sizeof *rule);
  const int mass = use == BF_RULE_MASS, order = el->order;
  switch (type) {
  case BF_POINT1:
    rule->n    = 1;
    rule->w[0] = 1.0;
    break;
  case BF_TRI3:
  case BF_TRI6:
  case BF_TET4:
  case BF_TET10: {
    const int dim = el->dim, rich = order + mass; /* 1, 2, 3: the auto rule is of degree 1, 2, 4 or 5 */
    const int auto_n = rich == 1 ? 1 : rich == 2 ? (dim == 2 ? 3 : 4) : (dim == 2 ? 6 : 14);
    if (points == 0 || (mass && points == 1))
      symmetric(dim, auto_n, rule);
    else if (points == 1)
      symmetric(dim, 1, rule);
    else if (points == 2)
      symmetric(dim, dim == 2 ? 6 : 14, rule);
    else if (points == 3 && dim == 3)
      symmetric(dim, 14, rule);
    else
      conical(dim, points, rule);
    break;
  }
  default: box(el->dim, points == 0 || (mass && points <= order) ? order + 1 : points, rule); break;
  }
  return BF_OK;
}
