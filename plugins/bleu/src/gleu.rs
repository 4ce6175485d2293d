//! GLEU (`google_bleu`) as NLTK 3.8 computes it over 13a tokens.

use crate::tokenize::{self, tokens};
use rubric_host_sdk::{Answer, Error, Object, Request, Result};
use rubric_host_text::{counts, or_answer, Counts, Segments};

/// Matches, and the larger of the n-grams of the output and of the reference.
#[derive(Clone, Copy, Default)]
struct Sums {
    matches: u64,
    all: u64,
}

impl Sums {
    fn ratio(self) -> f64 {
        if self.all == 0 {
            0.0
        } else {
            self.matches as f64 / self.all as f64
        }
    }

    fn answer(self) -> Answer {
        let mut details = Object::new();
        details.num("google_bleu", self.ratio());
        Answer::score(self.ratio()).details(details).stats(vec![self.matches as f64, self.all as f64])
    }
}

/// Scores one case, or a corpus of its own.
pub fn gleu(request: &Request) -> Result<Answer> {
    let config = request.config();
    let (least, most) = (config.count("min_len", 1, 1, 16)?, config.count("max_len", 4, 1, 16)?);
    if least > most {
        return Err(Error::new(format!("min_len {least} is above max_len {most}")));
    }
    let tokenizer = crate::variants::tokenizer(&config, "13a")?;
    let segments = or_answer!(Segments::read(request)?).list;
    let mut sum = Sums::default();
    for (output, references) in segments {
        let text = tokenize::prepare(output, tokenizer);
        let words = tokens(&text, tokenizer);
        let grams = Counts::new(&words, 1);
        let total = |len: usize| (least..=most).map(|n| (len + 1).saturating_sub(n) as u64).sum::<u64>();
        let mut best = Sums::default();
        for reference in references {
            let text = tokenize::prepare(reference, tokenizer);
            let others = grams.ids_of(&tokens(&text, tokenizer));
            let matches = grams.overlap(&others, most).matches().skip(least - 1).sum();
            let here = Sums { matches, all: total(words.len()).max(total(others.len())) };
            if best.all == 0 || here.ratio() > best.ratio() {
                best = here;
            }
        }
        sum.matches += best.matches;
        sum.all += best.all;
    }
    Ok(sum.answer())
}

/// Scores a corpus from the sums of its cases' stats.
pub fn corpus(request: &Request) -> Result<Answer> {
    let stats = counts(&request.stats()?, 2)?;
    Ok(Sums { matches: stats[0], all: stats[1] }.answer())
}
