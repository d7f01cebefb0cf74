import type { SourceRule } from '#kernel/definition/document-links.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Purpose } from '#kernel/definition/progress.ts'
import { type State, states } from '#kernel/definition/document-state.ts'
import { documentOf } from '#kernel/registry.ts'
import { absolute, compare, type Decimal, isZero, negate, share, subtract, sum } from '#kernel/values/decimal.ts'
import { enqueueMessage, holdersOf, sendProgress } from '#server/documents/intercompany/outbox.ts'
import { writeHistory } from '#server/documents/repository/history.ts'
import {
  checkLimits,
  excludeExcessFromTotal,
  type LineProgress,
  sharedProgress,
} from '#server/documents/progress/limits.ts'
import { lockSources, sourceStates } from '#server/documents/progress/lock-sources.ts'
import { byName, type StoredDocument } from '#server/documents/repository/document.ts'
import { completions } from '#server/registry/hooks.ts'
import { loadDocuments } from '#server/documents/repository/load.ts'
import { reducing, settleStopped, type StoppedMore, stopsLines } from '#server/documents/progress/stopped-lines.ts'
import { secondaryTargets } from '#server/documents/progress/secondary-target.ts'
import { upwardSteps } from '#server/documents/progress/source-rules.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** One step forward (or back, when negative) on a source line. Quantities in base units, amounts in yuan. */
export type ProgressEntry = {
  readonly document_id: string
  readonly line_no: number
  readonly purpose: Purpose
  readonly quantity: Decimal
  readonly measure: 'quantity' | 'amount'
  readonly beside?: readonly Purpose[]
  readonly quiet?: boolean
  /** The message for taking more than is left; `{n}` is the remaining quantity. */
  readonly exceeded?: string | undefined
  /** Excess is permitted up to the organisation's limit; for which goods. */
  readonly over?: { readonly goods: string | null }
  /** The other side's answer: a fact, counted even if it exceeds the total. */
  readonly notified?: boolean
  /** The other side did it before it knew that the line was stopped: the stopped part is no limit to it. */
  readonly evenStopped?: boolean
  /** Progress of a document that waits for its review, counted in a preview: later previews find it taken. */
  readonly waiting?: boolean
  /** The permitted excess, in percent. */
  readonly percent?: string
  /** Source states from which documents may be made, checked once its row is locked. */
  readonly states?: readonly string[]
}

type Behind = {
  readonly kind: string
  readonly state: string
  /** The kind of the source's own source. */
  readonly above_kind: string | null
  readonly source_document_id: string | null
  readonly source_line_no: number | null
}

/** The source lines of a document's lines: their kind, and their own sources. */
export async function linesBehind(
  tx: Tx,
  org: string,
  doc: Pick<StoredDocument, 'lines'>,
): Promise<Map<string, Behind>> {
  const ids = [...new Set(doc.lines.flatMap(line => (line.source_document_id ? [line.source_document_id] : [])))]
  if (ids.length === 0) return new Map()
  const rows = await tx<(Behind & { document_id: string; line_no: number })[]>`
    select l.document_id, l.line_no, d.kind, d.state, s.kind as above_kind, l.source_document_id, l.source_line_no
      from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
      left join document s on s.org_id = l.org_id and s.id = l.source_document_id
     where l.org_id = ${org} and l.document_id = any(${ids}::bigint[])`
  return new Map(rows.map(row => [`${row.document_id}/${row.line_no}`, row]))
}

/**
 * The progress that a document makes: on its sources, and upward on the order, the delivery or the source's own source.
 */
