import { addDays, today } from '#kernel/day.ts'
import { compare, type Decimal, divide, isZero, subtract } from '#kernel/decimal.ts'
import { Refusal } from '#kernel/refusal.ts'
import { changesCharge, changesPurchase } from '#modules/purchasing/price-adjustment.doc.ts'
import { type AboveListed, judgeListed } from '#modules/listed-price.server.ts'
import { rewriteOrders } from '#modules/purchasing/rewritten-orders.server.ts'
import type { Acting, DocumentRules } from '#server/engine/documents/acting.ts'
import type { StoredDoc, StoredLine } from '#server/engine/documents/stored.ts'
import { replaceLines } from '#server/engine/documents/write.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'
import { sessionOf } from '#server/engine/organisations.ts'
import { type Session, systemSession } from '#server/engine/session.ts'
import { inOrg, type Tx } from '#server/engine/transaction.ts'
import type { JSONValue, Sql } from 'postgres'

type Known = {
  specification_id: string
  supplier_id: string | null
  price: Decimal
  charge: Decimal | null
  stock: Decimal
  orders: number
  listed: Decimal | null
  tax_rate: number
}

/** What holds today of the models of a paper: prices, stock and orders that are not executed. */
const knownOf = ({ tx, session, doc }: Acting) => tx<Known[]>`
  select h.specification_id, h.supplier_id, coalesce(a.price, h.purchase_price) as price, h.charge_price as charge, h.listed_price as listed, h.tax_rate,
         (select coalesce(sum(b.quantity), 0)::numeric(18,3) from stock_balance b where b.org_id = h.org_id and b.specification_id = h.specification_id) as stock,
         (select count(distinct d.id)::int from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
           where d.org_id = h.org_id and d.kind = 'purchaseOrder' and d.role = 'own' and d.state in ('reviewed', 'partial') and l.specification_id = h.specification_id) as orders
    from hospital_product h
    left join lateral (
      select g.price from price_agreement g where g.org_id = h.org_id and g.buyer_id = h.org_id and g.seller_id = coalesce(${doc.counterparty_sn}, h.supplier_id) and g.specification_id = h.specification_id
         and g.status = 'enabled' and g.valid_from <= ${today()} and (g.valid_to is null or g.valid_to >= ${today()})
       order by array_position(array['volume', 'awarded', 'agreed', 'temporary'], g.price_type), g.valid_from desc limit 1) a on true
   where h.org_id = ${session.org.id} and h.status = 'enabled' and h.specification_id = any(${doc.lines.map(line => line.specification_sn!)}::bigint[])`

/** Beside each new price the one of today, by how much it changes, and what it concerns. */
async function withPrices(acting: Acting): Promise<StoredDoc> {
  const { tx, session, definition, doc } = acting
  const known = await knownOf(acting)
  const lines = doc.lines.map(line => {
    const row = known.find(each => each.specification_id === line.specification_sn)
    const next = line.new_price as Decimal | null | undefined
    const difference = row && next && changesPurchase(doc) ? subtract(next, row.price, 4) : null
    return {
      ...line,
      old_price: row?.price ?? null,
      old_charge: row?.charge ?? null,
      listed_price: row?.listed ?? null,
      tax_percent: row?.tax_rate ?? null,
      price_difference: difference,
      change_rate: difference !== null && !isZero(row!.price) ? divide(difference, row!.price, 4) : null,
      stock_quantity: row?.stock ?? null,
      open_orders: row?.orders ?? null,
    } as unknown as StoredLine
  })
  const moved = (sign: number) =>
    lines.filter(line => line.price_difference && compare(line.price_difference as Decimal, '0') === sign).length
  const values = { risen_count: moved(1), fallen_count: moved(-1), apply_state: null }
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  await tx`update document set fields = fields || ${tx.json(values)} where org_id = ${session.org.id} and id = ${doc.id}`
  return { ...doc, ...values, lines }
}

const nameOf = (line: StoredLine): string => `${line.product_name ?? ''} ${line.specification_name ?? ''}`.trim()

