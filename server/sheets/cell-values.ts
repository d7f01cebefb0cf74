import type { FieldSpec } from '#kernel/definition/field.ts'
import { divide, isDecimal, multiply, plain } from '#kernel/values/decimal.ts'

/** Figures as written by users and spreadsheets: thousands separators, currency signs and full-width digits. */
const figure = (text: string): string =>
  text.replace(/[０-９．－，％]/g, wide => String.fromCharCode(wide.charCodeAt(0) - 0xfee0)).replace(/[,\s¥￥]/g, '')

/** A day in any usual notation; of a moment, its day. */
const dayOf = (text: string): string =>
  text
    .replace(/[ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?$/, '')
    .replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
    .replace(
      /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/,
      (_, y, m, d) => `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`,
    )

/** A moment in local time. */
const instantOf = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?$/.test(text)
    ? `${text.replace(' ', 'T')}${text.includes(' ') ? '' : 'T00:00:00'}+08:00`
    : text

/** 13%, 13 and 0.13 are the same rate. */
function rateOf(text: string): string {
  const rate = figure(text).replace('%', '')
  return /^0\.\d{1,8}$/.test(rate) ? plain(multiply(rate, '100', 2)) : rate
}

/** A share: 3% is 0.03 on the wire. */
const shareOf = (text: string): string => {
  const share = figure(text)
  return share.endsWith('%') && isDecimal(share.slice(0, -1)) ? plain(divide(share.slice(0, -1), '100', 8)) : share
}

/** A cell's content as a wire value: labels of choices, 是 and 否, days and figures in any usual notation. */
export function cellValue(field: FieldSpec, text: string): unknown {
  switch (field.as) {
    case 'pick':
      return Object.entries(field.choices ?? {}).find(([key, label]) => label === text || key === text)?.[0] ?? text
    case 'flag':
      return text === '是' ? true : text === '否' ? false : text
    case 'day':
      return dayOf(text)
    case 'instant':
      return instantOf(text)
    case 'taxRate':
      return rateOf(text)
    case 'rate':
      return shareOf(text)
    case 'quantity':
    case 'price':
    case 'amount':
    case 'count':
      return figure(text)
    case 'codes':
      return text.split(/[,，;；\s]+/).filter(Boolean)
    default:
      return text
  }
}
