/* assembly/recover/recover.h - inside assembly/: the steps of bf_model_recover, each adds its fields to the
 * solution
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_RECOVER_RECOVER_H
#define BF_ASSEMBLY_RECOVER_RECOVER_H
#include "assembly/basis/von_mises.h"
#include "assembly/model/internal.h"
#include "assembly/recover/solution.h"

/* the solution: displacement, temperature, .. */
bf_err bf_recover_primary(const bf_model *m, const bf_numbering *num, const bf_view *view, const double *u,
                          bf_solution *out);
/* reaction, sums per group, applied, reacted, balance, moment_balance; bs: of the basis (batches) */
bf_err bf_recover_reactions(const bf_model *m, const bf_numbering *num, bf_backend *be, const bf_batches *bs,
                            const bf_view *view, const double *u, bf_phases *phases, bf_solution *out);
/* f += element forces Ke u of the batch, in chunks; u, f: backend, by scalar row */
bf_err bf_recover_add_forces(bf_backend *be, const bf_model_batch *b, bf_int nrows, const double *u,
                             double *f);
/* u[nrows*ncomp], by row of bs's numbering: computes the unknowns from row `first` on, which static
 * condensation eliminated (condensed_nodes.c) */
bf_err bf_recover_inner(const bf_model *m, const bf_numbering *num, const bf_batches *bs, bf_int first,
                        double *u);
/* strain, stress, von_mises, von_mises_max_ip, stress_nodal, von_mises_nodal | heat_flux, heat_flux_nodal |
 * flux, flux_nodal, cell_peclet; error_estimate; out->error_estimate, out->patched */
bf_err bf_recover_elements(const bf_model *m, const bf_numbering *num, const bf_view *view, const double *u,
                           bf_solution *out);
/* spectrum_min, spectrum_max, zero_energy_modes, critical_time_step, out->spectrum: element_spectrum.c */
bf_err bf_recover_spectra(bf_model *m, const bf_numbering *num, const bf_batches *bs, const bf_view *view,
                          bf_phases *phases, bf_solution *out);
/* axes_fields.c: fields of vectors and tensors in the axes of the problem's output; steps: of fields by step
 */
bf_err bf_recover_in_axes(const bf_model *m, const bf_view *view, int steps, bf_solution *out);
/* material_id */
bf_err bf_recover_material(const bf_model *m, const bf_view *view, bf_solution *out);

/* ---- entries of bf_basis_fem (basis/basis.h) ---- */
bf_err bf_fem_nodal_forces(const bf_model *m, const bf_numbering *num, bf_backend *be, const bf_batches *bs,
                           const double *u, bf_phases *phases, bf_nodal_forces *f);
bf_err bf_fem_element_fields(const bf_model *m, const bf_numbering *num, const bf_view *view, const double *u,
                             const bf_basis_targets *to, bf_solution *out);
bf_err bf_fem_field_create(bf_basis_field *f);

/* P[a][q], a < n, such that the value at xi[a] = sum_q P[a][q] (value at point q): the polynomial in the
 * shape functions of `basis` that fits the points best, sum_q w_q (p(xi_q) - value_q)^2 -> min.  Returns 0
 * and leaves P unchanged if the rule does not determine it. */
int bf_recover_fit(bf_elem_type basis, const bf_rule *rule, int n, const double (*xi)[3],
                   double (*P)[BF_QUADRATURE_MAX]);
/* P[a][q] of the weighted mean of the points. */
void bf_recover_mean(const bf_rule *rule, int n, double (*P)[BF_QUADRATURE_MAX]);
/* The fit in the shape functions of the element itself; if the rule has too few points, in those of the
 * linear element of the same shape, or else the mean. */
void bf_recover_extrapolation(bf_elem_type type, const bf_rule *rule, int n, const double (*xi)[3],
                              double (*P)[BF_QUADRATURE_MAX]);
#endif
