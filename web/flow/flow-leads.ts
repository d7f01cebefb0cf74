import { type FlowCard, saysOf } from '#kernel/definition/dashboard.ts'
import { multiply } from '#kernel/values/decimal.ts'
import type { FlowRange } from '#kernel/wall/flow-leads.ts'
import { daysSaid, type Says } from '#web/fields/Explained.tsx'
import { groupDigits } from '#web/fields/kinds/number-input.tsx'

/** The explanation of a card's figure, with its days and whose documents it counts. */
export const cardSays = (card: FlowCard, { from, to, mine }: FlowRange): Says => [
  saysOf(card),
  card.as === 'count' ? '截至现在' : daysSaid(from, to),
  mine ? '范围：我编制或经办的' : '范围：全部',
]

/** A figure as its card shows it. */
export const cardText = (value: string | null, as: 'amount' | 'count' | 'rate'): string =>
  value === null ? '—' : as === 'rate' ? `${multiply(value, '100', 2)}%` : groupDigits(value)
