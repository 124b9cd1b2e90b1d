/* app/bench/bench.h - what the tables of bandfem bench share: matrices made for the purpose, times, ceilings,
 * rows
 *
 *     bandfem bench TABLE|all [--case NAME]... [--list] [--quick] [--csv FILE] [--others FILE] [--backend
 * NAME] bandfem bench DECK ...
 *
 * A table is a list of cases; a case one matrix; a row one kernel's time on it.  The vendor's kernels (peers)
 * are rows too, measured first, and every later row of the case is compared with the first of them, which the
 * goals name, and with the fastest.  --case names one of the list; a table of batches takes any type, order
 * and number of matrices, d300x4000.  A new table is one file bench_<table>.c with one function, and one line
 * in bench.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_BENCH_BENCH_H
#define BF_APP_BENCH_BENCH_H
#include "base/graph.h"
#include "solvers/solver.h"
#include <stdio.h>

typedef struct bf_bench {
  bf_backend            *be;
  const char            *table; /* "spmv" */
  const char            *only[64];
  int                    nonly; /* --case: these cases; none: all */
  int                    quick; /* small matrices */
  int                    list;  /* --list: print the names of the cases, measure nothing */
  int                    shown; /* cases so far */
  int                    json_errors;
  FILE                  *csv;   /* or NULL */
  struct bf_bench_other *other; /* [nother] rows that another program measured: --others */
  int                    nother;
  double                 copy, read; /* bytes/s of this run's memory: bf_memory_rates */
  char                   name[96];   /* of the case at hand */
  double peer, best; /* seconds of its first peer (the one the goals name) and of its fastest; 0: none */
} bf_bench;

typedef struct bf_bench_row {
  const char *kernel;
  double      seconds, bytes; /* bytes the format itself must move */
  double      error;   /* largest error over the largest entry, of dense factors in units of their residual's
                          bound; negative: not measured */
  int    peer;         /* 1: a peer; later rows of the case are compared with the first and the fastest */
  double flops, floor; /* dense: the standard count, seconds no kernel can beat; else 0 */
  int    failed;       /* dense: matrices whose info is not 0 */
  int    compared;     /* with the result of a serial program: */
  double difference, relative; /* root mean square of the difference; over that of the serial result */
} bf_bench_row;

/* ---- matrices */
typedef enum { BF_CASE_BAND, BF_CASE_GRID, BF_CASE_TET, BF_CASE_RANDOM } bf_case_kind;

typedef struct bf_case {
  const char  *name;
  bf_case_kind kind;        /* one band; 27-point grid; neighbours of scattered points; columns at random */
  bf_int       size;        /* BAND, RANDOM: rows; GRID, TET: points along an edge of the cube */
  bf_int       width;       /* BAND: diagonals, RANDOM: mean entries of a row; else 0 */
  int          unsymmetric; /* values; RANDOM: the pattern too */
} bf_case;

/* Off-diagonal values lie in (-1, -1/4], the diagonal is 1.0001 times the sum of the row's others: positive
 * definite if symmetric, with a condition near that of a Laplacian.  Value (i, j) depends on i and j alone.
 */
bf_int bf_case_rows(const bf_case *c);
double bf_case_value(const bf_case *c, bf_int row, bf_int column); /* off the diagonal */

/* Pattern with the diagonal, parallel over rows. */
bf_err bf_case_graph(const bf_case *c, bf_graph **out);
/* fp64 matrix in CSR, from the pattern. */
bf_err bf_case_csr(bf_backend *be, const bf_case *c, const bf_graph *g, bf_matrix **out);
/* fp64 matrix in bDIA, full or half: BAND and GRID only, one segment. */
bf_err bf_case_bdia(bf_backend *be, const bf_case *c, int half, bf_matrix **out);
/* Guard that the vectors of every format of this case need. */
bf_int bf_case_guard(const bf_case *c);

/* Entries in (-1/2, 1/2), the same in every run. */
bf_err bf_bench_random(bf_backend *be, bf_int n, double *x);

typedef struct bf_sized_case { /* of a table's list: the size on a device, on the host, with --quick; 0: not
                                  there */
  bf_case c;
  bf_int  device, host, quick;
  int     warm; /* measured with warm caches: matrices that live in them */
} bf_sized_case;
/* The cases that were asked for, in order, each with its heading. */
bf_err bf_bench_cases(bf_bench *b, const bf_sized_case *all, size_t count,
                      bf_err (*one)(bf_bench *b, const bf_case *c, int warm));

/* ---- times: median seconds of fn(context), which queues work on the backend.  Cold: other memory passes
 * through the caches before every call; warm: the time a call takes in a row of them, on the device as one
 * graph (with BANDFEM_PEERS; else by the wall clock). */
