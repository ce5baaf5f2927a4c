//! The decision table of recovery. No input of a comparison is text of a user, a model or a
//! platform summary: there is none to read, so none can sway it.

use super::{Finding, ReconcileInput, SnapshotReading, guards_of, reconcile};
use crate::domain::act::Act;
use crate::domain::chain::{Basis, Sequence};
use crate::domain::event::Event;
use crate::domain::fingerprint::{Checkout, Drift, GitState, Known, Workspace, compare};
use crate::domain::ids::{Digest, Epoch, ItemId};
use crate::domain::task::TaskState;
use crate::domain::task::item::{Authority, Gate, ItemDraft, ItemKind, Status, VersionBinding};
use crate::domain::task::testing::{commit, draft, given, inferred, keyed, replacing, said};
use crate::domain::task::transition::{BoundaryKind, CompactionTrigger, RecoveryClass};
use crate::domain::text::Redacted;

use RecoveryClass::{AskBeforeHighRisk, ContinueWithMarkers, Equivalent, Repaired};

pub(super) fn git(worktree: u8, branch: &str, head: u8) -> Workspace {
    Workspace::Git {
        path: Redacted::assume("/repo"),
        folder: Digest::new([worktree; 32]),
        state: GitState {
            common_dir: Digest::new([1; 32]),
            worktree: Digest::new([worktree; 32]),
            is_registered: Known::Known(true),
            checkout: Known::Known(Checkout::Branch(Redacted::assume(branch))),
            head: Known::Known(Some(commit(head))),
            index: Known::Unknown,
            dirty: Known::Unknown,
        },
    }
}

pub(super) fn item(number: u32, draft: ItemDraft, status: Status) -> Event {
    Event::ItemRecorded { item: ItemId::new(number), draft, status }
}

/// A compaction announced and completed behind these events.
pub(super) fn compacted(mut events: Vec<Event>) -> TaskState {
    let epoch = Epoch::new(1);
    events.push(Event::TransitionOpened {
        epoch,
        kind: BoundaryKind::Compaction,
        trigger: CompactionTrigger::Auto,
        snapshot: None,
        is_announced: true,
    });
    events.push(Event::CompactionCompleted { epoch });
    given(events).state
}

/// Everything as it was: each test changes one thing.
pub(super) fn input<'a>(
    state: &'a TaskState,
    drift: &'a Drift,
    now: &'a Workspace,
) -> ReconcileInput<'a> {
    ReconcileInput {
        state,
        kind: BoundaryKind::Compaction,
        snapshot: SnapshotReading::Read { state_digest: state.effective_digest() },
        drift,
        now,
        contains_last_head: Known::Known(true),
        lost_commits: &[],
        basis: Basis::Full,
        is_durable: true,
        is_text_missing: false,
    }
}

#[track_caller]
fn check(events: Vec<Event>, class: RecoveryClass, findings: &[Finding]) {
    let state = compacted(events);
    let plan = reconcile(&input(&state, &Drift::default(), &git(1, "main", 1)));
    assert_eq!((plan.class, plan.findings.as_slice()), (class, findings));
}

fn acting(act: Act, draft: ItemDraft) -> ItemDraft {
    ItemDraft { act: Some(act), ..draft }
}

// covers: P-141
#[test]
fn nothing_lost_is_equivalent() {
    check(vec![item(1, said(ItemKind::Goal), Status::Active)], Equivalent, &[]);
}

// covers: P-011, P-073
#[test]
fn only_a_dispute_about_goal_permission_or_constraint_asks() {
    for kind in ItemKind::ALL {
        let state = compacted(vec![item(1, said(kind), Status::Disputed)]);
        let class = reconcile(&input(&state, &Drift::default(), &git(1, "main", 1))).class;
        let is_asked =
            matches!(kind, ItemKind::Goal | ItemKind::Authorization | ItemKind::Constraint);
        assert_eq!(class == AskBeforeHighRisk, is_asked, "{kind:?}");
        assert!(class >= ContinueWithMarkers, "{kind:?}");
    }
}

// covers: P-073
// field case F007
#[test]
fn an_act_that_waits_for_a_yes_is_asked_about() {
    for act in [
        Act::Push,
        Act::Publish,
        Act::Deploy,
        Act::Delete,
        Act::Pay,
        Act::Message,
        Act::Install,
        Act::Reset,
        Act::Migrate,
        Act::OtherIrreversible,
    ] {
        let gate = ItemDraft { gate: Some(Gate::UserYes), ..acting(act, said(ItemKind::Fact)) };
        let next = acting(act, inferred(ItemKind::NextAction));
        let findings = [Finding::GateUnmet, Finding::NextActionStale];
        check(
            vec![item(1, gate, Status::Active), item(2, next.clone(), Status::Unverified)],
            AskBeforeHighRisk,
            &findings,
        );
        let gated = ItemDraft { gate: Some(Gate::Evidence), ..next };
        check(vec![item(1, gated, Status::Unverified)], AskBeforeHighRisk, &findings);
        let question = acting(act, said(ItemKind::Question));
        let findings = [Finding::HighRiskQuestionOpen];
        check(vec![item(1, question, Status::Active)], AskBeforeHighRisk, &findings);
    }
}

