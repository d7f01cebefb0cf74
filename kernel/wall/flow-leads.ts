import type { FlowCard, FlowMoney, FlowStep } from '#kernel/definition/dashboard.ts'
import { documentOf, reportOf } from '#kernel/registry.ts'

/** The days of a process chart, both included, a partner, and whether it is of the reader's documents alone. */
export type FlowRange = {
  readonly from: string
  readonly to: string
  readonly partner: string | null
  readonly mine: boolean
}
type Query = Readonly<Record<string, string>>

/**
 * The partner and the person as filters of a list: a report has those that it declares; of records only those know a
 * partner whose step names the field (`partner`).
 */
export function narrowed(kind: string, { partner, mine }: Pick<FlowRange, 'partner' | 'mine'>, field?: string): Query {
  const isDocument = documentOf(kind) !== undefined
  const knows = (name: string): boolean => isDocument || name in (reportOf(kind)?.parameters ?? {})
  const name = field ?? 'counterparty_sn'
  return {
    ...(partner !== null && (field !== undefined || knows(name)) ? { [name]: partner } : {}),
    ...(mine && knows('mine') ? { mine: '1' } : {}),
  }
}

/** The filters of the list behind a figure: of an amount its documents or rows of the period. */
export const cardQuery = (card: FlowCard, asked: FlowRange): Query => ({
  ...card.where,
  ...(card.as === 'amount' ? { begin_date: asked.from, end_date: asked.to } : {}),
  ...narrowed(card.kind, asked),
})

/** The filters of the list behind an amount at a step, which stands now. */
export const moneyQuery = (step: FlowStep, { kind = step.kind, where }: FlowMoney, asked: FlowRange): Query => ({
  ...where,
  ...narrowed(kind, asked),
})
