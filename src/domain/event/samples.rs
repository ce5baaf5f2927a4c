//! One event of every kind that is written, with fixed values.

use super::{Batch, BatchHeader, Event, MarkReason, Predecessor, ResetKind};
use crate::domain::act::Act;
use crate::domain::chain::{Basis, Head, LinkHash, Sequence};
use crate::domain::ids::{
    CommandId, Digest, Epoch, Generation, ItemId, ProposalId, QuoteId, SnapshotId, TaskRef,
};
use crate::domain::origin::{Channel, HostNumber, Origin};
use crate::domain::recovery::Finding;
use crate::domain::signal::{SignalKind, SignalSet};
use crate::domain::task::carried::{Carried, CarriedItem, CarriedQuote};
use crate::domain::task::item::{
    Authority, Corroboration, Gate, ItemDraft, ItemKind, ItemOrigin, Scope, Status, VersionBinding,
};
use crate::domain::task::proposal::ProposalOutcome;
use crate::domain::task::quote::{
    ClosedByRule, Moment, Overtaken, QuoteClosure, QuoteDraft, Stance,
};
use crate::domain::task::testing::{
    SESSION, body, commit, draft, keyed, offer, proposal, quote, replacing, said,
};
use crate::domain::task::transition::{
    Arrival, BoundaryKind, CompactionTrigger, RecoveryClass, SnapshotMark, Transition,
};
use crate::domain::task::{CommandsSeen, LastPrompt};
use crate::domain::time::Timestamp;

pub(crate) fn header() -> BatchHeader {
    BatchHeader {
        command: CommandId::new([0x11; 16]),
        recorded_at: Timestamp::from_millis(1_750_000_000_123),
        origin: Origin {
            channel: Channel::HostPrompt,
            host: HostNumber::new(1),
            session: Some(SESSION),
        },
    }
}

fn full_draft() -> ItemDraft {
    ItemDraft {
        evidence_digest: Some(Digest::new([7; 32])),
        scope: Scope::Part(3),
        act: Some(Act::Push),
        gate: Some(Gate::UserYes),
        binding: Some(VersionBinding::ContainedIn(commit(0xab))),
        has_rationale: true,
        copied_from: Some(ItemOrigin { task: TaskRef::new([6; 16]), item: ItemId::new(5) }),
        ..replacing(&[1, 300], draft(ItemKind::Constraint, Authority::User))
    }
}

/// The names and batches of the fixture, one batch an event.
pub(crate) fn samples() -> Vec<(&'static str, Batch)> {
    let batch = |event| Batch { header: header(), events: vec![event] };
    events().into_iter().map(|(name, event)| (name, batch(event))).collect()
}

pub(crate) fn events() -> Vec<(&'static str, Event)> {
    let mut events = records();
    events.extend(proposals());
    events.extend(boundaries());
    events
}

fn records() -> Vec<(&'static str, Event)> {
    let task = TaskRef::new([9; 16]);
    let head = Head { sequence: Sequence::new(700), link: LinkHash::new([8; 32]) };
    let predecessor = Some(Predecessor { task, head });
    let (left_items, left_quotes) = (vec![ItemId::new(3)], vec![QuoteId::new(4)]);
    let quoted =
        QuoteDraft { act: Some((Act::Deploy, Stance::NeedsYes)), ..quote(SignalKind::Cancel) };
    vec![
        ("task_opened", Event::TaskOpened { task, predecessor, left_items, left_quotes }),
        ("key_created", Event::KeyCreated { number: 2 }),
        ("session_joined", Event::SessionJoined { host: HostNumber::new(1), session: SESSION }),
        (
            "prompt_seen",
            Event::PromptSeen {
                digest: keyed(1),
                key: 1,
                length_chars: 70_000,
                signals: SignalSet::default().with(SignalKind::HardConstraint),
            },
        ),
        ("model_seen", Event::ModelSeen { model: keyed(2) }),
        ("quote_recorded", Event::QuoteRecorded { quote: QuoteId::new(200), draft: quoted }),
        (
            "quotes_closed",
            Event::QuotesClosed { quotes: vec![QuoteId::new(1)], closure: QuoteClosure::Crowded },
        ),
        (
            "work_object_seen",
            Event::WorkObjectSeen { body: body(1), identity: keyed(3), commit: Some(commit(1)) },
        ),
        (
            "item_recorded",
            Event::ItemRecorded {
                item: ItemId::new(301),
                draft: full_draft(),
                status: Status::Active,
            },
        ),
        (
            "items_marked",
            Event::ItemsMarked {
                items: vec![ItemId::new(1)],
                status: Status::Stale,
                reason: MarkReason::BoundaryCrossed,
            },
        ),
        (
            "items_corroborated",
            Event::ItemsCorroborated {
                items: vec![ItemId::new(1)],
                corroboration: Corroboration::Contradicted,
            },
        ),
        ("task_reset", Event::TaskReset { kind: ResetKind::Cleared }),
        ("protection_switched", Event::ProtectionSwitched { is_on: false }),
        ("missed_notes_taken", Event::MissedNotesTaken { count: 3 }),
        ("rollback_accepted", Event::RollbackAccepted { remembered: Sequence::new(9) }),
    ]
}