// field case F010
#[test]
fn a_constraint_holds_an_inferred_act_back() {
    let constraint = acting(Act::Reset, said(ItemKind::Constraint));
    let next = acting(Act::Reset, inferred(ItemKind::NextAction));
    let events = vec![item(1, constraint, Status::Active), item(2, next, Status::Unverified)];
    let state = compacted(events.clone());
    assert!(guards_of(&state, Act::Reset).next().is_some());
    assert!(guards_of(&state, Act::Push).next().is_none());
    check(events, AskBeforeHighRisk, &[Finding::GateUnmet, Finding::NextActionStale]);
}

// covers: P-092, P-114
// field case F008
#[test]
fn every_earlier_next_action_turns_stale_with_a_marker_only() {
    let next = acting(Act::Push, inferred(ItemKind::NextAction));
    let state = compacted(vec![item(1, next, Status::Unverified)]);
    let plan = reconcile(&input(&state, &Drift::default(), &git(1, "main", 1)));
    assert_eq!(plan.class, ContinueWithMarkers);
    assert_eq!(plan.stale, [ItemId::new(1)]);
}

fn done(binding: Option<VersionBinding>) -> Vec<Event> {
    let completion = draft(ItemKind::Completion, Authority::VerifiedEvidence);
    vec![item(1, ItemDraft { binding, ..completion }, Status::Active)]
}

// covers: P-218
// field case F019
#[test]
fn a_completion_checked_at_another_commit_is_stale() {
    let state = compacted(done(Some(VersionBinding::CheckedAt(commit(1)))));
    let before = git(1, "main", 1);
    for (head, is_stale) in [(1, false), (2, true)] {
        let now = git(1, "main", head);
        let drift = compare(&before, &now);
        let plan = reconcile(&input(&state, &drift, &now));
        assert_eq!(plan.stale.is_empty(), !is_stale);
        assert_eq!(plan.findings.contains(&Finding::CompletionStale), is_stale);
    }
    let unread = reconcile(&input(&state, &Drift::default(), &Workspace::Unnamed));
    assert_eq!(unread.stale, [ItemId::new(1)], "unread is not equal");
}

// field case F003
#[test]
fn a_completion_holds_while_its_commit_is_contained_and_turns_stale_after() {
    let state = compacted(done(Some(VersionBinding::ContainedIn(commit(1)))));
    let (drift, now) = (Drift::default(), git(1, "main", 5));
    assert!(reconcile(&input(&state, &drift, &now)).stale.is_empty());
    let lost = [commit(1)];
    let plan = reconcile(&ReconcileInput { lost_commits: &lost, ..input(&state, &drift, &now) });
    assert_eq!(plan.stale, [ItemId::new(1)]);
}

// field case F020
#[test]
fn a_resume_in_another_folder_asks_and_makes_completions_stale() {
    let state = compacted(done(None));
    let home = Workspace::Folder { path: Redacted::assume("/home"), folder: Digest::new([9; 32]) };
    let drift = compare(&git(1, "main", 1), &home);
    let resume = ReconcileInput { kind: BoundaryKind::Resume, ..input(&state, &drift, &home) };
    let plan = reconcile(&resume);
    assert_eq!(plan.class, AskBeforeHighRisk);
    assert!(plan.findings.contains(&Finding::FolderChanged));
    assert_eq!(plan.stale, [ItemId::new(1)]);
}

// field case F021
#[test]
fn a_resume_in_another_worktree_names_worktree_and_branch() {
    let state = compacted(vec![]);
    let now = git(2, "main", 2);
    let drift = compare(&git(1, "x", 1), &now);
    let resume = ReconcileInput {
        kind: BoundaryKind::Resume,
        contains_last_head: Known::Known(false),
        ..input(&state, &drift, &now)
    };
    let expected = [
        Finding::FolderChanged,
        Finding::WorktreeChanged,
        Finding::BranchChanged,
        Finding::HeadNotDescendant,
    ];
    assert_eq!(reconcile(&resume).findings, expected);
}

