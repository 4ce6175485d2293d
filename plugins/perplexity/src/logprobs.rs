//! Reading log-probabilities in the shapes that endpoints answer them.

use rubric_host_sdk::{Error, Result, Value};

/// Log-probabilities in nats.
pub struct Logprobs {
    pub list: Vec<f64>,
    /// Tokens without one, as the first of a prompt.
    pub skipped: usize,
    /// Tokens that are only said to be very unlikely.
    pub beyond: usize,
}

/// The most above 0 that is a rounding error.
const ROUNDING: f64 = 1e-4;

/// What OpenAI's endpoints answer for a token beyond the 20 most likely.
const BEYOND: f64 = -9999.0;

impl Logprobs {
    /// Reads a list of numbers, or of objects with a `logprob`; or an object
    /// that holds such a list as `content` or `token_logprobs`. `nats` is what
    /// one unit of the numbers is.
    pub fn read(field: &Value, nats: f64) -> Result<Self> {
        let list = match field
            .as_array()
            .or_else(|| field.get("content").or_else(|| field.get("token_logprobs"))?.as_array())
        {
            Some(list) => list,
            None => {
                return Err(Error::new(format!("invalid logprobs, {}: use a list of numbers", field.kind())))
            }
        };
        let mut all = Logprobs { list: Vec::with_capacity(list.len()), skipped: 0, beyond: 0 };
        for (i, token) in list.iter().enumerate() {
            let value = if token.as_object().is_some() { token.get("logprob").unwrap_or(&Value::Null) } else { token };
            let n = match value {
                Value::Null => {
                    all.skipped += 1;
                    continue;
                }
                Value::String(s) if s == "-Infinity" => f64::NEG_INFINITY,
                _ => value.as_f64().unwrap_or(f64::NAN),
            };
            // Endpoints round: a certain token may have a little more than 0.
            if n.is_nan() || n > ROUNDING {
                return Err(Error::new(format!(
                    "invalid logprobs, number {}: use a number of 0 or below",
                    i + 1
                )));
            }
            all.beyond += usize::from(n == BEYOND);
            all.list.push(n.min(0.0) * nats);
        }
        Ok(all)
    }

    /// The sum with Neumaier's compensation: it does not depend on how long the
    /// text is.
    pub fn sum(&self) -> f64 {
        let (mut sum, mut lost) = (0.0f64, 0.0f64);
        for &n in &self.list {
            let next = sum + n;
            lost += if sum.abs() >= n.abs() { (sum - next) + n } else { (n - next) + sum };
            sum = next;
        }
        if sum.is_finite() {
            sum + lost
        } else {
            sum
        }
    }
}
