import { clock, today } from '#kernel/day.ts'
import { absolute, compare, type Decimal, divide, isZero, subtract } from '#kernel/decimal.ts'
import { Refusal } from '#kernel/refusal.ts'
import { mustBeAuthorised } from '#modules/authorised-sale.server.ts'
import { own } from '#modules/guards.ts'
import { isProposalDecided, layProposals, takeProposalsBack } from '#modules/partners/catalogue-proposals.server.ts'
import { applicationTypes } from '#modules/partners/supplier-application.doc.ts'
import type { Acting, DocumentRules } from '#server/public/hooks.ts'
import { lay, type LineInput } from '#server/public/drafts.ts'
import { specificationFacts } from '#modules/items/item-data.server.ts'
import { replaceLines, type StoredDoc, type StoredLine } from '#server/public/documents.ts'

const typeName = (doc: StoredDoc): string =>
  applicationTypes[doc.application_type as keyof typeof applicationTypes] ?? ''

/** By how much a price is to change: (new − old) / old. */
function rateOf(line: StoredLine): Decimal | null {
  const [before, after] = [line.old_price, line.new_price] as (Decimal | null | undefined)[]
  return before && after && !isZero(before) ? divide(subtract(after, before, 4), before, 4) : null
}

/** What a reader of the list wants to know of the lines: which goods, and the largest change. */
async function withSummary(acting: Acting): Promise<StoredDoc> {
  const { tx, session, definition, doc } = acting
  // Whatever was decided before is decided anew.
  const lines = doc.lines.map(line => ({ ...line, change_rate: rateOf(line), line_result: null, line_reason: null }))
  const names = [...new Set(lines.map(line => line.product_name ?? ''))]
  const size = (line: (typeof lines)[number]): Decimal => absolute(line.change_rate ?? '0')
  const largest = lines.reduce((most, line) => (compare(size(line), size(most)) > 0 ? line : most), lines[0]!)
  const shown = (name: string) => (own(largest, name) as string | null | undefined) ?? null
  const values = {
    product_summary: `${names.slice(0, 3).join('、')}${names.length > 3 ? `等${names.length}个产品` : ''}`,
    change_rate: largest.change_rate,
    shown_old_price: shown('old_price'),
    shown_new_price: shown('new_price'),
    attachment_count: doc.attachments.length,
  }
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  await tx`
    update document set fields = jsonb_strip_nulls(fields || ${tx.json(values)}) where org_id = ${session.org.id} and id = ${doc.id}`
  return { ...doc, ...values, lines }
}

/** Only hospitals are asked, for goods whose certificate is in force, and for each only once at a time. */
async function refuseWrong(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  const [hospital] = await tx`select 1 from organisation where id = ${doc.counterparty_sn} and system_type = 1`
  if (!hospital) throw new Refusal('rule', '请选择医院', [{ field: 'counterparty_sn', msg: '请选择医院' }])
  const ids = doc.lines.map(line => line.specification_sn!)
  await mustBeAuthorised(acting)
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
    throw new Refusal('expiredPaper', msg, [{ line: line.line_no, field: 'specification_sn', msg }])
  }
  const [open] = await tx<{ sn: string }[]>`
    select d.sn from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = 'supplierApplication' and d.role = 'own' and d.state = 'submitted' and d.id <> ${doc.id}
       and d.counterparty_id = ${doc.counterparty_sn} and d.fields->>'application_type' = ${String(doc.application_type)} and l.specification_id = any(${ids}::bigint[]) limit 1`
  if (open) throw new Refusal('duplicate', `该产品已有待处理的${typeName(doc)}申请（${open.sn}）`)
}

/** Who took it on, and when; beside each price that is asked for the hospital sees whether it is above that of the province, or of today. */
async function withAcceptance({ tx, session, doc, answers }: Acting): Promise<StoredDoc> {
  const limit = answers?.answer_by
  if (limit && String(limit) < today()) {
    const msg = '处理时限不能早于今天'
    throw new Refusal('invalid', msg, [{ field: 'answer_by', msg }])
  }
  const org = session.org.id
  await noteDecided(tx, org, doc)
  await tx`
    update document_line l set fields = l.fields || jsonb_build_object('price_mark', case
             when (l.fields->>'new_price')::numeric > h.listed_price then 'listed' when (l.fields->>'new_price')::numeric > coalesce(a.price, h.purchase_price) then 'dearer' end)
      from hospital_product h
      left join lateral (
        select g.price from price_agreement g where g.org_id = h.org_id and g.buyer_id = h.org_id and g.seller_id = ${String(doc.from_org_id)} and g.specification_id = h.specification_id and g.status = 'enabled'
           and g.valid_from <= ${today()} and (g.valid_to is null or g.valid_to >= ${today()})
         order by array_position(array['volume', 'awarded', 'agreed', 'temporary'], g.price_type), g.valid_from desc limit 1) a on true
     where l.org_id = ${org} and l.document_id = ${doc.id} and h.org_id = l.org_id and h.specification_id = l.specification_id and l.fields->>'new_price' is not null`
  return { ...doc, accepted_by: session.userName, accepted_at: (clock.at ?? new Date()).toISOString() }
}

