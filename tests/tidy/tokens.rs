//! A small reader of Rust: words and marks with their lines, without comments and literals.

/// A word or a single mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The word, or the mark; `::` is one mark.
    pub text: String,
    /// Its line, counted from 1.
    pub line: usize,
}

impl Token {
    /// Tells whether this is an identifier or a keyword.
    pub fn is_word(&self) -> bool {
        self.text.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_')
    }
}

/// Reads `source` into tokens. Literals become the word `_literal`.
pub fn read(source: &str) -> Vec<Token> {
    let mut reader = Reader { chars: source.chars().collect(), at: 0, line: 1 };
    let mut tokens = Vec::new();
    while let Some(first) = reader.peek(0) {
        let line = reader.line;
        let text = if first.is_whitespace() {
            reader.step();
            continue;
        } else if first == '/' && reader.peek(1) == Some('/') {
            reader.skip_until_line_end();
            continue;
        } else if first == '/' && reader.peek(1) == Some('*') {
            reader.skip_block_comment();
            continue;
        } else {
            reader.token(first)
        };
        tokens.push(Token { text, line });
    }
    tokens
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    line: usize,
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn step(&mut self) -> Option<char> {
        let found = self.peek(0)?;
        self.at += 1;
        if found == '\n' {
            self.line += 1;
        }
        Some(found)
    }

    fn skip_until_line_end(&mut self) {
        while self.peek(0).is_some_and(|next| next != '\n') {
            self.step();
        }
    }

    fn skip_block_comment(&mut self) {
        let mut depth = 0_u32;
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some('/'), Some('*')) => {
                    depth += 1;
                    self.step();
                }
                (Some('*'), Some('/')) => {
                    depth -= 1;
                    self.step();
                }
                (None, _) => return,
                _ => {}
            }
            self.step();
            if depth == 0 {
                return;
            }
        }
    }

    fn token(&mut self, first: char) -> String {
        if first == '"' {
            return self.quoted();
        }
        if first == '\'' {
            return self.character_or_lifetime();
        }
        if first.is_alphanumeric() || first == '_' {
            let mut word = String::new();
            while let Some(next) =
                self.peek(0).filter(|next| next.is_alphanumeric() || *next == '_')
            {
                word.push(next);
                self.step();
            }
            return self.after_prefix(word);
        }
        self.step();
        if first == ':' && self.peek(0) == Some(':') {
            self.step();
            return "::".to_owned();
        }
        first.to_string()
    }

    /// Joins a literal's prefix (`b`, `c`, `r`, `br`, `cr`) to the literal behind it.
    fn after_prefix(&mut self, word: String) -> String {
        let is_raw = matches!(word.as_str(), "r" | "br" | "cr");
        match self.peek(0) {
            Some('"') if is_raw => self.raw(0),
            Some('#') if is_raw => {
                let behind = self.chars[self.at..].iter();
                let hashes = behind.take_while(|next| **next == '#').count();
                if self.peek(hashes) == Some('"') { self.raw(hashes) } else { word }
            }
            Some('"') if matches!(word.as_str(), "b" | "c") => self.quoted(),
            Some('\'') if word == "b" => self.character_or_lifetime(),
            _ => word,
        }
    }

    fn quoted(&mut self) -> String {
        self.step();
        while let Some(next) = self.step() {
            match next {
                '\\' => {
                    self.step();
                }
                '"' => break,
                _ => {}
            }
        }
        LITERAL.to_owned()
    }

    fn raw(&mut self, hashes: usize) -> String {
        for _ in 0..=hashes {
            self.step();
        }
        while let Some(next) = self.step() {
            if next == '"' && (0..hashes).all(|ahead| self.peek(ahead) == Some('#')) {
                for _ in 0..hashes {
                    self.step();
                }
                break;
            }
        }
        LITERAL.to_owned()
    }

    fn character_or_lifetime(&mut self) -> String {
        self.step();
        if self.peek(0) == Some('\\') {
            self.step();
            self.step();
            while self.step().is_some_and(|next| next != '\'') {}
            return LITERAL.to_owned();
        }
        if self.peek(1) == Some('\'') {
            self.step();
            self.step();
            return LITERAL.to_owned();
        }
        "'".to_owned()
    }
}

const LITERAL: &str = "_literal";

/// A function and how many lines its signature and body span.
#[derive(Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The line of its `fn`.
    pub line: usize,
    /// Lines from `fn` to the closing brace, both included; 1 for a mere signature.
    pub lines: usize,
}

/// Lists the functions of a file, in order.
pub fn functions(tokens: &[Token]) -> Vec<Function> {
    let mut found = Vec::new();
    for (index, pair) in tokens.windows(2).enumerate() {
        if pair[0].text == "fn" && pair[1].is_word() {
            let end_line = body_end(&tokens[index..]).unwrap_or(pair[0].line);
            let lines = end_line + 1 - pair[0].line;
            found.push(Function { name: pair[1].text.clone(), line: pair[0].line, lines });
        }
    }
    found
}

/// Returns the line of the brace that ends the first body, or `None` before a `;`.
fn body_end(tokens: &[Token]) -> Option<usize> {
    let mut braces = 0_u32;
    let mut brackets = 0_u32;
    for token in tokens {
        match token.text.as_str() {
            "[" | "(" => brackets += 1,
            "]" | ")" => brackets -= 1,
            "{" => braces += 1,
            "}" => {
                braces -= 1;
                if braces == 0 {
                    return Some(token.line);
                }
            }
            ";" if braces == 0 && brackets == 0 => return None,
            _ => {}
        }
    }
    None
}

#[test]
fn comments_and_literals_hide_what_they_contain() {
    let source = "use a::b; // use x::y\n/* z /* n */ */ let c = \"std::fs\"; 'l' '\\'' r#\"q\"#";
    let texts: Vec<String> = read(source).into_iter().map(|token| token.text).collect();
    let expected = "use a :: b ; let c = _literal ; _literal _literal _literal";
    assert_eq!(texts.join(" "), expected);
}

#[test]
fn lifetimes_are_not_characters() {
    let texts: Vec<String> = read("fn f<'a>(b: &'a str)").into_iter().map(|t| t.text).collect();
    assert_eq!(texts.join(" "), "fn f < ' a > ( b : & ' a str )");
}

#[test]
fn functions_are_measured_from_name_to_last_brace() {
    let tokens = read("fn one() {\n  if x {\n }\n}\ntrait T {\n fn two(a: [u8; 2]);\n}\n");
    let measured: Vec<(String, usize, usize)> =
        functions(&tokens).into_iter().map(|f| (f.name, f.line, f.lines)).collect();
    assert_eq!(measured, [("one".to_owned(), 1, 4), ("two".to_owned(), 6, 1)]);
}
