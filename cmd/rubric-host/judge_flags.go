package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// judgeFlags say who judges and how.
type judgeFlags struct {
	judge       string
	embeddings  string
	strategy    string
	attempts    limitFlag[int]
	concurrency string
	maxCost     limitFlag[float64]
	maxTokens   limitFlag[int]
	record      string
	replay      string
	abstain     bool
}

func (f *judgeFlags) bind(p *program, cmd *cobra.Command) {
	s := cmd.Flags()
	s.StringVar(&f.judge, "judge", "", "judge to use: openai:MODEL, or one defined in "+configName)
	completes(cmd, "judge", p.complete.judges)
	bindEmbeddings(p, cmd, &f.embeddings)
	s.StringVar(&f.strategy, "strategy", "", "judge calls: per-criterion, batch, batch:K or holistic (default: the rubric's)")
	s.Var(&f.attempts, "attempts", "maximum attempts per judge call (default 3)")
	s.StringVarP(&f.concurrency, "concurrency", "j", "auto", "concurrent judge calls: a number, or auto")
	s.Var(&f.maxCost, "max-cost", "judge cost in USD at which the run stops")
	s.Var(&f.maxTokens, "max-tokens", "judge tokens at which the run stops")
	s.StringVar(&f.record, "record", "", "append every judge call to this file")
	s.StringVar(&f.replay, "replay", "", "answer judge calls from this recording; send nothing")
	s.BoolVar(&f.abstain, "abstain", false, "allow the judge to abstain from a criterion")
	advanced(cmd, "attempts", "abstain", "max-tokens", "strategy", "embeddings", "concurrency", "record")
	completes(cmd, "strategy", words("per-criterion", "batch", "holistic"))
}

func bindEmbeddings(p *program, cmd *cobra.Command, into *string) {
	cmd.Flags().StringVar(into, "embeddings", "", "endpoint for embeddings: openai:MODEL, or a judge of "+configName)
	completes(cmd, "embeddings", p.complete.judges)
}

// embedder returns the embeddings model, nil if none is configured.
func (s *settings) embedder(name string) (*host.Embeddings, error) {
	if name == "" {
		return nil, nil //nolint:nilnil // no endpoint is named
	}
	j, err := s.endpoint(name)
	if err != nil {
		return nil, fmt.Errorf("--embeddings: %w", err)
	}
	return &host.Embeddings{Name: j.Name, Endpoint: j.Endpoint, KeyHint: j.KeyHint}, nil
}

// options returns the judge that the flags mean, nil for none. If only embeddings are asked
// for, it has their settings, and no model.
func (f *judgeFlags) options(s *settings) (*host.Judge, error) {
	j := &host.Judge{}
	var err error
	if f.judge != "" {
		if j, err = s.judge(f.judge); err != nil {
			return nil, err
		}
	}
	if err := f.apply(j); err != nil { // a mistake also where nobody judges
		return nil, err
	}
	switch {
	case f.judge != "" || f.replay != "" || f.embeddings != "":
	case f.record != "":
		return nil, fault.WithHint(fault.New(fault.Usage, "--record needs a judge"), "name one with --judge, or an endpoint with --embeddings")
	default:
		return nil, nil //nolint:nilnil // nothing is asked
	}
	if err := f.limit(s, j); err != nil {
		return nil, err
	}
	return j, f.files(j)
}

// apply gives a judge the flags that concern no endpoint, and refuses those that make no sense.
func (f *judgeFlags) apply(j *host.Judge) error {
	if f.attempts.n > 0 {
		j.Options.Attempts = f.attempts.n
	}
	j.Options.Abstain = f.abstain
	var err error
	if j.Strategy, j.Batch, err = parseStrategy(f.strategy); err != nil {
		return err
	}
	if f.concurrency != "auto" && f.concurrency != "" {
		n, err := strconv.Atoi(f.concurrency)
		if err != nil || n < 1 {
			return fault.New(fault.Usage, "--concurrency %q: must be a positive integer or \"auto\"", f.concurrency)
		}
		j.Concurrency = n
	}
	return nil
}

// limit gives a judge the limits of a run, for which it and the embeddings need prices.
func (f *judgeFlags) limit(s *settings, j *host.Judge) error {
	j.Limits = llm.Limits{CostUSD: f.maxCost.n, Tokens: f.maxTokens.n}
	if f.maxCost.n == 0 || f.replay != "" {
		return nil
	}
	return f.priced(s, j, fmt.Sprintf("--max-cost %g", f.maxCost.n), ", or limit --max-tokens")
}

// priced refuses a bound on the cost by prices that are not trusted, or not known. what names the bound, instead ends the hint.
func (f *judgeFlags) priced(s *settings, j *host.Judge, what, instead string) error {
	if err := s.trustedPrices(f.judge, f.embeddings); err != nil {
		return err
	}
	name := ""
	if e, err := s.embedder(f.embeddings); err == nil && e != nil && !e.Endpoint.Priced() {
		name = e.Name
	}
	if f.judge != "" && !j.Endpoint.Priced() {
		name = j.Name
	}
	if name == "" {
		return nil
	}
	return fault.WithHint(fault.New(fault.Usage, "%s: %q has no prices", what, name), "give price_in and price_out (0 if free) to a judge of %s%s", configName, instead)
}

// trustedPrices refuses to limit a cost by prices of a file that the user does not trust.
func (s *settings) trustedPrices(endpoints ...string) error {
	for _, name := range endpoints {
		if n := s.judges[name]; n != nil && n.untrusted && n.needs == "" && n.endpoint.Priced() {
			return s.project.untrusted(diag.List{s.project.need(n.line, "judges."+name, pricesDecide)})
		}
	}
	return nil
}

// pricesDecide says why prices of a project file need trust.
const pricesDecide = "its prices decide what --max-cost and gates on cost_usd allow"

// files opens the recordings.
func (f *judgeFlags) files(j *host.Judge) error {
	switch {
	case f.replay != "" && f.record != "":
		return fault.New(fault.Usage, "--record and --replay cannot be combined")
	case f.replay != "":
		b, err := file.Read(f.replay, 1<<32)
		if err != nil {
			return err
		}
		j.Replay, j.ReplayName = bytes.NewReader(b), f.replay
	case f.record != "":
		w, err := file.Open(f.record, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
		if err != nil {
			return fault.New(fault.Usage, "--record: %w", err)
		}
		j.Record = w
	}
	return nil
}

// parseStrategy reads per-criterion, batch, batch:K or holistic.
func parseStrategy(s string) (rubric.Strategy, int, error) {
	name, size, sized := strings.Cut(s, ":")
	strategy := rubric.Strategy(name)
	switch strategy {
	case "", rubric.PerCriterion, rubric.Batch, rubric.Holistic:
	default:
		return "", 0, fault.WithHint(fault.New(fault.Usage, "--strategy %q is unknown", s), "known: per-criterion, batch, batch:K, holistic")
	}
	if !sized {
		return strategy, 0, nil
	}
	n, err := strconv.Atoi(size)
	if strategy != rubric.Batch || err != nil || n < 1 {
		return "", 0, fault.WithHint(fault.New(fault.Usage, "--strategy %q: a size is a number from 1, and only batch has one", s), "such as batch:5")
	}
	return strategy, n, nil
}
