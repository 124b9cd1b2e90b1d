/* outputs/html/page.h - report.html: a run on one page for a browser, without files beside it or network */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_HTML_PAGE_H
#define BF_HTML_PAGE_H
#include "mesh/numbering.h"
#include "outputs/atomic_file.h"
#include "outputs/html/spy.h"
#include "outputs/result.h"

typedef struct bf_page_entry { /* a material, condition or load of the deck */
  const char *kind;            /* "material", "boundary", "load" */
  int64_t     line;            /* of the deck; 0: none */
  char        text[400];       /* "traction [0, 0, -1e+06] on x_max" */
  char        extent[96];      /* "16 elements, 25 nodes, 0.01 m2"; "" = not known */
  char        total[300];      /* resultant, "(0, 0, -10000) N"; "" = none */
} bf_page_entry;

typedef struct bf_page {
  const bf_result     *result;
  const char          *space;         /* "" = that of the mesh */
  const char          *length;        /* unit */
  const bf_quality    *quality;       /* NULL = not computed */
  const double        *group_measure; /* [ngroups of the mesh], or NULL */
  int                  nentries;
  const bf_page_entry *entry;
  char                 loads[160];    /* total of all loads; "" = none */
  char                 supports[400]; /* prescribed unknowns; "" = not known */
  const bf_numbering  *numbering;
  const bf_spy        *spy; /* NULL = none */
  const bf_diags      *diags;
  const char          *device;  /* "cpu: 2 threads" */
  double               seconds; /* of the run so far */
} bf_page;

enum { BF_PAGE_MOST = 3000000 }; /* bytes: lists are cut and pictures left out where they would exceed it */

/* As the writers of result.h.  The markup is well-formed XML; every text of a user is escaped. */
bf_err bf_write_page(const bf_page *p, const char *path);

/* Sections, each in a file of its own (private) */
void   bf_page_model(bf_atomic_file *f, const bf_page *p);    /* section_model.c */
bf_err bf_page_matrix(bf_atomic_file *f, const bf_page *p);   /* section_matrix.c */
void   bf_page_solve(bf_atomic_file *f, const bf_page *p);    /* section_solve.c */
void   bf_page_values(bf_atomic_file *f, const bf_page *p);   /* section_values.c */
void   bf_page_analysis(bf_atomic_file *f, const bf_page *p); /* section_analysis.c: cases, modes, waves */
bf_err bf_page_pictures(bf_atomic_file *f, const bf_page *p); /* section_pictures.c */
void   bf_page_provenance(bf_atomic_file *f,
                          const bf_page  *p); /* section_provenance.c: warnings, origin, deck */
#endif
