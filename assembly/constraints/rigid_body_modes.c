/* assembly/constraints/rigid_body_modes.c - see rigid_body_modes.h: null space of a 6 x 6 Gram matrix by
 * Jacobi rotations, then its echelon form
 *
 * Source: G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed. (2013), sec. 8.5 (cyclic Jacobi),
 * doi 10.56021/9781421407944.  The axis of a motion (t, r): p = c + L (r x t)/|r|^2 is the point at rest
 * nearest to c, (t.r)/|r|^2 the pitch.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/constraints/rigid_body_modes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

void bf_motions_begin(bf_motions *m, int sdim, int revolved, const double centre[3], double length)
{
  memset(m, 0, sizeof *m);
  m->sdim     = sdim;
  m->revolved = revolved;
  m->length   = length;
  memcpy(m->centre, centre, sizeof m->centre);
  if (sdim == 2) m->G[0][0] = m->G[1][1] = m->G[5][5] = 1.0; /* a plane problem has no r_x, r_y, t_z */
  if (revolved) m->G[2][2] = m->G[3][3] = 1.0;
}

void bf_motion_row(const bf_motions *m, const double x[3], int component, double row[6])
{
  const int i = component, j = (i + 1) % 3, k = (i + 2) % 3;
  for (int a = 0; a < 6; a++) row[a] = 0.0; /* (r x d)_i = r_j d_k - r_k d_j */
  row[j]     = (x[k] - m->centre[k]) / m->length;
  row[k]     = -(x[j] - m->centre[j]) / m->length;
  row[3 + i] = 1.0;
  if (m->sdim == 2) row[0] = row[1] = row[5] = 0.0;
  if (m->revolved) row[2] = row[3] = 0.0;
}

static void hold(bf_motions *m, const double row[6])
{
  for (int a = 0; a < 6; a++)
    for (int b = 0; b < 6; b++) m->G[a][b] += row[a] * row[b];
}

void bf_motions_hold(bf_motions *m, const double x[3], int component)
{
  double row[6];
  bf_motion_row(m, x, component, row);
  hold(m, row);
}

void bf_motion_row_along(const bf_motions *m, const double x[3], const double n[3], double row[6])
{
  double one[6];
  for (int a = 0; a < 6; a++) row[a] = 0.0;
  for (int c = 0; c < m->sdim; c++) {
    if (n[c] == 0.0) continue;
    bf_motion_row(m, x, c, one);
    for (int a = 0; a < 6; a++) row[a] += n[c] * one[a];
  }
}

void bf_motions_hold_along(bf_motions *m, const double x[3], const double n[3])
{
  double row[6];
  bf_motion_row_along(m, x, n, row);
  hold(m, row);
}

void bf_motion_shift(const bf_motions *m, const double mode[6], const bf_motions *other, double to[6])
{
  const double *r = mode, *t = mode + 3;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    to[i]     = r[i] * other->length / m->length;
    to[3 + i] = t[i] + (r[j] * (other->centre[k] - m->centre[k]) - r[k] * (other->centre[j] - m->centre[j])) /
                           m->length;
  }
}

/* Rotation in the plane (p, q) that makes A[p][q] zero; V collects the rotations, its columns are vectors. */
static void rotate(double A[6][6], double V[6][6], int p, int q)
{
  if (A[p][q] == 0.0) return;
  const double h = (A[q][q] - A[p][p]) / (2.0 * A[p][q]);
  const double t = (h >= 0.0 ? 1.0 : -1.0) / (fabs(h) + sqrt(1.0 + h * h)), c = 1.0 / sqrt(1.0 + t * t),
               s = t * c;
  for (int k = 0; k < 6; k++) {
    const double x = A[k][p], y = A[k][q];
    A[k][p] = c * x - s * y;
    A[k][q] = s * x + c * y;
  }
  for (int k = 0; k < 6; k++) {
    const double x = A[p][k], y = A[q][k], v = V[k][p], w = V[k][q];
    A[p][k] = c * x - s * y;
    A[q][k] = s * x + c * y;
    V[k][p] = c * v - s * w;
    V[k][q] = s * v + c * w;
  }
}

/* Reduced row echelon form of the n rows, columns r_x, r_y, r_z first. */
static void echelon(int n, double row[6][6])
{
  int done = 0;
  for (int col = 0; col < 6 && done < n; col++) {
    int best = done;
    for (int i = done; i < n; i++)
      if (fabs(row[i][col]) > fabs(row[best][col])) best = i;
    if (fabs(row[best][col]) < 1e-6) continue;
    for (int k = 0; k < 6; k++) {
      const double s = row[best][k];
      row[best][k]   = row[done][k];
      row[done][k]   = s;
    }
    const double pivot = row[done][col];
    for (int k = 0; k < 6; k++) row[done][k] /= pivot;
    for (int i = 0; i < n; i++) {
      const double f = row[i][col];
      if (i == done) continue;
      for (int k = 0; k < 6; k++) row[i][k] -= f * row[done][k];
    }
    done++;
  }
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 6; k++)
      if (fabs(row[i][k]) < 1e-8) row[i][k] = 0.0;
}

