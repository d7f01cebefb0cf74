import { today } from '#kernel/values/date.ts'
import { f } from '#kernel/definition/field.ts'
import { parseInteger } from '#kernel/values/integer.ts'

/** The goods columns of every figure table. */
export const goods = {
  product_code: f.text('产品编码'),
  product_name: f.text('产品名称'),
  specification_name: f.text('规格型号'),
  manufacturer_name: f.text('生产厂家'),
} as const
export const lot = { lot_no: f.lot('批号'), expiry_date: f.day('有效期至') } as const
export const unit = { unit_name: f.text('单位') } as const

/** The class filter of a figure table: subclasses are included. */
export const ofClass = { custom_type_sn: f.ref('产品分类', 'customType', { optionsFilter: { tree: 'own' } }) } as const
/** The accounting class of goods: a hospital's 财务分类, a dealer's or manufacturer's own grouping. */
export const ofFinanceClass = {
  finance_class_sn: f.ref('财务分类', 'customType', { optionsFilter: { tree: 'account,own' } }),
} as const
export const financeClass = { finance_class: f.text('财务分类') } as const

/** The first and the last day of a period, both included. */
export const period = {
  begin_date: f.day('开始日期', { required: true }),
  end_date: f.day('结束日期', { required: true }),
} as const
/** The goods filters of a figure table. */
export const narrowing = {
  warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
  specification_sn: f.ref('规格型号', 'specification'),
  product: f.text('产品名称/编码'),
  manufacturer: f.text('品牌/厂家'),
} as const
/** The documents of one person: those that the reader wrote or handles. The SQL reads it by `{{ mine(…) }}`. */
export const ofReader = { mine: f.pick('我的', { 1: '我编制或经办的' }) } as const

const MOST_MONTHS = 12
type Asked = Readonly<Record<string, unknown>>

/** A period in order, and on a page no longer than a year: a workbook may hold more. */
export function orderlyPeriod({ begin_date, end_date }: Asked, carried: boolean): string | null {
  const [begin, end] = [String(begin_date), String(end_date)]
  if (begin > end) return '开始日期不能大于结束日期'
  const [year, rest] = [parseInteger(begin.slice(0, 4)), begin.slice(4)]
  return !carried && end >= `${year + MOST_MONTHS / 12}${rest}` ? `查询区间不能超过${MOST_MONTHS}个月` : null
}

/** A day that is not in the future. */
export const notAhead = ({ end_date }: Asked): string | null =>
  String(end_date) > today() ? '截止日期不能大于当前日期' : null

/** The invoicing progress of a line. */
export const invoiceStates = { none: '未开票', part: '部分开票', whole: '已开票' } as const
