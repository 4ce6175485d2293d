// Recall is a scorer as a plain program in C: the request on standard input, the
// answer on standard output. Its score is the share of the first reference's
// words that the output has. It reads JSON by hand, as far as it must: a real
// scorer leaves that to a library.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static char *request;

// fail ends the program with a message on standard error.
static void fail(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(3);
}

// text returns the string after a key, with its escapes taken out, or NULL.
static char *text(const char *key) {
    const char *at = strstr(request, key);
    if (!at) return NULL;
    at += strlen(key);
    char *out = malloc(strlen(at) + 1), *end = out;
    for (; *at && *at != '"'; at++) {
        if (*at == '\\' && at[1]) {
            at++;
            *end++ = *at == 'n' || *at == 't' || *at == 'r' ? ' ' : *at;
        } else {
            *end++ = *at;
        }
    }
    *end = 0;
    return out;
}

// words splits a text in place.
static size_t words(char *s, char **list, size_t most) {
    size_t n = 0;
    for (char *w = strtok(s, " \t\n\r"); w && n < most; w = strtok(NULL, " \t\n\r")) list[n++] = w;
    return n;
}

int main(void) {
    static char *output_words[65536], *reference_words[65536];
    size_t size = 0, room = 1 << 16;
    request = malloc(room);
    for (size_t n; (n = fread(request + size, 1, room - size - 1, stdin)) > 0;) {
        size += n;
        if (room - size < 2 && !(request = realloc(request, room *= 2))) fail("no memory for the request");
    }
    request[size] = 0;
    if (!strstr(request, "\"contract\":1")) fail("only contract 1 is known");
    char *output = text("\"output\":\""), *reference = text("\"references\":[\"");
    if (!output || !reference) {
        puts("{\"unscored\":\"the case has no references\"}");
        return 0;
    }
    size_t have = words(output, output_words, 65536), want = words(reference, reference_words, 65536), found = 0;
    for (size_t i = 0; i < want; i++) {
        size_t k = 0;
        while (k < have && strcasecmp(output_words[k], reference_words[i])) k++;
        found += k < have;
    }
    if (!want) {
        puts("{\"unscored\":\"the reference has no words\"}");
        return 0;
    }
    printf("{\"score\":%.17g,\"details\":{\"found\":%zu,\"words\":%zu}}\n", (double)found / (double)want, found, want);
    return 0;
}
