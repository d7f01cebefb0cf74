import type { ActionContext, ContextOf } from '#server/public/hooks.ts'
import { addDays, today } from '#kernel/values/date.ts'
import { type Decimal, divide, isZero, subtract } from '#kernel/values/decimal.ts'
import {
  changesCharge,
  changesPurchase,
  changesSale,
  endsSupply,
  priceAdjustment,
} from '#modules/trade/purchasing/prices/price-adjustment.doc.ts'
import { type Known, knownOf } from '#modules/trade/purchasing/prices/price-context.server.ts'
import { rewriteOrders } from '#modules/trade/purchasing/prices/order-repricing.server.ts'
import { ofKind, patchDocument, patchDocuments, type TypedDocument } from '#server/public/documents.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import { type Session, systemSession } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import type { Sql } from 'postgres'

type Context = ContextOf<typeof priceAdjustment>

/** (new − old) / old; null if there was no price before. */
const rateOf = (before: Decimal | null, after: Decimal): Decimal | null =>
  before && !isZero(before) ? divide(subtract(after, before, 4), before, 4) : null

type Adjustment = TypedDocument<typeof priceAdjustment>

type Written = {
  readonly specification_id: string | null
  readonly supplier_id: string | null
  readonly price_kind: 'purchase' | 'charge' | 'sale'
  readonly old_price: unknown
  readonly new_price: unknown
  readonly change_rate: unknown
}

/** The history entry of a line; the end of a supplier's price has no new price. */
function rowsOf(doc: Adjustment, line: Adjustment['lines'][number], row: Known | undefined): Written[] {
  const base = {
    specification_id: line.specification_sn,
    supplier_id: doc.counterparty_sn ?? row?.supplier_id ?? null,
    change_rate: null,
  }
  const kinds: Written[] = []
  if (changesPurchase(doc))
    kinds.push({
      ...base,
      price_kind: 'purchase',
      old_price: line.old_price,
      new_price: line.new_price,
      change_rate: line.change_rate,
    })
  if (endsSupply(doc)) kinds.push({ ...base, price_kind: 'purchase', old_price: line.old_price, new_price: null })
  if (changesCharge(doc))
    kinds.push({ ...base, price_kind: 'charge', old_price: line.old_charge, new_price: line.new_charge })
  if (changesSale(doc))
    kinds.push({
      ...base,
      price_kind: 'sale',
      old_price: line.old_sale,
      new_price: line.new_sale,
      change_rate: rateOf(line.old_sale as Decimal | null, line.new_sale as Decimal),
    })
  return kinds
}

const asSet = (tx: Tx, rows: readonly Written[]) =>
  tx`jsonb_to_recordset(${tx.json(rows)}) as k(specification_id bigint, price_kind text,
    supplier_id bigint, old_price numeric, new_price numeric, change_rate numeric)`

/** The agreement with the supplier ends on the day before; if the supply ends, future agreements end, too. */
const endAgreed = ({ tx, session, doc }: ActionContext, rows: readonly Written[], from: string) => tx`
  update price_agreement g set was_valid_to = g.valid_to, valid_to = ${addDays(from, -1)}, ended_by_id = ${doc.id},
    version = g.version + 1
    from ${asSet(tx, rows)}
   where g.org_id = ${session.org.id} and g.buyer_id = ${session.org.id} and g.seller_id = k.supplier_id
     and g.specification_id = k.specification_id and g.status = 'enabled'
     and (g.valid_from < ${from}::date or k.new_price is null) and (g.valid_to is null or g.valid_to >= ${from}::date)`

/** A hospital's new purchase price is agreed with its supplier from that day on, under the contract of the old one. */
async function agree(ctx: Context, rows: readonly Written[], from: string): Promise<void> {
  const { tx, session, doc } = ctx
  const org = session.org.id
  await endAgreed(ctx, rows, from)
  const type = doc.adjust_reason === 'collective' ? 'volume' : 'agreed'
  await tx`
    insert into price_agreement (org_id, seller_id, buyer_id, specification_id, price, tax_rate, price_type,
      valid_from, document_id, contract_no)
    select d.org_id, k.supplier_id, d.org_id, k.specification_id, k.new_price, coalesce(h.tax_rate, 13), ${type},
      ${from}::date, d.id, coalesce(before.contract_no, ${(doc.policy_no as string | null) ?? null})
      from document d cross join ${asSet(tx, rows)}
      left join lateral (
        select case when c.kind = 'priceRegistration' then coalesce(nullif(c.fields ->> 'contract_no', ''), c.sn)
          else g.contract_no end as contract_no
          from price_agreement g left join document c on c.org_id = g.org_id and c.id = g.document_id
         where g.org_id = ${org} and g.buyer_id = ${org} and g.seller_id = k.supplier_id
           and g.specification_id = k.specification_id and g.ended_by_id = d.id
         order by g.valid_from desc limit 1) before on true
      left join hospital_product h on h.org_id = d.org_id and h.specification_id = k.specification_id
     where d.org_id = ${org} and d.id = ${doc.id} and k.new_price is not null
    on conflict (org_id, seller_id, buyer_id, specification_id, price_type, valid_from)
      do update set price = excluded.price, status = 'enabled', valid_to = null, document_id = excluded.document_id,
        version = price_agreement.version + 1`
}

/**
 * The new prices are in the history from their effective date. For a hospital they are agreed with the supplier as
 * well; for a dealer or manufacturer they are the general prices, and prices agreed with a partner take precedence.
 */