export async function progressEntries(
  tx: Tx,
  org: string,
  definition: AnyDocument,
  doc: Pick<StoredDocument, 'lines'> & Partial<StoredDocument>,
  at: 'submit' | 'review',
): Promise<ProgressEntry[]> {
  const behind = await linesBehind(tx, org, doc)
  const dealt = at === 'review' ? await dealtWith(tx, org, definition, doc) : []
  const taken = doc.lines.flatMap(line => {
    const source = behind.get(`${line.source_document_id}/${line.source_line_no}`)
    const take = source && sourceRuleFor(definition, source.kind, doc.source_type)
    if (!take || take.nonConsuming || (take.countedAt ?? 'review') !== at) return []
    const measure = take.basis ?? 'quantity'
    const counted = measure === 'amount' ? moneyOf(line, take) : line.base_quantity
    const quantity = take.negates ? negate(counted) : counted
    const own: ProgressEntry = {
      document_id: line.source_document_id!,
      line_no: line.source_line_no!,
      purpose: take.purpose,
      quantity,
      measure,
      beside: take.sharesLimitWith ?? [],
      quiet: take.localOnly ?? false,
      exceeded: take.overdrawnMessage,
      states: sourceStates(take),
      ...(take.withTolerance ? { over: { goods: line.specification_sn } } : {}),
    }
    const above = upwardSteps(take, doc, line, source.above_kind).flatMap((step): ProgressEntry[] => {
      const [id, no] =
        step.via === 'order'
          ? [line.order_document_id, line.order_line_no]
          : step.via === 'delivery'
            ? [line.delivery_document_id, line.delivery_line_no]
            : [source.source_document_id, source.source_line_no]
      const same = id === line.source_document_id && step.purpose === take.purpose
      return id && no !== null && !same
        ? [
            {
              document_id: id,
              line_no: no,
              purpose: step.purpose,
              quantity: step.givenBack ? negate(quantity) : quantity,
              measure: step.via === 'source' ? measure : 'quantity',
              beside: [],
              quiet: false,
              exceeded: step.overdrawnMessage,
              ...(step.withTolerance ? { over: { goods: line.specification_sn } } : {}),
            },
          ]
        : []
    })
    const also = (take.alsoCounts ?? []).map(purpose => ({ ...own, purpose }))
    return [own, ...also, ...above, ...heldByStopped(source, take.purpose, line)]
  })
  return [...taken, ...dealt]
}

/** The money that a line counts: its amount, and what is let off beside it. */
const moneyOf = (line: StoredDocument['lines'][number], { alsoAmount }: SourceRule): Decimal =>
  sum([line.taxed_amount, alsoAmount ? ((byName(line)[alsoAmount] as Decimal | null | undefined) ?? '0') : '0'], 2)

/** The progress that lines make on documents that they name besides their sources. */
async function dealtWith(
  tx: Tx,
  org: string,
  definition: AnyDocument,
  doc: Pick<StoredDocument, 'lines'> & Partial<StoredDocument>,
): Promise<ProgressEntry[]> {
  const rule = definition.sourcing.secondaryTarget
  if (!rule) return []
  const targets = await secondaryTargets(tx, org, definition, doc)
  const { purpose, basis: measure = 'quantity', sharesLimitWith: beside = [], overdrawnMessage: exceeded } = rule
  return doc.lines.flatMap((line): ProgressEntry[] => {
    const target = targets.get(line.line_no)
    if (!target) return []
    const quantity = measure === 'amount' ? line.taxed_amount : line.base_quantity
    const at = { document_id: target.id, line_no: target.line_no }
    const states = sourceStates(rule)
    return [{ ...at, purpose, quantity, measure, beside, quiet: rule.fromCounterparty ?? false, exceeded, states }]
  })
}

/** A stopped document holds only its executed part of its own sources: undoing that releases it to them as well. */
function heldByStopped(source: Behind, purpose: Purpose, line: StoredDocument['lines'][number]): ProgressEntry[] {
  const definition = documentOf(source.kind)
  if (source.state !== 'stopped' || !definition || !source.source_document_id || source.source_line_no === null)
    return []
  const held = sourceRuleFor(definition, source.above_kind ?? '')
  const executes = [definition.progress.main, ...(definition.progress.mainAlso ?? [])].includes(purpose)
  if (held?.countedAt !== 'submit' || !executes) return []
  const measure = held.basis ?? 'quantity'
  return [
    {
      document_id: source.source_document_id,
      line_no: source.source_line_no,
      purpose: held.purpose,
      quantity: measure === 'amount' ? moneyOf(line, held) : line.base_quantity,
      measure,
    },
  ]
}

const set = 'document_id bigint, line_no int, purpose text, quantity numeric'

/** Adds up advances per line and purpose, and per document (line 0). */
function grouped(
  advances: readonly ProgressEntry[],
): { document_id: string; line_no: number; purpose: string; quantity: Decimal }[] {
  const sums = new Map<string, { document_id: string; line_no: number; purpose: string; quantity: Decimal }>()
  for (const recordProgress of advances)
    for (const line_no of [recordProgress.line_no, 0]) {
      const key = `${recordProgress.document_id}/${line_no}/${recordProgress.purpose}`
      const before = sums.get(key)
      sums.set(key, {
        document_id: recordProgress.document_id,
        line_no,
        purpose: recordProgress.purpose,
        quantity: before ? subtract(before.quantity, negate(recordProgress.quantity), 3) : recordProgress.quantity,
      })
    }
  return [...sums.values()]
}

