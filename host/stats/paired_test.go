package stats_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/combin"

	"github.com/rubric-host/rubric-host/host/stats"
)

// eachLine decodes the lines of a file of testdata, of which there are n.
func eachLine[T any](t *testing.T, name string, n int, check func(T)) {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<24)
	for ; in.Scan(); n-- {
		var line T
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		check(line)
	}
	if n != 0 || in.Err() != nil {
		t.Errorf("%s: %d lines missing, %v", name, n, in.Err())
	}
}

// TestPaired_AgreesWithSciPy holds the tests to scipy and statsmodels.
func TestPaired_AgreesWithSciPy(t *testing.T) {
	type line struct {
		Kind      string
		D         []float64
		TP        float64  `json:"t_p"`
		TLow      float64  `json:"t_low"`
		THigh     float64  `json:"t_high"`
		SignP     float64  `json:"sign_p"`
		FlipP     *float64 `json:"flip_p"`
		Seed      uint64
		BootLow   float64 `json:"boot_low"`
		BootHigh  float64 `json:"boot_high"`
		Groups    []int
		ClusterSE float64 `json:"cluster_se"`
		ClusterP  float64 `json:"cluster_p"`
		Low       float64 `json:"cluster_low"`
		High      float64 `json:"cluster_high"`

		B, C                   int
		Exact, Chi2, Corrected float64
		Midp                   float64
		P, Q                   []float64
	}
	eachLine(t, "paired.jsonl", 53, func(l line) {
		name := fmt.Sprintf("%s n=%d b=%d c=%d", l.Kind, len(l.D), l.B, l.C)
		switch l.Kind {
		case "mcnemar":
			m := stats.McNemarTest(l.B, l.C)
			near(t, name+" exact", m.Exact, l.Exact, 1e-9)
			near(t, name+" mid-p", m.MidP, l.Midp, 1e-9)
			near(t, name+" χ²", m.Chi2, l.Chi2, 1e-9)
			near(t, name+" corrected", m.Corrected, l.Corrected, 1e-9)
			return
		case "bh":
			for i, q := range stats.BenjaminiHochberg(l.P) {
				near(t, fmt.Sprintf("q of %v [%d]", l.P, i), q, l.Q[i], 1e-12)
			}
			return
		}
		s := sampleOf(l.D...)
		p, _ := s.TTest()
		near(t, name+" t", p, l.TP, 1e-9)
		i, _ := s.TInterval()
		near(t, name+" low", i.Low, l.TLow, 1e-9)
		near(t, name+" high", i.High, l.THigh, 1e-9)
		if i.Method != stats.T {
			t.Errorf("%s: method %s", name, i.Method)
		}
		below, above := 0, 0
		units := make([]stats.Unit, len(l.D))
		for i, d := range l.D {
			units[i] = stats.Unit{Sum: d, N: 1}
			if d < 0 {
				below++
			} else if d > 0 {
				above++
			}
		}
		near(t, name+" sign", stats.SignTest(below, above), l.SignP, 1e-9)
		if l.FlipP != nil {
			p, exact := stats.SignFlip(l.D, 10_000, 1)
			near(t, name+" permutation", p, *l.FlipP, 1e-12)
			if !exact {
				t.Errorf("%s: the permutation test is not exact", name)
			}
		}
		boot := stats.Bootstrap(units, 999, l.Seed)
		near(t, name+" bootstrap low", boot.Low, l.BootLow, 1e-12)
		near(t, name+" bootstrap high", boot.High, l.BootHigh, 1e-12)
		if l.Groups == nil {
			return
		}
		var c stats.Sample
		for i, d := range l.D {
			c.AddTo(l.Groups[i], d)
		}
		se, _ := c.SE()
		near(t, name+" clustered SE", se, l.ClusterSE, 1e-9)
		p, _ = c.TTest()
		near(t, name+" clustered p", p, l.ClusterP, 1e-9)
		i, _ = c.TInterval()
		near(t, name+" clustered low", i.Low, l.Low, 1e-9)
		near(t, name+" clustered high", i.High, l.High, 1e-9)
		if i.Method != stats.Clustered {
			t.Errorf("%s: method %s", name, i.Method)
		}
	})
}

