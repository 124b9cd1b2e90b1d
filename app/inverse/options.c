/* app/inverse/options.c - the command line of bandfem inverse */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/message.h"
#include "app/inverse/inverse.h"
#include "app/job.h"
#include "base/number.h"
#include <string.h>

static int refuse(const bf_inverse_options *opt, const char *word, const char *why)
{
  bf_say(opt->json_errors, "inverse: %s '%s'; see bandfem inverse --help", why, word);
  return BF_EXIT_INTERNAL;
}

/* Reports an unknown option or a second file. */
static int unknown(const bf_inverse_options *opt, const char *word)
{
  static const char *const name[] = {"--out",          "--json",  "--backend",    "--precision",
                                     "--memory-limit", "--quiet", "--errors=json"};
  const char              *near   = word[0] == '-' ? bf_nearest(word, name, 7) : NULL;
  if (strncmp(word, "--errors", 8) == 0) return refuse(opt, word, "expected --errors=text or json, got");
  if (!near) return refuse(opt, word, "unknown option or argument");
  bf_say(opt->json_errors,
         "inverse: unknown option or argument '%s'; did you mean '%s'? see bandfem inverse --help", word,
         near);
  return BF_EXIT_INTERNAL;
}

/* The value of an option; -1, or the exit status after a message; -2: no such option. */
static int take(bf_inverse_options *opt, const char *name, const char *value)
{
  const struct {
    const char  *name;
    const char **value;
  } texts[] = {{"--out", &opt->out}, {"--json", &opt->json}, {"--backend", &opt->backend}};
  int text  = 0;
  while (text < 3 && strcmp(texts[text].name, name) != 0) text++;
  const int precision = strcmp(name, "--precision") == 0, limit = strcmp(name, "--memory-limit") == 0;
  if (text == 3 && !precision && !limit) return -2;
  if (!value) return refuse(opt, name, "a value is missing after");
  if (text < 3) *texts[text].value = value;
  if (text == 2 && strcmp(value, "auto") != 0 && strcmp(value, "cpu") != 0 && strcmp(value, "cuda") != 0)
    return refuse(opt, value, "--backend must be auto, cpu or cuda, got");
  if (precision && strcmp(value, "fp64") != 0 && strcmp(value, "fp32") != 0)
    return refuse(opt, value, "--precision must be fp64 or fp32, got");
  if (precision) opt->type = strcmp(value, "fp32") == 0 ? BF_S : BF_D;
  if (limit &&
      (bf_text_number(value, &opt->memory_limit) || !(opt->memory_limit > 0.0 && opt->memory_limit <= 1.0)))
    return refuse(opt, value, "--memory-limit must be above 0 and at most 1, got");
  return -1;
}

int bf_inverse_read_options(int argc, char **argv, bf_inverse_options *opt)
{
  *opt = (bf_inverse_options){.type = BF_D, .memory_limit = 0.9, .json_errors = bf_say_json(argc, argv)};
  for (int i = 0; i < argc; i++) {
    const int exit = take(opt, argv[i], i + 1 < argc && argv[i + 1][0] ? argv[i + 1] : NULL);
    if (exit >= 0) return exit;
    if (exit == -1)
      i++;
    else if (strcmp(argv[i], "--quiet") == 0)
      opt->quiet = 1;
    else if (bf_say_option(argv[i]))
      continue;
    else if (argv[i][0] == '-' || opt->path)
      return unknown(opt, argv[i]);
    else
      opt->path = argv[i];
  }
  if (opt->path) return -1;
  bf_say(opt->json_errors, "inverse: no matrix given; see bandfem inverse --help");
  return BF_EXIT_INTERNAL;
}
