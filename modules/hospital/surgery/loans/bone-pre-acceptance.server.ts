import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import {
  loadDocument,
  patchDocument,
  patchLines,
  type TypedDocument,
  type TypedLine,
} from '#server/public/documents.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type Decimal, isPositive, isZero, subtract, sum } from '#kernel/values/decimal.ts'
import { bonePreAcceptance } from '#modules/hospital/surgery/loans/bone-pre-acceptance.doc.ts'
import { bindSignature } from '#modules/hospital/signatures/signature.server.ts'
import { announcedLines } from '#modules/hospital/surgery/loans/drafts.server.ts'
import { markPlan, planById } from '#modules/hospital/surgery/loans/plan-of-goods.server.ts'
import { writeLines } from '#modules/hospital/surgery/loans/write-lines.server.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof bonePreAcceptance>
type BonePreAcceptance = TypedDocument<typeof bonePreAcceptance>
type Line = TypedLine<typeof bonePreAcceptance>

const planOf = ({ tx, session, doc }: ActionContext) => planById(tx, session.org.id, doc.source_document_id)

/** 载入套包清单: what the supplier announced, to be counted against what he brings. */
async function loadList(ctx: ActionContext): Promise<void> {
  const { tx, session } = ctx
  const plan = await planOf(ctx)
  const inputs = plan ? await announcedLines(tx, session, plan.sn, plan.counterparty_id) : []
  if (inputs.length === 0) throw new BusinessError('rule', '供应商尚未提交预销售单，没有可载入的清单，请按实物扫码清点')
  await writeLines(ctx, inputs, true)
}

const isUnlisted = (line: Line): boolean =>
  isZero((line.listed_quantity as Decimal | null | undefined) ?? '0') && isPositive(line.quantity)

/**
 * Enters a reason for each scanned item that is on no list, so that nobody has to explain it before it is looked at.
 */
async function noteUnlisted(tx: Tx, session: Session, sn: string): Promise<void> {
  const doc = await loadDocument(tx, session.org.id, bonePreAcceptance, sn)
  const patches = doc.lines.filter(isUnlisted).flatMap(line => {
    if (line.difference_reason) return []
    const what = line.unit_codes.length > 0 ? line.unit_codes.join('、') : String(line.lot_no ?? line.item_name ?? '')
    return [{ line_no: line.line_no, values: { difference_reason: `扫描到清单外的物品：${what}`.slice(0, 200) } }]
  })
  await patchLines(tx, session, doc, patches, 'withAction')
}

/** Differences by line and for all, and whether the goods came in time. */
async function withFindings({ tx, session, doc }: Context): Promise<BonePreAcceptance> {
  const lines = doc.lines.map(line => ({
    ...line,
    difference_quantity: subtract(line.quantity, line.listed_quantity ?? '0', 3),
  }))
  const [by, at] = [doc.deliver_by, doc.delivered_at].map(value => (value ? Date.parse(String(value)) : null))
  const values = {
    has_difference: lines.some(line => !isZero(line.difference_quantity)) ? ('yes' as const) : ('no' as const),
    unlisted_quantity: sum(
      lines.filter(isUnlisted).map(line => line.quantity),
      3,
    ),
    is_on_time: by !== null && at !== null && at! > by! ? ('no' as const) : ('yes' as const),
  }
  const patches = lines.map(({ line_no, difference_quantity }) => ({ line_no, values: { difference_quantity } }))
  await patchLines(tx, session, doc, patches, 'withAction')
  await patchDocument(tx, session, doc, values, 'withAction')
  return { ...doc, ...values, lines }
}

async function needsAcceptedPlan(ctx: ActionContext): Promise<void> {
  const plan = await planOf(ctx)
  if (plan?.accept_state !== '2') throw new BusinessError('rule', '供应商尚未接单，不能预验收')
}

/** Implants need a certificate in force and, but for urgent operations, a good biological reading. */
async function refuseUnfitImplants(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const passed = doc.lines.filter(
    line => line.goods_kind !== 'tool' && line.conclusion !== 'failed' && line.specification_sn,
  )
  const facts = await specificationFacts(
    tx,
    passed.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: null, direction: 'none', day: doc.business_date },
  )
  for (const line of passed) {
    const fact = facts.get(line.specification_sn!)
    if (!fact?.certificate_valid_to || fact.certificate_valid_to >= doc.business_date) continue
    const msg = `植入物${fact.product_name}注册证已于${fact.certificate_valid_to}到期，不能验收通过`
    throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'conclusion', msg }])
  }
  const plan = await planOf(ctx)
  const isSterilised = Boolean(doc.run_no) || doc.lines.some(line => line.sterilisation_lot_no)
  if (plan?.surgery_type !== 'emergency' && isSterilised && doc.biological !== 'passed')
    throw new BusinessError('rule', '植入物灭菌须有合格的生物监测结果，请填写；急诊可后补')
}

/** 已送达: the supplier may book the goods out. */
async function handedOver(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const plan = await planOf(ctx)
  if (!plan) return
  const sets = {
    pre_state: '2',
    delivered_at: (doc.delivered_at as string | null) ?? null,
    ...(plan.follow_state === '1' ? { follow_state: '2' } : {}),
  }
  await markPlan(tx, session, plan, sets, { label: '医院已预验收', text: '货物已预验收，可以出库' })
}

/** It is taken back only while no other document depends on it. */
async function refuseSent(ctx: ActionContext): Promise<void> {
  const { tx, session } = ctx
  const plan = await planOf(ctx)
  if (!plan) return
  const [out] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = 'bonePresale' and role = 'counterparty'
      and fields->>'plan_sn' = ${plan.sn} and state in ('reviewed', 'partial', 'completed') limit 1`
  if (out || plan.use_state === '2')
    throw new BusinessError('blocked', `供应商已出库或已登记使用${out ? `（${out.sn}）` : ''}，不能反审核`)
}

async function takenBack(ctx: ActionContext): Promise<void> {
  const plan = await planOf(ctx)
  if (!plan) return
  await markPlan(ctx.tx, ctx.session, plan, { pre_state: '1' }, { label: '医院撤回了预验收', text: '请等待重新预验收' })
}

async function sign(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const employee = (doc.inspector_inner_sn as string | null) ?? null
  const { name } = await bindSignature(ctx, { role: 'receiver', employee })
  await patchDocument(tx, session, doc, { handed_over_by: name }, 'withAction')
}

const asked = [needsAcceptedPlan, refuseUnfitImplants]

export const bonePreAcceptanceRules = documentHooks(bonePreAcceptance, {
  afterSave: noteUnlisted,
  prepare: { submit: withFindings },
  validate: { submit: asked, review: asked, unreview: refuseSent },
  afterAction: { loadList, sign, review: handedOver, unreview: takenBack },
})
