/* outputs/html/section_matrix.c - report.html: numbering, format, picture of the matrix */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "outputs/html/html.h"
#include "outputs/html/page.h"
#include <math.h>

static void format(bf_atomic_file *f, const bf_matrix_record *m)
{
  bf_html_table(f, NULL);
  bf_html_pair(f, "unknowns", "%lld", (long long)m->n);
  bf_html_pair(f, "nonzeros", "%lld", (long long)m->nnz);
  bf_html_pair(f, "format", "%s, %s storage, %s%s", m->format, m->storage, m->values,
               m->symmetric ? "; symmetric" : "");
  bf_html_pair(f, "numbering", "%.80s", m->reorder ? m->reorder : "");
  bf_html_pair(f, "half-bandwidth in nodes", "%lld in the order of the file, %lld as numbered",
               (long long)m->half_bandwidth_before, (long long)m->half_bandwidth_after);
  if (m->diagonals > 0)
    bf_html_pair(
        f, "diagonals of nodes", "%lld in %lld segment%s of rows, %.3g %% of the stored numbers are nonzeros",
        (long long)m->diagonals, (long long)m->segments, m->segments == 1 ? "" : "s", 100.0 * m->fill);
  bf_html_pair(f, "memory", "%.4g MB", (double)m->bytes / 1e6);
  bf_html_pair(f, "bytes per product", "%.4g MB, %.3g bytes per nonzero", (double)m->product_bytes / 1e6,
               m->nnz > 0 ? (double)m->product_bytes / (double)m->nnz : 0.0);
  bf_html_table_end(f);
}

static void tries(bf_atomic_file *f, const bf_numbering *num)
{
  if (num->ntries == 0) return;
  bf_html_raw(f, "<details><summary>Numberings that were tried</summary>\n");
  bf_html_table(f, "order|#diagonals|#half-bandwidth|#bytes per nonzero, full|#symmetric|");
  for (int i = 0; i < num->ntries; i++) {
    const bf_try *t = &num->tries[i];
    bf_html_row(f);
    bf_html_cell(f, t->name);
    if (t->stopped)
      bf_html_raw(f, "<td class=\"n\">more than 8192</td>");
    else
      bf_html_cell_int(f, t->diagonals);
    bf_html_cell_int(f, t->reach);
    bf_html_cell_real(f, t->stopped ? (double)NAN : t->bytes_full);
    bf_html_cell_real(f, t->stopped ? (double)NAN : t->bytes_half);
    bf_html_cell(f, t->chosen ? "chosen" : "");
    bf_html_row_end(f);
  }
  bf_html_table_end(f);
  bf_html_raw(f, "</details>\n");
}

static bf_err spy(bf_atomic_file *f, const bf_spy *s)
{
  uint8_t *png   = NULL;
  size_t   bytes = 0;
  BF_TRY(bf_spy_png(s, &png, &bytes));
  bf_html_raw(f, "<figure><img alt=\"couplings of the nodes before and after numbering\" src=\"");
  bf_html_png(f, png, bytes);
  bf_html_raw(f, "\"/><figcaption>Couplings of the nodes: in the order of the mesh (left), as numbered by "
                 "the solver (right)");
  if (s->every > 1) bf_html_say(f, "; one element in %d was counted", s->every);
  bf_html_raw(f, "</figcaption></figure>\n");
  bf_host_free(png);
  return BF_OK;
}

bf_err bf_page_matrix(bf_atomic_file *f, const bf_page *p)
{
  if (!p->result->matrix) return BF_OK;
  bf_html_section(f, "matrix", "Matrix");
  format(f, p->result->matrix);
  if (p->spy) BF_TRY(spy(f, p->spy));
  if (p->numbering) tries(f, p->numbering);
  bf_html_section_end(f);
  return BF_OK;
}
