//! The configuration: rouge_score's option names, and which figure is the score.

use crate::overlap::Prf;
use crate::skip;
use rubric_host_sdk::{Config, Error, Request, Result};

/// One kind of ROUGE.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Type {
    N(usize),
    L,
    Lsum,
    W,
    S,
    SU,
}

impl Type {
    fn read(name: &str) -> Result<Self> {
        match name {
            "rougeL" => Ok(Type::L),
            "rougeLsum" => Ok(Type::Lsum),
            "rougeW" => Ok(Type::W),
            "rougeS" => Ok(Type::S),
            "rougeSU" => Ok(Type::SU),
            _ => match name.strip_prefix("rouge").map(str::as_bytes) {
                Some(&[n @ b'1'..=b'9']) => Ok(Type::N(usize::from(n - b'0'))),
                _ => Err(Error::new(format!("unknown type \"{name}\"; use rouge1 to rouge9, rougeL, rougeLsum, rougeW, rougeS or rougeSU"))),
            },
        }
    }

    pub fn name(self) -> String {
        match self {
            Type::N(n) => format!("rouge{n}"),
            Type::L => "rougeL".into(),
            Type::Lsum => "rougeLsum".into(),
            Type::W => "rougeW".into(),
            Type::S => "rougeS".into(),
            Type::SU => "rougeSU".into(),
        }
    }
}

/// The figure that is the score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Field {
    Fmeasure,
    Recall,
    Precision,
}

impl Field {
    pub fn of(self, prf: &Prf) -> f64 {
        match self {
            Field::Fmeasure => prf.fmeasure(),
            Field::Recall => prf.recall,
            Field::Precision => prf.precision,
        }
    }
}

/// What the tokens of a text are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tokenizer {
    RougeScore,
    Whitespace,
    Words,
}

#[derive(Debug)]
pub struct Settings {
    pub tokenizer: Tokenizer,
    pub types: Vec<Type>,
    pub variant: Type,
    pub field: Field,
    pub stem: bool,
    /// Whether a sentence may end within a line.
    pub marks: bool,
    /// The exponent of ROUGE-W.
    pub weight: f64,
    /// How many tokens a skip-bigram may have inside.
    pub skip_gap: usize,
}

/// The most steps of longest common subsequences, of 64 pairs of tokens each, for all references.
pub const MOST_STEPS: usize = 100_000_000;

/// What `rouge` answers in its details when it is not told.
const ALL: [Type; 5] = [Type::N(1), Type::N(2), Type::N(3), Type::L, Type::Lsum];

impl Settings {
    /// Reads the configuration; `fixed` is the type that the export names.
    #[inline(never)]
    pub fn read(request: &Request, fixed: Option<Type>) -> Result<Self> {
        let config = request.config();
        if config.flag("split_summaries", false)? {
            return Err("split_summaries needs trained data that this plugin does not carry: use splitter marks, or put each sentence on a line".into());
        }
        if config.text("multi_ref", "best_f_per_type")? != "best_f_per_type" {
            return Err("multi_ref knows best_f_per_type only: of each type, the figures against the reference with the highest F1".into());
        }
        let named = match fixed {
            Some(t) => Some(t),
            None => variant(&config)?,
        };
        let listed = config
            .texts("rouge_types")?
            .map(|list| list.into_iter().map(Type::read).collect::<Result<Vec<_>>>())
            .transpose()?;
        let (variant, types) = match (named, listed) {
            (Some(v), Some(mut types)) => {
                if !types.contains(&v) {
                    types.push(v);
                }
                (v, types)
            }
            (Some(v), None) => (v, vec![v]),
            (None, Some(types)) => (*types.first().ok_or("rouge_types is an empty list")?, types),
            (None, None) => (Type::L, ALL.to_vec()),
        };
        let field = match config.text("field", "fmeasure")? {
            "fmeasure" => Field::Fmeasure,
            "recall" => Field::Recall,
            "precision" => Field::Precision,
            other => {
                return Err(Error::new(format!("unknown field \"{other}\"; use fmeasure, recall or precision")))
            }
        };
        let marks = match config.text("splitter", "newline")? {
            "newline" => false,
            "marks" => true,
            other => return Err(Error::new(format!("unknown splitter \"{other}\": use newline or marks"))),
        };
        let tokenizer = match config.text("tokenizer", "rouge_score")? {
            "rouge_score" => Tokenizer::RougeScore,
            "whitespace" => Tokenizer::Whitespace,
            "words" => Tokenizer::Words,
            other => return Err(Error::new(format!("unknown tokenizer \"{other}\": use rouge_score, whitespace or words"))),
        };
        let stem = config.flag("use_stemmer", false)?;
        if stem && tokenizer != Tokenizer::RougeScore {
            return Err("use_stemmer stems English words of tokenizer rouge_score: leave one of the two out".into());
        }
        let weight = config.number("weight", 1.2)?;
        if !(1.0..=10.0).contains(&weight) {
            return Err("weight out of range: use 1 to 10".into());
        }
        let skip_gap = config.count("skip_gap", 4, 0, 1_000_000)?;
        Ok(Settings { tokenizer, types, variant, field, stem, marks, weight, skip_gap })
    }

    /// The type for which texts of so many tokens are too long, if there is one.
    pub fn too_long(&self, m: usize, n: usize) -> Option<Type> {
        self.types.iter().copied().find(|t| match t {
            Type::W => m.saturating_mul(n) > skip::MOST_PAIRS,
            Type::S | Type::SU => skip::count(m.max(n), self.skip_gap) > skip::MOST_PAIRS / 4,
            _ => false,
        })
    }

    /// The highest order of n-grams to count.
    pub fn order(&self) -> usize {
        self.types.iter().map(|t| if let Type::N(n) = t { *n } else { 1 }).max().unwrap_or(1)
    }
}

fn variant(config: &Config) -> Result<Option<Type>> {
    match (config.text("variant", "")?, config.text("rouge_type", "")?) {
        ("", "") => Ok(None),
        (a, b) if a.is_empty() || b.is_empty() || a == b => Type::read(if a.is_empty() { b } else { a }).map(Some),
        (a, b) => Err(Error::new(format!("variant is \"{a}\" and rouge_type is \"{b}\"; name one"))),
    }
}