/** 已处理/总行数, for the hospital's own list. */
const noteDecided = (tx: Acting['tx'], org: string, doc: StoredDoc) => tx`
  update document set fields = fields || ${tx.json({ decided_lines: `${doc.lines.filter(line => line.line_result).length}/${doc.lines.length}` })}
   where org_id = ${org} and id = ${doc.id}`

/** Lines get their answer; another answer replaces it. None named: all that have none. */
const withDecision = async ({ tx, session, doc, answers }: Acting): Promise<StoredDoc> => {
  // What was said the last time is not meant again.
  const said = String(answers?.decide_lines ?? '')
    .split(/[,，、 ]+/)
    .filter(no => no !== '')
    .map(Number)
  const refuse = (msg: string): never => {
    throw new Refusal('invalid', msg, [{ field: 'decide_lines', msg }])
  }
  const stray = said.find(no => !doc.lines.some(line => line.line_no === no))
  if (stray !== undefined) refuse(`没有第${stray}行，请核对行号`)
  const meant = (line: StoredLine) => (said.length > 0 ? said.includes(line.line_no) : !line.line_result)
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
  await noteDecided(tx, session.org.id, decided)
  return decided
}

const withResult = async ({ doc }: Acting): Promise<StoredDoc> => ({
  ...doc,
  result: doc.lines.some(line => line.line_result === 'refused') ? 'partly' : 'passed',
})

/** Whoever lets a supplier go is told what is still open with him. */
async function askOpenBusiness(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  if (doc.application_type !== 'end') return
  const [open] = await tx`
    select 1 from document where org_id = ${session.org.id} and kind = 'purchaseOrder' and role = 'own' and counterparty_id = ${doc.from_org_id} and state in ('reviewed', 'partial')
     union all select 1 from stock_balance where org_id = ${session.org.id} and owner_id = ${doc.from_org_id} limit 1`
  if (open) acting.questions.push({ rule: 'openBusiness', msg: '该供应商存在未完成订单或寄售库存，是否继续？' })
}

/** The hospital's own paper that follows from a kind of application. */
const resultKinds: Readonly<Record<string, string>> = {
  admission: 'admission',
  price: 'priceAdjustment',
  end: 'priceAdjustment',
  certificate: 'licenceApplication',
}

/** 期望生效日期, and never a day that has gone by. */
const beginsOn = (doc: StoredDoc): string =>
  doc.expected_date && String(doc.expected_date) > today() ? String(doc.expected_date) : today()

type Laid = { readonly header: Readonly<Record<string, unknown>>; readonly lines: readonly LineInput[] }

/** What that paper says: the goods that were passed, at their price, or the certificate that is asked for of them. */
function resultOf(doc: StoredDoc, passed: readonly StoredLine[]): Laid {
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

const passedOf = (doc: StoredDoc) => doc.lines.filter(line => line.line_result === 'passed')

/** What follows is the hospital's own, begun as a draft or a proposal in its catalogue; its number is the answer's. */
async function layResult({ tx, session, doc }: Acting): Promise<void> {
  const kind = resultKinds[String(doc.application_type)]
  if (!kind) {
    Object.assign(doc, { result_sn: await layProposals(tx, session, doc, passedOf(doc)) })
    return
  }
  const { header, lines } = resultOf(doc, passedOf(doc))
  const sn = await lay(tx, session, kind, header, lines)
  // Told with the answer, it stands on both sides' rows.
  Object.assign(doc, { result_sn: sn })
}

const laidResult = async ({ tx, session, doc }: Acting) =>
  doc.result_sn
    ? (
        await tx<{ id: string; state: string }[]>`
          select id, state from document where org_id = ${session.org.id} and kind = ${resultKinds[String(doc.application_type)] ?? ''} and role = 'own' and sn = ${String(doc.result_sn)}`
      )[0]
    : undefined

async function refuseHandled(acting: Acting): Promise<void> {
  const result = await laidResult(acting)
  if ((result && result.state !== 'draft') || (await isProposalDecided(acting)))
    throw new Refusal('blocked', '结果单据已处理，不能反审核')
}

async function takeResultBack(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  await takeProposalsBack(acting)
  const result = await laidResult(acting)
  if (result)
    await tx`update document set state = 'deleted', version = version + 1 where org_id = ${session.org.id} and id = ${result.id}`
  await tx`
    update document set fields = fields - 'result_sn' where org_id = ${session.org.id} and id = ${doc.id}`
}

export const supplierApplicationRules: DocumentRules = {
  kind: 'supplierApplication',
  prepare: { submit: withSummary, accept: withAcceptance, lineDecide: withDecision, review: withResult },
  before: { submit: refuseWrong, review: askOpenBusiness, unreview: refuseHandled },
  after: { review: layResult, unreview: takeResultBack },
}
