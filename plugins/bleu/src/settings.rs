//! The configuration: sacrebleu's option names and defaults.

use rubric_host_sdk::{Error, Request, Result};
use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tokenizer {
    None,
    Thirteen,
    Intl,
    Char,
    Zh,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Smoothing {
    None,
    Exp,
    Floor(f64),
    AddK(f64),
}

#[derive(Clone, Debug)]
pub struct Settings {
    pub tokenizer: Tokenizer,
    pub smoothing: Smoothing,
    pub lowercase: bool,
    pub effective_order: bool,
    pub order: usize,
}

/// The highest n-gram order that is accepted; sacrebleu sets no limit.
const MAX_ORDER: usize = 16;

const MAX_SMOOTH: f64 = 1e6;

impl Settings {
    /// Reads the configuration. `corpus` decides the default of `effective_order`, as in sacrebleu.
    pub fn read(request: &Request, corpus: bool) -> Result<Self> {
        let config = request.config();
        let value = |default| match config.number("smooth_value", default)? {
            v if (0.0..=MAX_SMOOTH).contains(&v) => Ok(v),
            _ => Err(Error::new("smooth_value out of range: use 0 to 1000000")),
        };
        Ok(Settings {
            tokenizer: tokenizer(config.text("tokenize", "13a")?)?,
            smoothing: match config.text("smooth_method", "exp")? {
                "exp" => Smoothing::Exp,
                "none" => Smoothing::None,
                "floor" => Smoothing::Floor(value(0.1)?),
                "add-k" => Smoothing::AddK(value(1.0)?),
                other => {
                    return Err(Error::new(format!(
                        "smooth_method \"{other}\" is unknown; use exp, floor, add-k or none"
                    )))
                }
            },
            lowercase: config.flag("lowercase", false)?,
            effective_order: config.flag("effective_order", !corpus)?,
            order: config.count("max_ngram_order", 4, 1, MAX_ORDER)?,
        })
    }

    /// The signature that makes a score reproducible, as sacrebleu prints it.
    pub fn signature(&self, references: &str) -> String {
        let smooth = match self.smoothing {
            Smoothing::None => Cow::Borrowed("none"),
            Smoothing::Exp => "exp".into(),
            Smoothing::Floor(v) => format!("floor[{}]", two_decimals(v)).into(),
            Smoothing::AddK(v) => format!("add-k[{}]", two_decimals(v)).into(),
        };
        let case = if self.lowercase { "lc" } else { "mixed" };
        let eff = if self.effective_order { "yes" } else { "no" };
        let tok = match self.tokenizer {
            Tokenizer::None => "none",
            Tokenizer::Thirteen => "13a",
            Tokenizer::Intl => "intl",
            Tokenizer::Char => "char",
            Tokenizer::Zh => "zh",
        };
        // format! takes several times as long.
        ["nrefs:", references, "|case:", case, "|eff:", eff, "|tok:", tok, "|smooth:", &smooth, "|version:2.6.0"]
            .concat()
    }
}

fn tokenizer(name: &str) -> Result<Tokenizer> {
    Ok(match name {
        "none" => Tokenizer::None,
        "13a" => Tokenizer::Thirteen,
        "intl" => Tokenizer::Intl,
        "char" => Tokenizer::Char,
        "zh" => Tokenizer::Zh,
        "ja-mecab" | "ko-mecab" | "spm" | "flores101" | "flores200" | "spBLEU-1K" => {
            return Err(Error::new(format!(
                "tokenize \"{name}\" needs a dictionary or model that this plugin does not carry; use char, or tokenize the texts yourself and use none"
            )))
        }
        _ => return Err(Error::new(format!("tokenize \"{name}\" is unknown; use 13a, intl, char, zh or none"))),
    })
}

/// Writes `v` (0 to a million) with two decimals, as Python's `.2f` does: the
/// exact value is rounded, a tie to the even digit.
fn two_decimals(v: f64) -> String {
    let scaled = v * 100.0;
    // What the product lost, exactly: the upper half of v times 100 fits a double.
    let upper = f64::from_bits(v.to_bits() & !0x7ff_ffff);
    let lost = (upper * 100.0 - scaled) + (v - upper) * 100.0;
    let mut cents = scaled.round_ties_even();
    if (scaled - scaled.trunc()) == 0.5 && lost != 0.0 {
        cents = if lost > 0.0 { scaled.ceil() } else { scaled.floor() };
    }
    let cents = cents as u64;
    format!("{}.{}{}", cents / 100, cents / 10 % 10, cents % 10)
}

#[cfg(test)]
mod tests {
    use super::two_decimals;

    #[test]
    fn two_decimals_are_those_of_exact_rounding() {
        let mut seed = 3u64;
        let mut values = vec![0.0, 0.125, 0.375, 0.005, 0.015, 1.005, 2.675, 0.1, 0.01, 1.0, 999.995, 1e6, 1e-300];
        for _ in 0..100_000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            values.push((seed >> 33) as f64 / 2000.0);
            values.push((seed >> 40) as f64 / 65536.0);
        }
        for v in values.into_iter().filter(|v| *v <= 1e6) {
            assert_eq!(two_decimals(v), format!("{v:.2}"));
        }
    }
}
