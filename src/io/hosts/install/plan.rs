//! What a hook file is to become: the merge.
//!
//! Taking out needs no memory of what was there: how our parts were put in tells it. Into brackets
//! that were empty, our part goes directly behind the opening one; brackets that we made begin with
//! white space. So brackets that begin with white space and held only our parts go with them, and
//! all others stay.

use std::ops::Range;

use super::InstallError;
use super::change::{Edit, Plan, difference, edited};
use super::document::{self, Member, Node};
use super::launcher::{Launcher, is_ours};
use super::layout::{self, Layout};
use crate::io::hosts::{EventSpec, HostSpec};

const HOOKS: &str = "hooks";

/// Returns what the hook file becomes when our hooks are put in, or brought up to date in place.
///
/// `existing` is the file's text, `None` if there is no file. Entries of others keep their bytes,
/// order and place; ours that are already there keep their place, since hosts bind trust to it.
///
/// # Errors
/// [`InstallError`], if the file is not what the host reads; then nothing is to be changed.
pub fn plan_install(
    spec: &HostSpec,
    existing: Option<&str>,
    launcher: &Launcher,
) -> Result<Plan, InstallError> {
    let parts = Parts { spec, launcher };
    let text = existing.unwrap_or_default();
    if text.trim_ascii().is_empty() {
        let end = if existing.is_none() { "\n" } else { "" };
        let layout = Layout::document();
        let object = layout.object(HOOKS, &parts.new_members(&layout.inner()));
        let new_text = format!("{text}{{\n  {object}\n}}{end}");
        return Ok(finished(existing, Some(new_text), Vec::new()));
    }
    let root = document::parse(text)?;
    let mut edits = Vec::new();
    match root.get(HOOKS) {
        None => edits.push(parts.hooks_added(text, &root)),
        Some(hooks) => parts.merge(text, hooks, &mut edits)?,
    }
    Ok(finished(existing, Some(edited(text, &mut edits)), unknown_keys(spec, &root)))
}

/// Returns what the hook file becomes when our hooks are taken out.
///
/// # Errors
/// [`InstallError`], if the file cannot be understood; then nothing is to be changed.
pub fn plan_uninstall(spec: &HostSpec, existing: Option<&str>) -> Result<Plan, InstallError> {
    let text = existing.unwrap_or_default();
    if text.trim_ascii().is_empty() {
        return Ok(finished(existing, existing.map(str::to_owned), Vec::new()));
    }
    let root = document::parse(text)?;
    let members = root.members().unwrap_or_default();
    let keeps_nothing = |member: &Member| {
        member.key == HOOKS && empties(text, &member.value, &|event| is_emptied(spec, text, event))
    };
    let unknown = unknown_keys(spec, &root);
    if empties(text, &root, &keeps_nothing) {
        let around = (text.get(..root.span.start), text.get(root.span.end..));
        let new_text = match (around.0.unwrap_or_default(), around.1.unwrap_or_default()) {
            ("", "\n") => None,
            (before, after) => Some(format!("{before}{after}")),
        };
        return Ok(finished(existing, new_text, unknown));
    }
    let mut edits = removals(members.iter().map(|it| (it.span(), keeps_nothing(it))));
    if let Some(hooks) = members.iter().find(|it| it.key == HOOKS && !keeps_nothing(it)) {
        let events = hooks.value.members().unwrap_or_default();
        edits.extend(removals(events.iter().map(|it| (it.span(), is_emptied(spec, text, it)))));
        for event in events.iter().filter(|it| !is_emptied(spec, text, it)) {
            edits.extend(handler_removals(spec, &event.value, &|_| true));
        }
    }
    Ok(finished(existing, Some(edited(text, &mut edits)), unknown))
}

fn finished(old: Option<&str>, new_text: Option<String>, unknown_keys: Vec<String>) -> Plan {
    let diff = difference(old.unwrap_or_default(), new_text.as_deref().unwrap_or_default());
    Plan { old_text: old.map(str::to_owned), new_text, diff, unknown_keys }
}

