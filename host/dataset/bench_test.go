package dataset_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/dataset"
)

// row is a row of ordinary size and shape.
func row(i int) string {
	return fmt.Sprintf(`{"id": "case-%07d", "input": "What is the refund window for a damaged product bought online?", "output": "%sBest regards,\nthe support team", "expected_output": "Within 14 days.", "references": ["14 days", "two weeks"], "metadata": {"lang": "en", "topic": "refunds", "turn": %d}, "tags": {"team": "a"}}`+"\n",
		i, strings.Repeat("You can return it within 14 days of delivery. ", 12), i%7)
}

// generated is a dataset of n rows that is never in memory as a whole.
type generated struct {
	n, i int
	make func(i int) string
	rest string
}

func (g *generated) Read(p []byte) (int, error) {
	for g.rest == "" {
		if g.i == g.n {
			return 0, io.EOF
		}
		g.rest = g.make(g.i)
		g.i++
	}
	n := copy(p, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

func benchmark(b *testing.B, text string, format dataset.Format) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	rows := 0
	for b.Loop() {
		r, err := dataset.Open(dataset.Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), Format: format})
		must(b, err)
		for _, err := range r.Cases() {
			must(b, err)
			rows++
		}
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}

func manyRows(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(row(i))
	}
	return b.String()
}

func BenchmarkJSONL(b *testing.B) { benchmark(b, manyRows(5000), dataset.JSONL) }

func BenchmarkJSONLShort(b *testing.B) {
	var s strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&s, `{"id":"%d","output":"yes","expected_output":"no"}`+"\n", i)
	}
	benchmark(b, s.String(), dataset.JSONL)
}

func BenchmarkJSON(b *testing.B) {
	text := strings.TrimSuffix(manyRows(5000), "\n")
	benchmark(b, "["+strings.ReplaceAll(text, "\n", ",\n")+"]", dataset.JSON)
}

func BenchmarkCSV(b *testing.B) {
	var s strings.Builder
	s.WriteString("id,input,output,expected_output\n")
	for i := range 5000 {
		fmt.Fprintf(&s, "case-%d,What is the refund window?,\"%s, and so on\",Within 14 days.\n", i, strings.Repeat("You can return it within 14 days of delivery. ", 12))
	}
	benchmark(b, s.String(), dataset.CSV)
}

// TestReader_HoldsFewBytesPerRow reads just more rows than 7/8 of a power of two, where hashes of ids take most
// memory, a million with make full, and looks at the heap now and then: a hash and a place stay of each.
func TestReader_HoldsFewBytesPerRow(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	want := amount.Of(120_000, 1_000_000)
	limit := int64(256<<10 + 32*want)
	in := &generated{n: want, make: func(i int) string { return fmt.Sprintf(`{"id":"case-%d","output":"yes, and then some"}`+"\n", i) }}
	r, err := dataset.Open(dataset.Options{Paths: []string{"-"}, Stdin: in})
	must(t, err)
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	rows, most := 0, uint64(0)
	for _, err := range r.Cases() {
		must(t, err)
		if rows++; rows%(want/4) == 0 {
			runtime.GC()
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapAlloc)
		}
	}
	if held := int64(most) - int64(before.HeapAlloc); held > limit {
		t.Errorf("%d rows hold %d MiB, want at most %d", rows, held>>20, limit>>20)
	} else {
		t.Logf("%d bytes a row", held/int64(rows))
	}
	if got := r.Totals(); rows != want || got.Rows != rows || got.Cases != rows {
		t.Errorf("read %d rows, totals %+v", rows, got)
	}
}
