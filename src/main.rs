//! The `continuity` command.

use std::io::Write as _;
use std::process::ExitCode;

use context_continuity::io::wire::ArmedNote;
use context_continuity::io::{cli, hook};

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1).peekable();
    if words.next_if(|word| word == "hook").is_some() {
        std::panic::set_hook(Box::new(|_| {}));
        let armed = ArmedNote::default();
        hook::start_watchdog(armed.clone());
        let arguments = hook::parse_arguments(words);
        hook::answer(arguments, std::io::stdin().lock(), std::io::stdout(), &armed);
        return ExitCode::SUCCESS;
    }
    // What a panic says may hold stored text.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        drop(writeln!(std::io::stderr(), "error: this program failed at {place}"));
    }));
    cli::run(std::env::args_os())
}
