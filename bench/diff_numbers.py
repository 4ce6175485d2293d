#!/usr/bin/env python3
"""Compares numeric and math on numbers as models write them.

Usage: diff_numbers.py PROGRAM [ANSWER.wasm MATH.wasm]

PROGRAM is the built rubric-host. Each text stands for one value, alone and in six sentences, and is
scored against it and against values that are wrong. Prints, for each metric, how many texts are
right, unscored and wrong, and the texts with a 0 for their value or a 1 for another. Some of these
are ambiguous: 12 mil, (5), 1.500.
"""

import collections
import sys

import lines

N = []


def n(value, *texts, bad=()):
    N.extend((text, value, bad) for text in texts)


n(1234567, "1,234,567", "1 234 567", "1\u202f234\u202f567", "1\u2009234\u2009567", "1\u00a0234\u00a0567", "1'234'567", "1’234’567", "12,34,567", "1_234_567",
  "1{,}234{,}567", "1\\,234\\,567", "1.234.567", "1,234,567.0", "1,234,567.00", "$1,234,567$", "１２３４５６７", "１，２３４，５６７", "1٬234٬567", "١٢٣٤٥٦٧", "१२३४५६७",
  "1.234567e6", "1.234567E6", "1.234567E+06", "1.234567 × 10^6", "1.234567×10^6", "1.234567 × 10⁶", "1.234567 \\times 10^6", "1.234567 \\times 10^{6}",
  "1.234567 x 10^6", "1.234567 * 10^6", "1.234567*10**6", "1.234567·10^6", "1.234567 \\cdot 10^6", "1.234567 million", "1.234567 millions", "1.234567M",
  "1,234.567 thousand", "1234.567k", "1234567.", "**1,234,567**", "__1,234,567__", "`1,234,567`", "*1234567*", "1234567 (one million ...)", "+1,234,567",
  "\\boxed{1234567}", "\\boxed{1,234,567}", "\\boxed{\\text{1,234,567}}", "$\\boxed{1{,}234{,}567}$", "\\boxed{\\$1,234,567}", "$1,234,567", "$ 1,234,567",
  "US$1,234,567", "USD 1,234,567", "1,234,567 USD", "€1,234,567", "1,234,567 €", "1.234.567 €", "1 234 567 €", "1,234,567 dollars", "£1,234,567", "¥1,234,567",
  "₹12,34,567", "Rs. 12,34,567", "Rs 12,34,567", "CHF 1'234'567", "R$ 1.234.567", "1,234,567 people", "1,234,567 m^2", "1,234,567 km", "\\text{1,234,567}",
  "\\mathrm{1234567}", "\\mathbf{1234567}", "12.34567 lakh", "0.1234567 crore", "123万4567", "123.4567万",
  "one million two hundred thirty-four thousand five hundred sixty-seven", bad=[1,234,567,1.234567,123,12.34567,1234.567,12,34567])
