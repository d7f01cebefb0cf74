/** The stages of an operation on loaned goods. */
export type Stage = 'issued' | 'accepted' | 'counted' | 'sent' | 'used' | 'sold'
export const order: readonly Stage[] = ['issued', 'accepted', 'counted', 'sent', 'used', 'sold']

export type Case = {
  readonly stage: Stage
  /** From today on. One that is over was urgent and is entered afterwards, within 72 hours. */
  readonly days: number
  readonly hour: number
  readonly procedure: string
  /** A word that the names of its goods contain. */
  readonly goods: string
  readonly site: string
  readonly patient: string
  readonly admission: string
}
/** From one that was just asked for to one that is sold and booked. */
export const CASES: readonly Case[] = [
  {
    stage: 'sold',
    days: -2,
    hour: 1,
    procedure: '全髋关节置换术',
    goods: '髋关节',
    site: '右髋',
    patient: '端木清和',
    admission: 'ZY2611201',
  },
  {
    stage: 'used',
    days: -1,
    hour: 3,
    procedure: '腰椎后路融合术',
    goods: '脊柱|椎间',
    site: '腰椎',
    patient: '宇文锦书',
    admission: 'ZY2611202',
  },
  {
    stage: 'sent',
    days: 1,
    hour: 1,
    procedure: '胫骨平台内固定术',
    goods: '接骨',
    site: '左胫骨',
    patient: '司徒若水',
    admission: 'ZY2611203',
  },
  {
    stage: 'counted',
    days: 2,
    hour: 5,
    procedure: '膝关节置换术',
    goods: '膝关节',
    site: '右膝',
    patient: '皇甫闻笛',
    admission: 'ZY2611204',
  },
  {
    stage: 'accepted',
    days: 3,
    hour: 2,
    procedure: '肱骨近端内固定术',
    goods: '接骨',
    site: '左肱骨',
    patient: '令狐远山',
    admission: 'ZY2611205',
  },
  {
    stage: 'issued',
    days: 4,
    hour: 2,
    procedure: '髋关节翻修术',
    goods: '髋关节',
    site: '左髋',
    patient: '公孙听雨',
    admission: 'ZY2611206',
  },
]

/** Cases of a maker of pacemakers, who sends a technician of its own at other hours. */
export const PACING: readonly Case[] = [
  {
    ...CASES[0]!,
    hour: 9,
    procedure: '双腔永久起搏器植入术',
    goods: '起搏',
    site: '左胸',
    patient: '澹台明远',
    admission: 'ZY2611208',
  },
  {
    ...CASES[5]!,
    hour: 10,
    procedure: '下腔静脉滤器置入术',
    goods: '滤器',
    site: '下腔静脉',
    patient: '闻人知夏',
    admission: 'ZY2611209',
  },
]

export const roomOf = (each: Case): string => `${[...CASES, ...PACING].indexOf(each) + 1}号手术间`
