//! Two small tables that tell likely letters from unlikely ones.
//!
//! Both were fitted once against true counts and are frozen; `tests/fixtures/tokens` judges them.
//! They know how a language looks, not what a text says.

/// Cost of a letter after a letter, in sixteenths of a token, four bits a pair.
///
/// Row: the letter before, from `a`; within a row the second letter `a` sits in the lowest bits.
/// A pair that ordinary words hold costs little, because such words are single tokens.
#[rustfmt::skip]
const LETTER_PAIR_ROWS: [u128; 26] = [
    0x00f0_4f0f_000f_0f02_00f0_f0ef_c00f, // a
    0x0060_fff0_0fff_fbf0_0f01_fff0_df68, // b
    0x000f_f9f0_0304_f0ff_00f2_0ff1_fdf0, // c
    0x00ff_ffc0_f01f_f1ff_1ff1_f0f0_ffff, // d
    0x00fa_000f_f000_0f00_af0f_0fff_00f0, // e
    0x00f0_dff0_0f0f_f0ff_0ff0_ff01_2ff6, // f
    0x00fd_fff0_f0ff_ffff_0ffa_0ff0_f50f, // g
    0x00ff_ffff_0f0f_f0f0_ffc0_fff0_fbf0, // h
    0x009f_ff0f_00ef_f000_0aff_f000_400c, // i
    0x00ff_ffaf_f4ff_f0ff_ffff_fff0_f3ff, // j
    0x00f0_ffff_00ff_ff0f_faf6_fff9_fff0, // k
    0x00f0_ff90_f98f_00ff_0ff0_fff0_0f0f, // l
    0x00ff_fff0_f0ff_09f0_fff0_fd90_ff80, // m
    0x00f0_9900_00ff_f0f0_0fdf_f000_00fc, // n
    0x00ff_f000_0f0f_0000_8e00_ff0f_040c, // o
    0x00f0_ffc0_0f0f_00ff_0ff6_0ff0_0ff3, // p
    0x00ff_fff0_ffff_ffff_0f3f_ffff_efff, // q
    0x00f0_fff9_e0ff_f050_abf0_00f0_1fe8, // r
    0x00a0_ff60_00ff_004f_bdf0_0f30_ffff, // s
    0x00f0_a0ff_f00f_f0ff_0ff0_0f00_0afe, // t
    0x00ef_0fff_000f_0b01_0fff_fff7_0000, // u
    0x008f_fbf0_ffff_f08f_fff0_fff0_fffa, // v
    0x00ff_0fff_4f0f_003f_aff0_00f3_fef0, // w
    0x00ff_fff0_00ff_0fff_fffb_cf9f_f0f0, // x
    0x00ff_ffff_f00f_40ff_fcf0_ffff_ffff, // y
    0x00ff_ffff_ffff_f0ff_ffff_ffff_ffff, // z
];

/// Which of the 4,096 hash buckets hold frequent Chinese characters that are one token each.
///
/// The set covers 94 % of running Chinese text and 16 % of all characters of the block, so a
/// member counts as frequent only in the company of others.
#[rustfmt::skip]
const FREQUENT_HAN_BUCKETS: [u64; 64] = [
    0x0080_0080_0094_09e8, 0x0430_9880_0000_4004, 0xf070_0000_0000_c11c, 0x4d06_dc10_7408_a004,
    0x0800_4422_480c_8004, 0x0000_0002_0001_0018, 0x7c4a_0940_16f8_f000, 0x0022_0009_0c81_0042,
    0x0248_0230_8840_0105, 0x2707_a828_0000_0080, 0x8920_2802_a01c_3c39, 0x38cc_4200_0200_0282,
    0xb800_0001_0005_1800, 0x816c_3c8b_1415_0399, 0x4002_8000_00e0_002f, 0x0000_00a8_8010_4420,
    0x8a9e_3102_b9d8_0000, 0x9006_4448_4b40_4626, 0x0400_4826_0401_0028, 0x83c4_2c00_0000_0001,
    0x0000_2090_0018_0411, 0x1a06_0014_1800_0a21, 0x0000_0000_0002_40ac, 0x1782_0246_2045_ce3c,
    0x808c_0480_2400_0100, 0x0100_0300_0605_1000, 0x4408_80df_1c00_0000, 0x4031_2406_001f_0306,
    0x0018_1003_0004_3434, 0xa23a_0000_0000_0011, 0x0050_18a3_06c7_0804, 0x0800_4882_03e0_8000,
    0x0000_0000_2a10_4201, 0x6102_6200_036f_4e00, 0x0602_4400_0000_a02e, 0x0004_0022_0880_0000,
    0x0c23_7323_0000_0008, 0x4010_0130_1447_8801, 0x0200_8800_0022_0022, 0x0900_0000_0800_2480,
    0x0000_4007_6286_506b, 0x8000_0201_20e4_1100, 0x0000_00c2_0008_0c40, 0xc221_8619_3fb7_0000,
    0x0ac2_0410_80f0_1240, 0x1080_0188_e400_0421, 0x003e_c780_0000_0000, 0x2001_f806_6101_10c6,
    0x8240_4106_8811_1120, 0x8000_0000_0100_0803, 0x0261_2918_4198_54cf, 0x0180_80e5_402c_02a8,
    0x0000_0148_09c3_0100, 0x9822_0c3f_c780_0000, 0x0400_4001_4029_40b4, 0xee00_d020_0003_0488,
    0x7ca7_e000_0000_0008, 0x8402_803a_6048_4018, 0x1100_0049_c408_1020, 0x0000_0000_0400_0081,
    0x1810_7c70_840c_25e0, 0x8340_0080_0005_1803, 0x0044_0200_2090_1004, 0x3dd4_16b0_e000_0000,
];

const _: () = assert!(size_of_val(&LETTER_PAIR_ROWS) <= 512);
const _: () = assert!(size_of_val(&FREQUENT_HAN_BUCKETS) <= 512);

/// Spreads neighbouring code points over the buckets; chosen for the best cover of the set.
const HAN_HASH_FACTOR: u32 = 678_162_217;

/// Returns the cost of lower-case letter `next` after `previous`, in sixteenths of a token.
///
/// Both are offsets from `a`, below 26; anything else costs the most that a pair can.
pub(super) fn letter_pair_sixteenths(previous: u32, next: u32) -> u32 {
    let row = usize::try_from(previous).ok().and_then(|index| LETTER_PAIR_ROWS.get(index));
    let bits = row.and_then(|row| row.checked_shr(next.saturating_mul(4))).unwrap_or(0xf);
    u32::try_from(bits & 0xf).unwrap_or(0xf)
}

/// Tells whether a character of the main Chinese block is in the frequent set.
///
/// A rare character may be in it by chance, one in six.
pub(super) fn is_frequent_han(code_point: u32) -> bool {
    let bucket = code_point.wrapping_mul(HAN_HASH_FACTOR) >> 20;
    let word = usize::try_from(bucket >> 6).ok().and_then(|index| FREQUENT_HAN_BUCKETS.get(index));
    word.is_some_and(|word| word >> (bucket & 63) & 1 == 1)
}
