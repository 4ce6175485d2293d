//! Expressions and their values.

use crate::number::{Complex, Ratio};

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number as it is written.
    Number(String),
    /// A fraction that is not a decimal, such as a repeating one.
    Ratio(i128, i128),
    /// A variable with its subscript.
    Symbol(String),
    Pi,
    E,
    I,
    Infinity,
    Sum(Vec<Expr>),
    Product(Vec<Expr>),
    Negative(Box<Expr>),
    Quotient(Box<Expr>, Box<Expr>),
    Power(Box<Expr>, Box<Expr>),
    /// A function of one argument; `count` of what C(8, 2) or P(8, 2) counts, which may be points.
    Function(&'static str, Box<Expr>),
    /// A logarithm to a base.
    Log(Box<Expr>, Box<Expr>),
    Binomial(Box<Expr>, Box<Expr>),
    Percent(Box<Expr>),
    /// In degrees.
    Degrees(Box<Expr>),
    /// One of two signs.
    PlusMinus(Box<Expr>),
}

use Expr::{Binomial, Degrees, Function, Infinity, Log, Negative, Number, Percent, Pi, PlusMinus, Power, Product, Quotient, Sum, Symbol, E, I};

impl Expr {
    /// The parts of an expression.
    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            Sum(list) | Product(list) => list.iter().collect(),
            Negative(a) | Function(_, a) | Percent(a) | Degrees(a) | PlusMinus(a) => vec![a],
            Quotient(a, b) | Power(a, b) | Log(a, b) | Binomial(a, b) => vec![a, b],
            _ => Vec::new(),
        }
    }

    /// Whether any part is as `test` says.
    pub fn any(&self, test: &dyn Fn(&Expr) -> bool) -> bool {
        test(self) || self.parts().into_iter().any(|p| p.any(test))
    }

    /// Adds the names of all symbols.
    pub fn symbols(&self, names: &mut Vec<String>) {
        if let Symbol(name) = self {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        for part in self.parts() {
            part.symbols(names);
        }
    }

    /// Whether it is a decimal number, perhaps negative or a percentage.
    pub fn is_decimal(&self) -> bool {
        match self {
            // sympy is given 0.5 as a fraction.
            Number(text) => text.contains('.'),
            Negative(a) | Percent(a) => a.is_decimal(),
            _ => false,
        }
    }

    /// The integer that it is written as.
    pub fn plain_integer(&self) -> Option<i128> {
        match self {
            Number(text) => text.parse().ok(),
            Negative(a) => a.plain_integer().map(|n| -n),
            _ => None,
        }
    }

    /// With each PlusMinus as one sign.
    pub fn signed(&self, negative: bool) -> Expr {
        let go = |e: &Expr| Box::new(e.signed(negative));
        match self {
            PlusMinus(a) if negative => Negative(go(a)),
            PlusMinus(a) => a.signed(negative),
            Sum(list) => Sum(list.iter().map(|e| e.signed(negative)).collect()),
            Product(list) => Product(list.iter().map(|e| e.signed(negative)).collect()),
            Negative(a) => Negative(go(a)),
            Function(name, a) => Function(name, go(a)),
            Percent(a) => Percent(go(a)),
            Degrees(a) => Degrees(go(a)),
            Quotient(a, b) => Quotient(go(a), go(b)),
            Power(a, b) => Power(go(a), go(b)),
            Log(a, b) => Log(go(a), go(b)),
            Binomial(a, b) => Binomial(go(a), go(b)),
            other => other.clone(),
        }
    }

    /// The exact value with symbols as `at` has them; nothing if it is irrational, or its
    /// numbers are too large.
    pub fn exact(&self, at: &dyn Fn(&str) -> Option<Ratio>) -> Option<Ratio> {
        match self {
            Number(text) => Ratio::decimal(text),
            Expr::Ratio(a, b) => Ratio::new(*a, *b),
            Symbol(name) => at(name),
            Pi | E | I | Infinity | Log(..) | PlusMinus(_) => None,
            Sum(list) => list.iter().try_fold(Ratio { over: 0, under: 1 }, |sum, e| sum.add(e.exact(at)?)),
            Product(list) => list.iter().try_fold(Ratio::ONE, |product, e| product.times(e.exact(at)?)),
            Negative(a) => Some(a.exact(at)?.negative()),
            Quotient(a, b) => a.exact(at)?.times(b.exact(at)?.inverse()?),
            Power(a, b) => a.exact(at)?.power(b.exact(at)?),
            Percent(a) => a.exact(at)?.times(Ratio { over: 1, under: 100 }),
            Degrees(a) => a.exact(at),
            Binomial(n, k) => {
                let (n, k) = (n.exact(at)?, k.exact(at)?.integer()?);
                match n.integer() {
                    Some(n) => choose(n, k),
                    // A polynomial in n.
                    None if (0..=20).contains(&k) => (0..k).try_fold(Ratio::ONE, |product, i| product.times(n.add(Ratio::new(-i, 1)?)?)?.times(Ratio::new(1, i + 1)?)),
                    None => None,
                }
            }
            Function("abs", a) => a.exact(at).map(|n| if n.over < 0 { n.negative() } else { n }),
            Function("count", a) => a.exact(at),
            Function("floor", a) => a.exact(at).map(|n| Ratio { over: n.over.div_euclid(n.under), under: 1 }),
            Function("ceil", a) => a.exact(at).map(|n| Ratio { over: -(-n.over).div_euclid(n.under), under: 1 }),
            Function("factorial", a) => {
                let n = a.exact(at)?.integer().filter(|n| (0..=33).contains(n))?;
                Some(Ratio { over: (1..=n).product(), under: 1 })
            }
            Function(..) => None,
        }
    }

    /// Whether it has only operations that keep fractions fractions.
    pub fn is_rational(&self) -> bool {
        !self.any(&|e| match e {
            Pi | E | I | Infinity | Log(..) | PlusMinus(_) => true,
            Function(name, _) => !matches!(*name, "abs" | "count" | "floor" | "ceil" | "factorial"),
            Power(_, b) => b.exact(&|_| None).is_none_or(|b| b.under != 1),
            _ => false,
        })
    }

    /// The value in doubles; nothing if it has none.
    pub fn value(&self, at: &dyn Fn(&str) -> Complex) -> Option<Complex> {
        let n = match self {
            Number(text) => Complex::of(text),
            Expr::Ratio(a, b) => Complex::real(*a as f64 / *b as f64),
            Symbol(name) => at(name),
            Pi => Complex::real(std::f64::consts::PI),
            E => Complex::real(std::f64::consts::E),
            I => Complex::new(0.0, 1.0),
            Infinity | PlusMinus(_) => return None,
            Sum(list) => {
                list.iter().try_fold(Complex::real(0.0), |sum, e| Some(sum.add(e.value(at)?)))?
            }
            Product(list) => {
                list.iter().try_fold(Complex::real(1.0), |product, e| Some(product.times(e.value(at)?)))?
            }
            Negative(a) => a.value(at)?.times(Complex::real(-1.0)),
            Quotient(a, b) => a.value(at)?.times(b.value(at)?.inverse()),
            Power(a, b) => a.value(at)?.power(b.value(at)?),
            Percent(a) => a.value(at)?.times(Complex::real(0.01)),
            Degrees(a) => a.value(at)?,
            Function(name, a) => {
                let inner = match &**a {
                    Degrees(d) => d.value(at)?.times(Complex::real(std::f64::consts::PI / 180.0)),
                    other => other.value(at)?,
                };
                inner.function(name)?
            }
            Log(base, a) => a.value(at)?.ln().times(base.value(at)?.ln().inverse()),
            Binomial(n, k) => {
                let (n, k) = (n.value(at)?, k.value(at)?);
                let whole = |c: Complex| c.im == 0.0 && c.re.fract() == 0.0 && (0.0..=1000.0).contains(&c.re);
                if !whole(n) || !whole(k) {
                    return None;
                }
                Complex::real((0..k.re as u32).map(|i| (n.re - f64::from(i)) / (f64::from(i) + 1.0)).product())
            }
        };
        n.is_finite().then_some(n)
    }
}

fn choose(n: i128, k: i128) -> Option<Ratio> {
    if !(0..=1000).contains(&n) || !(0..=n).contains(&k) {
        return None;
    }
    let mut product = 1i128;
    for i in 0..k.min(n - k) {
        product = product.checked_mul(n - i)? / (i + 1);
    }
    Some(Ratio { over: product, under: 1 })
}
