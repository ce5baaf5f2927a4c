//! How batches are written: frozen encodings, one per event kind and version.
//!
//! Every event is `kind: u16, version: u16, length: u32`, little-endian, and a postcard payload.
//! Numbers are given by hand and never reused. A new meaning is a new version with a step here that
//! turns the old payload into the present event; old payloads stay readable for ever.
//!
//! Source: `docs/format.md`, "Batch" and "Event kinds".

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Batch, BatchHeader, Event, upcast};

/// Format of the batch header.
pub const BATCH_FORMAT: u8 = 1;
/// Most events in one batch.
pub const BATCH_EVENTS_MAX: u16 = 512;

/// Why a batch could not be read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// The bytes are not a batch.
    #[error("the batch cannot be decoded")]
    Malformed,
    /// The batch header is of a newer release.
    #[error("batch format {found} is newer than this release reads")]
    NewerFormat {
        /// The format found.
        found: u8,
    },
    /// More events than [`BATCH_EVENTS_MAX`], or an event that is only read, never written.
    #[error("the batch cannot be written")]
    Unwritable,
}

/// Lists kind number, version, variant and fields once; encoding and decoding both follow it.
macro_rules! event_kinds {
    ($($kind:literal / $version:literal => $variant:ident { $($field:ident),* },)*) => {
        fn encode_event(event: &Event, bytes: Vec<u8>) -> Result<Vec<u8>, WireError> {
            match event {
                $(Event::$variant { $($field),* } => {
                    encode_payload($kind, $version, &($($field,)*), bytes)
                })*
                Event::Unrecognised { .. } => Err(WireError::Unwritable),
            }
        }

        fn decode_event(kind: u16, version: u16, payload: &[u8]) -> Result<Event, WireError> {
            match (kind, version) {
                $(($kind, $version) => {
                    let ($($field,)*) = decode_payload(payload)?;
                    Ok(Event::$variant { $($field),* })
                })*
                (11, 1) => upcast::proposal_opened_1(payload),
                _ => Ok(Event::Unrecognised { kind, version }),
            }
        }
    };
}

event_kinds! {
    1 / 1 => TaskOpened { task, predecessor, left_items, left_quotes },
    2 / 1 => KeyCreated { number },
    3 / 1 => SessionJoined { host, session },
    4 / 1 => PromptSeen { digest, key, length_chars, signals },
    5 / 1 => ModelSeen { model },
    6 / 1 => QuoteRecorded { quote, draft },
    7 / 1 => QuotesClosed { quotes, closure },
    8 / 1 => WorkObjectSeen { body, identity, commit },
    9 / 1 => ItemRecorded { item, draft, status },
    10 / 1 => ItemsMarked { items, status, reason },
    11 / 2 => ProposalOpened { proposal, draft },
    12 / 1 => ProposalEnded { proposal, outcome },
    13 / 1 => SnapshotTaken { mark },
    14 / 1 => TransitionOpened { epoch, kind, trigger, snapshot, is_announced },
    15 / 1 => CompactionCompleted { epoch },
    16 / 1 => RecoveryAssessed { epoch, class, findings, basis },
    17 / 1 => RecoveryOffered { epoch, offer },
    18 / 1 => OfferLookedUp { epoch, arrival },
    19 / 1 => ChildStarted { agent },
    20 / 1 => ChildEnded { agent },
    21 / 1 => SessionEnded { session },
    22 / 1 => TaskReset { kind },
    23 / 1 => ProtectionSwitched { is_on },
    24 / 1 => MissedNotesTaken { count },
    25 / 1 => RollbackAccepted { remembered },
    26 / 1 => BoundaryCrossed { epoch, is_completion },
    27 / 1 => ItemsCorroborated { items, corroboration },
    28 / 1 => ProposalsShown { proposals },
    29 / 1 => CodeMissed { misses },
    30 / 1 => ConfirmationUndone { proposal },
    31 / 1 => TaskRolledOver { successor },
    32 / 1 => CarriedOver { carried },
}