/** 挂网价: a new purchase price above that of the province. */
const aboveListed = (doc: StoredDoc, known: readonly Known[]): AboveListed[] =>
  doc.lines.flatMap(line => {
    const listed = known.find(row => row.specification_id === line.specification_sn)?.listed
    if (!listed || !changesPurchase(doc) || compare(line.new_price as Decimal, listed) <= 0) return []
    const msg = `第${line.line_no}行：新进价高于挂网价${Number(listed)}，不能保存`
    return [{ specification: line.specification_sn!, problem: { field: 'new_price', line: line.line_no, msg } }]
  })

async function refuseWrong(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  const known = await knownOf(acting)
  const stranger = doc.lines.find(line => !known.some(row => row.specification_id === line.specification_sn))
  if (stranger) throw new Refusal('rule', `第${stranger.line_no}行：产品【${nameOf(stranger)}】不在医院产品目录中`)
  const [open] = await tx<{ sn: string; specification_id: string }[]>`
    select d.sn, l.specification_id from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = 'priceAdjustment' and d.role = 'own' and d.state = 'submitted' and d.id <> ${doc.id}
       and l.specification_id = any(${doc.lines.map(line => line.specification_sn!)}::bigint[]) limit 1`
  const twice = open && doc.lines.find(line => line.specification_sn === open.specification_id)
  if (twice) throw new Refusal('duplicate', `产品【${nameOf(twice)}】存在未审核的调价单（${open.sn}）`)
  await judgeListed(acting, aboveListed(doc, known))
  if (!changesCharge(doc)) return
  const [house] = await tx<{ nature: string | null }[]>`select nature from organisation where id = ${session.org.id}`
  const above = doc.lines.find(line => {
    const cost = changesPurchase(doc) ? (line.new_price as Decimal) : (line.old_price as Decimal | null)
    return cost && compare(line.new_charge as Decimal, cost) > 0
  })
  if (above && house?.nature?.startsWith('公立'))
    throw new Refusal('rule', `第${above.line_no}行：公立医院耗材零差率销售`)
}

/** The new prices stand in the history from their day on; what was agreed with the supplier ends on the day before. */
async function writePrices(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  const org = session.org.id
  const from = String(doc.effective_on)
  const known = await knownOf(acting)
  const rows = doc.lines.flatMap(line => {
    const row = known.find(each => each.specification_id === line.specification_sn)
    const supplier_id = doc.counterparty_sn ?? row?.supplier_id ?? null
    const base = { specification_id: line.specification_sn, supplier_id }
    return [
      ...(changesPurchase(doc)
        ? [
            {
              ...base,
              price_kind: 'purchase',
              old_price: line.old_price,
              new_price: line.new_price,
              change_rate: line.change_rate,
            },
          ]
        : []),
      ...(changesCharge(doc)
        ? [{ ...base, price_kind: 'charge', old_price: line.old_charge, new_price: line.new_charge, change_rate: null }]
        : []),
    ]
  })
  await tx`
    insert into price_history (org_id, specification_id, price_kind, supplier_id, old_price, new_price, change_rate, valid_from, adjust_reason, document_id, document_sn, changed_by)
    select d.org_id, k.specification_id, k.price_kind, k.supplier_id, k.old_price, k.new_price, k.change_rate, ${from}::date, ${String(doc.adjust_reason)}, d.id, d.sn, ${session.userName}
      from document d cross join jsonb_to_recordset(${tx.json(rows as unknown as JSONValue)}) as k(specification_id bigint, price_kind text, supplier_id bigint, old_price numeric, new_price numeric, change_rate numeric)
     where d.org_id = ${org} and d.id = ${doc.id}`
  const agreed = rows.filter(row => row.price_kind === 'purchase' && row.supplier_id !== null)
  await tx`
    update price_agreement g set was_valid_to = g.valid_to, valid_to = ${addDays(from, -1)}, ended_by_id = ${doc.id}, version = g.version + 1
      from jsonb_to_recordset(${tx.json(agreed as unknown as JSONValue)}) as k(specification_id bigint, supplier_id bigint)
     where g.org_id = ${org} and g.buyer_id = ${org} and g.seller_id = k.supplier_id and g.specification_id = k.specification_id and g.status = 'enabled'
       and g.valid_from < ${from}::date and (g.valid_to is null or g.valid_to >= ${from}::date)`
  const type = doc.adjust_reason === 'collective' ? 'volume' : 'agreed'
  await tx`
    insert into price_agreement (org_id, seller_id, buyer_id, specification_id, price, tax_rate, price_type, valid_from, document_id, contract_no)
    select d.org_id, k.supplier_id, d.org_id, k.specification_id, k.new_price, coalesce(h.tax_rate, 13), ${type}, ${from}::date, d.id, ${(doc.policy_no as string | null) ?? null}
      from document d cross join jsonb_to_recordset(${tx.json(agreed as unknown as JSONValue)}) as k(specification_id bigint, supplier_id bigint, new_price numeric)
      left join hospital_product h on h.org_id = d.org_id and h.specification_id = k.specification_id
     where d.org_id = ${org} and d.id = ${doc.id}
    on conflict (org_id, seller_id, buyer_id, specification_id, price_type, valid_from)
      do update set price = excluded.price, status = 'enabled', valid_to = null, document_id = excluded.document_id, version = price_agreement.version + 1`
  await tx`update document set fields = fields || '{"apply_state": "1"}' where org_id = ${org} and id = ${doc.id}`
  await applyDue(tx, session)
}

