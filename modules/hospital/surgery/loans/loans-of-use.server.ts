import type { ActionContext } from '#server/public/hooks.ts'
import { patchDocument, replaceLines, type StoredDocument, type StoredLine } from '#server/public/documents.ts'
import { compare, type Decimal, isPositive, subtract } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  closeIfSettled,
  markPlan,
  notePlan,
  openPieces,
  planByNumber,
  type PlanRow,
} from '#modules/hospital/surgery/loans/plan-of-goods.server.ts'
import { compareWithUse } from '#modules/hospital/surgery/loans/report.server.ts'
import { recountPlan } from '#modules/hospital/surgery/plans/plan-counts.server.ts'
import { policyForItems } from '#server/public/settings.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ActionContext<SurgeryUse>
/** A line of a record of use, with the plan and the loan that its goods came by. */
type Line = StoredLine & { readonly plan_sn?: string | null; readonly loan_sn?: string | null }
type SurgeryUse = Omit<StoredDocument, 'lines'> & { readonly lines: readonly Line[] }

/** A record of use takes goods out of the hospital's store for loans, and their suppliers are notified of it. */

type Lent = {
  id: string
  sn: string
  from_org_id: string
  plan_sn: string | null
  line_no: number
  lot_id: string
  unit_codes: string[]
  left: Decimal
}

const lentLines = (tx: Tx, org: string, places: readonly string[]) => tx<Lent[]>`
  select d.id, d.sn, d.from_org_id, d.fields->>'plan_sn' as plan_sn, l.line_no, l.lot_id, l.unit_codes,
         (l.base_quantity - coalesce(g.taken, 0))::numeric(18,3) as left
    from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
    left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
      and g.purpose = 'use'
   where d.org_id = ${org} and d.kind = 'bonePresale' and d.role = 'counterparty'
     and d.state in ('reviewed', 'partial', 'completed') and d.sn = any(${places as string[]})
   order by d.id, l.line_no`

async function isLoanStore(tx: Tx, org: string, store: string | null): Promise<boolean> {
  if (!store) return false
  const rows = await tx`select 1 from warehouse where org_id = ${org} and id = ${store} and model = 'loan'`
  return rows.length > 0
}

/** The line of the supplier's delivery that a piece came with: by its code, else by its lot. */
function sourceOf(line: StoredLine, lent: readonly Lent[], left: Map<Lent, Decimal>): Lent | undefined {
  const same = lent.filter(
    each => each.sn === line.location && each.from_org_id === line.owner_org_sn && each.lot_id === line.lot_id,
  )
  const found =
    same.find(each => line.unit_codes.some(code => each.unit_codes.includes(code))) ??
    same.find(each => compare(left.get(each)!, line.base_quantity) >= 0) ??
    same[0]
  if (found) left.set(found, subtract(left.get(found)!, line.base_quantity, 3))
  return found
}

/**
 * Loans are owed once: by the receipt of what their supplier sold, or by the month's settlement, as 跟台结算依据 says for
 * their class on the day the record is handed in. The line keeps it, and its supplier reads it there.
 */
async function settledMonthly({ tx, session, doc, settings }: ActionContext): Promise<(line: StoredLine) => boolean> {
  const own = await policyForItems(
    tx,
    { org: session.org.id, warehouse: null, department: doc.department_inner_sn },
    'loanSettle',
    doc.lines.flatMap(line => line.specification_sn ?? []),
  )
  return line => (own(line.specification_sn!).loan_settle ?? settings.loan_settle) === 'month'
}

/** Plans under whose number goods of a supplier without an account were taken in, as `number/supplier`. */
async function plansByHand(tx: Tx, org: string, lines: readonly StoredLine[]): Promise<ReadonlySet<string>> {
  const rows = await tx<{ key: string }[]>`
    select d.sn || '/' || d.counterparty_id as key from document d
     where d.org_id = ${org} and d.kind = 'bonePlan' and d.role = 'own'
       and d.sn = any(${lines.flatMap(line => line.location ?? [])}::text[])`
  return new Set(rows.map(row => row.key))
}

