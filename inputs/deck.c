/* inputs/deck.c - see deck.h: the file, its tree, and the tree checked */
#include "inputs/deck.h"
#include "base/memory.h"
#include "inputs/validate.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The whole file, at most one byte more than a deck may have; NULL with errno of the failure. */
static bf_err slurp(const char *path, char **text, size_t *length, int *failed)
{
  bf_err err = BF_OK;
  FILE  *f   = NULL;
  *text      = NULL;
  *failed    = 0;
  BF_GO(BF_NEW_ARRAY(*text, BF_DECK_BYTES_MAX + 2));
  errno = 0;
  f     = fopen(path, "rb");
  if (f) *length = fread(*text, 1, BF_DECK_BYTES_MAX + 1, f);
  if (!f || ferror(f)) *failed = errno ? errno : EIO;
done:
  if (f) fclose(f);
  return err;
}

/* New diagnostics in the order of the file; few, and equal places stay as they came. */
static void sort_since(bf_diags *d, int first)
{
  for (int i = first + 1; i < d->count; i++)
    for (int j = i; j > first; j--) {
      const bf_diag b = d->item[j], a = d->item[j - 1];
      if (a.line < b.line || (a.line == b.line && a.column <= b.column)) break;
      d->item[j]     = a;
      d->item[j - 1] = b;
    }
}

/* The status that the first new diagnostic asks for. */
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
    BF_GO(bf_yaml_tree(deck->path, deck->text, length, diags, &deck->root));
    if (deck->root) BF_GO(bf_deck_override(deck, overrides, n, diags));
    bf_checker c = {.diags = diags, .path = deck->path, .physics = BF_ON_ALL};
    if (deck->root) BF_GO(bf_deck_validate(&c, deck->root));
  }
  sort_since(diags, first);
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
  bf_err err    = BF_OK;
  char  *text   = NULL;
  size_t length = 0;
  int    failed;
  BF_CHECK(path && diags && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_GO(slurp(path, &text, &length, &failed));
  if (failed)
    bf_diag_add(diags, BF_ERROR, 100, (bf_where){path, 0, 0}, "cannot read the deck: %s", strerror(failed));
  BF_NEED(!failed, BF_E_INPUT, "%s: %s", path, strerror(failed));
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
  for (int i = 0; i < (*d)->nplaces; i++) bf_host_free((*d)->place[i]);
  bf_host_free((*d)->place);
  bf_host_free((*d)->text);
  bf_host_free((*d)->path);
  bf_host_free(*d);
  *d = NULL;
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
