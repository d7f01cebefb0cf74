import type { purchaseGrn } from '#modules/goods/stock/receipts/purchase-grn.doc.ts'
import { patchDocument, type StoredLine, type TypedDocument } from '#server/public/documents.ts'
import type { ActionContext, ContextOf } from '#server/public/hooks.ts'
import { type Decimal, isPositive, least, subtract } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { availableStock } from '#server/public/stock.ts'
import { buildDraft, definitionOf, type LineInput, saveDraft } from '#server/public/drafts.ts'
import { requirePermission } from '#server/public/session.ts'

/** The arrived pieces that are still in the receiving warehouse. */
async function piecesHere({ tx, session, doc }: ActionContext): Promise<Set<string>> {
  const lots = doc.lines.flatMap(line => (line.unit_codes.length > 0 && line.lot_id ? [line.lot_id] : []))
  const rows = await tx<{ code: string }[]>`
    select c.bare as code from unit u join unit_code c on c.lot_id = u.lot_id and c.unit_id = u.id and c.ended is null
     where u.lot_id = any(${lots}::bigint[]) and u.holder_org_id = ${session.org.id}
       and u.warehouse_id = ${doc.warehouse_model_inner_sn} and u.status = 'in_stock'`
  return new Set(rows.map(row => row.code))
}

/** The available quantity of uncoded goods, line by line: two lines of one lot share it. */
async function takeable(ctx: ActionContext): Promise<(line: StoredLine, owner: string) => Decimal> {
  const { tx, session, doc } = ctx
  const specifications = doc.lines.map(line => line.specification_sn!)
  const stock = (await availableStock(tx, session.org.id, doc.warehouse_model_inner_sn!, specifications)).filter(
    balance => balance.quality_state === 'qualified' && balance.is_held !== true && balance.is_contained !== true,
  )
  const left = new Map(stock.map(balance => [balance, balance.available]))
  return (line, owner) => {
    let wanted: Decimal = line.base_quantity
    for (const balance of stock.filter(row => row.lot_id === line.lot_id && row.owner_id === owner)) {
      const rest = left.get(balance)!
      const part = least(wanted, rest)
      if (!isPositive(part)) continue
      left.set(balance, subtract(rest, part, 3))
      wanted = subtract(wanted, part, 3)
    }
    return subtract(line.base_quantity, wanted, 3)
  }
}

/** The goods of the receipt that are still in its warehouse, in base units: exactly those lots and pieces. */
async function stillHere(ctx: ActionContext): Promise<LineInput[]> {
  const { session, doc } = ctx
  const [here, rest] = [await piecesHere(ctx), await takeable(ctx)]
  const owner = doc.regime === 'consigned' ? doc.counterparty_sn! : session.org.id
  return doc.lines.flatMap((line): LineInput[] => {
    const { specification_sn, lot_no } = line
    const goods = { specification_sn, lot_no, owner_org_sn: owner }
    const unit_codes = line.unit_codes.filter(code => here.has(code))
    if (line.unit_codes.length > 0)
      return unit_codes.length > 0 ? [{ ...goods, unit_codes, quantity: String(unit_codes.length) }] : []
    const quantity = rest(line, owner)
    return isPositive(quantity) ? [{ ...goods, quantity }] : []
  })
}

type Onward = {
  readonly kind: string
  readonly nobody: string
  readonly gone: string
  readonly keeps: string
  readonly header: (doc: TypedDocument<typeof purchaseGrn>) => Readonly<Record<string, unknown>>
}

/** The goods still here go into a draft of the follow-up document; the receipt records which. */
const goOn =
  ({ kind, nobody, gone, keeps, header }: Onward) =>
  async (ctx: ContextOf<typeof purchaseGrn>): Promise<void> => {
    const { tx, session, doc } = ctx
    const definition = definitionOf(kind)
    if (!definition.ownerTypes.includes(session.org.type)) throw new BusinessError('rule', nobody)
    requirePermission(session, `${kind}.add`)
    const lines = await stillHere(ctx)
    if (lines.length === 0) throw new BusinessError('rule', `该入库单的货物已不在入库仓库，${gone}`)
    const places = { warehouse_model_inner_sn: doc.warehouse_model_inner_sn, ...header(doc) }
    const draft = await buildDraft(tx, session, definition, places, lines)
    const sn = await saveDraft(tx, session, definition, draft, 'draft', `来自采购入库单${doc.sn}`)
    await patchDocument(tx, session, doc, { [keeps]: sn }, 'withAction')
  }

/** 生成销售出库: to the chosen customer at its sale price. */
export const sellOn = goOn({
  kind: 'saleOdo',
  nobody: '医院没有销售出库',
  gone: '不能生成销售出库',
  keeps: 'sale_sn',
  header: doc => ({ counterparty_sn: doc.sale_customer_sn, regime: 'purchased' }),
})

/** 直接发放: to the ward that is waiting for them. */
export const grantOn = goOn({
  kind: 'grantOdo',
  nobody: '只有医院发放到科室',
  gone: '不能直接发放',
  keeps: 'grant_sn',
  header: doc => ({ to_warehouse_model_inner_sn: doc.grant_to_sn }),
})
