//! Armoured private keys: many lines that must go together, wherever they stand.

use context_continuity::domain::redact::redact_str;
use data_encoding::BASE64;

use super::samples::{Draw, of_formats};

const LABELS: [&str; 7] = [
    "PRIVATE KEY",
    "RSA PRIVATE KEY",
    "EC PRIVATE KEY",
    "DSA PRIVATE KEY",
    "OPENSSH PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "PGP PRIVATE KEY BLOCK",
];

fn body(draw: &mut Draw, line_count: usize) -> Vec<String> {
    let encoded = BASE64.encode(&draw.bytes(line_count * 48 - 7));
    encoded.as_bytes().chunks(64).map(|line| String::from_utf8_lossy(line).into()).collect()
}

fn armoured(label: &str, body: &[String], line_end: &str) -> String {
    let mut lines = vec![format!("-----BEGIN {label}-----")];
    lines.extend(body.iter().cloned());
    lines.push(format!("-----END {label}-----"));
    lines.join(line_end)
}

#[track_caller]
fn check_gone(form: &str, text: &str, body: &[String], is_closed: bool) {
    let clean = redact_str(text);
    for line in body {
        let left: Vec<_> = line
            .as_bytes()
            .windows(8)
            .filter(|piece| memchr::memmem::find(clean.as_str().as_bytes(), piece).is_some())
            .collect();
        assert!(left.is_empty(), "{form}: {text}\n->\n{clean}");
    }
    let keeps_after = clean.as_str().ends_with("never touch prod") || !is_closed;
    assert!(clean.as_str().contains("[redacted:") && keeps_after, "{form}: {clean}");
    assert_eq!(redact_str(clean.as_str()), clean, "{form}");
}

#[test]
fn an_armoured_key_is_gone_in_every_form_and_what_follows_stays() {
    for (number, label) in (0_u64..).zip(LABELS) {
        let mut draw = Draw::new(number);
        let body = body(&mut draw, 3);
        let key = armoured(label, &body, "\n");
        let each_line = |mark: &str| armoured(label, &body, &format!("\n{mark}"));
        let escaped = armoured(label, &body, "\\n");
        for (form, text) in [
            ("environment", format!("KEY=\"{key}\"\nnever touch prod")),
            ("one line of an environment", format!("KEY=\"{escaped}\"\nnever touch prod")),
            ("JSON", format!("{{\"key\": \"{escaped}\\n\"}} never touch prod")),
            ("escaped JSON", format!("\\\"{}\\\" never touch prod", escaped.replace('\\', "\\\\"))),
            ("YAML", format!("key: |\n  {}\n\nnever touch prod", each_line("  "))),
            ("header", format!("X-Key: {}\r\nnever touch prod", key.replace('\n', " "))),
            ("shell", format!("cat <<EOF > key.pem\n{key}\nEOF\nnever touch prod")),
            ("diff", format!("+{}\nnever touch prod", each_line("+"))),
            ("diff of a removal", format!("-{}\nnever touch prod", each_line("-"))),
            ("mail", format!("> {}\n\nnever touch prod", each_line("> "))),
            ("base64", format!("key: {}\nnever touch prod", BASE64.encode(key.as_bytes()))),
            (
                "continued",
                format!("echo \"{}\"\nnever touch prod", each_line("").replace('\n', "\\\n")),
            ),
            ("Chinese", format!("私钥如下：{key}，以后别动 never touch prod")),
            ("colour", format!("\u{1b}[31m{}\u{1b}[0m never touch prod", each_line("\u{1b}[0m"))),
            ("CRLF", format!("{}\r\nnever touch prod", armoured(label, &body, "\r\n"))),
            ("array", format!("{}\nnever touch prod", armoured(label, &body, "\",\n  \""))),
        ] {
            check_gone(form, &text, &body, true);
        }
        let open = key.split("-----END").next().unwrap();
        check_gone("cut after its last line", open, &body, false);
        check_gone("cut and removed", &open.replace('\n', "\n-"), &body, false);
        check_gone("cut and escaped", &open.replace('\n', "\\n"), &body, false);
        check_gone("cut and quoted", &open.replace('\n', "\n> "), &body, false);
    }
}

#[test]
fn a_certificate_and_a_public_key_are_left_alone() {
    let mut draw = Draw::new(3);
    for label in ["CERTIFICATE", "PUBLIC KEY", "RSA PUBLIC KEY", "PGP PUBLIC KEY BLOCK"] {
        let text = armoured(label, &body(&mut draw, 4), "\n");
        assert_eq!(redact_str(&text).as_str(), text);
    }
}

#[test]
fn two_keys_and_a_token_between_them_are_each_taken() {
    let mut draw = Draw::new(5);
    let key = armoured("PRIVATE KEY", &body(&mut draw, 2), "\n");
    let token = &of_formats(1)[0];
    let text = format!("{key}\nuse {} now\n{key}\n", token.text);
    let expected = format!(
        "[redacted:private-key]\nuse [redacted:{}] now\n[redacted:private-key]\n",
        token.rule
    );
    assert_eq!(redact_str(&text).as_str(), expected);
}
