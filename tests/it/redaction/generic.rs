//! Values beside telling names: how many are taken, and how many ordinary values with them.

use context_continuity::domain::redact::redact_str;

use super::samples::{ALNUM, Draw};

/// How secrets look that no format tells: each line of `drawn` below.
const VALUES: usize = 7;

/// Surroundings of a secret, `{}` in its place.
const TRUE: &[&str] = &[
    // Environment.
    "DB_PASSWORD={}",
    "export API_KEY={}",
    "APP_SECRET=\"{}\"",
    "PGPASSWORD='{}' psql -h db app",
    "ENV SMTP_PASS={}",
    "set AUTH_TOKEN={}",
    "$env:CLIENT_SECRET = \"{}\"",
    "STRIPE_SECRET_KEY_PROD={}",
    // JSON, YAML, TOML, INI, XML, code.
    "{\"password\": \"{}\", \"user\": \"ann\"}",
    "{\"clientSecret\":\"{}\"}",
    "{\\\"api_key\\\": \\\"{}\\\"}",
    "password: {}",
    "  db_password: \"{}\"",
    "secretKey: '{}'",
    "api_key = \"{}\"",
    "password = {}",
    "<password>{}</password>",
    "<add key=\"Password\" value=\"{}\" />",
    "const apiKey = \"{}\";",
    "let password = \"{}\".to_string();",
    "client_secret := \"{}\"",
    "\"secret\" => \"{}\",",
    "os.environ[\"DB_PASSWORD\"] = \"{}\"",
    "connect(password=\"{}\", user=\"ann\")",
    "Server=db;User Id=sa;Password={};Encrypt=true",
    "- name: DB_PASSWORD\n  value: \"{}\"",
    // Diff.
    "+  api_key: {}",
    "-DB_PASSWORD={}",
    // Shell.
    "mysql -u root -p{} app",
    "mysqldump --password={} app > dump",
    "run --password {} --verbose",
    "sshpass -p {} ssh ann@host",
    "redis-cli -a {} ping",
    "docker login -u ann -p {} registry.example.org",
    "curl -u ann:{} https://example.org",
    "vault login -token={}",
    // Addresses and headers.
    "postgres://ann:{}@db.example.org/app",
    "https://ann:{}@example.org/a.git",
    "https://example.org/?password={}&page=2",
    "X-Api-Key: {}",
    // Prose.
    "the password is {}",
    "the password is {}, please do not share it",
    "my api key is {}",
    "use password {} for the staging db",
    "use the password {} for staging",
    "password for staging: {}",
    "the admin password was changed to {}",
    "login with ann / password {}",
    "密码是 {}",
    "密码是{}，以后别动生产库",
    "密码：{}",
    "数据库密码为{}。",
    "把密码改成 {}",
    "パスワードは {} です",
    "パスワード: {}",
    "비밀번호는 {} 입니다",
    "비밀번호: {}",
    "la contraseña es {}",
    "contraseña: {}",
    "le mot de passe est {}",
    "mot de passe : {}",
    "das Passwort ist {}",
    "Passwort: {}",
    "a senha é {}",
    "senha: {}",
    "la password è {}",
    "пароль: {}",
    "пароль — {}",
];

