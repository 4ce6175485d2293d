package judge

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
)

// A part is a piece of the case in the message, between its tags.
type part struct{ Tag, Text string }

// message writes the user message for a case.
func (t *task) message(c *dataset.Case) (string, error) {
	parts, err := t.parts(c)
	if err != nil {
		return "", err
	}
	size := len(t.criteria) + len(t.form)
	for i := range parts {
		parts[i].Text = strings.ToValidUTF8(parts[i].Text, "\uFFFD")
		size += len(parts[i].Text)
	}
	if size > maxMessage {
		return "", fault.WithHint(fault.New(fault.Input, "%s: the message to the judge would have %d bytes, more than the %d that are sent", c.Place(), size, maxMessage),
			"shorten the case")
	}
	return render("user.tmpl", map[string]any{"Criteria": t.criteria, "Form": t.form, "Parts": parts, "Nonce": nonce(t.key, parts)}), nil
}

// parts collects what the judge is shown of a case: the rendered template of
// the criterion, or the question, what belongs to it, and the response.
func (t *task) parts(c *dataset.Case) ([]part, error) {
	if t.question != nil {
		text, err := t.question.render(c.Target())
		if err != nil {
			return nil, err
		}
		return []part{{"task", text}}, nil
	}
	var out []part
	if strings.TrimSpace(c.Input) != "" {
		out = append(out, part{"query", c.Input})
	}
	for _, text := range c.Context {
		out = append(out, part{"context", text})
	}
	for _, text := range c.References {
		out = append(out, part{"reference", text})
	}
	return append(out, part{"response", response(c)}), nil
}

// response returns the text to grade. An output that is an object with its
// reasoning apart is written in the form of the rubric library,
// <thinking>…</thinking> and <output>…</output>.
func response(c *dataset.Case) string {
	var form struct {
		Thinking *string `json:"thinking"`
		Output   *string `json:"output"`
	}
	raw := c.Raw(dataset.FieldOutput)
	if raw.Kind() != '{' || json.Unmarshal(raw, &form, json.RejectUnknownMembers(true)) != nil {
		return c.Output
	}
	var out []string
	if form.Thinking != nil && *form.Thinking != "" {
		out = append(out, "<thinking>"+*form.Thinking+"</thinking>")
	}
	if form.Output != nil && *form.Output != "" {
		out = append(out, "<output>"+*form.Output+"</output>")
	}
	return strings.Join(out, "\n")
}

// nonce returns the word that marks the tags around a case. It must be one that
// the author of the case cannot have written into it, and the same one when the
// case is judged again, or no recording would ever be found.
//
// It is the HMAC of all that stands between the tags, under the digest of the
// rubric. Its author would have to write a text that holds its own HMAC, which
// takes 2^80 tries; and should a text hold it all the same, the next one is
// taken. So the tags cannot be closed from within, by anybody, and nothing has
// to be kept secret.
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

// nonceBytes is the length of a nonce before it is written in base 32: 80 bits,
// 16 letters and digits.
const nonceBytes = 10

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
