/* tests/inputs/good_deck.h - a deck with most sections, and the call that reads it */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_INPUTS_GOOD_DECK_H
#define BF_TESTS_INPUTS_GOOD_DECK_H
#include "base/diag.h"
#include "inputs/deck.h"
#include "tests/test.h"

static const char good[] =
    "deck: 1\n"
    "title: \"a bar: pulled\"\n"
    "mesh: {file: bar.msh, scale: 1.0e-3}\n"
    "physics: elasticity\n"
    "discretization: {space: 3d, thickness: 2, quadrature: 3}\n"
    "materials:\n"
    "  steel: {groups: [bar, 3:7], E: \"2.1e11*(1 + x)\", nu: .3, rho: +7850.}\n"
    "  brass: {group: rod, E: \"1e11\", nu: 0.0}\n"
    "boundary:\n"
    "  - {group: clamp, type: fixed}\n"
    "  - {groups: [side, back], type: displacement, x: 0, z: \"1e-3*y\"}\n"
    "  - group: tip\n"
    "    type: traction\n"
    "    value: [\"1e6*sin(pi*x)\", -2.5e+3]\n"
    "loads:\n"
    "  - {type: gravity, g: [0.0, 0.0, -9.81]}\n"
    "solver: {rtol: 1E-6, method: bicgstab}\n"
    "output:\n"
    "  fields: [stress]\n"
    "  probes: {tip: {at: [1.0, 0.05]}, root: {at: [0, 0, 0], fields: [stress_nodal, displacement]}}\n"
    "checks:\n"
    "  - {quantity: probe.tip.displacement.z / probe.root.stress_nodal.xx, expect: -2, rtol: 0.1, note: by "
    "hand}\n"
    "  - {quantity: reaction.clamp, report: true}\n";

static inline bf_deck *read_good(const char *text)
{
  bf_diags     d    = {0};
  bf_deck     *deck = NULL;
  const bf_err err  = bf_deck_read_text("folder/bar.v2.yaml", text, strlen(text), &d, &deck);
  if (err != BF_OK) bf_diags_print(&d, 0, stderr);
  assert_int_equal(err, BF_OK);
  assert_int_equal(d.count, 0);
  bf_diags_clear(&d);
  return deck;
}
#endif
