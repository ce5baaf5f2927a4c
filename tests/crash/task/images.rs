//! Every crash of the whole script.

use context_continuity::io::fs::fault::{FaultDisk, Policy};

use super::is_full_campaign;
use super::oracle::{Reference, go_on, recover};
use super::script::Which;

/// Random subsets of each moment in a full campaign.
const RANDOM_SUBSETS: u64 = 3;

/// All policies of a moment, or those four that differ most.
fn policies(disk: &FaultDisk, call: u64) -> Vec<Policy> {
    if is_full_campaign() {
        return disk.policies_at(call, RANDOM_SUBSETS);
    }
    if disk.pending_count_at(call) == 0 {
        return vec![Policy::LoseAll];
    }
    let all = disk.policies_at(call, 0);
    let torn: Vec<_> = all.into_iter().filter(|p| matches!(p, Policy::Torn(_))).collect();
    let half = torn.get(torn.len() / 2).copied();
    let few = [Policy::LoseAll, Policy::KeepAll, Policy::RandomSubset(call)];
    few.into_iter().chain(half).collect()
}

fn judge(reference: &Reference, call: u64, policy: Policy) -> Result<(), String> {
    let (step, promises) = reference.at(call);
    let image = reference.disk.crash_at(call, policy);
    let found = recover(&image, promises)?;
    if let Some(found) = &found {
        reference.agrees(&found.records, Which::First, step)?;
    }
    go_on(&image, found.as_ref())
}

// covers: P-158
#[test]
fn no_crash_of_a_whole_task_loses_or_invents_anything() {
    let reference = Reference::played();
    let calls = reference.disk.calls();
    let end = reference.disk.call_count() + 1;
    let (mut moments, mut images) = (0, 0);
    let mut broken = Vec::new();
    for call in 1..=end {
        // Between two changes every crash leaves the same disk: the last of these calls stands for
        // all, since most is promised by then.
        let is_last_alike = calls
            .get(usize::try_from(call).unwrap() - 1)
            .is_none_or(|made| made.kind.is_change() || made.kind.is_sync());
        if !is_last_alike {
            continue;
        }
        moments += 1;
        for policy in policies(&reference.disk, call) {
            if let Err(why) = judge(&reference, call, policy) {
                let (step, _) = reference.at(call);
                let (made, act) =
                    (calls.get(usize::try_from(call).unwrap() - 1), reference.steps[step].act);
                broken.push(format!("step {step} {act:?}, before {made:?}, {policy:?}: {why}"));
            }
            images += 1;
        }
    }
    let records = reference.records(Which::First).len() + reference.records(Which::Second).len();
    println!(
        "{} steps, {records} records, {} calls, {moments} moments, {images} images, {} broken",
        reference.steps.len(),
        end - 1,
        broken.len()
    );
    assert!(
        broken.is_empty(),
        "{} broken, first: {:#?}",
        broken.len(),
        &broken[..broken.len().min(12)]
    );
    assert!(images > 2_000, "the script is too short to prove anything: {images}");
}
