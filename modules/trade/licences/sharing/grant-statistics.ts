import { f } from '#kernel/definition/field.ts'
import { licenceTypes } from '#modules/trade/licensing/licence-types.ts'

/** Parameters of both licence statistics: dates, and the grouping. */
export const censusParams = {
  begin_date: f.day('开始日期'),
  end_date: f.day('结束日期'),
  by: f.pick(
    '汇总方式',
    { partner: '机构', type: '机构类型', licence: '证照类型', month: '月份' },
    { default: 'partner' },
  ),
  partner: f.text('机构名称'),
  partner_type: f.pick('机构类型', { 1: '医院', 2: '经销商', 3: '厂商' }),
  licence_type: f.pick('证照类型', licenceTypes),
} as const

/** The grouping keys of a row. */
export const censusKeys = {
  grouped: f.text('机构/汇总项', { width: 240 }),
  partner_type: f.pick('机构类型', { 1: '医院', 2: '经销商', 3: '厂商' }),
} as const

/** Dates in the wrong order are refused with a message. */
export const orderlyDays = ({ begin_date, end_date }: Readonly<Record<string, unknown>>): string | null =>
  begin_date && end_date && String(begin_date) > String(end_date) ? '结束日期不能早于开始日期' : null
