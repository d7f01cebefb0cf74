import { addDays, today } from '#kernel/values/date.ts'
import type { Flow, FlowCount, FlowStep } from '#kernel/definition/dashboard.ts'
import { cardQuery, type FlowRange, narrowed } from '#kernel/wall/flow-leads.ts'
import { derived, documents, entities, reportOf, reports } from '#kernel/registry.ts'
import { countSql } from '#server/documents/list/list.ts'
import { awaitsMyApprovalSql } from '#server/documents/approval/levels.ts'
import { mayReadMeasure, maySeePrices } from '#server/access/sensitive-fields.ts'
import { listRecords } from '#server/records/read.ts'
import { runReport } from '#server/reports/report.ts'
import { documentScopeSql } from '#server/access/data-scope.ts'
import { may, type Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

export type FlowAsked = FlowRange
export type FlowFigures = {
  /** Money and rates by name; null where there is nothing to compute from. */
  readonly figures: Readonly<Record<string, string | null>>
  readonly bars: readonly { readonly partner_sn: string; readonly name: string; readonly amount: string }[]
  readonly trend?: readonly { readonly day: string; readonly amount: string }[]
  /** The data that the module's own part of the page draws. */
  readonly more?: Readonly<Record<string, unknown>>
}
/** A flow with the figures that only its module can compute; rows of reports are counted for it. */
export type ProcessChartHooks = {
  readonly flow: Flow
  readonly figures: (tx: Tx, session: Session, asked: FlowAsked) => Promise<FlowFigures>
}

const all = derived(() => [...documents(), ...entities(), ...reports()])
const screensOf = (kind: string) => all().find(definition => definition.kind === kind)?.screens ?? []
/** The pages of a kind in this user's menu. */
const has = (session: Session, kind: string): boolean =>
  screensOf(kind).some(screen => screen.orgs.includes(session.org.type) && may(session, `page:${screen.route}`))

/** The days of a count, as list filters. */
function daysOf({ within }: FlowCount, { from, to }: FlowAsked): Readonly<Record<string, string>> {
  if (!within) return {}
  const [first, last] = within.span === 'period' ? [from, to] : [today(), addDays(today(), within.span)]
  return { [`begin_${within.field}`]: first, [`end_${within.field}`]: last }
}

type Counted = { readonly step: FlowStep; readonly count: FlowCount; readonly query: Readonly<Record<string, string>> }

/** Counts of documents, all in one statement, each with exactly the condition of the list that it links to. */
async function documentCounts(tx: Tx, session: Session, counted: readonly Counted[]): Promise<number[]> {
  if (counted.length === 0) return []
  const parts = counted.map(({ step, query }, at) => {
    const definition = documents().find(each => each.kind === step.kind)!
    return tx`select ${at}::int as at, ${countSql(tx, session, definition, query)} as n`
  })
  const rows = await tx<{ at: number; n: number }[]>`${parts.reduce((before, part) => tx`${before} union all ${part}`)}`
  return counted.map((_, at) => rows.find(row => row.at === at)?.n ?? 0)
}

/** Documents of the process that wait for something this user may do. */
async function duties(tx: Tx, session: Session, kinds: readonly string[], asked: FlowAsked) {
  const reviewed = kinds.filter(kind => may(session, `${kind}.review`))
  const written = kinds.filter(kind => may(session, `${kind}.submit`))
  const rows = await tx<{ kind: string; sn: string; state: string; name: string | null; created_at: string }[]>`
    select d.kind, d.sn, d.state, o.name, d.created_at from document d left
      join organisation o on o.id = d.counterparty_id
     where d.org_id = ${session.org.id} and d.role = 'own' and ${documentScopeSql(tx, session)}
       and ${asked.partner === null ? tx`true` : tx`d.counterparty_id = ${asked.partner}`}
       and (d.kind = any(${reviewed}) and d.state = 'submitted' and ${awaitsMyApprovalSql(tx, session)}
         or d.kind = any(${written}) and d.state in ('draft', 'rejected') and d.created_by = ${session.userId})
     order by d.created_at desc limit 8`
  return rows.map(row => {
    const definition = documents().find(each => each.kind === row.kind)!
    return { ...row, title: definition.title, words: definition.lifecycle.stateLabels?.[row.state as never] ?? null }
  })
}

const isDocument = (kind: string): boolean => documents().some(each => each.kind === kind)

/** The number of documents and records that wait at each step. */
async function countAll(
  tx: Tx,
  session: Session,
  steps: readonly FlowStep[],
  asked: FlowAsked,
): Promise<Map<Counted, number>> {
  const every = steps.flatMap(step =>
    step.counts.map(count => ({
      step,
      count,
      query: { ...count.where, ...daysOf(count, asked), ...narrowed(step.kind, asked, step.partner) },
    })),
  )
  const [docs, others] = [
    every.filter(({ step }) => isDocument(step.kind)),
    every.filter(({ step }) => !isDocument(step.kind)),
  ]
  const counts = await documentCounts(tx, session, docs)
  const numbers = new Map<Counted, number>(docs.map((one, at) => [one, counts[at] ?? 0]))
  for (const one of others) {
    const definition = entities().find(each => each.kind === one.step.kind)!
    numbers.set(one, (await listRecords(tx, session, definition, { ...one.query, pageSize: '1' })).total)
  }
  return numbers
}

/** A user who wrote or handles waiting items starts with those; a user who only supervises starts with everything. */
async function counted(tx: Tx, session: Session, steps: readonly FlowStep[], asked: FlowAsked, chosen: unknown) {
  const numbers = await countAll(tx, session, steps, asked)
  const some = [...numbers].some(([{ step }, n]) => isDocument(step.kind) && n > 0)
  if (chosen !== undefined || some) return { asked, numbers }
  const wide = { ...asked, mine: false }
  return { asked: wide, numbers: await countAll(tx, session, steps, wide) }
}

const dayOr = (value: unknown, other: string): string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : other

/** The amounts of a chart that this user does not read: a measure asks for its own right. */
function hiddenMoney(session: Session, { cards, steps }: Flow): ReadonlySet<string> {
  const money = [...cards.filter(({ as }) => as === 'amount'), ...steps.flatMap(step => step.money ?? [])]
  const reads = ({ measure }: (typeof money)[number]): boolean =>
    maySeePrices(session) && (measure === undefined || mayReadMeasure(session, measure))
  return new Set(money.flatMap(each => (reads(each) ? [] : [each.figure])))
}

/** Cards that count the rows of a report: the number of rows on the page behind them. */
async function rowCounts(tx: Tx, session: Session, { cards }: Flow, asked: FlowAsked): Promise<Record<string, string>> {
  const counts: Record<string, string> = {}
  for (const card of cards) {
    const report = card.as === 'count' ? reportOf(card.kind) : undefined
    if (report === undefined) continue
    const { total } = await runReport(tx, session, report, { ...cardQuery(card, asked), pageSize: '1' })
    counts[card.figure] = String(total)
  }
  return counts
}

/**
 * 导航: what waits at each step, the figures of the period, and the user's own tasks. Only what the user may open is
 * counted.
 */
export async function processChart(
  tx: Tx,
  session: Session,
  { flow, figures }: ProcessChartHooks,
  query: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const steps = flow.steps.filter(step => has(session, step.kind))
  const wanted: FlowAsked = {
    from: dayOr(query.begin_date, `${today().slice(0, 7)}-01`),
    to: dayOr(query.end_date, today()),
    partner: typeof query.partner === 'string' && /^\d{1,18}$/.test(query.partner) ? query.partner : null,
    mine: query.mine !== '0',
  }
  const { asked, numbers } = await counted(tx, session, steps, wanted, query.mine)
  const notified = maySeePrices(session)
  const hidden = hiddenMoney(session, flow)
  const worked = await figures(tx, session, asked)
  const all = { ...worked.figures, ...(await rowCounts(tx, session, flow, asked)) }
  const countsOf = (step: FlowStep) =>
    [...numbers].flatMap(([one, n]) =>
      one.step === step ? [{ text: one.count.text, late: one.count.late ?? false, query: one.query, count: n }] : [],
    )
  const kinds = flow.steps.map(step => step.kind).filter(isDocument)
  return {
    ...asked,
    steps: steps.map(step => ({ kind: step.kind, counts: countsOf(step) })),
    figures: Object.fromEntries(Object.entries(all).filter(([name]) => !hidden.has(name))),
    bars: notified ? worked.bars : [],
    trend: notified ? (worked.trend ?? []) : [],
    duties: await duties(tx, session, kinds, asked),
    ...(worked.more === undefined ? {} : { more: worked.more }),
  }
}
