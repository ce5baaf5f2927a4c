//! How fast a long log is read: decode and fold of 200,000 batches.
//!
//! Of 100 batches, 90 are a plain prompt, 6 a prompt with a quote, 2 a place of the work, 1 a
//! boundary (announced, completed, assessed), 1 an item; the quotes are kept at 64 by closing the
//! oldest, as the rules do. Encoded once, outside the measured part.

use std::hint::black_box;

use context_continuity::domain::body::BodyRef;
use context_continuity::domain::chain::{Basis, Sequence};
use context_continuity::domain::event::wire::{decode, encode};
use context_continuity::domain::event::{Batch, BatchHeader, Event};
use context_continuity::domain::ids::{
    BodyId, CommandId, Commitment, Epoch, ItemId, KeyedDigest, QuoteId, SessionKey,
};
use context_continuity::domain::origin::{Channel, HostNumber, Origin};
use context_continuity::domain::signal::{SignalKind, SignalSet, SubjectKey};
use context_continuity::domain::task::item::{
    Authority, Confidence, ItemDraft, ItemKind, Status, Verification,
};
use context_continuity::domain::task::quote::{QuoteClosure, QuoteDraft};
use context_continuity::domain::task::transition::{
    BoundaryKind, CompactionTrigger, RecoveryClass,
};
use context_continuity::domain::task::{TaskState, apply_batch};
use context_continuity::domain::time::Timestamp;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

const BATCHES: u32 = 200_000;

fn header(number: u32) -> BatchHeader {
    let mut command = [0; 16];
    command[..4].copy_from_slice(&number.to_le_bytes());
    BatchHeader {
        command: CommandId::new(command),
        recorded_at: Timestamp::from_millis(1_750_000_000_000 + i64::from(number)),
        origin: Origin {
            channel: Channel::HostPrompt,
            host: HostNumber::new(1),
            session: Some(SessionKey::new([2; 32])),
        },
    }
}

const BODY: BodyRef = BodyRef { id: BodyId::new([3; 16]), commitment: Commitment::new([3; 32]) };

fn prompt(number: u32) -> Event {
    let mut digest = [0; 32];
    digest[..4].copy_from_slice(&number.to_le_bytes());
    Event::PromptSeen {
        digest: KeyedDigest::new(digest),
        key: 1,
        length_chars: 140,
        signals: SignalSet::default(),
    }
}

fn quoted(number: u32) -> Vec<Event> {
    let quote = number / 100 * 6 + number % 100 - 89;
    let draft = QuoteDraft {
        kind: SignalKind::HardConstraint,
        body: BODY,
        subject: SubjectKey::default(),
        act: None,
    };
    let mut events =
        vec![prompt(number), Event::QuoteRecorded { quote: QuoteId::new(quote), draft }];
    if quote > 64 {
        let quotes = vec![QuoteId::new(quote - 64)];
        events.push(Event::QuotesClosed { quotes, closure: QuoteClosure::Crowded });
    }
    events
}

fn boundary(number: u32) -> Vec<Event> {
    let epoch = Epoch::new(number / 100 + 1);
    vec![
        Event::TransitionOpened {
            epoch,
            kind: BoundaryKind::Compaction,
            trigger: CompactionTrigger::Auto,
            snapshot: None,
            is_announced: true,
        },
        Event::CompactionCompleted { epoch },
        Event::RecoveryAssessed {
            epoch,
            class: RecoveryClass::Equivalent,
            findings: Vec::new(),
            basis: Basis::Full,
        },
    ]
}

/// Every item replaces the one a hundred items before, so that a hundred are in force.
fn item(number: u32) -> Vec<Event> {
    let item = number / 100 + 1;
    let supersedes = item.checked_sub(100).filter(|old| *old > 0).map(ItemId::new);
    let draft = ItemDraft {
        verification: Verification::Claimed,
        confidence: Confidence::Medium,
        supersedes: supersedes.into_iter().collect(),
        ..ItemDraft::new(ItemKind::Fact, BODY, Authority::AgentInference)
    };
    vec![Event::ItemRecorded { item: ItemId::new(item), draft, status: Status::Unverified }]
}

fn batch(number: u32) -> Batch {
    let events = match number % 100 {
        0..90 => vec![prompt(number)],
        90..96 => quoted(number),
        96..98 => vec![Event::WorkObjectSeen {
            body: BODY,
            identity: KeyedDigest::new([4; 32]),
            commit: None,
        }],
        98 => boundary(number),
        _ => item(number),
    };
    Batch { header: header(number), events }
}

fn fold(criterion: &mut Criterion) {
    let encoded: Vec<Vec<u8>> =
        (0..BATCHES).filter_map(|number| encode(&batch(number)).ok()).collect();
    let decoded: Vec<Batch> = encoded.iter().filter_map(|bytes| decode(bytes).ok()).collect();
    assert_eq!(decoded.len(), encoded.len(), "every batch reads back");
    let prompts: Vec<Batch> = (0..BATCHES)
        .map(|number| Batch { header: header(number), events: vec![prompt(number)] })
        .collect();
    let mut group = criterion.benchmark_group("fold");
    group.sample_size(10).throughput(Throughput::Elements(u64::from(BATCHES)));
    group.bench_function("decode_and_evolve_mix", |bencher| {
        bencher.iter_batched(
            TaskState::initial,
            |mut state| {
                for (bytes, number) in encoded.iter().zip(1..) {
                    if let Ok(batch) = decode(black_box(bytes)) {
                        apply_batch(&mut state, &batch, Sequence::new(number));
                    }
                }
                state
            },
            BatchSize::PerIteration,
        );
    });
    for (name, batches) in [("evolve_mix", &decoded), ("evolve_prompts", &prompts)] {
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                TaskState::initial,
                |mut state| {
                    for (batch, number) in batches.iter().zip(1..) {
                        apply_batch(&mut state, black_box(batch), Sequence::new(number));
                    }
                    state
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, fold);
criterion_main!(benches);
