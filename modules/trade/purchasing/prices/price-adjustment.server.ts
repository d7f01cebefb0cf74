import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import {
  ofKind,
  patchDocument,
  replaceLines,
  type StoredLine,
  type TypedDocument,
  type TypedLine,
} from '#server/public/documents.ts'
import { compare, type Decimal, divide, isZero, plain, subtract } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import {
  adjustTypes,
  changesCharge,
  changesPurchase,
  changesSale,
  endsSupply,
  priceAdjustment,
  typeOrgs,
} from '#modules/trade/purchasing/prices/price-adjustment.doc.ts'
import { type Known, knownOf } from '#modules/trade/purchasing/prices/price-context.server.ts'
import { takeBack, writePrices } from '#modules/trade/purchasing/prices/apply-prices.server.ts'
import { type AboveListed, checkListed } from '#modules/trade/pricing/price-cap.server.ts'
import type { RecordRules } from '#server/public/records.ts'

type Context = ContextOf<typeof priceAdjustment>
type PriceAdjustment = TypedDocument<typeof priceAdjustment>
type Line = TypedLine<typeof priceAdjustment>

/** Adds to each new price the current one, the change, and the stock and orders that it affects. */
async function withPrices(ctx: Context): Promise<PriceAdjustment> {
  const { tx, session, definition } = ctx
  const doc = ofKind(priceAdjustment, ctx.doc)
  const known = await knownOf(ctx)
  const lines = doc.lines.map(line => {
    const row = known.find(each => each.specification_id === line.specification_sn)
    const [before, after] =
      changesSale(doc) && !changesPurchase(doc) ? [row?.sale, line.new_sale] : [row?.price, line.new_price]
    const moves = before && after && (changesPurchase(doc) || changesSale(doc))
    const difference = moves ? subtract(after, before, 4) : null
    return {
      ...line,
      old_price: row?.price ?? null,
      old_charge: row?.charge ?? null,
      old_sale: row?.sale ?? null,
      lowest_price: row?.lowest ?? null,
      listed_price: row?.listed ?? null,
      tax_percent: row?.tax_rate ?? null,
      price_difference: difference,
      change_rate: difference !== null && !isZero(before!) ? divide(difference, before!, 4) : null,
      stock_quantity: row?.stock ?? null,
      open_orders: row?.orders ?? null,
    } as unknown as Line
  })
  const moved = (sign: number) =>
    lines.filter(line => line.price_difference && compare(line.price_difference as Decimal, '0') === sign).length
  const values = { risen_count: moved(1), fallen_count: moved(-1), apply_state: null }
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  await patchDocument(tx, session, doc, values, 'withAction')
  return { ...doc, ...values, lines }
}

const nameOf = (line: StoredLine): string => `${line.product_name ?? ''} ${line.specification_name ?? ''}`.trim()

type Adjustment = TypedDocument<typeof priceAdjustment>

/** 挂网价: a new purchase price above the provincial one. */
const aboveListed = (doc: Adjustment, known: readonly Known[]): AboveListed[] =>
  doc.lines.flatMap(line => {
    const listed = known.find(row => row.specification_id === line.specification_sn)?.listed
    if (!listed || !changesPurchase(doc) || compare(line.new_price!, listed) <= 0) return []
    const msg = `第${line.line_no}行：新进价高于挂网价${plain(listed)}，不能保存`
    return [{ specification: line.specification_sn!, problem: { field: 'new_price', line: line.line_no, msg } }]
  })

/**
 * Refuses a type of another kind of organisation, and goods that are not the organisation's, or not that supplier's.
 */
function refuseForeign({ session, doc: stored }: ActionContext, known: readonly Known[]): void {
  const doc = ofKind(priceAdjustment, stored)
  const orgs = (typeOrgs as Readonly<Record<string, string>>)[String(doc.adjust_type)]
  if (orgs !== undefined && !orgs.includes(session.org.type)) {
    const msg = `本机构不能选择调价类型【${adjustTypes[doc.adjust_type!]}】`
    throw new BusinessError('rule', msg, [{ field: 'adjust_type', msg }])
  }
  for (const line of doc.lines) {
    const row = known.find(each => each.specification_id === line.specification_sn)
    const refuse = (field: string, why: string): never => {
      const msg = `第${line.line_no}行：产品【${nameOf(line)}】${why}`
      throw new BusinessError('rule', msg, [{ line: line.line_no, field, msg }])
    }
    if (!row) refuse('specification_sn', session.org.type === 'H' ? '不在医院产品目录中' : '不在经营产品中')
    if (endsSupply(doc) && !row!.is_supplied) refuse('specification_sn', '没有与该供应商的有效价格')
    if (changesSale(doc) && row!.lowest && compare(line.new_sale!, row!.lowest) < 0)
      refuse('new_sale', `销售价不能低于最低限价${plain(row!.lowest)}`)
  }
}

/** 公立医院: patients may not be charged more than the goods cost. */
async function refuseMarkup({ tx, session, doc: stored }: ActionContext): Promise<void> {
  const doc = ofKind(priceAdjustment, stored)
  if (!changesCharge(doc)) return
  const [organisation] = await tx<
    { nature: string | null }[]
  >`select nature from organisation where id = ${session.org.id}`
  const above = doc.lines.find(line => {
    const cost = changesPurchase(doc) ? line.new_price : line.old_price
    return cost && compare(line.new_charge!, cost) > 0
  })
  if (above && organisation?.nature?.startsWith('公立'))
    throw new BusinessError('rule', `第${above.line_no}行：公立医院耗材零差率销售`)
}

async function refuseWrong(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const known = await knownOf(ctx)
  refuseForeign(ctx, known)
  const [open] = await tx<{ sn: string; specification_id: string }[]>`
    select d.sn, l.specification_id from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = 'priceAdjustment' and d.role = 'own' and d.state = 'submitted'
       and d.id <> ${doc.id}
       and l.specification_id = any(${doc.lines.map(line => line.specification_sn!)}::bigint[]) limit 1`
  const twice = open && doc.lines.find(line => line.specification_sn === open.specification_id)
  if (twice) throw new BusinessError('duplicate', `产品【${nameOf(twice)}】存在未审核的调价单（${open.sn}）`)
  await checkListed(ctx, aboveListed(ofKind(priceAdjustment, doc), known))
  await refuseMarkup(ctx)
}

export const priceAdjustmentRules = documentHooks(priceAdjustment, {
  prepare: { submit: withPrices },
  validate: { submit: refuseWrong, review: refuseWrong },
  afterAction: { review: writePrices, cancel: takeBack },
})

export const priceHistoryRules: RecordRules = {
  kind: 'priceHistory',
  readFlag: ['page:/hospital/priceAdjustmentRecords', 'page:/ptm/businessProduct'],
  columns: tx => ({
    product_name: tx`(select p.name from specification s join product p on p.id = s.product_id
      where s.id = t.specification_id)`,
  }),
}
