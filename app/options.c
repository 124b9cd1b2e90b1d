/* app/options.c - see options.h */
#include "app/options.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

int bf_options(int argc, char **argv, const char *command, bf_job *job)
{
  const time_t now = time(NULL);
  struct tm    t;
  job->argc = argc;
  job->argv = argv;
  if (!gmtime_r(&now, &t) || strftime(job->start_utc, sizeof job->start_utc, "%Y-%m-%dT%H:%M:%SZ", &t) == 0)
    snprintf(job->start_utc, sizeof job->start_utc, "unknown");
  for (int i = 0; i < argc; i++) {
    const struct {
      const char  *name;
      const char **value;
    } with_value[] = {{"--backend", &job->backend_name}, {"--out", &job->out_dir}, {"--csv", &job->csv_path}};
    size_t k       = 0;
    while (k < 3 && strcmp(argv[i], with_value[k].name) != 0) k++;
    if (k < 3 && i + 1 < argc) {
      *with_value[k].value = argv[++i];
    } else if (strcmp(argv[i], "--quiet") == 0) {
      job->log = (bf_log){0};
    } else if (argv[i][0] == '-' || job->deck_path) {
      fprintf(stderr, "bandfem %s: cannot use '%s'; see bandfem --help\n", command, argv[i]);
      return BF_EXIT_INTERNAL;
    } else {
      job->deck_path = argv[i];
    }
  }
  if (!job->deck_path) {
    fprintf(stderr, "bandfem %s: no deck was named; see bandfem --help\n", command);
    return BF_EXIT_INTERNAL;
  }
  return -1;
}