/**
 * Counts progress: one statement regardless of the number of lines, in key order. A line can never give more than it
 * has (数量不能大于来源单剩余数量), nor get back more than it gave; a negative line is counted in its own sign. The source
 * documents' states are updated automatically. `taker`: the document that takes, which its own take does not cancel.
 */
export async function recordProgress(
  tx: Tx,
  session: Session,
  advances: readonly ProgressEntry[],
  taker: string | null = null,
): Promise<void> {
  if (advances.length === 0) return
  const org = session.org.id
  await lockSources(tx, org, advances)
  const sums = grouped(advances)
  const rows = await tx<LineProgress[]>`
    with wrote as (
      insert into line_progress as g (org_id, document_id, line_no, purpose, taken)
      select d.org_id, k.document_id, k.line_no, k.purpose, k.quantity
        from jsonb_to_recordset(${tx.json(sums)}) as k(${tx.unsafe(set)})
        join document d on d.org_id = ${org} and d.id = k.document_id
       order by k.document_id, k.line_no, k.purpose
      on conflict (org_id, document_id, line_no, purpose) do update set taken = g.taken + excluded.taken
      returning g.document_id, g.line_no, g.purpose, g.taken)
    select w.*, d.kind, l.base_quantity, l.taxed_amount + l.rounding as taxed_amount,
      coalesce(v.taken, 0)::numeric(18,3) as reversed,
      coalesce(x.taken, 0)::numeric(18,3) as stopped,
           case when v.taken <> 0
             then (select sum(r.taxed_amount) from document m join document_line r on r.org_id = m.org_id
             and r.document_id = m.id
                                         where m.org_id = ${org} and m.red_of_id = w.document_id
                                           and r.line_no = w.line_no) else 0 end::numeric(18,2) as red_amount
      from wrote w join document d on d.org_id = ${org} and d.id = w.document_id
      join document_line l on l.org_id = ${org} and l.document_id = w.document_id and l.line_no = w.line_no
      left join line_progress v on v.org_id = ${org} and v.document_id = w.document_id and v.line_no = w.line_no
        and v.purpose = 'reverse' and w.purpose <> 'reverse'
      left join line_progress x on x.org_id = ${org} and x.document_id = w.document_id and x.line_no = w.line_no
        and x.purpose = 'stop'
     where w.line_no > 0`
  checkLimits(rows, advances, await sharedProgress(tx, org, advances))
  await excludeExcessFromTotal(tx, org, rows, advances)
  const stoppable = rows.filter(row => stopsLines(row.kind)).map(row => row.document_id)
  await releaseStopped(tx, session, await settleStopped(tx, org, [...new Set(stoppable)]))
  await updateSourceStates(tx, session, [...new Set(sums.map(row => row.document_id))], taker)
}

/**
 * What is stopped of a line is free again on the line that it was made from, where that was claimed at submit; what
 * turned out to be under way is claimed there again, whoever claimed it meanwhile. A document that was stopped as a
 * whole has released its rest already.
 */
export async function releaseStopped(tx: Tx, session: Session, stopped: readonly StoppedMore[]): Promise<void> {
  const org = session.org.id
  for (const doc of await loadDocuments(tx, org, [...new Set(stopped.map(row => row.document_id))])) {
    if (!['reviewed', 'partial', 'completed'].includes(doc.state) || doc.role !== 'own') continue
    const lines = doc.lines.flatMap(line => {
      const more = stopped.find(row => row.document_id === doc.id && row.line_no === line.line_no)?.quantity
      return more === undefined || isZero(more)
        ? []
        : [{ ...line, base_quantity: more, taxed_amount: share(line.taxed_amount, more, line.base_quantity, 2) }]
    })
    const held = await progressEntries(tx, org, documentOf(doc.kind)!, { ...doc, lines }, 'submit')
    const free = negated(held).map(entry => ({ ...entry, notified: true }))
    await recordProgress(tx, session, free, doc.id)
    await sendProgress(tx, session, { ...doc, lines }, free)
  }
}

type Moved = { readonly id: string; readonly kind: string; readonly state: string; readonly role: string }
type Changed = { readonly id: string; readonly kind: string; readonly sn: string; readonly state: string }

