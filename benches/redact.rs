//! How fast text is redacted: an ordinary prompt, ordinary text, and the worst texts known.
//!
//! A hook redacts each prompt before it writes anything, so a prompt must stay in the microseconds
//! and the largest payload far below the budget of a hook.

use std::hint::black_box;
use std::time::Duration;

use context_continuity::domain::redact::redact_str;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const MEBIBYTE: usize = 1024 * 1024;

const PROMPTS: [(&str, &str); 3] = [
    (
        "english",
        "Please look at src/domain/redact/mod.rs and fix the failing test for long prompts; never \
         touch prod, and keep the public API as it is. The branch is fix/long-prompts, see commit \
         1a89217. Thanks a lot!",
    ),
    (
        "chinese",
        "请看一下 src/domain/redact/mod.rs，修复长提示词的测试；以后不要动生产库，密码长度至少 8 位，分支是 fix/long。",
    ),
    (
        "with_a_secret",
        "use password hunter2-Zq9vK3xW7c for the staging db, and from now on never touch prod. The \
         branch is fix/long-prompts, see commit 1a89217; keep the public API as it is, thank you.",
    ),
];

/// What is repeated: ordinary text first, then what costs most in one matcher or another.
const UNITS: [(&str, &str); 28] = [
    ("prose", "Please look at src/main.rs and fix the failing test; never touch prod, thanks.\n"),
    ("code", "    let token = self.tokens.get(&key).map_or(0, |token| token.count); // key\n"),
    ("short_lines", "x\n"),
    ("blanks", " "),
    ("equals", "="),
    ("letters", "a"),
    ("dotted", "a.a.a."),
    ("hex", "deadbeef"),
    ("quotes", "\""),
    ("nested", "{\"a\":"),
    ("assignments", "password="),
    ("taken", "password=hunter2 "),
    ("said", "password is "),
    ("names", "token:"),
    ("names_and_signs", "secret:a;"),
    ("names_and_values", "token=aaaaaaaaaaaaaaaaaaaaaaaa1,"),
    ("schemes", "token token "),
    ("bearer", "Bearer "),
    ("query", "session=x&"),
    ("escapes", "\\npassword"),
    ("prefixes", "sk-"),
    ("armour_begins", "-----BEGIN "),
    ("armour_keys", "-----BEGIN PRIVATE KEY-----"),
    ("marks", "[redacted:"),
    ("base64_lines", "ZGF0YTogMTIzNDU2Nzg5MDEy\n"),
    ("colours", "a\u{1b}[0m"),
    ("no_width", "password\u{200b}"),
    ("chinese", "密码是"),
];

fn prompts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("redact_prompt");
    for (name, prompt) in PROMPTS {
        group.throughput(Throughput::Bytes(u64::try_from(prompt.len()).unwrap_or(0)));
        group.bench_function(name, |bencher| bencher.iter(|| redact_str(black_box(prompt))));
    }
    group.finish();
}

fn mebibytes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("redact_mebibyte");
    group.sample_size(10).warm_up_time(Duration::from_millis(100));
    group.measurement_time(Duration::from_millis(500));
    let encoded = data_encoding::BASE64.encode("password=".repeat(MEBIBYTE / 12).as_bytes());
    let texts = UNITS.map(|(name, unit)| (name, unit.repeat(MEBIBYTE / unit.len())));
    for (name, text) in texts.iter().chain(&[("base64", encoded)]) {
        group.throughput(Throughput::Bytes(u64::try_from(text.len()).unwrap_or(0)));
        group.bench_function(*name, |bencher| bencher.iter(|| redact_str(black_box(text))));
    }
    group.finish();
}

criterion_group!(benches, prompts, mebibytes);
criterion_main!(benches);
