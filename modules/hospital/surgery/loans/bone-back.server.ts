import { loadDocuments, ofKind, stateAhead, type StoredLine } from '#server/public/documents.ts'
import { boneBack } from '#modules/hospital/surgery/loans/bone-back.doc.ts'
import { type ActionContext, atReviewOnly, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { compare, type Decimal, isPositive, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { takeBackKits, takeBackToolsKits } from '#modules/hospital/surgery/bookings/booking.server.ts'
import {
  closeIfSettled,
  notePlan,
  openPieces,
  planById,
  planByNumber,
  reopenPlan,
} from '#modules/hospital/surgery/loans/plan-of-goods.server.ts'
import { enqueueMessage } from '#server/public/intercompany.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import { serialsByCode } from '#server/public/stock.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof boneBack>

type Rest = {
  line_no: number
  document_id: string
  due: Decimal
  unit_codes: string[]
  /** Codes that other returns, waiting or in force, brought home already, and no reversal sent out again. */
  back: string[]
  name: string
}

/** The open quantity of each presale line: sent, less used and returned, and the pieces that came back. */
const restsOf = ({ tx, session, doc }: ActionContext) => tx<Rest[]>`
  select l.document_id, l.line_no, l.unit_codes, p.name || ' ' || s.name as name,
         (l.base_quantity - coalesce(sum(g.taken), 0))::numeric(18,3) as due,
         array(select unnest(x.unit_codes) from document_line x
           join document b on b.org_id = x.org_id and b.id = x.document_id and b.kind = 'boneBack' and b.role = 'own'
             and b.id <> ${doc.id} and b.red_of_id is null
             and b.state in ('submitted', 'reviewed', 'partial', 'completed')
          where x.org_id = l.org_id and x.source_document_id = l.document_id and x.source_line_no = l.line_no) as back
    from document_line l
    join specification s on s.id = l.specification_id join product p on p.id = s.product_id
    left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
      and g.purpose in ('use', 'return')
   where l.org_id = ${session.org.id}
     and l.document_id = any(${[...new Set(doc.lines.flatMap(line => line.source_document_id ?? []))]}::bigint[])
   group by l.org_id, l.document_id, l.line_no, l.unit_codes, l.base_quantity, p.name, s.name`

/** Pieces come back that went out, were not used, and not more of them than are out. */
async function refuseForeign(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const rests = await restsOf(ctx)
  const units = await serialsByCode(
    tx,
    session.org.id,
    doc.lines.flatMap(line => line.unit_codes),
  )
  const refuse = (line: StoredLine, field: string, msg: string): never => {
    throw new BusinessError('rule', msg, [{ line: line.line_no, field, msg }])
  }
  const sameSource = (line: StoredLine) => `${line.source_document_id}/${line.source_line_no}`
  for (const [key, lines] of Map.groupBy(doc.lines, sameSource)) {
    const rest = rests.find(row => `${row.document_id}/${row.line_no}` === key)
    const first = lines[0]!
    if (!rest) return refuse(first, 'source_line_no', '该产品不属于本次手术出库')
    for (const line of lines)
      for (const code of line.unit_codes) {
        if (!rest.unit_codes.includes(code)) refuse(line, 'unit_codes', `${code}：该产品不属于本次手术出库`)
        if (rest.back.includes(code)) refuse(line, 'unit_codes', `${code}：该产品已退回，不能再次退回`)
        if (units.get(code)?.status === 'used') refuse(line, 'unit_codes', `${code}：该产品已登记使用，不能退回`)
      }
    const asked = sum(
      lines.map(line => line.base_quantity),
      3,
    )
    if (compare(asked, rest.due) > 0) refuse(first, 'quantity', `退回数量超出应退数量：${rest.name}`)
    if (rest.unit_codes.length > 0 && lines.some(line => line.unit_codes.length === 0))
      refuse(first, 'unit_codes', `【${rest.name}】请扫描退回的序列号/唯一码`)
  }
}

/** The hospital has given the goods up: until then nobody knows whether it used them. */
async function needsAnswer({ tx, session, doc }: ActionContext): Promise<void> {
  if (doc.to_warehouse_model_inner_sn) return
  const [waits] = await tx`
    select 1 from intercompany_message where org_id = ${session.org.id} and document_id = ${doc.id}
      and message = 'document' and withdrawn_at is null and delivered_at is null limit 1`
  if (waits) throw new BusinessError('blocked', '医院尚未确认交还货物，请稍后再审核')
}

/** Books lost and broken goods out by a 报损单, which waits for its reviewer. */
async function draftLoss(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const gone = doc.lines.filter(line => ['lost', 'damaged'].includes(String(line.return_kind)))
  if (gone.length === 0) return
  await stateAhead(ctx, 'reviewed')
  await createSystemDraft(
    tx,
    session,
    'loss',
    {
      source_sn: doc.sn,
      source_type: sourceTypes.LOAN_LOST,
      loss_type: 'missing',
      loss_reason: `跟台${doc.plan_sn ? `（${String(doc.plan_sn)}）` : ''}丢失或损坏`,
    },
    gone.map(line => ({
      source_line_no: line.line_no,
      quantity: line.quantity,
      unit_codes: line.unit_codes,
      line_reason: line.difference_reason,
    })),
  )
}

const planOf = async ({ tx, session, doc }: ActionContext) => {
  const [row] = await tx<{ plan: string | null }[]>`
    select source_document_id::text as plan from document
     where org_id = ${session.org.id} and id = ${doc.source_document_id} and kind = 'bonePresale'`
  return planById(tx, session.org.id, row?.plan ?? null)
}

async function takenHome(ctx: Context): Promise<void> {
  const { tx, session } = ctx
  await draftLoss(ctx)
  const plan = await planOf(ctx)
  if (!plan) return
  await notePlan(tx, session, plan, { follow_state: '6' })
  await closeIfSettled(tx, session, { ...plan, follow_state: '6' })
  const [now] = await tx<{ state: string }[]>`
    select fields->>'follow_state' as state from document where org_id = ${session.org.id} and id = ${plan.id}`
  if (now?.state !== '7') return
  const out = (table: 'implant_kit' | 'tools_kit') => tx<{ id: string }[]>`
    select id from ${tx(table)} where org_id = ${session.org.id} and out_plan_id = ${plan.id}`
  const kits = await out('implant_kit')
  const sets = await out('tools_kit')
  await takeBackKits(
    ctx,
    plan.id,
    kits.map(row => row.id),
  )
  await takeBackToolsKits(
    ctx,
    plan.id,
    sets.map(row => row.id),
  )
}

/** Goods that were taken home are out again: a plan that had ended or had nothing out goes on at both sides. */
async function outAgain(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, spec } = ctx
  const plan = await planOf(ctx)
  if (!plan || !['6', '7'].includes(plan.follow_state)) return
  const follow_state = plan.use_state === '2' ? '5' : '3'
  const said = { action: 'reopened', label: `跟台货物退回已${spec.label}`, reason: doc.sn } as const
  await notePlan(tx, session, plan, { follow_state })
  await reopenPlan(tx, session, plan, said)
  if (plan.role === 'own') return
  await enqueueMessage(tx, session, plan.from_org_id, plan.id, {
    message: 'act',
    kind: plan.kind,
    sn: plan.sn.split('/')[0]!,
    ...said,
    actor: session.userName,
    sets: { follow_state },
  })
}

/** At the hospital: what was given up is with its owner again. */
async function fetched(tx: Tx, session: Session, copy: string): Promise<void> {
  const [doc] = await loadDocuments(tx, session.org.id, [copy])
  if (doc?.state !== 'reviewed' || session.org.type !== 'H') return
  const { plan_sn } = ofKind(boneBack, doc)
  const plan = await planByNumber(tx, session.org.id, String(plan_sn), doc.from_org_id)
  if (!plan) return
  const open = await openPieces(tx, session.org.id, plan.sn, doc.from_org_id)
  if (!isPositive(open as Decimal)) await notePlan(tx, session, plan, { follow_state: '6' })
}

export const boneBackRules = documentHooks(boneBack, {
  validate: { submit: refuseForeign, review: [refuseForeign, atReviewOnly(needsAnswer)] },
  afterAction: { review: takenHome, unreview: outAgain, redReverse: outAgain },
  onUpdated: fetched,
})
