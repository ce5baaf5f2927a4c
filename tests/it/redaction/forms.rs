//! Every rule in fourteen forms: where secrets stand in files, messages and terminals.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use context_continuity::domain::redact::{formats, redact_str};
use data_encoding::{BASE64, BASE64URL_NOPAD};

use super::samples::{Sample, of_formats, of_shapes};

pub const FORMS: [&str; 14] = [
    "environment",
    "JSON",
    "escaped JSON",
    "YAML",
    "address",
    "header",
    "shell",
    "diff",
    "base64",
    "several lines",
    "Chinese, Japanese, Korean around",
    "split by colour codes",
    "CRLF",
    "at the size bound",
];

/// The longest piece of a secret that may be left: too little to be worth anything.
const PIECE_BYTES: usize = 8;
const BOUND: usize = 4096;

/// A text that holds a secret, and what of it must not be in the answer.
struct Case {
    text: String,
    hidden: String,
}

fn plain(texts: Vec<String>, sample: &Sample) -> Vec<Case> {
    let hidden = &sample.core;
    texts.into_iter().map(|text| Case { text, hidden: hidden.clone() }).collect()
}

fn wrapped(encoded: &str, width: usize, indent: &str) -> String {
    let lines: Vec<&str> =
        encoded.as_bytes().chunks(width).map(|line| std::str::from_utf8(line).unwrap()).collect();
    lines.join(&format!("\n{indent}"))
}

fn encoded(sample: &Sample) -> Vec<Case> {
    let secret = &sample.text;
    let mut cases = Vec::new();
    for inner in [
        format!("{secret}\n"),
        format!("A={secret}\nMODE=fast\n"),
        format!("MODE=fast\nAB={secret}\n"),
        format!("# settings of the app\nABC='{secret}'"),
        format!("{{\"auths\":{{\"value\":\"{secret}\"}}}}"),
        format!("设置 {secret} 结束"),
    ] {
        let text = BASE64.encode(inner.as_bytes());
        let url = BASE64URL_NOPAD.encode(inner.as_bytes());
        let at = inner.find(&sample.core).unwrap();
        let middle = text[(at / 3 + 1) * 4..((at + sample.core.len()) / 3) * 4].to_owned();
        for text in [
            text.clone(),
            format!("apiVersion: v1\ndata:\n  app.env: {text}\nkind: Thing\n"),
            format!("echo {text} | base64 -d > .env"),
            format!("{{\"content\":\"{text}\",\"encoding\":\"base64\"}}"),
            format!("data:text/plain;base64,{text}"),
            format!("https://example.org/s?state={url}&n=1"),
            format!("  app.env: |\n    {}\n", wrapped(&text, 76, "    ")),
            format!("{}\n", wrapped(&text, 64, "")),
        ] {
            let hidden = middle.replace(['+', '/'], "-").clone();
            cases.push(Case { text: text.clone(), hidden: middle.clone() });
            cases.push(Case { text, hidden });
        }
    }
    cases
}

fn broken(secret: &str) -> Vec<String> {
    let mut texts = vec![
        format!("run \\\n  --with \\\n  {secret} \\\n  --more"),
        format!("run \\\r\n  --with={secret} \\\r\n  --more"),
        format!("first line\n{secret}\nlast line"),
        format!("value: >-\n  {secret}\n  \nrest: 1"),
        format!("\"\"\"\n{secret}\n\"\"\""),
    ];
    for at in (1..secret.len()).filter(|at| secret.is_char_boundary(*at)) {
        let (head, tail) = secret.split_at(at);
        texts.push(format!("run --with {head}\\\n{tail} --more"));
        texts.push(format!("run --with {head}\\\r\n    {tail} --more"));
    }
    texts
}

fn coloured(secret: &str) -> Vec<String> {
    let mut texts = vec![format!("\u{1b}[1;31m{secret}\u{1b}[0m done")];
    for at in (0..=secret.len()).filter(|at| secret.is_char_boundary(*at)) {
        let (head, tail) = secret.split_at(at);
        for between in ["\u{1b}[0m", "\u{1b}[38;5;196m\u{1b}[K", "\u{1b}(B\u{1b}[m", "\u{200b}"] {
            texts.push(format!("see {head}{between}{tail} done"));
        }
    }
    texts.push(format!("\u{1b}]8;;https://example.org\u{7}{secret}\u{1b}]8;;\u{7} done"));
    let spread: Vec<String> = secret.chars().map(|letter| format!("\u{1b}[7m{letter}")).collect();
    texts.push(format!("see {} done", spread.concat()));
    texts
}

fn at_bound(secret: &str) -> Vec<String> {
    let filler = "word ".repeat(BOUND);
    [BOUND, BOUND + 1, BOUND - 1]
        .into_iter()
        .flat_map(|bytes| {
            let before = &filler[..bytes - secret.len() - 1];
            [
                format!("{before} {secret}"),
                format!("{secret} {before}"),
                format!("{before}={secret}"),
            ]
        })
        .collect()
}

