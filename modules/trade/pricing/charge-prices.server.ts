import type { Decimal } from '#kernel/values/decimal.ts'
import { chargePrice, inBand, type Markup } from '#modules/trade/pricing/markup.ts'
import { itemCategoriesOf } from '#server/public/settings.ts'
import type { Tx } from '#server/public/database.ts'

type Rule = Markup & {
  code: string
  scope: 'house' | 'class' | 'single'
  custom_type_id: string | null
  specification_id: string | null
  price_from: Decimal | null
  price_to: Decimal | null
}
type Good = {
  specification_id: string
  name: string
  cost: Decimal
  charge: Decimal | null
  is_collective: boolean
  is_busy: boolean
}

/** Reviewed rules in effect on a day. */
const rulesOn = (tx: Tx, org: string, day: string) => tx<Rule[]>`
  select code, scope, custom_type_id, specification_id, method, price_from, price_to, rate, fixed_amount, cap, rounding
    from markup_rule
   where org_id = ${org} and audit_state = 'passed' and valid_from <= ${day}
     and (valid_to is null or valid_to >= ${day}) order by id`

/** 单品 before 产品分类, the deepest class first, before 全院; goods of volume-based procurement have no rule. */
function ruleFor(
  rules: readonly Rule[],
  classes: readonly { readonly id: string; readonly distance: number }[],
  good: Pick<Good, 'specification_id' | 'cost' | 'is_collective'>,
): Rule | null {
  if (good.is_collective) return null
  const fits = rules.filter(rule => inBand(good.cost, rule.price_from, rule.price_to))
  const single = fits.find(rule => rule.scope === 'single' && rule.specification_id === good.specification_id)
  if (single) return single
  for (const { id } of classes.toSorted((a, b) => a.distance - b.distance)) {
    const found = fits.find(rule => rule.scope === 'class' && rule.custom_type_id === id)
    if (found) return found
  }
  return fits.find(rule => rule.scope === 'house') ?? null
}

/**
 * Chargeable goods of the organisation, or one of them, with today's cost and charge price, and whether an open
 * price document names them.
 */
export const goodsOf = (tx: Tx, org: string, only: string | null) => tx<Good[]>`
  select h.specification_id, p.name || ' ' || s.name as name, h.purchase_price as cost, h.charge_price as charge,
    p.is_collective or h.collective_batch is not null as is_collective,
         exists (select 1 from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
                  where d.org_id = h.org_id and d.kind = 'priceAdjustment' and d.role = 'own'
                    and d.state in ('draft', 'submitted') and l.specification_id = h.specification_id) as is_busy
    from hospital_product h join specification s on s.id = h.specification_id join product p on p.id = s.product_id
   where h.org_id = ${org}
     and (h.specification_id = ${only}
     or (${only}::bigint is null and h.status = 'enabled' and h.admission_state = 'admitted' and h.is_chargeable))
   order by h.specification_id`

/** The charge price of goods by the rules in effect on a day. */
export async function computed(tx: Tx, org: string, day: string, goods: readonly Good[]) {
  const rules = await rulesOn(tx, org, day)
  const classes = await itemCategoriesOf(
    tx,
    org,
    goods.map(good => good.specification_id),
  )
  const of = Map.groupBy(classes, row => row.specification_id)
  return goods.map(good => {
    const rule = ruleFor(rules, of.get(good.specification_id) ?? [], good)
    return { good, rule, charge: chargePrice(good.cost, rule) }
  })
}

/** Newly admitted goods are charged at the price computed by the day's rules. */
export async function chargeAdmitted(tx: Tx, org: string, day: string, admitted: readonly string[]): Promise<void> {
  const goods = (await goodsOf(tx, org, null)).filter(good => admitted.includes(good.specification_id))
  const rows = (await computed(tx, org, day, goods)).map(({ good, charge }) => ({ id: good.specification_id, charge }))
  await tx`
    update hospital_product h set charge_price = k.charge, version = h.version + 1
      from jsonb_to_recordset(${tx.json(rows)}) as k(id bigint, charge numeric)
     where h.org_id = ${org} and h.specification_id = k.id and h.charge_price is null`
}
