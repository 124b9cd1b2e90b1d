/* outputs/csv.c - probes.csv, reactions.csv, modes.csv, flexibility.csv, checks.csv: tables of a run for
 * spreadsheets
 *
 * Texts are quoted if they contain a comma, a quote or a line end (RFC 4180); numbers have 17 digits, so that
 * they read back to the same bits.  Lines end with a line feed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/atomic_file.h"
#include "outputs/result.h"

static const char *const tensor[] = {"xx", "yy", "zz", "xy", "yz", "xz"};
static const char *const vector[] = {"x", "y", "z"};

/* First column of a run with load cases. */
static void put_case(bf_atomic_file *f, const char *of_case)
{
  if (!of_case) return;
  bf_atomic_file_print_csv(f, of_case);
  bf_atomic_file_print(f, ",");
}

static const char *component_name(int ncomp, int c)
{
  return ncomp == 1 ? "" : ncomp == 6 ? tensor[c] : vector[c];
}

static void probes(bf_atomic_file *f, const bf_result *r)
{
  bf_atomic_file_print(f, "%sname,field,component,x,y,z,value,unit\n", r->ncases ? "case," : "");
  for (int i = 0; i < r->nprobes; i++) {
    const bf_probe_record *p = &r->probe[i];
    for (int c = 0; c < p->ncomp; c++) {
      put_case(f, p->of_case);
      bf_atomic_file_print_csv(f, p->name);
      bf_atomic_file_print(f, ",%s,%s,%.17g,%.17g,%.17g,%.17g,", p->field, component_name(p->ncomp, c),
                           p->at[0], p->at[1], p->at[2], p->value[c]);
      bf_atomic_file_print_csv(f, p->unit ? p->unit : "");
      bf_atomic_file_print(f, "\n");
    }
  }
}

/* All reactions of a run have the same number of components. */
static void reactions(bf_atomic_file *f, const bf_result *r)
{
  const int ncomp = r->nreactions ? r->reaction[0].ncomp : 1;
  bf_atomic_file_print(f, "%sgroup", r->ncases ? "case," : "");
  for (int c = 0; c < ncomp; c++) bf_atomic_file_print(f, ",%s", ncomp == 1 ? "value" : vector[c]);
  bf_atomic_file_print(f, ",unit\n");
  for (int i = 0; i < r->nreactions; i++) {
    const bf_reaction *q = &r->reaction[i];
    put_case(f, q->of_case);
    bf_atomic_file_print_csv(f, q->group);
    for (int c = 0; c < q->ncomp; c++) bf_atomic_file_print(f, ",%.17g", q->value[c]);
    bf_atomic_file_print(f, ",");
    bf_atomic_file_print_csv(f, q->unit ? q->unit : "");
    bf_atomic_file_print(f, "\n");
  }
}

static void flexibility(bf_atomic_file *f, const bf_result *r)
{
  const bf_flexibility_record *k = r->flexibility;
  bf_atomic_file_print(f, "row,node,component,group,x,y,z\n");
  for (int i = 0; k && i < k->n; i++) {
    const double *x = k->place + 3 * (size_t)i;
    bf_atomic_file_print(f, "%d,%lld,%s,", i + 1, (long long)k->node[i], k->component[i]);
    bf_atomic_file_print_csv(f, k->group[i]);
    bf_atomic_file_print(f, ",%.17g,%.17g,%.17g\n", x[0], x[1], x[2]);
  }
}

static void checks(bf_atomic_file *f, const bf_result *r)
{
  bf_atomic_file_print(f, "%squantity,expected,got,tolerance,relative,passed\n", r->ncases ? "case," : "");
  for (int i = 0; i < r->nchecks; i++) {
    const bf_check_record *q = &r->check[i];
    put_case(f, q->of_case);
    bf_atomic_file_print_csv(f, q->quantity);
    if (q->report)
      bf_atomic_file_print(f, ",,%.17g,,,\n", q->got);
    else
      bf_atomic_file_print(f, ",%.17g,%.17g,%.17g,%s,%s\n", q->expected, q->got, q->tolerance,
                           q->relative ? "true" : "false", q->passed ? "true" : "false");
  }
}

static void modes(bf_atomic_file *f, const bf_result *r)
{
  const bf_modes_record *m = r->modes;
  if (!m) return;
  bf_atomic_file_print(f, "mode,frequency_hz,residual,orthogonality");
  for (int c = 0; c < m->naxes; c++)
    bf_atomic_file_print(f, ",participation%s%s,effective_mass%s%s", m->axis[c][0] ? "_" : "", m->axis[c],
                         m->axis[c][0] ? "_" : "", m->axis[c]);
  bf_atomic_file_print(f, "\n");
  for (int i = 0; i < m->n; i++) {
    bf_atomic_file_print(f, "%d,%.17g,%.17g,%.17g", i + 1, m->frequency_hz[i], m->residual[i],
                         m->orthogonality[i]);
    for (int c = 0; c < m->naxes; c++)
      bf_atomic_file_print(f, ",%.17g,%.17g", m->participation[i * m->naxes + c],
                           m->effective_mass[i * m->naxes + c]);
    bf_atomic_file_print(f, "\n");
  }
}

static bf_err write_table(const bf_result *r, const char *path,
                          void (*table)(bf_atomic_file *f, const bf_result *r))
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  BF_CHECK(r, BF_E_ARG, "no result");
  BF_GO(bf_atomic_file_create(path, &f));
  table(f, r);
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}

bf_err bf_write_probes(const bf_result *r, const char *path)
{
  return write_table(r, path, probes);
}

bf_err bf_write_reactions(const bf_result *r, const char *path)
{
  return write_table(r, path, reactions);
}

bf_err bf_write_modes(const bf_result *r, const char *path)
{
  return write_table(r, path, modes);
}

bf_err bf_write_flexibility_rows(const bf_result *r, const char *path)
{
  return write_table(r, path, flexibility);
}

bf_err bf_write_checks(const bf_result *r, const char *path)
{
  return write_table(r, path, checks);
}
