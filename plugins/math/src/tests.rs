//! What the rules decide, and what they leave open. The reference's own answers are in
//! testdata/vectors/answers.jsonl.gz.

use crate::{math, verl};
use rubric_host_sdk::{parse, respond, Answer, Request, Result, Value};
use rubric_host_text::vectors::json;

fn ask(scorer: fn(&Request) -> Result<Answer>, output: &str, reference: &str, config: &str) -> String {
    let text = |t: &str| json(&Value::String(t.into()));
    let request = format!(
        r#"{{"contract":1,"case":{{"output":{},"references":[{}]}},"config":{config}}}"#,
        text(output),
        text(reference)
    );
    let answer = respond(request.as_bytes(), scorer);
    let answer = parse(std::str::from_utf8(&answer).unwrap()).unwrap();
    match (answer.get("score"), answer.get("unscored"), answer.get("error")) {
        (Some(n), None, None) => json(n),
        (None, Some(why), None) => format!("open: {}", why.as_str().unwrap()),
        (None, None, Some(e)) => format!("error: {}", e.as_str().unwrap()),
        _ => panic!("{answer:?}"),
    }
}

#[test]
fn math_decides_what_is_equal() {
    for (output, reference, want) in [
        // Numbers.
        ("The answer is $\\frac{1}{2}$.", "0.5", "1"),
        ("\\boxed{\\frac12}", "\\frac{1}{2}", "1"),
        ("\\boxed{0.333333}", "\\frac{1}{3}", "1"),
        ("\\boxed{0.33}", "\\frac{1}{3}", "0"),
        ("\\boxed{1{,}234{,}567}", "1234567", "1"),
        ("It is 1,234.", "1234", "1"),
        ("\\boxed{0.1\\overline{6}}", "\\frac{1}{6}", "1"),
        ("\\boxed{2\\sqrt{3}}", "\\sqrt{12}", "1"),
        ("\\boxed{\\sqrt[3]{8}}", "2", "1"),
        ("\\boxed{\\frac{1}{\\sqrt{2}}}", "\\frac{\\sqrt2}{2}", "1"),
        ("\\boxed{2\\frac{1}{3}}", "\\frac{7}{3}", "1"),
        ("$\\boxed{\\frac{7}{3}} = \\boxed{2\\frac{1}{3}}$", "\\frac{7}{3}", "1"),
        ("$\\boxed{2\\frac{1}{3}}$, or $\\boxed{\\frac{7}{3}}$", "2", "0"),
        ("$\\boxed{2}$, $\\boxed{3}$", "2, 3", "1"),
        ("$\\boxed{2}$, $\\boxed{3}$", "3", "0"),
        ("\\boxed{5!}", "120", "1"),
        ("\\boxed{\\binom{5}{2}}", "10", "1"),
        ("\\boxed{{5 \\choose 2}}", "10", "1"),
        ("\\boxed{30^\\circ, 150^\\circ}", "30,150", "open"),
        ("\\boxed{30^\\circ, 150^\\circ}", "30, 150", "1"),
        ("\\boxed{30150}", "30,150", "1"),
        ("\\boxed{\\operatorname{cis}\\frac{\\pi}{3}}", "\\frac12+\\frac{\\sqrt3}{2}i", "1"),
        ("\\boxed{2\\text{ cis }120^\\circ}", "-1+\\sqrt3 i", "1"),
        ("\\boxed{2\\text{ cis }120^\\circ}", "1+\\sqrt3 i", "0"),
        ("\\boxed{\\operatorname{sinc}(0)}", "1", "open"),
        ("\\boxed{\\operatorname{rank}(A)=2}", "2", "1"),
        ("\\boxed{FF_{16}}", "255", "1"),
        ("\\boxed{FF_{16}}", "254", "0"),
        ("\\boxed{\\text{FF}_{16}}", "255", "1"),
        ("\\boxed{2C_{16}}", "44", "1"),
        ("\\boxed{1A3_{16}}", "419", "1"),
        ("\\boxed{A_{16}}", "10", "0"),
        ("\\boxed{AB}", "A_{12}B", "0"),
        ("\\boxed{0xFF}", "255", "1"),
        ("\\boxed{0xFF}", "0", "0"),
        ("\\boxed{0b1010}", "10", "1"),
        ("\\boxed{3E8_{16}}", "1000", "1"),
        ("\\boxed{3E8}", "300000000", "1"),
        ("Thus $\\cos\\theta = -\\frac{4}{5}$ since $\\theta$ is in quadrant II.", "-4/5", "open"),
        ("\\boxed{-3 < x \\text{ and } x < 3}", "(-3,3)", "1"),
        ("\\boxed{x \\le 3 \\text{ and } x > -3}", "(-3,3)", "0"),
        ("\\boxed{x < -1 \\text{ or } x > 3}", "(-1,3)", "0"),
        ("The ratio is 3 to 1.", "3:1", "1"),
        ("The ratio is 3 to 1.", "1:3", "0"),
        ("\\boxed{3\\text{ to }1}", "3:1", "1"),
        ("5 to 6", "5/6", "open"),
        ("\\boxed{17 \\bmod 5}", "2", "1"),
        ("\\boxed{\\text{No real solutions}}", "no real solution", "1"),
        ("\\boxed{\\text{No real solutions}}", "no solution", "open"),
        ("The magnitude is $\\|\\vec{v}\\| = \\sqrt{14} \\approx 3.74$.", "\\sqrt{14}", "1"),
        ("The magnitude is $\\|\\vec{v}\\| = \\sqrt{14} \\approx 3.74$.", "14", "0"),
        ("x = \\boxed{3} \\quad\\text{and}\\quad y = \\boxed{4}", "3,4", "1"),
        ("x = \\boxed{3} \\quad\\text{and}\\quad y = \\boxed{4}", "4", "0"),
        ("First part: $\\boxed{12}$. So $y = \\boxed{36\\pi}$.", "36\\pi", "1"),
        ("अतः $x = 5$ या $x = -2$", "5,-2", "1"),
        ("\\boxed{n+1 \\choose 2}", "\\frac{n(n+1)}{2}", "1"),
        ("\\boxed{2{5 \\choose 2}}", "20", "1"),
        ("\\boxed{0{,}25}", "0.25", "1"),
        ("\\boxed{0{,}25}", "25", "0"),
        ("\\boxed{3{,}5}", "3.5", "1"),
        ("\\boxed{0{,}125}", "1/8", "1"),
        ("\\boxed{\\{1{,}2{,}3\\}}", "3.5", "open"),
        ("\\boxed{1{,}234}", "1.234", "open"),
        // Congruences.
        ("\\boxed{x \\equiv 3 \\pmod{7}}", "x \\equiv 10 \\pmod 7", "1"),
        ("\\boxed{x ≡ 3 (mod 7)}", "3 \\pmod{7}", "1"),
        ("\\boxed{x \\equiv 3 \\pmod{7}}", "x \\equiv 4 \\pmod 7", "0"),
        ("\\boxed{x \\equiv 3 \\pmod{7}}", "x \\equiv 3 \\pmod 5", "open"),
        ("\\boxed{3 \\pmod 7}", "3", "1"),
        ("\\boxed{4 \\pmod 7}", "3", "0"),
        ("\\boxed{10 \\pmod 7}", "3", "open"),
        ("\\boxed{x \\equiv 1, 3 \\pmod 4}", "1", "0"),
        ("\\boxed{x \\equiv 1, 3 \\pmod 4}", "x \\equiv 1 \\pmod 4 \\text{ or } x \\equiv 3 \\pmod 4", "1"),
        ("\\boxed{x \\equiv 1, 2 \\pmod 4}", "1, 3 \\pmod 4", "0"),
        ("x ≡ 1 or 3 (mod 4)", "x \\equiv 1, 3 \\pmod 4", "1"),
        ("\\boxed{x \\equiv 1, 5 \\pmod 6}", "x \\equiv 1, 5, 7, 11 \\pmod{12}", "open"),
        ("\\boxed{|x-3|<2}", "(1,5)", "1"),
        ("\\boxed{|x-3|<2}", "[1,5]", "0"),
        ("\\boxed{|5-2x| \\le 1}", "[2,3]", "1"),
        ("\\boxed{|x+1| > 4}", "(-\\infty,-5)\\cup(3,\\infty)", "1"),
        ("\\boxed{|x+1| > 4}", "x<-5 \\text{ or } x>3", "1"),
        ("\\boxed{|z-1|<2}", "(-1,3)", "open"),
        ("\\boxed{|x-3| < -2}", "\\emptyset", "open"),
        ("\\boxed{BEEF_{16}}", "48879", "1"),
        ("\\boxed{BEEF_{16}}", "48878", "0"),
        ("\\boxed{\\texttt{0x64}}", "100", "1"),
        ("\\boxed{\\texttt{0x64}}", "64", "0"),
        ("\\boxed{3.2\\mathrm{e}{-5}}", "0.000032", "open"),
        ("$$\\begin{aligned} 3x &= 15 \\\\ x &= 5 \\end{aligned}$$", "5", "1"),
        ("$$\\begin{aligned} 3x &= 15 \\\\ x &= 5 \\end{aligned}$$", "15", "0"),
        ("$$\\begin{align*} f(2) &= 8 - 8 \\\\ &= 0 \\end{align*}$$", "0", "1"),
        ("$$\\begin{aligned} x &= 1 \\\\ y &= 2 \\end{aligned}$$", "(1,2)", "1"),
        ("\\[\n\\begin{aligned}\n\\int_0^2 x\\,dx &= 2 \\\\\n&= 2.\n\\end{aligned}\n\\]", "2", "1"),
        ("(a) $\\boxed{4}$ (b) $\\boxed{7}$", "4, 7", "1"),
        ("\\boxed{3\\text{ cm}, 4\\text{ cm}}", "3, 4", "1"),
        ("\\boxed{3\\text{ cm}, 4\\text{ cm}}", "3, 5", "0"),
        ("\\boxed{x^2 + c}", "x^2+C", "open"),
        ("\\boxed{x^3 + c}", "x^2+C", "0"),
        ("All real numbers except 3", "3", "0"),
        ("The first part gives \\boxed{6}. The second part gives \\boxed{11}.", "11", "open"),
        ("I can't say without r. For r = 3 it would be 28.27.", "28.27", "open"),
        ("\\boxed{5 \\bmod 3}", "5", "open"),
        // Sets by what they lack and by a condition.
        ("\\boxed{\\mathbb{R}\\setminus\\{2\\}}", "(-\\infty,2)\\cup(2,\\infty)", "1"),
        ("\\boxed{\\mathbb{R}\\setminus\\{1,-1\\}}", "(-\\infty,-1)\\cup(-1,1)\\cup(1,\\infty)", "1"),
        ("\\boxed{(-\\infty,1)\\cup(1,\\infty)}", "\\mathbb{R}\\setminus\\{2\\}", "open"),
        ("\\boxed{[0,3]\\setminus\\{\\sqrt2\\}}", "[0,\\sqrt{2})\\cup(\\sqrt2,3]", "1"),
        ("\\boxed{[0,3]\\setminus\\{4\\}}", "[0,3]", "open"),
        ("\\boxed{\\mathbb{R}\\setminus\\mathbb{Q}}", "\\mathbb{R}", "open"),
        ("\\boxed{\\{x \\mid x > 3\\}}", "(3,\\infty)", "1"),
        ("\\boxed{\\{x \\mid x \\ge 3\\}}", "(3,\\infty)", "0"),
        ("\\boxed{\\{x \\in \\mathbb{R} : -1 \\le x < 3\\}}", "[-1,3)", "1"),
        ("\\boxed{\\begin{cases} x=1\\\\ y=2\\end{cases}}", "(1,2)", "1"),
        ("\\boxed{\\begin{cases} x=1\\\\ y=2\\end{cases}}", "x=2,y=1", "0"),
        ("\\boxed{\\angle ABC = 72^{\\circ}}", "72", "1"),
        // Words in a box that announce it.
        ("\\boxed{\\text{The answer is } 7}", "7", "1"),
        ("\\boxed{\\text{The answer is 7}}", "8", "0"),
        ("\\boxed{\\text{Answer: }42}", "42", "1"),
        ("\\boxed{3{:}45}", "3:45", "1"),
        ("\\boxed{3 \\times 10^8}", "300000000", "1"),
        ("\\boxed{\\log_2 8}", "3", "1"),
        ("\\boxed{\\sin 30^\\circ}", "\\frac12", "1"),
        ("\\boxed{e^{i\\pi}}", "-1", "1"),
        ("\\boxed{9\\%}", "9", "1"),
        ("\\boxed{50\\%}", "0.5", "1"),
        ("\\boxed{-\\infty}", "-\\infty", "1"),
        ("\\boxed{-\\infty}", "\\infty", "0"),
        ("\\boxed{2^{10}}", "1024", "1"),
        ("\\boxed{2^{10}}", "1025", "0"),
        ("\\boxed{10^{-20}}", "10^{-21}", "0"),
        // Expressions.
        ("\\boxed{(x+1)^2}", "x^2+2x+1", "1"),
        ("\\boxed{(x+1)^2}", "x^2+2x+2", "0"),
        ("\\boxed{x+10^{-15}}", "x", "0"),
        ("\\boxed{\\sin^2 t+\\cos^2 t}", "1", "1"),
        ("\\boxed{\\sqrt{x^2}}", "x", "0"),
        ("\\boxed{\\sqrt{x^2}}", "|x|", "1"),
        ("\\boxed{xy}", "yx", "1"),
        ("\\boxed{x_1+x_2}", "x_2+x_1", "1"),
        // Sets, tuples, intervals.
        ("\\boxed{\\{1,2\\}}", "2, 1", "1"),
        ("\\boxed{(1,2)}", "(2,1)", "0"),
        ("$1$, $2$ and $3$", "3,2,1", "1"),
        ("\\boxed{[1,2)}", "[1,2)", "1"),
        ("\\boxed{[1,2)}", "(1,2)", "0"),
        ("\\boxed{1<x\\le 2}", "(1,2]", "1"),
        ("\\boxed{(-\\infty,1)\\cup(2,\\infty)}", "(2,\\infty)\\cup(-\\infty,1)", "1"),
        ("\\boxed{\\pm 2}", "-2,2", "1"),
        ("\\boxed{\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}}", "\\begin{bmatrix}1&2\\\\3&4\\end{bmatrix}", "1"),
        ("\\boxed{3:2}", "6:4", "1"),
        // Equations.
        ("x = 5", "5", "1"),
        ("\\boxed{5}", "x=5", "1"),
        ("\\boxed{2x+4y=6}", "x+2y=3", "1"),
        ("\\boxed{2x+4y=6}", "x+2y=4", "0"),
        ("\\boxed{y=2x}", "y=3x", "0"),
        // Words and units.
        ("\\boxed{\\text{Red}}", "red", "1"),
        ("\\boxed{5\\text{ cm}}", "5", "1"),
        ("\\boxed{5 cm^2}", "5\\text{ cm}^2", "1"),
        ("\\boxed{(B)}", "B", "1"),
        ("\\boxed{\\text{(B)}}", "C", "0"),
        ("\\boxed{dog}", "god", "open"),
        ("The answer is cat.", "act", "open"),
        ("\\boxed{IT}", "TI", "open"),
        ("\\boxed{no}", "on", "0"),
        ("\\boxed{yes}", "yse", "0"),
        ("no", "No", "1"),
        ("\\boxed{two}", "2", "open"),
        ("\\boxed{\\text{no real solutions}}", "\\emptyset", "open"),
        ("\\boxed{2024-05-03}", "2016", "open"),
        ("\\boxed{555-1234}", "-679", "open"),
        ("\\boxed{10:30}", "10/30", "open"),
        ("\\boxed{10:30}", "10:30", "1"),
        ("\\boxed{3:10}", "3/10", "1"),
        ("The answer is 10-12 days", "-2", "open"),
        ("\\boxed{5\\text{ km}}", "5000 m", "open"),
        ("\\boxed{10\\,\\frac{m}{s}}", "10", "1"),
        ("\\boxed{9.8\\ \\mathrm{m/s^2}}", "9.8", "1"),
        ("\\boxed{10~\\mathrm{cm}^2}", "10", "1"),
        ("\\boxed{\\text{12 apples}}", "12", "1"),
        ("\\boxed{\\text{\\$}18}", "18", "1"),
        ("\\boxed{12_{10}}", "12", "1"),
        ("\\boxed{y=3,x=2}", "(2,3)", "1"),
        ("\\boxed{y=3,x=2}", "(3,2)", "0"),
        ("\\boxed{m=3,b=4}", "(3,4)", "open"),
        ("\\boxed{\\approx 3.14}", "3.14", "1"),
        ("\\boxed{\\frac{22}{7}\\approx 3.14}", "22/7", "1"),
        ("\\boxed{\\frac{22}{7}\\approx 3.14}", "3.14", "1"),
        ("\\boxed{3.5\\text{ million}}", "3500000", "1"),
        ("\\boxed{3.5\\text{ million}}", "3.5", "open"),
        // Decimals and percentages.
        ("\\boxed{0.00000000016}", "0.00000000091", "0"),
        ("\\boxed{0.0000001}", "0", "0"),
        ("\\boxed{1.60e-19}", "1.6\\times 10^{-19}", "1"),
        ("\\boxed{0.0}", "\\sin(\\pi)", "1"),
        ("\\boxed{100\\%}", "1", "1"),
        ("\\boxed{500\\%}", "5", "1"),
        ("\\boxed{1}", "100\\%", "1"),
        ("\\boxed{3.0e8}", "300000000", "1"),
        ("\\boxed{2 1/2}", "2.5", "1"),
        ("\\boxed{-2 1/2}", "-2.5", "1"),
        ("\\boxed{12 000}", "12000", "1"),
        ("\\boxed{0.333...}", "1/3", "1"),
        ("\\boxed{3.14159...}", "\\pi", "open"),
        ("\\boxed{0.\\overline{3}}", "1/3", "1"),
        ("\\boxed{0.\\bar{3}}", "1/3", "1"),
        // Where the answer is.
        ("The answer is 5, not 6.", "6", "0"),
        ("The answer is 12 and not 13", "12", "1"),
        ("The answer is not 5 but 6.", "6", "1"),
        ("12 is the answer, not 13", "12", "1"),
        ("12 apples", "12", "1"),
        ("Thus, 12 is the answer.", "12", "1"),
        ("Ans: 12", "12", "1"),
        ("A: 12", "12", "1"),
        ("Answer: 12 cm, as shown.", "12", "1"),
        ("The answer is 12 (twelve).", "12", "1"),
        ("The answer is: 12 apples in 3 boxes", "12", "1"),
        ("The answer is 3 boxes * 4 apples = 12 apples.", "12", "1"),
        ("The answer is $12.50 per person", "12.5", "1"),
        ("The answer is $5 for one and $10 for two people together", "5", "1"),
        ("The answer is 2 1/2", "2.5", "1"),
        ("She needs 72 - 54 = 18 more to complete the 72 per month.", "18", "1"),
        ("First 3 = 1 + 2 of them. Then come 5 more, so 8.", "8", "1"),
        ("He has $10 and pays $6 so his change is 10-6 = $4.00", "4", "1"),
        ("She spent $4.5 + $2.5 = $7.0", "7", "1"),
        ("The loss is $90 - $180 = $-90.", "-90", "1"),
        ("He has 1250$ and spends 900$ of them, so he has 350$ left.", "350", "1"),
        ("Answer: 1.5e3", "1500", "1"),
        ("\\boxed{}", "18", "0"),
        ("\\boxed{?}", "18", "0"),
        ("The answer is between 5 and 6", "5", "open"),
        ("The answer is 5 to 6", "5", "open"),
        ("The answer is 5 and also 6", "5", "open"),
        ("The answer cannot be 5", "5", "0"),
        ("It isn't 5", "5", "open"),
        ("The answer is neither 5 nor 6", "5", "open"),
        ("The answer isn't 4; it is 5", "5", "1"),
        ("\\boxed{99.9999999}", "100", "0"),
        ("\\boxed{99.9999999}", "100.0", "1"),
        ("\\boxed{100.0}", "100", "1"),
        ("\\boxed{2+4=6}", "6", "1"),
        ("\\boxed{\\text{2024-05-03}}", "2024-05-03", "1"),
        ("<think>\\boxed{7}", "7", "0"),
        ("<think>\\boxed{7}</think> It is 8.", "8", "1"),
        ("First \\boxed{1}, and at last, after more thought, \\boxed{2}", "2", "1"),
        ("The final answer is: $3$. I hope it is correct.", "3", "1"),
        ("So she pays $12 + 3 = 15$ dollars.\n#### 15", "15", "1"),
        ("I do not know it at all", "15", "0"),
        ("", "15", "0"),
    ] {
        let found = ask(math, output, reference, "{}");
        let found = if found.starts_with("open") { "open" } else { &found };
        assert_eq!(found, want, "{output} {reference}");
    }
}

