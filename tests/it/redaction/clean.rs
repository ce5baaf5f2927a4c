//! Ordinary lines, drawn from templates: what redaction must leave alone.

use context_continuity::domain::redact::redact_str;
use data_encoding::{BASE64, HEXLOWER};

use super::samples::{ALNUM, Draw};

/// Lines drawn of each template.
const ROUNDS: usize = 55;

/// Lines in which nothing at all may be touched: a record that lost these is worth nothing.
const IDS: &[&str] = &[
    "commit {sha1}",
    "Merge {sha1} into {word}",
    "{short} Fix {word} in {path}",
    "index {short}..{short} 100644",
    "Git object name is {sha1}, parent {sha1}",
    "HEAD is now at {short} Add {word}",
    "sha256:{sha256}",
    "{sha256}  {word}.tar.gz",
    "digest: sha256:{sha256}",
    "\"integrity\": \"sha512-{base64:64}\",",
    "  integrity sha512-{base64:64}",
    "  integrity sha1-{base64:20}",
    "checksum = \"{sha256}\"",
    "    --hash=sha256:{sha256} \\",
    "github.com/{word}/{word} v1.{n}.0 h1:{base64:32}",
    "task {uuid} is open",
    "request_id={uuid} status=200 took={n}ms",
    "{\"id\":\"{uuid}\",\"parent\":\"{uuid}\"}",
    "session id: {uuid}",
    "https://example.org/{word}/{uuid}?page={n}",
    "https://example.org/{word}/commit/{sha1}",
    "ETag: \"{md5}\"",
    "cache-key: {sha1}",
    "key: {uuid}",
    "image: packages.example.org/{word}@sha256:{sha256}",
    "{md5}-{word}.js",
    "etag {md5} {n}",
    "X-Request-Id: {uuid}",
    "trace {md5} span {short}",
    "Cargo.lock: checksum {sha256}",
    "resolved \"https://packages.example.org/{word}/-/{word}-1.{n}.0.tgz#{sha1}\"",
];

