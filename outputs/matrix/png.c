/* outputs/matrix/png.c - see png.h
 *
 * Each line is stored as its difference from the line above (filter Up), so that repeated lines are runs of
 * zeros.  One block of DEFLATE with fixed codes, literals, and runs of one byte (matches of distance 1).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/matrix/png.h"
#include "base/memory.h"
#include "outputs/atomic_file.h"
#include <string.h>

typedef struct stream {
  uint8_t *byte; /* owned */
  size_t   n, room;
  uint32_t bits; /* not written yet, the lowest first */
  int      held, failed;
} stream;

static void put_byte(stream *s, unsigned v)
{
  if (s->n == s->room) {
    uint8_t *more = bf_host_realloc(s->byte, 2 * s->room + 4096, 1);
    s->failed |= !more;
    if (!more) return;
    s->byte = more;
    s->room = 2 * s->room + 4096;
  }
  s->byte[s->n++] = (uint8_t)v;
}

static void put_bits(stream *s, uint32_t v, int n)
{
  s->bits |= v << s->held;
  s->held += n;
  for (; s->held >= 8; s->held -= 8, s->bits >>= 8) put_byte(s, s->bits & 255u);
}

/* Huffman codes have their highest bit first. */
static void put_code(stream *s, uint32_t code, int n)
{
  uint32_t turned = 0;
  for (int i = 0; i < n; i++) turned |= (code >> i & 1u) << (n - 1 - i);
  put_bits(s, turned, n);
}

static void put_symbol(stream *s, unsigned v)
{
  if (v < 144)
    put_code(s, 0x30 + v, 8);
  else if (v < 256)
    put_code(s, 0x190 + v - 144, 9);
  else if (v < 280)
    put_code(s, v - 256, 7);
  else
    put_code(s, 0xC0 + v - 280, 8);
}

/* The byte before, n times more, 3 <= n <= 258. */
static void put_run(stream *s, int n)
{
  static const int first[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  static const int extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  int              k         = 28;
  while (first[k] > n) k--;
  put_symbol(s, 257u + (unsigned)k);
  put_bits(s, (uint32_t)(n - first[k]), extra[k]);
  put_code(s, 0, 5); /* distance 1 */
}

static void deflate(stream *s, size_t n, const uint8_t *data)
{
  put_bits(s, 3, 3); /* the last block, fixed codes */
  for (size_t i = 0; i < n;) {
    int run = 0;
    while (i > 0 && i + (size_t)run < n && run < 258 && data[i + (size_t)run] == data[i - 1]) run++;
    if (run >= 3)
      put_run(s, run);
    else
      put_symbol(s, data[i]);
    i += run >= 3 ? (size_t)run : 1;
  }
  put_symbol(s, 256);
  put_bits(s, 0, 7); /* the rest of the last byte */
  s->held = 0;
}

static void big(uint8_t *to, uint32_t v)
{
  for (int i = 0; i < 4; i++) to[i] = (uint8_t)(v >> (24 - 8 * i));
}

static uint32_t adler(size_t n, const uint8_t *data)
{
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < n; i++) {
    a = (a + data[i]) % 65521u;
    b = (b + a) % 65521u;
  }
  return b << 16 | a;
}

static uint32_t crc(uint32_t c, size_t n, const uint8_t *data)
{
  for (size_t i = 0; i < n; i++) {
    c ^= data[i];
    for (int k = 0; k < 8; k++) c = c & 1u ? 0xedb88320u ^ c >> 1 : c >> 1;
  }
  return c;
}

static uint8_t *append(uint8_t *to, size_t n, const void *data)
{
  if (n) memcpy(to, data, n);
  return to + n;
}

static uint8_t *chunk(uint8_t *to, const char *type, size_t n, const uint8_t *data)
{
  uint8_t head[8], tail[4];
  big(head, (uint32_t)n);
  memcpy(head + 4, type, 4);
  big(tail, crc(crc(0xffffffffu, 4, head + 4), n, data) ^ 0xffffffffu);
  return append(append(append(to, 8, head), n, data), 4, tail);
}

/* Lines with their filter: line[height][width + 1] */
static void filter(int width, int height, const uint8_t *pixel, uint8_t *line)
{
  const size_t w = (size_t)width;
  for (size_t y = 0; y < (size_t)height; y++) {
    uint8_t *to = line + y * (w + 1);
    to[0]       = 2; /* Up */
    for (size_t x = 0; x < w; x++) to[1 + x] = (uint8_t)(pixel[y * w + x] - (y ? pixel[(y - 1) * w + x] : 0));
  }
}

bf_err bf_png_encode(int width, int height, int ncolours, const uint8_t (*palette)[3], const uint8_t *pixel,
                     uint8_t **png, size_t *bytes)
{
  static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  bf_err               err         = BF_OK;
  stream               s           = {.byte = NULL};
  uint8_t             *line = NULL, *all = NULL, head[13] = {0}, sum[4];
  BF_CHECK(palette && pixel && png && bytes && width >= 1 && height >= 1 && width <= BF_PNG_MOST &&
               height <= BF_PNG_MOST && ncolours >= 1 && ncolours <= 256,
           BF_E_ARG, "picture of %d x %d pixels, %d colours", width, height, ncolours);
  *png           = NULL;
  const size_t n = ((size_t)width + 1) * (size_t)height;
  BF_GO(BF_NEW_ARRAY(line, n));
  filter(width, height, pixel, line);
  put_byte(&s, 0x78); /* zlib: DEFLATE, window of 32 KiB; a multiple of 31 */
  put_byte(&s, 0x01);
  deflate(&s, n, line);
  big(sum, adler(n, line));
  for (int i = 0; i < 4; i++) put_byte(&s, sum[i]);
  BF_NEED(!s.failed, BF_E_MEMORY, "no memory for a picture of %d x %d pixels", width, height);
  big(head, (uint32_t)width);
  big(head + 4, (uint32_t)height);
  head[8] = 8; /* bits per pixel */
  head[9] = 3; /* with a palette */
  *bytes  = sizeof signature + 4 * 12 + sizeof head + 3 * (size_t)ncolours + s.n;
  BF_GO(BF_NEW_ARRAY(all, *bytes));
  uint8_t *to = append(all, sizeof signature, signature);
  to          = chunk(to, "IHDR", sizeof head, head);
  to          = chunk(to, "PLTE", 3 * (size_t)ncolours, palette[0]);
  to          = chunk(to, "IDAT", s.n, s.byte);
  chunk(to, "IEND", 0, head);
  *png = all;
  all  = NULL;
done:
  bf_host_free(all);
  bf_host_free(s.byte);
  bf_host_free(line);
  return err;
}

bf_err bf_write_png(const char *path, int width, int height, int ncolours, const uint8_t (*palette)[3],
                    const uint8_t *pixel)
{
  bf_err          err   = BF_OK;
  bf_atomic_file *f     = NULL;
  uint8_t        *png   = NULL;
  size_t          bytes = 0;
  BF_CHECK(path, BF_E_ARG, "no path of the picture");
  BF_GO(bf_png_encode(width, height, ncolours, palette, pixel, &png, &bytes));
  BF_GO(bf_atomic_file_create(path, &f));
  bf_atomic_file_write(f, png, bytes);
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  bf_host_free(png);
  return err;
}
