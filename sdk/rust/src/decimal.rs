//! Decimal numbers to doubles, correctly rounded, in a tenth of the size of the
//! standard library's tables.

use std::cmp::Ordering;

/// The powers of ten that a double holds exactly.
const EXACT: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Beyond this many digits a number is never half-way between two doubles unless the
/// rest is zeros: one digit stands for it.
const DIGITS: usize = 800;

/// Reads a JSON number; `None` if it is not one.
pub fn read(text: &str) -> Option<f64> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.as_bytes()),
        None => (false, text.as_bytes()),
    };
    let mut digits: Vec<u8> = Vec::new();
    let (mut mantissa, mut power, mut at, mut point, mut any) = (0u64, 0i32, 0, false, false);
    while let Some(&c) = text.get(at) {
        match c {
            b'0'..=b'9' => {
                any = true;
                let n = c - b'0';
                power = power.saturating_sub(i32::from(point));
                if !digits.is_empty() || n > 0 {
                    if digits.len() < DIGITS {
                        digits.push(n);
                    } else {
                        power = power.saturating_add(1);
                        if n > 0 {
                            digits[DIGITS - 1] |= 1;
                        }
                    }
                    mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(n));
                }
            }
            b'.' if !point => point = true,
            _ => break,
        }
        at += 1;
    }
    if !any {
        return None;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        let (sign, start) = match text.get(at + 1) {
            Some(b'-') => (-1, at + 2),
            Some(b'+') => (1, at + 2),
            _ => (1, at + 1),
        };
        let mut exponent = 0i32;
        for c in text.get(start..).filter(|d| !d.is_empty())? {
            let n = c.is_ascii_digit().then(|| i32::from(c - b'0'))?;
            exponent = exponent.saturating_mul(10).saturating_add(n);
        }
        power = power.saturating_add(sign * exponent);
    } else if at < text.len() {
        return None;
    }
    let n = if digits.len() <= 15 && power.unsigned_abs() <= 22 {
        let power_of_ten = EXACT[power.unsigned_abs() as usize];
        if power < 0 {
            mantissa as f64 / power_of_ten
        } else {
            mantissa as f64 * power_of_ten
        }
    } else {
        let near = if digits.len() <= 19 && (-22..0).contains(&power) { quotient(mantissa, EXACT[-power as usize]) } else { None };
        near.unwrap_or_else(|| exact(&digits, power))
    };
    Some(if negative { -n } else { n })
}

/// The double nearest to `above` / `below`, unless it is too close to the middle of two. `below`
/// is a power of ten from 10 to 1e22.
///
/// The first quotient is off by the rounding of `above` and of the division. Its product with
/// `below` is computed exactly, in two parts (Dekker), and the rest divided again: what then is
/// unknown is less than 2^-100 of the quotient.
fn quotient(above: u64, below: f64) -> Option<f64> {
    let rounded = above as f64;
    let lost = above.wrapping_sub(rounded as u64) as i64 as f64;
    let first = rounded / below;
    let product = first * below;
    let (a, b) = halves(first);
    let (c, d) = halves(below);
    let missing = ((a * c - product) + a * d + b * c) + b * d;
    let second = (((rounded - product) - missing) + lost) / below;
    let unknown = first * 1e-30;
    let (low, high) = (first + (second - unknown), first + (second + unknown));
    (low == high).then_some(low)
}

/// A double as the sum of two of half the bits.
fn halves(x: f64) -> (f64, f64) {
    let shifted = x * 134_217_729.0; // 2^27 + 1
    let high = shifted - (shifted - x);
    (high, x - high)
}

/// The double nearest to `digits` x 10^`power`, the even one of two.
fn exact(digits: &[u8], power: i32) -> f64 {
    let magnitude = power.saturating_add(digits.len() as i32);
    if digits.is_empty() || magnitude < -330 {
        return 0.0;
    }
    if magnitude > 310 {
        return f64::INFINITY;
    }
    // As a fraction, which is then made one between 1 and 2 by shifting.
    let (mut above, mut below) = (Big(Vec::new()), Big(vec![1]));
    digits.iter().for_each(|&d| above.times(10, u32::from(d)));
    (0..power).for_each(|_| above.times(10, 0));
    (power..0).for_each(|_| below.times(10, 0));
    let mut exponent = above.bits() as i32 - below.bits() as i32;
    if exponent > 0 {
        below.shift(exponent as usize);
    } else {
        above.shift(-exponent as usize);
    }
    if above.order(&below) == Ordering::Less {
        above.shift(1);
        exponent -= 1;
    }
    // A double has 53 bits, fewer below its smallest normal number.
    let bits = 53.min(exponent + 1075);
    let mut mantissa = 0u64;
    for _ in 0..bits.max(0) {
        mantissa <<= 1;
        if above.order(&below) != Ordering::Less {
            above.minus(&below);
            mantissa |= 1;
        }
        above.shift(1);
    }
    // What is left is twice the rest. Without any bits it is the fraction itself: more
    // than 1 is more than half of the smallest double.
    mantissa += u64::from(match above.order(&below) {
        Ordering::Less => false,
        Ordering::Equal => mantissa & 1 == 1,
        Ordering::Greater => bits >= 0,
    });
    if bits < 53 {
        return f64::from_bits(mantissa);
    }
    if mantissa == 1 << 53 {
        mantissa >>= 1;
        exponent += 1;
    }
    if exponent > 1023 {
        return f64::INFINITY;
    }
    f64::from_bits(((exponent + 1023) as u64) << 52 | (mantissa & ((1 << 52) - 1)))
}

