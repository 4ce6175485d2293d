package stats

// BinomialDraw is binomial, for its test.
var BinomialDraw = binomial
