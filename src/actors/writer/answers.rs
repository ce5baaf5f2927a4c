//! What the user reads of proposals: their text at the end of a turn, and what an answer came to.

use super::{Pending, TaskWriter};
use crate::actors::store::Folded;
use crate::domain::body::Sealed;
use crate::domain::confirmation::{Answer, Verb};
use crate::domain::event::{Event, MarkReason};
use crate::domain::host_event::HostReply;
use crate::domain::ids::ProposalId;
use crate::domain::rejection::Rejection;
use crate::domain::task::command::Action;
use crate::domain::task::proposal::ProposalOutcome;
use crate::domain::task::{TaskState, answer as decide_answer, apply_batch};
use crate::readmodels::confirmation::{
    Answered, answer_text, carried_text, context_text, contradicted_text,
};
use crate::readmodels::texts::Texts;

impl TaskWriter {
    /// Adds to the reply what a request that is about to be recorded has to say of proposals.
    pub(super) fn add_answers(&self, before: &Folded, pending: &Pending, reply: &mut HostReply) {
        let shown = self.shown_texts(before, pending);
        if !shown.is_empty() {
            push_line(&mut reply.notice, &shown.join("\n\n"));
        }
        if let Some(words) = contradiction_text(&before.state, pending) {
            push_line(&mut reply.notice, &words);
        }
        let Action::ObservePrompt { prompt, .. } = &pending.command.action else { return };
        let Some(answer) = &prompt.answer else { return };
        let after = self.ahead(before, pending);
        if prompt.is_carried {
            if let Some(task) = after.task {
                push_line(&mut reply.notice, &carried_text(task, &after));
            }
            return;
        }
        let ended = pending.events.iter().find_map(ending);
        let answered = match ended {
            Some(Ending::Confirmed(id)) => {
                let confirmed = after.confirmed.iter().find(|found| found.proposal == id);
                let Some(confirmed) = confirmed else { return };
                Answered::Confirmed(confirmed)
            }
            Some(Ending::Rejected(id)) => Answered::Rejected(id),
            Some(Ending::Undone(id)) => {
                let confirmed = before.state.confirmed.iter().find(|found| found.proposal == id);
                let Some(confirmed) = confirmed else { return };
                Answered::Undone { confirmed }
            }
            None => match self.refusal(before, pending, answer) {
                Some(refused) => refused,
                None => return,
            },
        };
        let texts = self.texts_with(&after, &pending.bodies);
        let Some(task) = after.task else { return };
        push_line(&mut reply.notice, &answer_text(&answered, task, &after, &texts));
        // A recovery text is built on the state behind the answer, and says the same.
        if reply.context.is_none() {
            reply.context = context_text(&answered, &after, &texts);
        }
    }

    /// The texts of the proposals that are shown with this request, word for word.
    fn shown_texts(&self, before: &Folded, pending: &Pending) -> Vec<String> {
        let shown = pending.events.iter().find_map(|event| match event {
            Event::ProposalsShown { proposals } => Some(proposals),
            _ => None,
        });
        let Some(shown) = shown else { return Vec::new() };
        let after = self.ahead(before, pending);
        let texts = self.texts_with(&after, &pending.bodies);
        shown.iter().map(|id| shown_text(&after, *id, &texts)).collect()
    }

    fn refusal(
        &self,
        before: &Folded,
        pending: &Pending,
        answer: &Answer,
    ) -> Option<Answered<'static>> {
        if before.state.proposal_count == 0 && answer.verb != Verb::Carry {
            return None;
        }
        let guessed = pending.events.iter().filter(|event| {
            let outcome = ProposalOutcome::Guessed;
            matches!(event, Event::ProposalEnded { outcome: found, .. } if *found == outcome)
        });
        let ended = guessed.count();
        if ended > 0 {
            return Some(Answered::Refused(Rejection::TooManyMisses { ended }));
        }
        decide_answer(&before.state, answer, &self.facts(before)).err().map(Answered::Refused)
    }

    /// The state as it will be once `pending` is recorded.
    pub(super) fn ahead(&self, folded: &Folded, pending: &Pending) -> TaskState {
        let mut state = folded.state.clone();
        if !pending.events.is_empty() {
            let batch = self.batch(folded, &pending.command, pending.events.clone());
            apply_batch(&mut state, &batch, folded.head().sequence.next());
        }
        state
    }

    pub(super) fn texts(&self, state: &TaskState) -> Texts {
        Texts::gather(state, |id| self.store.files.load_body(id).ok())
    }

    /// Texts on the disk, and those that are written only with the request at hand.
    pub(super) fn texts_with(&self, state: &TaskState, bodies: &[Sealed]) -> Texts {
        Texts::gather(state, |id| {
            let sealed = bodies.iter().find(|sealed| sealed.reference.id == id);
            sealed
                .map(|sealed| sealed.bytes.clone())
                .or_else(|| self.store.files.load_body(id).ok())
        })
    }
}

fn contradiction_text(state: &TaskState, pending: &Pending) -> Option<String> {
    let items = pending.events.iter().find_map(|event| match event {
        Event::ItemsMarked { items, reason: MarkReason::Contradicted, .. } => Some(items),
        _ => None,
    })?;
    let code = state.confirmed.iter().find(|found| found.made.iter().any(|id| items.contains(id)));
    Some(contradicted_text(items, code.map(|found| found.code)))
}

enum Ending {
    Confirmed(ProposalId),
    Rejected(ProposalId),
    Undone(ProposalId),
}

fn ending(event: &Event) -> Option<Ending> {
    match event {
        Event::ProposalEnded { proposal, outcome: ProposalOutcome::Confirmed } => {
            Some(Ending::Confirmed(*proposal))
        }
        Event::ProposalEnded { proposal, outcome: ProposalOutcome::Rejected } => {
            Some(Ending::Rejected(*proposal))
        }
        Event::ConfirmationUndone { proposal } => Some(Ending::Undone(*proposal)),
        _ => None,
    }
}

fn shown_text(state: &TaskState, id: ProposalId, texts: &Texts) -> String {
    let open = state.proposals.get(&id);
    let text = open.and_then(|open| texts.proposal(&open.draft.body));
    match text {
        Some(text) => text.shown.as_str().to_owned(),
        None => format!("Continuity: {id} waits for your yes, and its text is missing."),
    }
}

fn push_line(notice: &mut Option<String>, line: &str) {
    match notice {
        Some(notice) => {
            notice.push('\n');
            notice.push_str(line);
        }
        None => *notice = Some(line.to_owned()),
    }
}