n(12, "12", "12.", "12.0", "12.00", "12!!", "12 ", "(12)", "[12]", "{12}", "<12>", "\"12\"", "'12'", "“12”", "«12»", "12;", "12,", "= 12", "=12", "x = 12",
  "x=12", "x is 12", "n: 12", "n → 12", "≈ 12", "~12", "~ 12", "about 12", "approximately 12", "roughly 12", "around 12", "circa 12", "ca. 12", "12 or so",
  "12ish", "12-ish", "12 approximately", "exactly 12", "precisely 12", "just 12", "only 12", "012", "0012", "+12", "12 apples", "12 (twelve)", "twelve (12)",
  "Twelve (12)", "twelve", "Twelve", "TWELVE", "a dozen", "one dozen", "1 dozen", "12 units", "12 cm", "12cm", "12 km/h", "12 m/s^2", "12 m/s²", "12 kg",
  "12kg", "12 °C", "12°C", "12°", "12^\\circ", "12^{\\circ}", "12\\,\\text{cm}", "12\\text{ cm}", "12 \\text{cm}", "12\\ \\text{cm}", "12 \\mathrm{cm}",
  "12~\\text{cm}", "12 square units", "12 hours", "12 h", "12 hrs", "12 minutes", "12min", "12s", "12 years old", "12-year-old", "12 years", "$12", "$12.00",
  "12$", "12 $", "€12", "12€", "12 euros", "12 EUR", "EUR 12", "12 USD", "USD12", "US$12", "£12", "12p", "12¢", "12 cents", "$12$", "$$12$$", "\\(12\\)",
  "\\[12\\]", "\\boxed{12}", "\\boxed{ 12 }", "\\boxed{{12}}", "\\boxed{12.}", "\\boxed{12\\text{ cm}}", "\\boxed{12 \\text{ apples}}", "\\boxed{x=12}",
  "\\boxed{x = 12}", "\\boxed{\\boxed{12}}", "\\boxed{\\text{12}}", "\\boxed{\\mathbf{12}}", "\\boxed{\\$12}", "\\boxed{12\\$}", "\\boxed{12^\\circ}",
  "\\fbox{12}", "$\\boxed{12}$.", "$\\boxed{12}$ apples", "**12**", "**12**.", "**12.**", "*12*", "***12***", "`12`", "```\n12\n```", "# 12", "## Answer: 12",
  "- 12", "* 12", "• 12", "> 12", "#12", "#### 12", "####12", "Answer: 12", "Answer: 12.", "ANSWER: 12", "Answer:12", "**Answer:** 12", "**Answer: 12**",
  "**Final answer:** 12", "Final Answer: 12", "Final answer: $12$", "The final answer is 12.", "Result: 12", "Ans: 12", "A: 12", "So 12.", "Thus, 12.", "∴ 12",
  "=> 12", "-> 12", "→ 12", "⇒ 12", "<answer>12</answer>", "{\"answer\": 12}", "{\"answer\": \"12\"}", "answer=12", "x≈12", "x ≈ 12.0", "12\n", "\n\n12\n\n",
  "12/1", "24/2", "\\frac{24}{2}", "\\dfrac{24}{2}", "\\frac{12}{1}", "2^2*3", "3*4", "3 × 4", "3·4", "6+6", "\\sqrt{144}", "√144", "12x", "12.000000",
  "1.2e1", "1.2 × 10", "1.2×10^1", "120%10", "12%", "12 percent", "XII", "1100 (binary)", "0xC", "12 pm", "12 p.m.", "12 PM", "12 AM", "12 o'clock", "12:00",
  "12:00 pm", "12 Uhr", "12th", "12 th", "the 12th", "No. 12", "no. 12", "number 12", "12 out of 15", "12 of 15", "12 of the 15", "12 in 15", "12 in total",
  "12 total", "12 each", "12 per day", "12/day", "12 per cent", "12 mod 5", "at least 12", "12 at least", "at most 12", "up to 12", "more than 12",
  "less than 12", "over 12", "under 12", "nearly 12", "almost 12", "12+", "12 plus", "12 or more", "12 or less", "12 give or take", "give or take 12",
  "12, give or take", "12 give or take 1", "12 ± 1", "12±1", "12 +/- 1", "12 plus or minus 1", "between 11 and 13", "11-13", "11–13", "11 to 13", "12 to 13",
  "12-13", "12–13", "12 or 13", "12 and 13", "12, 13", "12/13", "not 12", "isn't 12", "not 12 but 13", "12?", "maybe 12", "perhaps 12", "I think 12",
  "I guess 12.", "12, I think", "probably 12", "12 I believe", "１２", "１２．０", "١٢", "۱۲", "१२", "১২", "๑๒", "十二", "12个", "12 個", "12人", "12円", "12元", "12 руб.",
  "zwölf", "douze", "doce", "двенадцать", "$\\mathbf{12}$", "{12}", "12 \\%", "\\$12", "12\\$", "12\u00a0km", "12\u202fkm", "\u200b12", "12\u200b", "\u200e12",
  "12 dozen", "12 k", "12K", "12 million", "12 hundred", "12 thousand", "12 m", "12 M", "12 b", "12 g", "12 kB", "12 GB", "12V", "12 V", "12A", "12Ω", "12 Ω",
  "12 mol", "12 L", "12 mph", "12 N", "12 J", "12 W", "12 Hz", "12\"", "12'", "12 ft", "12 feet", "12 ft 0 in", "12 in", "12 in.", "12 inches", "12 lb",
  "12 lbs", "12 oz", "12x faster", "12 times", "12 times as many", "12 bananas and 3 apples", "12 (not 13)", "12, not 13", "12 instead of 13",
  "12 rather than 13", "12 (13 with the last)", "12 = 3 * 4", "12 = 6 + 6", "6 + 6 = 12", "3 * 4 = 12.", "3 × 4 = 12 apples", "3 × 4 = **12**",
  "x = 3 * 4 = 12", "24 ÷ 2 = 12", "12 = 12", "2x = 24, x = 12", "x = 24/2 = 12", "5 + 7 → 12", "(6)(2) = 12", "12²", "12^2", "12!", "|12|", "|-12|", "-12",
  "- 12", "−12", "(12) ", "--12", "12e0", "12E0", "12.0e0", "12e", "12i", "12j", "12π", "12 pi", "12 rad", "12\\pi", "12,0", "12.5.", "v12", "A12", "12a",
  "12b", "Q12", "page 12", "step 12", "Figure 12", "Chapter 12", "[12]", "【12】", "(12)", "12)", "12]", "12}", "12.) ", "12 / 15", "12:15", "ratio 12:15",
  bad=[13,1,2,15,144,24,-12,1200,12000000])
