//! What a metric compares: one output with its references, or a whole corpus.

use rubric_host_sdk::{Answer, Config, Error, Request, Result, Value};

/// An output and its references, of which there is at least one.
pub type Segment<'r> = (&'r str, Vec<&'r str>);

/// What a request asks to score.
pub struct Segments<'r> {
    /// One, unless it is a corpus.
    pub list: Vec<Segment<'r>>,
    /// Whether the request has a list of outputs with a list of references for each.
    pub is_corpus: bool,
}

impl<'r> Segments<'r> {
    /// Reads the case, or gives the answer to one that lacks something, and checks the configuration's `level` against it.
    pub fn read(request: &'r Request) -> Result<std::result::Result<Self, Answer>> {
        let Some(output) = request.field("output") else {
            return Ok(Err(Answer::unscored("the case has no output")));
        };
        let without = || Ok(Err(Answer::unscored("the case has no references")));
        let Value::Array(outputs) = output else {
            level(&request.config(), false)?;
            let references = request.references()?;
            if references.is_empty() {
                return without();
            }
            return Ok(Ok(Segments { list: vec![(request.output()?.unwrap_or_default(), references)], is_corpus: false }));
        };
        level(&request.config(), true)?;
        let list = request.field("references").and_then(Value::as_array).unwrap_or(&[]);
        if list.is_empty() {
            return without();
        }
        Ok(Ok(Segments { list: many(outputs, list)?, is_corpus: true }))
    }
}

/// Checks that `level`, if it is set, is that of the case.
fn level(config: &Config, corpus: bool) -> Result<()> {
    match config.text("level", "")? {
        "" => Ok(()),
        "sentence" if !corpus => Ok(()),
        "corpus" if corpus => Ok(()),
        "sentence" => Err("level sentence needs one output and its references".into()),
        "corpus" => Err("level corpus needs a list of outputs and a list of references for each; a run makes the corpus score by itself".into()),
        other => Err(Error::new(format!("unknown level \"{other}\": use sentence or corpus"))),
    }
}

fn many<'r>(outputs: &'r [Value], references: &'r [Value]) -> Result<Vec<Segment<'r>>> {
    if outputs.len() != references.len() {
        return Err(Error::new(format!(
            "{} outputs have {} lists of references: each needs one",
            outputs.len(),
            references.len()
        )));
    }
    let segment = |(output, references): (&'r Value, &'r Value)| {
        let output = output.as_str().ok_or("an output is not a string")?;
        let references = match references {
            // A missing one is null, as in the lists of sacrebleu.
            Value::Array(list) => list.iter().filter(|r| !matches!(r, Value::Null)).map(Value::as_str).collect::<Option<Vec<_>>>(),
            one => one.as_str().map(|s| vec![s]),
        };
        let references = references.filter(|r| !r.is_empty()).ok_or("an output has no list of reference strings")?;
        Ok((output, references))
    };
    outputs.iter().zip(references).map(segment).collect()
}

/// How many references the outputs of a corpus have: figures that add up, and still
/// tell whether every output has the same number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct References {
    segments: u64,
    references: u64,
    squares: u64,
}

impl References {
    /// One output with `n` references.
    pub fn of(n: usize) -> Self {
        let n = n as u64;
        References { segments: 1, references: n, squares: n * n }
    }

    /// Adds the outputs of another.
    pub fn add(&mut self, other: &References) {
        self.segments += other.segments;
        self.references += other.references;
        self.squares += other.squares;
    }

    /// The figures, for `stats`.
    pub fn to_list(self) -> [f64; 3] {
        [self.segments as f64, self.references as f64, self.squares as f64]
    }

    /// From the figures.
    pub fn from_list(list: &[u64; 3]) -> Self {
        References { segments: list[0], references: list[1], squares: list[2] }
    }

    /// How many outputs there are.
    pub fn segments(&self) -> u64 {
        self.segments
    }

    /// The `nrefs` of a signature: how many references each output has, or `var`.
    pub fn signature(&self) -> String {
        // Equal numbers are the only ones whose squares sum to this.
        let equal = u128::from(self.references).pow(2) == u128::from(self.segments) * u128::from(self.squares);
        match self.references.checked_div(self.segments) {
            Some(each) if equal => each.to_string(),
            _ => "var".into(),
        }
    }
}

/// Reads `stats` that are sums of counts: `n` of them.
pub fn counts(stats: &[f64], n: usize) -> Result<Vec<u64>> {
    if stats.len() != n {
        return Err(Error::new(format!("got {} stats: this configuration has {n}", stats.len())));
    }
    if stats.iter().any(|n| n.fract() != 0.0 || !(0.0..9e15).contains(n)) {
        return Err("a number in stats is not a sum of counts".into());
    }
    Ok(stats.iter().map(|&n| n as u64).collect())
}
