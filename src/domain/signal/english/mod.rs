//! English: how people ask, address and join, and where the rest of the data is.

mod acts;
mod goals;
mod limits;
mod turns;
mod words;

use super::language::{Language, Written};
use acts::ACTS;
use goals::{ASKED_ORDERS, GOALS, ORDERS};
use limits::{AUTHORIZATIONS, CONSTRAINTS};
use turns::{CANCELS, COMPLETIONS, CORRECTIONS, DISPUTES};
use words::STOP_WORDS;

/// The data of English.
pub(super) static LANGUAGE: Language = Language {
    written: Written::Anyhow,
    acts: ACTS,
    groups: &[
        CONSTRAINTS,
        AUTHORIZATIONS,
        CORRECTIONS,
        GOALS,
        ORDERS,
        ASKED_ORDERS,
        DISPUTES,
        COMPLETIONS,
        CANCELS,
    ],
    questions: &[
        "^^ why|whys|how|hows|what's|where|wheres|who|whose|which|hypothetically|imagine|suppose",
        "^^ what is|are|does|do|did|was|were|would|should|could|can|will|has|have|had|about|else|if|happens|happened|goes|kind|sort|causes|caused|makes|made|exactly|the",
        "^^ when|whatever is|are|does|do|did|was|were|will|should|can",
        "^ is|are|does|did|can|could|should|would|will|may|was|were it|there|this|that|the|a|an|we|i|you|they|these|those|all|he|she|someone|anyone|anybody",
        "^ do|have|has it|there|this|that|we|i|you|they|these|those|he|she|someone|anyone|anybody",
        "^^ is|are|does|did|was|were|should|would|isn't|aren't|doesn't|didn't|wasn't|shouldn't ~",
        "^ why|how|where|what|who|which|how_come is|are|does|do|did|was|were|would|should|could|can|will|has",
        "^ which flag|option|command|one|version|file|way|setting|of",
        "^^ any idea|reason|clue|chance|thoughts",
        "^ if_we were to|only",
        "what do you think",
        "^ right|correct|huh $",
    ],
    requests: &[
        "can|could|would|will you please",
        "please ~ can|could|would|will you",
        "okay|ok|right|alright|understood|clear|got_it ?",
    ],
    spellings: &[
        ("u", "you"),
        ("plz", "please"),
        ("pls", "please"),
        ("dont", "don't"),
        ("cant", "can't"),
        ("wont", "won't"),
        ("doesnt", "doesn't"),
        ("didnt", "didn't"),
        ("isnt", "isn't"),
        ("arent", "aren't"),
        ("wasnt", "wasn't"),
        ("shouldnt", "shouldn't"),
        ("mustnt", "mustn't"),
        ("thats", "that's"),
        ("whats", "what's"),
        ("ive", "i've"),
        ("youre", "you're"),
        ("lets", "let's"),
        ("thru", "through"),
    ],
    fillers: &[
        "please",
        "ok",
        "okay",
        "well",
        "hey",
        "hi",
        "hello",
        "now",
        "just",
        "so",
        "hmm",
        "hm",
        "oh",
        "yes",
        "yeah",
        "yep",
        "right",
        "also",
        "and",
        "but",
        "then",
        "sorry",
        "ah",
        "alright",
        "look",
        "important",
        "note",
        "reminder",
        "first",
        "instead",
        "btw",
        "fyi",
    ],
    joints: &["and", "but", "or", "then", "so", "because", "though"],
    speakers: &[
        "i", "i'm", "i've", "i'd", "me", "my", "you", "your", "we", "our", "us", "let's", "please",
    ],
    stop_words: STOP_WORDS,
};
