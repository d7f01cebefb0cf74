import { compare, type Decimal } from '#kernel/values/decimal.ts'
import { f } from '#kernel/definition/field.ts'

/** Labels shared by the cabinet definitions. */
export const cabinetTypes = { main: '主柜', side: '副柜', cold: '冷藏柜', weighing: '称重柜' } as const
export const identifyWays = { rfid: 'RFID', weight: '称重', scan: '扫码' } as const
export const doorKinds = { sliding: '推拉门', drawer: '抽屉', cold: '冷藏门' } as const
/** How a slot is counted. The last four are for low-value goods, which have no code of their own. */
export const measures = {
  rfid: 'RFID',
  scan: '扫码',
  weight: '称重',
  key: '按键',
  two_bin: '双箱定数包',
  manual: '手工登记',
} as const
export const lowMeasures = { weight: '称重', key: '按键', two_bin: '双箱定数包', manual: '手工登记' } as const
export const credentials = { card: '刷卡', face: '人脸', fingerprint: '指纹', password: '密码' } as const
export const operations = {
  take: '取用',
  return: '归还',
  refill: '补货',
  withdraw: '退库',
  count: '盘点',
  remote_open: '远程开门',
  abnormal_open: '异常开门',
} as const
export const transactionStates = {
  pending: '待关联',
  linked: '已关联',
  returned: '已归还',
  abnormal: '异常',
  settled: '无需处理',
} as const

export const online = f.pick('在线状态', { online: '在线', offline: '离线', none: '未接入' })
const degrees = (label: string) => f.quantity(label, { min: '-100', max: '100' })

/** How long a door may stay open: the device has its own limit. */
const secondsFit = (seconds: number | null): boolean => seconds === null || (seconds >= 5 && seconds <= 3600)

/** The temperatures between which goods may be kept: of a cabinet, and of a door that has its own. */
export const temperatureRange = {
  temperature_min: degrees('温度下限'),
  temperature_max: degrees('温度上限'),
} as const

type Door = {
  readonly open_seconds: number | null
  readonly temperature_min: Decimal | null
  readonly temperature_max: Decimal | null
}

/**
 * The guards that a cabinet and each of its doors must pass: the seconds that a door may stand open, and a range whose
 * lower end is below its upper end.
 */
export const doorGuards: readonly ((row: Door) => true | string)[] = [
  row => secondsFit(row.open_seconds) || '开门超时应为5至3600秒',
  row =>
    row.temperature_min === null ||
    row.temperature_max === null ||
    compare(row.temperature_min, row.temperature_max) < 0 ||
    '温度下限必须低于温度上限',
]
