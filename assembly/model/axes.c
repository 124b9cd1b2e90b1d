/* assembly/model/axes.c - see axes.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/axes.h"
#include <math.h>
#include <string.h>

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3])
{
  for (int i = 0; i < 3; i++) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Returns the length before. */
static double unit(double a[3])
{
  const double n = sqrt(dot(a, a));
  for (int i = 0; i < 3 && n > 0.0; i++) a[i] /= n;
  return n;
}

const char *bf_axes_fault(const bf_axes *a, int sdim)
{
  double x[3], y[3], z[3];
  memcpy(x, a->first, sizeof x);
  memcpy(y, a->other, sizeof y);
  if (a->type == BF_AXES_CYLINDRICAL) {
    if (!(unit(y) > 0.0)) return "the axis has no direction";
    if (sdim == 2 && !(y[0] == 0.0 && y[1] == 0.0)) return "the axis of a plane problem is [0, 0, 1]";
    if (sdim == 3 && a->norigin == 2) return "the origin has three coordinates in a 3-D body";
    return NULL;
  }
  if (!(unit(x) > 0.0) || !(unit(y) > 0.0)) return "'x' and 'xy' must not be zero";
  cross(x, y, z);
  if (!(unit(z) > 1e-6)) return "'x' and 'xy' must not be parallel";
  if (sdim == 2 && !(z[0] == 0.0 && z[1] == 0.0)) return "'x' and 'xy' must lie in the plane of the body";
  if (sdim == 3 && (a->nfirst == 2 || a->nother == 2))
    return "'x' and 'xy' have three components in a 3-D body";
  return NULL;
}

static int of_cylinder(const bf_axes *a, const double x[3], double size, double e[3][3])
{
  double d[3];
  memcpy(e[2], a->other, sizeof e[2]);
  unit(e[2]);
  for (int i = 0; i < 3; i++) d[i] = x[i] - a->origin[i];
  const double along = dot(d, e[2]);
  for (int i = 0; i < 3; i++) e[0][i] = d[i] - along * e[2][i];
  const int off = unit(e[0]) > 1e-9 * size;
  if (!off) { /* the coordinate axis that is farthest from the axis, made normal to it */
    int k = 0;
    for (int i = 1; i < 3; i++)
      if (fabs(e[2][i]) < fabs(e[2][k])) k = i;
    for (int i = 0; i < 3; i++) e[0][i] = (i == k) - e[2][k] * e[2][i];
    unit(e[0]);
  }
  cross(e[2], e[0], e[1]);
  return off;
}

int bf_axes_at(const bf_axes *a, const double x[3], double size, double e[3][3])
{
  if (a->type == BF_AXES_CYLINDRICAL) return of_cylinder(a, x, size, e);
  memcpy(e[0], a->first, sizeof e[0]);
  unit(e[0]);
  cross(e[0], a->other, e[2]);
  unit(e[2]);
  cross(e[2], e[0], e[1]);
  return 1;
}

const char *bf_axes_component(const bf_axes *a, int k)
{
  static const char *const names[2][3] = {{"x", "y", "z"}, {"r", "t", "z"}};
  return names[a && a->type == BF_AXES_CYLINDRICAL][k];
}

void bf_axes_to_global(const double e[3][3], double v[3])
{
  const double l[3] = {v[0], v[1], v[2]};
  for (int i = 0; i < 3; i++) v[i] = e[0][i] * l[0] + e[1][i] * l[1] + e[2][i] * l[2];
}

void bf_axes_to_local(const double e[3][3], double v[3])
{
  const double g[3] = {v[0], v[1], v[2]};
  for (int k = 0; k < 3; k++) v[k] = dot(e[k], g);
}

void bf_axes_tensor(const double e[3][3], double s[6])
{
  static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
  double           S[3][3], f[3][3];
  for (int k = 0; k < 6; k++) S[at[k][0]][at[k][1]] = S[at[k][1]][at[k][0]] = s[k];
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) f[k][i] = dot(S[i], e[k]); /* S e_k */
  for (int k = 0; k < 6; k++) s[k] = dot(e[at[k][0]], f[at[k][1]]);
}
