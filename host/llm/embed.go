package llm

import (
	"cmp"
	"context"
	"math"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	openai "github.com/sashabaranov/go-openai"

	"github.com/rubric-host/rubric-host/host/fault"
)

// mostDimensions is the length of the longest embedding that is taken.
const mostDimensions = 65_536

type embeddingBody struct {
	Model  string   `json:"model"`
	Input  []string `json:"input"`
	Format string   `json:"encoding_format"`
}

// embed makes one attempt at the embeddings of a request's texts.
func (c *Client) embed(ctx context.Context, req *Request) (Response, error) {
	x := &exchange{endpoint: &c.endpoint, role: "embeddings", path: "/embeddings", model: req.Model, embeds: len(req.Embed)}
	x.body, x.failed = json.Marshal(&embeddingBody{req.Model, req.Embed, "float"}, jsontext.AllowInvalidUTF8(true))
	if x.failed != nil {
		return Response{}, fault.New(fault.Internal, "the embedding request cannot be written: %w", x.failed)
	}
	envelope := openai.EmbeddingRequest{Model: "embedding"} // its body is replaced by x.body
	if c.endpoint.AzureVersion != "" {
		envelope.Model = openai.EmbeddingModel(req.Model) // it is part of the URL
	}
	c.attempt(ctx, x, func(ctx context.Context) error {
		_, err := c.api.CreateEmbeddings(ctx, envelope)
		return err
	})
	return x.answer()
}

// embedded reads a 2xx answer to a request for embeddings: its text is a JSON list
// with one vector for each text, in their order.
func (x *exchange) embedded() (Response, error) {
	var answer struct {
		Model string `json:"model"`
		Data  []struct {
			Index     int            `json:"index"`
			Embedding jsontext.Value `json:"embedding"`
		} `json:"data"`
		Usage struct {
			PromptTokens int `json:"prompt_tokens"`
			TotalTokens  int `json:"total_tokens"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(x.raw, &answer, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return Response{}, x.fail(fault.JudgeServer, "check that the base URL ends where /embeddings follows",
			"HTTP %d, but not embeddings: %s", x.status, x.excerpt())
	}
	res := Response{Model: x.plain(answer.Model), TokensIn: tokens(cmp.Or(answer.Usage.PromptTokens, answer.Usage.TotalTokens))}
	res.CostUSD, res.Unpriced = x.cost(&res)
	if len(answer.Data) != x.embeds {
		return res, x.fail(fault.JudgeServer, "", "HTTP %d with %d embeddings of %d texts", x.status, len(answer.Data), x.embeds)
	}
	vectors := make([]jsontext.Value, x.embeds)
	dimensions := 0
	for i := range answer.Data {
		d := &answer.Data[i]
		vector, n, err := numbers(d.Embedding)
		switch {
		case d.Index < 0 || d.Index >= x.embeds || vectors[d.Index] != nil:
			return res, x.fail(fault.JudgeServer, "", "HTTP %d: the embeddings are not numbered from 0", x.status)
		case err != nil:
			return res, x.fail(fault.JudgeServer, "", "HTTP %d: embedding %d: %v", x.status, d.Index, err)
		case dimensions != 0 && n != dimensions:
			return res, x.fail(fault.JudgeServer, "", "HTTP %d: embeddings of %d and of %d numbers", x.status, dimensions, n)
		}
		vectors[d.Index], dimensions = vector, n
	}
	text, err := json.Marshal(vectors)
	res.Text = string(text)
	return res, err
}

// numbers returns a vector as a JSON list, each number in its shortest form as a
// float32, the type that models compute with; and its length.
func numbers(v jsontext.Value) (list []byte, n int, err error) {
	var xs []float64
	if v.Kind() != '[' || json.Unmarshal(v, &xs) != nil {
		return nil, 0, fault.New(fault.JudgeServer, "it is not a list of numbers")
	}
	if len(xs) == 0 || len(xs) > mostDimensions {
		return nil, 0, fault.New(fault.JudgeServer, "it has %d numbers, want 1 to %d", len(xs), mostDimensions)
	}
	list = []byte{'['}
	for i, x := range xs {
		if f := float64(float32(x)); math.IsInf(f, 0) {
			return nil, 0, fault.New(fault.JudgeServer, "the number %g is beyond a float32", x)
		}
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendFloat(list, float64(float32(x)), 'g', -1, 32)
	}
	return append(list, ']'), len(xs), nil
}

// Vectors reads the text of an answer to a request with Embed: one vector for each text, each a
// JSON list of numbers. A recording may hold anything, so that the form is checked again.
func Vectors(text string, texts int) ([]jsontext.Value, error) {
	var list []jsontext.Value
	if err := json.Unmarshal([]byte(text), &list); err != nil || len(list) != texts {
		return nil, fault.New(fault.JudgeAnswer, "the answer is not a list of %d embeddings", texts)
	}
	for i, v := range list {
		if _, _, err := numbers(v); err != nil {
			return nil, fault.New(fault.JudgeAnswer, "embedding %d: %w", i, err)
		}
	}
	return list, nil
}