// TestPairedBootstrap_AgreesWithSacrebleu holds resampling of corpus scores to all 48 of
// the project's reference vectors, of which the paired ones have several metrics.
// p-values are exact; the tolerance of means is that of sacrebleu's float32 sums.
func TestPairedBootstrap_AgreesWithSacrebleu(t *testing.T) {
	type ours struct {
		Score, Mean, CI float64
		P               float64 `json:"p_value"`
	}
	type line struct {
		ID, Metric, Test string
		Config           setConfig
		Stats, Base      [][]float64
		N                int
		Expected         struct {
			Score            float64
			Mean             float64 `json:"bootstrap_mean"`
			CI               float64 `json:"bootstrap_ci"`
			Baseline, System ours
		}
	}
	const seed = 12345
	eachLine(t, "significance.jsonl.gz", 63, func(l line) {
		name := l.ID + " " + l.Metric
		score := l.Config.score(l.Metric)
		if l.Test == "" {
			mean, half, _ := stats.SetBootstrap(l.Stats, score, l.N, seed)
			near(t, name+" mean", mean, l.Expected.Mean, 1e-4)
			near(t, name+" interval", half, l.Expected.CI, 1e-4)
			return
		}
		want := l.Expected.System
		var got stats.SetTest
		if l.Test == "bs" {
			got, _ = stats.PairedBootstrap(l.Base, l.Stats, score, l.N, seed)
		} else {
			got, _ = stats.ApproximateRandomization(l.Base, l.Stats, score, l.N, seed)
		}
		near(t, name+" base", got.Base, l.Expected.Baseline.Score, 1e-9)
		near(t, name+" candidate", got.Candidate, want.Score, 1e-9)
		near(t, name+" p", got.P, want.P, 0)
		if l.Test == "bs" {
			mean, half, _ := stats.SetBootstrap(l.Stats, score, l.N, seed)
			near(t, name+" mean", mean, want.Mean, 1e-4)
			near(t, name+" interval", half, want.CI, 1e-4)
		}
	})
}

// setConfig are the settings of BLEU and chrF that the vectors use.
type setConfig struct {
	CharOrder int `json:"char_order"`
	WordOrder int `json:"word_order"`
	Beta      float64
}

// score is the corpus score by sacrebleu's definition: the statistics are the
// vectors', and only resampling is tested here.
func (c setConfig) score(metric string) stats.SetScore {
	switch metric {
	case "bleu":
		return bleu
	case "chrf":
		return c.chrf
	}
	return func(s []float64) (float64, error) { return 100 * s[0] / s[1], nil }
}

func bleu(s []float64) (float64, error) {
	logs, smooth := 0.0, 1.0
	if !slices.ContainsFunc(s[2:6], func(x float64) bool { return x > 0 }) {
		return 0, nil
	}
	for n := range 4 {
		correct, total := s[2+n], s[6+n]
		if correct == 0 {
			smooth *= 2
			correct = 1 / smooth
		}
		logs += math.Log(100 * correct / total)
	}
	bp := 1.0
	if s[0] < s[1] {
		bp = math.Exp(1 - s[1]/s[0])
	}
	return bp * math.Exp(logs/4), nil
}

func (c setConfig) chrf(s []float64) (float64, error) {
	var precision, recall, orders float64
	for i := range c.CharOrder + c.WordOrder {
		if hyp, ref, match := s[3*i], s[3*i+1], s[3*i+2]; hyp > 0 && ref > 0 {
			precision, recall, orders = precision+match/hyp, recall+match/ref, orders+1
		}
	}
	f := c.Beta * c.Beta
	precision, recall = precision/orders, recall/orders
	return 100 * (1 + f) * precision * recall / (f*precision + recall), nil
}

// TestNumPy_Stream holds the generator to numpy's own.
func TestNumPy_Stream(t *testing.T) {
	type line struct {
		ID     string
		Config struct {
			Seed    uint64
			N, Rows int
		}
		Expected struct {
			Raw    []string   `json:"raw_uint64"`
			Choice [][]uint32 `json:"choice_replace"`
			Bits   [][]int    `json:"integers_bool"`
		}
	}
	eachLine(t, "numpy_rng.jsonl", 22, func(l line) {
		g := stats.NewNumPy(l.Config.Seed)
		for _, want := range l.Expected.Raw {
			if got := fmt.Sprint(g.Uint64()); got != want {
				t.Errorf("%s: word %s, want %s", l.ID, got, want)
			}
		}
		g = stats.NewNumPy(l.Config.Seed)
		for _, want := range l.Expected.Choice {
			got := make([]uint32, len(want))
			if g.Choice(l.Config.N, got); !slices.Equal(got, want) {
				t.Errorf("%s: choice %v, want %v", l.ID, got, want)
			}
		}
		bits := make([]bool, l.Config.N*l.Config.Rows)
		stats.NewNumPy(l.Config.Seed).Bits(bits)
		for i, want := range slices.Concat(l.Expected.Bits...) {
			if bits[i] != (want == 1) {
				t.Errorf("%s: bit %d is %v", l.ID, i, bits[i])
			}
		}
	})
}

