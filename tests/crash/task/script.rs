//! What the host, the agent and a person do to two tasks.

use context_continuity::domain::confirmation::Verb;
use context_continuity::domain::host_event::StartSource;
use context_continuity::domain::task::item::ItemKind;
use context_continuity::domain::task::transition::Arrival;

/// A text that only the second task holds.
pub const DELETED_TEXT: &str = "zebra crossing";

/// A text whose body is erased.
pub const ERASED_TEXT: &str = "walrus ledger";

/// Prompts in a row without a boundary: more than one checkpoint is apart from the next.
pub const PROMPTS_IN_A_ROW: usize = 66;

/// Which task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    First,
    Second,
}

/// What is done.
#[derive(Debug, Clone, Copy)]
pub enum Do {
    /// Names the session, binds it to the task, and creates the task's directories.
    Bind(Which, &'static str),
    /// Binds a session again, whatever it was bound to.
    Rebind(Which, &'static str),
    Prompt(&'static str),
    /// A prompt, and the model that answers.
    PromptTo(&'static str, &'static str),
    Start(StartSource),
    PreCompact,
    PostCompact,
    ChildStart,
    ChildStop,
    Stop,
    End,
    /// An operator records an item.
    Record(ItemKind, &'static str),
    /// The agent records an item.
    Infer(ItemKind, &'static str),
    /// Replaces the item of this number.
    Correct(u32, &'static str),
    Contest(u32, u32),
    Withdraw(u32),
    CloseQuote,
    Propose(u32, &'static str),
    Confirm(u32),
    /// The user types an answer to the proposal of this number.
    Answer(Verb, u32),
    Reject(u32),
    Switch(bool),
    Reset,
    /// Notes that an event could not be recorded.
    LeaveNote,
    /// Accepts the log as it is, at the ledger and as an event.
    AcceptRollback,
    /// Removes the body of the item that was recorded in this step.
    Erase(usize),
    /// Somebody's half-written bytes at the end of the log.
    Tear,
    /// A temporary file that nobody renamed for an hour.
    Litter,
    Sweep,
    Delete(Which),
    FinishDeletes,
}

/// One step, and the world around it.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    pub act: Do,
    pub on: Which,
    /// The session that reports.
    pub session: &'static str,
    /// The commit that HEAD names.
    pub commit: u8,
    /// Whether an offer is found in the transcript.
    pub arrival: Arrival,
    /// Whether the process of the step before goes on, as a server does and a hook does not.
    pub is_same_process: bool,
}

struct Script {
    steps: Vec<Step>,
    next: Step,
}

impl Script {
    fn then(&mut self, act: Do) -> &mut Self {
        self.steps.push(Step { act, ..self.next });
        self
    }

    fn each(&mut self, acts: impl IntoIterator<Item = Do>) -> &mut Self {
        for act in acts {
            self.then(act);
        }
        self
    }

    fn at(&mut self, commit: u8) -> &mut Self {
        self.next.commit = commit;
        self
    }
}

/// Returns the script: more than sixty commands, and every path that writes.
pub fn script() -> Vec<Step> {
    let mut script = Script {
        steps: Vec::new(),
        next: Step {
            act: Do::Stop,
            on: Which::First,
            session: "one",
            commit: 1,
            arrival: Arrival::NotFound,
            is_same_process: false,
        },
    };
    begin(&mut script);
    boundaries(&mut script);
    manage(&mut script);
    second_task(&mut script);
    many_prompts(&mut script);
    script.steps
}

fn begin(script: &mut Script) {
    script.each([
        Do::Bind(Which::First, "one"),
        Do::Prompt("please look at the parser"),
        Do::PromptTo("Never push to main.", "large"),
        Do::Prompt("ok"),
        Do::Record(ItemKind::Goal, "make the parser bounded"),
        Do::Record(ItemKind::Constraint, ERASED_TEXT),
        Do::Infer(ItemKind::Fact, "the parser has two callers"),
        Do::Infer(ItemKind::Decision, "read in steps of one page"),
        Do::Correct(4, "read in steps of two pages"),
        Do::Withdraw(2),
        Do::Erase(5),
        Do::Infer(ItemKind::NextAction, "write the bound test"),
        Do::Contest(3, 5),
    ]);
    script.next.is_same_process = true;
    script.each([
        Do::Propose(1, "the release waits for a yes"),
        Do::Confirm(1),
        Do::Propose(2, "rename the crate"),
        Do::Reject(2),
        Do::Propose(3, "the crate keeps its name"),
        Do::Stop,
        Do::Answer(Verb::Confirm, 3),
        Do::Answer(Verb::Confirm, 9),
        Do::Answer(Verb::Undo, 3),
        Do::Prompt("From now on never touch the prod database."),
    ]);
    script.next.is_same_process = false;
}

fn boundaries(script: &mut Script) {
    let compact = Do::Start(StartSource::Compact);
    script.each([Do::PreCompact, compact, Do::PostCompact]);
    script.each([Do::Prompt("and now the tests"), Do::Prompt("run them"), Do::Prompt("fine")]);
    script.each([Do::PreCompact, Do::PostCompact, compact]);
    script.at(2).each([Do::Stop, Do::Prompt("Don't add any new dependencies.")]);
    script.each([Do::PreCompact, compact, Do::PostCompact]);
    script.next.arrival = Arrival::Found;
    script.each([Do::Prompt("go on with it"), Do::ChildStart, Do::ChildStop]);
    script.then(Do::PromptTo("what is left to do", "small"));
    script.at(3).each([Do::PreCompact, Do::PostCompact, compact, Do::Tear]);
    script.each([Do::Prompt("Every commit must be signed off."), Do::PreCompact, compact]);
    script.each([Do::PreCompact, Do::PostCompact, Do::Prompt("hello again"), Do::End]);
    script.next.session = "three";
    script.each([Do::Bind(Which::First, "three"), Do::Start(StartSource::Resume)]);
    script.then(Do::Prompt("The migration scripts are off limits."));
}

fn manage(script: &mut Script) {
    script.each([
        Do::LeaveNote,
        Do::LeaveNote,
        Do::Prompt("You may only edit files under src/ui."),
        Do::Prompt("Leave package-lock.json alone."),
        Do::Prompt("The legacy tests must never change."),
        Do::CloseQuote,
        Do::Switch(false),
        Do::Switch(true),
        Do::AcceptRollback,
        Do::Rebind(Which::First, "one"),
        Do::Litter,
        Do::Sweep,
    ]);
}

fn second_task(script: &mut Script) {
    let first = script.next;
    script.next = Step { on: Which::Second, session: "two", ..first };
    script.each([
        Do::Bind(Which::Second, "two"),
        Do::Prompt("Never touch the zebra crossing."),
        Do::Record(ItemKind::Goal, DELETED_TEXT),
        Do::PreCompact,
        Do::Start(StartSource::Compact),
        Do::LeaveNote,
        Do::Delete(Which::Second),
        Do::FinishDeletes,
    ]);
    script.next = first;
}

fn many_prompts(script: &mut Script) {
    script.each([Do::Reset, Do::Prompt("Never rename the public types.")]);
    script.next.is_same_process = true;
    for _ in 0..PROMPTS_IN_A_ROW {
        script.then(Do::Prompt("next"));
    }
    script.next.is_same_process = false;
    script.each([Do::Prompt("last"), Do::PreCompact, Do::Start(StartSource::Compact), Do::End]);
}
