//! Where each part of a JSON text lies, so that single parts can be changed.

use std::ops::Range;

use serde::de::IgnoredAny;

use super::InstallError;
use crate::io::hosts::payload::PayloadError;
use crate::io::hosts::scan::ObjectScanner;

/// A JSON value and the bytes it takes.
#[derive(Debug)]
pub(super) struct Node {
    pub span: Range<usize>,
    pub content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Text(String),
    Other,
}

/// A key with its value.
#[derive(Debug)]
pub(super) struct Member {
    pub key: String,
    pub key_start: usize,
    pub value: Node,
}

impl Member {
    /// Returns the bytes from the key to the end of the value.
    pub(super) fn span(&self) -> Range<usize> {
        self.key_start..self.value.span.end
    }
}

impl Node {
    /// Returns the members of an object.
    pub(super) fn members(&self) -> Option<&[Member]> {
        match &self.content {
            Content::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Returns the elements of an array.
    pub(super) fn elements(&self) -> Option<&[Self]> {
        match &self.content {
            Content::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns a string's value.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns an object's value under `key`.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        self.members()?.iter().find(|member| member.key == key).map(|member| &member.value)
    }
}

/// Returns the parts of `text`, one object with nothing but white space around it.
///
/// # Errors
/// [`InstallError::Malformed`], [`InstallError::ByteOrderMark`], [`InstallError::DuplicateKey`],
/// [`InstallError::TooDeep`], [`InstallError::Unexpected`].
pub(super) fn parse(text: &str) -> Result<Node, InstallError> {
    if text.starts_with('\u{feff}') {
        return Err(InstallError::ByteOrderMark);
    }
    if let Err(PayloadError::TooDeep { depth_max }) = ObjectScanner::new().feed(text.as_bytes()) {
        return Err(InstallError::TooDeep { depth_max });
    }
    serde_json::from_str::<IgnoredAny>(text).map_err(malformed)?;
    let mut reader = Reader { text, at: 0 };
    reader.skip_space();
    if reader.peek() != Some(b'{') {
        let place = "the outermost value".to_owned();
        return Err(InstallError::Unexpected { place, wanted: "an object" });
    }
    reader.value()
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err calls")]
fn malformed(error: serde_json::Error) -> InstallError {
    InstallError::Malformed { line: error.line(), column: error.column() }
}

/// Walks over text that is known to be valid JSON of bounded depth.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Result<Node, InstallError> {
        let start = self.at;
        let content = match self.peek() {
            Some(b'{') => Content::Object(self.object()?),
            Some(b'[') => Content::Array(self.array()?),
            Some(b'"') => Content::Text(self.string()?),
            _ => {
                while self.peek().is_some_and(|byte| !b",]} \t\r\n".contains(&byte)) {
                    self.at += 1;
                }
                Content::Other
            }
        };
        Ok(Node { span: start..self.at, content })
    }

    fn object(&mut self) -> Result<Vec<Member>, InstallError> {
        let mut members: Vec<Member> = Vec::new();
        while self.opens_next(b'}') {
            let key_start = self.at;
            let key = self.string()?;
            if members.iter().any(|member| member.key == key) {
                return Err(InstallError::DuplicateKey { key });
            }
            self.skip_space();
            self.at += 1;
            self.skip_space();
            members.push(Member { key, key_start, value: self.value()? });
        }
        Ok(members)
    }

    fn array(&mut self) -> Result<Vec<Node>, InstallError> {
        let mut elements = Vec::new();
        while self.opens_next(b']') {
            elements.push(self.value()?);
        }
        Ok(elements)
    }

    /// Steps over an opening bracket or a comma to the next part; over `close`, if there is none.
    fn opens_next(&mut self, close: u8) -> bool {
        self.skip_space();
        if self.peek() != Some(close) {
            self.at += 1;
            self.skip_space();
        }
        let has_next = self.peek().is_some_and(|byte| byte != close);
        if !has_next {
            self.at += 1;
        }
        has_next
    }

    fn string(&mut self) -> Result<String, InstallError> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        let value = values.next().unwrap_or_else(|| Ok(String::new())).map_err(malformed)?;
        self.at += values.byte_offset();
        Ok(value)
    }
}
