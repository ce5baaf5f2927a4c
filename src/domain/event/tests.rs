//! The encoding is frozen: what was written once reads for ever, and is written the same.
//!
//! `tests/fixtures/1/batches.txt` has a line `name hex` for every event kind; the hex is the
//! batch's length as four little-endian bytes and the batch. `batches.bin` is the same bytes in a row.
//! A payload that is written no more has its line in `retired.txt`, and reads for ever too.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use data_encoding::HEXLOWER;
use proptest::prelude::*;

use super::samples::{events, header, samples};
use super::wire::{BATCH_EVENTS_MAX, WireError, decode, encode};
use super::{Batch, Event};
use crate::domain::task::proposal::Purpose;

const TEXT: &str = include_str!("../../../tests/fixtures/1/batches.txt");
const BYTES: &[u8] = include_bytes!("../../../tests/fixtures/1/batches.bin");

fn framed(batch: &Batch) -> Vec<u8> {
    let bytes = encode(batch).unwrap();
    let mut framed = u32::try_from(bytes.len()).unwrap().to_le_bytes().to_vec();
    framed.extend(bytes);
    framed
}

#[test]
fn every_kind_is_written_as_it_always_was() {
    let mut text = String::new();
    let mut bytes = Vec::new();
    for (name, batch) in samples() {
        let framed = framed(&batch);
        writeln!(text, "{name} {}", HEXLOWER.encode(&framed)).unwrap();
        bytes.extend(framed);
    }
    assert_eq!(TEXT, text, "the encoding changed; a new meaning is a new version:\n{text}");
    assert_eq!(BYTES, bytes);
}

#[test]
fn every_batch_of_the_fixture_reads_as_it_was_meant() {
    let mut rest = BYTES;
    for (name, batch) in samples() {
        let (length, behind) = rest.split_first_chunk().unwrap();
        let (bytes, behind) =
            behind.split_at(usize::try_from(u32::from_le_bytes(*length)).unwrap());
        assert_eq!(decode(bytes), Ok(batch), "{name}");
        rest = behind;
    }
    assert!(rest.is_empty());
}

#[test]
fn every_retired_payload_reads_as_its_present_event() {
    let mut names = Vec::new();
    for line in include_str!("../../../tests/fixtures/1/retired.txt").lines() {
        let (name, hex) = line.split_once(' ').unwrap();
        let framed = HEXLOWER.decode(hex.as_bytes()).unwrap();
        let event = decode(&framed[4..]).unwrap().events.remove(0);
        let (kind, _) = name.split_once('/').unwrap();
        assert_eq!(serde_json::to_value(&event).unwrap()["event"], kind);
        if let Event::ProposalOpened { draft, .. } = event {
            assert_eq!((draft.purpose, draft.code.to_string().len()), (Purpose::Items, 4));
            assert_eq!((draft.items.len(), draft.quotes.len()), (1, 1));
        }
        names.push(name);
    }
    assert_eq!(names, ["proposal_opened/1"]);
}

#[test]
fn every_kind_number_has_a_sample() {
    let start = encode(&Batch { header: header(), events: vec![] }).unwrap_err();
    assert_eq!(start, WireError::Unwritable, "an empty batch is not written");
    let header_bytes = 3 + postcard::to_stdvec(&header()).unwrap().len();
    let kinds: BTreeSet<u16> = samples()
        .iter()
        .map(|(_, batch)| encode(batch).unwrap())
        .map(|bytes| u16::from_le_bytes([bytes[header_bytes], bytes[header_bytes + 1]]))
        .collect();
    assert_eq!(kinds, (1..=32).collect());
}

#[test]
fn the_format_page_lists_every_kind_with_its_version() {
    let page = include_str!("../../../docs/format.md");
    let header_bytes = 3 + postcard::to_stdvec(&header()).unwrap().len();
    for ((name, _), (_, batch)) in events().iter().zip(samples()) {
        let bytes = encode(&batch).unwrap();
        let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let (kind, version) = (number(header_bytes), number(header_bytes + 2));
        let row = format!("| {kind} | {version} | `{name}` | ");
        assert!(page.contains(&row), "docs/format.md lacks {row}");
    }
}

#[test]
fn the_names_of_the_samples_are_the_names_in_json() {
    for (name, event) in events() {
        assert_eq!(serde_json::to_value(&event).unwrap()["event"], name);
    }
}

#[test]
fn a_batch_holds_up_to_the_limit() {
    let filled =
        |count| Batch { header: header(), events: vec![Event::KeyCreated { number: 1 }; count] };
    let full = filled(usize::from(BATCH_EVENTS_MAX));
    assert_eq!(decode(&encode(&full).unwrap()), Ok(full));
    assert_eq!(encode(&filled(usize::from(BATCH_EVENTS_MAX) + 1)), Err(WireError::Unwritable));
}

// covers: P-096
#[test]
fn an_unknown_kind_is_kept_as_such_and_never_written() {
    let bytes = encode(&Batch { header: header(), events: vec![Event::KeyCreated { number: 1 }] });
    let mut bytes = bytes.unwrap();
    let at = bytes.len() - 9;
    bytes[at..at + 2].copy_from_slice(&900_u16.to_le_bytes());
    let batch = decode(&bytes).unwrap();
    assert_eq!(batch.events, [Event::Unrecognised { kind: 900, version: 1 }]);
    assert_eq!(encode(&batch), Err(WireError::Unwritable));
}

#[test]
fn a_newer_format_is_refused_by_number_and_rubbish_as_such() {
    assert_eq!(decode(&[2, 1, 0]), Err(WireError::NewerFormat { found: 2 }));
    for bytes in [&[][..], &[0], &[1], &[1, 0, 0], &[1, 1, 0]] {
        assert_eq!(decode(bytes), Err(WireError::Malformed));
    }
    let mut trailing = encode(&samples()[0].1).unwrap();
    trailing.push(0);
    assert_eq!(decode(&trailing), Err(WireError::Malformed));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _refused_or_not = decode(&bytes);
    }

    #[test]
    fn changed_batches_never_panic(which in 0_usize..31, at in any::<prop::sample::Index>(), bit in 0_u8..8) {
        let mut bytes = encode(&samples()[which].1).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        let _refused_or_not = decode(&bytes);
    }

    #[test]
    fn a_batch_of_any_events_reads_back_equal(which in proptest::collection::vec(0_usize..27, 1..40)) {
        let all = events();
        let events = which.into_iter().map(|index| all[index].1.clone()).collect();
        let batch = Batch { header: header(), events };
        prop_assert_eq!(decode(&encode(&batch).unwrap()), Ok(batch));
    }
}
