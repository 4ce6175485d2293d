package stats_test

import (
	"bufio"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/stats"
)

// tester has the common methods of *testing.T and *rapid.T.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
}

func near(t tester, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.17g, want %.17g", what, got, want)
	}
}

func sampleOf(values ...float64) *stats.Sample {
	var s stats.Sample
	for _, x := range values {
		s.Add(x)
	}
	return &s
}

func TestWilson_AgreesWithStatsmodels(t *testing.T) {
	f, err := os.Open("testdata/wilson.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := 0
	for in := bufio.NewScanner(f); in.Scan(); lines++ {
		var v struct {
			ID           string
			Alpha        float64
			Successes, N float64
			Wilson       [2]float64
		}
		if err := json.Unmarshal(in.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if v.Alpha != 0.05 {
			continue
		}
		got := stats.Wilson(v.Successes, v.N)
		near(t, v.ID+" low", got.Low, v.Wilson[0], 1e-9)
		near(t, v.ID+" high", got.High, v.Wilson[1], 1e-9)
	}
	if lines != 15 {
		t.Errorf("%d lines, want 15", lines)
	}
}

// TestSample_MeanByHand: values 0.2, 0.4, 0.9 have mean 0.5 and squared deviations
// 0.09 + 0.01 + 0.16 = 0.26, so SD = √0.13 = 0.36055513, SE = SD/√3 =
// 0.20816660, and t for 2 degrees of freedom is 4.30265273.
func TestSample_MeanByHand(t *testing.T) {
	s := sampleOf(0.2, 0.4, 0.9)
	mean, _ := s.Mean()
	sd, _ := s.SD()
	se, _ := s.SE()
	i, ok := s.Interval()
	near(t, "mean", mean, 0.5, 1e-15)
	near(t, "SD", sd, 0.36055512754639896, 1e-15)
	near(t, "SE", se, 0.2081665999466133, 1e-15)
	near(t, "low", i.Low, 0.5-0.8956686, 1e-7)
	near(t, "high", i.High, 0.5+0.8956686, 1e-7)
	if i.Method != stats.T || !ok || s.N() != 3 || s.Clusters() != 3 {
		t.Errorf("method %s, ok %v, n %d, clusters %d", i.Method, ok, s.N(), s.Clusters())
	}
}

// TestSample_ClusteredByHand: clusters {1, 0.6}, {0, 0.2} and {0.7} have mean 0.5 and
// sums of deviations 0.6, -0.8 and 0.2, whose squares add up to 1.04. SE =
// √(3/2·1.04)/5 = 0.24979992; t for 2 degrees of freedom is 4.30265273.
func TestSample_ClusteredByHand(t *testing.T) {
	var s stats.Sample
	s.AddTo(0, 1)
	s.AddTo(2, 0)
	s.AddTo(0, 0.6)
	s.AddTo(2, 0.2)
	s.Add(0.7)
	se, _ := s.SE()
	near(t, "SE", se, math.Sqrt(1.56)/5, 1e-15)
	i, _ := s.Interval()
	near(t, "half", (i.High-i.Low)/2, 4.302652729911275*math.Sqrt(1.56)/5, 1e-9)
	if i.Method != stats.Clustered || s.Clusters() != 3 {
		t.Errorf("method %s, clusters %d", i.Method, s.Clusters())
	}
}

func TestSample_Intervals(t *testing.T) {
	clustered := func(values ...float64) *stats.Sample {
		var s stats.Sample
		for i, x := range values {
			s.AddTo(i/2, x)
		}
		return &s
	}
	tests := []struct {
		name      string
		s         *stats.Sample
		how       stats.Method
		low, high float64
	}{
		{"zeros and ones are a share", sampleOf(1, 1, 1, 0), stats.ByWilson, stats.Wilson(3, 4).Low, stats.Wilson(3, 4).High},
		{"all ones are not certain", sampleOf(1, 1, 1, 1, 1), stats.ByWilson, stats.Wilson(5, 5).Low, 1},
		{"one value is a share too", sampleOf(0), stats.ByWilson, 0, stats.Wilson(0, 1).High},
		{"all ones in clusters count as the clusters", clustered(1, 1, 1, 1, 1, 1), stats.ByWilson, stats.Wilson(3, 3).Low, 1},
		{"clusters that agree within count as the clusters", clustered(1, 1, 0, 0, 1, 1, 0, 0), stats.ByWilson, stats.Wilson(1.5, 3).Low, stats.Wilson(1.5, 3).High},
		{"clusters that disagree within are no better than single values", clustered(1, 0, 1, 0, 1, 0), stats.ByWilson, stats.Wilson(3, 6).Low, stats.Wilson(3, 6).High},
		{"one value that is not a share has no interval", sampleOf(0.5), "", 0, 0},
		{"one cluster has no interval", clustered(0.5, 0.6), "", 0, 0},
		{"nothing has no interval", sampleOf(), "", 0, 0},
		{"values all alike", sampleOf(0.7, 0.7, 0.7), stats.T, 0.7, 0.7},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			i, ok := tt.s.Interval()
			if i.Method != tt.how || ok != (tt.how != "") {
				t.Fatalf("method %q, ok %v", i.Method, ok)
			}
			near(t, "low", i.Low, tt.low, 1e-12)
			near(t, "high", i.High, tt.high, 1e-12)
		})
	}
}

