import { type FlowCard, saysOf } from '#kernel/definition/dashboard.ts'
import { multiply } from '#kernel/values/decimal.ts'
import { daysSaid, type Says } from '#web/fields/Explained.tsx'
import { groupDigits } from '#web/fields/kinds/number-input.tsx'

type Asked = { readonly from: string; readonly to: string; readonly partner: string | null; readonly mine: boolean }

/** The list behind a bar: documents of a partner in the period, or rows of a register. */
export const barQuery = (
  field: string | undefined,
  partner: string,
  { from, to }: { readonly from: string; readonly to: string },
) =>
  field === undefined
    ? { counterparty_sn: partner, begin_date: from, end_date: to }
    : { [field]: partner, begin_business_date: from, end_business_date: to }

/**
 * The list behind a figure: for an amount the documents or rows of the period; always for the requested partner and
 * person.
 */
export function cardQuery(card: FlowCard, { from, to, partner, mine }: Asked): Readonly<Record<string, string>> {
  const [first, last] =
    card.partner === undefined ? ['begin_date', 'end_date'] : ['begin_business_date', 'end_business_date']
  return {
    ...card.where,
    ...(card.as === 'amount' ? { [first]: from, [last]: to } : {}),
    ...(partner === null ? {} : { [card.partner ?? 'counterparty_sn']: partner }),
    ...(mine && card.partner === undefined && card.report === undefined ? { mine: '1' } : {}),
  }
}

/** The explanation of a card's figure, with its days and whose documents it counts. */
export const cardSays = (card: FlowCard, { from, to, mine }: Asked): Says => [
  saysOf(card),
  card.as === 'count' ? '截至现在' : daysSaid(from, to),
  mine ? '范围：我编制或经办的' : '范围：全部',
]

/** A figure as its card shows it. */
export const cardText = (value: string | null, as: 'amount' | 'count' | 'rate'): string =>
  value === null ? '—' : as === 'rate' ? `${multiply(value, '100', 2)}%` : groupDigits(value)
