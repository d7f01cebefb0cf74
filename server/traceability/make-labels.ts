import { canonicalCode } from '#kernel/codes/canonical-code.ts'
import { compare, type Decimal, subtract, wholePieces } from '#kernel/values/decimal.ts'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Session } from '#server/access/session.ts'
import { MOST_LABELS } from '#server/traceability/units-on-hand.ts'
import { labelKind } from '#server/traceability/labels.ts'
import { nextLabelJob, nextUnitCodes } from '#server/ledger/serial-numbers.ts'
import type { Tx } from '#server/database/transaction.ts'
import { createSerials, type TraceRow, type UnitState, unborn, writeTrace } from '#server/ledger/trace.ts'

/** Goods in a store that may get labels. `loose`: how many base units have none yet. */
export type Loose = {
  readonly balance_sn: string
  readonly warehouse_model_inner_sn: string
  readonly warehouse_name: string
  readonly location: string
  readonly specification_sn: string
  readonly product_name: string
  readonly specification_name: string
  readonly unit_name: string
  readonly lot_id: string
  readonly lot_no: string
  readonly expiry_date: string | null
  readonly owner_sn: string
  readonly quantity: Decimal
  readonly loose: number
}
type Source = {
  readonly source_sn: string
  readonly warehouse: string
  readonly lines: readonly { lot: string; quantity: Decimal }[]
}

/** A receipt of the organisation in effect, by its number: which lots it brought, how much of each. */
async function receiptOf(tx: Tx, session: Session, sn: string): Promise<Source> {
  const rows = await tx<{ warehouse: string | null; state: string; lot: string; quantity: Decimal; moved: boolean }[]>`
    select d.warehouse_id as warehouse, d.state, l.lot_id as lot, sum(l.base_quantity)::numeric(18,3) as quantity,
           exists (select 1 from stock_move m where m.org_id = d.org_id and m.document_id = d.id
             and m.warehouse_id = d.warehouse_id and m.quantity > 0) as moved
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.sn = ${sn} and d.role = 'own' and l.lot_id is not null group by 1, 2, 3,
       d.org_id, d.id order by l.lot_id`
  const first = rows[0]
  if (!first) throw new BusinessError('notFound', `入库单${sn}不存在或已被删除，请核对单号`)
  if (!first.moved || first.warehouse === null || ['draft', 'submitted', 'cancelled', 'reversed'].includes(first.state))
    throw new BusinessError('rule', `单据${sn}还没有入库，不能生成标签`)
  return { source_sn: sn, warehouse: first.warehouse, lines: rows }
}

/** Quantities that already got labels, by lot. */
async function labelledOf(tx: Tx, session: Session, source: string): Promise<Map<string, number>> {
  const rows = await tx<{ lot_id: string; n: number }[]>`
    select lot_id, count(*)::int as n from issued_label where org_id = ${session.org.id} and source_sn = ${source}
      and ended_at is null group by 1`
  return new Map(rows.map(row => [row.lot_id, row.n]))
}

type Where = { readonly warehouse?: string; readonly lots?: readonly string[]; readonly keys?: readonly string[] }

async function unserialisedStock(tx: Tx, session: Session, where: Where): Promise<Loose[]> {
  const rows = await tx<(Loose & { named: number; whole: Decimal })[]>`
    select b.id as balance_sn, b.warehouse_id as warehouse_model_inner_sn, w.name as warehouse_name, b.location,
      b.specification_id as specification_sn, p.name as product_name, s.name as specification_name, s.unit_name,
           b.lot_id, b.lot_no, b.expiry_date, b.owner_org_id as owner_sn, b.quantity,
           (sum(b.quantity) over (partition by b.warehouse_id, b.lot_id, b.owner_org_id))::numeric(18,3) as whole,
           (select coalesce(ceil(sum(u.quantity)), 0)::int from unit u
             where u.lot_id = b.lot_id and u.id > 0 and u.status = 'in_stock'
             and u.holder_org_id = b.org_id and u.warehouse_id = b.warehouse_id
             and u.owner_id = b.owner_org_id) as named
      from stock_on_hand b join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id
        join specification s on s.id = b.specification_id join product p on p.id = s.product_id
     where b.org_id = ${session.org.id} and b.warehouse_model not in ('transit', 'consumed')
       ${session.warehouses === 'all' ? tx`` : tx`and b.warehouse_id = any(${[...session.warehouses]}::bigint[])`}
       ${where.warehouse ? tx`and b.warehouse_id = ${where.warehouse}` : tx``}
       ${where.lots ? tx`and b.lot_id = any(${where.lots as string[]}::bigint[])` : tx``}
       ${where.keys ? tx`and b.id = any(${where.keys as string[]})` : tx``}
     order by p.name, s.name, b.expiry_date, b.lot_no, b.id limit 500`
  return rows.map(({ whole, named, ...row }) => {
    const free = subtract(whole, String(named), 3)
    const most = wholePieces(compare(free, row.quantity) < 0 ? free : row.quantity)
    return { ...row, loose: Math.max(0, most) }
  })
}

