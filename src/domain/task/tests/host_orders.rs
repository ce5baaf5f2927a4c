//! Boundaries in every order in which hosts send them, each event twice, 30 ms apart.

use crate::domain::chain::Basis;
use crate::domain::event::Event;
use crate::domain::fingerprint::{Drift, Known, Workspace};
use crate::domain::origin::Channel;
use crate::domain::recovery::{Finding, ReconcileInput, RecoveryPlan, SnapshotReading, reconcile};
use crate::domain::task::command::Action;
use crate::domain::task::item::ItemKind;
use crate::domain::task::testing::*;
use crate::domain::task::transition::{Arrival, BoundaryKind, CompactionTrigger, RecoveryClass};
use crate::domain::task::{RecoveryMoment, is_recovery_due};

struct Host {
    scenario: Scenario,
    times: u32,
    offers: u32,
    findings: Vec<Vec<Finding>>,
}

impl Host {
    fn new(times: u32) -> Self {
        let scenario = given(vec![]).and(Channel::OperatorTerminal, record(said(ItemKind::Goal)));
        Self { scenario, times, offers: 0, findings: Vec::new() }
    }

    fn send(&mut self, channel: Channel, moment: Option<RecoveryMoment>, action: &Action) {
        for _ in 0..self.times {
            let command = self.scenario.command(channel, action.clone());
            self.scenario.carry_out(&command).unwrap();
            if moment.is_some_and(|moment| is_recovery_due(&self.scenario.state, moment)) {
                self.recover();
            }
            self.scenario.now += 30;
        }
    }

    fn plan(&self) -> RecoveryPlan {
        let state = &self.scenario.state;
        let transition = state.transition.as_ref().unwrap();
        let held = state.snapshots.iter().find(|mark| Some(mark.snapshot) == transition.snapshot);
        let snapshot = match held {
            Some(mark) => SnapshotReading::Read { state_digest: mark.state_digest },
            None if transition.kind == BoundaryKind::Compaction => SnapshotReading::NotTaken,
            None => SnapshotReading::NotDue,
        };
        reconcile(&ReconcileInput {
            state,
            kind: transition.kind,
            snapshot,
            drift: &Drift::default(),
            now: &Workspace::Unnamed,
            contains_last_head: Known::Unknown,
            lost_commits: &[],
            basis: Basis::Full,
            is_durable: true,
            is_text_missing: false,
        })
    }

    fn recover(&mut self) {
        let plan = self.plan();
        let action =
            Action::Recover { plan: plan.clone(), basis: Basis::Full, offer: Some(offer()) };
        let command = self.scenario.command(Channel::HostEvent, action);
        for event in self.scenario.carry_out(&command).unwrap() {
            match event {
                Event::RecoveryAssessed { .. } => self.findings.push(plan.findings.clone()),
                Event::RecoveryOffered { .. } => self.offers += 1,
                _ => {}
            }
        }
    }

    fn pre(&mut self) -> &mut Self {
        let state = &self.scenario.state;
        let is_held = state
            .snapshots
            .last()
            .is_some_and(|mark| mark.state_digest == state.effective_digest());
        let snapshot = (!is_held).then(|| mark(state.next_snapshot().get(), state));
        let trigger = CompactionTrigger::Auto;
        let action = Action::ObservePreCompact { trigger, snapshot, work: None };
        self.send(Channel::HostEvent, None, &action);
        self
    }

    fn post(&mut self) -> &mut Self {
        let action = Action::ObservePostCompact { trigger: CompactionTrigger::Auto };
        self.send(Channel::HostEvent, None, &action);
        self
    }

    fn start(&mut self, kind: BoundaryKind) -> &mut Self {
        let action = Action::ObserveBoundary { kind, work: None, is_completion: false };
        self.send(Channel::HostEvent, Some(RecoveryMoment::SessionStart), &action);
        self
    }

    fn compacted(&mut self) -> &mut Self {
        self.start(BoundaryKind::Compaction)
    }