/// How a secret stands in files.
fn in_files(form: &str, secret: &str) -> Option<Vec<String>> {
    Some(match form {
        "environment" => vec![
            format!("export SOMETHING={secret}\n"),
            format!("A={secret}\nB=1\n"),
            format!("A=\"{secret}\"\n"),
            format!("A='{secret}' run"),
            format!("set A={secret}"),
            format!("$env:A = \"{secret}\""),
        ],
        "JSON" => vec![
            format!("{{\"value\": \"{secret}\", \"n\": 1}}"),
            format!("{{\"value\":\"{secret}\"}}"),
            format!("[\"{secret}\",\"b\"]"),
        ],
        "escaped JSON" => vec![
            format!("{{\\\"value\\\": \\\"{secret}\\\"}}"),
            format!("{{\\\\\\\"value\\\\\\\":\\\\\\\"{secret}\\\\\\\"}}"),
            format!("\"first\\n{secret}\\nlast\""),
            format!("\"first\\r\\n\\t{secret}\\r\\nlast\""),
        ],
        "YAML" => vec![
            format!("items:\n  - name: x\n    value: {secret}\n"),
            format!("- {secret}\n- b\n"),
            format!("value: '{secret}'\n"),
            format!("value: |\n  {secret}\nrest: 1\n"),
            format!("{{value: {secret}, rest: 1}}"),
        ],
        "CRLF" => vec![
            format!("a: b\r\nvalue: {secret}\r\nend\r\n"),
            format!("{secret}\r\n"),
            format!("A={secret}\r\nB=2\r\n"),
        ],
        _ => return None,
    })
}

/// How a secret stands in messages, commands and terminals.
fn in_messages(form: &str, secret: &str) -> Option<Vec<String>> {
    Some(match form {
        "address" => {
            vec![
                format!("https://example.org/a?q={secret}&b=1"),
                format!("https://example.org/a?b=1&q={secret}"),
                format!("https://example.org/a#q={secret}"),
                format!("q%3D{secret}%26b%3D1"),
                format!("[link](https://example.org/?q={secret})"),
            ]
        }
        "header" => vec![
            format!("X-Custom: {secret}\r\nHost: example.org\r\n"),
            format!("curl -H 'X-Custom: {secret}' localhost"),
            format!("> x-custom: {secret}\n< 200"),
        ],
        "shell" => vec![
            format!("run --with '{secret}' | cat"),
            format!("run --with=\"{secret}\"; next"),
            format!("echo {secret} > file"),
            format!("x=$(run {secret})"),
            format!("run `{secret}` && next"),
        ],
        "diff" => vec![
            format!("-old\n+{secret}\n context"),
            format!("@@ -1 +1 @@\n-{secret}\n+new"),
            format!("+    value: \"{secret}\",\n"),
            format!("-  A={secret}\n"),
        ],
        "several lines" => broken(secret),
        "Chinese, Japanese, Korean around" => vec![
            format!("请用{secret}，以后别动生产库"),
            format!("用「{secret}」登录。"),
            format!("キーは{secret}です"),
            format!("키는 {secret}입니다"),
            format!("（{secret}）"),
        ],
        "split by colour codes" => coloured(secret),
        "at the size bound" => at_bound(secret),
        _ => return None,
    })
}

fn cases(form: &str, sample: &Sample) -> Vec<Case> {
    let secret = &sample.text;
    if form == "base64" {
        return encoded(sample);
    }
    let texts = in_files(form, secret).or_else(|| in_messages(form, secret));
    let mut texts = texts.expect("every form is written somewhere");
    if form == "address" && sample.is_joinable {
        texts.push(format!("https://example.org/hook/{secret}/send"));
    }
    plain(texts, sample)
}

fn leaks(case: &Case) -> bool {
    let clean = redact_str(&case.text);
    let pieces: Vec<&[u8]> = case.hidden.as_bytes().windows(PIECE_BYTES).collect();
    let is_whole = clean.as_str().contains(&case.hidden);
    let is_part =
        pieces.iter().any(|piece| memchr::memmem::find(clean.as_str().as_bytes(), piece).is_some());
    is_whole || is_part || !clean.as_str().contains("[redacted:")
}

/// What was found of the samples, by rule and by form.
pub struct Figures {
    pub rules: BTreeMap<String, (usize, usize)>,
    pub forms: BTreeMap<&'static str, (usize, usize)>,
    pub missed: Vec<String>,
}

/// Redacts every sample in every form.
pub fn measure(samples: &[Sample]) -> Figures {
    let mut figures =
        Figures { rules: BTreeMap::new(), forms: BTreeMap::new(), missed: Vec::new() };
    for sample in samples {
        for form in FORMS {
            for case in cases(form, sample) {
                let is_missed = leaks(&case);
                let by_rule = figures.rules.entry(sample.rule.clone()).or_default();
                by_rule.0 += usize::from(!is_missed);
                by_rule.1 += 1;
                let by_form = figures.forms.entry(form).or_default();
                by_form.0 += usize::from(!is_missed);
                by_form.1 += 1;
                if is_missed {
                    figures.missed.push(format!(
                        "{} as {form}: {:?} -> {:?}",
                        sample.rule,
                        case.text,
                        redact_str(&case.text).as_str()
                    ));
                }
            }
        }
    }
    figures
}

/// Three samples of every format, in every form.
pub static OF_FORMATS: LazyLock<Figures> = LazyLock::new(|| measure(&of_formats(3)));
/// Three samples of every shape, in every form.
pub static OF_SHAPES: LazyLock<Figures> = LazyLock::new(|| measure(&of_shapes(3)));

#[track_caller]
fn check_all_found(figures: &Figures) {
    let mut shown = String::new();
    for (form, (found, count)) in &figures.forms {
        writeln!(shown, "{form}: {found} of {count}").unwrap();
    }
    println!("{shown}");
    let first: Vec<&String> = figures.missed.iter().take(40).collect();
    assert!(figures.missed.is_empty(), "{} missed\n{first:#?}", figures.missed.len());
    assert_eq!(figures.forms.len(), FORMS.len());
}

#[test]
fn every_format_is_found_in_each_of_fourteen_forms() {
    assert!(formats().count() >= 150);
    check_all_found(&OF_FORMATS);
}

#[test]
fn every_secret_told_by_its_shape_is_found_in_each_of_fourteen_forms() {
    check_all_found(&OF_SHAPES);
}
