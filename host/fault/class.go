package fault

import "strings"

// A Class is a kind of failure. The text of a class is stable:
// scripts and rows carry it.
type Class string

// The classes. Surfaces has the exit code and advice of each.
const (
	None Class = "" // no failure

	// Invalid input; nothing was scored or sent.
	Usage    Class = "usage"     // flags or arguments
	Invalid  Class = "invalid"   // a rubric, dataset, manifest or configuration
	NotFound Class = "not-found" // a file, plugin, run or case that was named
	Mismatch Class = "mismatch"  // a digest is not the one that was pinned
	Conflict Class = "conflict"  // a name or file is taken by something else

	// The evaluation ran; the answer is no.
	Gate     Class = "gate"     // a gate or a required criterion was not met
	Unscored Class = "unscored" // more cases without a score than allowed

	// A plugin gave no answer.
	Refused     Class = "refused"      // the module is malformed or beyond a limit
	Load        Class = "load"         // it could not be compiled or instantiated
	Trap        Class = "trap"         // it stopped on a WebAssembly trap
	Fuel        Class = "fuel"         // it used up its computation budget
	Depth       Class = "depth"        // it called too deep
	Deadline    Class = "deadline"     // it ran longer than its wall-clock limit
	Memory      Class = "memory"       // it asked for more memory than its limit
	Input       Class = "input"        // the request is larger than its limit
	Output      Class = "output"       // the answer is larger than its limit, or outside its memory
	Protocol    Class = "protocol"     // the answer breaks the contract
	PluginError Class = "plugin-error" // the plugin itself reported an error
	Worker      Class = "worker"       // the worker process died

	// A judge gave no answer.
	JudgeUnreachable Class = "judge-unreachable" // no connection, or no answer in time
	JudgeAuth        Class = "judge-auth"        // 401 or 403
	JudgeRequest     Class = "judge-request"     // any other 4xx: model, context length, parameters
	JudgeLimit       Class = "judge-limit"       // 429 until the attempts ran out
	JudgeServer      Class = "judge-server"      // 5xx until the attempts ran out
	JudgeAnswer      Class = "judge-answer"      // an answer came and could not be used
	JudgeRefusal     Class = "judge-refusal"     // the model declined to answer
	ReplayMiss       Class = "replay-miss"       // the recording has no such request

	// The run was stopped.
	Budget      Class = "budget"       // the cost or token limit was reached
	Timeout     Class = "timeout"      // the time limit of the run was reached
	RateLimited Class = "rate-limited" // the judge's endpoint asks for longer pauses than a run waits
	Interrupted Class = "interrupted"  // SIGINT
	Terminated  Class = "terminated"   // SIGTERM
	Storage     Class = "storage"      // results could not be written: a full disk, a file that was removed

	Empty        Class = "nothing-to-do" // no case matched the selection
	Incomparable Class = "incomparable"  // the two sides do not allow a comparison

	Internal Class = "internal" // a defect of rubric-host
)

// A Surface is how a class meets the outside.
type Surface struct {
	Class  Class
	Exit   int    // exit code of the program
	Advice string // the next step, one imperative sentence
}

// surfaces is the one table from failure to exit code and advice.
var surfaces = []Surface{
	{None, 0, ""},

	{Usage, 2, "see " + OptionsDocumentation},
	{Invalid, 2, "correct the places named above; nothing was scored or sent"},
	{NotFound, 2, "check the name and the directory"},
	{Mismatch, 2, "restore the pinned file, or pin the new one on purpose"},
	{Conflict, 2, "rename or remove one of the two"},

	{Gate, 1, "look at the failing cases; the outputs are not good enough"},
	{Unscored, 3, "look at why cases are unscored, or raise " + OptionMaxUnscored},

	{Refused, 3, "rebuild the module within the limits; " + OptionInspect + " shows the reason"},
	{Load, 3, "check that the module targets wasm32-wasip1 or wasm32-unknown-unknown and exports what sdk/ABI.md says"},
	{Trap, 3, "the plugin has a defect on this input; report it to its author with the case"},
	{Fuel, 3, "raise " + OptionFuel + ", or make the plugin do less work"},
	{Depth, 3, "make the plugin recurse less deeply"},
	{Deadline, 3, "raise " + OptionDeadline + ", or make the plugin do less work"},
	{Memory, 3, "raise " + OptionMemory + ", or make the plugin use less"},
	{Input, 3, "shorten the case"},
	{Output, 3, "make the plugin answer more briefly"},
	{Protocol, 3, "make the plugin answer as sdk/ABI.md says"},
	{PluginError, 3, "correct the case or the plugin's configuration: the message is the plugin's own"},
	{Worker, 3, "run the plugin alone with " + OptionIsolate + "=never to see why it takes its process down"},

	{JudgeUnreachable, 3, "check the base URL and that the endpoint is up"},
	{JudgeAuth, 3, "check the key in " + OptionKey},
	{JudgeRequest, 3, "check the model name and the size of the prompt"},
	{JudgeLimit, 3, "lower " + OptionConcurrency + ", or wait"},
	{JudgeServer, 3, "try again later, or use another endpoint"},
	{JudgeAnswer, 3, "use a model that keeps to a JSON answer, or raise " + OptionAttempts},
	{JudgeRefusal, 3, "rephrase the criterion, or use another model"},
	{ReplayMiss, 3, "record again: the rubric, the prompt, the case or the judge's settings changed"},

	{Budget, 4, "raise the limit; the same command resumes where it stopped"},
	{Timeout, 4, "raise " + OptionTimeout + "; the same command resumes where it stopped"},
	{RateLimited, 4, "wait until the endpoint's limit resets; re-run the same command to resume"},
	{Storage, 4, "free some space or check permissions, then re-run the same command"},
	{Interrupted, 130, "the same command resumes where it stopped"},
	{Terminated, 143, "the same command resumes where it stopped"},

	{Empty, 5, "widen the selection"},
	{Incomparable, 6, "compare runs of the same rubric, plugins and cases"},

	{Internal, 70, "this is a bug in rubric-host; please report it"},
}

var surfaceOf = func() map[Class]Surface {
	m := make(map[Class]Surface, len(surfaces))
	for _, s := range surfaces {
		m[s.Class] = s
	}
	return m
}()

// Surfaces returns the whole table, in documentation order.
func Surfaces() []Surface { return append([]Surface(nil), surfaces...) }

// surface returns the row of c, or that of Internal for an undeclared class.
func (c Class) surface() Surface {
	if s, ok := surfaceOf[c]; ok {
		return s
	}
	return surfaceOf[Internal]
}

// OfJudge reports whether the class is a failure of a judge itself. It is not if a recording lacks the request.
func (c Class) OfJudge() bool { return strings.HasPrefix(string(c.surface().Class), "judge-") }

// ExitCode returns the exit code of the program for a failure of this class.
func (c Class) ExitCode() int { return c.surface().Exit }

// Advice returns the next step, or the empty string.
func (c Class) Advice() string { return c.surface().Advice }