    fn prompt_with(&mut self, number: u8, arrival: Option<Arrival>) -> &mut Self {
        let mut prompt = prompt(number);
        prompt.has_turn = false;
        prompt.arrival = arrival;
        self.send(Channel::HostPrompt, Some(RecoveryMoment::Prompt), &wrote(prompt));
        self.later()
    }

    fn prompt(&mut self, number: u8) -> &mut Self {
        self.prompt_with(number, None)
    }

    fn later(&mut self) -> &mut Self {
        self.scenario.now += 60_000;
        self
    }

    #[track_caller]
    fn saw(&self, epochs: u32, offers: u32, findings: &[&[Finding]]) {
        assert_eq!(self.scenario.state.epoch_count, epochs, "epochs");
        assert_eq!(self.offers, offers, "offers");
        assert_eq!(self.findings, findings, "findings");
    }
}

fn each(story: impl Fn(&mut Host)) {
    for times in [1, 2] {
        story(&mut Host::new(times));
    }
}

const NONE: &[Finding] = &[];

#[test]
fn completion_before_the_session_start_is_one_boundary_and_equivalent() {
    each(|host| {
        host.prompt(1).pre().post().compacted().prompt(2).saw(1, 1, &[NONE]);
        let transition = host.scenario.state.transition.as_ref().unwrap();
        assert_eq!(transition.class, Some(RecoveryClass::Equivalent));
    });
}

#[test]
fn completion_after_the_session_start_is_one_boundary_with_a_marker() {
    each(|host| {
        host.pre().compacted().post().prompt(1).saw(1, 1, &[&[Finding::NotCompleted]]);
        assert!(host.scenario.state.transition.as_ref().unwrap().is_completed);
    });
}

#[test]
fn a_session_start_completes_where_the_host_counts_it_so() {
    let mut host = Host::new(2);
    let kind = BoundaryKind::Compaction;
    let start = Action::ObserveBoundary { kind, work: None, is_completion: true };
    host.pre().send(Channel::HostEvent, Some(RecoveryMoment::SessionStart), &start);
    host.later().post().prompt(1).saw(1, 1, &[NONE]);
}

#[test]
fn a_resume_whose_compaction_comes_first_is_one_boundary() {
    each(|host| {
        host.pre().post().start(BoundaryKind::Resume).later().compacted().prompt(1);
        host.saw(1, 1, &[NONE]);
    });
}

#[test]
fn a_session_start_with_the_next_turn_belongs_to_the_compaction_before() {
    each(|host| {
        host.pre().post().later().compacted().prompt(1).saw(1, 1, &[NONE]);
    });
}

// covers: P-016
#[test]
fn an_ordinary_run_of_compactions_keeps_the_state_with_a_marker_at_most() {
    for is_start_first in [false, true] {
        each(|host| {
            let before = host.scenario.state.effective_digest();
            for number in 1..=5 {
                host.prompt(number).pre();
                if is_start_first {
                    host.compacted().post();
                } else {
                    host.post().compacted();
                }
                let class = host.scenario.state.transition.as_ref().unwrap().class.unwrap();
                assert!(matches!(
                    class,
                    RecoveryClass::Equivalent | RecoveryClass::ContinueWithMarkers
                ));
                host.later();
            }
            assert_eq!(host.offers, 5);
            assert_eq!(host.scenario.state.effective_digest(), before);
        });
    }
}

#[test]
fn two_compactions_in_one_turn_are_offered_once_at_the_start_behind_both() {
    each(|host| {
        host.pre().post().pre().post().compacted().prompt(1).saw(2, 1, &[NONE]);
    });
}

#[test]
fn an_announcement_without_compaction_says_nothing_and_serves_the_later_one() {
    each(|host| {
        host.pre().prompt(1).prompt(2).saw(1, 0, &[]);
        host.pre().post().compacted().prompt(3).saw(1, 1, &[NONE]);
    });
}

#[test]
fn an_announcement_of_a_changed_state_opens_anew() {
    let mut host = Host::new(1);
    host.pre().later();
    host.scenario = host.scenario.clone().and(Channel::ModelTool, record(inferred(ItemKind::Fact)));
    host.pre().post().compacted().saw(2, 1, &[NONE]);
}

