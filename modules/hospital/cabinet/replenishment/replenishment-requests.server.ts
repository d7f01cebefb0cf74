import { add, compare, type Decimal, isPositive, subtract } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** A requisition for this warehouse and specification that is not settled yet: no second one is created beside it. */
export const openRefill = (tx: Tx, org: string, warehouse: Fragment, specification: Fragment): Fragment => tx`
  (select d.sn from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
    where l.org_id = ${org} and l.specification_id = ${specification} and d.kind = 'requisition' and d.role = 'own'
      and d.state in ('draft', 'submitted', 'rejected', 'reviewed', 'partial')
      and d.to_warehouse_id = ${warehouse} order by d.id desc limit 1)`

/** 在途补货: issued to this warehouse and not received yet. */
export const onTheWay = (tx: Tx, org: string, warehouse: Fragment, specification: Fragment): Fragment => tx`
  (select coalesce(sum(l.base_quantity), 0)::numeric(18,3) from document_line l join document d on d.org_id = l.org_id
    and d.id = l.document_id
    where l.org_id = ${org} and l.specification_id = ${specification} and d.kind = 'wardReceipt' and d.role = 'own'
      and d.state = 'submitted' and d.warehouse_id = ${warehouse})`

/**
 * 建议补货量: up to the upper limit, less stock on hand and in transit, once the lower limit is reached; otherwise
 * nothing.
 */
export const proposed = (
  tx: Tx,
  at: { lower: Fragment; upper: Fragment; stock: Fragment; coming: Fragment },
): Fragment => tx`
  (case when ${at.upper} is not null and ${at.stock} <= coalesce(${at.lower}, 0)
    then greatest(${at.upper} - ${at.stock} - ${at.coming}, 0) else 0 end)::numeric(18,3)`

/** One item to be requested. */
export type Wanted = {
  readonly warehouse_id: string
  readonly warehouse_name: string
  readonly department_id: string | null
  readonly source_id: string | null
  readonly specification_id: string
  readonly name: string
  readonly quantity: Decimal
  readonly open_sn: string | null
}

/** One requisition draft per cabinet and supplying warehouse. Goods already being refilled are skipped and listed. */
export async function createRefills(
  tx: Tx,
  session: Session,
  wanted: readonly Wanted[],
  remark: string,
): Promise<string> {
  const open = wanted.filter(one => one.open_sn !== null)
  const fresh = wanted.filter(one => one.open_sn === null && isPositive(one.quantity))
  const skipped = [...new Set(open.map(one => `${one.name}（${one.open_sn}）`))].join('、')
  if (fresh.length === 0)
    throw new BusinessError('rule', skipped === '' ? '没有需要补货的货格' : `已有未完成的补货申领：${skipped}`)
  const nowhere = fresh.find(one => one.source_id === null)
  if (nowhere)
    throw new BusinessError('rule', `【${nowhere.warehouse_name}】没有上级仓库，请在仓库建模中维护或选择补货来源仓库`)
  const docs: string[] = []
  for (const rows of Map.groupBy(fresh, one => `${one.warehouse_id}/${one.source_id}`).values()) {
    const [first] = rows
    docs.push(
      await createSystemDraft(
        tx,
        session,
        'requisition',
        {
          claim_type: 'refill',
          warehouse_model_inner_sn: first!.source_id,
          to_warehouse_model_inner_sn: first!.warehouse_id,
          department_inner_sn: first!.department_id,
          remark,
        },
        oncePerSpecification(rows),
      ),
    )
  }
  return `已生成补货申领${docs.join('、')}${skipped === '' ? '' : `；已跳过补货中的${skipped}`}`
}

/** Two slots of one specification become one line. */
function oncePerSpecification(rows: readonly Wanted[]) {
  return [...Map.groupBy(rows, row => row.specification_id)].map(([specification_sn, same]) => ({
    specification_sn,
    quantity: same.reduce<Decimal>((sum, row) => add(sum, row.quantity, 3), '0'),
  }))
}

/** The quantity missing to the upper limit, never below zero. */
export function missingTo(upper: Decimal | null, stock: Decimal, coming: Decimal): Decimal {
  if (upper === null) return '0'
  const held = add(stock, coming, 3)
  return compare(upper, held) > 0 ? subtract(upper, held, 3) : '0'
}
