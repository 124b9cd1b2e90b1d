/* inputs/deck.c - see deck.h: reads the file, checks its tree */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/deck.h"
#include "base/memory.h"
#include "inputs/parameters.h"
#include "inputs/validate.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int named_pipe(const char *path)
{
  struct stat st;
  return strcmp(path, "/dev/stdin") != 0 && strncmp(path, "/dev/fd/", 8) != 0 &&
         strncmp(path, "/proc/", 6) != 0 && stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

bf_err bf_deck_slurp(const char *path, char **text, size_t *length, const char **why)
{
  bf_err err = BF_OK;
  FILE  *f   = NULL;
  *text      = NULL;
  *length    = 0;
  *why       = NULL;
  BF_GO(BF_NEW_ARRAY(*text, BF_DECK_BYTES_MAX + 2));
  if (named_pipe(path)) {
    *why = "a named pipe, not a regular file; write the deck to a file, or send it to /dev/stdin";
    goto done;
  }
  errno = 0;
  f     = fopen(path, "rb");
  if (f) *length = fread(*text, 1, BF_DECK_BYTES_MAX + 1, f);
  if (!f || ferror(f)) *why = strerror(errno ? errno : EIO);
done:
  if (f) fclose(f);
  return err;
}

bf_err bf_deck_keep_name(bf_deck *deck, const char *text, const char **name)
{
  char **grown = bf_host_realloc(deck->place, (size_t)deck->nplaces + 1, sizeof *grown);
  BF_CHECK(grown, BF_E_MEMORY, "no memory for the deck");
  deck->place = grown;
  *name = deck->place[deck->nplaces] = bf_host_strdup(text);
  BF_CHECK(*name, BF_E_MEMORY, "no memory for the deck");
  deck->nplaces++;
  return BF_OK;
}

bf_err bf_deck_beside(const bf_deck *d, const bf_item *it, char **path)
{
  BF_CHECK(d && it && it->text && path, BF_E_ARG, "null argument");
  const char *file = it->where.line > 0 ? it->where.file : d->path; /* command line: the folder of the deck */
  const char *slash = it->text[0] == '/' ? NULL : strrchr(file, '/');
  const size_t n = slash ? (size_t)(slash - file) + 1 : 0, room = n + strlen(it->text) + 1;
  *path = bf_host_alloc(room, 1);
  BF_CHECK(*path, BF_E_MEMORY, "no memory for the path of '%.60s'", it->text);
  snprintf(*path, room, "%.*s%s", (int)n, file, it->text);
  return BF_OK;
}

/* Order of a file among those of a deck: the command line (no line), the deck, included files in the order of
 * reading. */
static int rank_of(const bf_deck *deck, const bf_diag *d)
{
  if (d->line == 0 || !d->file) return -1;
  for (int i = 0; i < deck->nplaces; i++)
    if (strcmp(deck->place[i], d->file) == 0) return i + 1;
  return 0;
}

/* Sorts new diagnostics by file and place; stable insertion sort, as they are few. */
static void sort_since(const bf_deck *deck, bf_diags *d, int first)
{
  for (int i = first + 1; i < d->count; i++)
    for (int j = i; j > first; j--) {
      const bf_diag b = d->item[j], a = d->item[j - 1];
      const int     ra = rank_of(deck, &a), rb = rank_of(deck, &b);
      if (ra < rb) break;
      if (ra == rb && (a.line < b.line || (a.line == b.line && a.column <= b.column))) break;
      d->item[j]     = a;
      d->item[j - 1] = b;
    }
}

/* The status of the first new error. */
static bf_err status_since(const bf_diags *d, int first, int errors)
{
  if (d->errors == errors) return BF_OK;
  for (int i = first; i < d->count; i++)
    if (d->item[i].severity == BF_ERROR) return d->item[i].code / 100 == 1 ? BF_E_INPUT : BF_E_MODEL;
  return BF_E_INPUT;
}

bf_err bf_deck_read_text_with(const char *name, const char *text, size_t length, const char *const *overrides,
                              int n, bf_diags *diags, bf_deck **out)
{
  bf_err   err  = BF_OK;
  bf_deck *deck = NULL;
  BF_CHECK(name && text && diags && out && n >= 0 && (overrides || n == 0), BF_E_ARG, "null argument");
  *out             = NULL;
  const int first  = diags->count;
  const int errors = diags->errors;
  BF_GO(BF_NEW(deck));
  deck->path = bf_host_strdup(name);
  BF_NEED(deck->path, BF_E_MEMORY, "no memory for the deck");
  if (length > BF_DECK_BYTES_MAX) {
    bf_diag_add(diags, BF_ERROR, 100, (bf_where){name, 0, 0}, "larger than 1 MiB: this is not a deck");
  } else {
    BF_GO(BF_NEW_ARRAY(deck->text, length + 1));
    memcpy(deck->text, text, length);
    deck->length = length;
    int items    = 0;
    BF_GO(bf_yaml_tree(deck->path, deck->text, length, &items, diags, &deck->root));
    const int parts = diags->errors; /* keys of parts that were not read are not reported as missing */
    if (deck->root) BF_GO(bf_deck_include(deck, items, diags));
    const int whole = diags->errors == parts;
    if (deck->root) BF_GO(bf_deck_override(deck, overrides, n, diags));
    if (deck->root) BF_GO(bf_deck_cases(deck, diags));
    if (deck->root && deck->root->kind == BF_ITEM_MAP) BF_GO(bf_parameters_read(deck, diags));
    bf_checker c = {.diags = diags, .deck = deck, .path = deck->path, .physics = BF_ON_ALL};
    if (deck->root && whole) BF_GO(bf_deck_validate(&c, deck->root));
  }
  sort_since(deck, diags, first);
  err = status_since(diags, first, errors);
  BF_NEED(err == BF_OK, err, "%s: %d error%s", name, diags->errors - errors,
          diags->errors - errors == 1 ? "" : "s");
  *out = deck;
  deck = NULL;
done:
  bf_deck_destroy(&deck);
  return err;
}

bf_err bf_deck_read_text(const char *name, const char *text, size_t length, bf_diags *diags, bf_deck **out)
{
  return bf_deck_read_text_with(name, text, length, NULL, 0, diags, out);
}

bf_err bf_deck_read_with(const char *path, const char *const *overrides, int n, bf_diags *diags,
                         bf_deck **out)
{
  bf_err      err    = BF_OK;
  char       *text   = NULL;
  size_t      length = 0;
  const char *why;
  BF_CHECK(path && diags && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_GO(bf_deck_slurp(path, &text, &length, &why));
  if (why) bf_diag_add(diags, BF_ERROR, 100, (bf_where){path, 0, 0}, "cannot read the deck: %s", why);
  BF_NEED(!why, BF_E_INPUT, "%s: %s", path, why);
  BF_GO(bf_deck_read_text_with(path, text, length, overrides, n, diags, out));
done:
  bf_host_free(text);
  return err;
}

bf_err bf_deck_read(const char *path, bf_diags *diags, bf_deck **out)
{
  return bf_deck_read_with(path, NULL, 0, diags, out);
}

void bf_deck_destroy(bf_deck **d)
{
  if (!d || !*d) return;
  bf_item_destroy(&(*d)->root);
  for (int i = 0; i < (*d)->ntables; i++)
    if ((*d)->table[i].first) bf_table_destroy(&(*d)->table[i].table);
  bf_host_free((*d)->table);
  bf_host_free((*d)->source);
  bf_parameters_clear(*d);
  for (int i = 0; i < (*d)->nplaces; i++) bf_host_free((*d)->place[i]);
  bf_host_free((*d)->place);
  bf_host_free((*d)->text);
  bf_host_free((*d)->path);
  bf_host_free(*d);
  *d = NULL;
}

const bf_deck_table *bf_deck_tables(const bf_deck *d, int *n)
{
  *n = d->ntables;
  return d->table;
}
bf_deck_source *bf_deck_sources(bf_deck *d, int *n)
{
  *n = d->nsources;
  return d->source;
}
const bf_item *bf_deck_root(const bf_deck *d)
{
  return d->root;
}
const char *bf_deck_path(const bf_deck *d)
{
  return d->path;
}
const char *bf_deck_text(const bf_deck *d, size_t *length)
{
  if (length) *length = d->length;
  return d->text;
}