#[test]
fn math_leaves_open_what_the_rules_do_not_decide() {
    for (output, reference, want) in [
        ("\\boxed{\\int_0^1 x dx}", "\\frac12", "\\int is not understood"),
        ("\\boxed{5\\text{ m}}", "5\\text{ cm}", "the units differ"),
        ("\\boxed{\\{x \\in \\mathbb{Q} \\mid x > 3\\}}", "(3,\\infty)", "\\mathbb is not understood"),
        ("\\boxed{\\{x \\mid x^2 > 3\\}}", "(3,\\infty)", "a set is given by a condition"),
        ("\\boxed{\\text{five}}", "5", "may be a value"),
        ("\\boxed{x^2-4=0}", "x-2=0", "not multiples"),
        ("\\boxed{\\begin{pmatrix}1\\\\2\\end{pmatrix}}", "(1,2)", "a vector is compared with a list"),
        ("\\boxed{3^{200}}", "3^{200}+1", "too large to compare exactly"),
        ("\\boxed{5}", "", "a reference is empty"),
    ] {
        let found = ask(math, output, reference, "{}");
        assert!(found.starts_with("open: undecided: ") && found.contains(want), "{output} {reference}: {found}");
    }
    // What is written alike is equal, read or not.
    assert_eq!(ask(math, "\\boxed{\\int_0^1 x dx}", "\\int_0^1 x dx", "{}"), "1");
}