fn unknown_keys(spec: &HostSpec, root: &Node) -> Vec<String> {
    let Some(known) = spec.hook_file.other_keys else {
        return Vec::new();
    };
    let keys = root.members().unwrap_or_default().iter().map(|member| &member.key);
    keys.filter(|key| *key != HOOKS && !known.contains(&key.as_str())).cloned().collect()
}

/// Tells whether an object that we made holds only members that go.
fn empties(text: &str, object: &Node, goes: &dyn Fn(&Member) -> bool) -> bool {
    let members = object.members().unwrap_or_default();
    !members.is_empty() && begins_with_space(text, object) && members.iter().all(goes)
}

/// Tells whether an event's list was made by us and holds only our groups.
fn is_emptied(spec: &HostSpec, text: &str, event: &Member) -> bool {
    let groups = event.value.elements().unwrap_or_default();
    !groups.is_empty()
        && begins_with_space(text, &event.value)
        && groups.iter().all(|group| is_group_ours(spec, group))
}

fn begins_with_space(text: &str, node: &Node) -> bool {
    let inner = text.as_bytes().get(node.span.start + 1);
    inner.is_some_and(u8::is_ascii_whitespace)
}

fn handlers(group: &Node) -> &[Node] {
    group.get(HOOKS).and_then(Node::elements).unwrap_or_default()
}

fn is_handler_ours(spec: &HostSpec, handler: &Node) -> bool {
    let command = handler.get("command").and_then(Node::text);
    command.is_some_and(|command| is_ours(command, spec.host))
}

fn is_group_ours(spec: &HostSpec, group: &Node) -> bool {
    let all = handlers(group);
    !all.is_empty() && all.iter().all(|handler| is_handler_ours(spec, handler))
}

/// Takes out those of our handlers that `goes` names, and groups that held nothing else.
fn handler_removals(spec: &HostSpec, event: &Node, goes: &dyn Fn(&Node) -> bool) -> Vec<Edit> {
    let groups = event.elements().unwrap_or_default();
    let handler_goes = |handler: &Node| is_handler_ours(spec, handler) && goes(handler);
    let group_goes =
        |group: &Node| !handlers(group).is_empty() && handlers(group).iter().all(handler_goes);
    let mut edits = removals(groups.iter().map(|it| (it.span.clone(), group_goes(it))));
    for group in groups.iter().filter(|group| !group_goes(group)) {
        let parts = handlers(group).iter();
        edits.extend(removals(parts.map(|it| (it.span.clone(), handler_goes(it)))));
    }
    edits
}

/// Takes parts out of a list, each run of them with the comma that it needs no more.
fn removals(parts: impl Iterator<Item = (Range<usize>, bool)>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut kept_end = None;
    let mut run: Option<Range<usize>> = None;
    for (span, goes) in parts {
        if goes {
            let start = kept_end.or(run.as_ref().map(|run| run.start)).unwrap_or(span.start);
            run = Some(start..span.end);
        } else {
            edits.extend(run.take().map(|run| match kept_end {
                Some(_) => Edit::removal(run),
                None => Edit::removal(run.start..span.start),
            }));
            kept_end = Some(span.end);
        }
    }
    edits.extend(run.map(Edit::removal));
    edits
}

/// What is put in: the row of the host and the command to call.
struct Parts<'a> {
    spec: &'a HostSpec,
    launcher: &'a Launcher,
}

