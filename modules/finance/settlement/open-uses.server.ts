import { kindsOf } from '#kernel/measure/feeding.ts'
import { today } from '#kernel/values/date.ts'
import { type Decimal, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Period } from '#modules/finance/settlement/period.ts'
import { settlement } from '#modules/finance/settlement/settlement.doc.ts'
import { checkReferences } from '#server/public/documents.ts'
import { completeLines, saveDraft } from '#server/public/drafts.ts'
import type { Session } from '#server/public/session.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

/** Lines that no settlement has yet, and that nobody put off. */
export const waitingStates = ['waiting', 'unpriced'] as const

type Open = {
  owner_id: string
  settlement_type: string
  use_document_id: string
  use_line_no: number
  kind: string
  sn: string
  specification_id: string
  lot_id: string
  lot_no: string
  expiry_date: string | null
  quantity: string
  price: string | null
  tax_rate: number
  amount: Decimal
  unit_codes: string[] | null
  used_on: string
  department_id: string | null
}

/** 结算类型 of a use `d` of a product `p`: what went into an operation, reagents, high-value goods, all other. */
const typeOf = (tx: Tx) => tx`
  case when d.kind = 'surgeryUse' then 'surgery' when p.is_reagent then 'reagent'
    when p.is_high_value then 'high_value' else 'low_value' end`

/** Uses that wait for settlement, as far as `which` says (over `s`); one line per use line. */
export const openUses = (tx: Tx, org: string, which: Fragment): Promise<Open[]> => tx<Open[]>`
  select s.owner_id, ${typeOf(tx)} as settlement_type, s.use_document_id, s.use_line_no, d.kind, d.sn,
         s.specification_id, s.lot_id, t.lot_no, max(k.expiry_date) as expiry_date,
         sum(s.quantity)::numeric(18,3) as quantity, max(s.price) as price, max(s.tax_rate) as tax_rate,
         sum(s.amount)::numeric(18,2) as amount,
         array_agg(s.unit_code order by s.unit_code) filter (where s.unit_code is not null) as unit_codes,
         to_char(min(s.used_at at time zone 'Asia/Shanghai'), 'YYYY-MM-DD') as used_on,
         max(s.department_id) as department_id
    from settlement_line s join document d on d.org_id = s.org_id and d.id = s.use_document_id
    join lot t on t.id = s.lot_id
    join specification z on z.id = s.specification_id join product p on p.id = z.product_id
    left join stock_lot k on k.org_id = s.org_id and k.lot_id = s.lot_id
   where s.org_id = ${org} and s.state = any(${[...waitingStates]}) and ${which}
   group by s.owner_id, settlement_type, s.use_document_id, s.use_line_no, d.kind, d.sn, s.specification_id, s.lot_id,
     t.lot_no
  having sum(s.quantity) <> 0
   order by s.owner_id, settlement_type, min(s.used_at), d.sn, s.use_line_no`

export type Made = {
  readonly sn: string
  readonly line_count: number
  readonly taxed_amount: string
  readonly counterparty_sn: string
  readonly settlement_type: string
}

/** A draft for each supplier and 结算类型 of these uses. */
export async function settleUses(
  tx: Tx,
  session: Session,
  uses: readonly Open[],
  period: Period | null,
): Promise<Made[]> {
  const made: Made[] = []
  for (const group of Map.groupBy(uses, use => `${use.owner_id}/${use.settlement_type}`).values())
    made.push(await settle(tx, session, group, period))
  return made
}

async function settle(tx: Tx, session: Session, uses: readonly Open[], period: Period | null): Promise<Made> {
  const { owner_id: counterparty_sn, settlement_type, kind } = uses[0]!
  const days = uses.map(use => use.used_on).sort()
  const { begin, end } = period ?? { begin: days[0]!, end: days.at(-1)! }
  const rule = settlement.sourcing.sources!.find(source => source.from === kind) ?? settlement.sourcing.sources![0]!
  const header = {
    counterparty_sn,
    settlement_type,
    begin_date: begin,
    end_date: end,
    // A period that is not over yet is settled today.
    business_date: end > today() ? today() : end,
    regime: 'consigned',
    confirm_state: '1',
    source_type: rule.sourceType,
  }
  await checkReferences(tx, session, settlement, header, [])
  const inputs = uses.map(use => ({
    specification_sn: use.specification_id,
    lot_no: use.lot_no,
    lot_id: use.lot_id,
    expiry_date: use.expiry_date,
    unit_codes: use.unit_codes ?? [],
    quantity: use.quantity,
    price: use.price ?? '0',
    tax_rate: use.tax_rate,
    rest_amount: use.amount,
    used_on: use.used_on,
    use_department_inner_sn: use.department_id,
    source_document_id: use.use_document_id,
    source_sn: use.sn,
    source_org_sn: session.org.id,
    source_line_no: use.use_line_no,
  }))
  const lines = await completeLines(tx, session, settlement, header, inputs, 0)
  const sn = await saveDraft(tx, session, settlement, { header, lines, sources: [] }, 'draft')
  const amounts = lines.map(line => line.taxed_amount)
  return { sn, line_count: lines.length, taxed_amount: sum(amounts, 2), counterparty_sn, settlement_type }
}

/** For the choice of source lines: what of the uses of a kind waits for settlement, with its owner. */
export const waitingLines = (tx: Tx, session: Session): Fragment => tx`
  (select s.use_document_id as document_id, s.use_line_no as line_no, s.owner_id as counterparty_id,
          sum(s.quantity)::numeric(18,3) as left, max(s.price) as price, max(s.tax_rate) as tax_rate,
          sum(s.amount)::numeric(18,2) as taxed_amount,
          coalesce(array_agg(s.unit_code order by s.unit_code) filter (where s.unit_code is not null), '{}')
            as unit_codes
     from settlement_line s where s.org_id = ${session.org.id} and s.state = any(${[...waitingStates]})
    group by s.use_document_id, s.use_line_no, s.owner_id having sum(s.quantity) <> 0)`

/** Goods of our own were paid when they came: they are received by 结算入库单 of settlements alone. */
export async function refuseOwnGoods(tx: Tx, session: Session, owner: string, { begin, end }: Period): Promise<void> {
  const [bought] = await tx<{ name: string }[]>`
    select o.name from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
      join organisation o on o.id = ${owner}
     where l.org_id = ${session.org.id} and d.kind = any(${kindsOf('used')}) and d.role = 'own'
       and d.state in ('reviewed', 'partial', 'completed') and d.business_date between ${begin} and ${end}
       and (l.owner_org_id is null or l.owner_org_id = d.org_id)
       and exists (select 1 from document_line r join document g on g.org_id = r.org_id and g.id = r.document_id
         where r.org_id = l.org_id and r.lot_id = l.lot_id and g.kind = 'purchaseGrn' and g.counterparty_id = ${owner}
           and g.regime = 'purchased' and g.state in ('reviewed', 'partial', 'completed')) limit 1`
  if (!bought) return
  throw new BusinessError(
    'rule',
    `【${bought.name}】此期间使用的是买断货物，入库时已计应付，不需结算：请直接按采购入库单登记发票；` +
      '只有寄售货物经结算单和结算入库单结算',
  )
}