const inForce = (tx: Tx, org: string, ids: readonly string[]) => tx<Moved[]>`
  select id, kind, state, role from document where org_id = ${org} and id = any(${ids as string[]}::bigint[])
    and state in ('reviewed', 'partial', 'completed')`

/** Documents that what moved may have completed, or opened again; asked only where their modules wait for its kind. */
async function completedBy(tx: Tx, org: string, moved: readonly Moved[]): Promise<Moved[]> {
  const found: string[] = []
  for (const { completion } of completions()) {
    const after = moved.filter(({ kind }) => completion.after.includes(kind))
    if (after.length === 0) continue
    found.push(
      ...(await completion.behind(
        tx,
        org,
        after.map(({ id }) => id),
      )),
    )
  }
  const behind = [...new Set(found.filter(id => !moved.some(each => each.id === id)))]
  if (behind.length === 0) return []
  // Two who settle its last parts at once wait for each other here: the second sees what the first did.
  await tx`select id from document where org_id = ${org} and id = any(${behind}::bigint[]) order by id for update`
  return inForce(tx, org, behind)
}

/** The documents that their modules regard as complete. */
async function completeAmong(tx: Tx, org: string, docs: readonly Moved[]): Promise<ReadonlySet<string>> {
  const complete = new Set<string>()
  for (const { kind, completion } of completions()) {
    const mine = docs.filter(doc => doc.kind === kind && doc.role === 'own')
    if (mine.length === 0) continue
    const ids = await completion.complete(
      tx,
      org,
      mine.map(({ id }) => id),
    )
    for (const id of ids) complete.add(id)
  }
  return complete
}

const stateName = (kind: string, state: State): string =>
  documentOf(kind)?.lifecycle.stateLabels?.[state] ?? states[state]

/** Sends the new state to the organisations that hold a copy which shares it; nobody there gets a message. */
async function shareStates(tx: Tx, session: Session, changed: readonly Changed[]): Promise<void> {
  const shared = changed.filter(({ kind }) => documentOf(kind)?.progress.sharesState)
  for (const { id, kind, sn, state } of shared)
    for (const holder of await holdersOf(tx, session.org.id, id))
      await enqueueMessage(tx, session, holder, id, {
        message: 'notification',
        kind,
        sn,
        label: `对方单据：${stateName(kind, state as State)}`,
        text: null,
        sets: {},
        state: state as State,
      })
}

/** partial when something of the main purpose was taken, completed when nothing is left; the same applies backwards. */
export async function updateSourceStates(
  tx: Tx,
  session: Session,
  ids: readonly string[],
  taker: string | null = null,
): Promise<void> {
  const org = session.org.id
  const moved = await inForce(tx, org, ids)
  const docs = [...moved, ...(await completedBy(tx, org, moved))]
  const done = await completeAmong(tx, org, docs)
  const mains = docs.flatMap(document => {
    const definition = documentOf(document.kind)
    if (!definition?.progress.main || (definition.progress.sharesState && document.role !== 'own')) return []
    return [
      {
        id: document.id,
        purposes: [definition.progress.main, ...(definition.progress.mainAlso ?? [])],
        amount: mainMeasure(definition) === 'amount',
        later: definition.progress.completesLater ?? false,
        done: done.has(document.id),
        stops: stopsLines(document.kind),
      },
    ]
  })
  if (mains.length > 0) {
    const changed = await tx<Changed[]>`
    update document d set state = n.state
      from (select k.id, case when k.later then case when k.done then 'completed' when exists (
                                select 1 from line_progress t where t.org_id = ${org} and t.document_id = k.id
                                  and t.line_no > 0 and t.purpose = any(k.purposes) and t.taken <> 0) then 'partial'
                                else 'reviewed' end
                              when coalesce(sum(g.taken), 0) = 0 then case when k.stopped >= (
                                select x.total_quantity from document x where x.org_id = ${org} and x.id = k.id)
                                then 'stopped' else 'reviewed' end
                              when abs(sum(g.taken)) >= (
                                select abs(sum(case when k.amount then x.taxed_amount + x.rounding
                                  else x.total_quantity end)) from document x
                                  where x.org_id = ${org} and (x.id = k.id or x.red_of_id = k.id))
                                  - coalesce(k.stopped, 0) then 'completed'
                              else 'partial' end as state
              from (select m.*, case when m.stops then (select s.taken from line_progress s where s.org_id = ${org}
                      and s.document_id = m.id and s.line_no = 0 and s.purpose = 'stop') end as stopped
                      from jsonb_to_recordset(${tx.json(mains)}) as m(id bigint,
                        purposes text[], amount boolean, later boolean, done boolean, stops boolean)) k
              left join line_progress g on g.org_id = ${org} and g.document_id = k.id and g.line_no = 0
                and g.purpose = any(k.purposes)
             group by k.id, k.purposes, k.amount, k.later, k.done, k.stopped) n
     where d.org_id = ${org} and d.id = n.id and d.state <> n.state and d.state in ('reviewed', 'partial', 'completed')
    returning d.id, d.kind, d.sn, d.state`
    await shareStates(tx, session, changed)
  }
  await dropUntouched(tx, session, ids, taker)
}

