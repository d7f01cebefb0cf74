import { byName, loadDocument, patchDocument, type TypedDocument } from '#server/public/documents.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { firstSellProduct } from '#modules/trade/compliance/first-sell-product.doc.ts'
import { authorisedBy } from '#modules/trade/licensing/supplier-authorisations.server.ts'
import { unapprovedPartner } from '#modules/base/checks/initial-approval.server.ts'
import { recountLicences } from '#modules/trade/licensing/licences-changed.server.ts'
import { addLicenceLines } from '#modules/trade/licensing/licence-lines.server.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import type { Tx } from '#server/public/database.ts'
import type { Session } from '#server/public/session.ts'

type FirstSellProduct = TypedDocument<typeof firstSellProduct>
type Context = ContextOf<typeof firstSellProduct>

type ProductFacts = {
  name: string
  generic_name: string | null
  brand: string | null
  structure: string | null
  intended_use: string | null
  shelf_life: string | null
  device_class: string
  class_code: string | null
  storage_condition: string | null
  registrant_name: string | null
  manufacturer_name: string
  is_imported: boolean
}

const factsOf = ({ tx, session, doc }: ActionContext) =>
  specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: doc.counterparty_sn, direction: 'buy', day: doc.business_date },
  )

async function catalogueFacts({ tx, doc }: Context): Promise<Omit<ProductFacts, 'name'> | null> {
  const [product] = await tx<ProductFacts[]>`
    select p.name, p.generic_name, p.brand, p.structure, p.scope as intended_use,
      p.shelf_life_months || '个月' as shelf_life, p.device_class, p.class_code, p.storage_condition, p.registrant_name,
      o.name as manufacturer_name,
           coalesce(p.country, '中国') not in ('中国', 'CN', '') as is_imported
      from product p join organisation o on o.id = p.manufacturer_id where p.id = ${String(doc.product_sn)}`
  if (!product) return null
  const { name: _name, ...facts } = product
  return facts
}

/** The authorisation in the network by which the supplier may sell us the product. */
const authorisation = ({ tx, session, doc }: Pick<Context, 'tx' | 'session' | 'doc'>) =>
  doc.product_sn && doc.counterparty_sn
    ? authorisedBy(tx, session.org.id, {
        product: String(doc.product_sn),
        supplier: doc.counterparty_sn,
        day: today(),
      })
    : Promise.resolve(null)

/** Stores the authorisation on the draft, so that the page shows it before submit. */
async function noteAuthorisation(tx: Tx, session: Session, sn: string): Promise<void> {
  const doc = await loadDocument(tx, session.org.id, firstSellProduct, sn)
  const authorised_by = await authorisation({ tx, session, doc })
  if (authorised_by !== (doc.authorised_by ?? null))
    await patchDocument(tx, session, doc, { authorised_by }, 'withAction')
}

/** The catalogue facts about the product are copied onto the application that decides on it. */
async function withFacts(ctx: Context): Promise<FirstSellProduct> {
  const { tx, session, doc } = ctx
  const facts = await catalogueFacts(ctx)
  if (!facts) return doc
  const [fact] = [...(await factsOf(ctx)).values()]
  const values = {
    ...facts,
    certificate_no: fact?.certificate_no ?? null,
    certificate_valid_to: fact?.certificate_valid_to ?? null,
    authorised_by: await authorisation(ctx),
  }
  await patchDocument(tx, session, doc, values, 'withAction')
  return { ...doc, ...values }
}

/** One product per application, with its own sizes, and a certificate in force. */
async function refuseWrong(ctx: Context): Promise<void> {
  const { tx, doc } = ctx
  const rows = await tx<{ id: string; product_id: string }[]>`
    select id, product_id from specification where id = any(${doc.lines.map(line => line.specification_sn!)}::bigint[])`
  const stray = doc.lines.find(
    line => rows.find(row => row.id === line.specification_sn)?.product_id !== String(doc.product_sn),
  )
  if (stray) {
    const msg = `第${stray.line_no}行：规格型号不属于所选产品`
    throw new BusinessError('rule', msg, [{ line: stray.line_no, field: 'specification_sn', msg }])
  }
  const until = doc.certificate_valid_to as string | null | undefined
  if (until && until < doc.business_date) throw new BusinessError('expiredLicence', '注册证已过期，不能提交首营审批')
}

/** If the organisation requires approvals, the supplier must be approved before its goods. */
async function refuseSupplier(ctx: ActionContext): Promise<void> {
  const partner = ctx.settings.first_approval === 'refuse' ? await unapprovedPartner(ctx) : undefined
  if (partner)
    throw new BusinessError('rule', `【${partner.name}】未通过首营审批`, [
      { field: 'counterparty_sn', msg: '请先办理首营企业审批' },
    ])
}

/** Goods approved under the same certificate need no second approval; a new size, certificate or supplier does. */
async function refuseApproved({ tx, session, doc }: Context): Promise<void> {
  const rows = await tx<{ specification_id: string }[]>`
    select distinct l.specification_id from document d join document_line l on l.org_id = d.org_id
      and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = 'firstSellProduct' and d.role = 'own'
       and d.state in ('reviewed', 'submitted') and d.id <> ${doc.id}
       and d.fields->>'product_sn' = ${String(doc.product_sn)}
         and coalesce(d.fields->>'certificate_no', '') = ${String(doc.certificate_no ?? '')}
       and (${doc.counterparty_sn}::bigint is null or d.counterparty_id = ${doc.counterparty_sn})`
  const known = new Set(rows.map(row => row.specification_id))
  if (doc.lines.every(line => known.has(line.specification_sn ?? '')))
    throw new BusinessError('duplicate', '该产品已通过首营审批')
}

