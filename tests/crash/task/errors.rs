//! Every call of the whole script refused, cut short or failed.

use context_continuity::actors::store::Depth;
use context_continuity::domain::ports::{Ledger as _, Position};
use context_continuity::io::fs::fault::{Call, Fault, FaultDisk, Policy, Refusal, Repeat};

use super::is_full_campaign;
use super::oracle::{Reference, reader, recover, step_of};
use super::player::{Player, Promise, log};
use super::script::{Do, Step};

const FAULTS: [Fault; 10] = [
    Fault::Refuse(Refusal::DiskFull),
    Fault::Refuse(Refusal::QuotaExceeded),
    Fault::Refuse(Refusal::InputOutput),
    Fault::Refuse(Refusal::ReadOnly),
    Fault::Refuse(Refusal::AccessDenied),
    Fault::Refuse(Refusal::TooManyOpenFiles),
    Fault::Refuse(Refusal::Interrupted),
    Fault::WriteOneByte,
    Fault::WriteHalf,
    Fault::FailSync,
];

/// Whether a reader needs nothing that such a disk refuses.
fn can_read_under(fault: Fault) -> bool {
    matches!(
        fault,
        Fault::Refuse(Refusal::DiskFull | Refusal::QuotaExceeded | Refusal::ReadOnly)
            | Fault::WriteOneByte
            | Fault::WriteHalf
            | Fault::FailSync
    )
}

struct Run<'a> {
    reference: &'a Reference,
    number: usize,
    call: u64,
    fault: Fault,
    repeat: Repeat,
}

impl Run<'_> {
    /// Plays the step under the fault, again without it, and cuts the power; tells whether the
    /// fault was answered by an error.
    fn play(&self) -> Result<bool, String> {
        let (reference, number) = (self.reference, self.number);
        let step = &reference.steps[number];
        let disk = reference.before[number].crash(Policy::KeepAll);
        let mut promises = reference.promises[..number].to_vec();
        disk.plan(self.call, self.fault, self.repeat);
        let first = Player::new(&disk).play(number, step, 0);
        let is_refused = first.is_err();
        if is_refused && self.is_recorded(&disk) {
            return Err("a durable record was answered by an error".into());
        }
        promises.extend(first);
        if can_read_under(self.fault) && !reference.records_before(number).is_empty() {
            let read = reader(&disk).read(Depth::Newest);
            read.map_err(|error| format!("reading under the fault: {error}"))?;
        }
        disk.clear_faults();
        self.recovered(&disk.crash(Policy::LoseAll), &promises, "cut at once")?;
        self.recovered(&disk, &promises, "went on")?;
        let again = Player::new(&disk).play(number, step, 1);
        promises.push(again.map_err(|error| format!("again: {error:?}"))?);
        if !self.is_of_a_removed_name() {
            let cut = disk.crash(Policy::LoseAll);
            self.recovered(&cut, &promises, "cut after the repetition")?;
        }
        self.go_on(&disk, promises)?;
        Ok(is_refused)
    }

    /// Whether the step's record would outlive a cut right now.
    fn is_recorded(&self, disk: &FaultDisk) -> bool {
        let left = disk.crash(Policy::LoseAll);
        let which = self.reference.steps[self.number].on;
        let mut last = None;
        let reading = log(&left, which)
            .read(Position::START, &mut |record| last = Some(step_of(record.payload)));
        reading.is_ok() && last == Some(self.number)
    }

    /// A name whose removal could not be synced is gone to every eye, and may come back for ever:
    /// the one thing that no repetition mends. `docs/format.md` says so.
    fn is_of_a_removed_name(&self) -> bool {
        let act = self.reference.steps[self.number].act;
        let is_removal = matches!(act, Do::Delete(_) | Do::Erase(_) | Do::FinishDeletes);
        self.fault == Fault::FailSync && is_removal
    }

    /// After a failed sync the step behind rests on what the repetition made.
    fn go_on(&self, disk: &FaultDisk, mut promises: Vec<Promise>) -> Result<(), String> {
        let next = self.number + 1;
        let Some(step) = self.reference.steps.get(next) else { return Ok(()) };
        if self.fault != Fault::FailSync || self.is_of_a_removed_name() {
            return Ok(());
        }
        let played = Player::new(disk).play(next, step, 0);
        promises.push(played.map_err(|error| format!("the step behind: {error:?}"))?);
        self.recovered(&disk.crash(Policy::LoseAll), &promises, "cut after the step behind")
    }

    fn recovered(&self, disk: &FaultDisk, promises: &[Promise], when: &str) -> Result<(), String> {
        let found = recover(disk, promises).map_err(|why| format!("{when}: {why}"))?;
        let Some(found) = found else { return Ok(()) };
        let before = self.reference.records_before(self.number);
        if !found.records.starts_with(before) {
            return Err(format!("{when}: an earlier record is another one"));
        }
        let added = &found.records[before.len()..];
        let steps = self.number..=self.number + 1;
        let is_of_this_step = added.iter().all(|(_, bytes)| steps.contains(&step_of(bytes)));
        // A command is recorded once, and a prompt or boundary at most once an attempt.
        if added.len() > 3 || !is_of_this_step {
            return Err(format!("{when}: {} records that nobody sent", added.len()));
        }
        Ok(())
    }
}

