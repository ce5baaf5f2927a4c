//! A payload that reaches a hook in two pieces: no border within the secret lets it through.

use std::io::Write as _;

use crate::support::{Event, TestHome, scan};

const SECRET: &str = "hunter2-Zq9vK3xW7c";
const PROMPT: &str = "Use password hunter2-Zq9vK3xW7c for the staging db, and from now on never \
                      touch prod.";

// field case F044
#[test]
fn a_secret_that_arrives_in_two_pieces_is_on_no_disk_and_the_constraint_is_kept() {
    let home = TestHome::new();
    for border in 0..=SECRET.len() {
        let bytes = home.placed(&Event::prompt(&format!("t{border}"), PROMPT)).bytes();
        let at = memchr::memmem::find(&bytes, SECRET.as_bytes()).unwrap();
        let (first, second) = bytes.split_at(at + border);
        let mut child = home.command().spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(first).unwrap();
        pipe.flush().unwrap();
        std::thread::yield_now();
        pipe.write_all(second).unwrap();
        drop(pipe);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "border {border}");
        for bytes in [&output.stdout, &output.stderr] {
            assert!(!scan::contains(bytes, SECRET.as_bytes()), "border {border}");
        }
        let hits = scan::files_with(home.place(), SECRET);
        assert!(hits.is_empty(), "border {border}: {hits:?}");
    }
    let (folded, texts) = home.read();
    let kept = folded.state.quotes.values().filter_map(|quote| texts.quote(&quote.draft.body));
    let words: Vec<String> = kept.map(|quote| quote.words.as_str().to_owned()).collect();
    assert!(words.iter().any(|words| words.contains("never touch prod")), "{words:?}");
}
