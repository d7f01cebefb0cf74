import { add, compare, type Decimal, negate, plain } from '#kernel/values/decimal.ts'
import { qualityStates } from '#kernel/ledger/posting.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'

type Line = Readonly<Record<string, unknown>>
const done = new Set(['reviewed', 'partial', 'completed'])
const areaOf = (line: Line): string => String(line.location ?? '').split('-')[0] ?? ''
const sumOf = (lines: readonly Line[], name: string, places: number): Decimal =>
  lines.reduce<Decimal>((sum, line) => add(sum, String(line[name] ?? '0'), places), '0')
/** To the second, in local notation. */
const secondOf = (at: Date): string => at.toLocaleString('sv-SE', { timeZone: 'Asia/Shanghai' })

/** Until the review no result is printed; a blind sheet shows neither ledger quantities nor amounts, for any user. */
const untilReview = { difference: null, difference_amount: null }
const hidden = { book_quantity: null, price: null }

/**
 * The count sheet and the result sheet. Columns that a blind count hides stay hidden; result figures are shown once it
 * is reviewed: lines without difference against all lines counted.
 */
export const stockTakeSheet: NonNullable<DocumentHooks['printFields']> = async (_tx, _session, info) => {
  const lines = info.lines as readonly Line[]
  const isResult = done.has(String(info.state))
  const isBlind = ['blind', '盲盘'].includes(String(info.take_method))
  const notifies = isResult && lines.some(line => line.book_quantity !== null)
  const agreed = lines.filter(line => line.direction === 'none').length
  const amounts = lines.map(line => String(line.difference_amount ?? '0') as Decimal)
  const signed = (wanted: 1 | -1) =>
    amounts.filter(each => compare(each, '0') === wanted).reduce<Decimal>((sum, each) => add(sum, each, 2), '0.00')
  const knowsMoney = lines.some(line => 'difference_amount' in line)
  const rate = lines.length === 0 ? '-' : `${((agreed / lines.length) * 100).toFixed(2)}%`
  return {
    // Times of the header in readable form.
    book_moment: info.frozen_at ?? null,
    printed_moment: secondOf(new Date()),
    book_total: notifies ? plain(sumOf(lines, 'book_quantity', 3)) : '-',
    counted_total: notifies ? plain(sumOf(lines, 'counted_quantity', 3)) : '-',
    gain_total: notifies && knowsMoney ? signed(1) : '-',
    loss_total: notifies && knowsMoney ? negate(signed(-1)) : '-',
    net_total: notifies && knowsMoney ? sumOf(lines, 'difference_amount', 2) : '-',
    match_total: notifies ? rate : '-',
    lines: lines.map(line => ({
      ...line,
      ...(isResult ? {} : untilReview),
      ...(isResult || !isBlind ? {} : hidden),
      area_title: areaOf(line) === '' ? '未分库区' : `库区 ${areaOf(line)}`,
      quality: qualityStates[line.quality_state as keyof typeof qualityStates] ?? '',
    })),
  }
}
