import { instant, isExpired, today, type Day } from '#kernel/values/date.ts'
import { isCount, type Decimal } from '#kernel/values/decimal.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { bottleStates, type BottleState } from '#modules/hospital/reagents/bottle-states.ts'
import { storedCode, writeSteps } from '#modules/hospital/reagents/bottles.server.ts'
import { checkCold, type ColdNeeds, type ColdStore, keepReading } from '#modules/hospital/reagents/cold-chain.server.ts'
import type { Change, ListActionHandler, RecordRow } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import { makeLabels } from '#server/public/traceability.ts'
import type { Tx } from '#server/public/database.ts'

/** A piece in a store that may become a bottle of the laboratory. */
type Piece = ColdNeeds & {
  readonly code: string
  readonly lot_id: string
  readonly unit_id: string
  readonly quantity: Decimal
  readonly status: string
  readonly holder_org_id: string | null
  readonly warehouse_id: string | null
  readonly department_id: string | null
  readonly specification_id: string
  readonly product_name: string
  readonly is_reagent: boolean
  readonly expiry_date: Day | null
  readonly tests_per_kit: number | null
}

const pieces = (tx: Tx, org: string, codes: readonly string[]) => tx<Piece[]>`
  select c.bare as code, u.lot_id, u.id as unit_id, u.quantity, u.status, u.holder_org_id, u.warehouse_id,
         w.department_id, u.specification_id, p.name as product_name, p.is_reagent, p.is_cold_chain,
         p.temperature_low, p.temperature_high, k.expiry_date, h.tests_per_kit
    from unit_code c
    join unit u on u.lot_id = c.lot_id and u.id = c.unit_id
    join specification s on s.id = u.specification_id
    join product p on p.id = s.product_id
    left join warehouse w on w.org_id = ${org} and w.id = u.warehouse_id
    left join stock_lot k on k.org_id = ${org} and k.lot_id = u.lot_id
    left join hospital_product h on h.org_id = ${org} and h.specification_id = u.specification_id
   where c.bare = any(${codes as string[]}) and c.ended is null and c.kind <> 'pack'
     and (u.holder_org_id = ${org} or u.use_org_id = ${org})`

/** The reason why a piece cannot be taken in, for the person who scanned it. */
function refusalOf(session: Session, piece: Piece | undefined, code: string): string | null {
  if (!piece) return `试剂${code}没有对应的试剂盒/瓶，请核对；没有贴码的请用【按批号领入】`
  if (!piece.is_reagent || !isCount(piece.quantity, 1)) return `【${piece.product_name}】不是试剂，不能领入`
  const isHere = piece.status === 'in_stock' && piece.holder_org_id === session.org.id && piece.warehouse_id !== null
  const isSeen = session.warehouses === 'all' || session.warehouses.has(piece.warehouse_id ?? '')
  if (!isHere || !isSeen) return `试剂${code}不在库，请先办理科室收货`
  return isExpired(piece.expiry_date, today()) ? `试剂${code}已过有效期，不能领入` : null
}

const coldOf = (row: Readonly<RecordRow>): ColdStore => ({
  refrigerator_sn: (row.refrigerator_sn as string | null | undefined) ?? null,
  temperature: (row.temperature as Decimal | null | undefined) ?? null,
  opinion: (row.opinion as string | null | undefined) ?? null,
})

const kept = new WeakMap<Change, Piece>()

/** 领入: the code becomes a bottle of the store where its piece is. */
export async function checkReceived(tx: Tx, session: Session, change: Change): Promise<readonly Problem[]> {
  const { after } = change
  const code = await storedCode(tx, session, String(after.code))
  const [piece] = await pieces(tx, session.org.id, [code])
  const [known] = await tx<{ state: BottleState }[]>`
    select state from reagent where org_id = ${session.org.id} and code = ${code}`
  if (known) throw new BusinessError('duplicate', `试剂${code}当前状态为${bottleStates[known.state]}，不能领入`)
  const refusal = refusalOf(session, piece, code)
  if (refusal) return [{ field: 'code', msg: refusal }]
  const { temperature, problems } = await checkCold(tx, session, piece!, piece!.warehouse_id!, coldOf(after))
  if (problems.length > 0) return problems
  kept.set(change, piece!)
  Object.assign(after, {
    code,
    specification_sn: piece!.specification_id,
    warehouse_model_inner_sn: piece!.warehouse_id,
    department_inner_sn: piece!.department_id,
    temperature,
    tests_per_kit: piece!.tests_per_kit,
    received_at: instant(),
    handled_by: session.userName,
  })
  return []
}

