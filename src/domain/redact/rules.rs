//! Token formats that can be told by how they begin: one line each.
//!
//! A format is a prefix, the alphabet of the rest, and how many characters of it there are. To add
//! one, add a line; samples and near misses in the tests are made from the table.

use super::class::Class;
use Boundary::{Alone, Word};
use Class::{Address, Alnum, AnyBase64, Base64, Dotted, Hex, HexLower, Lower, Upper, Url64};

/// What must not stand right before a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Boundary {
    /// No letter and no digit.
    Word,
    /// No letter, digit, `_`, `-`, `.` or `/`, and the rest must not read as words: for prefixes
    /// that also begin ordinary names.
    Alone,
}

/// One token format.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    /// Stands in the mark that is left in place.
    pub(super) name: &'static str,
    /// How the token begins, byte for byte.
    pub(super) prefix: &'static str,
    /// The alphabet of the rest.
    pub(super) class: Class,
    /// Fewest and most characters after the prefix; a longer run is another thing.
    pub(super) length: (usize, usize),
    /// What must not stand before it.
    pub(super) boundary: Boundary,
}

/// A token format as documents and audits see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Format {
    /// The name in the mark that is left in place.
    pub name: &'static str,
    /// How the token begins, byte for byte.
    pub prefix: &'static str,
    /// Every character that the rest is made of.
    pub alphabet: &'static str,
    /// Fewest characters after the prefix.
    pub length_min: usize,
    /// Most characters after the prefix; `None` if a longer run is a token too.
    pub length_max: Option<usize>,
    /// Whether a name, a path or words around it make it something else.
    pub is_alone: bool,
}

/// Returns every token format that is known by how it begins.
pub fn formats() -> impl Iterator<Item = Format> {
    RULES.iter().map(|rule| Format {
        name: rule.name,
        prefix: rule.prefix,
        alphabet: rule.class.letters(),
        length_min: rule.length.0,
        length_max: (rule.length.1 != MANY).then_some(rule.length.1),
        is_alone: rule.boundary == Alone,
    })
}

/// No upper bound: a longer run is a token too.
const MANY: usize = usize::MAX;

const fn rule(
    name: &'static str,
    prefix: &'static str,
    class: Class,
    length: (usize, usize),
    boundary: Boundary,
) -> Rule {
    Rule { name, prefix, class, length, boundary }
}