/** Goods of a receipt that may get labels: received, still uncoded, and without labels so far. */
async function looseOf(tx: Tx, session: Session, sn: string): Promise<Loose[]> {
  const source = await receiptOf(tx, session, sn)
  const done = await labelledOf(tx, session, sn)
  const rows = await unserialisedStock(tx, session, {
    warehouse: source.warehouse,
    lots: source.lines.map(line => line.lot),
  })
  return rows.map(row => {
    const brought = wholePieces(source.lines.find(line => line.lot === row.lot_id)?.quantity ?? '0')
    return { ...row, loose: Math.min(row.loose, Math.max(0, brought - (done.get(row.lot_id) ?? 0))) }
  })
}

/** The number of labels for each of the goods: the requested number, or the uncoded quantity; never more. */
function countsOf(goods: readonly Loose[], asked: number | null): { row: Loose; count: number }[] {
  const short = asked === null ? undefined : goods.find(row => row.loose < asked)
  if (short)
    throw new BusinessError('rule', `【${short.product_name}】批号${short.lot_no}可生成标签数量为${short.loose}`)
  const counts = goods.map(row => ({ row, count: asked ?? row.loose })).filter(({ count }) => count > 0)
  if (counts.length === 0) throw new BusinessError('rule', '可生成标签数量为0：都已贴码或已出库')
  if (counts.reduce((sum, { count }) => sum + count, 0) > MOST_LABELS)
    throw new BusinessError('rule', `一次最多生成${MOST_LABELS}张标签，请减少勾选或填写张数`)
  return counts
}

/** The state of a piece that gets its first code at its location. */
const inStockState = (session: Session, row: Loose): UnitState => ({
  ...unborn,
  status: 'in_stock',
  holder_org_id: session.org.id,
  warehouse_id: row.warehouse_model_inner_sn,
  store: row.warehouse_name,
  place: row.location,
  owner_id: row.owner_sn,
})

/** The event that assigns the code: until now the piece was among the uncoded ones of its lot. */
function birth(session: Session, row: Loose, unit: { lot_id: string; unit_id: string }, line: number): TraceRow {
  const end = { org: session.org.id, place: row.warehouse_name }
  return {
    line_no: line,
    step: 'relabel',
    ...unit,
    quantity: '1.000' as Decimal,
    from: { ...end, warehouse: null },
    to: { ...end, warehouse: row.warehouse_model_inner_sn },
    before: unborn,
    after: inStockState(session, row),
    born: true,
  }
}

/** Goods of a receipt, or balances; `cause` is the document for which balances get codes. */
type Wanted = { readonly source: string } | { readonly balances: readonly string[]; readonly cause?: string }

/**
 * 生成标签: uncoded pieces in stock get codes of the organisation, as many as are uncoded and no more. `count`: how many
 * of each lot; null: all of them.
 */
export async function makeLabels(
  tx: Tx,
  session: Session,
  wanted: Wanted,
  count: number | null,
  /** Codes that the pieces bear already, one each; without them the organisation gives its own. */
  given: readonly string[] | null = null,
): Promise<{ said: string; job_sn: string; units: readonly string[]; codes: readonly string[] }> {
  const source = 'source' in wanted ? wanted.source : (wanted.cause ?? null)
  const read = () =>
    'source' in wanted ? looseOf(tx, session, wanted.source) : unserialisedStock(tx, session, { keys: wanted.balances })
  const keys = (await read()).map(row => row.balance_sn)
  // Concurrent issues from these balances wait, and count the new pieces.
  await tx`
    select 1 from stock_balance b where b.org_id = ${session.org.id}
       and concat_ws('-', b.warehouse_id, b.specification_id, b.lot_id, b.owner_id, b.quality_state,
         b.location) = any(${keys})
       and b.lot_id = any(${keys.map(key => key.split('-')[2]!)}::bigint[])
     order by b.warehouse_id, b.location, b.specification_id, b.lot_id, b.owner_id, b.quality_state for update of b`
  const goods = await read()
  if ('balances' in wanted && goods.length < wanted.balances.length)
    throw new BusinessError('notFound', '库存已变化，请刷新后重新勾选')
  const rows = countsOf(goods, count)
  const total = rows.reduce((sum, each) => sum + each.count, 0)
  const named = given?.map(code => canonicalCode(code, today()))
  const job = await nextLabelJob(tx, session)
  const codes = named?.map(code => code.bare) ?? (await nextUnitCodes(tx, session, total))
  const each = rows.flatMap(({ row, count: of }, line) => Array.from({ length: of }, () => ({ row, line: line + 1 })))
  const units = await createSerials(
    tx,
    session.org.id,
    each.map(({ row }, at) => ({
      bare: codes[at]!,
      kind: named?.[at]?.kind ?? 'inhouse',
      lot_id: row.lot_id,
      specification_id: row.specification_sn,
      state: inStockState(session, row),
    })),
  )
  const cause = { org: session.org.id, kind: labelKind(), sn: job, actor: session.userName }
  const births = each.map(({ row, line }, at) => birth(session, row, units[at]!, line))
  await writeTrace(tx, cause, births)
  await tx`
    insert into issued_label (org_id, lot_id, unit_id, code, job_sn, source_sn, made_by)
    select ${session.org.id}, n.lot, n.unit, n.code, ${job}, ${source}, ${session.userName}
      from unnest(${units.map(unit => unit.lot_id)}::bigint[], ${units.map(unit => unit.unit_id)}::bigint[],
        ${codes}::text[]) n(lot, unit, code)
    returning code`
  const said = `已生成${total}张标签，批次${job}，可在标签管理按生成批次查询并打印`
  return { said, job_sn: job, units: units.map(unit => unit.unit_id), codes }
}
