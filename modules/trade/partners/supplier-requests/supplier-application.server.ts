import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import {
  ofKind,
  patchDocument,
  patchLines,
  replaceLines,
  type StoredDocument,
  transition,
  type TypedDocument,
  type TypedLine,
} from '#server/public/documents.ts'
import {
  applicationTypes,
  supplierApplication,
} from '#modules/trade/partners/supplier-requests/supplier-application.doc.ts'
import { clock, today } from '#kernel/values/date.ts'
import { absolute, compare, type Decimal, divide, isZero, subtract } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { mustBeAuthorised } from '#modules/trade/licensing/authorised-sale.server.ts'
import {
  createProposals,
  isProposalDecided,
  takeProposalsBack,
} from '#modules/trade/partners/supplier-requests/catalogue-proposals.server.ts'
import { createSystemDraft, type LineInput } from '#server/public/drafts.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof supplierApplication>
type SupplierApplication = TypedDocument<typeof supplierApplication>
type Line = TypedLine<typeof supplierApplication>

const typeName = (doc: SupplierApplication): string =>
  applicationTypes[doc.application_type as keyof typeof applicationTypes] ?? ''

/** The relative change of a price: (new − old) / old. */
function rateOf(line: Line): Decimal | null {
  const [before, after] = [line.old_price, line.new_price] as (Decimal | null | undefined)[]
  return before && after && !isZero(before) ? divide(subtract(after, before, 4), before, 4) : null
}

/** Summary of the lines for the list: which goods, and the largest change. */
async function withSummary(ctx: ActionContext): Promise<StoredDocument> {
  const { tx, session, definition, doc } = ctx
  // Lines decided before are decided again.
  const lines = ofKind(supplierApplication, doc).lines.map(line => ({
    ...line,
    change_rate: rateOf(line),
    line_result: null,
    line_reason: null,
  }))
  const names = [...new Set(lines.map(line => line.product_name ?? ''))]
  const size = (line: (typeof lines)[number]): Decimal => absolute(line.change_rate ?? '0')
  const largest = lines.reduce((most, line) => (compare(size(line), size(most)) > 0 ? line : most), lines[0]!)
  const values = {
    product_summary: `${names.slice(0, 3).join('、')}${names.length > 3 ? `等${names.length}个产品` : ''}`,
    change_rate: largest.change_rate,
    shown_old_price: largest.old_price ?? null,
    shown_new_price: largest.new_price ?? null,
    attachment_count: doc.attachments.length,
  }
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  await patchDocument(tx, session, doc, values, 'withAction')
  return { ...doc, ...values, lines }
}

/** Only hospitals can be asked, for goods with a certificate in force, and each only once at a time. */
async function refuseWrong(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const [hospital] = await tx`select 1 from organisation where id = ${doc.counterparty_sn} and system_type = 1`
  if (!hospital) throw new BusinessError('rule', '请选择医院', [{ field: 'counterparty_sn', msg: '请选择医院' }])
  const ids = doc.lines.map(line => line.specification_sn!)
  await mustBeAuthorised(ctx)
  const facts = await specificationFacts(tx, ids, {
    org: session.org.id,
    counterparty: doc.counterparty_sn,
    direction: 'sell',
    day: doc.business_date,
  })
  for (const line of doc.lines) {
    const fact = facts.get(line.specification_sn ?? '')
    if (!fact?.certificate_valid_to || fact.certificate_valid_to >= doc.business_date) continue
    if (doc.application_type === 'certificate') continue
    const msg = `【${fact.product_name}】注册证已过期`
    throw new BusinessError('expiredLicence', msg, [{ line: line.line_no, field: 'specification_sn', msg }])
  }
  const [open] = await tx<{ sn: string }[]>`
    select d.sn from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = 'supplierApplication' and d.role = 'own' and d.state = 'submitted'
       and d.id <> ${doc.id}
       and d.counterparty_id = ${doc.counterparty_sn}
         and d.fields->>'application_type' = ${String(doc.application_type)}
         and l.specification_id = any(${ids}::bigint[]) limit 1`
  if (open) throw new BusinessError('duplicate', `该产品已有待处理的${typeName(doc)}申请（${open.sn}）`)
}

/**
 * Stores who accepted the application, and when; for each requested price the hospital sees whether it is above the
 * provincial or the current price.
 */
