/* app/solve/options.c - command line of bandfem solve: table of options and values */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/message.h"
#include "app/job.h"
#include "app/solve/mtx.h"
#include "base/number.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 10, BLOCK_SIZE_MOST = 480 };

typedef struct option {
  const char *name;
  size_t      at;          /* of the int in bf_mtx_options; of the text if there are no words */
  int         first;       /* value of the first word, the others count on */
  const char *word[WORDS]; /* none: any text */
} option;

#define WORD(word, NAME) #word,
#define AT(member)       offsetof(bf_mtx_options, member)
static const option options[] = {
    {"--rhs", AT(rhs), 0, {NULL}},
    {"--out", AT(out), 0, {NULL}},
    {"--csv", AT(csv), 0, {NULL}},
    {"--json", AT(json), 0, {NULL}},
    {"--coordinates", AT(coordinates), 0, {NULL}},
    {"--components", AT(components), 1, {"1", "2", "3"}},
    {"--backend", AT(backend), 0, {NULL}},
    {"--method", AT(method), BF_MTX_AUTO, {"auto", "cg", "bicgstab", "bicg", "direct", "inverse"}},
    {"--format", AT(format), BF_MTX_AUTO, {"auto", BF_FORMAT_LIST(WORD)}},
    {"--storage", AT(storage), BF_MTX_AUTO, {"auto", "full", "symmetric"}},
    {"--reorder", AT(order), BF_MTX_AUTO, {"auto", "file", "rcm"}},
    {"--precision", AT(prec), BF_FP64, {"fp64", "fp32"}},
    {"--preconditioner", AT(precond), BF_PRECOND_NONE, {"none", "jacobi", "block_jacobi", "multigrid"}},
    {"--block-parts", AT(metis), 0, {"couplings", "metis"}},
    {"--block-values", AT(block_values), BF_FP64, {"fp64", "fp32"}},
};
static const char *const backends[] = {"auto", "cpu", "cuda"};
enum { OPTIONS = sizeof options / sizeof *options, OTHERS = 6 };

static int refuse(const bf_mtx_options *opt, const char *word, const char *why)
{
  bf_say(opt->json_errors, "solve: %s '%s'; see bandfem solve --help", why, word);
  return BF_EXIT_INTERNAL;
}

/* Reports a value that is not a word of the option. */
static int refuse_value(const bf_mtx_options *opt, const char *name, const char *value,
                        const char *const *word)
{
  char valid[120] = "";
  int  n          = 0;
  for (; n < WORDS && word[n]; n++)
    snprintf(valid + strlen(valid), sizeof valid - strlen(valid), "%s%s", n ? ", " : "", word[n]);
  const char *near = bf_nearest(value, word, n);
  bf_say(opt->json_errors, "solve: unknown value '%s' of %s;%s%s%s valid: %s", value, name,
         near ? " did you mean '" : "", near ? near : "", near ? "'?" : "", valid);
  return BF_EXIT_INTERNAL;
}

/* The value of an option with words, or any text. */
static int take(bf_mtx_options *opt, const option *o, const char *value)
{
  char *at = (char *)opt + o->at;
  if (o->at == AT(backend)) {
    const char *const word[WORDS] = {backends[0], backends[1], backends[2]};
    int               k           = 0;
    while (k < 3 && strcmp(value, word[k]) != 0) k++;
    if (k == 3) return refuse_value(opt, o->name, value, word);
  }
  if (!o->word[0]) {
    memcpy(at, &value, sizeof value);
    return -1;
  }
  int k = 0;
  while (k < WORDS && o->word[k] && strcmp(value, o->word[k]) != 0) k++;
  if (k == WORDS || !o->word[k]) return refuse_value(opt, o->name, value, o->word);
  k += o->first;
  memcpy(at, &k, sizeof k);
  return -1;
}

/* --rtol, --max-iterations, --block-size, --memory-limit: -2 if the name is none of them. */
static int take_number(bf_mtx_options *opt, const char *name, const char *value)
{
  double    v    = 0.0;
  const int rtol = strcmp(name, "--rtol") == 0, limit = strcmp(name, "--max-iterations") == 0;
  const int size = strcmp(name, "--block-size") == 0, memory = strcmp(name, "--memory-limit") == 0;
  if (!rtol && !limit && !size && !memory) return -2;
  if (!value) return -1;
  const int wrong = bf_text_number(value, &v);
  if (rtol && (wrong || !(v >= 2.3e-16 && v < 1.0)))
    return refuse(opt, value, "--rtol must be at least 2.3e-16 (machine precision) and less than 1, got");
  if (limit && (wrong || v != (double)(int64_t)v || v < 1.0 || v > 1e8))
    return refuse(opt, value, "--max-iterations must be a whole number from 1 to 100000000, got");
  if (size && (wrong || v != floor(v) || v < 1.0 || v > BLOCK_SIZE_MOST))
    return refuse(opt, value, "--block-size must be a whole number from 1 to 480, got");
  if (memory && (wrong || !(v > 0.0 && v <= 1.0)))
    return refuse(opt, value, "--memory-limit must be above 0 and at most 1, got");
  if (rtol || memory)
    *(rtol ? &opt->rtol : &opt->memory_limit) = v;
  else
    *(size ? &opt->block_size : &opt->max_iterations) = (int)v;
  return -1;
}

