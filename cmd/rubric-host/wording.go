package main

import (
	"cmp"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
)

// wording holds the program's words for the options that the library's hints name. Files of
// runs keep the library's names; everything that the program prints has these words.
var wording = map[string]string{
	fault.OptionPlugins:    "--plugins DIR",
	fault.OptionAllow:      "--allow",
	fault.OptionIsolate:    "--isolate",
	fault.OptionRuntimeDir: "RUBRIC_HOST_RUNTIMES",
	fault.OptionCacheDir:   "--cache-dir",
	fault.OptionCache:      "--cache-dir",
	fault.OptionJudge:      "--judge openai:MODEL",
	fault.OptionEmbeddings: "--embeddings openai:MODEL",

	fault.OptionReplay:      "--replay FILE",
	fault.OptionConcurrency: "--concurrency",
	fault.OptionAttempts:    "--attempts",
	fault.OptionModel:       "--judge openai:MODEL",
	fault.OptionKey:         "the variable that api_key_env names",

	fault.OptionGiven:       "--verdicts FILE",
	fault.OptionRuns:        "--runs",
	fault.OptionFresh:       "--fresh",
	fault.OptionNoContent:   "--no-content",
	fault.OptionMaxUnscored: "--max-unscored",
	fault.OptionTimeout:     "--timeout",
	fault.OptionBaseline:    "--baseline RUN",
	fault.OptionDifferences: "--allow-different",

	fault.OptionFuel:     "--fuel",
	fault.OptionPeerFuel: "--peer-fuel",
	fault.OptionMemory:   "--memory",
	fault.OptionDeadline: "--deadline",
	fault.OptionExport:   "--export NAME",

	fault.OptionDataset:       "--data",
	fault.OptionDatasetFormat: "--format",
	fault.OptionDatasetMap:    "--map",
	fault.OptionDatasetSelect: "--id",
	fault.OptionDatasetShard:  "--shard I/N",

	fault.OptionDatasetOutputs:  "--outputs FILE",
	fault.OptionDatasetProblems: "--problems FILE",
	fault.OptionDatasetPreset:   "--preset NAME",
	fault.OptionDatasetSamples:  "--preset",

	fault.OptionTypes: "artifact_types in " + configName,

	fault.OptionDialect:        "--dialect",
	fault.OptionSchema:         "rubric-host rubric schema",
	fault.OptionMigrate:        "rubric-host rubric migrate",
	fault.OptionGenerate:       "rubric-host rubric generate",
	fault.OptionConvert:        "rubric-host rubric convert",
	fault.OptionPitfalls:       "--pitfalls",
	fault.OptionImportRows:     "--limit A:B",
	fault.OptionListRuns:       "rubric-host runs list",
	fault.OptionListRuntimes:   "rubric-host runtime list",
	fault.OptionAddRuntime:     "rubric-host runtime add",
	fault.OptionAddData:        "rubric-host plugin add-data",
	fault.OptionInspect:        "rubric-host plugin inspect",
	fault.OptionBrokenPlugins:  "rubric-host plugin list",
	fault.OptionsDocumentation: "the command's --help",
}

// flagWords replaces options by the program's words for them.
var flagWords = func() *strings.Replacer {
	var pairs []string
	for _, option := range fault.Options() {
		pairs = append(pairs, option, wording[option])
	}
	return strings.NewReplacer(pairs...)
}()

// worded returns a message or hint of the library in the program's words.
func worded(text string) string { return flagWords.Replace(text) }

// hintOf returns the hint of an error, in the program's words.
func hintOf(err error) string { return worded(fault.Hint(err)) }

// failureOf returns an error as JSON has it, in the program's words.
func failureOf(err error) *result.Failure {
	f := result.FailureOf(err)
	wordFailure(f)
	return f
}

// wordFailure puts a failure into the program's words. One without a hint of its own gets
// the advice of its class, which rows do not repeat.
func wordFailure(f *result.Failure) {
	if f != nil {
		f.Message, f.Hint = worded(f.Message), worded(cmp.Or(f.Hint, f.Class.Advice()))
	}
}

// wordRow puts the failures and reasons of a row into the program's words. The row may be nil.
func wordRow(row *result.Row) {
	if row == nil {
		return
	}
	if e := row.Error; e != nil && e.Class == fault.Invalid && (e.Hint == "" || e.Hint == e.Class.Advice()) {
		e.Hint = "correct the place named above" // other rows were scored
	}
	wordFailure(row.Error)
	if row.Score == nil {
		row.Reason = worded(row.Reason)
	}
	for c := range row.All() {
		wordFailure(c.Error)
		if c.Value == nil {
			c.Reason = worded(c.Reason)
		}
	}
}

// wordRun puts the failures of a run into the program's words, once it is written.
func wordRun(run *result.Run) {
	wordFailure(run.Error)
	if run.Summary == nil {
		return
	}
	for i := range run.Summary.Corpus {
		wordFailure(run.Summary.Corpus[i].Error)
	}
	for i, text := range run.Summary.Warnings {
		run.Summary.Warnings[i] = worded(text)
	}
	for i := range run.Summary.Unscored {
		u := &run.Summary.Unscored[i]
		u.Message = worded(u.Message)
	}
}

// wordProblems returns diagnostics in the program's words.
func wordProblems(list diag.List) diag.List {
	out := make(diag.List, len(list))
	for i, d := range list {
		d.Message, d.Hint = worded(d.Message), worded(d.Hint)
		out[i] = d
	}
	return out
}
