import { loadDocuments, ofKind, patchDocument, type StoredDocument } from '#server/public/documents.ts'
import { bonePresale } from '#modules/hospital/surgery/loans/bone-presale.doc.ts'
import { type ActionContext, atReviewOnly, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { dayOf } from '#kernel/values/date.ts'
import { add, compare, type Decimal, isPositive, plain, subtract } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { needsApprovedCustomer } from '#modules/base/checks/initial-approval.server.ts'
import { mustBeAuthorised } from '#modules/trade/licensing/authorised-sale.server.ts'
import { checkScope } from '#modules/trade/licensing/business-scope.server.ts'
import { advanceStore } from '#modules/trade/shipping/advance-store.server.ts'
import {
  recallKits,
  recallToolsKits,
  sendKits,
  sendToolsKits,
} from '#modules/hospital/surgery/bookings/booking.server.ts'
import { moveBookings } from '#modules/hospital/surgery/bookings/move-bookings.server.ts'
import { refuseUncounted } from '#modules/hospital/surgery/loans/counted-goods.server.ts'
import { draftOfBack, draftsOfSale, kitLines } from '#modules/hospital/surgery/loans/drafts.server.ts'
import { writeLines } from '#modules/hospital/surgery/loans/write-lines.server.ts'
import { notePlan, openPresales, planById, planByNumber } from '#modules/hospital/surgery/loans/plan-of-goods.server.ts'
import { recountPlan } from '#modules/hospital/surgery/plans/plan-counts.server.ts'
import type { LineInput } from '#server/public/drafts.ts'
import { hasAccount } from '#server/public/intercompany.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof bonePresale>

/** Days after an operation within which everything is used, back or lost. */
const CLEAR_DAYS = 7

/** Sets the place of the goods, the day by which they are to be cleared, and the state of the hospital's receipt. */
async function withPlace({ tx, session, doc }: ActionContext): Promise<StoredDocument> {
  const online = doc.counterparty_sn !== null && (await hasAccount(tx, doc.counterparty_sn))
  const plan = await planById(tx, session.org.id, doc.source_document_id)
  const at = plan?.surgery_at ? new Date(plan.surgery_at) : new Date(`${doc.business_date}T00:00:00+08:00`)
  at.setUTCDate(at.getUTCDate() + CLEAR_DAYS)
  const values = {
    to_warehouse_model_inner_sn: online ? null : await advanceStore(tx, session.org.id),
    clear_by: dayOf(at),
    pre_state: plan?.pre_state ?? '1',
    surgery_type: plan?.surgery_type ?? 'elective',
  }
  await patchDocument(tx, session, doc, values, 'withAction')
  return { ...doc, ...values }
}

/** Goods leave for an operation by its plan alone, and for the hospital that it is of. */
async function needsPlan({ tx, session, doc }: ActionContext): Promise<void> {
  const plan = await planById(tx, session.org.id, doc.source_document_id)
  if (!plan) throw new BusinessError('rule', '请从已接单的骨科跟台计划生成')
  if (plan.accept_state !== '2') throw new BusinessError('rule', `跟台计划${plan.sn.split('/')[0]}尚未接单，不能出库`)
  const hospital = plan.role === 'own' ? plan.counterparty_id : plan.from_org_id
  if (doc.counterparty_sn !== hospital) throw new BusinessError('rule', '医院应与跟台计划一致')
}

/**
 * The hospital has counted the goods and found them good, unless the operation cannot wait or the hospital keeps no
 * books here.
 */
async function needsPreAcceptance(ctx: Context): Promise<void> {
  const plan = await planById(ctx.tx, ctx.session.org.id, ctx.doc.source_document_id)
  if (!plan || plan.role === 'own') return
  if (plan.pre_state === '2') await refuseUncounted(ctx, plan)
  else if (plan.surgery_type !== 'emergency') throw new BusinessError('rule', '医院尚未预验收，不能出库')
}

type Taken = { readonly purpose: string; readonly taken: Decimal }
const takenOf = ({ tx, session, doc }: ActionContext) => tx<Taken[]>`
  select purpose, taken from line_progress where org_id = ${session.org.id} and document_id = ${doc.id}
    and line_no = 0 and purpose in ('use', 'return') and taken <> 0`

async function refuseTaken(ctx: ActionContext): Promise<void> {
  if ((await takenOf(ctx)).length > 0) throw new BusinessError('blocked', '已产生使用或退回记录，不能反审核')
}

/** Refuses to stop a presale with goods out: they must be used, come back or be lost first. */
async function refuseOpen(ctx: ActionContext): Promise<void> {
  const taken = (await takenOf(ctx)).reduce<Decimal>((sum, row) => add(sum, row.taken, 3), '0.000')
  const open = subtract(ctx.doc.total_quantity as Decimal, taken, 3)
  if (isPositive(open)) throw new BusinessError('blocked', `尚有未清数量${plain(open)}，请先退回、销售或报损，不能终止`)
}

/** 送出: the plan is under way, and the kits and sets that were prepared are out. */
async function sendOut(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const plan = await planById(tx, session.org.id, doc.source_document_id)
  if (!plan) return
  const ids = (codes: readonly string[], kind: 'kit' | 'set') => tx<{ id: string }[]>`
    select id from ${kind === 'kit' ? tx`implant_kit` : tx`tools_kit`}
     where org_id = ${session.org.id} and code = any(${codes as string[]}) and out_plan_id is null`
  const named = new Set(doc.lines.flatMap(line => (line.kit_code ? [String(line.kit_code)] : [])))
  const kits = await ids(
    plan.kit_codes.filter(code => named.has(code)),
    'kit',
  )
  const sets = await ids(plan.tools_codes, 'set')
  await sendKits(
    ctx,
    plan.id,
    kits.map(row => row.id),
  )
  await sendToolsKits(
    ctx,
    plan.id,
    sets.map(row => row.id),
    doc.business_date,
  )
  await notePlan(tx, session, plan, { follow_state: '3', prepare_state: '3' })
  await recountPlan(tx, session, plan, { comes: doc.id })
}

/** 反审核: what it took out never left; sets stay out while another presale of the plan is. */
async function takeBack(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const plan = await planById(tx, session.org.id, doc.source_document_id)
  if (!plan) return
  const codes = [...new Set(doc.lines.flatMap(line => (line.kit_code ? [String(line.kit_code)] : [])))]
  await recallKits(ctx, plan.id, codes)
  await recountPlan(tx, session, plan, { goes: doc.id })
  const others = (await openPresales(tx, session.org.id, plan.id)).filter(
    row => row.sn !== doc.sn && ['reviewed', 'partial'].includes(row.state),
  )
  if (others.length === 0) await recallToolsKits(ctx, plan.id)
  await moveBookings(tx, session, plan)
  if (others.length > 0) return
  const isPrepared = plan.kit_codes.length > 0 || plan.tools_codes.length > 0
  const sets = { follow_state: plan.pre_state === '2' ? '2' : '1', ...(isPrepared ? {} : { prepare_state: '1' }) }
  await notePlan(tx, session, plan, sets)
}

/** 按套包载入: what the prepared kits hold, and what they lack by their lists. */
async function loadKit(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const plan = await planById(tx, session.org.id, doc.source_document_id)
  if (!plan || plan.kit_codes.length === 0) throw new BusinessError('rule', '该跟台计划尚未备套包，请先备货')
  const on = new Set(doc.lines.map(line => line.kit_code ?? ''))
  const inputs = (await kitLines(tx, session, plan.kit_codes)).filter(line => !on.has(String(line.kit_code)))
  await writeLines(ctx, inputs)
  const kit_shortage = await missingOf(tx, session, plan.kit_codes, inputs)
  await patchDocument(tx, session, doc, { kit_shortage }, 'withAction')
}

async function missingOf(
  tx: Tx,
  session: Session,
  codes: readonly string[],
  held: readonly LineInput[],
): Promise<string | null> {
  const lists = await tx<{ code: string; specification_id: string; name: string; quantity: Decimal }[]>`
    select k.code, l.specification_id, p.name || ' ' || s.name as name, l.quantity from implant_kit k
      join operation_kit_line l on l.org_id = k.org_id and l.operation_kit_id = k.operation_kit_id
      join specification s on s.id = l.specification_id join product p on p.id = s.product_id
     where k.org_id = ${session.org.id} and k.code = any(${codes as string[]}) order by k.code, name`
  const short = lists.flatMap(row => {
    const has = held
      .filter(line => line.kit_code === row.code && line.specification_sn === row.specification_id)
      .reduce<Decimal>((sum, line) => add(sum, line.quantity as Decimal, 3), '0.000')
    return compare(has, row.quantity) < 0 ? [`套包缺件：${row.name} 缺${plain(subtract(row.quantity, has, 3))}`] : []
  })
  return short.length > 0 ? short.join('；').slice(0, 500) : null
}

/** At the hospital: goods that are in its store for loans are under way to the theatre. */
async function arrived(tx: Tx, session: Session, copy: string): Promise<void> {
  const [doc] = await loadDocuments(tx, session.org.id, [copy])
  if (!doc || session.org.type !== 'H') return
  const { plan_sn } = ofKind(bonePresale, doc)
  const plan = await planByNumber(tx, session.org.id, String(plan_sn), doc.from_org_id)
  if (plan) await recountPlan(tx, session, plan)
  if (plan && doc.state === 'reviewed') await notePlan(tx, session, plan, { follow_state: '3', prepare_state: '3' })
}

const asked = [needsPlan, mustBeAuthorised, checkScope]

export const bonePresaleRules = documentHooks(bonePresale, {
  prepare: { submit: withPlace },
  validate: {
    submit: [needsApprovedCustomer, ...asked],
    // The hospital counts while the goods wait at its door.
    review: [...asked, atReviewOnly(needsPreAcceptance)],
    unreview: refuseTaken,
    stop: refuseOpen,
  },
  afterAction: { review: sendOut, unreview: takeBack, loadKit, toSale: draftsOfSale, toBack: draftOfBack },
  onUpdated: arrived,
})
