package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// EvaluationID returns the id of the evaluation of a case in a run: "eval_" and 12
// hexadecimal digits. It depends on nothing else, so that every scan gives the same.
// repeat counts from 1.
func EvaluationID(run, caseID string, repeat int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%s%d:%s%d", len(run), run, len(caseID), caseID, repeat))
	return "eval_" + hex.EncodeToString(sum[:6])
}