const LINES: &[&str] = &[
    // Diffs and listings.
    "@@ -{n},7 +{n},9 @@ fn {word}() {",
    "+    let {word} = {word}.{word}();",
    "-        assert_eq!({word}, {n});",
    "diff --git a/{path} b/{path}",
    " {path} | {n} ++++++-----",
    "-rw-r--r-- 1 ann staff {n} Jan  2 03:04 {word}.rs",
    "{path}:{n}:13: warning: unused variable: `{word}`",
    "00000{n}0  7f 45 4c 46 02 01 01 00  00 00 00 00 00 00 00 00  |.ELF............|",
    "0x{short} 0x{short} 0x{short}",
    "   4: {word}::{word}::handle at {path}:{n}",
    "  File \"{path}\", line {n}, in {word}",
    "    at {word}.{word} ({path}:{n}:17)",
    "thread 'main' panicked at {path}:{n}:5:",
    "goroutine {n} [running]: main.{word}(0xc000{n})",
    "test {word}::{word}_is_kept ... ok",
    "error[E0{n}]: cannot borrow `{word}` as mutable",
    "Compiling {word}-{word} v0.{n}.1 (/home/ann/{word})",
    "{word} v{n}.2.3-beta.4+build.{n}",
    "10.0.{n}.7 - - [02/Jan/2026:03:04:05 +0000] \"GET /{word} HTTP/1.1\" 200 {n}",
    "2026-01-02T03:04:05.{n}Z INFO {word}: {word} took {n} ms",
    "https://example.org/{word}/{word}?page={n}&size=20&sort={word}",
    "http://localhost:8080/@scope/{word}#L{n}",
    "git@github.com:{word}/{word}.git",
    "ssh://git@example.org:2222/{word}.git",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{alnum} ann@host",
    "data:image/png;base64,iVBORw0KGgo{base64:48}",
    "src=\"data:image/gif;base64,R0lGOD{base64:24}\"",
    "{base64:57}",
    "{\"version\":3,\"mappings\":\"AAAA,SAAS{word}CAAC;{word}GAAA\"}",
    "{hex:32}",
    "PATH=/usr/local/bin:/usr/bin:/home/ann/.{word}/bin",
    "C:\\Users\\ann\\{word}\\{word}.txt",
    "order {n}{n}{n} shipped on 2026-01-{n}",
    "+49 30 1234 {n} or +1 (555) 010-{n}",
    // Names that tell, without a secret.
    "struct Login { {word}: String, password: String }",
    "pub fn verify(password: &str, {word}: u32) -> bool {",
    "let password_field = form.{word}(\"password\");",
    "password_hash: Vec<u8>, // {word}",
    "const TOKEN_COUNT: usize = {n};",
    "max_tokens: {n}",
    "token_count = {n}",
    "secretName: my-{word}-secret",
    "secretKeyRef:",
    "  key: {word}",
    "API_KEY=$API_KEY",
    "API_KEY=${API_KEY:-}",
    "password: ${{ secrets.{WORD} }}",
    "token = os.environ[\"{WORD}_TOKEN\"]",
    "const token = process.env.{WORD}_TOKEN;",
    "let key = std::env::var(\"{WORD}_KEY\")?;",
    "password=<your-{word}-password>",
    "password: changeme # {word}",
    "<input type=\"password\" name=\"{word}\" required>",
    "type: \"password\", label: \"{word}\"",
    "if token.kind == TokenKind::{Word} {",
    "self.tokens.push(Token::{Word});",
    "keys: Vec<Key>, // {word}",
    "for (key, value) in {word} {",
    "sort_key: {word}_at",
    "PRIMARY KEY ({word}_id)",
    "foreign key ({word}_id) references {word} (id)",
    "session: {word} of today",
    "cookie: none",
    "auth: required",
    "authorization: {word} role",
    "the password must have at least {n} characters",
    "reset the password flow of {word} and add a token bucket",
    "the {word} token expires after {n} minutes",
    "Is the token valid after a password change in {word}?",
    "we keep no secret in {word}, see docs/{word}.md",
    "rotate the keys of {word} every {n} days",
    "feat({word}): add password strength meter",
    "fix(auth): refresh token race in {word}",
    "error: invalid token `{word}` at line {n}",
    "monkey patching {word} is a smell; keyboard and turkey are words",
    "please never touch prod, and keep {word} as it is",
    "continue with {word}, then run the tests of {path}",
    "mkdir -p {word}/{word} && cp -a {word} {word}",
    "docker run -p {n}:80 -w /{word} {word}:1.{n}",
    "ssh -p 2222 ann@{word}.example.org",
    "mysql -u root -p {word} < dump.sql",
    "kubectl get secret {word} -o yaml",
    "vault kv get secret/{word}/{word}",
    "gpg --export {short} > {word}.asc",
    // Chinese, Japanese, Korean.
    "密码长度至少 {n} 位",
    "密码错误 {n} 次后锁定，见 {word}",
    "令牌过期时间是 {n} 秒",
    "令牌桶算法在 {word} 里",
    "请把密码字段改名为 {word}",
    "以后提交信息里不要写 co-author，{word}",
    "密钥轮换周期为 {n} 天",
    "口令不能为空（{word}）",
    "忘记密码？去 {word} 页面",
    "パスワードは{n}文字以上です",
    "パスワードを忘れた場合は {word} へ",
    "トークンの有効期限は {n} 分",
    "비밀번호는 {n}자 이상",
    "{word} 테스트를 고치고 커밋해 주세요",
];

const WORDS: &[&str] = &[
    "profile",
    "billing",
    "orders",
    "worker",
    "widget",
    "report",
    "reader",
    "cluster",
    "release",
    "account",
    "layout",
    "header",
    "service",
    "backend",
    "browser",
    "invoice",
    "parser",
    "ledger",
    "snapshot",
    "recovery",
    "task",
    "actor",
    "mailbox",
    "config",
    "client",
    "session",
    "token",
    "secret",
    "stripe",
    "pattern",
    "spark",
    "access",
    "skeleton",
    "repository",
];

