package meter_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// TestRewrite_TimeFollowsTheSize meters modules that took 10 seconds and more while their
// parts were searched one by one: metering has no deadline.
func TestRewrite_TimeFollowsTheSize(t *testing.T) {
	many, names := &binary.Module{}, []string{}
	many.Types, many.Functions = []binary.FuncType{{}}, []uint32{0, 0}
	many.Code = []binary.Body{{Code: []byte{0x0b}}, {Code: append([]byte(strings.Repeat("\x01", 100)), 0x0b)}}
	for k := range 9_990 {
		names = append(names, strings.Repeat("a", 990)+fmt.Sprintf("%05d", k))
		many.Exports = append(many.Exports, binary.Export{Name: names[k], Index: 1})
	}
	types := &binary.Module{}
	for k := range 3_000 { // each function calls itself
		results := make([]binary.ValType, 1_000)
		for j := range results {
			results[j] = binary.I32
			if bit := len(results) - 1 - j; bit < 12 && k>>bit&1 == 1 { // they differ at the end
				results[j] = binary.I64
			}
		}
		types.Types = append(types.Types, binary.FuncType{Results: results})
		types.Functions = append(types.Functions, uint32(k))
		types.Code = append(types.Code, binary.Body{Code: append(binary.AppendU32([]byte{0x10}, uint32(k)), 0x0b)})
	}
	for name, m := range map[string]*binary.Module{"exports": many, "types": types} {
		text := m.Append(nil)
		ratio := 0.0
		for range 3 { // the machine may be busy with something else in one of them
			at := time.Now()
			read, err := binary.Read(text, binary.Limits{TypeValues: 1 << 40})
			if err != nil {
				t.Fatal(err)
			}
			reading := time.Since(at)
			at = time.Now()
			if _, err := meter.Rewrite(read, meter.Options{Without: names}); err != nil {
				t.Error(err)
			}
			if ratio = float64(time.Since(at)) / float64(reading); ratio < 50 {
				break
			}
		}
		if ratio >= 50 {
			t.Errorf("%s: metering takes %.0f times as long as reading", name, ratio)
		}
	}
}
