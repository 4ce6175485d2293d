//! Words that tell a language from its neighbours, and from lists of names.

use whatlang::Lang;

/// Words that a language lacks and a neighbour of it has that whatlang does not know: Occitan, Asturian, Corsican, Frisian,
/// Scots and Nigerian Pidgin, Luxembourgish and Low German, Galician.
const STRANGE: [(Lang, &[&str]); 7] = [
    (Lang::Cat, &["lo", "los", "sus", "mas", "uèi", "aquò", "tanben", "dreches", "naisson", "fòrça", "ont", "nòstre", "èsser", "èssers"]),
    (Lang::Spa, &["ye", "nun", "nel", "na", "colos", "tolos", "pola", "güei", "yera", "tien", "dende", "fai", "neños"]),
    (Lang::Ita, &["u", "à", "hè", "chì", "sò", "hà", "cù", "oghje", "eiu", "ùn", "nant'à", "stu", "issu"]),
    (Lang::Afr, &["yn", "fan", "oan", "it", "ik", "hja", "binne", "hjoed", "wêze", "tige", "wurkje"]),
    (
        Lang::Eng,
        &[
            "ah", "tae", "frae", "fae", "nae", "weans", "bairns", "gey", "dinnae", "hae", "ower", "aboot", "dey", "wetin", "abeg", "una", "sabi", "wey", "oga", "pikin", "comot", "dis", "dem",
        ],
    ),
    (Lang::Deu, &["ech", "vun", "fir", "och", "hunn", "huet", "deen", "d'wieder", "ick", "nich", "hett", "dat", "un"]),
    (Lang::Por, &["unha", "moi", "hoxe", "coa", "xente", "tamén", "nenos", "dun", "nunha"]),
];

/// The most frequent words of languages that whatlang guesses for lists of names.
const FREQUENT: [(Lang, &[&str]); 10] = [
    (Lang::Eng, &["the", "of", "and", "to", "a", "in", "is", "that", "it", "for", "you", "was", "with", "on", "are", "this", "i", "be", "as", "have", "not", "at", "we", "my", "from", "your"]),
    (Lang::Deu, &["der", "die", "und", "in", "das", "zu", "ist", "den", "ich", "nicht", "es", "mit", "ein", "eine", "sie", "auf", "von", "dem", "für", "wir", "im", "des", "an", "er", "wie"]),
    (Lang::Fra, &["de", "la", "le", "et", "les", "des", "en", "un", "une", "du", "est", "je", "pas", "que", "il", "à", "dans", "pour", "qui", "nous", "vous", "au", "ce", "sur", "elle"]),
    (Lang::Spa, &["de", "la", "que", "el", "en", "y", "a", "los", "se", "del", "las", "un", "por", "con", "no", "una", "su", "para", "es", "al", "lo", "me", "como", "mi"]),
    (Lang::Ita, &["di", "e", "che", "la", "il", "un", "a", "per", "in", "è", "non", "una", "le", "i", "del", "con", "della", "si", "da", "al", "mi", "sono", "ho", "lo"]),
    (Lang::Por, &["de", "a", "que", "o", "e", "do", "da", "em", "um", "para", "com", "não", "uma", "os", "no", "se", "na", "é", "por", "as", "eu", "ao", "me"]),
    (Lang::Nld, &["de", "het", "een", "van", "en", "in", "is", "dat", "op", "te", "ik", "niet", "zijn", "met", "voor", "er", "je", "die", "we", "aan", "hij", "ze"]),
    (Lang::Swe, &["och", "i", "att", "det", "som", "en", "på", "är", "av", "för", "med", "den", "till", "inte", "jag", "ett", "om", "har", "de", "vi", "han", "så"]),
    (Lang::Dan, &["og", "i", "at", "det", "er", "en", "på", "til", "af", "for", "ikke", "jeg", "den", "med", "de", "som", "et", "har", "vi", "han", "der", "du"]),
    (Lang::Nob, &["og", "i", "det", "er", "på", "til", "en", "som", "for", "av", "å", "ikke", "jeg", "den", "med", "et", "har", "vi", "at", "de", "han", "du"]),
];

/// A list of names is not told from a text of fewer words.
const FEW: usize = 8;

/// Whether a text's words can be those of a language, as far as is known.
pub fn fit(text: &str, lang: Lang) -> bool {
    let of = |list: &[(Lang, &'static [&'static str])]| list.iter().find(|(l, _)| *l == lang).map(|l| l.1);
    let text = text.to_lowercase();
    let (mut words, mut strange, mut frequent) = (0usize, Vec::new(), 0usize);
    // Of each language: its frequent words that the guess lacks, how many of them are different, and the last.
    let mut others = [(0usize, 0usize, ""); FREQUENT.len()];
    let (without, with) = (of(&STRANGE).unwrap_or(&[]), of(&FREQUENT));
    for word in text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '\u{2019}')).filter(|w| !w.is_empty()) {
        words += 1;
        if with.is_some_and(|list| list.contains(&word)) {
            frequent += 1;
        } else if word.chars().nth(1).is_some() {
            for (other, (_, list)) in others.iter_mut().zip(&FREQUENT) {
                if list.contains(&word) {
                    *other = (other.0 + 1, other.1 + usize::from(other.2 != word), word);
                }
            }
        }
        if without.contains(&word) && !strange.contains(&word) {
            strange.push(word);
        }
    }
    // Two such words in a short text; a quotation in a long one is passed over.
    let strange = strange.len() > 1 && strange.len() * 100 > words;
    // The meeting starts at nine. Die Besprechung fängt um neun an.
    let mixed = with.is_some() && others.iter().any(|(all, different, _)| *different > 1 && 3 * all >= 2 * frequent);
    !strange && !mixed && (with.is_none() || words < FEW || frequent > 0)
}