func TestSample_RefusesValuesThatAreNoNumbers(t *testing.T) {
	s := sampleOf(0.5)
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e200, -math.MaxFloat64} {
		if s.Add(x) || s.AddTo(3, x) {
			t.Errorf("%g was taken", x)
		}
	}
	if mean, _ := s.Mean(); mean != 0.5 || s.N() != 1 || s.Refused() != 10 || s.Clusters() != 1 {
		t.Errorf("mean %g, n %d, refused %d, clusters %d", mean, s.N(), s.Refused(), s.Clusters())
	}
	if s.Add(1e120); s.N() != 2 {
		t.Error("1e120 was refused")
	}
	if sd, ok := s.SD(); !ok || math.IsNaN(sd) || math.IsInf(sd, 0) {
		t.Errorf("SD = %g", sd)
	}
}

func TestSample_Empty(t *testing.T) {
	var s stats.Sample
	_, hasMean := s.Mean()
	_, hasSD := s.SD()
	_, hasSE := s.SE()
	_, _, hasRange := s.Range()
	if hasMean || hasSD || hasSE || hasRange {
		t.Error("an empty sample has a figure")
	}
}

// TestSample_AgreesWithTextbook on random values and clusters.
func TestSample_AgreesWithTextbook(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-3, 3), 2, 60).Draw(rt, "values")
		groups := rapid.SliceOfN(rapid.IntRange(-3, 5), len(values), len(values)).Draw(rt, "groups")
		var plain, grouped stats.Sample
		for i, x := range values {
			plain.Add(x)
			if g := groups[i]; g < 0 {
				grouped.Add(x)
			} else {
				grouped.AddTo(g, x)
			}
		}
		wantMean, wantSD := naiveMeanSD(values)
		mean, _ := plain.Mean()
		sd, _ := plain.SD()
		se, _ := plain.SE()
		near(rt, "mean", mean, wantMean, 1e-13)
		near(rt, "SD", sd, wantSD, 1e-12)
		near(rt, "SE", se, wantSD/math.Sqrt(float64(len(values))), 1e-12)
		if m, _ := grouped.Mean(); m != mean {
			rt.Errorf("clusters change the mean: %g, %g", m, mean)
		}
		want, ok := naiveSE(values, groups)
		if got, has := grouped.SE(); has != ok {
			rt.Errorf("SE exists: %v, want %v", has, ok)
		} else if ok {
			near(rt, "square of the clustered SE", got*got, want*want, 1e-13) // the root of a difference near 0 has few digits
		}
	})
}