/// Lines with the same names and no secret in them; `{}` is a plain word.
const FALSE: &[&str] = &[
    "password: {}Field",
    "const password = {}.password;",
    "let token = parse_{}(input)?;",
    "the password {} is hidden",
    "the {} password is required",
    "password: string; // {}",
    "fn login(password: &str, {}: u32) {",
    "API_KEY=$API_KEY_{}",
    "password: ${{ secrets.{} }}",
    "password = os.environ[\"{}\"]",
    "password=<{}>",
    "password: ********",
    "secretName: my-{}",
    "secret: {{ .Values.{}.secret }}",
    "token: {}",
    "max_tokens: 4096 # {}",
    "token_count = 128000",
    "the token expires after {} hours",
    "the secret is to keep {} simple",
    "key: {}",
    "primary_key: {}_id",
    "sort_key = \"{}.name\"",
    "password_field = form.{}",
    "forgot your password? see {}",
    "password reset for {}",
    "password hashing with {} is slow",
    "pass {} to the function",
    "session: {}",
    "cookie: {}",
    "auth: {}",
    "密码长度至少 8 位，{}",
    "密码错误 {}",
    "令牌过期时间为 3600 秒 {}",
    "パスワードは8文字以上 {}",
    "비밀번호는 8자 이상 {}",
    "la contraseña es obligatoria para {}",
    "le mot de passe est obligatoire pour {}",
    "das Passwort ist falsch, {}",
    "a senha é obrigatória para {}",
    "`password` is a {}",
    "mysql -u root -p {}",
    "mysql --port 3306 {}",
    "docker run -p 8080:80 {}",
    "mkdir -p {}/password",
    "curl -u ann https://{}.example.org",
    "https://example.org/password/{}?page=2",
    "test_password_{}_is_rejected ... ok",
    "password::{}::hash(value)",
    "rename password to {}",
    "the access token is {}",
];

const WORDS: &[&str] = &[
    "profile", "billing", "orders", "worker", "widget", "report", "reader", "cluster", "release",
    "account", "layout", "header", "service", "backend", "browser", "invoice",
];

fn drawn(kind: usize, draw: &mut Draw) -> String {
    let word = draw.one(WORDS);
    match kind {
        0 => format!("hunter2-{}", draw.letters(ALNUM, 8)),
        1 => draw.letters(ALNUM, 12),
        2 => draw.letters(ALNUM, 32),
        3 => format!("{}{}!", word[..1].to_uppercase() + &word[1..], 1000 + draw.below(9000)),
        4 => format!("{word}-{}-{}", draw.one(WORDS), 10 + draw.below(90)),
        5 => format!("{}@{}#{}", draw.letters(ALNUM, 4), word, draw.below(100)),
        _ => format!("{}_{}", draw.letters(ALNUM, 6), draw.letters(ALNUM, 6)),
    }
}

/// How often the true and the false lines were touched.
pub struct Quality {
    pub taken: usize,
    pub true_count: usize,
    pub touched: usize,
    pub false_count: usize,
}

impl Quality {
    pub fn recall_percent(&self) -> usize {
        self.taken * 100 / self.true_count
    }

    pub fn precision_percent(&self) -> usize {
        self.taken * 100 / (self.taken + self.touched)
    }
}

/// Draws every line with every kind of value, and redacts it.
pub fn measure() -> (Quality, Vec<String>) {
    let mut draw = Draw::new(4);
    let mut quality = Quality { taken: 0, true_count: 0, touched: 0, false_count: 0 };
    let mut shown = Vec::new();
    for line in TRUE {
        for kind in 0..VALUES {
            let value = drawn(kind, &mut draw);
            let text = line.replacen("{}", &value, 1);
            let clean = redact_str(&text);
            let is_taken = !clean.as_str().contains(&value[value.len() - 5..])
                && !clean.as_str().contains(&value[..5]);
            quality.true_count += 1;
            quality.taken += usize::from(is_taken);
            if !is_taken {
                shown.push(format!("missed: {text} -> {clean}"));
            }
        }
    }
    for line in FALSE {
        for word in WORDS.iter().take(VALUES) {
            let text = line.replacen("{}", word, 1);
            let clean = redact_str(&text);
            quality.false_count += 1;
            quality.touched += usize::from(clean.as_str() != text);
            if clean.as_str() != text {
                shown.push(format!("touched: {text} -> {clean}"));
            }
        }
    }
    (quality, shown)
}

#[test]
fn values_beside_telling_names_are_taken_and_ordinary_ones_stay() {
    let (quality, shown) = measure();
    println!("{}", shown.join("\n"));
    let (recall, precision) = (quality.recall_percent(), quality.precision_percent());
    println!("recall {recall} %, precision {precision} %");
    assert!(recall >= 88, "recall is {recall} %");
    assert!(precision >= 75, "precision is {precision} %");
}