fn piece(name: &str, draw: &mut Draw) -> String {
    let word = draw.one(WORDS);
    let (kind, count) = name.split_once(':').unwrap_or((name, "0"));
    let count: usize = count.parse().unwrap_or(0);
    match kind {
        "sha1" => HEXLOWER.encode(&draw.bytes(20)),
        "sha256" => HEXLOWER.encode(&draw.bytes(32)),
        "md5" => HEXLOWER.encode(&draw.bytes(16)),
        "hex" => HEXLOWER.encode(&draw.bytes(count)),
        "short" => HEXLOWER.encode(&draw.bytes(4)),
        "base64" => BASE64.encode(&draw.bytes(count)),
        "alnum" => draw.letters(ALNUM, 43),
        "uuid" => {
            let hex = HEXLOWER.encode(&draw.bytes(16));
            let cuts = [0..8, 8..12, 12..16, 16..20, 20..32];
            cuts.map(|cut| hex[cut].to_owned()).join("-")
        }
        "n" => (10 + draw.below(990)).to_string(),
        "path" => format!("src/{word}/{}_{}.rs", draw.one(WORDS), draw.one(WORDS)),
        "WORD" => word.to_uppercase(),
        "Word" => word[..1].to_uppercase() + &word[1..],
        "word" => word.to_owned(),
        other => format!("{{{other}}}"),
    }
}

fn drawn(template: &str, draw: &mut Draw) -> String {
    let mut line = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        line.push_str(before);
        rest = after;
        let name = after.split('}').next().unwrap_or_default();
        let is_piece = !name.is_empty() && name.len() < 10 && after.contains('}');
        let text = if is_piece { piece(name, draw) } else { "{".to_owned() };
        if is_piece && !text.starts_with('{') {
            rest = &after[name.len() + 1..];
            line.push_str(&text);
        } else {
            line.push('{');
        }
    }
    line + rest
}

/// Redacts every drawn line; returns those that were touched, and how many there are.
pub fn touched(templates: &[&str]) -> (Vec<String>, usize) {
    let mut draw = Draw::new(11);
    let lines: Vec<String> = templates
        .iter()
        .flat_map(|template| (0..ROUNDS).map(move |_| template))
        .map(|template| drawn(template, &mut draw))
        .collect();
    let is_touched = |line: &&String| redact_str(line).as_str() != line.as_str();
    let touched = lines.iter().filter(is_touched);
    let shown = touched.map(|line| format!("{line} -> {}", redact_str(line)));
    (shown.collect(), lines.len())
}

/// Both sorts of lines together.
pub fn all_touched() -> (Vec<String>, usize) {
    let (mut lines, count) = touched(IDS);
    let (more, more_count) = touched(LINES);
    lines.extend(more);
    (lines, count + more_count)
}

#[test]
fn of_clean_lines_fewer_than_one_in_two_hundred_are_touched() {
    let (touched, count) = all_touched();
    println!("{} of {count} touched\n{}", touched.len(), touched.join("\n"));
    assert!(count >= 5_000, "{count} lines");
    assert!(touched.len() * 200 < count, "{} of {count}", touched.len());
}

#[test]
fn git_ids_digests_and_uuids_are_never_touched() {
    let (touched, _) = touched(IDS);
    assert_eq!(touched, Vec::<String>::new());
}

#[test]
fn clean_lines_in_one_text_are_left_alone_as_well() {
    let mut draw = Draw::new(12);
    let lines: Vec<String> =
        IDS.iter().chain(LINES).map(|template| drawn(template, &mut draw)).collect();
    for separator in ["\n", "\r\n", " "] {
        let text = lines.join(separator);
        let clean = redact_str(&text);
        let marks = clean.as_str().matches("[redacted:").count();
        assert_eq!(marks, 0, "{clean}");
    }
}