// naiveMeanSD goes over the values twice.
func naiveMeanSD(values []float64) (mean, sd float64) {
	n := float64(len(values))
	for _, x := range values {
		mean += x / n
	}
	for _, x := range values {
		sd += (x - mean) * (x - mean) / (n - 1)
	}
	return mean, math.Sqrt(sd)
}

// naiveSE is the cluster-robust error written down as in the papers: the sum
// over all pairs within clusters of the products of deviations.
func naiveSE(values []float64, groups []int) (float64, bool) {
	n := float64(len(values))
	mean, _ := naiveMeanSD(values)
	clusters := map[int]bool{}
	singles, pairs := 0, 0.0
	for i, g := range groups {
		if g < 0 {
			singles++
		} else {
			clusters[g] = true
		}
		for j, h := range groups {
			if i == j || g >= 0 && g == h {
				pairs += (values[i] - mean) * (values[j] - mean)
			}
		}
	}
	g := float64(len(clusters) + singles)
	if g < 2 {
		return 0, false
	}
	return math.Sqrt(max(0, g/(g-1)*pairs)) / n, true
}

// TestSample_OrderDoesNotMatter: values added in any order give the same figures.
func TestSample_OrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 80).Draw(rt, "values")
		clustered := rapid.Bool().Draw(rt, "clustered")
		add := func(s *stats.Sample, h *stats.Histogram, i int) {
			h.Add(values[i])
			if clustered && i%3 > 0 {
				s.AddTo(i%7, values[i])
			} else {
				s.Add(values[i])
			}
		}
		var a, b stats.Sample
		var aH, bH stats.Histogram
		order := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0)).Perm(len(values))
		for i := range values {
			add(&a, &aH, i)
			add(&b, &bH, order[i])
		}
		m1, _ := a.Mean()
		m2, _ := b.Mean()
		i1, ok1 := a.Interval()
		i2, ok2 := b.Interval()
		if m1 != m2 || i1.Method != i2.Method || ok1 != ok2 || a.N() != b.N() || a.Clusters() != b.Clusters() {
			rt.Fatalf("mean %v %v, method %s %s, n %d %d, clusters %d %d", m1, m2, i1.Method, i2.Method, a.N(), b.N(), a.Clusters(), b.Clusters())
		}
		near(rt, "low", i2.Low, i1.Low, 1e-14)
		near(rt, "high", i2.High, i1.High, 1e-14)
		if !slices.Equal(aH.Counts(20), bH.Counts(20)) {
			rt.Fatal("histograms differ")
		}
	})
}

// TestSum_KeepsSmallDifferences: the deviations are a hundred million times
// smaller than the mean, and still come out.
func TestSum_KeepsSmallDifferences(t *testing.T) {
	var s stats.Sample
	for i := range 1000 {
		s.Add(1e6 + float64(i%2)*1e-3)
	}
	sd, _ := s.SD()
	near(t, "SD", sd, 0.0005*math.Sqrt(1000.0/999), 1e-9)
	tenths := sampleOf(slices.Repeat([]float64{0.1}, 1_000_000)...)
	if mean, _ := tenths.Mean(); mean != 0.1 {
		t.Errorf("the mean of a million 0.1 is %.17g", mean)
	}
	if sd, _ := tenths.SD(); sd != 0 {
		t.Errorf("the SD of a million 0.1 is %g", sd)
	}
}

func TestHistogram_CountsPerBin(t *testing.T) {
	var h stats.Histogram
	for _, x := range []float64{0, 0.049999, 0.05, 0.29, 0.3, 0.7, 0.95, 1, -0.5, 1.5, math.NaN()} {
		h.Add(x)
	}
	want := []int{3, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 3}
	if got := h.Counts(20); !slices.Equal(got, want) {
		t.Errorf("Counts = %v, want %v", got, want)
	}
	// Every edge that is a decimal falls into the bin above it.
	for i := range 200 {
		var one stats.Histogram
		one.Add(float64(i) / 200)
		if got := one.Counts(200); got[i] != 1 {
			t.Errorf("%d/200 is not in bin %d", i, i)
		}
	}
}

