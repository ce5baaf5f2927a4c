//! Who may name whom: `domain` nobody, `readmodels` the domain, `io` both, `actors` both but never
//! an adapter.

use super::repository::{Source, fail_on, files};
use super::tokens::{self, Token};

const LAYERS: [&str; 4] = ["domain", "readmodels", "io", "actors"];

/// What a pure layer must not touch: the world, other processes, the clock, chance.
const IMPURE: [&str; 13] = [
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::time::SystemTime",
    "std::time::Instant",
    "tokio",
    "ractor",
    "cap_std",
    "rustix",
    "getrandom",
    "indicatif",
];

/// The places in `io` that join adapters and actors.
const JOINTS: [&str; 3] = ["wire", "cli", "mcp"];

/// Returns the module path of a file below `src`: `domain/task/mod.rs` is `[domain, task]`.
fn module_path(path: &str) -> Vec<String> {
    let below = path.trim_start_matches("src/").trim_end_matches(".rs");
    let mut parts: Vec<String> = below.split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        parts.pop();
    }
    parts
}

/// A path as written, expanded out of its braces, with the inline modules around it.
struct Mention {
    parts: Vec<String>,
    inside: Vec<String>,
    line: usize,
}

/// Lists every path of two words or more, and what `use` takes in.
fn mentions(tokens: &[Token]) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut blocks: Vec<Option<String>> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        let is_inline_module =
            token.text == "mod" && tokens.get(at + 2).is_some_and(|third| third.text == "{");
        if is_inline_module {
            blocks.push(Some(tokens[at + 1].text.clone()));
            at += 3;
            continue;
        }
        match token.text.as_str() {
            "{" => blocks.push(None),
            "}" => {
                blocks.pop();
            }
            _ if starts_path(tokens, at) => {
                let mut paths = Vec::new();
                let end = expand(tokens, at, &[], &mut paths);
                let inside: Vec<String> = blocks.iter().flatten().cloned().collect();
                found.extend(paths.into_iter().map(|parts| Mention {
                    parts,
                    inside: inside.clone(),
                    line: token.line,
                }));
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn starts_path(tokens: &[Token], at: usize) -> bool {
    let is_next = |text: &str| tokens.get(at + 1).is_some_and(|next| next.text == text);
    let is_used = at > 0 && tokens[at - 1].text == "use";
    tokens[at].is_word() && (is_next("::") || is_used)
}

/// Reads one path from `at`, adds what it stands for to `paths`, and returns where it ends.
fn expand(
    tokens: &[Token],
    mut at: usize,
    prefix: &[String],
    paths: &mut Vec<Vec<String>>,
) -> usize {
    let text = |index: usize| tokens.get(index).map_or("", |token| token.text.as_str());
    let mut parts = prefix.to_vec();
    loop {
        parts.push(text(at).to_owned());
        at += 1;
        if text(at) != "::" {
            break;
        }
        at += 1;
        if text(at) == "{" {
            at += 1;
            while at < tokens.len() && text(at) != "}" {
                at = if text(at) == "," { at + 1 } else { expand(tokens, at, &parts, paths) };
            }
            return at + 1;
        }
        if !tokens.get(at).is_some_and(|next| next.is_word() || next.text == "*") {
            break;
        }
    }
    if text(at) == "as" {
        at += 2;
    }
    paths.push(parts);
    at
}

/// Resolves `crate`, `self` and `super`; other paths stay as they are, marked as foreign.
fn resolve(module: &[String], mention: &Mention) -> Result<Vec<String>, Vec<String>> {
    let mut base: Vec<String> = module.iter().chain(&mention.inside).cloned().collect();
    let mut rest = mention.parts.as_slice();
    match rest.first().map(String::as_str) {
        Some("crate" | "context_continuity") => base.clear(),
        Some("self" | "super") => {
            while let Some("super") = rest.first().map(String::as_str) {
                base.pop();
                rest = &rest[1..];
            }
            base.extend(rest.iter().filter(|part| *part != "self").cloned());
            return Ok(base);
        }
        _ => return Err(mention.parts.clone()),
    }
    base.extend(rest[1..].iter().cloned());
    Ok(base)
}

/// Says why a module must not name another one of ours, if so.
fn is_allowed(module: &[String], target: &str) -> bool {
    let layer = module[0].as_str();
    let is_joint = module.get(1).is_some_and(|part| JOINTS.contains(&part.as_str()));
    match layer {
        "domain" => target == "domain",
        "readmodels" => ["domain", "readmodels"].contains(&target),
        "actors" => ["domain", "readmodels", "actors"].contains(&target),
        _ => target != "actors" || is_joint,
    }
}

/// Lists the arrows of one file that must not be.
fn wrong_arrows(source: &Source) -> Vec<String> {
    let module = module_path(&source.path);
    let Some(layer) = module.first() else { return Vec::new() };
    if !LAYERS.contains(&layer.as_str()) {
        return vec![format!("{} belongs to no layer", source.path)];
    }
    let is_pure = ["domain", "readmodels"].contains(&layer.as_str());
    let tokens = tokens::read(&source.text);
    let mut complaints = Vec::new();
    for mention in mentions(&tokens) {
        let complaint = match resolve(&module, &mention) {
            Ok(target) => target
                .first()
                .filter(|first| LAYERS.contains(&first.as_str()) && !is_allowed(&module, first))
                .map(|first| format!("{layer} must not name {first}")),
            Err(foreign) => IMPURE
                .iter()
                .find(|impure| is_pure && is_below(&foreign, impure))
                .map(|impure| format!("{layer} must not use {impure}")),
        };
        complaints.extend(complaint.map(|why| format!("{}:{}: {why}", source.path, mention.line)));
    }
    if is_pure {
        let waits = tokens.iter().filter(|token| ["async", "await"].contains(&token.text.as_str()));
        complaints.extend(
            waits.map(|token| format!("{}:{}: {layer} must not wait", source.path, token.line)),
        );
    }
    complaints
}

fn is_below(path: &[String], prefix: &str) -> bool {
    prefix.split("::").enumerate().all(|(index, part)| path.get(index).is_some_and(|p| p == part))
}

#[test]
fn arrows_between_layers_point_one_way() {
    let sources = files("src", "rs");
    let complaints: Vec<String> = sources.iter().flat_map(wrong_arrows).collect();
    fail_on(&complaints);
}

#[track_caller]
fn check(path: &str, text: &str, expected: &[&str]) {
    let source = Source { path: path.to_owned(), text: text.to_owned() };
    assert_eq!(wrong_arrows(&source), expected);
}

#[test]
fn an_arrow_out_of_the_domain_is_found_in_every_spelling() {
    let path = "src/domain/task/decide.rs";
    check(path, "use crate::io::fs;", &["src/domain/task/decide.rs:1: domain must not name io"]);
    check(
        path,
        "use crate::{\n domain::ids, actors::{task}};",
        &["src/domain/task/decide.rs:1: domain must not name actors"],
    );
    check(
        path,
        "fn f() { super::super::super::io::fs::open() }",
        &["src/domain/task/decide.rs:1: domain must not name io"],
    );
    check(
        path,
        "use std::{fmt, fs};\nuse tokio as runtime;",
        &[
            "src/domain/task/decide.rs:1: domain must not use std::fs",
            "src/domain/task/decide.rs:2: domain must not use tokio",
        ],
    );
    check(path, "async fn f() {}", &["src/domain/task/decide.rs:1: domain must not wait"]);
}

#[test]
fn what_is_allowed_raises_no_complaint() {
    let inner = "#[cfg(test)] mod tests { use super::super::ids::TaskRef; }\n// use crate::io::fs;";
    check("src/domain/text.rs", inner, &[]);
    check("src/readmodels/view.rs", "use crate::domain::ids;", &[]);
    check("src/io/wire.rs", "use crate::actors::task;", &[]);
    check("src/io/cli/view.rs", "use crate::actors::task;", &[]);
    check("src/main.rs", "use context_continuity::actors::task;", &[]);
    check("src/actors/task.rs", "use std::thread; use ractor::Actor;", &[]);
}

#[test]
fn adapters_do_not_name_actors_and_actors_do_not_name_adapters() {
    let named = "src/io/hook.rs:1: io must not name actors";
    check("src/io/hook.rs", "use crate::actors::task;", &[named]);
    let named = "src/actors/task.rs:1: actors must not name io";
    check("src/actors/task.rs", "use crate::io::ledger;", &[named]);
    let named = "src/readmodels/view.rs:1: readmodels must not name io";
    check("src/readmodels/view.rs", "use super::super::io;", &[named]);
    check("src/other/x.rs", "", &["src/other/x.rs belongs to no layer"]);
}
