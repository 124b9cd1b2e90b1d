/* outputs/html/page.c - see page.h: style, summary and the order of the sections */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/html/page.h"
#include "outputs/html/html.h"
#include <math.h>
#include <string.h>

static const char style[] =
    "body{margin:0;background:#f4f5f7;color:#1d2430;font:15px/1.5 system-ui,-apple-system,'Segoe "
    "UI',Roboto,sans-serif}\n"
    "header,section,nav,footer{max-width:60rem;margin:0 auto;padding:0 1.2rem}\n"
    "header{padding-top:1.4rem}\n"
    "h1{font-size:1.5rem;margin:.2rem 0;overflow-wrap:anywhere}\n"
    "h2{font-size:1.1rem;margin:1.1rem 0 .5rem;border-bottom:1px solid #d4d8de;padding-bottom:.2rem}\n"
    "h3{font-size:.95rem;margin:.9rem 0 .3rem}\n"
    "section{background:#fff;border:1px solid "
    "#d4d8de;border-radius:6px;margin-bottom:.9rem;padding-bottom:.9rem}\n"
    "nav a{margin-right:.9rem;color:#1f5fa8}\n"
    "nav{margin-bottom:.9rem;padding-top:.4rem}\n"
    ".badge{display:inline-block;padding:.1rem .6rem;border-radius:4px;color:#fff;font-weight:600}\n"
    ".good{background:#2d7d46}.bad{background:#b3343f}\n"
    ".cards{display:flex;flex-wrap:wrap;gap:.6rem;margin:.7rem 0}\n"
    ".card{background:#fff;border:1px solid #d4d8de;border-radius:6px;padding:.4rem .8rem}\n"
    ".card b{display:block;font-size:1.05rem}.card span{color:#5b6770;font-size:.82rem}\n"
    ".wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;margin:.3rem 0 .6rem;font-size:.9rem}\n"
    "th,td{text-align:left;padding:.18rem .8rem .18rem 0;border-bottom:1px solid "
    "#e6e9ed;vertical-align:top}\n"
    "th{color:#5b6770;font-weight:600}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "figure{margin:.6rem 0;display:inline-block;max-width:100%}\n"
    "figcaption,.note{color:#5b6770;font-size:.85rem}\n"
    ".shots figure{width:48%;min-width:18rem}\n"
    "img,svg{max-width:100%;height:auto}\n"
    "svg{width:45rem;font-size:12px}svg text{fill:#3c4653}\n"
    ".grid{stroke:#e1e4e8;stroke-width:1}.band{fill:#d9dee5}\n"
    ".scale{display:flex;align-items:center;gap:.5rem;font-size:.85rem}\n"
    ".scale i{display:block;width:16rem;max-width:50%;height:.8rem;background:linear-gradient(90deg,"
    "#440154,#472c7a,#3b518b,#2c718e,#21908d,#27ad81,#5cc863,#aadc32,#fde725)}\n"
    ".error{color:#b3343f}.warning{color:#9a5b00}\n"
    "pre{overflow-x:auto;background:#f4f5f7;padding:.7rem;font-size:.82rem}\n"
    "@media print{body{background:#fff}nav{display:none}section{break-inside:avoid;border:0}}\n";

static void card(bf_atomic_file *f, const char *name, const char *text)
{
  bf_html_raw(f, "<div class=\"card\"><b>");
  bf_html_text(f, text);
  bf_html_raw(f, "</b><span>");
  bf_html_text(f, name);
  bf_html_raw(f, "</span></div>\n");
}

static void checks_card(bf_atomic_file *f, const bf_result *r)
{
  int judged = 0, passed = 0;
  for (int i = 0; i < r->nchecks; i++)
    judged += !r->check[i].report, passed += !r->check[i].report && r->check[i].passed;
  if (judged == 0) return;
  bf_html_raw(f, "<div class=\"card\"><b>");
  bf_html_say(f, "%d of %d", passed, judged);
  bf_html_raw(f, "</b><span>checks passed</span></div>\n");
}

static void number_card(bf_atomic_file *f, const char *name, long long value)
{
  bf_html_raw(f, "<div class=\"card\"><b>");
  bf_html_say(f, "%lld", value);
  bf_html_raw(f, "</b><span>");
  bf_html_text(f, name);
  bf_html_raw(f, "</span></div>\n");
}

static void head(bf_atomic_file *f, const bf_page *p)
{
  const bf_result *r    = p->result;
  const int        good = r->verdict && strcmp(r->verdict, "VALID") == 0;
  char             status[BF_STATUS_MAX];
  bf_result_status(r, status);
  bf_html_raw(f, "<header>\n<h1>");
  bf_html_text(f, r->title && r->title[0] ? r->title : r->deck_path);
  bf_html_raw(f, "</h1>\n<p><span class=\"badge ");
  bf_html_raw(f, good ? "good\">" : "bad\">");
  bf_html_text(f, r->verdict);
  bf_html_raw(f, "</span> ");
  bf_html_text(f, status);
  bf_html_raw(f, "</p>\n<div class=\"cards\">\n");
  card(f, "physics", r->physics);
  card(f, "analysis", r->analysis);
  if (r->mesh) number_card(f, "nodes", r->mesh->nnodes);
  if (r->view) number_card(f, "cells", r->view->ncells);
  if (r->matrix) number_card(f, "unknowns", (long long)r->matrix->n);
  checks_card(f, r);
  bf_html_raw(f, "<div class=\"card\"><b>");
  bf_html_say(f, "%.3g s", p->seconds);
  bf_html_raw(f, "</b><span>until this page was written</span></div>\n</div>\n</header>\n");
}

static void contents(bf_atomic_file *f, const bf_page *p)
{
  const bf_result *r = p->result;
  bf_html_raw(f, "<nav><a href=\"#model\">Model</a>");
  bf_html_raw(f, "<a href=\"#values\">Results</a>");
  if (r->matrix) bf_html_raw(f, "<a href=\"#matrix\">Matrix</a>");
  bf_html_raw(f, "<a href=\"#solve\">Solution</a><a href=\"#warnings\">Messages</a><a "
                 "href=\"#origin\">Provenance</a></nav>\n");
}

bf_err bf_write_page(const bf_page *p, const char *path)
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  BF_CHECK(p && p->result, BF_E_ARG, "no result");
  BF_GO(bf_atomic_file_create(path, &f));
  bf_html_raw(f, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta "
                 "charset=\"utf-8\"/>\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<link "
                 "rel=\"icon\" href=\"data:,\"/>\n<title>");
  bf_html_text(f, p->result->title && p->result->title[0] ? p->result->title : "bandfem");
  bf_html_raw(f, "</title>\n<style>\n");
  bf_html_raw(f, style);
  bf_html_raw(f, "</style>\n</head>\n<body>\n");
  head(f, p);
  contents(f, p);
  BF_GO(bf_page_pictures(f, p));
  bf_page_values(f, p);
  bf_page_analysis(f, p);
  bf_page_model(f, p);
  BF_GO(bf_page_matrix(f, p));
  bf_page_solve(f, p);
  bf_page_provenance(f, p);
  bf_html_raw(f, "</body>\n</html>\n");
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}