/** True if a kind's main purpose counts money: its takers define it. */
const mainMeasure = (definition: AnyDocument): 'quantity' | 'amount' =>
  definition.lineRules.basis === 'amount' || definition.progress.main === 'pay' ? 'amount' : 'quantity'

/**
 * Cancels documents that the system created and nobody touched (drafts, or waiting for review) when their source has
 * nothing left: 来源已全部执行. A document that holds its own share of the source, or claims money, waits for a person.
 */
async function dropUntouched(tx: Tx, session: Session, ids: readonly string[], taker: string | null): Promise<void> {
  const org = session.org.id
  const rows = await tx<
    {
      id: string
      kind: string
      state: 'draft' | 'submitted'
      source_type: number
      source_kind: string
      source_id: string
      source_line_no: number
      whole: Decimal
      amount: Decimal
      progress: Record<string, Decimal> | null
    }[]
  >`
    select d.id, d.kind, d.state, d.source_type, s.kind as source_kind, s.id as source_id, l.source_line_no,
      x.base_quantity as whole, x.taxed_amount + x.rounding + coalesce((
             select sum(r.taxed_amount) from document m join document_line r on r.org_id = m.org_id
               and r.document_id = m.id
              where m.org_id = ${org} and m.red_of_id = s.id and r.line_no = x.line_no), 0) as amount,
           (select jsonb_object_agg(g.purpose, g.taken::text) from line_progress g
             where g.org_id = ${org} and g.document_id = s.id and g.line_no = l.source_line_no) as progress
      from document_line l
      join document d on d.org_id = l.org_id and d.id = l.document_id
      join document s on s.org_id = l.org_id and s.id = l.source_document_id
      join document_line x on x.org_id = l.org_id and x.document_id = s.id and x.line_no = l.source_line_no
     where l.org_id = ${org} and l.source_document_id = any(${ids as string[]}::bigint[]) and d.role = 'own'
       and d.state in ('draft', 'submitted') and not d.touched and d.created_by = 0
       and d.id is distinct from ${taker}::bigint`
  for (const [id, lines] of Map.groupBy(rows, row => row.id)) {
    const left = lines.some(line => {
      const take = sourceRuleFor(documentOf(line.kind)!, line.source_kind, line.source_type)
      const isMoney = take?.basis === 'amount'
      if (line.state === 'submitted' && (isMoney || take?.countedAt === 'submit')) return true
      const purposes = take ? [take.purpose, ...(take.sharesLimitWith ?? []), ...(isMoney ? [] : reducing)] : []
      const taken = sum(
        purposes.map(purpose => line.progress?.[purpose] ?? '0'),
        3,
      )
      return compare(absolute(taken), absolute(isMoney ? line.amount : line.whole)) < 0
    })
    if (left) continue
    await tx`update document set state = 'cancelled', version = version + 1 where org_id = ${org} and id = ${id}`
    await writeHistory(tx, { ...session, userId: '0', userName: '系统' }, id, {
      action: 'cancel',
      label: '作废',
      from: lines[0]!.state,
      to: 'cancelled',
      reason: '来源已全部执行',
    })
  }
}

export const negated = (advances: readonly ProgressEntry[]): ProgressEntry[] =>
  advances.map(item => ({ ...item, quantity: negate(item.quantity) }))

/**
 * The take by which a document of a kind is made from another; where there are several ways, the document's source
 * type decides.
 */
export function sourceRuleFor(definition: AnyDocument, kind: string, type?: number): SourceRule | undefined {
  const ways = (definition.sourcing.sources ?? []).filter(take => take.from === kind)
  return ways.find(take => take.sourceType === type) ?? ways[0]
}