fn proposals() -> Vec<(&'static str, Event)> {
    let task = TaskRef::new([9; 16]);
    let mut proposed = proposal(vec![said(ItemKind::Goal)]);
    proposed.quotes = vec![QuoteId::new(2)];
    vec![
        (
            "proposal_opened",
            Event::ProposalOpened { proposal: ProposalId::new(4), draft: proposed },
        ),
        (
            "proposal_ended",
            Event::ProposalEnded {
                proposal: ProposalId::new(4),
                outcome: ProposalOutcome::Confirmed,
            },
        ),
        ("proposals_shown", Event::ProposalsShown { proposals: vec![ProposalId::new(4)] }),
        ("code_missed", Event::CodeMissed { misses: 2 }),
        ("confirmation_undone", Event::ConfirmationUndone { proposal: ProposalId::new(4) }),
        ("task_rolled_over", Event::TaskRolledOver { successor: task }),
        ("carried_over", Event::CarriedOver { carried: Box::new(carried()) }),
    ]
}

fn carried() -> Carried {
    let mut commands = CommandsSeen::default();
    commands.insert(CommandId::new([0x12; 16]));
    let (sequence, recorded_at) = (Sequence::new(40), Timestamp::from_millis(1_750_000_000_000));
    Carried {
        generation: Generation::new(300),
        item_count: 301,
        quote_count: 200,
        quotes_crowded_out: 4,
        quotes_closed_by_rule: ClosedByRule { said_again: 1, overtaken: 2, spent: 3 },
        prompt_count: 320,
        crossing_count: 5,
        proposal_count: 9,
        epoch_count: 5,
        is_fork: true,
        items: vec![CarriedItem {
            item: ItemId::new(301),
            channel: Channel::OperatorTerminal,
            recorded_at,
            corroboration: Some(Corroboration::Found),
        }],
        quotes: vec![CarriedQuote {
            quote: QuoteId::new(200),
            said_at: recorded_at,
            possibly_replaced_by: Some(QuoteId::new(199)),
            said: Moment { prompt: 300, crossing: 4 },
            prompt: Some(keyed(5)),
            kept_as: SignalKind::HardConstraint,
            overtaken: Some(Overtaken {
                by: QuoteId::new(199),
                at: Moment { prompt: 310, crossing: 5 },
            }),
        }],
        transition: Some(Transition {
            epoch: Epoch::new(5),
            kind: BoundaryKind::Compaction,
            trigger: CompactionTrigger::Auto,
            opened_at: recorded_at,
            opened_in: sequence,
            snapshot: None,
            is_announced: true,
            is_crossed: true,
            is_earlier_pending: false,
            is_completed: true,
            completed_at: Some(recorded_at),
            started_at: None,
            class: Some(RecoveryClass::Equivalent),
            assessed_at: Some(recorded_at),
            offer: Some(offer()),
            offered_in: None,
            arrival: None,
        }),
        prompts_since_offer: 2,
        missed_count: 1,
        last_prompt: Some(LastPrompt {
            digest: keyed(1),
            session: Some(SESSION),
            seen_at: recorded_at,
        }),
        ended_session: Some(SESSION),
        commands,
    }
}

fn boundaries() -> Vec<(&'static str, Event)> {
    let epoch = Epoch::new(5);
    let mark = SnapshotMark {
        snapshot: SnapshotId::new(3),
        digest: Digest::new([3; 32]),
        state_digest: Digest::new([4; 32]),
    };
    vec![
        ("snapshot_taken", Event::SnapshotTaken { mark }),
        (
            "transition_opened",
            Event::TransitionOpened {
                epoch,
                kind: BoundaryKind::Compaction,
                trigger: CompactionTrigger::Auto,
                snapshot: Some(SnapshotId::new(3)),
                is_announced: true,
            },
        ),
        ("compaction_completed", Event::CompactionCompleted { epoch }),
        ("boundary_crossed", Event::BoundaryCrossed { epoch, is_completion: true }),
        (
            "recovery_assessed",
            Event::RecoveryAssessed {
                epoch,
                class: RecoveryClass::ContinueWithMarkers,
                findings: vec![Finding::NextActionStale, Finding::EventsUnrecognised],
                basis: Basis::Full,
            },
        ),
        ("recovery_offered", Event::RecoveryOffered { epoch, offer: offer() }),
        ("offer_looked_up", Event::OfferLookedUp { epoch, arrival: Arrival::NotFound }),
        ("child_started", Event::ChildStarted { agent: keyed(4) }),
        ("child_ended", Event::ChildEnded { agent: keyed(4) }),
        ("session_ended", Event::SessionEnded { session: SESSION }),
    ]
}
