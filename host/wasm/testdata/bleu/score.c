// Two lean scorers in C with the direct ABI, without a library: token-overlap F1
// and sentence BLEU-4 with add-one smoothing, lower-cased tokens between white
// space. Request {"candidate": ..., "reference": ...}; answer {"score": ...}.
#include <stdint.h>
#include <stddef.h>
typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32; typedef uint64_t u64;

#define LN2HI 6.93147180369123816490e-01
#define LN2LO 1.90821492927058770002e-10
static double my_exp(double x) { // x <= 0 here
  if (x < -700) return 0;
  int k = (int)(x / 0.6931471805599453 + (x < 0 ? -0.5 : 0.5));
  double hi = x - k * LN2HI, lo = k * LN2LO; x = hi - lo;
  double t = x * x;
  double c = x - t * (1.66666666666666019037e-01 + t * (-2.77777777770155933842e-03 + t * (6.61375632143793436117e-05 + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
  double y = 1 + (x * c / (2 - c) - lo + hi);
  union { double d; u64 u; } z = {y}; z.u += (u64)(int64_t)k << 52; return z.d;
}
#define EXP my_exp
#define SQRT __builtin_sqrt
#define COPY __builtin_memcpy
#define ZERO(p, n) __builtin_memset(p, 0, n)

#ifndef MAXIN
#define MAXIN 4096
#define MAXTOK 512
#endif
static u8 inbuf[MAXIN];
static u8 dec[2][MAXIN]; static u32 declen[2];
static u16 ids[2][MAXTOK]; static u32 nid[2];
static struct { u32 off, n, hash; } names[2 * MAXTOK]; static u32 nnames;
static u8 text[2 * MAXIN]; static u32 ntext;
static u16 itab[4 * MAXTOK];
static u64 keys[2 * MAXTOK]; static int32_t cnt[2 * MAXTOK];
static u8 out[64]; static u32 outlen;

static int issp(u8 c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

static const u8 *I; static u32 P, N;
static void ws(void) { while (P < N && issp(I[P])) P++; }
static int str(u8 *d, u32 cap, u32 *len) {
  u32 o = 0;
  if (P >= N || I[P] != '"') return 0;
  P++;
  while (P < N) {
    u8 c = I[P++];
    if (c == '"') { *len = o; return 1; }
    if (o + 3 >= cap) return 0;
    if (c != '\\') { d[o++] = c; continue; }
    if (P >= N) return 0;
    c = I[P++];
    switch (c) {
    case 'n': d[o++] = '\n'; break;
    case 't': d[o++] = '\t'; break;
    case 'r': d[o++] = '\r'; break;
    case 'b': d[o++] = 8; break;
    case 'f': d[o++] = 12; break;
    case 'u': {
      if (P + 4 > N) return 0;
      u32 r = 0;
      for (int k = 0; k < 4; k++) {
        u8 h = I[P + k];
        if (h >= '0' && h <= '9') h -= '0';
        else if (h >= 'a' && h <= 'f') h = h - 'a' + 10;
        else if (h >= 'A' && h <= 'F') h = h - 'A' + 10;
        else return 0;
        r = r << 4 | h;
      }
      P += 4;
      if (r < 0x80) d[o++] = r;
      else if (r < 0x800) { d[o++] = 0xC0 | r >> 6; d[o++] = 0x80 | (r & 0x3F); }
      else { d[o++] = 0xE0 | r >> 12; d[o++] = 0x80 | (r >> 6 & 0x3F); d[o++] = 0x80 | (r & 0x3F); }
      break;
    }
    default: d[o++] = c;
    }
  }
  return 0;
}
static int keyeq(const u8 *k, u32 n, const char *s) { u32 i = 0; for (; s[i]; i++) if (i >= n || k[i] != (u8)s[i]) return 0; return i == n; }
static int parse(const u8 *in, u32 n) {
  static u8 kb[64]; u32 kn; static u8 skip[MAXIN]; u32 sn;
  I = in; N = n; P = 0; declen[0] = declen[1] = 0;
  ws(); if (P >= N || I[P] != '{') return 0; P++;
  for (;;) {
    ws(); if (!str(kb, sizeof kb, &kn)) return 0;
    ws(); if (P >= N || I[P] != ':') return 0; P++; ws();
    if (keyeq(kb, kn, "candidate")) { if (!str(dec[0], MAXIN, &declen[0])) return 0; }
    else if (keyeq(kb, kn, "reference")) { if (!str(dec[1], MAXIN, &declen[1])) return 0; }
    else if (!str(skip, MAXIN, &sn)) return 0;
    ws(); if (P < N && I[P] == ',') { P++; continue; }
    return P < N && I[P] == '}';
  }
}
static u32 pow2(u32 n) { u32 s = 16; while (s < 2 * n) s <<= 1; return s; }
static void tokens(void) {
  u32 sz = pow2((declen[0] + declen[1]) / 2 + 4), mask = sz - 1;
  ZERO(itab, sz * 2); nnames = 1; ntext = 0;
  for (int w = 0; w < 2; w++) {
    u8 *b = dec[w]; u32 n = declen[w], i = 0, k = 0;
    for (;;) {
      while (i < n && issp(b[i])) i++;
      if (i >= n || k >= MAXTOK) break;
      u32 h = 2166136261u, st = i;
      while (i < n && !issp(b[i])) { u8 c = b[i]; if (c >= 'A' && c <= 'Z') b[i] = c += 32; h = (h ^ c) * 16777619u; i++; }
      u32 len = i - st, p = h & mask;
      for (;;) {
        u32 id = itab[p];
        if (!id) {
          id = nnames++; names[id].off = ntext; names[id].n = len; names[id].hash = h;
          for (u32 j = 0; j < len; j++) text[ntext + j] = b[st + j];
          ntext += len; itab[p] = id; ids[w][k++] = id; break;
        }
        if (names[id].hash == h && names[id].n == len) {
          u32 j = 0; const u8 *a = text + names[id].off;
          while (j < len && a[j] == b[st + j]) j++;
          if (j == len) { ids[w][k++] = id; break; }
        }
        p = (p + 1) & mask;
      }
    }
    nid[w] = k;
  }
}
static u32 overlap(u32 n) {
  u32 c = nid[0], r = nid[1], m = 0;
  if (c < n || r < n) return 0;
  u32 sz = pow2(r); u64 mask = sz - 1, msk = ~(u64)0 >> (64 - 16 * n), k = 0;
  ZERO(keys, sz * 8);
  for (u32 i = 0; i < r; i++) {
    k = (k << 16 | ids[1][i]) & msk; if (i + 1 < n) continue;
    u64 p = (k * 0x9E3779B97F4A7C15ull >> 32) & mask;
    while (keys[p] && keys[p] != k) p = (p + 1) & mask;
    if (!keys[p]) { keys[p] = k; cnt[p] = 0; }
    cnt[p]++;
  }
  k = 0;
  for (u32 i = 0; i < c; i++) {
    k = (k << 16 | ids[0][i]) & msk; if (i + 1 < n) continue;
    u64 p = (k * 0x9E3779B97F4A7C15ull >> 32) & mask;
    while (keys[p] && keys[p] != k) p = (p + 1) & mask;
    if (keys[p] == k && cnt[p] > 0) { cnt[p]--; m++; }
  }
  return m;
}
static void emit(double v) {
  static const char pre[] = "{\"score\":"; u32 o = 0;
  for (; pre[o]; o++) out[o] = pre[o];
  u64 x = (u64)(v * 1e6 + 0.5); u8 tmp[24]; int t = 0; u64 q = x / 1000000;
  do { tmp[t++] = '0' + q % 10; q /= 10; } while (q);
  while (t) out[o++] = tmp[--t];
  out[o++] = '.';
  for (u64 d = 100000; d; d /= 10) out[o++] = '0' + x / d % 10;
  out[o++] = '}'; outlen = o;
}
static void bad(void) { static const char e[] = "{\"error\":\"bad input\"}"; for (outlen = 0; e[outlen]; outlen++) out[outlen] = e[outlen]; }
static void f1_(const u8 *in, u32 n) {
  if (!parse(in, n)) { bad(); return; }
  tokens(); double m = overlap(1);
  if (m == 0) { emit(0); return; }
  double p = m / nid[0], r = m / nid[1]; emit(2 * p * r / (p + r));
}
static void bleu_(const u8 *in, u32 n) {
  if (!parse(in, n)) { bad(); return; }
  tokens(); u32 c = nid[0], r = nid[1];
  if (!c || !r) { emit(0); return; }
  double prod = 1;
  for (u32 g = 1; g <= 4; g++) {
    double m = overlap(g), t = c >= g ? c - g + 1 : 0;
    if (g > 1) { m++; t++; }
    if (m == 0) { emit(0); return; }
    prod *= m / t;
  }
  double bp = c < r ? EXP(1 - (double)r / c) : 1;
  emit(bp * SQRT(SQRT(prod)));
}

#define EXPORT(n) __attribute__((export_name(n)))
static u32 ncalls;
EXPORT("alloc") u32 alloc(u32 n) { return n <= MAXIN ? (u32)inbuf : 0; }
static u64 ret(void) { return (u64)(u32)out << 32 | outlen; }
EXPORT("f1") u64 f1(u32 p, u32 n) { f1_((u8 *)p, n); return ret(); }
EXPORT("bleu") u64 bleu(u32 p, u32 n) { bleu_((u8 *)p, n); return ret(); }
EXPORT("echo") u64 echo(u32 p, u32 n) { return (u64)p << 32 | n; }
EXPORT("state") u32 state(void) { return ++ncalls; }
EXPORT("nop") void nop(void) {}
EXPORT("spin") u32 spin(u32 n) { u32 x = 1; for (u32 i = 0; i < n; i++) x = (x * 1664525u + 1013904223u) ^ x >> 7; return x; }
