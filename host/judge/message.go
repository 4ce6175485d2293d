package judge

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A part is a piece of the case in the message, between its tags.
type part struct{ Tag, Text string }

// A message is the text about a case for a judge, with the nonce that binds the
// answer to it.
type message struct {
	text  string // of the user
	form  string // its end: the form of the answer
	nonce string
	parts []part
}

// nonceMark stands in a form where the nonce of a message goes.
const nonceMark = "\x00nonce\x00"

func (t *task) message(ctx context.Context, c *dataset.Case) (*message, error) {
	parts, err := t.parts(ctx, c)
	if err != nil {
		return nil, err
	}
	size := len(t.criteria) + len(t.form)
	for i := range parts {
		parts[i].Text = strings.ToValidUTF8(parts[i].Text, "\uFFFD")
		size += len(parts[i].Text)
	}
	if size > maxMessage {
		return nil, fault.WithHint(fault.New(fault.Input, "%s: the message to the judge would have %d bytes, more than the %d that are sent", c.Place(), size, maxMessage),
			"shorten the case")
	}
	m := &message{nonce: nonce(t.key, parts), parts: parts}
	m.form = strings.ReplaceAll(t.form, nonceMark, m.nonce)
	m.text = render("user.tmpl", map[string]any{"Criteria": t.criteria, "Form": m.form, "Parts": parts, "Nonce": m.nonce})
	return m, nil
}

// hash returns the hash of the question: of the rendered template, or of the
// whole message.
func (m *message) hash() string {
	if len(m.parts) == 1 && m.parts[0].Tag == taskTag {
		return hash(m.parts[0].Text)
	}
	return hash(m.text)
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// taskTag marks a rendered template.
const taskTag = "task"

// quotes reports whether the case contains text: its letters and digits in their
// order, whatever stands between them, so that a quotation which is indented,
// escaped or marked is found too.
func (m *message) quotes(text string) bool {
	wanted := lettersOf(text)
	return wanted != "" && slices.ContainsFunc(m.parts, func(p Part) bool { return strings.Contains(lettersOf(p.Text), wanted) })
}

func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// parts collects the parts of the message about a case: the rendered template of the
// criterion, or the question, its context, and the response.
func (t *task) parts(ctx context.Context, c *dataset.Case) ([]part, error) {
	if t.question != nil {
		text, err := t.question.render(ctx, c.Target())
		if err != nil {
			return nil, err
		}
		return []part{{taskTag, text}}, nil
	}
	var out []part
	if strings.TrimSpace(c.Input) != "" {
		out = append(out, part{"query", c.Input})
	}
	out = append(out, xslices.Map(c.Context, func(text string) part { return part{"context", text} })...)
	out = append(out, xslices.Map(c.References, func(text string) part { return part{"reference", text} })...)
	if text := t.outcome(c); text != "" {
		out = append(out, part{"expected_outcome", text})
	}
	return append(out, part{"response", response(c)}), nil
}

// outcome returns the expected outcome of the case, as eval files word it; empty if the
// criterion says it already.
func (t *task) outcome(c *dataset.Case) string {
	text, _ := unquote(c.Raw(dataset.FieldOutcome))
	if first := t.questions[0].criterion; !t.keyed && first != nil && strings.TrimSpace(first.Text) == strings.TrimSpace(text) {
		return ""
	}
	return strings.TrimSpace(text)
}

// response returns the text to grade. An output that is an object with its
// reasoning apart is written in the form of the rubric library,
// <thinking>…</thinking> and <output>…</output>.
func response(c *dataset.Case) string {
	thinking, output, ok := c.Reasoned()
	if !ok {
		return c.Output
	}
	var out []string
	if thinking != "" {
		out = append(out, "<thinking>"+thinking+"</thinking>")
	}
	if output != "" {
		out = append(out, "<output>"+output+"</output>")
	}
	return strings.Join(out, "\n")
}

// nonce returns the word that marks the tags around a case. It must be one that
// the author of the case cannot have written into it, and the same one when the
// case is judged again, or no recording would ever be found.
//
// It is the HMAC of all text between the tags and of a number, under a digest of the
// questions. A text that holds its own HMAC takes 2^40 tries to find, and gains
// nothing: the first number is taken whose HMAC the case does not contain. So the
// tags cannot be closed from within, an answer with the nonce is not a quotation, and
// there is no secret.
func nonce(key []byte, parts []part) string {
	return firstAbsent(parts, func(n uint64) string { return nonceOf(key, parts, n) })
}

// firstAbsent returns the first of words that stands in no part.
func firstAbsent(parts []part, words func(n uint64) string) string {
	for n := uint64(0); ; n++ {
		word, clash := words(n), false
		for i := range parts {
			clash = clash || strings.Contains(parts[i].Text, word)
		}
		if !clash {
			return word
		}
	}
}

// nonceBytes is the length of a nonce before it is written in base 32: 40 bits, 8
// letters and digits, since the judge writes it again in every answer.
const nonceBytes = 5

func nonceOf(key []byte, parts []part, n uint64) string {
	h := hmac.New(sha256.New, key)
	var size [8]byte
	number := func(n uint64) {
		binary.BigEndian.PutUint64(size[:], n)
		h.Write(size[:])
	}
	number(n)
	for i := range parts {
		for _, s := range []string{parts[i].Tag, parts[i].Text} {
			number(uint64(len(s)))
			h.Write([]byte(s))
		}
	}
	var sum [sha256.Size]byte
	return strings.ToLower(base32.StdEncoding.EncodeToString(h.Sum(sum[:0])[:nonceBytes]))
}
