/* app/cli/shell.c - see shell.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/shell.h"
#include "app/cli/usage.h"
#include "inputs/schema.h"
#include <ctype.h>
#include <string.h>

/* A text for troff: a backslash, a hyphen, and a dot or quote that begins a line are escaped. */
static void roff(FILE *out, const char *text)
{
  int begins = 1;
  for (; *text; text++) {
    if (begins && (*text == '.' || *text == '\'')) fputs("\\&", out);
    if (*text == '\\')
      fputs("\\e", out);
    else if (*text == '-')
      fputs("\\-", out);
    else
      fputc(*text, out);
    begins = *text == '\n';
  }
}

void bf_man_page(FILE *out)
{
  const char *name, *text;
  fputs(".TH BANDFEM 1 \"\" \"bandfem " BF_VERSION "\" \"User Commands\"\n"
        ".SH NAME\nbandfem \\- finite elements with banded matrices\n"
        ".SH SYNOPSIS\n.nf\n.B bandfem\nCOMMAND [ARGUMENTS]\n.fi\n.SH SUMMARY\n.nf\n",
        out);
  roff(out, bf_usage_summary());
  fputs(".fi\n.SH COMMANDS\n", out);
  for (int i = 0; (name = bf_usage_name(i, &text)) != NULL; i++) {
    fprintf(out, ".SS %s\n.nf\n", name);
    roff(out, text);
    fputs(".fi\n", out);
  }
  fputs(".SH FILES\nThe results of a run are described by docs/outputs.md, the language of decks by\n"
        ".B bandfem schema\n.SH EXAMPLES\n.nf\nbandfem run beam.yaml\nbandfem run beam.yaml \\-s "
        "solver.rtol=1.0e\\-10 "
        "\\-\\-out out/fine\n.fi\n",
        out);
}

/* The options in a help text: words that begin with one or two hyphens, each once. */
static void options(FILE *out, const char *text)
{
  const char *p = text;
  while ((p = strchr(p, '-')) != NULL) {
    const int    first = p == text || isspace((unsigned char)p[-1]) || strchr("|[", p[-1]);
    const size_t n     = strspn(p, "-abcdefghijklmnopqrstuvwxyz");
    int          seen  = 0;
    for (const char *q = text; first && q < p && !seen; q++)
      seen = strncmp(q, p, n) == 0 && !strchr("-abcdefghijklmnopqrstuvwxyz", q[n]) &&
             (q == text || isspace((unsigned char)q[-1]) || strchr("|[", q[-1]));
    if (first && !seen && n > 1 && isalpha((unsigned char)p[n - 1])) fprintf(out, " %.*s", (int)n, p);
    p += n;
  }
}

/* Keys of sections without free names and lists, as -s takes them */
static void keys(FILE *out)
{
  int           n;
  const bf_key *key = bf_schema_keys(&n);
  for (int i = 0; i < n; i++) {
    const int again =
        i > 0 && strcmp(key[i].name, key[i - 1].name) == 0 && strcmp(key[i].section, key[i - 1].section) == 0;
    if (again || key[i].later || !key[i].section[0] || strpbrk(key[i].section, "<[:")) continue;
    fprintf(out, " %s.%s=", key[i].section, key[i].name);
  }
}

void bf_bash_completion(FILE *out)
{
  const char *name, *text;
  fputs("# completion of bandfem for bash, made by: bandfem schema --completion\n_bandfem()\n{\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\"\"\n"
        "  COMPREPLY=()\n"
        "  if [ \"$COMP_CWORD\" = 1 ]; then\n    COMPREPLY=($(compgen -W \"",
        out);
  for (int i = 0; (name = bf_usage_name(i, &text)) != NULL; i++) fprintf(out, "%s ", name);
  fputs("--help --version\" -- \"$word\"))\n    return\n  fi\n"
        "  if [ \"$before\" = -s ]; then\n    compopt -o nospace\n    COMPREPLY=($(compgen -W \"",
        out);
  keys(out);
  fputs("\" -- \"$word\"))\n    return\n  fi\n"
        "  if [ \"$before\" = --backend ]; then\n    COMPREPLY=($(compgen -W \"auto cpu cuda\" -- "
        "\"$word\"))\n    return\n  fi\n"
        "  case ${COMP_WORDS[1]} in\n",
        out);
  for (int i = 0; (name = bf_usage_name(i, &text)) != NULL; i++) {
    fprintf(out, "  %s) words=\"--help", name);
    options(out, text);
    fputs("\" ;;\n", out);
  }
  fputs("  esac\n  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
        "  else compopt -o filenames; COMPREPLY=($(compgen -f -- \"$word\")); fi\n}\ncomplete -F _bandfem "
        "bandfem\n",
        out);
}
