//! The guide to confirming shows what happens: each of its lines is played, in order.

use crate::support::{BINARY, TestHome};

const GUIDE: &str = include_str!("../../docs/guides/confirm.md");
/// The guide's own task.
const TASK: &str = "k3v7qdabcdefghijklmnopqrst";

/// One thing that the guide shows: what is done, and what is answered.
struct Step {
    done: String,
    answered: String,
}

fn is_done(line: &str) -> bool {
    ["$ ", "agent$ ", "you> ", "(end of turn)"].iter().any(|mark| line.starts_with(mark))
}

fn steps() -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for block in GUIDE.split("```").skip(1).step_by(2) {
        for line in block.lines().skip(1) {
            if is_done(line) {
                steps.push(Step { done: line.to_owned(), answered: String::new() });
            } else {
                let step = steps.last_mut().expect("an answer follows something that is done");
                step.answered.push_str(line);
                step.answered.push('\n');
            }
        }
    }
    steps
}

/// Splits a command line; only double quotes are known.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// The line for the user in a hook's answer.
fn notice(output: &std::process::Output) -> String {
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an answer");
    answer["systemMessage"].as_str().expect("a line for the user").to_owned()
}

struct Player {
    home: TestHome,
    task: String,
    /// The newest code that was shown.
    code: String,
    turn: u32,
}

impl Player {
    fn play(&mut self, done: &str) -> String {
        let code = regex::Regex::new("(confirm|reject|undo) [2-9A-Z]{4}").expect("a pattern");
        let done = done.replace(TASK, &self.task).replace(&TASK[..6], &self.task[..6]);
        let done = code.replace_all(&done, format!("$1 {}", self.code)).into_owned();
        let answered = self.answer(&done);
        if let Some(shown) = code.find(&answered) {
            let code = shown.as_str().rsplit(' ').next().expect("a code");
            self.code = String::from(code);
        }
        answered.replace('\r', "").replace(&self.task, TASK).replace(&self.task[..6], &TASK[..6])
    }

    fn answer(&mut self, done: &str) -> String {
        self.turn += 1;
        let (turn, project) = (self.turn, self.home.path("project"));
        if let Some(line) = done.strip_prefix("agent$ continuity ") {
            let output = self.home.command(BINARY).args(words(line)).output().expect("runs");
            assert!(output.status.success(), "{output:?}");
            return String::from_utf8(output.stdout).expect("text");
        }
        if let Some(line) = done.strip_prefix("$ continuity ") {
            let words = words(line);
            let words: Vec<_> = words.iter().map(String::as_str).collect();
            return String::from_utf8(self.home.on_a_terminal("", &words).stdout).expect("text");
        }
        let more = match done.strip_prefix("you> ") {
            Some(prompt) => {
                let prompt = serde_json::Value::from(prompt);
                format!(r#","turn_id":"{turn}","prompt":{prompt}"#)
            }
            None => format!(
                r#","turn_id":"{turn}","stop_hook_active":false,"last_assistant_message":"Done.""#
            ),
        };
        let event = if done.starts_with("you> ") { "UserPromptSubmit" } else { "Stop" };
        notice(&self.home.hear("one", &project, event, &more))
    }
}

#[test]
fn every_line_of_the_guide_to_confirming_happens_as_shown() {
    let home = TestHome::new();
    home.prompt("one", "project", 1, "Please fix the failing test.");
    let task = home.tasks()[0].clone();
    let mut player = Player { home, task, code: String::new(), turn: 1 };
    let steps = steps();
    assert_eq!(steps.len(), 11, "what the guide shows");
    for Step { done, answered } in steps {
        let happened = player.play(&done);
        let happened = player.home.filtered(&happened);
        assert_eq!(happened.trim_end(), player.home.filtered(&answered).trim_end(), "{done}");
    }
}
