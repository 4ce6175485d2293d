package fault

// The settings and functions that hints refer to, by their Go names. Packages below host
// write hints with these constants, and never with the flags or commands of a program: a
// row then has the same text in every program. A program that shows hints replaces each of
// them by its own words; Options lists all.
const (
	OptionPlugins    = "host.Options.Plugins"
	OptionAllow      = "host.Options.Allow"
	OptionIsolate    = "host.Options.Isolate"
	OptionRuntimeDir = "host.Options.RuntimeDir"
	OptionCacheDir   = "wasm.Options.CacheDir"
	OptionCache      = "host.Options.Cache"
	OptionJudge      = "host.Options.Judge"
	OptionEmbeddings = "host.Options.Embeddings"

	OptionReplay      = "host.Judge.Replay"
	OptionConcurrency = "host.Judge.Concurrency"
	OptionAttempts    = "judge.Options.Attempts"
	OptionModel       = "llm.Endpoint.Model"
	OptionKey         = "llm.Endpoint.Key"

	OptionGiven       = "host.PlanOptions.Given"
	OptionRuns        = "host.EvaluateOptions.Runs"
	OptionFresh       = "host.EvaluateOptions.Fresh"
	OptionNoContent   = "host.EvaluateOptions.NoContent"
	OptionMaxUnscored = "host.EvaluateOptions.MaxUnscored"
	OptionTimeout     = "host.EvaluateOptions.Timeout"
	OptionBaseline    = "host.EvaluateOptions.Baseline"
	OptionDifferences = "compare.Options.Allow"

	OptionFuel     = "wasm.Limits.Fuel"
	OptionPeerFuel = "wasm.Limits.PeerFuel"
	OptionMemory   = "wasm.Limits.MemoryPages"
	OptionDeadline = "wasm.Limits.Deadline"
	OptionExport   = "host.Call.Export"

	OptionDataset       = "host.EvaluateOptions.Dataset"
	OptionDatasetFormat = "dataset.Options.Format"
	OptionDatasetMap    = "dataset.Options.Map"
	OptionDatasetSelect = "dataset.Options.Select"
	OptionDatasetShard  = "dataset.Selection.Shard"

	OptionDatasetOutputs  = "dataset.Options.Outputs"
	OptionDatasetPreset   = "dataset.Options.Preset"
	OptionDatasetProblems = "dataset.Options.Problems"
	OptionDatasetSamples  = "dataset.Options.Samples"

	OptionTypes = "review.Lifecycle.Types"

	OptionDialect        = "dialect.Options.Dialect"
	OptionSchema         = "dialect.Schema"
	OptionMigrate        = "tools.Migrate"
	OptionGenerate       = "generate.Fill"
	OptionPitfalls       = "tools.ImportOptions.Pitfalls"
	OptionImportRows     = "dataset.Selection.From"
	OptionConvert        = "tools.Convert"
	OptionListRuns       = "runner.List"
	OptionListRuntimes   = "interpreter.Store.List"
	OptionAddRuntime     = "interpreter.Store.Add"
	OptionAddData        = "datafile.Store.Add"
	OptionInspect        = "inspect.Module"
	OptionBrokenPlugins  = "plugin.Catalog.Broken"
	OptionsDocumentation = "the Go documentation of rubric-host"
)

// Options returns all that a hint may refer to.
func Options() []string {
	return []string{
		OptionPlugins, OptionAllow, OptionIsolate, OptionRuntimeDir, OptionCacheDir, OptionCache, OptionJudge, OptionEmbeddings,
		OptionReplay, OptionConcurrency, OptionAttempts, OptionModel, OptionKey,
		OptionGiven, OptionRuns, OptionFresh, OptionNoContent, OptionMaxUnscored, OptionTimeout, OptionBaseline, OptionDifferences,
		OptionFuel, OptionPeerFuel, OptionMemory, OptionDeadline, OptionExport,
		OptionTypes, OptionDataset, OptionDatasetFormat, OptionDatasetMap, OptionDatasetSelect, OptionDatasetShard,
		OptionDatasetOutputs, OptionDatasetPreset, OptionDatasetProblems, OptionDatasetSamples,
		OptionDialect, OptionSchema, OptionMigrate, OptionGenerate, OptionPitfalls, OptionImportRows, OptionConvert, OptionListRuns, OptionListRuntimes, OptionAddRuntime, OptionAddData, OptionInspect, OptionBrokenPlugins, OptionsDocumentation,
	}
}