async function withAcceptance({ tx, session, doc, dialogValues: answers }: Context): Promise<SupplierApplication> {
  const limit = answers?.answer_by
  if (limit && String(limit) < today()) {
    const msg = '处理时限不能早于今天'
    throw new BusinessError('invalid', msg, [{ field: 'answer_by', msg }])
  }
  const org = session.org.id
  await noteDecided(tx, session, doc)
  const marks = await tx<{ line_no: number; price_mark: string | null }[]>`
    select l.line_no, case when (l.fields->>'new_price')::numeric > h.listed_price then 'listed'
                           when (l.fields->>'new_price')::numeric > coalesce(a.price, h.purchase_price) then 'dearer'
                      end as price_mark
      from document_line l
      join hospital_product h on h.org_id = l.org_id and h.specification_id = l.specification_id
      left join lateral (
        select g.price from price_agreement g
         where g.org_id = h.org_id and g.buyer_id = h.org_id and g.seller_id = ${String(doc.from_org_id)}
           and g.specification_id = h.specification_id and g.status = 'enabled'
           and g.valid_from <= ${today()} and (g.valid_to is null or g.valid_to >= ${today()})
         order by array_position(array['volume', 'awarded', 'agreed', 'temporary'], g.price_type), g.valid_from desc
         limit 1) a on true
     where l.org_id = ${org} and l.document_id = ${doc.id} and l.fields->>'new_price' is not null`
  const lines = marks.map(({ line_no, price_mark }) => ({ line_no, values: { price_mark } }))
  await patchLines(tx, session, doc, lines, 'withAction')
  return { ...doc, accepted_by: session.userName, accepted_at: (clock.at ?? new Date()).toISOString() }
}

/** 已处理/总行数, for the hospital's own list. */
const noteDecided = (tx: Tx, session: Session, doc: SupplierApplication) => {
  const decided_lines = `${doc.lines.filter(line => line.line_result).length}/${doc.lines.length}`
  return patchDocument(tx, session, doc, { decided_lines }, 'withAction')
}

/**
 * Writes the answer to lines; a new answer replaces the old one. If no lines are named, all without an answer get it.
 */
const withDecision = async ({ tx, session, doc, dialogValues: answers }: Context): Promise<SupplierApplication> => {
  // The previous answer is not reused.
  const said = String(answers?.decide_lines ?? '')
    .split(/[,，、 ]+/)
    .filter(no => no !== '')
    .map(parseInteger)
  const refuse = (msg: string): never => {
    throw new BusinessError('invalid', msg, [{ field: 'decide_lines', msg }])
  }
  const stray = said.find(no => !doc.lines.some(line => line.line_no === no))
  if (stray !== undefined) refuse(`没有第${stray}行，请核对行号`)
  const meant = (line: Line) => (said.length > 0 ? said.includes(line.line_no) : !line.line_result)
  if (!doc.lines.some(meant)) refuse('每一行都已处理，要改动请填写行号')
  const decided = {
    ...doc,
    lines: doc.lines.map(line =>
      meant(line)
        ? {
            ...line,
            line_result: doc.decide_result,
            line_reason: doc.decide_result === 'refused' ? doc.decide_reason : null,
          }
        : line,
    ),
  }
  await noteDecided(tx, session, decided)
  return decided
}

const withResult = async ({ doc }: Context): Promise<SupplierApplication> => ({
  ...doc,
  result: doc.lines.some(line => line.line_result === 'refused') ? 'partly' : 'passed',
})

/** Ending a supply shows what is still open with the supplier. */
async function askOpenBusiness(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  if (doc.application_type !== 'end') return
  const [open] = await tx`
    select 1 from document where org_id = ${session.org.id} and kind = 'purchaseOrder' and role = 'own'
      and counterparty_id = ${doc.from_org_id} and state in ('reviewed', 'partial')
     union all select 1 from stock_balance where org_id = ${session.org.id} and owner_id = ${doc.from_org_id} limit 1`
  if (open) ctx.warnings.push({ rule: 'openBusiness', msg: '该供应商存在未完成订单或寄售库存，是否继续？' })
}

