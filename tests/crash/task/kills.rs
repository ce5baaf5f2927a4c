//! A process is killed, the machine runs on, and the power goes later.

use context_continuity::io::fs::fault::{FaultDisk, Policy};

use super::is_full_campaign;
use super::oracle::{Reference, recover};
use super::player::Player;

/// Kills step `number` before its change `call`, has another process repeat it, and cuts the power.
fn kill(reference: &Reference, number: usize, call: u64) -> Result<u32, String> {
    let before = number.saturating_sub(1);
    let disk = reference.before[before].crash(Policy::KeepAll);
    let mut promises = reference.promises[..before].to_vec();
    for earlier in before..number {
        let played = Player::new(&disk).play(earlier, &reference.steps[earlier], 0);
        promises.push(played.map_err(|error| format!("the step before: {error:?}"))?);
    }
    disk.stop_at(disk.call_count() + call);
    if let Ok(promise) = Player::new(&disk).play(number, &reference.steps[number], 0) {
        promises.push(promise);
    }
    disk.restart();
    recover(&disk, &promises).map_err(|why| format!("after the kill: {why}"))?;
    let from = disk.call_count();
    let again = Player::new(&disk).play(number, &reference.steps[number], 1);
    let again = again.map_err(|error| format!("again: {error:?}"))?;
    let mut images = 0;
    if is_full_campaign() {
        for later in from + 1..=disk.call_count() {
            let is_change = disk.calls()[usize::try_from(later).unwrap() - 1].kind.is_change();
            if is_change {
                let image = disk.crash_at(later, Policy::LoseAll);
                recover(&image, &promises).map_err(|why| format!("cut before {later}: {why}"))?;
                images += 1;
            }
        }
    }
    promises.push(again);
    recover(&disk.crash(Policy::LoseAll), &promises).map_err(|why| format!("cut: {why}"))?;
    Ok(images + 1)
}

/// Calls of a step that change the disk, counted from its start.
pub fn changes_of(reference: &Reference, number: usize) -> Vec<u64> {
    let disk: FaultDisk = reference.before[number].crash(Policy::KeepAll);
    Player::new(&disk).play(number, &reference.steps[number], 0).unwrap();
    let calls = disk.calls().into_iter();
    calls.filter(|c| c.kind.is_change() || c.kind.is_sync()).map(|c| c.number).collect()
}

// covers: P-158
#[test]
fn what_a_killed_process_left_of_a_task_is_durable_before_anything_rests_on_it() {
    let reference = Reference::played();
    let (mut kills, mut cuts) = (0, 0);
    let mut broken = Vec::new();
    for number in 0..reference.steps.len() {
        // Equal steps of one process differ in nothing but their place.
        let is_alike = reference.steps[number].is_same_process && number % 16 != 0;
        if is_alike && !is_full_campaign() {
            continue;
        }
        for call in changes_of(&reference, number) {
            match kill(&reference, number, call) {
                Ok(images) => cuts += images,
                Err(why) => {
                    let act = reference.steps[number].act;
                    broken.push(format!("step {number} {act:?}, killed at {call}: {why}"));
                }
            }
            kills += 1;
        }
    }
    println!("{kills} kills, {cuts} power cuts behind them, {} broken", broken.len());
    assert!(
        broken.is_empty(),
        "{} broken, first: {:#?}",
        broken.len(),
        &broken[..broken.len().min(12)]
    );
    assert!(kills > 500, "too few: {kills}");
}