fn encode_payload<P: Serialize>(
    kind: u16,
    version: u16,
    payload: &P,
    mut bytes: Vec<u8>,
) -> Result<Vec<u8>, WireError> {
    let body = postcard::to_stdvec(payload).map_err(|_| WireError::Unwritable)?;
    let length = u32::try_from(body.len()).map_err(|_| WireError::Unwritable)?;
    bytes.extend_from_slice(&kind.to_le_bytes());
    bytes.extend_from_slice(&version.to_le_bytes());
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(&body);
    Ok(bytes)
}

pub(super) fn decode_payload<P: DeserializeOwned>(payload: &[u8]) -> Result<P, WireError> {
    match postcard::take_from_bytes(payload) {
        Ok((value, [])) => Ok(value),
        _ => Err(WireError::Malformed),
    }
}

/// Encodes a batch.
///
/// # Errors
/// [`WireError::Unwritable`].
pub fn encode(batch: &Batch) -> Result<Vec<u8>, WireError> {
    let count = u16::try_from(batch.events.len()).map_err(|_| WireError::Unwritable)?;
    if count == 0 || count > BATCH_EVENTS_MAX {
        return Err(WireError::Unwritable);
    }
    let mut bytes = Vec::with_capacity(256);
    bytes.push(BATCH_FORMAT);
    bytes.extend_from_slice(&count.to_le_bytes());
    let bytes = postcard::to_extend(&batch.header, bytes).map_err(|_| WireError::Unwritable)?;
    let bytes = batch.events.iter().try_fold(bytes, |bytes, event| encode_event(event, bytes))?;
    // What cannot be read back is never written: the log is kept for ever.
    if decode(&bytes).as_ref() == Ok(batch) { Ok(bytes) } else { Err(WireError::Unwritable) }
}

/// Decodes a batch; kinds and versions that this release does not know are kept as
/// [`Event::Unrecognised`].
///
/// # Errors
/// [`WireError::Malformed`], [`WireError::NewerFormat`].
pub fn decode(bytes: &[u8]) -> Result<Batch, WireError> {
    let (format, rest) = bytes.split_first().ok_or(WireError::Malformed)?;
    if *format != BATCH_FORMAT {
        return Err(if *format > BATCH_FORMAT {
            WireError::NewerFormat { found: *format }
        } else {
            WireError::Malformed
        });
    }
    let (count, rest) = rest.split_first_chunk().ok_or(WireError::Malformed)?;
    let count = u16::from_le_bytes(*count);
    if count == 0 || count > BATCH_EVENTS_MAX {
        return Err(WireError::Malformed);
    }
    let (header, mut rest): (BatchHeader, _) =
        postcard::take_from_bytes(rest).map_err(|_| WireError::Malformed)?;
    let mut events = Vec::with_capacity(usize::from(count));
    for _ in 0..count {
        let (event, behind) = take_event(rest)?;
        events.push(event);
        rest = behind;
    }
    if !rest.is_empty() {
        return Err(WireError::Malformed);
    }
    Ok(Batch { header, events })
}

fn take_event(bytes: &[u8]) -> Result<(Event, &[u8]), WireError> {
    let (kind, bytes) = bytes.split_first_chunk().ok_or(WireError::Malformed)?;
    let (version, bytes) = bytes.split_first_chunk().ok_or(WireError::Malformed)?;
    let (length, bytes) = bytes.split_first_chunk().ok_or(WireError::Malformed)?;
    let length = usize::try_from(u32::from_le_bytes(*length)).map_err(|_| WireError::Malformed)?;
    let (payload, rest) = bytes.split_at_checked(length).ok_or(WireError::Malformed)?;
    let event = decode_event(u16::from_le_bytes(*kind), u16::from_le_bytes(*version), payload)?;
    Ok((event, rest))
}

/// Encodes a value that is not an event, such as a state or a snapshot.
///
/// # Errors
/// [`WireError::Unwritable`].
pub fn encode_value<V: Serialize>(value: &V) -> Result<Vec<u8>, WireError> {
    postcard::to_stdvec(value).map_err(|_| WireError::Unwritable)
}

/// Decodes a value that [`encode_value`] wrote; trailing bytes are an error.
///
/// # Errors
/// [`WireError::Malformed`].
pub fn decode_value<'a, V: Deserialize<'a>>(bytes: &'a [u8]) -> Result<V, WireError> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        _ => Err(WireError::Malformed),
    }
}
