/* app/bench/bench.c - bandfem bench: which table, its options */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/bench.h"
#include "app/cli/message.h"
#include "app/cli/usage.h"
#include "app/job.h"
#include "base/memory.h"
#include <string.h>
#include <unistd.h>

static const struct {
  const char *name;
  bf_err (*run)(bf_bench *);
} tables[] = {{"spmv", bf_bench_spmv},
              {"paper", bf_bench_paper},
              {"cg", bf_bench_cg},
              {"bicgstab", bf_bench_bicgstab},
              {"transpose", bf_bench_transpose},
              {"coo2csr", bf_bench_coo2csr},
              {"lu", bf_bench_lu},
              {"inverse", bf_bench_inverse},
              {"cholesky", bf_bench_cholesky},
              {"eigen", bf_bench_eigen},
              {"once", bf_bench_once},
              {"pencil", bf_bench_pencil},
              {"syinv", bf_bench_syinv},
              {"published", bf_bench_published}};
enum { TABLES = sizeof tables / sizeof *tables };

typedef struct words { /* values of options */
  const char *backend, *csv, *others;
} words;

static int refuse(const bf_bench *b, const char *word, const char *why)
{
  bf_say(b->json_errors, "bench %s: %s '%s'; see bandfem bench --help", b->table, why, word);
  return BF_EXIT_INTERNAL;
}

/* The words after the table's name; -1, or the exit status after a message. */
static int options(bf_bench *b, int argc, char **argv, words *w)
{
  enum { MOST = sizeof b->only / sizeof *b->only };
  for (int i = 0; i < argc; i++) {
    const int    named = strcmp(argv[i], "--case") == 0;
    const char **value = strcmp(argv[i], "--backend") == 0  ? &w->backend
                         : strcmp(argv[i], "--csv") == 0    ? &w->csv
                         : strcmp(argv[i], "--others") == 0 ? &w->others
                         : named && b->nonly < MOST         ? &b->only[b->nonly]
                                                            : NULL;
    if (named && !value) return refuse(b, argv[i], "too many times");
    if (value) {
      if (i + 1 == argc || argv[i + 1][0] == '\0') return refuse(b, argv[i], "a value is missing after");
      *value = argv[++i];
      b->nonly += named;
    } else if (strcmp(argv[i], "--quick") == 0) {
      b->quick = 1;
    } else if (strcmp(argv[i], "--list") == 0) {
      b->list = 1;
    } else if (!bf_say_option(argv[i])) {
      return refuse(b, argv[i], "unknown option or argument");
    }
  }
  if (strcmp(w->backend, "auto") == 0 || strcmp(w->backend, "cpu") == 0 || strcmp(w->backend, "cuda") == 0)
    return -1;
  return refuse(b, w->backend, "--backend is auto, cpu or cuda, not");
}

/* Tables first .. last. */
static bf_err run_tables(bf_bench *b, int first, int last)
{
  if (!b->list) BF_TRY(bf_bench_ceilings(b));
  for (int k = first; k <= last; k++) {
    b->table = tables[k].name;
    if (first < last) printf("\n%s\n", b->table);
    BF_TRY(tables[k].run(b));
  }
  return BF_OK;
}

static int bench(const char *table, int first, int last, int argc, char **argv)
{
  bf_bench    b    = {.table = table, .json_errors = bf_say_json(argc, argv)};
  words       w    = {.backend = "auto"};
  const char *why  = "";
  const int   exit = options(&b, argc, argv, &w);
  if (exit >= 0) return exit;
  if (w.csv && !(b.csv = fopen(w.csv, "a"))) {
    bf_say(b.json_errors, "bench: cannot write '%s'", w.csv);
    return BF_EXIT_FILE;
  }
  bf_bench_header(b.csv);
  bf_err err = w.others ? bf_bench_read_others(&b, w.others) : BF_OK;
  if (err == BF_OK) err = bf_backend_create(w.backend, &why, &b.be);
  if (err == BF_OK) err = run_tables(&b, first, last);
  if (err == BF_OK && b.shown == 0) {
    bf_say(b.json_errors, "bench %s: no case '%s'; bandfem bench %s --list prints the cases", table,
           b.nonly > 0 ? b.only[0] : "", table);
    err = BF_E_ARG;
  } else if (err != BF_OK)
    bf_say(b.json_errors, "%s", bf_err_trace());
  if (b.csv && (ferror(b.csv) | fclose(b.csv)) && err == BF_OK) {
    bf_say(b.json_errors, "bench: '%s' could not be written", w.csv);
    err = BF_E_FILE;
  }
  bf_host_free(b.other);
  bf_backend_destroy(&b.be);
  return bf_exit_status(err);
}

/* The first word names neither a table nor a file; words of other forms are left to the reader of decks. */
static int no_table(const char *word, int json)
{
  const char  *names[TABLES + 3] = {"all", "list", "preconditioners"};
  const size_t length            = strlen(word);
  if (word[0] == '-' || strchr(word, '/') || access(word, F_OK) == 0) return 0;
  if (length > 5 && strcmp(word + length - 5, ".yaml") == 0) return 0;
  if (length > 4 && strcmp(word + length - 4, ".yml") == 0) return 0;
  for (int k = 0; k < TABLES; k++) names[k + 3] = tables[k].name;
  const char *near = bf_nearest(word, names, TABLES + 3);
  bf_say(json, "bench: no table and no deck '%s'%s%s%s bandfem bench list prints the tables", word,
         near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ";");
  return 1;
}

int bf_cmd_bench(int argc, char **argv)
{
  if (argc == 1 && strcmp(argv[0], "list") == 0 && access(argv[0], F_OK) != 0) {
    bf_usage_command(stdout, "bench");
    return BF_EXIT_OK;
  }
  if (argc > 0 && strcmp(argv[0], "preconditioners") == 0)
    return bf_bench_preconditioners(argc - 1, argv + 1);
  if (argc > 0 && strcmp(argv[0], "all") == 0) return bench("all", 0, TABLES - 1, argc - 1, argv + 1);
  for (int k = 0; k < TABLES && argc > 0; k++)
    if (strcmp(argv[0], tables[k].name) == 0) return bench(argv[0], k, k, argc - 1, argv + 1);
  if (argc > 0 && no_table(argv[0], bf_say_json(argc, argv))) return BF_EXIT_INTERNAL;
  return bf_bench_deck(argc, argv);
}