static const option *option_of(const char *name)
{
  for (int k = 0; k < OPTIONS; k++)
    if (strcmp(options[k].name, name) == 0) return &options[k];
  return NULL;
}

/* Reports an unknown option or a second file. */
static int unknown(const bf_mtx_options *opt, const char *word)
{
  const char *name[OPTIONS + OTHERS] = {"--rtol",         "--max-iterations", "--block-size",
                                        "--memory-limit", "--quiet",          "--errors=json"};
  for (int k = 0; k < OPTIONS; k++) name[OTHERS + k] = options[k].name;
  if (strncmp(word, "--errors", 8) == 0) return refuse(opt, word, "expected --errors=text or json, got");
  const char *near = word[0] == '-' ? bf_nearest(word, name, OPTIONS + OTHERS) : NULL;
  if (!near) return refuse(opt, word, "unknown option or argument");
  bf_say(opt->json_errors,
         "solve: unknown option or argument '%s'; did you mean '%s'? see bandfem solve --help", word, near);
  return BF_EXIT_INTERNAL;
}

int bf_mtx_read_options(int argc, char **argv, bf_mtx_options *opt)
{
  *opt                  = (bf_mtx_options){.method         = BF_MTX_AUTO,
                                           .format         = BF_MTX_AUTO,
                                           .storage        = BF_MTX_AUTO,
                                           .order          = BF_MTX_AUTO,
                                           .prec           = BF_FP64,
                                           .precond        = BF_PRECOND_JACOBI,
                                           .components     = 1,
                                           .block_size     = 64,
                                           .block_values   = BF_FP32,
                                           .rtol           = 1e-8,
                                           .memory_limit   = 0.9,
                                           .max_iterations = BF_ITERATIONS_AUTO,
                                           .json_errors    = bf_say_json(argc, argv)};
  const char *iterative = NULL; /* an option of iterative methods only */
  const char *rounded   = NULL; /* an option that --method direct does not use */
  const char *memory    = NULL; /* an option of method inverse only */
  const char *body      = NULL; /* an option of multigrid only */
  const char *blocks    = NULL; /* an option of block_jacobi only */
  for (int i = 0; i < argc; i++) {
    const option *o     = option_of(argv[i]);
    const char   *value = i + 1 < argc && argv[i + 1][0] ? argv[i + 1] : NULL;
    int           exit  = o ? -1 : take_number(opt, argv[i], value);
    if (o || exit != -2) {
      if (!value) return refuse(opt, argv[i], "a value is missing after");
      if (o) exit = take(opt, o, value);
      if (exit >= 0) return exit;
      if (o ? o->at == AT(precond) : strcmp(argv[i], "--max-iterations") == 0) iterative = argv[i];
      if (o && o->at == AT(prec)) rounded = argv[i];
      if (strcmp(argv[i], "--memory-limit") == 0) memory = argv[i];
      if (strncmp(argv[i], "--block-", 8) == 0) blocks = argv[i];
      if (strncmp(argv[i], "--co", 4) == 0) body = argv[i];
      i++;
    } else if (strcmp(argv[i], "--quiet") == 0) {
      opt->quiet = 1;
    } else if (bf_say_option(argv[i])) {
      continue;
    } else if (argv[i][0] == '-' || opt->path) {
      return unknown(opt, argv[i]);
    } else {
      opt->path = argv[i];
    }
  }
  const int direct = opt->method == BF_METHOD_DIRECT, inverse = opt->method == BF_METHOD_INVERSE;
  if (direct && rounded && !iterative) iterative = rounded;
  if ((direct || inverse) && iterative) {
    bf_say(opt->json_errors, "solve: %s requires an iterative method, not --method %s", iterative,
           direct ? "direct" : "inverse");
    return BF_EXIT_INTERNAL;
  }
  if (memory && !inverse) {
    bf_say(opt->json_errors, "solve: --memory-limit requires --method inverse");
    return BF_EXIT_INTERNAL;
  }
  if (blocks && opt->precond != BF_PRECOND_BLOCK_JACOBI) {
    bf_say(opt->json_errors, "solve: %s requires --preconditioner block_jacobi", blocks);
    return BF_EXIT_INTERNAL;
  }
  if (body && opt->precond != BF_PRECOND_MULTIGRID) {
    bf_say(opt->json_errors, "solve: %s requires --preconditioner multigrid", body);
    return BF_EXIT_INTERNAL;
  }
  if (opt->coordinates && opt->components < 2) {
    bf_say(opt->json_errors, "solve: --coordinates requires --components 2 or 3");
    return BF_EXIT_INTERNAL;
  }
  if (opt->path) return -1;
  bf_say(opt->json_errors, "solve: no matrix given; see bandfem solve --help");
  return BF_EXIT_INTERNAL;
}