/** A dealer trades only the classes named in its own licence. */
async function refuseOutsideScope({ tx, session, doc }: Context): Promise<void> {
  const needed = { III: ['医疗器械经营许可证'], II: ['医疗器械经营许可证', '第二类医疗器械经营备案凭证'] }[
    String(doc.device_class)
  ]
  if (session.org.type !== 'D' || !needed) return
  const held = await tx<{ scope: string | null }[]>`
    select scope from licence where org_id = ${session.org.id} and holder_id = ${session.org.id} and status = 'enabled'
      and licence_type = any(${needed})
       and (long_term or valid_to is null or valid_to >= ${doc.business_date})`
  const area = String(doc.class_code ?? '').slice(0, 2)
  const covers = (scope: string | null) => {
    const codes = /2017年目录：([\d,，、]+)/.exec(scope ?? '')?.[1]?.split(/[,，、]/)
    return !codes || area === '' || codes.includes(area)
  }
  if (!held.some(licence => covers(licence.scope))) throw new BusinessError('rule', '产品分类超出本企业经营范围')
}

/** On approval the product enters our own catalogue and may be ordered. */
async function enterCatalogue({ tx, session, doc }: Context): Promise<void> {
  const rows = doc.lines.map(line => ({
    specification_id: line.specification_sn,
    cost: line.reference_cost ?? doc.planned_price ?? '0',
    price: line.reference_price ?? '0',
  }))
  const set = tx`jsonb_to_recordset(${tx.json(rows)}) as k(specification_id bigint,
    cost numeric, price numeric)`
  if (session.org.type === 'H')
    await tx`
      insert into hospital_product (org_id, specification_id, admission_state, admission_no, admitted_on, supplier_id,
        purchase_price, tax_rate)
      select ${session.org.id}, k.specification_id, 'admitted', ${doc.sn}, ${doc.business_date},
        ${doc.counterparty_sn}, k.cost, s.tax_rate from ${set} join specification s on s.id = k.specification_id
      on conflict (org_id, specification_id) do update set admission_state = 'admitted', status = 'enabled',
        admission_no = excluded.admission_no, admitted_on = excluded.admitted_on,
        supplier_id = coalesce(excluded.supplier_id, hospital_product.supplier_id),
        version = hospital_product.version + 1`
  else
    await tx`
      insert into dealer_product (org_id, specification_id, admission_no, supplier_id, purchase_price, sale_price,
        tax_rate)
      select ${session.org.id}, k.specification_id, ${doc.sn}, ${doc.counterparty_sn}, k.cost, k.price, s.tax_rate
        from ${set} join specification s on s.id = k.specification_id
      on conflict (org_id, specification_id) do update set status = 'enabled', admission_no = excluded.admission_no,
        supplier_id = coalesce(excluded.supplier_id, dealer_product.supplier_id),
        version = dealer_product.version + 1`
}

/** Enters the approved product into the catalogue and updates the check of its licences. */
async function enterAndCheck(ctx: Context): Promise<void> {
  await enterCatalogue(ctx)
  await recountLicences(ctx.tx, ctx.session.org.id, [String(ctx.doc.product_sn)], ctx.doc.id)
}

type Published = {
  readonly id: string
  readonly certificate_no: string | null
  readonly valid_to: string | null
  readonly scans: string[]
  readonly manuals: string[]
}

/**
 * 带出资料: the product's sizes on offer under one certificate in force, its catalogue data, and the documents open to
 * everyone: the scan of the certificate and the manufacturer's manual. Documents of the supplier (labels, reports, its
 * authorisation) must be uploaded by the supplier.
 */
async function proposeProduct(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const rows = await tx<Published[]>`
    select s.id, c.certificate_no, c.valid_to::text as valid_to, coalesce(c.attachments, '{}') as scans, p.manuals
      from specification s join product p on p.id = s.product_id left
        join registration_certificate c on c.id = s.registration_certificate_id
     where s.product_id = ${String(doc.product_sn)} and s.status = 'released' and s.mapped_to_id is null
       and coalesce(c.valid_to, 'infinity') >= ${doc.business_date}
     order by c.valid_to desc nulls first, c.id, s.code`
  const asked = new Set(doc.lines.map(line => line.specification_sn))
  const first = rows.find(row => asked.has(row.id)) ?? rows[0]
  if (!first) throw new BusinessError('rule', '平台目录中没有该产品在有效注册证下的规格，请按原件录入')
  const sizes = asked.size > 0 ? [] : rows.filter(row => row.certificate_no === first.certificate_no)
  await addLicenceLines(
    ctx,
    sizes.map(row => ({ specification_sn: row.id })),
  )
  const facts = { certificate_no: first.certificate_no, certificate_valid_to: first.valid_to }
  const licences = { paper_certificate: first.scans, paper_manual: first.manuals }
  const bare = Object.entries(licences).filter(
    ([name, files]) => files.length > 0 && !(byName(doc)[name] as string[] | null)?.length,
  )
  const values = {
    ...(await catalogueFacts(ctx)),
    ...facts,
    ...Object.fromEntries(bare),
    authorised_by: await authorisation(ctx),
  }
  await patchDocument(tx, session, doc, values, 'withAction')
}

export const firstSellProductRules = documentHooks(firstSellProduct, {
  afterSave: noteAuthorisation,
  prepare: { submit: withFacts },
  validate: {
    submit: [refuseWrong, refuseSupplier, refuseApproved, refuseOutsideScope],
    review: refuseWrong,
  },
  afterAction: { review: enterAndCheck, propose: proposeProduct },
})