n(12000000, "12 million", "12M", "12 M", "12 million dollars", "$12 million", "$12M", "$12m", "€12m", "12 mio", "12 Mio.", "12 Millionen", "12 millions",
  "12 millones", "12 milhões", "12 миллионов", "12 mil", "12e6", "12 x 10^6", "12,000,000.00", "1.2 crore", "120 lakh", "1200万", "1,200万", "12.0 million",
  "12 Million", "12-million", "twelve million", "0.012 billion", "0.012bn", "$0.012bn", bad=[12,1.2,120,0.012,12000])
n(0.5, "0.5", ".5", "0,5", "1/2", "½", "\\frac{1}{2}", "\\dfrac{1}{2}", "\\tfrac12", "\\frac12", "\\frac 12", "\\frac 1 2", "\\frac{1}2", "1⁄2", "1 / 2", "½.",
  "50%", "50 %", "50 percent", "50 per cent", "50\\%", "50％", "50٪", "fifty percent", "one half", "half", "a half", "one-half", "0.50", "0.500", "5e-1",
  "5E-01", "5 × 10^{-1}", "5 × 10⁻¹", "5×10^-1", "5\\times10^{-1}", "5*10**-1", "2^{-1}", "2^-1", "2⁻¹", "\\boxed{\\frac{1}{2}}", "\\boxed{\\dfrac12}",
  "\\boxed{0.5}", "\\boxed{50\\%}", "\\boxed{1/2}", "**1/2**", "$\\frac{1}{2}$", "$1/2$", "5000 basis points", "5000 bps", "500‰", "500 per mille", "1 in 2",
  "1 out of 2", "1:2", "1 to 2", "0.5 (50%)", "50% (0.5)", "1/2 (0.5)", "1/2 = 0.5", "1/2, or 0.5", "\\frac{1}{2} = 0.5", "\\frac{1}{2} \\approx 0.5",
  "0.5 or 50%", "0.5 = 1/2", "+0.5", "00.5", "٠٫٥", "０．５", "0·5", "{1 \\over 2}", "\\frac{2}{4}", "2/4", "5/10", "-(-1/2)", "\\left(\\frac{1}{2}\\right)",
  "(1/2)", "1÷2", "1 ÷ 2", "1 over 2", "1 divided by 2", "one over two", "1/2 of the cake", "half of the cake", "0.5 of the cake", "a probability of 1/2",
  "p = 0.5", "P(A) = 0.5", "P(A) = 1/2", "50 out of 100", bad=[1,2,12,5,50,-0.5,0.05])
n(3.5, "3.5", "3,5", "3½", "3 ½", "3 1/2", "3-1/2", "3 and 1/2", "3 and a half", "three and a half", "3 \\frac{1}{2}", "3\\frac{1}{2}", "3\\tfrac12",
  "3\\dfrac{1}{2}", "3 + 1/2", "7/2", "\\frac{7}{2}", "\\frac72", "3.50", "$3.50", "3.5 hours", "3½ hours", "3 1/2 cups", "3.5e0", "350%", "3.5x", "3.5-fold",
  "3h 30m", "3 hours 30 minutes", "3:30", "3\u00a01⁄2", "3 1⁄2", "31/2", "\\boxed{3\\frac{1}{2}}", "\\boxed{3 1/2}", "3.5 (three and a half)", "7/2 = 3.5",
  "7/2 = 3 1/2", "7/2 or 3.5", "\\frac{7}{2} = 3.5", "\\frac{7}{2}=3\\frac{1}{2}", "three point five", "3 point 5", "3.5.", "3.5!", "3.4999999999999996",
  "3.5000000000000004", bad=[3,1,2,0.5,15.5,5,1.5,31/2])
n(-5, "-5", "−5", "–5", "﹣5", "－5", "- 5", "(5)", "($5)", "-$5", "$-5", "−$5", "-5.0", "minus 5", "Minus 5", "negative 5", "negative five", "minus five",
  "-5.", "**-5**", "$-5$", "\\boxed{-5}", "\\boxed{−5}", "x = -5", "x=-5", "x = −5", "= -5", "-\\frac{10}{2}", "-10/2", "\\frac{-10}{2}", "\\frac{10}{-2}",
  "10/-2", "-5 °C", "-5°C", "−5 °C", "5 below zero", "-5%", "-500%", "5-", "-(5)", "0 - 5", "3 - 8 = -5", "3-8=-5", "a loss of 5", "Answer: -5", "Answer: - 5",
  "answer is -5", "-5 (negative five)", "‑5", "- 5 degrees", "-5,0", "-05", "-5e0", bad=[5,0,8])