func TestHistogram_Quantiles(t *testing.T) {
	var h stats.Histogram
	if _, ok := h.Quantile(0.5); ok {
		t.Error("nothing has a median")
	}
	for _, x := range []float64{0, 0.6, 0.6, 0.6, 1} {
		h.Add(x)
	}
	for p, want := range map[float64]float64{0: 0, 0.5: 0.6, 1: 1, 0.125: 0.3, 0.875: 0.8} {
		got, _ := h.Quantile(p)
		near(t, "quantile", got, want, 1e-15)
	}
	rapid.Check(t, func(rt *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 300).Draw(rt, "values")
		var h stats.Histogram
		for _, x := range values {
			h.Add(x)
		}
		slices.Sort(values)
		p := rapid.Float64Range(0, 1).Draw(rt, "p")
		rank := p * float64(len(values)-1)
		low := int(rank)
		want := values[low]
		if low+1 < len(values) {
			want += (rank - float64(low)) * (values[low+1] - values[low])
		}
		got, _ := h.Quantile(p)
		near(rt, "quantile", got, want, 0.005)
	})
}

func TestDetectable_IsBeyondTheInterval(t *testing.T) {
	near(t, "of many", stats.Detectable(1, 100_001), 1.959963984540054+0.8416212335729143, 1e-4)
	near(t, "of three", stats.Detectable(1, 3), 4.302652729911275+1.0606601717798212, 1e-9) // R: qt(.975, 2) + qt(.8, 2)
}

// TestInterval_Covers95Percent draws samples from a known distribution: about 95 % of the
// intervals contain the true mean.
func TestInterval_Covers95Percent(t *testing.T) {
	const runs = 4000
	rng := rand.New(rand.NewPCG(3, 4))
	tests := []struct {
		name string
		draw func(s *stats.Sample)
		mean float64
	}{
		{"uniform, n=30", func(s *stats.Sample) {
			for range 30 {
				s.Add(rng.Float64())
			}
		}, 0.5},
		{"shares, p=0.9, n=50", func(s *stats.Sample) {
			for range 50 {
				s.Add(truth(rng.Float64() < 0.9))
			}
		}, 0.9},
		{"clusters of 4 that share half their noise, 40 of them", func(s *stats.Sample) {
			for g := range 40 {
				shared := rng.NormFloat64()
				for range 4 {
					s.AddTo(g, 0.5+0.1*shared+0.1*rng.NormFloat64())
				}
			}
		}, 0.5},
		{"shares in clusters, p=0.7", func(s *stats.Sample) {
			for g := range 60 {
				p := 0.4
				if g%2 == 0 {
					p = 1
				}
				if rng.Float64() < 0.5 {
					p = 1.4 - p
				}
				for range 3 {
					s.AddTo(g, truth(rng.Float64() < p))
				}
			}
		}, 0.7},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hit := 0
			for range runs {
				var s stats.Sample
				tt.draw(&s)
				if i, ok := s.Interval(); ok && i.Low <= tt.mean && tt.mean <= i.High {
					hit++
				}
			}
			if share := float64(hit) / runs; share < 0.93 || share > 0.97 {
				t.Errorf("%.1f%% of the intervals contain the mean", 100*share)
			}
		})
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func TestParallel_PanicsInTheCaller(t *testing.T) {
	for range 3 { // also after earlier ones: every buffer was given back
		func() {
			defer func() {
				if p := recover(); p != "piece 70" {
					t.Errorf("recovered %v", p)
				}
			}()
			stats.Parallel(100, 8, func(i int) func() {
				return func() {
					if i == 70 {
						panic("piece 70")
					}
				}
			})
			t.Error("no panic")
		}()
	}
}
