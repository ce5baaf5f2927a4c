//! Reads one payload from a pipe that may never be closed.

use std::io::{ErrorKind, Read};

use super::payload::PayloadError;
use super::scan::{ObjectScanner, PAYLOAD_BYTES_MAX};

/// Bytes asked for at a time: the usual capacity of a pipe.
const PIECE_BYTES: usize = 64 * 1024;

/// Reads until the first JSON object is whole, and returns its bytes.
///
/// It does not wait for the end of the stream: some hosts never close the pipe. What follows the
/// object is not read, or dropped. Leading byte order marks and white space are dropped. How long
/// to wait for a silent host is the caller's decision, who may end the process.
///
/// # Errors
/// [`PayloadError::Empty`] and [`PayloadError::Cut`] when the stream ends early,
/// [`PayloadError::TooLong`] above [`PAYLOAD_BYTES_MAX`], [`PayloadError::NotAnObject`],
/// [`PayloadError::TooDeep`], [`PayloadError::Unreadable`].
pub fn read_payload(mut source: impl Read) -> Result<Vec<u8>, PayloadError> {
    let mut scanner = ObjectScanner::new();
    let mut bytes = Vec::new();
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let count = match source.read(&mut piece) {
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(PayloadError::Unreadable { kind: error.kind() }),
        };
        if count == 0 {
            let is_empty = !scanner.has_started();
            return Err(if is_empty { PayloadError::Empty } else { PayloadError::Cut });
        }
        let read = piece.get(..count).unwrap_or_default();
        let extent = scanner.feed(read)?;
        let needed = extent.map_or(bytes.len().saturating_add(count), |extent| extent.end);
        if needed > PAYLOAD_BYTES_MAX {
            return Err(PayloadError::TooLong { bytes_max: PAYLOAD_BYTES_MAX });
        }
        bytes.extend_from_slice(read);
        if let Some(extent) = extent {
            bytes.truncate(extent.end);
            bytes.drain(..extent.start);
            return Ok(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::io;

    use super::*;

    /// Hands out pieces, then panics: a reader that waits for the end of the stream fails.
    struct OpenPipe(VecDeque<Vec<u8>>);

    impl OpenPipe {
        fn new(pieces: &[&[u8]]) -> Self {
            Self(pieces.iter().map(|piece| piece.to_vec()).collect())
        }
    }

    impl Read for OpenPipe {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let piece = self.0.pop_front().expect("read behind the last byte of an open pipe");
            buffer[..piece.len()].copy_from_slice(&piece);
            Ok(piece.len())
        }
    }

    // field case F033
    #[test]
    fn a_whole_object_is_returned_while_the_pipe_stays_open() {
        let pipe = OpenPipe::new(&[b"{\"a\":", b"\"}\"", b",\"b\":{}}"]);
        assert_eq!(read_payload(pipe).expect("whole"), b"{\"a\":\"}\",\"b\":{}}");
    }

    // field case F035
    #[test]
    fn two_byte_order_marks_and_line_ends_around_the_object_are_dropped() {
        let pipe = OpenPipe::new(&["\u{feff}\u{feff}{\"a\":\"\u{feff}\"}\r\n".as_bytes()]);
        assert_eq!(read_payload(pipe).expect("whole"), "{\"a\":\"\u{feff}\"}".as_bytes());
    }

    #[test]
    fn a_stream_that_ends_early_is_empty_or_cut() {
        assert_eq!(read_payload(&b""[..]), Err(PayloadError::Empty));
        assert_eq!(read_payload(&b"\xEF\xBB\xBF \r\n"[..]), Err(PayloadError::Empty));
        assert_eq!(read_payload(&b"{\"prompt\":\"never do"[..]), Err(PayloadError::Cut));
    }

    #[test]
    fn a_payload_fits_up_to_its_bound_and_not_beyond() {
        let sized = |bytes: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - 8)).into_bytes();
        let fits = sized(PAYLOAD_BYTES_MAX);
        assert_eq!(read_payload(&fits[..]).map(|bytes| bytes.len()), Ok(PAYLOAD_BYTES_MAX));
        let too_long = sized(PAYLOAD_BYTES_MAX + 1);
        let refused = PayloadError::TooLong { bytes_max: PAYLOAD_BYTES_MAX };
        assert_eq!(read_payload(&too_long[..]), Err(refused));
    }

    #[test]
    fn an_endless_run_of_white_space_is_given_up_at_the_bound() {
        let refused = PayloadError::TooLong { bytes_max: PAYLOAD_BYTES_MAX };
        assert_eq!(read_payload(io::repeat(b' ')), Err(refused));
    }

    #[test]
    fn an_interrupted_read_is_tried_again() {
        struct Interrupted(bool);
        impl Read for Interrupted {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                if !std::mem::replace(&mut self.0, true) {
                    return Err(ErrorKind::Interrupted.into());
                }
                buffer[..2].copy_from_slice(b"{}");
                Ok(2)
            }
        }
        assert_eq!(read_payload(Interrupted(false)).expect("whole"), b"{}");
    }
}
