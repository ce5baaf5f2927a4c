//! Tasks that go back to one another, and so may hold copies of the same words.

use super::which::Candidate;
use crate::domain::ids::TaskRef;
use crate::domain::task::TaskState;
use crate::io::wire::Home;

/// Another task of the same lineage, or one of which that is not known.
#[derive(Debug)]
pub(super) struct Relative {
    /// The task.
    pub task: TaskRef,
    /// How it belongs here.
    pub how: &'static str,
    /// Where its work was last seen.
    pub folder: Option<String>,
}

/// Returns the tasks of the lineage, each once, and those that cannot be read.
pub(super) fn relatives(home: &Home, task: TaskRef) -> Vec<Relative> {
    let tasks = home.root().tasks().unwrap_or_default();
    let candidates: Vec<_> = tasks.into_iter().map(|it| Candidate::read(home, it)).collect();
    let mut links = Vec::new();
    for candidate in &candidates {
        let Ok((folded, _)) = &candidate.reading else { continue };
        links.extend(forebears(&folded.state).into_iter().map(|from| (from, candidate.task)));
        links.extend(folded.state.successor.map(|next| (candidate.task, next)));
    }
    let mut lineage = vec![task];
    let mut next = 0;
    while let Some(member) = lineage.get(next).copied() {
        for (from, to) in &links {
            for (here, there) in [(from, to), (to, from)] {
                if *here == member && !lineage.contains(there) {
                    lineage.push(*there);
                }
            }
        }
        next += 1;
    }
    candidates
        .iter()
        .filter(|candidate| candidate.task != task)
        .filter_map(|candidate| {
            let how = match &candidate.reading {
                Err(_) => "cannot be read",
                Ok(_) if !lineage.contains(&candidate.task) => return None,
                Ok(_) if links.contains(&(task, candidate.task)) => "took over from this one",
                Ok(_) if links.contains(&(candidate.task, task)) => {
                    "is what this one took over from"
                }
                Ok(_) => "is of the same lineage",
            };
            Some(Relative { task: candidate.task, how, folder: candidate.folder() })
        })
        .collect()
}

/// The tasks that a state took something over from.
fn forebears(state: &TaskState) -> Vec<TaskRef> {
    let copied = state.items.values().filter_map(|item| item.draft.copied_from);
    let mut found: Vec<_> = copied.map(|origin| origin.task).collect();
    found.extend(state.predecessor.map(|predecessor| predecessor.task));
    found.sort();
    found.dedup();
    found
}
