import { absolute, compare, type Decimal, isNegative, round } from '#kernel/values/decimal.ts'
import { parseInteger } from '#kernel/values/integer.ts'

const DIGITS = '零壹贰叁肆伍陆柒捌玖'
const PLACES = ['', '拾', '佰', '仟']
const GROUPS = ['', '万', '亿']

function wholeInWords(whole: string): string {
  const groups: string[] = []
  for (let end = whole.length; end > 0; end -= 4) groups.unshift(whole.slice(Math.max(0, end - 4), end))
  let words = ''
  let pendingZero = false
  groups.forEach((group, index) => {
    let part = ''
    const padded = group.padStart(4, '0')
    for (let place = 0; place < 4; place++) {
      const digit = parseInteger(padded[place])
      if (digit === 0) {
        pendingZero ||= words !== '' || part !== ''
        continue
      }
      part += `${pendingZero ? '零' : ''}${DIGITS[digit]}${PLACES[3 - place]}`
      pendingZero = false
    }
    if (part) words += part + (GROUPS[groups.length - 1 - index] ?? '')
  })
  return words
}

/** An amount in words as on cheques: "1234.50" → 壹仟贰佰叁拾肆元伍角. Below 0.01 零元整, from 1e12 超出范围. */
export function chineseMoney(amount: Decimal): string {
  if (compare(absolute(amount), '0.01') < 0) return '零元整'
  const rounded = round(amount, 2)
  const [whole = '0', cents = '00'] = rounded.replace('-', '').split('.')
  if (whole.length > 12) return '超出范围'
  if (/^0+$/.test(whole + cents)) return '零元整'
  const yuan = wholeInWords(whole)
  const [jiao, fen] = [parseInteger(cents[0]), parseInteger(cents[1])]
  const small = `${jiao ? `${DIGITS[jiao]}角` : yuan && fen ? '零' : ''}${fen ? `${DIGITS[fen]}分` : ''}`
  return `${isNegative(rounded) ? '负' : ''}${yuan ? `${yuan}元` : ''}${small || '整'}${small && !fen ? '整' : ''}`
}
