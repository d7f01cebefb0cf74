import { boneSale } from '#modules/hospital/surgery/loans/bone-sale.doc.ts'
import { type ActionContext, documentHooks } from '#server/public/hooks.ts'
import { patchDocument } from '#server/public/documents.ts'
import { compare, plain } from '#kernel/values/decimal.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { closeIfSettled, notePlan, planById } from '#modules/hospital/surgery/loans/plan-of-goods.server.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Case = {
  readonly id: string
  readonly plan_sn: string | null
  readonly surgery_at: string | null
  readonly surgery_department: string | null
  readonly attendant: string | null
}

/** The lines of the use name the plan whose goods are sold; the presale of that plan names its operation. */
async function keepCase(tx: Tx, session: Session, sn: string): Promise<void> {
  const [row] = await tx<Case[]>`
    select d.id, s.plan_sn, p.fields->>'surgery_at' as surgery_at,
           p.fields->>'surgery_department' as surgery_department, p.fields->>'attendant' as attendant
      from document d
     cross join lateral (
       select coalesce(max(l.fields->>'plan_sn'), max(x.fields->>'plan_sn')) as plan_sn
         from document x join document_line l on l.org_id = x.org_id and l.document_id = x.id
        where x.org_id = d.org_id and x.id = d.source_document_id) s
      left join lateral (
       select y.fields from document y
        where y.org_id = d.org_id and y.kind = 'bonePresale' and y.role = 'own'
          and (y.id = d.source_document_id or y.fields->>'plan_sn' = s.plan_sn)
        order by y.id = d.source_document_id desc, y.id desc limit 1) p on true
     where d.org_id = ${session.org.id} and d.kind = 'boneSale' and d.role = 'own' and d.sn = ${sn}`
  if (!row) return
  const { id, ...values } = row
  await patchDocument(tx, session, { id, kind: 'boneSale' }, values, 'withAction')
}

type Sold = { line_no: number; unit_codes: string[]; place: string | null; is_ours: boolean }

/** Only what an operation used is sold, by the very pieces; from a presale only where the hospital keeps no books. */
async function refuseForeign({ tx, session, doc }: ActionContext): Promise<void> {
  const rows = await tx<Sold[]>`
    select l.line_no, l.unit_codes, d.to_warehouse_id::text as place,
           coalesce(l.owner_org_id, d.org_id) = d.org_id as is_ours
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.id = ${doc.source_document_id}`
  const foreign = '只能选择该手术已登记使用的产品'
  if (doc.source_type === sourceTypes.BONE_PRESALE && rows.some(row => row.place === null))
    throw new BusinessError('rule', `${foreign}，请待医院登记使用后从使用记录生成`)
  for (const line of doc.lines) {
    const source = rows.find(row => row.line_no === line.source_line_no)
    const stray = line.unit_codes.find(code => !source?.unit_codes.includes(code))
    const isBare = (source?.unit_codes.length ?? 0) > 0 && line.unit_codes.length === 0
    if (source?.is_ours && stray === undefined && !isBare) continue
    const msg = `第${line.line_no}行：${isBare ? '请选择已使用的序列号/唯一码' : foreign}`
    throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'unit_codes', msg }])
  }
}

/** The price is the one agreed with the hospital; another needs the switch 允许修改单价. */
async function keepsAgreedPrice({ tx, session, doc, settings }: ActionContext): Promise<void> {
  if (settings.price_editable) return
  const facts = await specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: doc.counterparty_sn, direction: 'sell', day: doc.business_date },
  )
  for (const line of doc.lines) {
    const agreed = facts.get(line.specification_sn!)?.agreed_price
    if (!agreed || line.unit_inner_sn || compare(agreed, line.price) === 0) continue
    const msg = `第${line.line_no}行：本机构不允许修改单价，应为约定价${plain(agreed)}`
    throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'price', msg }])
  }
}

/** Refuses while an invoice or the hospital's receipt depends on the sale: those are taken back first. */
async function refuseRested({ tx, session, doc, spec }: ActionContext): Promise<void> {
  const taken = await tx<{ purpose: string }[]>`
    select purpose from line_progress where org_id = ${session.org.id} and document_id = ${doc.id} and line_no = 0
      and purpose in ('invoice', 'receive') and taken <> 0`
  if (taken.some(({ purpose }) => purpose === 'invoice'))
    throw new BusinessError('blocked', `已开票，不能${spec.label}，请先红冲发票`)
  if (taken.length > 0) throw new BusinessError('blocked', `医院已入库，不能${spec.label}，请医院先红冲骨科采购入库`)
}

/** A sale clears what it sold of a presale; with that the plan may be cleared too. */
async function clearPlan({ tx, session, doc }: ActionContext): Promise<void> {
  if (doc.source_type !== sourceTypes.BONE_PRESALE) return
  const [presale] = await tx<{ plan: string | null }[]>`
    select source_document_id::text as plan from document where org_id = ${session.org.id}
      and id = ${doc.source_document_id}`
  const plan = await planById(tx, session.org.id, presale?.plan ?? null)
  if (!plan) return
  await notePlan(tx, session, plan, { use_state: '2', follow_state: '5' })
  await closeIfSettled(tx, session, { ...plan, follow_state: '5' })
}

export const boneSaleRules = documentHooks(boneSale, {
  afterSave: keepCase,
  validate: {
    submit: [refuseForeign, keepsAgreedPrice],
    review: [refuseForeign, keepsAgreedPrice],
    unreview: refuseRested,
    redReverse: refuseRested,
  },
  afterAction: { review: clearPlan },
})