impl Parts<'_> {
    fn events(&self) -> impl Iterator<Item = (&'static EventSpec, u32)> {
        let events = self.spec.events.iter();
        events.filter_map(|event| Some((event, event.timeout_seconds?)))
    }

    /// Returns a handler's keys with their values as JSON.
    fn handler(&self, timeout_seconds: u32) -> Vec<(&'static str, String)> {
        let quoted = |text: String| serde_json::Value::String(text).to_string();
        let command = quoted(self.launcher.command(self.spec.host));
        let mut keys = vec![("type", "\"command\"".to_owned()), ("command", command)];
        if let Some(command) = self.launcher.command_windows(self.spec.host) {
            keys.push(("commandWindows", quoted(command)));
        }
        keys.push(("timeout", timeout_seconds.to_string()));
        keys
    }

    fn group(&self, timeout_seconds: u32) -> String {
        let keys = self.handler(timeout_seconds);
        let keys: Vec<_> = keys.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
        format!("{{\"hooks\": [{{{}}}]}}", keys.join(", "))
    }

    fn new_members(&self, layout: &Layout) -> Vec<String> {
        self.events()
            .map(|(event, seconds)| layout.list(event.wire, &self.group(seconds)))
            .collect()
    }

    fn hooks_added(&self, text: &str, root: &Node) -> Edit {
        let members = root.members().unwrap_or_default();
        let spans: Vec<_> = members.iter().map(Member::span).collect();
        let (at, lead) = layout::place(text, root, &spans);
        let layout = if spans.is_empty() { Layout::document() } else { Layout::after(&lead) };
        let object = layout.object(HOOKS, &self.new_members(&layout.inner()));
        Edit::insertion(at, lead + &object)
    }

    /// Brings an existing `hooks` object up to date.
    fn merge(&self, text: &str, hooks: &Node, edits: &mut Vec<Edit>) -> Result<(), InstallError> {
        let unexpected =
            |place: &str, wanted| InstallError::Unexpected { place: place.to_owned(), wanted };
        let members = hooks.members().ok_or_else(|| unexpected(HOOKS, "an object"))?;
        let mut missing = Vec::new();
        for (event, seconds) in self.events() {
            let Some(list) = hooks.get(event.wire) else {
                missing.push((event, seconds));
                continue;
            };
            let place = format!("hooks.{}", event.wire);
            let groups = list.elements().ok_or_else(|| unexpected(&place, "a list"))?;
            for group in groups {
                let parts = group.get(HOOKS).and_then(Node::elements);
                parts.ok_or_else(|| unexpected(&place, "a list of hook groups"))?;
            }
            self.merge_event(text, list, seconds, edits);
        }
        let is_known = |member: &Member| self.events().any(|(event, _)| event.wire == member.key);
        let goes = |it: &Member| !is_known(it) && is_emptied(self.spec, text, it);
        edits.extend(removals(members.iter().map(|it| (it.span(), goes(it)))));
        for stale in members.iter().filter(|it| !is_known(it) && !goes(it)) {
            edits.extend(handler_removals(self.spec, &stale.value, &|_| true));
        }
        if !missing.is_empty() {
            let spans: Vec<_> = members.iter().map(Member::span).collect();
            let (at, lead) = layout::place(text, hooks, &spans);
            let layout = Layout::after(&lead);
            let added: Vec<_> = missing
                .iter()
                .map(|(event, seconds)| layout.list(event.wire, &self.group(*seconds)))
                .collect();
            let is_first = members.iter().all(goes);
            let lead = if is_first { lead.trim_start_matches(',').to_owned() } else { lead };
            edits.push(Edit::insertion(at, lead + &added.join(&layout.separator())));
        }
        Ok(())
    }

    /// Brings our first handler of an event up to date, drops the others, or adds one.
    fn merge_event(&self, text: &str, list: &Node, seconds: u32, edits: &mut Vec<Edit>) {
        let groups = list.elements().unwrap_or_default();
        let all = groups.iter().flat_map(handlers);
        let Some(first) = all.into_iter().find(|it| is_handler_ours(self.spec, it)) else {
            let spans: Vec<_> = groups.iter().map(|group| group.span.clone()).collect();
            let (at, lead) = layout::place(text, list, &spans);
            edits.push(Edit::insertion(at, lead + &self.group(seconds)));
            return;
        };
        for (key, wanted) in self.handler(seconds) {
            match first.get(key) {
                Some(value) if text.get(value.span.clone()) == Some(&wanted) => {}
                Some(value) => edits.push(Edit { range: value.span.clone(), text: wanted }),
                None => {
                    let end = first.members().and_then(<[_]>::last).map(|last| last.value.span.end);
                    let at = end.unwrap_or(first.span.start + 1);
                    edits.push(Edit::insertion(at, format!(", \"{key}\": {wanted}")));
                }
            }
        }
        let goes = |handler: &Node| handler.span != first.span;
        edits.extend(handler_removals(self.spec, list, &goes));
    }
}
