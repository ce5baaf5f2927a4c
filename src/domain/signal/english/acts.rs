//! English: what allows an act, forbids it or ties it to a yes.

use super::super::typed::ActWords;
use super::limits::AUTHORIZATIONS;
use crate::domain::act::Act;

pub(super) const ACTS: ActWords = ActWords {
    verbs: &[
        (Act::Push, &["push", "force-push", "force push", "pushing"]),
        (Act::Publish, &["publish", "publishing", "release"]),
        (Act::Deploy, &["deploy", "deploying", "redeploy"]),
        (Act::Delete, &["delete", "deleting", "remove", "rm"]),
        (Act::Pay, &["pay", "purchase", "buy"]),
        (
            Act::Message,
            &["email", "message", "notify", "send mail", "send an email", "send emails"],
        ),
        (Act::Install, &["install", "installing"]),
        (Act::Reset, &["reset", "drop", "truncate", "wipe", "resetting", "dropping"]),
        (Act::Migrate, &["migrate", "migrating"]),
    ],
    leads: &[
        "never", "don't", "not", "can", "may", "to", "and", "or", "before", "you", "without",
        "ever", "mustn't", "can't", "cannot", "i",
    ],
    allows: AUTHORIZATIONS.phrases,
    forbids: &[
        "never|don't|do_not|must_not|mustn't|may_not|can't|cannot|should_not|shouldn't",
        "not allowed|permitted to",
        "^ no ~ push|pushes|deploys|deploy",
        "avoid|refrain_from|forbidden|prohibited",
    ],
    gates: &[
        "before you|pushing|deploying|publishing|deleting|any|the",
        "until|till|unless|before i|my|we",
        "without my|asking|permission|approval|consent",
        "ask|check_with|wait_for me|first|before",
    ],
    prepositions: &["to", "on", "from", "into", "branch"],
    places: &[
        "main",
        "master",
        "prod",
        "production",
        "staging",
        "origin",
        "npm",
        "crates.io",
        "pypi",
    ],
};
