import { add, compare, type Decimal, isPositive, plain, subtract, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { askedFor, askedStates, inMonth, issuedStates } from '#modules/hospital/ward/quota/quota-use.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { Tx } from '#server/public/database.ts'

/** The rest, or zero where more was taken. */
export const atLeastNothing = (rest: Decimal): Decimal => (isPositive(rest) ? rest : '0')

/** A store's limits for a specification, and the quantity that it requested in the month. */
type Limit = {
  readonly specification_id: string
  readonly month_quota: Decimal | null
  readonly single_limit: Decimal | null
  readonly asked: Decimal
}

/**
 * 月度定额 of 仓库产品: the quantity of a specification that a ward's store may request in a month, the quantity that it
 * requested, and the limit per request. Returns of the month are subtracted; a stopped requisition counts as far as it
 * was issued.
 */
export const limitsOf = (
  tx: Tx,
  org: string,
  { store, day, except }: { readonly store: string; readonly day: string; readonly except: string },
  sizes: readonly (string | null)[],
) => tx<Limit[]>`
  select a.id as specification_id, w.month_quota, w.single_limit,
         ${storeAsked(tx, { store: 'w.warehouse_id', size: 'a.id' }, org, day, except)} as asked
    from unnest(${[...new Set(sizes)]}::bigint[]) a(id)
    left join mapped_size z on z.specification_id = a.id
    join stock_limit w on w.stands_for_id = coalesce(z.stands_for_id, a.id)
   where w.org_id = ${org} and w.warehouse_id = ${store} and (w.month_quota > 0 or w.single_limit > 0)`

/** The quantity of a size that a store requested in the month of a day, less what it gave back. */
export const storeAsked = (
  tx: Tx,
  { store, size }: { readonly store: string; readonly size: string },
  org: string,
  day: string,
  except: string | null,
) => tx`(
  select coalesce(sum(case when d.kind = 'grantReturn' then -l.base_quantity
      else ${askedFor(tx)} end), 0)::numeric(18,3)
    from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
   where d.org_id = ${org} and d.role = 'own' and d.id is distinct from ${except}
     and (d.kind = 'requisition' and d.to_warehouse_id = ${tx(store)}
         and d.state = any(${askedStates})
       or d.kind = 'grantReturn' and d.warehouse_id = ${tx(store)}
         and d.state = any(${issuedStates}))
     and ${inMonth(tx, day)}
     and l.specification_id = any((select same_sizes(${tx(size)}))::bigint[]))`

/** The rest of a monthly quota; null where there is none. */
export const leftOf = ({ month_quota, asked }: Limit): Decimal | null =>
  month_quota !== null && isPositive(month_quota) ? atLeastNothing(subtract(month_quota, asked, 3)) : null

function exceeds(limit: Limit, product: string, quantity: Decimal): string | null {
  const { month_quota, single_limit, asked } = limit
  const left = leftOf(limit)
  if (single_limit !== null && isPositive(single_limit) && compare(quantity, single_limit) > 0)
    return `【${product}】单次申领不能超过${plain(single_limit)}`
  if (left === null || compare(add(asked, quantity, 3), month_quota!) <= 0) return null
  return `本科室${product}本月定额剩余${plain(left)}`
}

/** 月度定额: what a ward's store requests in a month, with this document, against its limit in 仓库产品. */
export async function checkMonthQuota({ tx, session, doc, settings, warnings }: ActionContext): Promise<void> {
  const store = doc.to_warehouse_model_inner_sn
  if (settings.claim_quota === 'off' || !store) return
  const sizes = doc.lines.map(line => line.specification_sn)
  const rows = await limitsOf(tx, session.org.id, { store, day: doc.business_date, except: doc.id }, sizes)
  for (const line of doc.lines) {
    const row = rows.find(each => each.specification_id === line.specification_sn)
    // Two lines of one specification are one request.
    const same = doc.lines.filter(other => other.specification_sn === line.specification_sn)
    const quantity = sum(
      same.map(other => other.base_quantity),
      3,
    )
    const msg = row && line === same[0] ? exceeds(row, line.product_name ?? '', quantity) : null
    if (!msg) continue
    if (settings.claim_quota === 'refuse')
      throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'quantity', msg }])
    warnings.push({ rule: 'claimQuota', line: line.line_no, msg: `${msg}，是否继续？` })
  }
}