n(1500, "1500", "1,500", "1.500", "1 500", "1.5k", "1.5K", "1.5 k", "1.5 thousand", "1500.00", "1,500.00", "1.500,00", "$1,500", "$1.5k", "$1.5K",
  "1500 dollars", "fifteen hundred", "15 hundred", "one thousand five hundred", "one and a half thousand", "1½ thousand", "1.5e3", "1.5E3", "1.5e+3", "1.5e03",
  "1.5 e3", "1.5 × 10³", "15 × 10^2", "15×10²", "1.5*10^3", "1.5 x 10^{3}", "1.5\\times 10^3", "15e2", "MD", "0x5DC", "1500 km", "1,500 km", "1 500 km",
  "1,500m", "1500 m", "1.500 km", "1\\,500", "1\\ 500", "1~500", "1{,}500", "1\\text{,}500", "1, 500", "1 ,500", "1,500,", "1,500.", "1,500/year",
  "$1,500/month", "1,500 per month", "1500-ish", "≈1,500", "~1,500", "~1.5k", "about 1.5 thousand", "1,500 (fifteen hundred)", "\\boxed{1,500}",
  "\\boxed{1500}", "\\boxed{1{,}500}", "\\boxed{\\$1,500}", "\\boxed{\\$1500.00}", "\\boxed{1500\\text{ dollars}}", "\\boxed{1.5 \\times 10^3}",
  "\\boxed{1,\\!500}", "1,\\!500", "150000%", bad=[1.5,1,500,15,100,3])
n(0.001, "0.001", "1e-3", "1E-3", "10^{-3}", "10^-3", "10⁻³", "1 × 10^{-3}", "0.1%", "0.1 percent", "1‰", "1/1000", "1/1,000", "\\frac{1}{1000}",
  "\\frac{1}{1{,}000}", "1 in 1000", "1 in 1,000", "10 bps", "10 basis points", "one thousandth", "a thousandth", ".001", "0,001", "1 × 10⁻³", "1.0e-3",
  "1.0e-03", "10**-3", "0.0010", bad=[1,1000,10,0.1,3])
n(7, "7", "VII", "vii", "seven", "Seven.", "7.0", "7th", "seventh", "3 + 4", "3+4", "3 + 4 = 7", "7 days", "a week", "7/7", "14/2", "\\sqrt{49}", "7 and 0/5",
  "\\lfloor 7.5 \\rfloor", "7 (prime)", "七", "7つ", "siete", "sieben", "sept", "sette", "sete", "семь", "0b111", "0x7", "07", "7!", "7#", bad=[3,4,14,49,8,7.5])
n(1000000, "1,000,000", "10^6", "10⁶", "10^{6}", "1e6", "1E6", "1 million", "one million", "a million", "1M", "1 M", "1MM", "$1MM", "1,000 thousand", "1000k",
  "10 lakh", "100万", "1.000.000", "1 000 000", "1'000'000", "10**6", "1000^2", "a million dollars", "$1 million", "$1 mn", "1 mn", "1 mln", "1 mil",
  "one million (1,000,000)", "1,000,000 (one million)", "1000 thousand", "0.001 billion", bad=[1,10,6,1000,100])
n(2000000000, "2 billion", "2bn", "2 bn", "2B", "$2B", "$2bn", "2,000 million", "2e9", "2 × 10^9", "two billion", "2 Milliarden", "2 milliards", "2 Mrd.",
  "2 mil millones", "20億", "20亿", "2 thousand million", "2 G", "2000000000", "2,000,000,000", "2.000.000.000", bad=[2,20,2000,2000000])

SENTENCES = ["%s", "The answer is %s.", "The answer is **%s**.", "So we get x = %s", "Answer: %s", "\\boxed{%s}", "Some words first.\nThen 4 more.\n%s"]


def fits(sentence, text):
    unboxed = ("boxed" in text or "*" in text or "$" in text and "\\$" not in text or "%" in text and "\\%" not in text)
    return not (sentence.startswith("\\boxed") and unboxed)


def main():
    program, modules = sys.argv[1], sys.argv[2:] or ["answer", "math"]
    rows = []
    for text, value, wrong in N:
        for sentence in SENTENCES:
            if fits(sentence, text):
                rows += [(text, sentence % text, v, v == value) for v in (value, *(w for w in wrong if w != value))]
    cases = [{"output": output, "references": [str(int(v)) if float(v).is_integer() else repr(v)]} for _, output, v, _ in rows]
    for module, metric in zip(modules, ("numeric", "math")):
        kinds, shown = collections.Counter(), {}
        for (text, output, value, right), answer in zip(rows, lines.score(program, module, cases, {}, "--export", metric)):
            score = answer.get("score")
            kinds["its value" if right else "another value", score] += 1
            if score == (0 if right else 1):
                shown.setdefault((text, score), set()).add(value)
        print(metric, dict(kinds))
        for (text, score), values in shown.items():
            print(f"  {text!r}: {score} for {sorted(values)}")


if __name__ == "__main__":
    main()
