//! Acts are typed only where the words leave no doubt.

use super::*;
use crate::domain::act::Act::{self, Delete, Deploy, Install, Migrate, Publish, Push, Reset};
use crate::domain::task::quote::Stance::{self, Allowed, Forbidden, NeedsYes};

#[track_caller]
fn check(text: &str, act: Act, target: Option<&str>, stance: Stance) {
    let found = act_of(text).unwrap_or_else(|| panic!("no act in {text}"));
    let spelled = found.target.as_ref().map(Redacted::as_str);
    assert_eq!((found.act, spelled, found.stance), (act, target, stance), "{text}");
}

#[test]
fn what_is_forbidden_in_plain_words_is_typed() {
    for (text, act, target) in [
        ("never push to main", Push, Some("main")),
        ("Don't push yet.", Push, None),
        ("dont push anything today", Push, None),
        ("you may not push", Push, None),
        ("You must never deploy to production.", Deploy, Some("production")),
        ("do not delete any files", Delete, None),
        ("never drop the staging db", Reset, Some("staging")),
        ("don't install anything", Install, None),
        ("Never migrate the prod database.", Migrate, Some("prod")),
        ("please don't publish the package to npm", Publish, Some("npm")),
        ("不要发布到 npm", Publish, Some("npm")),
        ("不许部署到生产环境", Deploy, Some("生产环境")),
        ("别删数据库", Delete, None),
        ("niemals pushen", Push, None),
        ("ne pousse jamais sur main", Push, Some("main")),
        ("nunca borres la base de datos", Delete, None),
        ("データを削除しないで", Delete, None),
    ] {
        check(text, act, target, Forbidden);
    }
}

// field case F007
#[test]
fn what_waits_for_a_yes_is_typed_so() {
    for (text, act, target) in [
        ("Don't deploy until I say so.", Deploy, None),
        ("show me the diff and wait for my yes before you push", Push, None),
        ("ask me before you deploy to staging", Deploy, Some("staging")),
        ("never delete a branch without my approval", Delete, None),
        ("没有我的同意不要部署", Deploy, None),
        ("推送前先给我看", Push, None),
        ("no push to main without my ok", Push, Some("main")),
    ] {
        check(text, act, target, NeedsYes);
    }
}

#[test]
fn what_is_allowed_in_plain_words_is_typed() {
    for (text, act, target) in [
        ("You can push to Feat-1 now.", Push, Some("Feat-1")),
        ("Yes, you may reset the staging db.", Reset, Some("staging")),
        ("You have my permission to delete the old branch.", Delete, None),
        ("go ahead and deploy to staging", Deploy, Some("staging")),
        ("feel free to install ripgrep", Install, None),
    ] {
        check(text, act, target, Allowed);
    }
}

#[test]
fn what_could_be_read_in_two_ways_has_no_act() {
    for text in [
        "never touch the deploy script",
        "should I push?",
        "if the tests pass you can push or deploy",
        "You may push to the branch but never to main.",
        "push notifications are broken",
        "continue",
        "> never push to main",
        "Never push and never deploy.",
        "don't push yet, just explain how push works",
        "I'm pushing my luck here",
        "don't push your luck",
        "you can push the divider to the left",
        "delete the variable",
        "never delete comments",
        "you may remove the unused import",
        "don't remove the null check",
        "push is fine once CI is green",
        "you can push when the tests are green",
        "don't deploy if the build is red",
        "you may push only to feat-1",
        "after the release you may deploy",
        "can you push without a remote?",
        "how do I deploy to staging",
        "never release the lock twice",
        "don't drop the last character",
        "don't reset the form",
        "the push button must not be red",
        "bob said we should never push to main",
        "don't message the thread from the worker",
        "pay attention, never guess",
        "you can buy me a coffee",
        "```\nnever push\n```",
        "就算 CI 绿了也别问我，怎么推送",
        "CI 通过之后才能推送",
        "如果测试过了就可以部署",
        "不要删测试用例",
        "删除按钮不要改",
        "不能推送吗？",
    ] {
        assert_eq!(act_of(text), None, "{text}");
    }
}