bf_err bf_bench_seconds(bf_backend *be, int warm, bf_err (*fn)(void *context), void *context,
                        double *seconds);
/* The same of `calls` runs in a row, each on data of its own that prepare restores before, outside of the
 * time.  Cold.  Has been run before. */
bf_err bf_bench_seconds_fresh(bf_backend *be, int                 calls, bf_err (*prepare)(void *context),
                              bf_err (*run)(void *context), void *context, double *seconds);

typedef struct bf_memory_rates { /* of three arrays of n doubles, far larger than the caches but with quick */
  bf_int n;
  double copy, triad, read; /* bytes/s; copy and triad count reads and writes */
} bf_memory_rates;
/* Fewer entries where 48 n bytes are not free.  On the CPU 2 to 4 s, 384 MiB. */
bf_err bf_bench_memory(bf_backend *be, int quick, bf_memory_rates *m);
void   bf_bench_memory_text(const bf_memory_rates *m, char text[128]);
bf_err bf_bench_ceilings(bf_bench *b); /* measures, prints, and keeps the rates in b */

/* --case NAME was given, or no --case at all. */
int bf_bench_selected(const bf_bench *b, const char *name);
/* With --list: prints the name, counts the case and returns 1. */
int bf_bench_listed(bf_bench *b, const char *name);
/* Prints the row and writes it to the table's file. */
void bf_bench_show(bf_bench *b, const bf_bench_row *row);
void bf_bench_header(FILE *csv);

/* y = A x, for bf_bench_seconds. */
typedef struct bf_product {
  const bf_matrix *A;
  const double    *x;
  double          *y;
} bf_product;
bf_err bf_product_run(void *product);

/* Largest difference of y to a host reference, over the reference's largest entry. */
bf_err bf_bench_error(bf_backend *be, bf_int n, const double *y, const double *reference, double *error);

/* Seconds of one iteration of CG or BiCGStab without preconditioner on A x = rhs from x = 0, many queued at
 * once; rhs with A's guard.  apart: one product and one step after the other, even where the backend has
 * whole iterations.  INFINITY where it ended too early.  *error: the last one's drift. */
bf_err bf_bench_iteration(const bf_matrix *A, bf_method method, int apart, const double *rhs, double *seconds,
                          double *error);
/* How far the residual that iterations carry along, rr its square, is from that of x:
 * | |rhs - A x| - sqrt(rr) | / |rhs|; -1 where one of them is not finite. */
bf_err bf_bench_drift(const bf_matrix *A, const double *rhs, const double *x, double rr, double *error);

/* ---- peers: cuSPARSE products of A (CSR), fp64 and fp32 values, as rows; nothing without BANDFEM_PEERS or
 * off the device. */
bf_err bf_bench_peer_products(bf_bench *b, int warm, const bf_matrix *A, const double *x, double *y,
                              const double *reference);
/* One iteration of CG or BiCGStab by cuSPARSE and cuBLAS as rows, scalars on the device, no convergence test:
 * call by call, and as a graph.  bytes: of a row. */
bf_err bf_bench_peer_iterations(bf_bench *b, const bf_matrix *A, bf_method method, const double *rhs,
                                double *x, double bytes);

/* ---- rows of other programs: table,case,kernel,seconds,error,failed, one a line after a heading */
typedef struct bf_bench_other {
  char   table[16], name[32], kernel[64];
  double seconds, error;
  int    failed;
} bf_bench_other;
bf_err bf_bench_read_others(bf_bench *b, const char *path);
/* Rows of the case at hand, as peers; bytes, flops and floor are those of `row`. */
void bf_bench_other_rows(bf_bench *b, bf_bench_row row);

/* ---- the tables */
bf_err bf_bench_spmv(bf_bench *b);
bf_err bf_bench_cg(bf_bench *b);
bf_err bf_bench_bicgstab(bf_bench *b);
bf_err bf_bench_paper(bf_bench *b);
bf_err bf_bench_transpose(bf_bench *b);
bf_err bf_bench_coo2csr(bf_bench *b);
bf_err bf_bench_lu(bf_bench *b);
bf_err bf_bench_inverse(bf_bench *b);
bf_err bf_bench_cholesky(bf_bench *b);
bf_err bf_bench_eigen(bf_bench *b);
bf_err bf_bench_once(bf_bench *b);
bf_err bf_bench_pencil(bf_bench *b);
bf_err bf_bench_syinv(bf_bench *b);
bf_err bf_bench_published(bf_bench *b);
int    bf_bench_deck(int argc, char **argv); /* exit status, as the next */
int    bf_bench_preconditioners(int argc, char **argv);
#endif
