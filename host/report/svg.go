package report

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
)

// drawing writes an inline SVG image without a style of its own: the page permits its own sheet only.
type drawing struct{ strings.Builder }

func px(x float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(x, 'f', 2, 64), "0"), ".")
}

func newDrawing(width, height float64, class, label string) *drawing {
	d := &drawing{}
	fmt.Fprintf(d, `<svg class="%s" viewBox="0 0 %s %s" role="img" aria-label="%s">`, class, px(width), px(height), template.HTMLEscapeString(label))
	return d
}

func (d *drawing) rect(class string, x, y, w, h float64, tip string) {
	fmt.Fprintf(d, `<rect class="%s" x="%s" y="%s" width="%s" height="%s" rx="1.5">`, class, px(x), px(y), px(max(0, w)), px(max(0, h)))
	if tip != "" {
		fmt.Fprintf(d, "<title>%s</title>", template.HTMLEscapeString(tip))
	}
	d.WriteString("</rect>")
}

func (d *drawing) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(d, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, px(x1), px(y1), px(x2), px(y2))
}

func (d *drawing) text(class string, x, y float64, anchor, s string) {
	fmt.Fprintf(d, `<text class="%s" x="%s" y="%s" text-anchor="%s">%s</text>`, class, px(x), px(y), anchor, template.HTMLEscapeString(s))
}

// html ends the drawing. Everything in it is escaped or a number.
func (d *drawing) html() template.HTML {
	d.WriteString("</svg>")
	return template.HTML(d.String()) //nolint:gosec // built above from numbers, constants and escaped text
}

// distribution draws the histogram of scores, with the mean, its interval and
// the score that passes.
func (v *view) distribution(f *result.Figure, pass *float64) template.HTML {
	const width, height, bottom, top = 640.0, 200.0, 26.0, 22.0
	d := newDrawing(width, height, "chart", fmt.Sprintf("Distribution of %s: mean %s %s", diag.Count(f.N, "score"), v.score(f.Mean), v.interval(f.Interval)))
	most := 1
	for _, n := range f.Histogram {
		most = max(most, n)
	}
	left := max(36, 8+7*float64(len(diag.Thousands(most)))) // room for the numbers of the axis
	w, h := width-left-8, height-bottom-top
	at := func(x float64) float64 { return left + float64(min(1, max(0, x))*w) }
	for _, share := range []float64{0, 0.5, 1} {
		y := top + h - float64(h*share)
		d.line("grid", left, y, left+w, y)
		if n := float64(most) * share; n == float64(int(n)) {
			d.text("tick", left-6, y+4, "end", diag.Thousands(int(n)))
		}
	}
	step := w / float64(max(1, len(f.Histogram)))
	for i, n := range f.Histogram {
		if n == 0 {
			continue
		}
		low, high := float64(i)/float64(len(f.Histogram)), float64(i+1)/float64(len(f.Histogram))
		tall := max(1.5, h*float64(n)/float64(most))
		class := "bar"
		if pass != nil && low < *pass-1e-9 {
			class = "bar low"
		}
		d.rect(class, left+float64(step*float64(i))+1, top+h-tall, step-2, tall, fmt.Sprintf("%.2f to %.2f: %s", low, high, diag.Count(n, "case")))
	}
	if i := f.Interval; i != nil {
		d.rect("band", at(i.Low), top, max(1, at(i.High)-at(i.Low)), h, "95% interval of the mean: "+v.interval(i))
	}
	if f.Mean != nil {
		d.line("mean", at(*f.Mean), top-4, at(*f.Mean), top+h)
		d.text("label", min(at(*f.Mean), left+w-40), top-8, "middle", "mean "+v.score(f.Mean))
	}
	if pass != nil {
		d.line("pass", at(*pass), top, at(*pass), top+h)
	}
	for i := range 6 {
		x := float64(i) / 5
		d.text("tick", at(x), height-8, "middle", strconv.FormatFloat(x, 'f', 1, 64))
	}
	return d.html()
}

// whisker draws the mean of a figure and its interval on a line from 0 to 1.
func (v *view) whisker(f *result.Figure) template.HTML {
	const width, height, pad = 220.0, 22.0, 6.0
	at := func(x float64) float64 { return pad + float64(min(1, max(0, x))*(width-2*pad)) }
	d := newDrawing(width, height, "whisker", fmt.Sprintf("%s %s", v.score(f.Mean), v.interval(f.Interval)))
	d.line("grid", at(0), height/2, at(1), height/2)
	for _, x := range []float64{0, 0.5, 1} {
		d.line("grid", at(x), height/2-4, at(x), height/2+4)
	}
	if i := f.Interval; i != nil {
		d.rect("span", at(i.Low), height/2-4.5, max(2, at(i.High)-at(i.Low)), 9, "95% interval "+v.interval(i))
	}
	if f.Mean != nil {
		fmt.Fprintf(d, `<circle class="dot" cx="%s" cy="%s" r="3.2"/>`, px(at(*f.Mean)), px(height/2))
	}
	return d.html()
}

func bars(counts []int) template.HTML {
	const width, height = 120.0, 22.0
	d := newDrawing(width, height, "bars", "distribution from 0 to 1")
	most := 1
	for _, n := range counts {
		most = max(most, n)
	}
	step := width / float64(max(1, len(counts)))
	for i, n := range counts {
		if n > 0 {
			tall := max(1.5, (height-2)*float64(n)/float64(most))
			d.rect("bar", float64(step*float64(i))+0.5, height-1-tall, step-1, tall, "")
		}
	}
	d.line("grid", 0, height-0.5, width, height-0.5)
	return d.html()
}
