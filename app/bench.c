/* app/bench.c - bandfem bench: which table, its options */
#include "app/bench.h"
#include "app/job.h"
#include "app/say.h"
#include <string.h>

static const struct {
  const char *name;
  bf_err (*run)(bf_bench *);
} tables[] = {
    {"spmv", bf_bench_spmv},         {"paper", bf_bench_paper},         {"cg", bf_bench_cg},
    {"bicgstab", bf_bench_bicgstab}, {"transpose", bf_bench_transpose}, {"coo2csr", bf_bench_coo2csr}};
enum { TABLES = sizeof tables / sizeof *tables };

static int refuse(const bf_bench *b, const char *word, const char *why)
{
  bf_say(b->json_errors, "bench %s: %s '%s'; see bandfem --help", b->table, why, word);
  return BF_EXIT_INTERNAL;
}

/* The words after the table's name; -1, or the exit status after a message. */
static int options(bf_bench *b, int argc, char **argv, const char **backend, const char **csv)
{
  enum { MOST = sizeof b->only / sizeof *b->only };
  for (int i = 0; i < argc; i++) {
    const int    named = strcmp(argv[i], "--case") == 0;
    const char **value = strcmp(argv[i], "--backend") == 0 ? backend
                         : strcmp(argv[i], "--csv") == 0   ? csv
                         : named && b->nonly < MOST        ? &b->only[b->nonly]
                                                           : NULL;
    if (named && !value) return refuse(b, argv[i], "too many times");
    if (value) {
      if (i + 1 == argc || argv[i + 1][0] == '\0') return refuse(b, argv[i], "a value is missing after");
      *value = argv[++i];
      b->nonly += named;
    } else if (strcmp(argv[i], "--quick") == 0) {
      b->quick = 1;
    } else if (!bf_say_option(argv[i])) {
      return refuse(b, argv[i], "cannot use");
    }
  }
  return -1;
}

static int run_table(int k, int argc, char **argv)
{
  bf_bench    b       = {.table = tables[k].name, .json_errors = bf_say_json(argc, argv)};
  const char *backend = "auto", *csv = NULL, *why = "";
  const int   exit = options(&b, argc, argv, &backend, &csv);
  if (exit >= 0) return exit;
  if (strcmp(backend, "auto") != 0 && strcmp(backend, "cpu") != 0 && strcmp(backend, "cuda") != 0)
    return refuse(&b, backend, "--backend is auto, cpu or cuda, not");
  if (csv && !(b.csv = fopen(csv, "a"))) {
    bf_say(b.json_errors, "bench: cannot write '%s'", csv);
    return BF_EXIT_FILE;
  }
  bf_bench_header(b.csv);
  bf_err err = bf_backend_create(backend, &why, &b.be);
  if (err == BF_OK) err = bf_bench_ceilings(&b);
  if (err == BF_OK) err = tables[k].run(&b);
  if (err == BF_OK && b.shown == 0) {
    bf_say(b.json_errors, "bench %s: no case '%s' here", b.table, b.nonly > 0 ? b.only[0] : "");
    err = BF_E_ARG;
  } else if (err != BF_OK)
    bf_say(b.json_errors, "%s", bf_err_trace());
  if (b.csv && (ferror(b.csv) | fclose(b.csv)) && err == BF_OK) {
    bf_say(b.json_errors, "bench: '%s' could not be written", csv);
    err = BF_E_FILE;
  }
  bf_backend_destroy(&b.be);
  return bf_exit_status(err);
}

int bf_cmd_bench(int argc, char **argv)
{
  for (int k = 0; k < TABLES && argc > 0; k++)
    if (strcmp(argv[0], tables[k].name) == 0) return run_table(k, argc - 1, argv + 1);
  return bf_bench_deck(argc, argv);
}
