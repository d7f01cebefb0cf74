import {
  byName,
  loadDocuments,
  patchDocument,
  patchDocuments,
  type StoredDocument,
  type StoredLine,
  updateDocument,
} from '#server/public/documents.ts'
import { today } from '#kernel/values/date.ts'
import type { Regime } from '#kernel/definition/document.ts'
import { documents } from '#kernel/registry.ts'
import { add, type Decimal, isPositive } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { buildDraft, definitionOf, saveDraft } from '#server/public/drafts.ts'
import { documentScopeSql, may, requirePermission, type Session, systemSession } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const KIND = 'salesOrder'
const REFILL = { action: 'replenish', label: '生成补货销售订单' } as const
/** Consigned goods are supplied on consignment again, bought ones sold again. */
const ways = ['consigned', 'purchased'] as const satisfies readonly Regime[]

/** Reports of use: the kinds whose copies note the order by which the goods are supplied again. */
const reportKinds = () =>
  documents()
    .filter(({ header }) => 'replenish_sn' in header)
    .map(({ kind }) => kind)

/** A report of use with the lines that are still to be supplied again, by the way in which they were. */
type Need = { readonly report: StoredDocument; readonly lines: ReadonlyMap<Regime, readonly StoredLine[]> }

const namedOrders = (report: StoredDocument): string[] => {
  const sns = byName(report).replenish_sn
  return typeof sns === 'string' && sns !== '' ? sns.split('、') : []
}

/** What each report says was used, less what was taken back and what an order that still stands supplies again. */
async function needsOf(tx: Tx, org: string, reports: readonly StoredDocument[]): Promise<Need[]> {
  const reds = await tx<{ id: string }[]>`
    select id from document where org_id = ${org} and red_of_id = any(${reports.map(({ id }) => id)}::bigint[])
      and role = 'counterparty'`
  const takenBack = await loadDocuments(
    tx,
    org,
    reds.map(red => red.id),
  )
  const orders = await tx<{ sn: string; regime: Regime }[]>`
    select sn, regime from document where org_id = ${org} and kind = ${KIND} and role = 'own'
      and sn = any(${reports.flatMap(namedOrders)})`
  return reports.map(report => {
    const supplied = orders.filter(({ sn }) => namedOrders(report).includes(sn)).map(({ regime }) => regime)
    const used = [report, ...takenBack.filter(red => red.red_of_id === report.id)].flatMap(({ lines }) => lines)
    const wayOf = ({ owner_org_sn: owner }: StoredLine): Regime | null =>
      !owner || owner === org ? 'consigned' : owner === report.counterparty_sn ? 'purchased' : null
    const open = ways.filter(way => !supplied.includes(way))
    return { report, lines: new Map(open.map(way => [way, used.filter(line => wayOf(line) === way)])) }
  })
}

/** The quantity of each model in base units, without models of which nothing is left. */
function totalOf(lines: readonly StoredLine[]): Map<string, Decimal> {
  const total = new Map<string, Decimal>()
  for (const { specification_sn, base_quantity } of lines)
    if (specification_sn) total.set(specification_sn, add(total.get(specification_sn) ?? '0', base_quantity, 3))
  for (const [specification, quantity] of total) if (!isPositive(quantity)) total.delete(specification)
  return total
}

/** Today's untouched refill order for a hospital: further uses are added to it. */
async function openRefill(tx: Tx, org: string, hospital: string, regime: Regime): Promise<StoredDocument | null> {
  const [row] = await tx<{ id: string }[]>`
    select id from document
     where org_id = ${org} and kind = ${KIND} and role = 'own' and state = 'draft' and created_by = 0
       and not touched and counterparty_id = ${hospital} and business_date = ${today()} and regime = ${regime}
       and fields->>'order_type' = 'refill' order by id limit 1 for update`
  return row ? (await loadDocuments(tx, org, [row.id]))[0]! : null
}

/** The number of the draft that supplies `used` again in one way; null if nothing is missing. */
async function orderOf(
  tx: Tx,
  session: Session,
  regime: Regime,
  needs: readonly Need[],
): Promise<{ readonly sn: string; readonly of: readonly string[] } | null> {
  const used = needs.map(({ report, lines }) => ({ report, lines: lines.get(regime) ?? [] }))
  const wanting = used.filter(({ lines }) => totalOf(lines).size > 0)
  if (wanting.length === 0) return null
  const hospital = wanting[0]!.report.counterparty_sn!
  const before = await openRefill(tx, session.org.id, hospital, regime)
  const wanted = totalOf([...wanting.flatMap(({ lines }) => lines), ...(before?.lines ?? [])])
  const definition = definitionOf(KIND)
  const organisation = systemSession(session.org)
  const header = { counterparty_sn: hospital, regime, order_type: 'refill', is_urgent: false }
  const lines = [...wanted].map(([specification_sn, quantity], at) => ({ line_no: at + 1, specification_sn, quantity }))
  const draft = await buildDraft(tx, organisation, definition, { ...header }, lines)
  const of = wanting.map(({ report }) => report.id)
  if (!before) {
    const from = wanting.map(({ report }) => report.sn).join('、')
    return { sn: await saveDraft(tx, organisation, definition, draft, 'draft', `来自使用记录${from}`), of }
  }
  await updateDocument(tx, organisation, definition, before.id, draft.header, draft.lines, 'author')
  // Written by the organisation itself, it goes on by itself while nobody touched it.
  await patchDocument(tx, session, before, { touched: false }, 'withAction')
  return { sn: before.sn, of }
}

