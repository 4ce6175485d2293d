//! Exact fractions, and complex doubles.

use rubric_host_sdk::Value;

/// A fraction in lowest terms, its denominator above 0.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Ratio {
    pub over: i128,
    pub under: i128,
}

/// The greatest common divisor.
pub fn common(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

impl Ratio {
    pub const ONE: Ratio = Ratio { over: 1, under: 1 };

    pub fn new(over: i128, under: i128) -> Option<Self> {
        if under == 0 || over == i128::MIN || under == i128::MIN {
            return None;
        }
        let by = common(over, under).max(1) * under.signum();
        Some(Ratio { over: over / by, under: under / by })
    }

    /// Of digits with a decimal point.
    pub fn decimal(text: &str) -> Option<Self> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let part = part.trim_end_matches('0');
        if part.len() > 36 {
            return None;
        }
        let digits: i128 = format!("0{whole}{part}").parse().ok()?;
        Ratio::new(digits, 10i128.checked_pow(part.len() as u32)?)
    }

    pub fn add(self, other: Self) -> Option<Self> {
        let over = self.over.checked_mul(other.under)?.checked_add(other.over.checked_mul(self.under)?)?;
        Ratio::new(over, self.under.checked_mul(other.under)?)
    }

    pub fn times(self, other: Self) -> Option<Self> {
        // Reduced crosswise first, so that fewer products overflow.
        let a = Ratio::new(self.over, other.under)?;
        let b = Ratio::new(other.over, self.under)?;
        Ratio::new(a.over.checked_mul(b.over)?, a.under.checked_mul(b.under)?)
    }

    pub fn inverse(self) -> Option<Self> {
        Ratio::new(self.under, self.over)
    }

    pub fn negative(self) -> Self {
        Ratio { over: -self.over, under: self.under }
    }

    /// To a power that is a fraction, where the root is exact.
    pub fn power(self, exponent: Self) -> Option<Self> {
        let (mut base, mut n) = (self, exponent.over);
        if n < 0 {
            (base, n) = (base.inverse()?, -n);
        }
        if exponent.under != 1 {
            let root = u32::try_from(exponent.under).ok().filter(|r| *r <= 64)?;
            if base.over < 0 {
                return None; // the principal root is complex
            }
            base = Ratio { over: exact_root(base.over, root)?, under: exact_root(base.under, root)? };
        }
        let n = u32::try_from(n).ok().filter(|n| *n <= 10_000)?;
        Some(Ratio { over: base.over.checked_pow(n)?, under: base.under.checked_pow(n)? })
    }

    pub fn integer(self) -> Option<i128> {
        (self.under == 1).then_some(self.over)
    }

    pub fn double(self) -> f64 {
        self.over as f64 / self.under as f64
    }
}

fn exact_root(n: i128, root: u32) -> Option<i128> {
    let near = (n as f64).powf(1.0 / f64::from(root)).round() as i128;
    (near.saturating_sub(2).max(0)..=near.saturating_add(2)).find(|r| r.checked_pow(root) == Some(n))
}

/// A complex number, and the size of the largest number on the way to it.
#[derive(Clone, Copy, Debug)]
pub struct Complex {
    pub re: f64,
    pub im: f64,
    pub size: f64,
}

impl Complex {
    pub fn new(re: f64, im: f64) -> Self {
        Complex { re, im, size: re.hypot(im) }
    }

    pub fn real(re: f64) -> Self {
        Complex::new(re, 0.0)
    }

    pub fn of(text: &str) -> Self {
        Complex::real(Value::Number(text).as_f64().unwrap_or(f64::NAN))
    }

    fn sized(mut self, size: f64) -> Self {
        self.size = self.size.max(size);
        self
    }

    pub fn abs(self) -> f64 {
        self.re.hypot(self.im)
    }

    pub fn is_finite(self) -> bool {
        self.re.is_finite() && self.im.is_finite() && self.size.is_finite()
    }

    pub fn add(self, o: Self) -> Self {
        Complex::new(self.re + o.re, self.im + o.im).sized(self.size.max(o.size))
    }

