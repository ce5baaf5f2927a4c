//! Chinese: how people ask, address and join, what speaks of acts, and where the rest is.

mod goals;
mod limits;
mod turns;

use super::language::{Language, Written};
use super::typed::ActWords;
use crate::domain::act::Act;
use goals::{GOALS, ORDERS};
use limits::{AUTHORIZATIONS, CONSTRAINTS};
use turns::{CANCELS, COMPLETIONS, CORRECTIONS, DISPUTES};

/// The data of Chinese.
pub(super) static LANGUAGE: Language = Language {
    written: Written::InHan,
    acts: ACTS,
    groups: &[
        CONSTRAINTS,
        AUTHORIZATIONS,
        CORRECTIONS,
        GOALS,
        ORDERS,
        DISPUTES,
        COMPLETIONS,
        CANCELS,
    ],
    questions: &[
        "吗|呢|么 $",
        "为什么|为何|怎么|怎样|什么意思|如何|能不能|可不可以|是不是|有没有|要不要|会不会|什么是|是什么|有什么|干什么|做什么|什么样|哪个|哪里|哪些|是谁|谁在|多久|多少|对吧|对不对|好不好|难不难",
    ],
    requests: &[
        "能不能|可不可以|可以 ~ 别|不要|不再",
        "能不能|能否|可否|可不可以 ~ 给|把|帮|加|做|写|实现|支持|改",
    ],
    spellings: &[],
    fillers: &[
        "请", "那", "你", "先", "也", "都", "就", "咱", "嗯", "好", "帮", "麻", "烦", "哦", "啊",
        "哎", "行", "但", "的", "们", "我", "以", "后", "还", "有", "另", "外", "注", "意",
    ],
    joints: &["但", "而", "且", "并", "然"],
    speakers: &["我", "你", "您", "咱", "请"],
    stop_words: &[
        "的", "了", "是", "在", "和", "与", "就", "都", "也", "不", "别", "要", "把", "被", "给",
        "我", "你", "他", "她", "它", "们", "这", "那", "个", "一", "有", "没", "会", "能", "可",
        "以", "后", "先", "再", "请", "吧", "吗", "呢", "啊", "只", "必", "须", "改", "成", "为",
        "用", "到", "从", "对", "错", "里", "上", "下", "中", "动", "让", "等", "还", "过", "很",
        "该", "应", "许", "准", "千", "万", "现", "始", "开", "律", "做", "写", "得", "着", "而",
        "且", "但", "于", "其", "实",
    ],
};

const ACTS: ActWords = ActWords {
    verbs: &[
        (Act::Push, &["推送", "推到", "推上去", "push"]),
        (Act::Publish, &["发布", "发版"]),
        (Act::Deploy, &["部署", "上线"]),
        (Act::Delete, &["删除", "删掉", "删"]),
        (Act::Pay, &["付款", "支付", "下单"]),
        (Act::Message, &["发邮件", "发消息"]),
        (Act::Install, &["安装"]),
        (Act::Reset, &["重置", "清空"]),
        (Act::Migrate, &["迁移"]),
    ],
    leads: &["别", "要", "许", "准", "能", "止", "得", "以", "再", "意", "接", "动", "自"],
    objects: &[
        (Act::Delete, DATA),
        (Act::Reset, DATA),
        (Act::Pay, &["订单", "账单", "发票", "订阅", "域名"]),
    ],
    follows: &[],
    conditions: &[
        "如果|要是|除非 ci|测试|全部",
        "之后|以后|通过 ~ 再|才",
        "才能|才可以|只能|只可以|的时候|怎么|为什么|等 ci",
        "等 ~ 过了|绿了|通过",
    ],
    allows: AUTHORIZATIONS.phrases,
    forbids: &["别|不要|不许|不准|禁止|严禁|不得|不能|不可以|切勿|勿"],
    gates: &[
        "没有我的|没我的|未经我 同意|批准|允许|确认|许可",
        "等我 ~~ 再|以后|之后",
        "除非我|先问我|先给我看|经我同意",
        "在我 ~ 之前|前",
    ],
    prepositions: &["到", "往", "向"],
    places: &[
        "生产环境",
        "生产库",
        "生产",
        "预发环境",
        "预发",
        "测试环境",
        "主分支",
        "main",
        "master",
        "prod",
        "npm",
    ],
};

/// Stored things that are gone when they are deleted.
const DATA: &[&str] = &[
    "库",
    "表",
    "文件",
    "目录",
    "分支",
    "数据",
    "备份",
    "记录",
    "桶",
    "索引",
    "仓库",
    "任何东西",
    "环境",
    "集群",
    "历史",
    "文件夹",
    "快照",
    "账号",
];