/**
 * Draft orders for what these reports of one hospital say was used of our goods: summed by model in base units at the
 * sale price, one order for what is consigned again and one for what is sold again. Replies the orders that now supply
 * each report again, by the report's id, and the numbers of the drafts; a report of which nothing is to be supplied is
 * not among them.
 */
async function refill(tx: Tx, session: Session, reports: readonly StoredDocument[]) {
  const needs = await needsOf(tx, session.org.id, reports)
  const suppliedBy = new Map<string, string[]>()
  const sns: string[] = []
  for (const way of ways) {
    const order = await orderOf(tx, session, way, needs)
    if (!order) continue
    sns.push(order.sn)
    for (const { report } of needs.filter(need => order.of.includes(need.report.id)))
      suppliedBy.set(report.id, [...(suppliedBy.get(report.id) ?? namedOrders(report)), order.sn])
  }
  return { suppliedBy, sns }
}

/** 生成补货销售订单 on a report: what it says was used is ordered again, and the report names the order. */
export async function refillOrder({ tx, session, doc }: ActionContext): Promise<void> {
  requirePermission(session, `${KIND}.add`)
  const { suppliedBy } = await refill(tx, session, [doc])
  const orders = suppliedBy.get(doc.id)
  if (!orders) throw new BusinessError('rule', '该使用记录没有需要补货的数量')
  await patchDocument(tx, session, doc, { replenish_sn: orders.join('、') }, 'withAction')
}

/**
 * 按使用补货 above the list of sales orders: all that a hospital used of our goods in some days and no order supplies
 * again yet, of the reports that the caller sees and may refill.
 */
export async function refillOfHospital(
  tx: Tx,
  session: Session,
  asked: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const kinds = reportKinds().filter(kind => may(session, `${kind}.${REFILL.action}`))
  if (kinds.length === 0)
    throw new BusinessError('forbidden', '没有使用记录的【生成补货销售订单】权限，请联系管理员授权')
  const begin = (asked.begin_date ?? null) as string | null
  const end = (asked.end_date ?? null) as string | null
  if (begin && end && begin > end) throw new BusinessError('invalid', '使用日期起不能晚于使用日期止')
  const rows = await tx<{ id: string }[]>`
    select d.id from document d
     where d.org_id = ${session.org.id} and d.kind = any(${kinds}) and d.role = 'counterparty' and d.red_of_id is null
       and d.state in ('reviewed', 'partial', 'completed') and d.counterparty_id = ${String(asked.counterparty_sn)}
       and d.fields->>'replenish_state' is distinct from '2' and d.fields->>'report_basis' is distinct from 'made'
       and (${begin}::date is null or d.business_date >= ${begin}::date)
       and (${end}::date is null or d.business_date <= ${end}::date) and ${documentScopeSql(tx, session)}
     order by d.id for update of d`
  const reports = await loadDocuments(
    tx,
    session.org.id,
    rows.map(row => row.id),
  )
  const { suppliedBy, sns } = await refill(tx, session, reports)
  if (sns.length === 0) throw new BusinessError('rule', '该医院在此期间没有未补货的使用记录，请核对医院和使用日期')
  for (const [kind, group] of Map.groupBy(reports, report => report.kind))
    await patchDocuments(
      tx,
      session,
      kind,
      group.flatMap(({ id }) => {
        const orders = suppliedBy.get(id)
        return orders ? [{ id, values: { replenish_state: '2', replenish_sn: orders.join('、') } }] : []
      }),
      { ...REFILL, reason: null },
    )
  return { sn: sns[0], version: 1, orders: sns.map(sn => ({ sn })) }
}

/** An order that was deleted or voided supplies nothing: what it was made for may be ordered again. */
export async function freeRefilled(tx: Tx, session: Session, order: StoredDocument): Promise<void> {
  if (byName(order).order_type !== 'refill') return
  const rows = await tx<{ id: string }[]>`
    select id from document where org_id = ${session.org.id} and kind = any(${reportKinds()}) and role = 'counterparty'
      and counterparty_id = ${order.counterparty_sn}
      and ${order.sn} = any(string_to_array(fields->>'replenish_sn', '、'))
     order by id for update`
  const reports = await loadDocuments(
    tx,
    session.org.id,
    rows.map(row => row.id),
  )
  for (const [kind, group] of Map.groupBy(reports, report => report.kind))
    await patchDocuments(
      tx,
      session,
      kind,
      group.map(report => {
        const others = namedOrders(report).filter(sn => sn !== order.sn)
        return { id: report.id, values: { replenish_state: null, replenish_sn: others.join('、') || null } }
      }),
      { action: REFILL.action, label: '补货销售订单已删除，可重新补货', reason: order.sn },
    )
}