/** Its number is that of its unit. */
export async function identityOf(
  _tx: Tx,
  _session: Session,
  change: Change,
): Promise<Readonly<Record<string, string>>> {
  const piece = kept.get(change)
  return piece ? { id: piece.unit_id, lot_id: piece.lot_id } : {}
}

/** The reading that was written with it is kept, and its record begins. */
export async function beginRecord(tx: Tx, session: Session, id: string, change: Change): Promise<void> {
  if (change.id !== null) return
  await keepReading(tx, session, coldOf(change.sent))
  await writeSteps(tx, session, [{ id }], {
    operation: 'receive',
    done_at: instant(),
    temperature: (change.after.temperature as Decimal | null) ?? null,
    remark: (change.after.opinion as string | null) ?? (change.after.remark as string | null) ?? null,
  })
}

type Balance = { readonly id: string; readonly product_name: string; readonly is_reagent: boolean } & ColdNeeds

async function balanceOf(tx: Tx, session: Session, asked: Readonly<RecordRow>): Promise<Balance> {
  const [row] = await tx<Balance[]>`
    select b.id, p.name as product_name, p.is_reagent, p.is_cold_chain, p.temperature_low, p.temperature_high
      from stock_on_hand b join specification s on s.id = b.specification_id join product p on p.id = s.product_id
     where b.org_id = ${session.org.id} and b.warehouse_id = ${String(asked.warehouse_model_inner_sn)}
       and b.specification_id = ${String(asked.specification_sn)} and b.lot_no = ${String(asked.lot_no)}
       and b.quality_state = 'qualified' and coalesce(b.expiry_date, 'infinity'::date) >= ${today()}
     order by b.quantity desc, b.id limit 1`
  if (!row) throw new BusinessError('rule', `仓库里没有批号${String(asked.lot_no)}的合格库存，请核对仓库、规格和批号`)
  if (!row.is_reagent) throw new BusinessError('rule', `【${row.product_name}】不是试剂，不能领入`)
  return row
}

/** 按批号领入: bottles without a code get one each, and are taken in. */
export const receiveLot: ListActionHandler = async ({ tx, session, asked }) => {
  const warehouse = String(asked.warehouse_model_inner_sn)
  if (session.warehouses !== 'all' && !session.warehouses.has(warehouse)) throw new BusinessError('forbidden')
  const cold = coldOf(asked)
  const balance = await balanceOf(tx, session, asked)
  const { temperature, problems } = await checkCold(tx, session, balance, warehouse, cold)
  if (problems.length > 0) throw new BusinessError('invalid', problems[0]!.msg, problems)
  const { units } = await makeLabels(tx, session, { balances: [balance.id] }, parseInteger(asked.count))
  const made = await tx<{ id: string; code: string }[]>`
    insert into reagent (org_id, id, lot_id, code, specification_id, warehouse_id, department_id, refrigerator_id,
      place, temperature, opinion, received_at, tests_per_kit, handled_by)
    select ${session.org.id}, u.id, u.lot_id, c.bare, u.specification_id, u.warehouse_id, w.department_id,
           ${cold.refrigerator_sn}, ${(asked.place as string | null | undefined) ?? null}, ${temperature},
           ${cold.opinion}, ${instant()}, h.tests_per_kit, ${session.userName}
      from unit u
      join unit_code c on c.lot_id = u.lot_id and c.unit_id = u.id and c.kind = 'inhouse'
      join warehouse w on w.org_id = ${session.org.id} and w.id = u.warehouse_id
      left join hospital_product h on h.org_id = w.org_id and h.specification_id = u.specification_id
     where u.id = any(${units as string[]}::bigint[]) and u.holder_org_id = ${session.org.id} order by u.id
    returning id, code`
  await keepReading(tx, session, cold)
  await writeSteps(tx, session, made, {
    operation: 'receive',
    done_at: instant(),
    temperature,
    remark: cold.opinion,
  })
  const range = made.length === 1 ? made[0]!.code : `${made[0]!.code}至${made.at(-1)!.code}`
  return { said: `已领入${made.length}盒/瓶，试剂码${range}，请打印试剂码并贴上` }
}
