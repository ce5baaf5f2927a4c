//! Bounds for mailboxes: ractor's own have none.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use ractor::rpc::CallResult;
use ractor::{ActorRef, Message, MessagingErr, RpcReplyPort};
use tokio::sync::Semaphore;

use crate::actors::error::TaskError;

/// Requests that wait for one actor at a time.
pub const MAILBOX_PERMITS_MAX: usize = 64;

/// The only way to an actor: takes a permit, sends, and waits for the answer for a bounded time.
pub struct Mailbox<M: Message> {
    actor: ActorRef<M>,
    permits: Arc<Semaphore>,
}

impl<M: Message> Clone for Mailbox<M> {
    fn clone(&self) -> Self {
        Self { actor: self.actor.clone(), permits: Arc::clone(&self.permits) }
    }
}

impl<M: Message> Mailbox<M> {
    /// Bounds an actor's mailbox.
    #[must_use]
    pub fn new(actor: ActorRef<M>) -> Self {
        Self { actor, permits: Arc::new(Semaphore::new(MAILBOX_PERMITS_MAX)) }
    }

    /// Returns the actor, for its supervisor.
    #[must_use]
    pub fn actor(&self) -> &ActorRef<M> {
        &self.actor
    }

    /// Asks, and waits for the answer for at most `timeout`.
    ///
    /// # Errors
    /// [`TaskError::Busy`] when no permit is free, [`TaskError::TimedOut`], [`TaskError::Gone`].
    pub fn call<A: Send + 'static>(
        &self,
        request: impl FnOnce(RpcReplyPort<A>) -> M + Send,
        timeout: Duration,
    ) -> impl Future<Output = Result<A, TaskError>> + Send {
        let permit = Arc::clone(&self.permits).try_acquire_owned();
        let actor = self.actor.clone();
        let call = permit.map(|permit| (permit, request));
        async move {
            let Ok((permit, request)) = call else {
                return Err(TaskError::Busy);
            };
            let answer = actor.call(request, Some(timeout)).await;
            drop(permit);
            match answer {
                Ok(CallResult::Success(answer)) => Ok(answer),
                Ok(CallResult::Timeout) => Err(TaskError::TimedOut),
                Ok(CallResult::SenderError)
                | Err(MessagingErr::SendErr(_) | MessagingErr::ChannelClosed) => {
                    Err(TaskError::Gone)
                }
                Err(_) => Err(TaskError::Gone),
            }
        }
    }
}
