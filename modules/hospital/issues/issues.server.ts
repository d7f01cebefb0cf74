import { giveOdo } from '#modules/hospital/issues/give-odo.doc.ts'
import { otherOdo } from '#modules/hospital/issues/other-odo.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { patchDocument, replaceLines, type TypedDocument } from '#server/public/documents.ts'
import { kindsAdding } from '#kernel/measure/feeding.ts'
import { shelfLifeDay } from '#kernel/rules/shelf-life.ts'
import { shipmentPrint } from '#modules/trade/shipping/shipment-print.server.ts'
import { splitTax, type TaxRate } from '#kernel/values/tax-amounts.ts'
import { compare, type Decimal, divide, multiply, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { mustBeAuthorised } from '#modules/trade/licensing/authorised-sale.server.ts'
import { needsApprovedCustomer } from '#modules/base/checks/initial-approval.server.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import { createSystemDraft, packUnits } from '#server/public/drafts.ts'

type Context = ContextOf<typeof otherOdo>
type OtherOdo = TypedDocument<typeof otherOdo>

const write = ({ tx, session, doc }: ActionContext, values: Readonly<Record<string, unknown>>) =>
  patchDocument(tx, session, doc, values, 'withAction')

/** Marks whether the issued goods are to be returned. */
async function noteReturnable(ctx: Context): Promise<OtherOdo> {
  const is_returnable = ['loan', 'exhibition'].includes(String(ctx.doc.odo_type))
  await write(ctx, { is_returnable })
  return { ...ctx.doc, is_returnable }
}

/** Only a manufacturer draws material for production, and issues above the amount limit need an uploaded approval. */
async function refuseIssue(ctx: Context): Promise<void> {
  const { doc, session, settings } = ctx
  if (doc.odo_type === 'produce' && session.org.type !== 'V')
    throw new BusinessError('rule', '生产领料仅限生产厂家', [{ field: 'odo_type', msg: '生产领料仅限生产厂家' }])
  if (compare(doc.taxed_amount, settings.issue_approval_limit as Decimal) > 0 && doc.attachments.length === 0)
    throw new BusinessError('rule', '请上传审批附件', [{ field: 'attachments', msg: '请上传审批附件' }])
}

/** Loaned goods create a draft return receipt for the same lots and pieces. */
async function createReturn({ tx, session, doc }: Context): Promise<void> {
  const header = {
    source_sn: doc.sn,
    source_type: sourceTypes.OTHER_ODO,
    grn_type: doc.odo_type === 'sample' ? 'sample_back' : 'loan_back',
  }
  await createSystemDraft(tx, session, 'otherGrn', header, null)
}

export const otherOdoRules = documentHooks(otherOdo, {
  prepare: { submit: noteReturnable },
  validate: { submit: refuseIssue },
  afterAction: { giveBack: createReturn },
})

const factsOf = ({ tx, session, doc }: ActionContext) =>
  specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: doc.counterparty_sn, direction: 'sell', day: doc.business_date },
  )

const typeOfReceiver = async ({ tx, doc }: ActionContext): Promise<number> => {
  const [row] = await tx<{ system_type: number }[]>`
    select system_type from organisation where id = ${doc.counterparty_sn}`
  return row?.system_type ?? 0
}

/**
 * The deemed sale price of the goods, and the tax on it that the accountant has to check; how the receiver books them.
 */
async function withDeemedTax(ctx: ContextOf<typeof giveOdo>): Promise<TypedDocument<typeof giveOdo>> {
  const { tx, session, definition, doc } = ctx
  const facts = await factsOf(ctx)
  const packs = await packUnits(
    tx,
    doc.lines.flatMap(line => (line.unit_inner_sn ? [line.unit_inner_sn] : [])),
  )
  const lines = doc.lines.map(line => {
    const fact = facts.get(line.specification_sn!)
    const rate = (fact?.tax_rate ?? 0) as TaxRate
    const measure = packs.get(line.unit_inner_sn ?? '')?.base_measure ?? 1
    const price = multiply(fact?.price ?? '0', String(measure), 4)
    const reference_price = divide(multiply(price, '100', 4), String(100 + rate), 4)
    const deemed_tax = splitTax(multiply(price, line.quantity, 2), rate).tax_amount
    return { ...line, reference_price, reference_rate: rate, deemed_tax }
  })
  const given = doc.give_type === 'donation' || doc.give_type === 'trial' ? doc.give_type : ('gift' as const)
  const hospital = (await typeOfReceiver(ctx)) === 1
  const values = {
    deemed_tax: sum(
      lines.map(line => line.deemed_tax),
      2,
    ),
    grn_type: given === 'donation' && !hospital ? ('gift' as const) : given,
  }
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  await write(ctx, values)
  return { ...doc, ...values, lines }
}

/** The earliest expiry date with which goods may be given: the given number of months from now. */
function monthsOn(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(parseInteger) as [number, number, number]
  return new Date(Date.UTC(year, month - 1 + months, date)).toISOString().slice(0, 10)
}

/** Goods close to expiry may not be given to a hospital. */
async function refuseShortLife(ctx: ActionContext): Promise<void> {
  const { doc, settings } = ctx
  if ((await typeOfReceiver(ctx)) !== 1) return
  const until = monthsOn(shelfLifeDay(doc), settings.gift_months_left)
  const old = doc.lines.find(line => line.expiry_date !== null && line.expiry_date < until)
  if (!old) return
  const msg = `第${old.line_no}行：【${old.product_name ?? ''}】批号${old.lot_no ?? ''}有效期至${old.expiry_date}，近效期产品不允许赠送`
  throw new BusinessError('rule', msg, [{ line: old.line_no, field: 'expiry_date', msg }])
}

/** The sale that the goods accompany must be ours, to the same customer. */
async function refuseUnknownSale({ tx, session, doc }: ContextOf<typeof giveOdo>): Promise<void> {
  if (doc.give_type !== 'with_sale' || !doc.sale_sn) return
  const [sale] = await tx`
    select 1 from document where org_id = ${session.org.id} and sn = ${String(doc.sale_sn)}
      and kind = any(${kindsAdding('ordered_here', 'shipped')}) and role = 'own'
      and counterparty_id = ${doc.counterparty_sn} and state in ('reviewed', 'partial', 'completed', 'submitted')`
  if (sale) return
  const msg = `没有找到该单位的销售单${String(doc.sale_sn)}，请关联销售单`
  throw new BusinessError('rule', msg, [{ field: 'sale_sn', msg }])
}

export const giveOdoRules = documentHooks(giveOdo, {
  printFields: shipmentPrint,
  prepare: { submit: withDeemedTax },
  validate: {
    submit: [needsApprovedCustomer, mustBeAuthorised, refuseUnknownSale, refuseShortLife],
    // An authorisation that existed at writing may have ended since.
    review: mustBeAuthorised,
  },
})
