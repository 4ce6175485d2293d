//! From an index to a score of 0 to 1.

use crate::index::Unit;
use rubric_host_sdk::{Error, Request, Result, Value};

/// How an index becomes a score.
#[derive(Debug, PartialEq)]
pub enum Scale {
    /// A share of a hundred, cut to 0 to 1: reading ease.
    Hundred,
    /// 1 from `low` to `high`, falling to 0 within `width` outside.
    Band {
        /// Where 1 begins.
        low: f64,
        /// Where 1 ends.
        high: f64,
        /// From either end to 0.
        width: f64,
    },
}

/// The default band of school grades: what adults read with ease.
const GRADES: (f64, f64) = (6.0, 9.0);

impl Scale {
    /// The configured `band` ([low, high]) and `width`, else the default of the
    /// index. An index that is neither an ease nor a grade has none.
    pub fn read(request: &Request, name: &str, unit: Unit) -> Result<Self> {
        let config = request.config();
        let width = config.number("width", 4.0)?;
        if width <= 0.0 {
            return Err("config width must be a number above 0".into());
        }
        let Some(band) = config.get("band") else {
            return match unit {
                Unit::Ease => Ok(Scale::Hundred),
                Unit::Grade => Ok(Scale::Band { low: GRADES.0, high: GRADES.1, width }),
                Unit::Other => Err(Error::new(format!(
                    "{name} has no scale of its own: give config band, such as [30, 50], in which it scores 1, and width, within which it falls to 0"
                ))),
            };
        };
        let ends: Option<Vec<f64>> = band.as_array().and_then(|list| list.iter().map(Value::as_f64).collect());
        match ends.as_deref() {
            Some(&[low, high]) if low <= high => Ok(Scale::Band { low, high, width }),
            _ => Err("config band must be two numbers, the lower one first".into()),
        }
    }

    /// The score of an index.
    pub fn score(&self, raw: f64) -> f64 {
        match *self {
            Scale::Hundred => (raw / 100.0).clamp(0.0, 1.0),
            Scale::Band { low, high, width } => {
                let outside = (low - raw).max(raw - high).max(0.0);
                (1.0 - outside / width).clamp(0.0, 1.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_fall_off_outside_the_band() {
        let band = Scale::Band { low: 6.0, high: 9.0, width: 4.0 };
        for (raw, want) in [
            (6.0, 1.0),
            (7.5, 1.0),
            (9.0, 1.0),
            (10.0, 0.75),
            (13.0, 0.0),
            (40.0, 0.0),
            (5.0, 0.75),
            (1.0, 0.0),
            (-300.0, 0.0),
        ] {
            assert_eq!(band.score(raw), want, "{raw}");
        }
        for (raw, want) in [(-217.0, 0.0), (0.0, 0.0), (65.5, 0.655), (121.0, 1.0)] {
            assert_eq!(Scale::Hundred.score(raw), want, "{raw}");
        }
    }
}
