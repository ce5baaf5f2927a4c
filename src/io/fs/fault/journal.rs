//! The history of a disk, from which any crash can be worked out.

use super::image::{Effect, Image, Node, NodeId};

/// One thing that happened.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// A node came to be, without a name yet; harmless, so never lost.
    Allocate(NodeId, Node),
    /// A change that is not durable yet.
    Pending(Effect),
    /// Everything pending about this node became durable.
    Sync(NodeId),
    /// A sync failed: what was pending about this node stays so for ever.
    FailedSync(NodeId),
    /// Somebody else changed the disk, durably.
    Outside(Effect),
    /// Somebody else changed a node's mode, owner or links.
    Attributes(NodeId, Node),
}

/// A change that is not durable.
#[derive(Debug, Clone)]
pub(super) struct PendingEffect {
    pub(super) effect: Effect,
    is_stuck: bool,
}

/// A disk as its plates hold it, and what is still on its way.
#[derive(Debug, Clone)]
pub(super) struct Moment {
    pub(super) durable: Image,
    pub(super) pending: Vec<PendingEffect>,
}

/// The steps, each with the number of the call that made it.
#[derive(Debug, Clone)]
pub(super) struct Journal {
    base: Image,
    steps: Vec<(u64, Step)>,
    /// The moment that was asked for last, and the number of steps that led to it: crashes are
    /// mostly asked for in order.
    last: (usize, Moment),
}

impl Journal {
    pub(super) fn new(base: Image) -> Self {
        let last = (0, Moment::starting_at(&base));
        Self { base, steps: Vec::new(), last }
    }

    pub(super) fn push(&mut self, call: u64, step: Step) {
        self.steps.push((call, step));
    }

    /// Returns the disk as it was just before `call` ran.
    pub(super) fn before(&mut self, call: u64) -> &Moment {
        let taken = self.last.0.checked_sub(1).and_then(|newest| self.steps.get(newest));
        if taken.is_some_and(|(number, _)| *number >= call) {
            self.last = (0, Moment::starting_at(&self.base));
        }
        let (count, moment) = &mut self.last;
        let rest = self.steps.get(*count..).unwrap_or_default();
        for (_, step) in rest.iter().take_while(|(number, _)| *number < call) {
            moment.take(step);
            *count = count.saturating_add(1);
        }
        moment
    }
}

impl Moment {
    fn starting_at(base: &Image) -> Self {
        Self { durable: base.clone(), pending: Vec::new() }
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Allocate(id, node) => {
                self.durable.nodes.insert(*id, node.clone());
            }
            Step::Pending(effect) => {
                self.pending.push(PendingEffect { effect: effect.clone(), is_stuck: false });
            }
            Step::Sync(node) => {
                let durable = &mut self.durable;
                self.pending.retain(|pending| {
                    let stays = pending.is_stuck || !pending.effect.is_covered_by_sync_of(*node);
                    if !stays {
                        durable.apply(&pending.effect);
                    }
                    stays
                });
            }
            Step::FailedSync(node) => {
                for pending in &mut self.pending {
                    pending.is_stuck |= pending.effect.is_covered_by_sync_of(*node);
                }
            }
            Step::Outside(effect) => self.durable.apply(effect),
            Step::Attributes(id, changed) => {
                if let Some(node) = self.durable.nodes.get_mut(id) {
                    node.outside_links = changed.outside_links;
                    node.is_open_to_others = changed.is_open_to_others;
                    node.is_owned_by_us = changed.is_owned_by_us;
                }
            }
        }
    }
}