/// Every format, grouped by who issues it.
///
/// Where one prefix begins another, the longer one comes first.
pub(super) const RULES: &[Rule] = &[
    // Code hosting.
    rule("github-pat", "ghp_", Alnum, (36, MANY), Word),
    rule("github-oauth", "gho_", Alnum, (36, MANY), Word),
    rule("github-user", "ghu_", Alnum, (36, MANY), Word),
    rule("github-server", "ghs_", Alnum, (36, MANY), Word),
    rule("github-refresh", "ghr_", Alnum, (36, MANY), Word),
    rule("github-fine-grained", "github_pat_", Class::Word, (22, MANY), Word),
    rule("gitlab-pat", "glpat-", Dotted, (20, MANY), Word),
    rule("gitlab-pipeline-trigger", "glptt-", Url64, (20, MANY), Word),
    rule("gitlab-runner-registration", "GR1348941", Url64, (20, MANY), Word),
    rule("gitlab-runner", "glrt-", Dotted, (20, MANY), Word),
    rule("gitlab-ci-job", "glcbt-", Dotted, (20, MANY), Word),
    rule("gitlab-deploy", "gldt-", Url64, (20, MANY), Word),
    rule("gitlab-feed", "glft-", Url64, (20, MANY), Word),
    rule("gitlab-incoming-mail", "glimt-", Url64, (25, MANY), Word),
    rule("gitlab-agent", "glagent-", Url64, (50, MANY), Word),
    rule("gitlab-oauth", "gloas-", Url64, (64, MANY), Word),
    rule("gitlab-scim", "glsoat-", Url64, (20, MANY), Word),
    rule("gitlab-feature-flag", "glffct-", Url64, (20, MANY), Word),
    rule("bitbucket-app-password", "ATBB", Alnum, (32, MANY), Word),
    rule("bitbucket-access", "ATCTT3xFfG", AnyBase64, (60, MANY), Word),
    rule("atlassian-api", "ATATT3", AnyBase64, (60, MANY), Word),
    rule("sourcegraph", "sgp_", Class::Word, (40, MANY), Word),
    rule("gitea", "gitea_", HexLower, (40, MANY), Word),
    // Clouds.
    rule("aws-access-key-id", "AKIA", Upper, (16, 16), Word),
    rule("aws-temporary-key-id", "ASIA", Upper, (16, 16), Word),
    rule("aws-service-bearer-id", "ABIA", Upper, (16, 16), Word),
    rule("aws-context-id", "ACCA", Upper, (16, 16), Word),
    rule("aws-bedrock-key", "ABSK", Base64, (100, MANY), Word),
    rule("aws-bedrock-short-key", "bedrock-api-key-", AnyBase64, (40, MANY), Word),
    rule("gcp-api-key", "AIza", Url64, (35, 35), Word),
    rule("gcp-oauth-secret", "GOCSPX-", Url64, (28, MANY), Word),
    rule("gcp-oauth-access", "ya29.", Url64, (20, MANY), Word),
    rule("gcp-refresh", "1//0", Url64, (40, MANY), Word),
    rule("gcp-bound-key", "AQ.Ab", Url64, (40, MANY), Word),
    rule("digitalocean-pat", "dop_v1_", HexLower, (64, MANY), Word),
    rule("digitalocean-oauth", "doo_v1_", HexLower, (64, MANY), Word),
    rule("digitalocean-refresh", "dor_v1_", HexLower, (64, MANY), Word),
    rule("alibaba-access-key-id", "LTAI", Alnum, (16, 26), Word),
    rule("tencent-secret-id", "AKID", Alnum, (32, 36), Word),
    rule("heroku", "HRKU-", Url64, (30, MANY), Word),
    rule("flyio", "fo1_", Url64, (40, MANY), Word),
    rule("flyio-macaroon", "fm2_", AnyBase64, (60, MANY), Word),
    rule("flyio-macaroon-1", "fm1r_", AnyBase64, (60, MANY), Word),
    rule("netlify", "nfp_", Alnum, (36, MANY), Word),
    rule("vercel-blob", "vercel_blob_rw_", Class::Word, (30, MANY), Word),
    rule("vercel", "vcp_", Alnum, (40, MANY), Word),
    rule("cloudflare-origin-ca", "v1.0-", Url64, (100, MANY), Word),
    rule("cloudflare-user-key", "cfk_", Alnum, (40, MANY), Word),
    rule("cloudflare-user-token", "cfut_", Alnum, (40, MANY), Word),
    rule("scaleway", "SCW", Upper, (17, 17), Alone),
    rule("hashicorp-vault-service", "hvs.", Url64, (24, MANY), Word),
    rule("hashicorp-vault-batch", "hvb.", Url64, (100, MANY), Word),
    rule("hashicorp-vault-recovery", "hvr.", Url64, (24, MANY), Word),
    rule("terraform-cloud", "atlasv1.", AnyBase64, (60, MANY), Word),
    rule("pulumi", "pul-", HexLower, (40, MANY), Word),
    rule("doppler-personal", "dp.pt.", Alnum, (40, MANY), Word),
    rule("doppler-service", "dp.st.", Dotted, (40, MANY), Word),
    rule("doppler-cli", "dp.ct.", Alnum, (40, MANY), Word),
    rule("doppler-scim", "dp.scim.", Alnum, (40, MANY), Word),
    rule("infracost", "ico-", Alnum, (32, MANY), Word),
    rule("databricks", "dapi", HexLower, (32, MANY), Word),
    rule("planetscale-password", "pscale_pw_", Dotted, (32, MANY), Word),
    rule("planetscale-api", "pscale_tkn_", Dotted, (32, MANY), Word),
    rule("planetscale-oauth", "pscale_oauth_", Dotted, (32, MANY), Word),
    rule("supabase-secret", "sb_secret_", Url64, (20, MANY), Word),
    rule("supabase-access", "sbp_", HexLower, (40, MANY), Word),
    rule("neon", "napi_", Alnum, (40, MANY), Word),
    rule("aiven", "AVNS_", Url64, (16, MANY), Word),
    rule("tailscale", "tskey-", Url64, (20, MANY), Word),
    rule("ngrok", "ngrok_", Alnum, (40, MANY), Word),
    rule("openshift", "sha256~", Url64, (43, MANY), Word),
    rule("age-secret-key", "AGE-SECRET-KEY-1", Upper, (58, MANY), Word),
    rule("onepassword-service", "ops_eyJ", Base64, (100, MANY), Word),
    // Models.
    rule("anthropic-admin", "sk-ant-admin", Url64, (40, MANY), Word),
    rule("anthropic-api", "sk-ant-", Url64, (32, MANY), Word),
    rule("openai-project", "sk-proj-", Url64, (32, MANY), Word),
    rule("openai-service", "sk-svcacct-", Url64, (32, MANY), Word),
    rule("openai-admin", "sk-admin-", Url64, (32, MANY), Word),
    rule("openrouter", "sk-or-v1-", HexLower, (64, MANY), Word),
    rule("langsmith-personal", "lsv2_pt_", Class::Word, (40, MANY), Word),
    rule("langsmith-service", "lsv2_sk_", Class::Word, (40, MANY), Word),
    rule("langfuse-secret", "sk-lf-", Url64, (32, MANY), Word),
    rule("openai-api", "sk-", Alnum, (20, MANY), Word),
    rule("huggingface-org", "api_org_", Alnum, (34, MANY), Word),
    rule("huggingface", "hf_", Alnum, (30, MANY), Word),
    rule("groq", "gsk_", Alnum, (40, MANY), Word),
    rule("perplexity", "pplx-", Alnum, (40, MANY), Word),
    rule("replicate", "r8_", Alnum, (37, MANY), Word),
    rule("xai", "xai-", Alnum, (60, MANY), Word),
    rule("nvidia", "nvapi-", Url64, (50, MANY), Word),
    rule("fireworks", "fw_", Alnum, (22, MANY), Alone),
    rule("cerebras", "csk-", Lower, (40, MANY), Word),
    rule("tavily", "tvly-", Url64, (28, MANY), Word),
    rule("pinecone", "pcsk_", Class::Word, (50, MANY), Word),
    rule("elevenlabs", "sk_", HexLower, (48, MANY), Word),
    rule("weights-and-biases", "wandb_v1_", Class::Word, (40, MANY), Word),
    // Payment.
    rule("stripe-secret", "sk_live_", Alnum, (16, MANY), Word),
    rule("stripe-test-secret", "sk_test_", Alnum, (16, MANY), Word),
    rule("stripe-restricted", "rk_live_", Alnum, (16, MANY), Word),
    rule("stripe-test-restricted", "rk_test_", Alnum, (16, MANY), Word),
    rule("stripe-webhook", "whsec_", Base64, (32, MANY), Word),
    rule("square-access", "sq0atp-", Url64, (22, MANY), Word),
    rule("square-secret", "sq0csp-", Url64, (43, MANY), Word),
    rule("square-token", "EAAA", Url64, (60, MANY), Word),
    rule("shopify-access", "shpat_", Hex, (32, MANY), Word),
    rule("shopify-custom", "shpca_", Hex, (32, MANY), Word),
    rule("shopify-private", "shppa_", Hex, (32, MANY), Word),
    rule("shopify-shared", "shpss_", Hex, (32, MANY), Word),
    rule("braintree", "access_token$production$", Dotted, (16, MANY), Word),
    rule("flutterwave-secret", "FLWSECK_TEST-", Hex, (32, MANY), Word),
    rule("flutterwave", "FLWSECK-", Hex, (32, MANY), Word),
    rule("plaid-access", "access-production-", Url64, (36, MANY), Word),
    rule("plaid-sandbox", "access-sandbox-", Url64, (36, MANY), Word),
    rule("easypost", "EZAK", Alnum, (54, MANY), Word),
    rule("easypost-test", "EZTK", Alnum, (54, MANY), Word),
    rule("duffel", "duffel_live_", Url64, (43, MANY), Word),
    rule("duffel-test", "duffel_test_", Url64, (43, MANY), Word),
    // Talk and mail.
    rule("slack-bot", "xoxb-", Url64, (20, MANY), Word),
    rule("slack-user", "xoxp-", Url64, (20, MANY), Word),
    rule("slack-app", "xapp-", Url64, (20, MANY), Word),
    rule("slack-legacy", "xoxa-", Url64, (20, MANY), Word),
    rule("slack-refresh", "xoxr-", Url64, (20, MANY), Word),
    rule("slack-session", "xoxs-", Url64, (20, MANY), Word),
    rule("slack-cookie", "xoxc-", Url64, (20, MANY), Word),
    rule("slack-configuration", "xoxe", Dotted, (40, MANY), Word),
    rule("slack-webhook", "hooks.slack.com/", Address, (30, MANY), Word),
    rule("discord-webhook", "discord.com/api/webhooks/", Address, (60, MANY), Word),
    rule("discord-app-webhook", "discordapp.com/api/webhooks/", Address, (60, MANY), Word),
    rule("teams-webhook", "webhook.office.com/", Address, (60, MANY), Word),
    rule("sendgrid", "SG.", Dotted, (60, MANY), Word),
    rule("sendinblue", "xkeysib-", Url64, (70, MANY), Word),
    rule("mailgun", "key-", HexLower, (32, 32), Alone),
    rule("mailgun-public", "pubkey-", HexLower, (32, 32), Alone),
    rule("resend", "re_", Class::Word, (32, MANY), Alone),
    rule("twilio-api-key", "SK", HexLower, (32, 32), Alone),
    rule("facebook-access", "EAACEdEose0cBA", Alnum, (16, MANY), Word),
    rule("linear", "lin_api_", Alnum, (40, MANY), Word),
    rule("linear-oauth", "lin_oauth_", HexLower, (60, MANY), Word),
    rule("notion", "secret_", Alnum, (43, 43), Word),
    rule("notion-integration", "ntn_", Alnum, (40, MANY), Word),
    rule("figma", "figd_", Url64, (40, MANY), Word),
    rule("airtable", "pat", Dotted, (79, 79), Alone),
    rule("typeform", "tfp_", Dotted, (40, MANY), Word),
    rule("contentful", "CFPAT-", Url64, (43, MANY), Word),
    rule("hubspot", "pat-na1-", Url64, (36, MANY), Word),
    rule("hubspot-eu", "pat-eu1-", Url64, (36, MANY), Word),
    // Registries and builds.
    rule("npm", "npm_", Alnum, (36, MANY), Word),
    rule("pypi", "pypi-AgE", Url64, (50, MANY), Word),
    rule("rubygems", "rubygems_", HexLower, (48, MANY), Word),
    rule("crates-io", "cio", Alnum, (32, 32), Alone),
    rule("nuget", "oy2", Lower, (43, 43), Alone),
    rule("docker-pat", "dckr_pat_", Url64, (27, MANY), Word),
    rule("docker-oat", "dckr_oat_", Url64, (32, MANY), Word),
    rule("clojars", "CLOJARS_", Lower, (60, MANY), Word),
    rule("artifactory-api", "AKCp", Alnum, (69, MANY), Word),
    rule("jfrog-identity", "cmVmdGtu", Alnum, (56, MANY), Word),
    rule("artifactory-reference", "cmVmd", Alnum, (59, MANY), Word),
    rule("buildkite", "bkua_", HexLower, (40, MANY), Word),
    rule("circleci", "CCIPAT_", Class::Word, (40, MANY), Word),
    rule("sonarqube-user", "squ_", HexLower, (40, MANY), Word),
    rule("sonarqube-project", "sqp_", HexLower, (40, MANY), Word),
    rule("sonarqube-analysis", "sqa_", HexLower, (40, MANY), Word),
    rule("snyk", "snyk_uat.", Dotted, (40, MANY), Word),
    rule("octopus", "API-", Upper, (26, 26), Alone),
    rule("prefect", "pnu_", Alnum, (36, MANY), Word),
    rule("readme", "rdme_", Lower, (70, MANY), Word),
    rule("postman", "PMAK-", Url64, (50, MANY), Word),
    rule("frameio", "fio-u-", Url64, (60, MANY), Word),
    rule("harness", "pat.", Dotted, (60, 120), Alone),
    // Watching.
    rule("grafana-service", "glsa_", Class::Word, (40, MANY), Word),
    rule("grafana-cloud", "glc_", Base64, (32, MANY), Word),
    rule("new-relic-user", "NRAK-", Upper, (27, MANY), Word),
    rule("new-relic-insert", "NRII-", Url64, (32, MANY), Word),
    rule("new-relic-browser", "NRJS-", HexLower, (19, MANY), Word),
    rule("sentry-user", "sntryu_", HexLower, (60, MANY), Word),
    rule("sentry-org", "sntrys_", AnyBase64, (60, MANY), Word),
    rule("dynatrace", "dt0c01.", Dotted, (80, MANY), Word),
    rule("dynatrace-platform", "dt0s16.", Dotted, (70, MANY), Word),
    rule("posthog-personal", "phx_", Alnum, (40, MANY), Word),
    rule("honeycomb-ingest", "hcaik_", Lower, (50, MANY), Word),
    rule("rollbar", "post_server_item-", HexLower, (32, MANY), Word),
    rule("okta", "SSWS ", Url64, (40, MANY), Word),
    rule("authress", "sc_", Dotted, (60, MANY), Alone),
    rule("adobe", "p8e-", Alnum, (32, MANY), Word),
    rule("intra42", "s-s4t2ud-", HexLower, (60, MANY), Word),
    rule("intra42-affiliate", "s-s4t2af-", HexLower, (60, MANY), Word),
    rule("shippo", "shippo_live_", HexLower, (40, MANY), Word),
    rule("shippo-test", "shippo_test_", HexLower, (40, MANY), Word),
    rule("mapbox-secret", "sk.eyJ", Dotted, (60, MANY), Word),
    rule("minimax-group", "sk-api-", Url64, (40, MANY), Word),
    rule("moonshot", "sk-kimi-", Url64, (40, MANY), Word),
];
