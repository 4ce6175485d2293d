//! From counts to the score.

use crate::settings::{Settings, Smoothing};
use crate::stats::Stats;
use rubric_host_sdk::{Answer, Object};

/// sacrebleu's stand-in for the logarithm of 0.
const LOG_ZERO: f64 = -9999999999.0;

pub fn answer(stats: &Stats, settings: &Settings) -> Answer {
    let bleu = Bleu::new(stats, settings);
    let mut details = Object::new();
    details
        .num("score", bleu.score)
        .nums("counts", &bleu.counts)
        .nums("totals", &bleu.totals)
        .nums("precisions", &bleu.precisions)
        .num("bp", bleu.bp)
        .int("sys_len", stats.sys_len)
        .int("ref_len", stats.ref_len)
        .text("signature", &settings.signature(&stats.references.signature()));
    Answer::score((bleu.score / 100.0).clamp(0.0, 1.0)).details(details)
}

/// sacrebleu's figures; `score` and `precisions` are per cent, and a perfect
/// match may exceed 100 in the last digit.
struct Bleu {
    score: f64,
    counts: Vec<f64>,
    totals: Vec<f64>,
    precisions: Vec<f64>,
    bp: f64,
}

impl Bleu {
    fn new(stats: &Stats, settings: &Settings) -> Self {
        let as_f64 = |list: &[u64]| list.iter().map(|&n| n as f64).collect();
        let mut b = Bleu {
            score: 0.0,
            counts: as_f64(&stats.counts),
            totals: as_f64(&stats.totals),
            precisions: vec![0.0; settings.order],
            bp: brevity(stats),
        };
        if stats.counts.iter().any(|&n| n > 0) {
            let order = b.smooth(settings);
            let sum: f64 = b.precisions[..order].iter().map(|&p| if p == 0.0 { LOG_ZERO } else { p.ln() }).sum();
            b.score = b.bp * (sum / order as f64).exp();
        }
        b
    }

    /// Fills the precisions, and answers over how many orders the mean goes.
    fn smooth(&mut self, settings: &Settings) -> usize {
        let mut order = settings.order;
        let mut factor = 1.0;
        for n in 0..settings.order {
            if let (Smoothing::AddK(k), 1..) = (settings.smoothing, n) {
                self.counts[n] += k;
                self.totals[n] += k;
            }
            let total = self.totals[n];
            if total == 0.0 {
                break;
            }
            if settings.effective_order {
                // Orders that the output has n-grams of, matched or not.
                order = n + 1;
            }
            self.precisions[n] = match settings.smoothing {
                _ if self.counts[n] != 0.0 => 100.0 * self.counts[n] / total,
                Smoothing::Exp => {
                    factor *= 2.0;
                    100.0 / (factor * total)
                }
                Smoothing::Floor(value) => 100.0 * value / total,
                Smoothing::None | Smoothing::AddK(_) => 0.0,
            };
        }
        order
    }
}

fn brevity(stats: &Stats) -> f64 {
    if stats.sys_len >= stats.ref_len {
        1.0
    } else if stats.sys_len == 0 {
        0.0
    } else {
        (1.0 - stats.ref_len as f64 / stats.sys_len as f64).exp()
    }
}
