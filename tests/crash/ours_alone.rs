//! Files that are not ours alone are never written to; and the limits of one write.

use context_continuity::domain::ports::{Ledger as _, LedgerError};
use context_continuity::io::fs::RelativePath;
use context_continuity::io::fs::fault::FaultDisk;
use context_continuity::io::ledger::{LedgerConfig, PAYLOAD_BYTES_MAX};

use crate::support::{SMALL, WIDE, anchor, lock_file, open, payload, read_all, segment, written};

fn write_one(disk: &FaultDisk) -> Result<(), LedgerError> {
    let mut log = open(disk, SMALL);
    log.lock(0)?;
    read_all(&mut log).1?;
    log.append(b"x").map(|_| ())
}

type Spoil = fn(&FaultDisk, &RelativePath);

#[test]
fn a_file_with_a_second_name_another_owner_or_a_wide_mode_is_not_written() {
    let spoil: [(&str, Spoil); 3] = [
        ("it has a second name", FaultDisk::add_link),
        ("others may read or write it", FaultDisk::open_to_others),
        ("another user owns it", FaultDisk::give_away),
    ];
    for file in [segment(1), anchor(), lock_file()] {
        for (expected, spoil) in spoil {
            let disk = written(SMALL, &[payload(0, 40)]);
            spoil(&disk, &file);
            let files = disk.files();
            match write_one(&disk) {
                Err(LedgerError::Unsafe { file: named, why }) => {
                    assert_eq!((named.as_str(), why), (file.as_str(), expected));
                }
                other => panic!("{file}: {other:?}"),
            }
            assert_eq!(disk.files(), files, "{file}: {expected}");
        }
    }
}

#[test]
fn a_payload_at_the_limit_is_kept_and_one_byte_more_is_refused_unwritten() {
    for (asked, bytes_max) in [(16 * 1024, 16 * 1024), (u32::MAX, PAYLOAD_BYTES_MAX)] {
        let disk = FaultDisk::new();
        let mut log = open(&disk, LedgerConfig { payload_bytes_max: asked, ..WIDE });
        log.lock(0).unwrap();
        log.create().unwrap();
        let at_limit = payload(1, usize::try_from(bytes_max).unwrap());
        log.append(&at_limit).unwrap();
        let calls = disk.call_count();
        let beyond = payload(1, at_limit.len() + 1);
        match log.append(&beyond) {
            Err(LedgerError::TooLarge { bytes, bytes_max: named }) => {
                assert_eq!((bytes, named), (u64::from(bytes_max) + 1, u64::from(bytes_max)));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(disk.call_count(), calls);
        log.append(b"").unwrap();
        assert_eq!(read_all(&mut log).0, [at_limit, Vec::new()]);
    }
}

#[test]
fn no_segment_grows_past_its_limit_unless_one_record_alone_does() {
    let payloads: Vec<Vec<u8>> = (0..40).map(|number| payload(number, 37 * number)).collect();
    let disk = written(SMALL, &payloads);
    let frame = crate::support::SEGMENT_HEADER + crate::support::FRAME + 120;
    for (name, bytes) in disk.files() {
        let holds_one = bytes.len() > frame + 37 * 38;
        assert!(bytes.len() <= 2400 || holds_one || !name.ends_with(".seg"), "{name}");
    }
    assert_eq!(read_all(&mut open(&disk, SMALL)).0, payloads);
}
