package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// tiktoken makes OpenAI's vocabulary files, which PyPI's tiktoken downloads and verifies, of the
// encoders of the npm package tiktoken. A line there is a word, the rank of its first token, and
// tokens in base64; a line here is a token and its rank.
func tiktoken(files map[string][]byte) (made, error) {
	out := made{}
	for file, content := range files {
		var encoder struct {
			Ranks string `json:"bpe_ranks"`
		}
		if err := json.Unmarshal(content, &encoder); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		tokens := map[int]string{}
		for line := range strings.Lines(encoder.Ranks) {
			words := strings.Fields(line)
			if len(words) < 2 {
				continue
			}
			rank, err := strconv.Atoi(words[1])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			for k, token := range words[2:] {
				tokens[rank+k] = token
			}
		}
		var b bytes.Buffer
		for rank := range len(tokens) {
			if tokens[rank] == "" {
				return nil, fmt.Errorf("%s: no token has rank %d", file, rank)
			}
			fmt.Fprintf(&b, "%s %d\n", tokens[rank], rank)
		}
		out[strings.TrimSuffix(file, ".json")+".tiktoken"] = b.Bytes()
	}
	return out, nil
}
