//! Every bit turned over.

use context_continuity::domain::ports::LedgerError;
use context_continuity::io::ledger::AnchorState;

use crate::support::{WIDE, anchor, copied, open, payload, read_all, segment, verify, written};

// covers: P-157
#[test]
fn a_bit_flipped_anywhere_in_a_segment_is_named_and_never_read_as_another_value() {
    // Header and 54 records fill 16 KiB to the byte.
    let length = |number| if number < 53 { 184 } else { 296 };
    let payloads: Vec<Vec<u8>> = (0..54).map(|number| payload(number, length(number))).collect();
    let disk = written(WIDE, &payloads);
    let bit_count = disk.content(&segment(1)).unwrap().len() * 8;
    assert_eq!(bit_count, 131_072);
    for bit in 0..bit_count {
        let flipped = copied(&disk, |name, bytes| {
            if name.ends_with(".seg") {
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        });
        let (seen, reading) = read_all(&mut open(&flipped, WIDE));
        assert_eq!(seen, payloads[..seen.len()], "bit {bit}");
        let Err(LedgerError::Damaged { file, offset_bytes, .. }) = reading else {
            panic!("bit {bit} is not found: {reading:?}");
        };
        assert_eq!(file, segment(1).as_str(), "bit {bit}");
        assert!(offset_bytes <= bit as u64 / 8, "bit {bit} is named at {offset_bytes}");
        let problem = verify(&flipped).problem;
        assert!(
            matches!(&problem, Some(LedgerError::Damaged { file, .. }) if *file == segment(1).as_str()),
            "bit {bit}: {problem:?}"
        );
    }
    println!("{bit_count} flips, all named by a reading and by a verification");
}

#[test]
fn a_bit_flipped_in_the_anchor_costs_at_most_its_witness() {
    let payloads: Vec<Vec<u8>> = (0..5).map(|number| payload(number, 40)).collect();
    let disk = written(WIDE, &payloads);
    let bit_count = disk.content(&anchor()).unwrap().len() * 8;
    for bit in 0..bit_count {
        let flipped = copied(&disk, |name, bytes| {
            if name.starts_with("anchors/") {
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        });
        let (seen, reading) = read_all(&mut open(&flipped, WIDE));
        assert!(reading.is_ok(), "bit {bit}: {reading:?}");
        assert_eq!(seen, payloads, "bit {bit}");
        let AnchorState::Witnesses(head) = verify(&flipped).anchor else {
            panic!("bit {bit} takes both slots");
        };
        assert!(head.sequence.get() >= 4, "bit {bit}");
    }
}