    pub fn times(self, o: Self) -> Self {
        let size = self.size * o.abs() + o.size * self.abs();
        Complex::new(self.re * o.re - self.im * o.im, self.re * o.im + self.im * o.re).sized(size)
    }

    pub fn inverse(self) -> Self {
        let n = self.re * self.re + self.im * self.im;
        let size = self.size / n;
        Complex::new(self.re / n, -self.im / n).sized(size)
    }

    pub fn exp(self) -> Self {
        let r = self.re.exp();
        let size = r * self.size.max(1.0);
        Complex::new(r * self.im.cos(), if self.im == 0.0 { 0.0 } else { r * self.im.sin() }).sized(size)
    }

    pub fn ln(self) -> Self {
        let size = self.size / self.abs();
        Complex::new(self.abs().ln(), self.im.atan2(self.re)).sized(size)
    }

    pub fn power(self, o: Self) -> Self {
        if self.abs() == 0.0 {
            return if o.re > 0.0 { Complex::real(0.0).sized(self.size) } else { Complex::real(f64::NAN) };
        }
        if o.im == 0.0 && o.re.fract() == 0.0 && o.re.abs() <= 64.0 {
            let mut n = Complex::real(1.0);
            for _ in 0..o.re.abs() as u32 {
                n = n.times(self);
            }
            return if o.re < 0.0 { n.inverse() } else { n };
        }
        if self.im == 0.0 && self.re > 0.0 && o.im == 0.0 {
            let n = Complex::real(self.re.powf(o.re));
            return n.sized(n.re * (self.size / self.re).max(1.0));
        }
        self.ln().times(o).exp()
    }

    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.re.sin_cos();
        let (sh, ch) = (self.im.sinh(), self.im.cosh());
        let size = self.size * ch;
        (Complex::new(s * ch, c * sh).sized(size), Complex::new(c * ch, -s * sh).sized(size))
    }

    /// A function of one argument, by its LaTeX name; `None` if it is unknown or has no
    /// value there.
    pub fn function(self, name: &str) -> Option<Self> {
        let (sin, cos) = self.sin_cos();
        let real = |f: fn(f64) -> f64| (self.im == 0.0).then(|| Complex::real(f(self.re)).sized(self.size));
        Some(match name {
            "sin" => sin,
            "cos" => cos,
            "tan" => sin.times(cos.inverse()),
            "cot" => cos.times(sin.inverse()),
            "sec" => cos.inverse(),
            "csc" => sin.inverse(),
            "arcsin" => real(f64::asin)?,
            "arccos" => real(f64::acos)?,
            "arctan" => real(f64::atan)?,
            "sinh" => real(f64::sinh)?,
            "cosh" => real(f64::cosh)?,
            "tanh" => real(f64::tanh)?,
            "exp" => self.exp(),
            "cis" => cos.add(sin.times(Complex::new(0.0, 1.0))),
            "ln" => self.ln(),
            "abs" => Complex::real(self.abs()).sized(self.size),
            "count" => self,
            "floor" => whole(self.re, f64::floor).filter(|_| self.im == 0.0)?,
            "ceil" => whole(self.re, f64::ceil).filter(|_| self.im == 0.0)?,
            "Re" => Complex::real(self.re).sized(self.size),
            "Im" => Complex::real(self.im).sized(self.size),
            "factorial" => factorial(self)?,
            _ => return None,
        })
    }
}

/// A rounded number, unless it is too near to where it jumps to be sure.
fn whole(n: f64, round: fn(f64) -> f64) -> Option<Complex> {
    let near = (n - n.round()).abs();
    (near == 0.0 || near > 1e-9).then(|| Complex::real(round(n)))
}

fn factorial(n: Complex) -> Option<Complex> {
    let whole = n.im == 0.0 && n.re.fract() == 0.0 && (0.0..=170.0).contains(&n.re);
    whole.then(|| Complex::real((1..=n.re as u32).map(f64::from).product()))
}
