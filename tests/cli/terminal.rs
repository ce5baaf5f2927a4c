//! A terminal of its own for a command, without an agent host above it.

use std::process::Output;

use crate::support::{BINARY, TestHome};

/// Starts a command on a terminal of its own, and without this test's own ancestors above it, since
/// an agent may be one of them. What the command asks is answered with the first argument, or with
/// the end of input if that is empty.
const ON_A_TERMINAL: &str = r"
import os, pty, sys, termios
ready, told = os.pipe()
if os.fork() == 0:
    os.setsid()
    middle = os.getpid()
    if os.fork() == 0:
        while os.getppid() == middle: pass
        child, terminal = pty.fork()
        if child == 0:
            mode = termios.tcgetattr(0)
            mode[3] &= ~termios.ECHO
            termios.tcsetattr(0, termios.TCSANOW, mode)
            os.execv(sys.argv[2], sys.argv[2:])
        answer, said = (sys.argv[1] + '\n').encode() if sys.argv[1] else b'\x04', b''
        while True:
            try: piece = os.read(terminal, 65536)
            except OSError: break
            if not piece: break
            os.write(1, piece)
            said += piece
            if said.endswith(b': '): os.write(terminal, answer)
        os.write(told, bytes([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])]))
    os._exit(0)
os.close(told)
sys.exit(os.read(ready, 1)[0])
";

impl TestHome {
    /// Runs the command on a terminal, where a question is answered with `answer`.
    pub fn on_a_terminal(&self, answer: &str, arguments: &[&str]) -> Output {
        let mut command = self.command("python3");
        command.args(["-c", ON_A_TERMINAL, answer, BINARY]).args(arguments);
        command.output().expect("runs python3")
    }

    /// Runs the command on a terminal, started by a program that has the name of an agent host.
    pub fn by_host_on_a_terminal(&self, arguments: &[&str]) -> String {
        let host = self.path("temporary/codex");
        if !host.exists() {
            std::os::unix::fs::symlink("/bin/sh", &host).expect("links");
        }
        let host = host.to_str().expect("text");
        let mut command = self.command("python3");
        command.args(["-c", ON_A_TERMINAL, "", host, "-c", "\"$@\"; exit $?", "sh", BINARY]);
        let output = command.args(arguments).output().expect("runs python3");
        self.shown(&output).replace('\r', "")
    }

    /// Runs the command on a terminal, and returns what a snapshot shows.
    pub fn by_person(&self, arguments: &[&str]) -> String {
        self.answered_by_person("", arguments)
    }

    /// The same, where a question is answered with `answer`.
    pub fn answered_by_person(&self, answer: &str, arguments: &[&str]) -> String {
        self.shown(&self.on_a_terminal(answer, arguments)).replace('\r', "")
    }
}
