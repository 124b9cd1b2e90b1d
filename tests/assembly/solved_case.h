/* tests/assembly/solved_case.h - a t_case created, assembled, solved densely and recovered; and with failing
 * allocations
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_ASSEMBLY_SOLVED_CASE_H
#define BF_TESTS_ASSEMBLY_SOLVED_CASE_H
#include "tests/assembly/model_case.h"

typedef struct t_solved {
  bf_model   *m;
  bf_view    *view;
  t_system    s;
  bf_solution out;
  double     *x; /* solution by scalar row */
} t_solved;

static inline void t_solve_case(t_case *c, t_solved *r)
{
  memset(r, 0, sizeof *r);
  r->m = t_model(c);
  t_assemble(c, r->m, T_CSR, &r->s);
  T_OK(BF_NEW_ARRAY(r->x, r->s.n));
  t_dense_solve(r->m, r->s.n, r->s.dense, r->s.rhs, r->x);
  T_OK(bf_view_create(c->mesh, bf_model_region(r->m), &r->view));
  T_OK(bf_model_recover(r->m, r->s.num, t_be, r->view, r->x, &r->s.phases, &r->out));
}

/* Clears the case too. */
static inline void t_solved_clear(t_case *c, t_solved *r)
{
  bf_solution_clear(&r->out);
  bf_view_destroy(&r->view);
  t_system_clear(&r->s);
  bf_model_destroy(&r->m);
  bf_host_free(r->x);
  t_case_clear(c);
}

static inline const bf_field *t_field(const t_solved *r, const char *name)
{
  for (int i = 0; i < r->out.nfields; i++)
    if (strcmp(r->out.field[i].name, name) == 0) return &r->out.field[i];
  fail_msg("no field '%s'", name);
  return NULL;
}

/* Create, assemble and recover (of u = 0) where allocation k fails, for every k: nothing may leak.  Returns
 * how many runs failed (a formula is evaluated again where a thread had no memory). */
static inline int t_fail_everywhere(t_case *c)
{
  bf_numbering *num      = NULL;
  bf_matrix    *A        = NULL;
  double       *zero     = NULL;
  int           failures = 0;
  T_OK((c->p.condense ? bf_numbering_create_condensed : bf_numbering_create)(c->mesh, BF_ORDER_FILE, &num));
  T_OK(BF_NEW_ARRAY(zero, (size_t)num->nrows * 3));
  for (int64_t k = 0; k < 3000; k++) { /* the first run fails nowhere: the backend keeps its scratch of it */
    bf_model     *m     = NULL;
    bf_view      *view  = NULL;
    bf_solution   out   = {0};
    bf_diags      diags = {0};
    double       *b = NULL, *x0 = NULL;
    const int64_t live = bf_memory_live();
    T_OK(bf_matrix_create_bdia(t_be, num->bands, c->p.physics != BF_ELASTICITY ? 1 : c->mesh->dim,
                               c->p.physics != BF_ADVECTION, BF_FP64, num->nnz, &A));
    T_OK(bf_vector_create(t_be, A->nrows, A->guard, &b));
    T_OK(bf_vector_create(t_be, A->nrows, A->guard, &x0));
    bf_memory_fail_at(k);
    bf_err err = bf_model_create(c->mesh, t_problem(c), &diags, &m);
    if (err == BF_OK) err = bf_model_assemble(m, num, A, b, x0, NULL);
    if (err == BF_OK) err = bf_view_create(c->mesh, bf_model_region(m), &view);
    if (err == BF_OK) err = bf_model_recover(m, num, t_be, view, zero, NULL, &out);
    const int64_t calls = bf_memory_calls();
    bf_memory_fail_at(0);
    failures += err != BF_OK;
    if (calls < k || k == 0) assert_int_equal(err, BF_OK);
    bf_solution_clear(&out);
    bf_view_destroy(&view);
    bf_model_destroy(&m);
    bf_diags_clear(&diags);
    bf_vector_destroy(t_be, A->guard, &b);
    bf_vector_destroy(t_be, A->guard, &x0);
    bf_matrix_destroy(&A);
    if (k > 0) assert_int_equal(bf_memory_live(), live);
    if (k > 0 && calls < k) break;
  }
  bf_numbering_destroy(&num);
  bf_host_free(zero);
  return failures;
}
#endif