/** Each line out of the store for loans names the delivery it came with: the supplier counts its use there. */
export async function withLoans(ctx: ActionContext): Promise<StoredDocument> {
  const { tx, session, definition, doc } = ctx
  const org = session.org.id
  const isLent = await isLoanStore(tx, org, doc.warehouse_model_inner_sn)
  const stray = isLent ? doc.lines.find(line => !line.location) : undefined
  if (stray) {
    const msg = `第${stray.line_no}行【${stray.product_name ?? ''}】该产品不在本次跟台/库存清单内`
    throw new BusinessError('rule', msg, [{ line: stray.line_no, field: 'lot_no', msg }])
  }
  const lent = isLent
    ? await lentLines(
        tx,
        org,
        doc.lines.map(line => line.location!),
      )
    : []
  const left = new Map(lent.map(each => [each, each.left]))
  const byHand = isLent ? await plansByHand(tx, org, doc.lines) : new Set<string>()
  const isMonthly = isLent ? await settledMonthly(ctx) : () => false
  const isByHand = (line: StoredLine) => byHand.has(`${line.location}/${line.owner_org_sn}`)
  const lines = doc.lines.map(line => {
    const from = sourceOf(line, lent, left)
    const link = from
      ? {
          source_document_id: from.id,
          source_sn: from.sn,
          source_org_sn: from.from_org_id,
          source_line_no: from.line_no,
        }
      : { source_document_id: null, source_sn: null, source_org_sn: null, source_line_no: null }
    return {
      ...line,
      ...link,
      stock_source: !from && !isByHand(line) ? 'stock' : isMonthly(line) ? 'monthly' : 'loan',
      plan_sn: from?.plan_sn ?? (isByHand(line) ? line.location : null),
      loan_sn: from?.sn ?? null,
    }
  })
  await replaceLines(tx, org, definition, doc.id, lines)
  const source_type = isLent ? sourceTypes.ORTHOPAEDIC : doc.source_type
  await patchDocument(tx, session, doc, { source_type }, 'withAction')
  return { ...doc, lines, source_type }
}

/** The plans whose goods a record used: one for each supplier and number. */
async function plansOf({ tx, session, doc }: Context): Promise<readonly PlanRow[]> {
  const named = new Map(
    doc.lines.flatMap(line => (line.plan_sn ? [[`${String(line.plan_sn)}/${line.owner_org_sn}`, line] as const] : [])),
  )
  const plans: PlanRow[] = []
  for (const line of named.values()) {
    const plan = await planByNumber(tx, session.org.id, String(line.plan_sn), line.owner_org_sn!)
    if (plan) plans.push(plan)
  }
  return plans
}

/** Goods of an operation that was called off go back to their supplier: nobody was operated on with them. */
export async function refuseCalledOff(ctx: Context): Promise<void> {
  const off = (await plansOf(ctx)).find(plan => plan.state === 'stopped')
  if (off)
    throw new BusinessError(
      'rule',
      `跟台计划${off.sn}已终止，货物应退回供应商，不能登记使用；手术仍进行的，请新下达跟台计划`,
    )
}

/** 已登记使用 on the plans of those whose goods were used. */
export async function loansUsed(ctx: Context): Promise<void> {
  const { tx, session } = ctx
  for (const plan of await plansOf(ctx)) {
    const open = await openPieces(tx, session.org.id, plan.sn, plan.counterparty_id)
    const text = isPositive(open as Decimal) ? '请生成销售单，并取回未用的货物' : '请生成销售单'
    await markPlan(tx, session, plan, { use_state: '2', follow_state: '5' }, { label: '医院已登记手术使用', text })
    await recountPlan(tx, session, plan, { comes: ctx.doc.id })
  }
}

/** The record was taken back: its pieces are on loan again. */
export async function loansUnused(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  for (const plan of await plansOf(ctx)) {
    const [other] = await tx`
      select 1 from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
       where d.org_id = ${session.org.id} and d.kind = 'surgeryUse' and d.role = 'own' and d.id <> ${doc.id}
         and d.state in ('reviewed', 'partial', 'completed') and d.red_of_id is null
         and l.fields->>'plan_sn' = ${plan.sn} limit 1`
    const sets = other ? {} : { use_state: '1', follow_state: '3' }
    await markPlan(tx, session, plan, sets, { label: '医院撤回了手术使用登记', text: '请核对未清数量' })
    await recountPlan(tx, session, plan, ctx.action === 'redReverse' ? {} : { goes: doc.id })
  }
}

/** At the supplier: his technician's report is held against the record, and the plan ends when nothing is out. */
export async function loansReported(
  tx: Tx,
  session: Session,
  from: { readonly org: string },
  copy: SurgeryUse,
): Promise<null> {
  if (session.org.type === 'H') return null
  const sns = new Set(copy.lines.flatMap(line => (line.plan_sn ? [String(line.plan_sn)] : [])))
  for (const sn of sns) {
    const plan = await planByNumber(tx, session.org.id, sn, from.org)
    if (!plan) continue
    await notePlan(tx, session, plan, { use_state: '2', follow_state: '5' })
    await recountPlan(tx, session, plan)
    await compareWithUse(tx, session, { ...plan, use_state: '2' })
    await closeIfSettled(tx, session, { ...plan, follow_state: '5' })
  }
  return null
}
