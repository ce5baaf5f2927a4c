//! Which paths the script writes, and by which calls.

use std::collections::BTreeMap;

use context_continuity::domain::event::wire::decode;
use context_continuity::io::fs::RelativePath;
use context_continuity::io::fs::atomic::is_temporary;
use context_continuity::io::fs::fault::CallKind;

use super::oracle::Reference;
use super::script::Which;

/// The role of a path, without the names in it.
fn role(path: &RelativePath) -> String {
    let names: Vec<&str> = path.names().collect();
    let last = names.last().copied().unwrap_or_default();
    if is_temporary(last) {
        return format!("{}/(temporary)", role(&path.parent().unwrap()));
    }
    let ending = last.rsplit_once('.').map_or("", |(_, ending)| ending);
    match names.as_slice() {
        [] => "(root)".into(),
        [one] => (*one).into(),
        ["tombstones", _, rest @ ..] if !rest.is_empty() => "tombstones/*/*".into(),
        ["tasks", _] => "tasks/*".into(),
        ["tasks", _, "checkpoint"] => "checkpoint".into(),
        ["tasks", _, directory] => format!("{directory}/"),
        ["tasks", _, "ledger", _] => format!("ledger/*.{ending}"),
        ["tasks", _, directory, ..] => format!("{directory}/*"),
        [top, ..] => format!("{top}/*"),
    }
}

/// What must be written, and how.
const WRITTEN: [(&str, CallKind); 31] = {
    use CallKind as K;
    [
        ("root.key", K::Publish),
        ("sessions/*", K::Publish),
        ("sessions/*", K::Rename),
        ("sessions", K::SyncDirectory),
        ("sessions/(temporary)", K::RemoveFile),
        ("tasks/*", K::CreateDirectory),
        ("tasks/*", K::SyncDirectory),
        ("ledger/*.new", K::SyncFile),
        ("ledger/*.seg", K::Rename),
        ("ledger/*.seg", K::Write),
        ("ledger/*.seg", K::SyncFile),
        ("ledger/*.seg", K::SetLength),
        ("ledger/", K::SyncDirectory),
        ("quarantine/*", K::SyncFile),
        ("quarantine/", K::SyncDirectory),
        ("anchors/*", K::CreateFile),
        ("anchors/*", K::Write),
        ("anchors/*", K::SyncFile),
        ("anchors/*", K::RemoveFile),
        ("locks/*", K::CreateFile),
        ("locks/*", K::Lock),
        ("bodies/*", K::SyncFile),
        ("bodies/*", K::RemoveFile),
        ("bodies/", K::SyncDirectory),
        ("keys/*", K::Publish),
        ("snapshots/*", K::Rename),
        ("snapshots/*", K::RemoveFile),
        ("checkpoint", K::Rename),
        ("missed/*", K::SyncFile),
        ("missed/*", K::RemoveFile),
        ("tombstones/*", K::Rename),
    ]
};

#[test]
fn the_script_crosses_every_path_that_writes() {
    let reference = Reference::played();
    let mut table: BTreeMap<String, BTreeMap<String, u32>> = BTreeMap::new();
    let calls = reference.disk.calls();
    for call in &calls {
        let kinds = table.entry(role(&call.path)).or_default();
        *kinds.entry(format!("{:?}", call.kind)).or_default() += 1;
    }
    for (path, kinds) in &table {
        println!("{path}: {kinds:?}");
    }
    for (path, kind) in WRITTEN {
        let count = table.get(path).and_then(|kinds| kinds.get(&format!("{kind:?}")));
        assert!(count.is_some(), "{kind:?} of {path} is missing");
    }
    let segments = calls.iter().filter(|call| call.kind == CallKind::Rename);
    let rotations = segments.filter(|call| call.path.as_str().ends_with(".seg")).count();
    assert!(rotations >= 4, "{rotations} segments");
}

/// Every kind of event that a command can leave today; only a failed host leaves a note of a key.
#[test]
fn the_script_leaves_every_kind_of_event() {
    let reference = Reference::played();
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for which in [Which::First, Which::Second] {
        for (_, bytes) in reference.records(which) {
            for event in decode(bytes).unwrap().events {
                let shown = format!("{event:?}");
                let name = shown.split([' ', '{']).next().unwrap().to_owned();
                *counts.entry(name).or_default() += 1;
            }
        }
    }
    println!("{counts:?}");
    let missing: Vec<&str> =
        EVENTS.into_iter().filter(|name| !counts.contains_key(*name)).collect();
    assert_eq!(missing, [""; 0]);
    let count = |name: &str| counts[name];
    assert!(count("SnapshotTaken") > 3, "more are taken than kept");
    assert!(count("TransitionOpened") > count("SnapshotTaken"), "one is used again");
    assert!(count("RecoveryOffered") > count("RecoveryAssessed"), "one is offered again");
}

const EVENTS: [&str; 25] = [
    "TaskOpened",
    "KeyCreated",
    "SessionJoined",
    "PromptSeen",
    "ModelSeen",
    "QuoteRecorded",
    "QuotesClosed",
    "WorkObjectSeen",
    "ItemRecorded",
    "ItemsMarked",
    "ProposalOpened",
    "ProposalEnded",
    "SnapshotTaken",
    "TransitionOpened",
    "CompactionCompleted",
    "RecoveryAssessed",
    "RecoveryOffered",
    "OfferLookedUp",
    "ChildStarted",
    "ChildEnded",
    "SessionEnded",
    "TaskReset",
    "ProtectionSwitched",
    "MissedNotesTaken",
    "RollbackAccepted",
];