#[test]
fn math_reads_hostile_answers_in_bounded_time() {
    let deep = format!("\\boxed{{{}1{}}}", "(".repeat(1000), ")".repeat(1000));
    for output in [
        deep,
        "\\frac{".repeat(2000),
        "$".repeat(30_001),
        "\\(".repeat(30_000),
        "\\boxed{".repeat(30_000),
        "a1 ".repeat(100_000),
        format!("\\boxed{{{}}}", "9^".repeat(1000) + "9"),
        "\\boxed{9^{9^{9^{9}}}}".into(),
        "\\boxed{1000000000!}".into(),
        format!("\\boxed{{{}}}", "1,".repeat(1500)),
        format!("\\boxed{{\\{{{}1\\}}}}", "x+1,".repeat(900)),
        "7".repeat(300_000),
        "\u{2200}x\\in\u{211d}".into(),
    ] {
        let found = ask(math, &output, "1,2,3", "{}");
        assert!(found == "0" || found.starts_with("open: "), "{}: {found}", &output[..output.len().min(40)]);
    }
}

#[test]
fn verls_rewards_know_their_formats() {
    for (scorer, output, reference, want) in [
        (verl::gsm8k as fn(&Request) -> Result<Answer>, "so 12\n#### 1,234", "1234", "1"),
        (verl::gsm8k, "so 1234", "1234", "0"),
        (verl::gsm8k, "#### 1,234.", "$1,234", "1"),
        (verl::gsm8k, "#### 1,234", "123", "0"),
        (verl::math_dapo, "Answer: $\\frac12$", "\\frac{1}{2}", "1"),
        (verl::math_dapo, "\\boxed{5}", "5", "1"),
        (verl::math_reward, "\\boxed{\\dfrac{1}{2}}", "0.5", "1"),
        (verl::math_reward, "1/2", "0.5", "0"),
        (verl::math_reward, "", "0.5", "0"),
        (verl::math_reward, "\\boxed{}", "", "open: a reference is empty"),
        (verl::math_dapo, "\\boxed{}", " ", "open: a reference is empty"),
        (verl::gsm8k, "#### 5", "", "open: a reference is empty"),
    ] {
        assert_eq!(ask(scorer, output, reference, "{}"), want, "{output}");
    }
    for output in ["so 1234 people", "so 1,234 people", "The total is $1,234."] {
        assert_eq!(ask(verl::gsm8k, output, "1234", r#"{"method":"flexible"}"#), "1", "{output}");
    }
}

#[test]
fn a_number_is_read_with_what_stands_beside_it() {
    for (output, reference, want) in [
        ("The answer is at least 5", "5", "open"),
        ("The answer is more than 5.", "5", "open"),
        ("There are at most 5 boxes.", "5", "open"),
        ("The answer is 5 or more", "5", "open"),
        ("The answer is 5+", "5", "open"),
        (">5", "5", "0"),
        ("x > 5", "5", "0"),
        ("so -> 5", "5", "1"),
        ("so <b>5</b>", "5", "1"),
        ("12 or a dozen", "12", "1"),
        ("The answer is 5 x 10^3", "5000", "1"),
        ("The answer is 5 x 10^3", "5", "0"),
        ("\\boxed{5 x 10^3}", "5000", "1"),
        ("The answer is 5 x 3", "5", "open"),
        ("The answer is 5 mod 3", "5", "open"),
        ("5 mod 3", "2", "1"),
        ("5 mod 3", "3", "0"),
        ("The answer is 12:30", "12", "open"),
        ("The answer is 5C2", "5", "open"),
        ("The answer is 5°C", "5", "1"),
        ("5 °C", "5 °F", "open"),
        ("\\boxed{5^\\circ C}", "5", "1"),
        ("1'500", "1500", "1"),
        ("the 5th", "5", "1"),
        ("5 ppm", "5", "1"),
        ("5‰", "5", "open"),
    ] {
        let got = ask(math, output, reference, "{}");
        assert_eq!(got.split(':').next(), Some(want), "{output} {reference}: {got}");
    }
}