// TestPairedBootstrap_LargeOnesAgree compares quantiles of drawing by bin with those
// of drawing one by one, for values that are continuous, few, skewed, or clusters of
// different sizes.
func TestPairedBootstrap_LargeOnesAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	const n, resamples = 8_000, 6_000 // one by one; twice as many resamples go by bin
	rng := rand.New(rand.NewPCG(1, 2))
	draws := map[string]func() stats.Unit{
		"continuous": func() stats.Unit { return stats.Unit{Sum: rng.NormFloat64() / 3, N: 1} },
		"few":        func() stats.Unit { return stats.Unit{Sum: float64(rng.IntN(3) - 1), N: 1} },
		"skewed":     func() stats.Unit { return stats.Unit{Sum: math.Exp(2 * rng.NormFloat64()), N: 1} },
		"clusters": func() stats.Unit {
			size := 1 + rng.IntN(20)
			return stats.Unit{Sum: float64(size) * (0.3 + rng.NormFloat64()), N: float64(size)}
		},
	}
	for name, draw := range draws {
		units := make([]stats.Unit, n)
		for i := range units {
			units[i] = draw()
		}
		a := stats.Bootstrap(units, resamples, 1)
		b := stats.Bootstrap(units, 2*resamples, 1)
		if a.Method != stats.ByBootstrap || b.Method != stats.ByBinned {
			t.Fatalf("%s: methods %s and %s", name, a.Method, b.Method)
		}
		// The error of a 2.5 % quantile of 6,000 is about 2 % of the half width;
		// of the difference of two that is 2.5 %, and 8 % three of those.
		near(t, name+" low", b.Low, a.Low, 0.08*(a.High-a.Low)/2)
		near(t, name+" high", b.High, a.High, 0.08*(a.High-a.Low)/2)
	}
}

// TestSignFlip_AgreesWithTheNormal: of many values the test is near to a z-test.
func TestSignFlip_AgreesWithTheNormal(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	d := make([]float64, 3001) // no multiple of eight
	var sum, squares float64
	for i := range d {
		d[i] = rng.NormFloat64() + 0.03
		sum, squares = sum+d[i], squares+d[i]*d[i]
	}
	p, exact := stats.SignFlip(d, 10_000, 5)
	near(t, "p", p, math.Erfc(math.Abs(sum)/math.Sqrt(2*squares)), 0.015)
	if exact {
		t.Error("3001 values cannot be enumerated")
	}
	if again, _ := stats.SignFlip(d, 10_000, 5); again != p {
		t.Errorf("p %g, then %g", p, again)
	}
	// An odd number of ones with any signs is never nearer to 0 than 1.
	for i := range d {
		d[i] = float64(i%2*2 - 1)
	}
	if p, _ := stats.SignFlip(d, 10_000, 5); p != 1 {
		t.Errorf("ones with signs: p %g", p)
	}
}

func TestPaired_NothingChanged(t *testing.T) {
	s := sampleOf(0, 0, 0, 0)
	if _, ok := s.TTest(); ok {
		t.Error("values that do not vary have no t-test")
	}
	if p, exact := stats.SignFlip([]float64{0, 0, 0}, 100, 1); p != 1 || !exact {
		t.Errorf("p %g, exact %v", p, exact)
	}
	if m := stats.McNemarTest(0, 0); m != (stats.McNemar{Exact: 1, MidP: 1, Chi2: 1, Corrected: 1}) {
		t.Errorf("%+v", m)
	}
	if p := stats.SignTest(0, 0); p != 1 {
		t.Errorf("p %g", p)
	}
}

// TestBinomial_Draws compares mean and variance of the large bootstrap's draws with
// the distribution's, and their shape by the chi-squared statistic.
func TestBinomial_Draws(t *testing.T) {
	const draws = 200_000
	rng := rand.New(rand.NewPCG(9, 9))
	for _, b := range []struct{ n, p float64 }{{40, 0.3}, {100, 0.5}, {100_000, 0.02}, {700, 0.9}, {50, 0.1}} {
		mean, variance := b.n*b.p, b.n*b.p*(1-b.p)
		counts := map[float64]float64{}
		var sum, squares float64
		for range draws {
			k := stats.BinomialDraw(b.n, b.p, rng)
			counts[k]++
			sum, squares = sum+k, squares+(k-mean)*(k-mean)
		}
		near(t, fmt.Sprint(b.n, b.p, " mean"), sum/draws, mean, 5*math.Sqrt(variance/draws))
		near(t, fmt.Sprint(b.n, b.p, " variance"), squares/draws/variance, 1, 0.02)
		chi2, cells := 0.0, -1.0
		for k := 0.0; k <= b.n; k++ {
			want := draws * math.Exp(combin.LogGeneralizedBinomial(b.n, k)+k*math.Log(b.p)+(b.n-k)*math.Log1p(-b.p))
			if want >= 20 {
				chi2, cells = chi2+(counts[k]-want)*(counts[k]-want)/want, cells+1
			}
		}
		if p := mathext.GammaIncRegComp(cells/2, chi2/2); p < 1e-4 {
			t.Errorf("n %g, p %g: χ² %g of %g cells, p %g", b.n, b.p, chi2, cells, p)
		}
	}
}
