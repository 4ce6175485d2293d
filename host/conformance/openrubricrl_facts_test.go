package conformance

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
)

func openrubricrlUpstream(row *seedRow, result map[string]any) facts {
	op := row.Input["op"]
	if stdout := textAt(result, "stdout"); strings.Contains(stdout, "{") {
		var printed map[string]any
		if json.Unmarshal([]byte(stdout[strings.Index(stdout, "{"):]), &printed) == nil {
			return commandFacts(result, printed)
		}
	}
	switch op {
	case "load":
		return loadedFacts(result)
	case "cli":
		return commandFacts(result, nil)
	case "batch":
		f := facts{}
		f.take("calls", result, "calls")
		if result["raised"] != nil {
			f["refused"] = anything{}
		}
		return f
	}
	return scoreFacts(result)
}

// commandFacts are those of a command: its exit code, and its output.
func commandFacts(result, printed map[string]any) facts {
	f := facts{}
	if exit, ok := result["exit"]; ok {
		f["valid"] = exit == 0.0
	}
	list := listAt(printed, "results")
	switch {
	case list != nil:
		delete(f, "valid")
		f.take("calls", result, "calls")
		f["rows"] = float64(len(list))
		for i, r := range list {
			f.take(fmt.Sprintf("%d.judge_overall", i), r, "overall_score")
		}
	case printed != nil:
		f.and(scoreFacts(map[string]any{"result": any(printed), "calls": result["calls"]}))
	}
	return f
}

// loadedFacts are those of a document that was read, or not.
func loadedFacts(result map[string]any) facts {
	f := facts{"refused": nil}
	if e, ok := result["load_error"]; ok {
		f["refused"] = "invalid"
		if m, ok := dig(e, "message"); ok {
			if _, demanded := m.(containing); demanded {
				f["message"] = m
			}
		}
		return f
	}
	loaded := result["loaded"]
	for _, key := range []string{"name", "version", "domain"} {
		f.take(key, loaded, key)
	}
	for _, key := range []string{"min", "max", "type"} {
		f.take("scale."+key, loaded, "scale", key)
	}
	for i, c := range listAt(loaded, "criteria") {
		f.take(fmt.Sprintf("criteria.%d.name", i), c, "name")
		f.take(fmt.Sprintf("criteria.%d.weight", i), c, "weight")
	}
	f.take("license", loaded, "metadata", "license")
	if v, ok := result["validate_schema"].(bool); ok {
		f["schema_valid"] = v
	}
	return f
}

// scoreFacts are those of one scored pair.
func scoreFacts(result map[string]any) facts {
	f := facts{"whole.refused": nil, "by.refused": nil}
	f.take("whole.calls", result, "calls")
	if result["raised"] != nil || result["reward_raised"] != nil {
		f["whole.score"] = nil
	}
	f.take("whole.judge_overall", result, "result", "overall_score")
	if why := textAt(result, "result", "overall_explanation"); why != "" && !strings.HasPrefix(why, "Failed to parse") {
		f["whole.criterion.overall.reason"] = why
	}
	f.take("whole.reward", result, "reward", "reward")
	f.take("whole.raw_score", result, "reward", "raw_llm_score")
	if x, ok := result["reward"].(float64); ok {
		f["whole.reward"] = x // of the reward function alone
	}
	components, _ := dig(result, "reward", "hybrid_components")
	if list, ok := components.(map[string]any); ok {
		for name, v := range list {
			f["whole.metric."+name] = v
		}
	}
	scores, ok := dig(result, "result", "criterion_scores")
	list, _ := scores.(map[string]any)
	switch overall, said := dig(result, "result", "overall_score"); {
	case !ok:
	case len(list) == 0:
		f["by.score"] = nil
	default:
		for name, v := range list {
			f["by.criterion."+name] = v
			f.take("by.criterion."+name+".reason", result, "result", "criterion_explanations", name)
		}
		if said && len(list) > 1 {
			f["by.judge_overall"] = overall
		}
	}
	return f
}