/** The hospital's own follow-up document for each kind of application. */
const resultKinds: Readonly<Record<string, string>> = {
  admission: 'admission',
  price: 'priceAdjustment',
  end: 'priceAdjustment',
  certificate: 'licenceApplication',
}

/** 期望生效日期, but never a past day. */
const beginsOn = (doc: SupplierApplication): string =>
  doc.expected_date && String(doc.expected_date) > today() ? String(doc.expected_date) : today()

type Created = { readonly header: Readonly<Record<string, unknown>>; readonly lines: readonly LineInput[] }

/** Content of the follow-up document: the passed goods at their price, or the certificate requested for them. */
function resultOf(doc: SupplierApplication, passed: readonly Line[]): Created {
  const remark = `供应商申请${doc.sn}`
  const supplier = doc.from_org_id
  if (doc.application_type === 'admission')
    return {
      header: {
        counterparty_sn: supplier,
        source_application_no: doc.sn,
        product_summary: doc.product_summary,
        remark,
      },
      lines: passed.map(line => ({ specification_sn: line.specification_sn, offered_price: line.new_price ?? null })),
    }
  if (doc.application_type === 'price')
    return {
      header: {
        adjust_type: 'purchase',
        adjust_reason: 'bargain',
        counterparty_sn: supplier,
        policy_no: remark,
        effective_on: beginsOn(doc),
        remark,
      },
      lines: passed.map(line => ({ specification_sn: line.specification_sn, new_price: line.new_price })),
    }
  if (doc.application_type === 'end')
    return {
      header: {
        adjust_type: 'end',
        adjust_reason: 'end',
        counterparty_sn: supplier,
        policy_no: remark,
        effective_on: beginsOn(doc),
        remark: `${remark}：${String(doc.apply_reason ?? '')}`,
      },
      lines: passed.map(line => ({ specification_sn: line.specification_sn })),
    }
  return {
    header: { partner_sn: supplier, purpose: 'renewal', remark },
    lines: passed.map(line => ({
      licence_type: '医疗器械注册证/备案凭证',
      specification_sn: line.specification_sn,
      remark: [line.changed_field, line.new_value].filter(Boolean).join('：') || null,
    })),
  }
}

const passedOf = (doc: SupplierApplication) => doc.lines.filter(line => line.line_result === 'passed')

/**
 * The follow-up document is the hospital's own: a draft, or a proposal in its catalogue; its number is part of the
 * answer.
 */
async function createResult({ tx, session, doc }: Context): Promise<void> {
  const kind = resultKinds[String(doc.application_type)]
  if (!kind) {
    Object.assign(doc, { result_sn: await createProposals(tx, session, doc, passedOf(doc)) })
    return
  }
  const { header, lines } = resultOf(doc, passedOf(doc))
  const sn = await createSystemDraft(tx, session, kind, header, lines)
  // Sent with the answer, it is on both sides' rows.
  Object.assign(doc, { result_sn: sn })
}

const createdResult = async ({ tx, session, doc }: Context) =>
  doc.result_sn
    ? (
        await tx<{ id: string; state: string }[]>`
          select id, state from document
            where org_id = ${session.org.id} and kind = ${resultKinds[String(doc.application_type)] ?? ''}
            and role = 'own' and sn = ${String(doc.result_sn)}`
      )[0]
    : undefined

async function refuseHandled(ctx: Context): Promise<void> {
  const result = await createdResult(ctx)
  if ((result && result.state !== 'draft') || (await isProposalDecided(ctx)))
    throw new BusinessError('blocked', '结果单据已处理，不能反审核')
}

async function takeResultBack(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  await takeProposalsBack(ctx)
  const result = await createdResult(ctx)
  if (result) {
    const kind = resultKinds[String(doc.application_type)]!
    const gone = { action: 'del', label: '删除', from: ['draft'], to: 'deleted', reason: '供应商申请已反审核' } as const
    await transition(tx, session, { id: result.id, kind }, gone)
  }
  await patchDocument(tx, session, doc, { result_sn: null }, 'withAction')
}

export const supplierApplicationRules = documentHooks(supplierApplication, {
  prepare: { submit: withSummary, accept: withAcceptance, lineDecide: withDecision, review: withResult },
  validate: { submit: refuseWrong, review: askOpenBusiness, unreview: refuseHandled },
  afterAction: { review: createResult, unreview: takeResultBack },
})