export async function writePrices(ctx: Context): Promise<void> {
  const { tx, session } = ctx
  const doc = ofKind(priceAdjustment, ctx.doc)
  const from = String(doc.effective_on)
  const known = await knownOf(ctx)
  const rows = doc.lines.flatMap(line =>
    rowsOf(
      doc,
      line,
      known.find(each => each.specification_id === line.specification_sn),
    ),
  )
  await tx`
    insert into price_history (org_id, specification_id, price_kind, supplier_id, old_price, new_price, change_rate,
      valid_from, adjust_reason, document_id, document_sn, changed_by)
    select d.org_id, k.specification_id, k.price_kind, k.supplier_id, k.old_price, k.new_price, k.change_rate,
      ${from}::date, ${String(doc.adjust_reason)}, d.id, d.sn, ${session.userName}
      from document d cross join ${asSet(tx, rows)}
     where d.org_id = ${session.org.id} and d.id = ${doc.id}`
  if (session.org.type === 'H')
    await agree(
      ctx,
      rows.filter(row => row.price_kind === 'purchase' && row.supplier_id !== null),
      from,
    )
  await patchDocument(tx, session, doc, { apply_state: '1' }, 'withAction')
  await applyDue(tx, session)
}

/** A price not yet in effect is removed: the history drops it, and the price that it would have ended continues. */
export async function takeBack({ tx, session, doc }: ActionContext): Promise<void> {
  const org = session.org.id
  if (doc.state !== 'reviewed') return
  await tx`delete from price_history where org_id = ${org} and document_id = ${doc.id} and applied_at is null`
  await tx`update price_agreement set status = 'disabled', version = version + 1
    where org_id = ${org} and document_id = ${doc.id}`
  await tx`
    update price_agreement set valid_to = was_valid_to, was_valid_to = null, ended_by_id = null, version = version + 1
      where org_id = ${org} and ended_by_id = ${doc.id}`
}

/** The newest price of each kind among history rows taking effect. */
const newest = (tx: Tx, org: string, ids: readonly string[]) => {
  const of = (kind: string) =>
    tx`(array_agg(new_price order by valid_from desc, id desc) filter (where price_kind = ${kind}
      and new_price is not null))[1]`
  return tx`
    (select specification_id, ${of('purchase')} as purchase, ${of('charge')} as charge, ${of('sale')} as sale
       from price_history where org_id = ${org} and id = any(${ids as string[]}::bigint[]) group by 1) n`
}

/**
 * A supplier that ended its supply no longer comes first: another supplier with a price does, at its price; otherwise
 * none.
 */
const leaveSuppliers = (tx: Tx, org: string, ids: readonly string[]) => tx`
  update hospital_product h set supplier_id = n.seller_id, purchase_price = coalesce(n.price, h.purchase_price),
    version = h.version + 1
    from (select e.specification_id, e.supplier_id, g.seller_id, g.price
            from price_history e
            left join lateral (select a.seller_id, a.price::numeric as price from price_agreement a
                                where a.org_id = ${org} and a.buyer_id = ${org}
                                  and a.specification_id = e.specification_id and a.seller_id <> e.supplier_id
                                  and a.status = 'enabled'
                                  and a.valid_from <= ${today()} and (a.valid_to is null or a.valid_to >= ${today()})
                                order by array_position(array['volume', 'awarded', 'agreed', 'temporary'],
                                  a.price_type), a.price, a.seller_id limit 1) g on true
           where e.org_id = ${org} and e.id = any(${ids as string[]}::bigint[]) and e.price_kind = 'purchase'
             and e.new_price is null) n
   where h.org_id = ${org} and h.specification_id = n.specification_id and h.supplier_id = n.supplier_id`

/**
 * Prices whose effective date has come are written to the organisation's catalogue, and to its open orders if the
 * document says so.
 */
async function applyDue(tx: Tx, session: Session): Promise<void> {
  const org = session.org.id
  const due = await tx<{ id: string; document_id: string }[]>`
    update price_history set applied_at = posting_now() where org_id = ${org} and applied_at is null
      and valid_from <= ${today()} returning id, document_id`
  if (due.length === 0) return
  const ids = due.map(row => row.id)
  if (session.org.type === 'H') {
    await tx`
      update hospital_product h set purchase_price = coalesce(n.purchase, h.purchase_price),
        charge_price = coalesce(n.charge, h.charge_price), version = h.version + 1
        from ${newest(tx, org, ids)} where h.org_id = ${org} and h.specification_id = n.specification_id`
    await leaveSuppliers(tx, org, ids)
  } else
    await tx`
      update dealer_product e set purchase_price = coalesce(n.purchase, e.purchase_price),
        sale_price = coalesce(n.sale, e.sale_price), version = e.version + 1
        from ${newest(tx, org, ids)} where e.org_id = ${org} and e.specification_id = n.specification_id`
  const begun = await tx<{ id: string; kind: string }[]>`
    select id, kind from document where org_id = ${org} and id = any(${due.map(row => row.document_id)}::bigint[])`
  for (const [kind, docs] of Map.groupBy(begun, doc => doc.kind)) {
    const patches = docs.map(({ id }) => ({ id, values: { apply_state: '2' } }))
    await patchDocuments(tx, session, kind, patches, 'version')
  }
  if (session.org.type === 'H') await rewriteOrders(tx, session, ids)
}

/** Every organisation with prices that begin today. */
export async function applyPrices(owner: Sql): Promise<void> {
  const due = await owner<
    { org_id: string }[]
  >`select distinct org_id from price_history where applied_at is null and valid_from <= ${today()}`
  for (const { org_id } of due) {
    const organisation = systemSession((await systemSessionOf(owner, org_id)).org)
    await inOrganisation(owner, org_id, '0', tx => applyDue(tx, organisation))
  }
}
