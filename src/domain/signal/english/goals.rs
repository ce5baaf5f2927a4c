//! English: what sets the aim of the work.

use super::super::kind::SignalKind::GoalChange;
use super::super::language::Group;

pub(super) const GOALS: Group = Group {
    kind: GoalChange,
    phrases: &[
        "the|our|my|your|main|new|overall|real|only goal|objective|task|mission|aim|job|priority|focus is|becomes|now|today|remains",
        "^ goal|task|objective|mission :",
        "new plan|goal|task|priority|objective|direction :|is|,",
        "change of plan|plans|direction",
        "^ today|tomorrow|next|now|this_week|from_here we concentrate|focus|work|build|move|start|do|migrate|turn|switch|tackle",
        "we concentrate|focus on",
        "the|our whole|main|entire|only|real|actual point|idea|aim|purpose|reason|work is",
        "the work is about|on|now",
        "what i|we want|need|am_after|are_after is",
        "^ next up",
        "^ up next",
        "^ i need a|an ~~ that|which|to|for",
        "the point|purpose|idea of|is ~ is|to",
        "^ we're|we_are building|porting|migrating|moving|rewriting|switching|replacing|making|shipping|turning|converting|adding",
        "^ i'm|i_am building|working_on|trying_to|writing|porting|migrating",
        "^ we are_going|want|need to",
        "^ we're going to",
        "^^ we will|must|shall build|ship|do|make|port|migrate|rewrite|move|implement|focus|get",
        "^^ we'll build|ship|do|make|port|migrate|rewrite|move|implement|focus|get",
        "^ let's|lets|let_us focus|switch|move|build|drop|start|work|do|make|implement|turn|migrate|port|rewrite|finish|get|go_with|concentrate",
        "^ focus on",
        "^ concentrate on",
        "^ switch|move|turn|pivot|over to the|this|that|another|a|issue|ticket|working",
        "i want|need you to",
        "i'd|i_would like you to",
        "i_want_to|i_need_to|i'd_like_to build|port|migrate|rewrite|implement|create|make|ship|release|get|replace|move|add|turn",
        "what|all matters|counts now|is|today|most",
        "everything else can|must|has wait",
        "the plan is|now to|:|now",
        "the|this|that is|has|takes priority|precedence|urgent",
        "^ instead_of ~~ work|focus|do|build",
        "put|set ~ aside|on_hold|on_ice",
        "^ forget ~~ focus|matters|work|instead|do",
        "^ drop|pause|park|shelve ~~ and|instead|focus|first",
        "goal|aim|task|objective|mission|job|priority here|now|today|for_now|this_week is",
        "that's|that_is|thats|this_is|it's the|our|your|my task|goal|job|mission|priority",
        "today's|todays|tomorrow's|new task|job|goal|priority|mission",
        "^ we need ~~ on|in|for|to|that|which|with|by",
        "^ we need a|an|better|proper|support ~",
        "i'd_like|i_would_like|i_want|we_want|we'd_like the|our|a|an|all|every ~~ to",
        "i_want_to|i_need_to|i'd_like_to|we_want_to|we_need_to ~ split|extract|refactor|convert|switch|rework|integrate|support|write|develop|redesign|upgrade|fix",
        "needs|need fixing|rewriting|porting|refactoring|replacing|rework|to_be_fixed|to_be_rewritten|to_be_replaced|to_be_ported|to_support",
        "^ next|now|then ~ do|write|build|implement|make|port the|a|an ~",
        "^ start|begin on|working_on|porting|writing|building|implementing|rewriting",
    ],
    unless: &[
        "i|i'd want|need|like you|you_to ~ explain|tell|show|list|check|look|read|describe|know|see|answer|never|always|not",
        "suggest|propose a goal",
        "^ we need|have to know|understand|be|never|always",
        "^^ if|when",
    ],
    asks: false,
};

