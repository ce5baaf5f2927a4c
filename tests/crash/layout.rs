//! The bytes of a small log, put together by hand from the tables in `docs/format.md`.

use sha2::{Digest as _, Sha256};

use crate::support::{SMALL, TASK, anchor, payload, segment, written};

fn checked(parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = parts.concat();
    bytes.extend_from_slice(&crc32c::crc32c(&bytes).to_le_bytes());
    bytes
}

fn header(number: u32, first_sequence: u64, link: &[u8; 32]) -> Vec<u8> {
    checked(&[
        &[0xC7, 0x53, 0x45, 0x47],
        &1_u16.to_le_bytes(),
        &[0; 2],
        TASK.as_bytes(),
        &number.to_le_bytes(),
        &first_sequence.to_le_bytes(),
        link,
    ])
}

/// Appends a record to a segment's bytes, and returns its link.
fn push(
    file: &mut Vec<u8>,
    kind: u8,
    at: (u32, u64),
    previous: &[u8; 32],
    body: &[u8],
) -> [u8; 32] {
    let (number, sequence) = at;
    let covered = [
        &[0xC7, 0x52, 0x45, 0x43],
        &1_u16.to_le_bytes()[..],
        &[kind, 0],
        &u32::try_from(body.len()).unwrap().to_le_bytes(),
        TASK.as_bytes(),
        &number.to_le_bytes(),
        &u64::try_from(file.len()).unwrap().to_le_bytes(),
        &sequence.to_le_bytes(),
        previous,
        body,
    ]
    .concat();
    let link: [u8; 32] = Sha256::digest(&covered).into();
    file.extend(checked(&[&covered, &link]));
    link
}

#[test]
fn the_files_of_a_log_are_what_the_format_states() {
    let payloads = [payload(0, 1500), payload(1, 30), payload(2, 1200)];
    let disk = written(SMALL, &payloads);

    let mut first = header(1, 1, &[0; 32]);
    let one = push(&mut first, 1, (1, 1), &[0; 32], &payloads[0]);
    let two = push(&mut first, 1, (1, 2), &one, &payloads[1]);
    push(&mut first, 2, (1, 2), &two, &2_u32.to_le_bytes());
    assert_eq!(disk.content(&segment(1)).unwrap(), first);

    let mut second = header(2, 3, &two);
    let three = push(&mut second, 1, (2, 3), &two, &payloads[2]);
    assert_eq!(disk.content(&segment(2)).unwrap(), second);

    // Slots in turn: the creation wrote the second one, the third append the first.
    let slot = checked(&[
        &[0xC7, 0x41, 0x4E, 0x43],
        &1_u16.to_le_bytes(),
        &[0; 2],
        &4_u64.to_le_bytes(),
        TASK.as_bytes(),
        &3_u64.to_le_bytes(),
        &three,
        &2_u32.to_le_bytes(),
        &[0; 4],
        &72_u64.to_le_bytes(),
        &u64::try_from(second.len()).unwrap().to_le_bytes(),
    ]);
    assert_eq!(disk.content(&anchor()).unwrap()[..100], slot);
}