#[test]
fn a_crossed_boundary_is_not_forgotten_for_a_later_announcement() {
    each(|host| {
        host.pre().post().later().pre().prompt(1);
        assert_eq!(host.offers, 1);
        host.post().prompt(2);
        assert_eq!(host.offers, 2, "the second compaction happened after the first offer");
    });
}

// covers: P-212
// field case F028
#[test]
fn a_compaction_that_was_not_announced_is_unprotected() {
    let findings: &[Finding] =
        &[Finding::SnapshotMissing, Finding::NotAnnounced, Finding::NotCompleted];
    each(|host| host.prompt(1).prompt(2).prompt(3).compacted().prompt(4).saw(1, 1, &[findings]));
    each(|host| host.post().compacted().prompt(1).saw(1, 1, &[&findings[..2]]));
}

// covers: P-138, P-213
#[test]
fn a_missing_completion_is_never_made_up() {
    each(|host| {
        host.pre().compacted().prompt(1).saw(1, 1, &[&[Finding::NotCompleted]]);
        let transition = host.scenario.state.transition.as_ref().unwrap();
        assert_eq!(transition.class, Some(RecoveryClass::ContinueWithMarkers));
        assert!(!transition.is_completed);
    });
}

#[test]
fn without_a_session_start_the_first_prompt_recovers() {
    each(|host| host.pre().post().prompt(1).prompt(2).prompt(3).saw(1, 1, &[NONE]));
}

#[test]
fn a_later_compaction_that_only_its_session_start_shows_is_another_one() {
    let mut host = Host::new(1);
    host.pre().post().prompt(1).prompt(2).compacted();
    assert_eq!((host.scenario.state.epoch_count, host.offers), (2, 2));
}

// field case F031
#[test]
fn a_lost_offer_is_repeated_once_and_never_again() {
    let mut host = Host::new(1);
    host.pre().post().compacted();
    for number in 1..=6 {
        host.prompt_with(number, Some(Arrival::NotFound));
    }
    assert_eq!(host.offers, 2);
    assert_eq!(host.scenario.state.transition.unwrap().offer.unwrap().attempt, 2);
}

// field case F031
#[test]
fn an_offer_that_arrived_or_cannot_be_looked_up_is_not_repeated() {
    for arrival in [Arrival::Found, Arrival::Uncheckable] {
        let mut host = Host::new(1);
        host.pre().post().compacted();
        for number in 1..=5 {
            host.prompt_with(number, Some(arrival));
        }
        assert_eq!(host.offers, 1);
    }
}

#[test]
fn a_prompt_after_the_end_of_its_session_was_a_resume() {
    each(|host| {
        host.prompt(1).send(Channel::HostEvent, None, &Action::ObserveSessionEnd);
        host.later().prompt(2).prompt(3).saw(1, 1, &[NONE]);
    });
}

#[test]
fn a_resume_right_after_a_compaction_is_a_boundary_if_the_session_had_ended_or_is_new() {
    let ended = |host: &mut Host| host.send(Channel::HostEvent, None, &Action::ObserveSessionEnd);
    each(|host| {
        host.prompt(1).pre().post().compacted();
        ended(host);
        host.start(BoundaryKind::Resume).prompt(2).saw(2, 2, &[NONE, NONE]);
    });
    each(|host| {
        host.prompt(1).pre().post().compacted();
        host.scenario.state.sessions.clear();
        host.start(BoundaryKind::Resume).prompt(2).saw(2, 2, &[NONE, NONE]);
    });
    each(|host| {
        host.prompt(1).pre().post().compacted().start(BoundaryKind::Resume);
        host.prompt(2).saw(1, 1, &[NONE]);
    });
}

#[test]
fn a_resume_needs_no_announcement() {
    each(|host| host.prompt(1).start(BoundaryKind::Resume).prompt(2).saw(1, 1, &[NONE]));
}