// field case F022
#[test]
fn a_missing_work_folder_is_named_and_asked_about() {
    let state = compacted(vec![]);
    let gone = Workspace::Missing { path: Redacted::assume("/gone") };
    let drift = compare(&git(1, "x", 1), &gone);
    let plan = reconcile(&input(&state, &drift, &gone));
    assert_eq!((plan.class, plan.findings), (AskBeforeHighRisk, vec![Finding::WorkMissing]));
}

#[test]
fn another_folder_of_the_same_worktree_is_not_another_work_object() {
    let state = compacted(done(None));
    let mut now = git(1, "main", 1);
    if let Workspace::Git { folder, .. } = &mut now {
        *folder = Digest::new([77; 32]);
    }
    let drift = compare(&git(1, "main", 1), &now);
    assert!(drift.is_elsewhere());
    let plan = reconcile(&input(&state, &drift, &now));
    assert_eq!((plan.class, plan.stale), (Equivalent, vec![]));
}

// field case F025
#[test]
fn a_child_that_never_ended_is_one_marker() {
    let started = Event::ChildStarted { agent: keyed(1) };
    check(vec![started], ContinueWithMarkers, &[Finding::ChildOutcomeUnknown]);
}

// covers: P-140
#[test]
fn each_of_the_four_compared_things_is_detected_alone() {
    let state = compacted(vec![]);
    let now = git(1, "main", 2);
    let (same, moved) = (Drift::default(), compare(&git(1, "main", 1), &now));
    let base = input(&state, &same, &now);
    let older = SnapshotReading::Read { state_digest: Digest::new([0; 32]) };
    for (changed, finding) in [
        (ReconcileInput { snapshot: older, ..base }, Finding::SnapshotOlder),
        (ReconcileInput { basis: Basis::Since(Sequence::new(3)), ..base }, Finding::PartlyVerified),
        (ReconcileInput { drift: &moved, ..base }, Finding::HeadMoved),
        (ReconcileInput { is_durable: false, ..base }, Finding::VolatileRoot),
    ] {
        assert_eq!(reconcile(&changed).findings, [finding]);
    }
}

#[test]
fn a_superseded_item_is_not_compared_any_more() {
    let events = vec![
        item(1, said(ItemKind::Goal), Status::Disputed),
        item(2, replacing(&[1], said(ItemKind::Goal)), Status::Active),
    ];
    check(events, Equivalent, &[]);
}

// covers: P-142, P-215
#[test]
fn each_snapshot_ledger_and_workspace_state_has_its_class() {
    let kind = BoundaryKind::Resume;
    let at = |workspace: &Workspace| workspace.clone();
    let (was, nowhere) = (git(1, "main", 1), Workspace::Unnamed);
    let places = [at(&was), git(1, "main", 2), git(1, "x", 1), git(2, "main", 1), at(&nowhere)];
    let mut seen = 0;
    for snapshot in 0..5 {
        for ledger in 0..5 {
            for (place, now) in places.iter().enumerate() {
                let events = match ledger {
                    1 => vec![Event::MissedNotesTaken { count: 1 }],
                    2 => vec![Event::Unrecognised { kind: 900, version: 1 }],
                    _ => vec![],
                };
                let state = compacted(events);
                let drift = compare(&was, now);
                let plan = reconcile(&ReconcileInput {
                    kind,
                    snapshot: match snapshot {
                        0 => SnapshotReading::NotDue,
                        1 => SnapshotReading::NotTaken,
                        2 => SnapshotReading::Damaged,
                        3 => SnapshotReading::Read { state_digest: state.effective_digest() },
                        _ => SnapshotReading::Read { state_digest: Digest::new([0; 32]) },
                    },
                    basis: if ledger == 3 { Basis::Since(Sequence::new(1)) } else { Basis::Full },
                    is_text_missing: ledger == 4,
                    ..input(&state, &drift, now)
                });
                let (class, count) = expected(snapshot, ledger, place);
                assert_eq!(plan.class, class, "{snapshot} {ledger} {place}");
                assert_eq!(plan.findings.len(), count, "{snapshot} {ledger} {place}");
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 125);
}

/// What the published table says, told without the code under test.
fn expected(snapshot: usize, ledger: usize, place: usize) -> (RecoveryClass, usize) {
    let is_snapshot_short = matches!(snapshot, 1 | 2 | 4);
    let named_of_place = [0, 1, 1, 2, 1][place];
    let count = usize::from(is_snapshot_short) + usize::from(ledger != 0) + named_of_place;
    let class = match (place, ledger, is_snapshot_short) {
        (2 | 3, _, _) => AskBeforeHighRisk,
        (1 | 4, _, _) | (_, 1.., _) => ContinueWithMarkers,
        (_, 0, true) => Repaired,
        (_, 0, false) => Equivalent,
    };
    (class, count)
}