/* On return A is diagonal (the eigenvalues); V: eigenvectors as columns. */
static void jacobi(double A[6][6], double V[6][6])
{
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) V[i][j] = i == j;
  for (int sweep = 0; sweep < 30; sweep++) {
    double off = 0.0, all = 0.0;
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++) {
        all += A[i][j] * A[i][j];
        if (i != j) off += A[i][j] * A[i][j];
      }
    if (off <= 1e-32 * all) break;
    for (int p = 0; p < 5; p++)
      for (int q = p + 1; q < 6; q++) rotate(A, V, p, q);
  }
}

int bf_motions_free(const bf_motions *m, double mode[6][6])
{
  double A[6][6], V[6][6], top = 1.0;
  memcpy(A, m->G, sizeof A);
  jacobi(A, V);
  for (int i = 0; i < 6; i++) top = fmax(top, A[i][i]);
  int n = 0;
  for (int i = 0; i < 6; i++)
    if (A[i][i] <= 1e-12 * top) {
      for (int k = 0; k < 6; k++) mode[n][k] = V[k][i];
      n++;
    }
  echelon(n, mode);
  return n;
}

/* a.S b */
static double form(const double a[6], double S[6][6], const double b[6])
{
  double s = 0.0;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) s += a[i] * S[i][j] * b[j];
  return s;
}

double bf_motions_softest(int n, double mode[6][6], double S[6][6], double M[6][6], double v[6])
{
  double A[6][6] = {{0.0}}, V[6][6], w[6][6];
  int    least   = 0;
  for (int k = 0; k < n; k++) { /* modified Gram-Schmidt in the product of M */
    memcpy(w[k], mode[k], sizeof w[k]);
    for (int j = 0; j < k; j++) {
      const double c = form(w[j], M, w[k]);
      for (int i = 0; i < 6; i++) w[k][i] -= c * w[j][i];
    }
    const double norm = sqrt(form(w[k], M, w[k]));
    for (int i = 0; i < 6; i++) w[k][i] /= norm;
  }
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++) A[k][j] = form(w[k], S, w[j]);
  jacobi(A, V); /* rows and columns from n on are 0 and stay */
  for (int k = 1; k < n; k++)
    if (A[k][k] < A[least][least]) least = k;
  for (int i = 0; i < 6; i++) {
    v[i] = 0.0;
    for (int k = 0; k < n; k++) v[i] += V[k][least] * w[k][i];
  }
  return fmax(A[least][least], 0.0);
}

/* "x" for a coordinate axis, else "(0.707, 0.707, 0)"; unit vector with its largest component positive. */
static void axis_name(const double v[3], char *text, size_t size)
{
  double norm = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), n[3];
  int    top  = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(v[i]) > fabs(v[top]) + 1e-6 * norm) top = i;
  if (v[top] < 0.0) norm = -norm;
  for (int i = 0; i < 3; i++) n[i] = fabs(v[i] / norm) < 1e-6 ? 0.0 : v[i] / norm;
  if (n[top] > 1.0 - 1e-9)
    snprintf(text, size, "%c", "xyz"[top]);
  else
    snprintf(text, size, "(%.3g, %.3g, %.3g)", n[0], n[1], n[2]);
}

void bf_motion_name(const bf_motions *m, const double mode[6], char *text, size_t size)
{
  const double *r = mode, *t = mode + 3, rr = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  char          axis[64];
  if (rr < 1e-12) {
    axis_name(t, axis, sizeof axis);
    snprintf(text, size, axis[0] == '(' ? "translation along %s" : "translation %s", axis);
    return;
  }
  const double L = m->length, pitch = (t[0] * r[0] + t[1] * r[1] + t[2] * r[2]) / rr;
  double       p[3]; /* point at rest, or moving only along the axis */
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    p[i] = m->centre[i] + L * (r[j] * t[k] - r[k] * t[j]) / rr;
    if (fabs(p[i]) < 1e-6 * L) p[i] = 0.0;
  }
  axis_name(r, axis, sizeof axis);
  int n = snprintf(text, size, "rotation about %s through (%.4g, %.4g", axis, p[0], p[1]);
  if (n > 0 && (size_t)n < size)
    n += snprintf(text + n, size - (size_t)n, m->sdim == 3 ? ", %.4g)" : ")", p[2]);
  if (fabs(pitch) > 1e-6 && n > 0 && (size_t)n < size)
    snprintf(text + n, size - (size_t)n, " together with a translation along that axis");
}