/** Not begun, it never was: the history forgets it and what it would have ended holds on. */
async function takeBack({ tx, session, doc }: Acting): Promise<void> {
  const org = session.org.id
  if (doc.state !== 'reviewed') return
  await tx`delete from price_history where org_id = ${org} and document_id = ${doc.id} and applied_at is null`
  await tx`update price_agreement set status = 'disabled', version = version + 1 where org_id = ${org} and document_id = ${doc.id}`
  await tx`
    update price_agreement set valid_to = was_valid_to, was_valid_to = null, ended_by_id = null, version = version + 1 where org_id = ${org} and ended_by_id = ${doc.id}`
}

/** Prices whose day has come stand in the catalogue of the house, and in its open orders where the paper says so. */
async function applyDue(tx: Tx, session: Session): Promise<void> {
  const org = session.org.id
  const due = await tx<{ id: string; document_id: string }[]>`
    update price_history set applied_at = posting_now() where org_id = ${org} and applied_at is null and valid_from <= ${today()} returning id, document_id`
  if (due.length === 0) return
  const ids = due.map(row => row.id)
  await tx`
    update hospital_product h set purchase_price = coalesce(n.purchase, h.purchase_price), charge_price = coalesce(n.charge, h.charge_price), version = h.version + 1
      from (select specification_id, (array_agg(new_price order by valid_from desc, id desc) filter (where price_kind = 'purchase'))[1] as purchase,
                   (array_agg(new_price order by valid_from desc, id desc) filter (where price_kind = 'charge'))[1] as charge
              from price_history where org_id = ${org} and id = any(${ids}::bigint[]) group by 1) n
     where h.org_id = ${org} and h.specification_id = n.specification_id`
  await tx`
    update document set fields = fields || '{"apply_state": "2"}', version = version + 1 where org_id = ${org} and id = any(${due.map(row => row.document_id)}::bigint[])`
  await rewriteOrders(tx, session, ids)
}

export const priceAdjustmentRules: DocumentRules = {
  kind: 'priceAdjustment',
  prepare: { submit: withPrices },
  before: { submit: refuseWrong, review: refuseWrong },
  after: { review: writePrices, cancel: takeBack },
}

/** Every house whose prices begin today. */
export async function applyPrices(owner: Sql): Promise<void> {
  const due = await owner<
    { org_id: string }[]
  >`select distinct org_id from price_history where applied_at is null and valid_from <= ${today()}`
  for (const { org_id } of due) {
    const house = systemSession((await sessionOf(owner, org_id)).org)
    await inOrg(owner, org_id, '0', tx => applyDue(tx, house))
  }
}

export const priceHistoryRules: RecordRules = {
  kind: 'priceHistory',
  readFlag: 'page:/hospital/priceAdjustmentRecords',
  columns: tx => ({
    product_name: tx`(select p.name from specification s join product p on p.id = s.product_id where s.id = t.specification_id)`,
  }),
}