/// A natural number, its lowest digits first.
struct Big(Vec<u32>);

impl Big {
    fn times(&mut self, factor: u32, plus: u32) {
        let mut carry = u64::from(plus);
        for d in &mut self.0 {
            let n = u64::from(*d) * u64::from(factor) + carry;
            *d = n as u32;
            carry = n >> 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn bits(&self) -> usize {
        self.0.len() * 32 - self.0.last().map_or(0, |d| d.leading_zeros() as usize)
    }

    fn shift(&mut self, n: usize) {
        self.times(1 << (n % 32), 0);
        let zeros = n / 32;
        if zeros > 0 {
            self.0.splice(0..0, std::iter::repeat_n(0, zeros));
        }
    }

    fn order(&self, other: &Big) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    /// Subtracts a smaller number.
    fn minus(&mut self, other: &Big) {
        let mut borrow = false;
        for (i, d) in self.0.iter_mut().enumerate() {
            let (n, a) = d.overflowing_sub(other.0.get(i).copied().unwrap_or(0));
            let (n, b) = n.overflowing_sub(u32::from(borrow));
            (*d, borrow) = (n, a | b);
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    fn check(text: &str) {
        let want: f64 = text.parse().unwrap();
        assert_eq!(
            read(text).map(f64::to_bits),
            Some(want.to_bits()),
            "{text}: want {want:e}, got {:e}",
            read(text).unwrap()
        );
    }

    #[test]
    fn doubles_are_those_of_the_standard_library() {
        for text in [
            "0",
            "-0",
            "0.0",
            "1",
            "-1.5",
            "123456789012345678901234567890",
            "0.1",
            "1e22",
            "1e23",
            "8.5e22",
            "9007199254740993",
            "9007199254740992.999999999999999999999",
            "9007199254740993.0000000000000000000000001",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.797693134862315808e308",
            "1e308",
            "1e309",
            "-1e400",
            "1e-400",
            "5e-324",
            "2.47e-324",
            "2.4703282292062327208e-324",
            "2.4703282292062328e-324",
            "2.4e-324",
            "4.9e-324",
            "7.4e-324",
            "7.5e-324",
            "2.2250738585072014e-308",
            "2.2250738585072011e-308",
            "2.225073858507201136057409796709131975934819546351645648e-308",
            "1e-307",
            "1e99999999999999",
            "1e-99999999999999",
            "0e99999999999999",
            "1E+5",
            "1.0e-5",
            "6.02214076e23",
        ] {
            check(text);
        }
        let half = "2.4703282292062327208299999999999999".to_string() + &"0".repeat(900) + "1e-324";
        check(&half);
        check(&("1".to_string() + &"0".repeat(1000) + "e-1000"));
        check(&("0.".to_string() + &"0".repeat(500) + "1e500"));
        let mut seed = 1u64;
        let mut draw = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            seed >> 32 | seed << 32
        };
        for _ in 0..2_000 {
            let n = f64::from_bits(draw());
            if n.is_finite() {
                check(&format!("{n:e}"));
                check(&format!("{n:.20e}"));
                let next = f64::from_bits(n.to_bits() ^ 1);
                // Around the half-way points.
                if n.abs() > 1e-300 && n.abs() < 1e300 {
                    check(&format!("{:.40e}", n / 2.0 + next / 2.0));
                }
            }
            check(&format!("{}.{}e{}", draw() % 1000, draw(), draw() as i64 % 340));
            // As the numbers of embeddings: 16 to 19 digits.
            check(&format!("0.0{}", draw() >> (draw() % 12)));
            check(&format!("0.{}", draw() % 10_000_000_000_000_000_000));
            check(&format!("{}", draw() as f64 / 2f64.powi(64)));
        }
    }

    #[test]
    fn what_is_not_a_number_has_no_value() {
        for text in ["", "-", ".", "e5", "1e", "1e+", "1x", "1.5.5", "1e5x", "+1", "NaN"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
