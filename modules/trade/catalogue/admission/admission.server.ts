import {
  byName,
  leftOfLine,
  loadLines,
  patchDocument,
  replaceLines,
  type StoredDocument,
  type StoredLine,
  type TypedDocument,
} from '#server/public/documents.ts'
import { admission } from '#modules/trade/catalogue/admission/admission.doc.ts'
import { type ActionContext, atReviewOnly, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import type { Sql } from 'postgres'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'
import { today } from '#kernel/values/date.ts'
import { compare, type Decimal, isPositive } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { chargeAdmitted } from '#modules/trade/pricing/charge-prices.server.ts'
import { type AboveListed, checkListed } from '#modules/trade/pricing/price-cap.server.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'

type Context = ContextOf<typeof admission>
type Admission = TypedDocument<typeof admission>

const idsOf = (doc: StoredDocument): string[] =>
  doc.lines.flatMap(line => (line.specification_sn ? [line.specification_sn] : []))

const factsOf = ({ tx, session, doc }: ActionContext) =>
  specificationFacts(tx, idsOf(doc), {
    org: session.org.id,
    counterparty: doc.counterparty_sn,
    direction: 'buy',
    day: doc.business_date,
  })

/** Summary of the lines for the list, in their current state. */
async function summariseAdmission(tx: Tx, session: Session, sn: string): Promise<void> {
  const [row] = await tx<{ id: string; said: Readonly<Record<string, string>> }[]>`
    select a.id, jsonb_strip_nulls(jsonb_build_object(
             'product_summary', left(string_agg(distinct p.name, '、'), 200),
             'specification_summary', left(string_agg(s.name, '、' order by l.line_no), 200),
             'maker_summary', left(string_agg(distinct o.name, '、'), 200),
             'certificate_summary', left(string_agg(distinct c.certificate_no, '、'), 200),
             'shown_offered', max((l.fields->>'offered_price')::numeric)::text,
             'shown_agreed', max((l.fields->>'agreed_price')::numeric)::text,
             'shown_listed', max((l.fields->>'listed_price')::numeric)::text,
             'shown_monthly', sum((l.fields->>'monthly_quantity')::numeric)::text)) as said
      from document a join document_line l on l.org_id = a.org_id and l.document_id = a.id
      join specification s on s.id = l.specification_id join product p on p.id = s.product_id
      join organisation o on o.id = p.manufacturer_id
      left join registration_certificate c on c.id = s.registration_certificate_id
     where a.org_id = ${session.org.id} and a.kind = 'admission' and a.role = 'own' and a.sn = ${sn} group by a.id`
  if (row) await patchDocument(tx, session, { id: row.id, kind: 'admission' }, row.said, 'withAction')
}

/** 同意6，反对3，弃权0: as shown in the list. */
const withVotes = async ({ tx, session, doc, dialogValues: answers }: Context): Promise<Admission> => {
  const of = (name: string) => String(answers?.[name] ?? byName(doc)[name] ?? 0)
  const vote_result = `同意${of('votes_for')}，反对${of('votes_against')}，弃权${of('votes_none')}`
  await patchDocument(tx, session, doc, { vote_result }, 'withAction')
  return { ...doc, vote_result }
}

/** The catalogue facts about the goods are copied onto the application that decides on them. */
async function withFacts(ctx: ActionContext): Promise<StoredDocument> {
  const { tx, session, definition, doc } = ctx
  const facts = await factsOf(ctx)
  const lines = doc.lines.map(line => {
    const fact = facts.get(line.specification_sn ?? '')
    return {
      ...line,
      certificate_no: fact?.certificate_no ?? null,
      certificate_valid_to: fact?.certificate_valid_to ?? null,
    }
  })
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  await summariseAdmission(tx, session, doc.sn)
  return { ...doc, lines }
}

/**
 * Refuses a second running admission of a specification, and one for goods that are already admitted, except with
 * another supplier.
 */
async function refuseTwice({ tx, session, doc }: ActionContext): Promise<void> {
  const [open] = await tx<{ sn: string }[]>`
    select d.sn from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = 'admission' and d.role = 'own' and d.state = 'submitted'
       and d.id <> ${doc.id} and l.specification_id = any(${idsOf(doc)}::bigint[]) limit 1`
  if (open) throw new BusinessError('duplicate', `该产品已有在途准入申请（${open.sn}）`)
  const [held] = await tx<{ specification_id: string }[]>`
    select specification_id from hospital_product
      where org_id = ${session.org.id} and specification_id = any(${idsOf(doc)}::bigint[])
      and admission_state = 'admitted' and status = 'enabled'
      and coalesce(supplier_id, ${doc.counterparty_sn}) = ${doc.counterparty_sn} limit 1`
  if (!held) return
  const line = doc.lines.find(one => one.specification_sn === held.specification_id)?.line_no
  throw new BusinessError('duplicate', '该产品已在院内目录，请直接申领', [
    { field: 'specification_sn', msg: '该产品已在院内目录，请直接申领', ...(line === undefined ? {} : { line }) },
  ])
}

type Chain = {
  name: string
  maker: string
  supplier: string
  maker_id: string
  expired: string | null
  supplied: boolean
  made: boolean
  abroad: boolean
  agents: boolean
  authorised: boolean
}

/**
 * 资质核验: certificate, the supplier's and the manufacturer's licences, and the chain of authorisations between them,
 * through any number of dealers, all valid today.
 */
async function licencesLacking({ tx, session, doc }: ActionContext): Promise<string[]> {
  const org = session.org.id
  const inForce = tx`l.status = 'enabled' and l.valid_from <= ${today()}
    and (l.long_term or l.valid_to is null or l.valid_to >= ${today()})`
  const rows = await tx<Chain[]>`
    select distinct p.name, m.name as maker, o.name as supplier, m.id as maker_id,
           (select min(c.certificate_no) from specification s
             join registration_certificate c on c.id = s.registration_certificate_id
             where s.product_id = p.id and s.id = any(${idsOf(doc)}::bigint[]) and c.valid_to < ${today()}) as expired,
           p.device_class = 'I'
             or exists (select 1 from licence l where l.org_id = ${org} and l.holder_id = o.id and ${inForce}
             and l.licence_type in ('医疗器械经营许可证', '第二类医疗器械经营备案凭证', '医疗器械生产许可证')) as supplied,
           exists (select 1 from licence l where l.org_id = ${org} and l.holder_id = m.id and ${inForce}
             and l.licence_type in ('医疗器械生产许可证', '第一类医疗器械生产备案凭证', '医疗器械经营许可证'))
             -- A maker need not be a partner: what the platform passed of it counts as if it were on file.
             or exists (select 1 from published_licence a where a.organisation_id = m.id
               and a.licence_type in ('医疗器械生产许可证', '第一类医疗器械生产备案凭证', '医疗器械经营许可证')
               and a.valid_from <= ${today()} and coalesce(a.valid_to, 'infinity') >= ${today()}) as made,
           (select bool_and(c.certificate_no ~ '(械注进|械备进|[(（]进[)）])') from specification s
             join registration_certificate c on c.id = s.registration_certificate_id
             where s.product_id = p.id and s.id = any(${idsOf(doc)}::bigint[])) is true as abroad,
           2 = (select count(distinct l.licence_type) from licence l where l.org_id = ${org} and l.holder_id = m.id
             and ${inForce} and l.licence_type in ('进口总代理授权书', '进口代理人授权')) as agents,
           m.id = o.id or exists (select 1 from granted_chain(${org}, p.id, o.id, ${today()}::date)) as authorised
      from specification s join product p on p.id = s.product_id join organisation m on m.id = p.manufacturer_id
        join organisation o on o.id = ${doc.counterparty_sn}
     where s.id = any(${idsOf(doc)}::bigint[])`
  const lacking = rows.flatMap(row => {
    const wrong: string[] = []
    if (row.expired !== null) wrong.push(`【${row.name}】注册证已过期：${row.expired}`)
    if (!row.supplied) wrong.push(`供应商【${row.supplier}】没有有效的经营许可或备案，请先补充证照`)
    // A foreign manufacturer has no production licence here; an agent's licence counts instead.
    if (!row.made && row.abroad && !row.agents) wrong.push(`进口厂商须登记境内代理人及授权书：${row.maker}`)
    if (!row.made && !row.abroad) wrong.push(`生产厂家【${row.maker}】没有有效的生产许可，请先补充证照`)
    if (!row.authorised) wrong.push(`授权链不完整：缺少${row.maker}至${row.supplier}的授权书`)
    return wrong
  })
  return [...new Set(lacking)]
}

/** Refuses with all faults of the chain of licences in one message. */
async function checkLicences(ctx: ActionContext): Promise<void> {
  const wrong = await licencesLacking(ctx)
  if (wrong.length > 0)
    throw new BusinessError(
      'expiredLicence',
      wrong[0]!,
      wrong.map(msg => ({ msg })),
    )
}

/**
 * Warns at submit of the licences that 资质核验 will require, so that the applicant can go on while somebody collects them.
 */
async function announceLacking(ctx: ActionContext): Promise<void> {
  const wrong = await licencesLacking(ctx)
  ctx.warnings.push(...wrong.map(msg => ({ rule: 'licencesLacking', msg: `资质核验将要求：${msg}，是否继续提交？` })))
}

/** Prices agreed above the provincial price. */
const aboveListed = ({ doc }: Context): AboveListed[] =>
  doc.lines.flatMap(line => {
    const listed = (line.listed_price ?? '0') as Decimal
    if (!isPositive(listed) || compare((line.agreed_price ?? '0') as Decimal, listed) <= 0) return []
    const problem = { field: 'agreed_price', line: line.line_no, msg: `第${line.line_no}行：议定价高于挂网价` }
    return [{ specification: line.specification_sn!, problem }]
  })

/**
 * 国家医保编码: required for chargeable high-value goods if the organisation's setting says so: on the line, or matched
 * before.
 */
async function checkInsurance({ tx, session, doc, settings, warnings: questions }: Context): Promise<void> {
  const how = settings.admission_insurance
  const bare = doc.lines.filter(line => !line.insurance_code && line.specification_sn)
  if (how === 'off' || doc.is_chargeable !== true || bare.length === 0) return
  const rows = await tx<{ id: string }[]>`
    select s.id from specification s join product p on p.id = s.product_id
     where s.id = any(${bare.map(line => line.specification_sn!)}::bigint[]) and p.is_high_value
       and not exists (select 1 from hospital_product h
         where h.org_id = ${session.org.id} and h.specification_id = s.id and h.insurance_code is not null)
       and not exists (select 1 from insurance_code c where c.org_id = ${session.org.id} and c.specification_id = s.id
         and c.match_state = 'matched')`
  const lacking = bare.filter(line => rows.some(row => row.id === line.specification_sn))
  const problems = lacking.map(({ line_no, product_name }) => {
    const msg = `第${line_no}行【${product_name ?? ''}】：产品未维护国家医保编码，不能准入`
    return { field: 'insurance_code', line: line_no, msg }
  })
  if (problems.length === 0) return
  if (how === 'refuse') throw new BusinessError('rule', problems[0]!.msg, problems)
  for (const { line, msg } of problems)
    questions.push({ rule: 'insuranceCode', line, msg: `${msg.replace('，不能准入', '')}，是否准入？` })
}

/** On approval the goods enter the hospital's catalogue with their supplier and first price. */
async function admit({ tx, session, doc }: Context): Promise<void> {
  const org = session.org.id
  const from = String(doc.effective_on ?? doc.business_date)
  const rows = doc.lines.map(line => ({
    specification_id: line.specification_sn,
    price: line.agreed_price ?? '0',
    regime: line.supply_regime ?? 'purchased',
    coded: line.managed_by === 'unit',
    code: line.insurance_code ?? null,
    most: doc.access_type === 'once' ? (line.limit_quantity ?? null) : null,
    listed: isPositive((line.listed_price ?? '0') as Decimal) ? line.listed_price : null,
  }))
  const until = doc.access_type === 'once' ? (doc.valid_to as string | null) : null
  const set = tx`jsonb_to_recordset(${tx.json(rows)}) as k(specification_id bigint,
    price numeric, regime text, coded boolean, code text, most numeric, listed numeric)`
  await tx`
    insert into hospital_product (org_id, specification_id, admission_state, admission_no, admitted_on, admitted_until,
      admitted_limit, supplier_id, purchase_price, tax_rate, regime, is_unit_coded, insurance_code, listed_price,
      is_chargeable)
    select ${org}, k.specification_id, 'admitted', ${doc.sn}, ${doc.business_date}, ${until}, k.most,
      ${doc.counterparty_sn}, k.price, s.tax_rate, k.regime, k.coded, k.code, k.listed, ${doc.is_chargeable === true}
      from ${set} join specification s on s.id = k.specification_id
    on conflict (org_id, specification_id) do update set admission_state = 'admitted',
      admission_no = excluded.admission_no, admitted_on = excluded.admitted_on,
      admitted_until = excluded.admitted_until, admitted_limit = excluded.admitted_limit,
      supplier_id = excluded.supplier_id, purchase_price = excluded.purchase_price, regime = excluded.regime,
        status = 'enabled', version = hospital_product.version + 1,
      insurance_code = coalesce(excluded.insurance_code, hospital_product.insurance_code),
        listed_price = coalesce(excluded.listed_price, hospital_product.listed_price)`
  await tx`
    insert into price_agreement (org_id, seller_id, buyer_id, specification_id, price, tax_rate, valid_from, valid_to)
    select ${org}, ${doc.counterparty_sn}, ${org}, k.specification_id, k.price, s.tax_rate, ${from}, ${until}
      from ${set} join specification s on s.id = k.specification_id
    on conflict (org_id, seller_id, buyer_id, specification_id, price_type, valid_from)
      do update set price = excluded.price, status = 'enabled', version = price_agreement.version + 1`
  await tx`
    insert into product_pick (product_id, picker_id) select distinct s.product_id, ${org}::bigint from specification s
      where s.id = any(${idsOf(doc)}::bigint[]) on conflict do nothing`
}

/** Chargeable goods get their charge price from the first day, by the mark-up rules. */
async function admitAndCharge(ctx: Context): Promise<void> {
  await admit(ctx)
  const { tx, session, doc } = ctx
  if (doc.is_chargeable === true) await chargeAdmitted(tx, session.org.id, today(), idsOf(doc))
}

/** The price that the committee voted on cannot be changed until the application is sent back and voted on again. */
async function refuseAfterVote(tx: Tx, session: Session, before: Admission): Promise<void> {
  if (before.state !== 'submitted' || before.node !== 'voted') return
  const lines = (await loadLines(tx, session.org.id, [before.id])).get(before.id) ?? []
  const priceOf = (line: StoredLine | undefined) => ((line && byName(line).agreed_price) ?? '0') as Decimal
  const changed = lines.find(line => {
    const voted = before.lines.find(each => each.line_no === line.line_no)
    return compare(priceOf(line), priceOf(voted)) !== 0
  })
  if (!changed) return
  const msg = `第${changed.line_no}行：已表决，不能修改议定价；价格有变请驳回后重新议价、表决`
  throw new BusinessError('wrongState', msg, [{ line: changed.line_no, field: 'agreed_price', msg }])
}

async function refuseOpenOrders({ tx, session, doc }: ActionContext): Promise<void> {
  const [open] = await tx<{ sn: string }[]>`
    select d.sn from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = 'purchaseOrder' and d.role = 'own'
       and d.state in ('submitted', 'reviewed', 'partial') and l.specification_id = any(${idsOf(doc)}::bigint[])
       and ${leftOfLine(tx, 'receive')} > 0
       limit 1`
  if (open) throw new BusinessError('blocked', `存在未完成的采购订单（${open.sn}）`)
}

const unadmit = ({ tx, session, doc }: ActionContext) => tx`
  update hospital_product set admission_state = 'not_admitted', version = version + 1
    where org_id = ${session.org.id} and admission_no = ${doc.sn} and admission_state = 'admitted'`

/**
 * Every hour: an admission for a limited period or a single purchase ends when that has passed or all of it has
 * arrived.
 */
export const endAdmissions = (owner: Sql): Promise<unknown> => owner`
  update hospital_product h set admission_state = 'not_admitted', version = version + 1
   where h.admission_state = 'admitted' and (h.admitted_until < ${today()} or h.admitted_limit <= (
     select sum(l.base_quantity) from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
      where l.org_id = h.org_id and l.specification_id = h.specification_id and d.kind = 'purchaseGrn'
        and d.role = 'own' and d.business_date >= h.admitted_on
        and d.state in ('reviewed', 'partial', 'completed', 'reversed')))`

export const admissionRules = documentHooks(admission, {
  afterEdit: refuseAfterVote,
  afterSave: async (tx, session, sn) => void (await summariseAdmission(tx, session, sn)),
  prepare: { submit: withFacts, vote: withVotes },
  validate: {
    submit: [refuseTwice, announceLacking],
    certCheck: checkLicences,
    review: [
      // Missing licences are announced at submit and may be supplied while the application waits; the price is
      // negotiated.
      atReviewOnly(checkLicences),
      checkInsurance,
      atReviewOnly(ctx => checkListed(ctx, aboveListed(ctx))),
    ],
    stopAdmit: refuseOpenOrders,
  },
  afterAction: { review: admitAndCharge, stopAdmit: async ctx => void (await unadmit(ctx)) },
})
