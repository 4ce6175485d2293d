package dataset

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// speakers are the roles of chat formats. Other words are data: an output such as
// [{"role":"admin", …}] is not a conversation.
var speakers = map[string]bool{
	"system": true, "developer": true, "user": true, "human": true, "assistant": true,
	"ai": true, "model": true, "tool": true, "function": true,
}

// partTypes are the content parts of chat formats; true means that the part is
// text.
var partTypes = map[string]bool{
	"text": true, "input_text": true, "output_text": true,
	"image": false, "image_url": false, "input_image": false, "file": false, "input_file": false,
	"audio": false, "input_audio": false, "video": false, "document": false, "refusal": false,
	"tool_use": false, "tool_result": false,
}

// messagesIn returns the messages of a list of messages; ok is false if v is
// anything else.
func messagesIn(v jsontext.Value) (list []Message, ok bool) {
	if first, isList := inside(v, '['); !isList || jsontext.Value(first).Kind() != '{' {
		return nil, false
	}
	each(v, func(e jsontext.Value) bool {
		var m Message
		m, ok = messageOf(e)
		list = append(list, m)
		return ok
	})
	return list, ok
}

func messageOf(v jsontext.Value) (m Message, ok bool) {
	var content, calls jsontext.Value
	eachMember(v, func(name, v jsontext.Value) bool {
		switch {
		case isName(name, "role"):
			m.Role = text(v)
		case isName(name, "content"):
			content = v
		case isName(name, "tool_calls"):
			calls = v
		}
		return true
	})
	if !speakers[strings.ToLower(m.Role)] || content == nil && calls == nil {
		return m, false
	}
	m.Content = contentText(content)
	if calls.Kind() == '[' {
		if m.Content != "" {
			m.Content += "\n"
		}
		m.Content += "[tool_calls] " + string(calls)
	}
	return m, true
}

// contentText returns the text of a message's content. Parts other than text, such as
// an image, become their type in brackets: nothing disappears in silence.
func contentText(v jsontext.Value) string {
	switch v.Kind() {
	case 0, 'n':
		return ""
	case '"':
		return text(v)
	case '{', '[':
		if parts, ok := partsIn(v); ok {
			return strings.Join(parts, "\n")
		}
	}
	return string(v)
}

// partsIn returns the texts of a content part or of a list of content parts and
// strings; ok is false if v is anything else.
func partsIn(v jsontext.Value) (texts []string, ok bool) {
	if v.Kind() == '{' {
		s, ok := partText(v)
		return []string{s}, ok
	}
	some, all := false, true
	each(v, func(e jsontext.Value) bool {
		s := text(e)
		if e.Kind() != '"' {
			s, all = partText(e)
			some = true
		}
		texts = append(texts, s)
		return all
	})
	return texts, some && all
}

// partText returns the text of one content part. AgentV writes value where
// others write text.
func partText(v jsontext.Value) (string, bool) {
	if v.Kind() != '{' {
		return "", false
	}
	word := text(member(v, "type"))
	plain, known := partTypes[word]
	if !known {
		return "", false
	}
	written := member(v, "text")
	if written.Kind() != '"' {
		written = member(v, "value")
	}
	switch {
	case plain:
		return text(written), written.Kind() == '"'
	case written.Kind() == '"':
		return "[" + word + "] " + text(written), true
	}
	return "[" + word + "]", true
}

// conversation returns messages as one text: a single message as its content,
// several with their roles.
func conversation(list []Message) string {
	if len(list) == 1 {
		return list[0].Content
	}
	var b strings.Builder
	for i, m := range list {
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(m.Role)
		b.WriteString(": ")
		b.WriteString(m.Content)
	}
	return b.String()
}

// inputText returns an input as text. An object with messages is taken for them.
func inputText(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		return text(v)
	case '{':
		if inner := at(v, "messages"); inner != nil {
			if list, ok := messagesIn(inner); ok {
				return conversation(list)
			}
		}
	case '[':
		if list, ok := messagesIn(v); ok {
			return conversation(list)
		}
		if parts, ok := partsIn(v); ok {
			return strings.Join(parts, "\n")
		}
	}
	return string(v)
}

// outputText returns an output as text: of a conversation the last message of
// the assistant, of content parts their texts, and of any other structure its
// JSON.
func outputText(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		return text(v)
	case '{':
		if m, ok := messageOf(v); ok {
			return m.Content
		}
	case '[':
		if list, ok := messagesIn(v); ok {
			return answer(list)
		}
		if parts, ok := partsIn(v); ok {
			return strings.Join(parts, "\n")
		}
	}
	return string(v)
}

// answer returns the content of the last message of the assistant, or of the
// last message if there is none.
func answer(list []Message) string {
	for _, l := range slices.Backward(list) {
		if strings.EqualFold(l.Role, "assistant") {
			return l.Content
		}
	}
	return list[len(list)-1].Content
}

// referenceTexts returns the texts of a reference field: each element of a
// list, or the one value. A conversation is one reference, structures are JSON.
func referenceTexts(v jsontext.Value) []string {
	if v.Kind() != '[' {
		return []string{outputText(v)}
	}
	if list, ok := messagesIn(v); ok {
		return []string{answer(list)}
	}
	out := make([]string, 0, 3) // most have few, and expected_output joins them
	each(v, func(e jsontext.Value) bool {
		if e.Kind() != 'n' {
			out = append(out, outputText(e))
		}
		return true
	})
	return out
}