/// Calls of a step, undisturbed.
fn calls_of(reference: &Reference, number: usize) -> Vec<Call> {
    let disk = reference.before[number].crash(Policy::KeepAll);
    Player::new(&disk).play(number, &reference.steps[number], 0).unwrap();
    disk.calls()
}

/// All faults that can strike a call, twice; or one of them, another one at each call.
fn faults_at(call: &Call) -> Vec<(Fault, Repeat)> {
    let able: Vec<Fault> = FAULTS.into_iter().filter(|f| f.can_strike(call.kind)).collect();
    if is_full_campaign() {
        let twice = able.iter().flat_map(|f| [(*f, Repeat::Once), (*f, Repeat::Forever)]);
        return twice.collect();
    }
    let turn = usize::try_from(call.number).unwrap();
    let repeat = if turn.is_multiple_of(2) { Repeat::Once } else { Repeat::Forever };
    able.get(turn % able.len().max(1)).map(|fault| (*fault, repeat)).into_iter().collect()
}

// covers: P-158
#[test]
fn no_refused_or_failed_call_of_a_whole_task_loses_or_invents_anything() {
    let reference = Reference::played();
    let (mut calls, mut runs, mut refused) = (0, 0, 0);
    let mut broken = Vec::new();
    for number in 0..reference.steps.len() {
        let is_alike = reference.steps[number].is_same_process && number % 16 != 0;
        if is_alike && !is_full_campaign() {
            continue;
        }
        for call in calls_of(&reference, number) {
            calls += 1;
            for (fault, repeat) in faults_at(&call) {
                let run = Run { reference: &reference, number, call: call.number, fault, repeat };
                match run.play() {
                    Ok(is_refused) => refused += u32::from(is_refused),
                    Err(why) => {
                        let act = reference.steps[number].act;
                        broken.push(format!(
                            "step {number} {act:?}, {fault:?} {repeat:?} at {call:?}: {why}"
                        ));
                    }
                }
                runs += 1;
            }
        }
    }
    println!("{calls} calls, {runs} runs, {refused} answered by an error, {} broken", broken.len());
    assert!(
        broken.is_empty(),
        "{} broken, first: {:#?}",
        broken.len(),
        &broken[..broken.len().min(12)]
    );
    assert!(runs > 1_000, "too few: {runs}");
}

#[test]
fn a_process_goes_on_after_a_refused_or_failed_call() {
    let reference = Reference::played();
    let (mut runs, mut broken) = (0, Vec::new());
    for number in (0..reference.steps.len() - 1).filter(|number| number % 8 == 3) {
        let [step, next] = &reference.steps[number..number + 2] else { unreachable!() };
        if !matches!(step.act, Do::Prompt(_) | Do::PreCompact | Do::Start(_)) || step.on != next.on
        {
            continue;
        }
        for call in calls_of(&reference, number) {
            for (fault, _) in faults_at(&call) {
                let disk = reference.before[number].crash(Policy::KeepAll);
                disk.plan(call.number, fault, Repeat::Once);
                let mut player = Player::new(&disk);
                let first = player.play(number, step, 0);
                disk.clear_faults();
                let next = Step { is_same_process: true, ..*next };
                if let Err(error) = player.play(number + 1, &next, 0) {
                    broken.push(format!(
                        "{number} {:?} {fault:?} {call:?} {first:?}: {error:?}",
                        step.act
                    ));
                }
                runs += 1;
            }
        }
    }
    assert!(
        broken.is_empty(),
        "{} of {runs}, first: {:#?}",
        broken.len(),
        &broken[..broken.len().min(8)]
    );
    assert!(runs > 100, "too few: {runs}");
}
