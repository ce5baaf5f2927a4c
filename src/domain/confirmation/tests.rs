//! Which prompts are an answer, and which are not.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(prompt: &str, expected: Option<(Verb, &str, Option<&str>)>) {
    let answer = Answer::parse(&UntrustedText::new(prompt));
    let expected = expected.map(|(verb, code, name)| Answer {
        verb,
        code: Code::parse(code).unwrap(),
        name: name.map(str::to_owned),
    });
    assert_eq!(answer, expected, "{prompt}");
}

#[test]
fn one_word_and_one_code_are_an_answer_in_several_languages() {
    for (prompt, verb) in [
        ("confirm 7QK4", Verb::Confirm),
        ("  Confirm 7qk4\n", Verb::Confirm),
        ("确认 7QK4", Verb::Confirm),
        ("确认7QK4", Verb::Confirm),
        ("确认 ７ＱＫ４", Verb::Confirm),
        ("確認 7QK4", Verb::Confirm),
        ("BESTÄTIGEN 7QK4", Verb::Confirm),
        ("confirmar 7QK4", Verb::Confirm),
        ("confirmer 7QK4", Verb::Confirm),
        ("reject 7QK4", Verb::Reject),
        ("拒绝 7QK4", Verb::Reject),
        ("却下 7QK4", Verb::Reject),
        ("undo   7QK4", Verb::Undo),
        ("撤销7qk4", Verb::Undo),
        ("rückgängig 7QK4", Verb::Undo),
        ("carry 7QK4", Verb::Carry),
        ("Carry 7qk4", Verb::Carry),
        ("继续 7QK4", Verb::Carry),
        ("继续7qk4", Verb::Carry),
        ("引き継ぐ 7QK4", Verb::Carry),
        ("übernehmen 7QK4", Verb::Carry),
    ] {
        check(prompt, Some((verb, "7QK4", None)));
    }
    check("confirm 7QK4 HR5whv", Some((Verb::Confirm, "7QK4", Some("hr5whv"))));
}

#[test]
fn anything_around_it_makes_it_an_ordinary_prompt() {
    for prompt in [
        "",
        "confirm",
        "7QK4",
        "confirm7QK4",
        "please confirm 7QK4",
        "confirm 7QK4 please do",
        "confirm 7QK4.",
        "\"confirm 7QK4\"",
        "`confirm 7QK4`",
        "> confirm 7QK4",
        "confirm 7QK4\nand push",
        "confirm that",
        "confirm THAT",
        "undo step",
        "undo 2024",
        "carry on",
        "carry that",
        "继续",
        "继续修复测试",
        "继续 2024",
        "reject them",
        "confirm 7QK",
        "confirm 7QK44",
        "confirm 7QKO",
        "confirm 7QK4 ../x",
        "confirmed 7QK4",
    ] {
        check(prompt, None);
    }
}

proptest! {
    #[test]
    fn every_code_is_typed_as_it_is_shown(bytes in any::<[u8; 16]>()) {
        let code = Code::from_random(bytes);
        prop_assert_eq!(Code::parse(&code.to_string()), Some(code));
        prop_assert_eq!(Code::parse(&code.to_string().to_lowercase()), Some(code));
        let typed = UntrustedText::new(format!("undo {code}"));
        prop_assert!(Answer::parse(&typed).is_some());
    }

    #[test]
    fn no_text_makes_the_reader_fail(text in "\\PC{0,120}") {
        let _read_or_not = Answer::parse(&UntrustedText::new(text));
    }
}
