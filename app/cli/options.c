/* app/cli/options.c - see options.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/options.h"
#include "app/cli/message.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Reports an unknown argument, or an option whose value is missing or wrong. */
static int refuse(const bf_job *job, const char *command, const char *word, const char *why)
{
  bf_say(job->json_errors, "%s: %s '%s'; see bandfem %s --help", command, why, word, command);
  return BF_EXIT_INTERNAL;
}

static int backend_known(const char *name)
{
  return strcmp(name, "auto") == 0 || strcmp(name, "cpu") == 0 || strcmp(name, "cuda") == 0;
}

/* The argument of -s. */
static int take_override(const char *command, const char *text, bf_job *job)
{
  enum { MOST = sizeof job->override / sizeof *job->override };
  if (!text) return refuse(job, command, "-s", "a value is missing after");
  if (text[0] == '=' || !strchr(text, '=')) return refuse(job, command, text, "-s: expected key=value, got");
  if (job->noverrides == MOST) return refuse(job, command, text, "more than 64 options -s, at");
  job->override[job->noverrides++] = text;
  return -1;
}

int bf_options(int argc, char **argv, const char *command, bf_job *job)
{
  const time_t now = time(NULL);
  struct tm    t;
  job->argc        = argc;
  job->argv        = argv;
  job->json_errors = bf_say_json(argc, argv);
  if (!gmtime_r(&now, &t) || strftime(job->start_utc, sizeof job->start_utc, "%Y-%m-%dT%H:%M:%SZ", &t) == 0)
    snprintf(job->start_utc, sizeof job->start_utc, "unknown");
  for (int i = 0; i < argc; i++) {
    const struct {
      const char  *name, *commands; /* commands with this option */
      const char **value;
    } with_value[] = {{"--backend", "run bench converge matrix", &job->backend_name},
                      {"--out", "run check converge", &job->out_dir},
                      {"--csv", "bench", &job->csv_path}};
    size_t k       = 0;
    while (k < 3 && strcmp(argv[i], with_value[k].name) != 0) k++;
    if (k < 3 && strstr(with_value[k].commands, command)) {
      if (i + 1 == argc || argv[i + 1][0] == '\0')
        return refuse(job, command, argv[i], "a value is missing after");
      *with_value[k].value = argv[++i];
    } else if (strcmp(argv[i], "-s") == 0) {
      const int exit = take_override(command, i + 1 < argc ? argv[++i] : NULL, job);
      if (exit >= 0) return exit;
    } else if (strcmp(argv[i], "--quiet") == 0) {
      job->log = job->brief = (bf_log){0};
    } else if (strcmp(argv[i], "--verbose") == 0 && strcmp(command, "run") == 0) {
      job->verbose = 1;
    } else if (strncmp(argv[i], "--errors", 8) == 0) {
      if (!bf_say_option(argv[i]))
        return refuse(job, command, argv[i], "expected --errors=text or json, got");
    } else if (argv[i][0] == '-') {
      return refuse(job, command, argv[i], "unknown option");
    } else if (job->deck_path) {
      return refuse(job, command, argv[i], "one deck at a time; second deck");
    } else {
      job->deck_path = argv[i];
    }
  }
  if (job->backend_name && !backend_known(job->backend_name))
    return refuse(job, command, job->backend_name, "--backend must be auto, cpu or cuda, got");
  if (!job->deck_path) {
    bf_say(job->json_errors, "%s: no deck given; see bandfem %s --help", command, command);
    return BF_EXIT_INTERNAL;
  }
  return -1;
}