/// Work given as an order: verbs of building, and what is built.
pub(super) const ORDERS: Group = Group {
    kind: GoalChange,
    phrases: &[
        "^ implement|port|migrate|rewrite|refactor|integrate|redesign|rework|restructure|modernize|harden|parallelize|internationalize|localize|containerize ~",
        "^ add|introduce|support|enable ~",
        "^ optimize|optimise|simplify|improve|speed_up ~ the|our|a|how|all|startup|performance",
        "^ replace|swap|exchange ~~ with|by|for",
        "^ convert|turn|transform|switch|upgrade|move|migrate ~~ to|into|from|over",
        "^ split|break|extract|factor ~~ into|out|up|apart",
        "^ connect|hook|wire|integrate ~~ to|with|into|up",
        "^ get rid of ~",
        "^ make the|our|all|every|each ~",
        "^ let users|the_user|people|customers|admins|clients|callers|visitors ~",
        "^ get the|our|this ~~ to|working|running|working|ready|under",
        "^ help me get|make|build|port|write|move|migrate|rewrite|implement|set|add|fix",
        "^ build|create|develop|design|scaffold|bootstrap|prototype|make|write ~~ tool|cli|script|app|application|service|server|client|api|endpoint|page|dialog|form|screen|dashboard|component|parser|lexer|tokenizer|compiler|formatter|printer|renderer|library|package|crate|module|plugin|extension|action|pipeline|workflow|job|bot|game|website|site|daemon|worker|importer|exporter|converter|generator|suite|benchmark|sdk|driver|middleware|feature|system|scheduler|editor|proxy|wrapper|adapter|backend|frontend|ui|integration|database|schema|cache|queue|engine|framework|sync|prototype|template|tests|automation",
        "^ set up a|an|the ~",
        "^ fix ~~ race|crash|crashes|leak|overflow|deadlock|regression|bug|bugs|panic|hang|segfault|corruption|vulnerability|bottleneck|flakiness|timeout|timeouts|freeze|slowdown|exception|login|logout|pagination|upload",
    ],
    unless: TOUCHES,
    asks: false,
};

/// The same work, asked for politely.
pub(super) const ASKED_ORDERS: Group = Group {
    kind: GoalChange,
    phrases: &[
        "^ can|could|would|will you ~ implement|port|migrate|rewrite|refactor|integrate|redesign|rework|build|create|develop|add|introduce|optimize|convert|replace|split|extract ~ a|an|the|our|support|all|some|me_a",
        "^ can|could|would|will you ~ make the|our ~",
        "^ can|could|would|will you ~ set_up|write ~~ tool|cli|script|app|service|server|client|api|endpoint|page|parser|library|plugin|extension|pipeline|workflow|suite|bot|middleware|wrapper",
        "^ can|could|would|will you ~ fix the|a ~~ race|crash|leak|overflow|deadlock|regression|bug|panic|hang|segfault|corruption|timeout|login|upload",
    ],
    unless: TOUCHES,
    asks: true,
};

/// What makes an order a small step: it points, or it touches a word, a line, a mark.
const TOUCHES: &[&str] = &[
    "implement|port|migrate|rewrite|refactor|integrate|rework|add|support|enable|optimize|simplify|improve|replace|convert|turn|switch|move|split|extract|make|build|create|write|fix this|that|it|these|those|them|something|anything|everything",
    "get this|that|it|them to|working|running|done|merged",
    "refactor|rewrite|replace|remove|convert|make|change|fix|move|improve|simplify|optimize ~ line|lines|loop|call|calls|function|functions|method|methods|variable|variables|constant|constants|import|imports|comment|comments|if|condition|statement|word|words|wording|sentence|paragraph|name|names|label|title|text|spelling|typo|typos|indentation|formatting|lint|warning|warnings",
    "add|introduce|insert|put|create|write ~ comment|comments|log|logs|logging|print|prints|println|breakpoint|import|imports|semicolon|newline|whitespace|space|docstring|todo|assertion|assert|line|lines|function|method|variable|constant|constants|regex|type|field|column|enum|struct|commit|message|file|folder|directory|branch|diagram|summary|notes|story|email|reply|note|sentence|paragraph|entry|tag|alias|ticket|issue",
    "add|write|create ~ a|one|another|the test|case|check $|for|that|which|case|to",
    "add ~~ to git|gitignore|the_index|the_readme|readme|docs|the_docs|changelog|the_changelog|path",
    "make|change|turn|switch ~~ blue|red|green|black|white|grey|gray|yellow|bigger|smaller|larger|bold|wider|narrower|shorter|longer|tests|test|check|build|target|linter",
    "^ move|turn|switch ~ on|off|back|up|down|left|right|along",
    "the same|rest|other|remaining|second|third",
    "^ make sure|sense",
    "^^ why|how|what|if|when|where|who|which|whether|does|did|is|are|should",
    "^ improve|get the|my attention|output|wording",
];
