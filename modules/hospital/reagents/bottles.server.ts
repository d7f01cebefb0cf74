import type { Day } from '#kernel/values/date.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { BottleState, ConsumedOn } from '#modules/hospital/reagents/bottle-states.ts'
import type { Tx } from '#server/public/database.ts'
import type { Fragment } from '#server/public/records.ts'
import { scopeSql, type Session } from '#server/public/session.ts'
import { serialsByCode, storedCodes } from '#server/public/stock.ts'

/** A bottle that was taken in, with what its product and its lot say. */
export type Bottle = {
  readonly id: string
  readonly lot_id: string
  readonly lot_no: string
  readonly code: string
  readonly specification_id: string
  readonly product_name: string
  readonly warehouse_id: string
  readonly department_id: string | null
  readonly state: BottleState
  readonly opened_at: string | null
  readonly loaded_at: string | null
  readonly open_expiry: Day | null
  readonly expiry_date: Day | null
  readonly analyser_id: string | null
  readonly use_document_id: string | null
  readonly consumed_on: ConsumedOn
  readonly reagent_type: string
  readonly open_vial_days: number | null
  /** The time of the last step: no later step may be dated before it. */
  readonly last_at: string
  readonly version: number
}

const bottles = (tx: Tx, org: string, where: Fragment) => tx<Bottle[]>`
  select g.id, g.lot_id, l.lot_no, g.code, g.specification_id, p.name as product_name, g.warehouse_id,
         g.department_id, g.state, g.opened_at, g.loaded_at, g.open_expiry, k.expiry_date, g.analyser_id,
         g.use_document_id, coalesce(h.consumed_on, 'open') as consumed_on,
         coalesce(h.reagent_type, 'reagent') as reagent_type, h.open_vial_days, g.version,
         (select x.done_at from reagent_step x where x.org_id = g.org_id and x.reagent_id = g.id
           order by x.id desc limit 1) as last_at
    from reagent g
    join lot l on l.id = g.lot_id
    join specification s on s.id = g.specification_id
    join product p on p.id = s.product_id
    left join stock_lot k on k.org_id = g.org_id and k.lot_id = g.lot_id
    left join hospital_product h on h.org_id = g.org_id and h.specification_id = g.specification_id
   where g.org_id = ${org} and ${where} order by g.id for update of g`

/** The bottle behind a row, locked until the action is over. */
export async function bottleOf(tx: Tx, org: string, id: string): Promise<Bottle> {
  const [row] = await bottles(tx, org, tx`g.id = ${id}`)
  if (!row) throw new BusinessError('notFound', '试剂不存在或已被删除')
  return row
}

/** Bottles by the pieces that documents move, locked. */
export const bottlesByCode = (tx: Tx, org: string, codes: readonly string[]) =>
  codes.length === 0 ? Promise.resolve([]) : bottles(tx, org, tx`g.code = any(${codes as string[]})`)

/** The bottles of the stores and departments that a session sees; `g` is the bottle. */
export const visibleBottles = (tx: Tx, session: Session, alias: 'g' | 't' = 'g') =>
  scopeSql(tx, session, {
    stores: [tx`${tx(`${alias}.warehouse_id`)}`],
    department: tx`${tx(`${alias}.department_id`)}`,
    people: [],
  })

/** The bottle of a code, where the session sees it, locked. */
export async function seenBottle(tx: Tx, session: Session, code: string): Promise<Bottle | undefined> {
  const [row] = await bottles(tx, session.org.id, tx`g.code = ${code} and ${visibleBottles(tx, session)}`)
  return row
}

/** Bottles that a document used up. */
export const bottlesUsedBy = (tx: Tx, org: string, document: string) =>
  bottles(tx, org, tx`g.use_document_id = ${document}`)

/** The code of a piece as it is stored, whatever label of it was scanned. */
export async function storedCode(tx: Tx, session: Session, scanned: string): Promise<string> {
  const [stored] = await storedCodes(tx, session.org.id, [scanned.trim()])
  return (await serialsByCode(tx, session.org.id, [stored!])).get(stored!)?.bare ?? stored!
}

export type Step = {
  readonly operation: string
  /** The state of the bottle before the step, if the step changed it. */
  readonly state_before?: BottleState
  readonly done_at: string
  readonly analyser?: string | null
  readonly channel?: string | null
  readonly tests?: number | null
  readonly temperature?: Decimal | null
  readonly control_result?: string | null
  readonly calibration_lot?: string | null
  readonly document_sn?: string | null
  readonly remark?: string | null
}

/** One line in the record of each bottle, in one statement. */
export async function writeSteps(
  tx: Tx,
  session: Session,
  of: readonly Pick<Bottle, 'id'>[],
  step: Step,
): Promise<void> {
  await tx`
    insert into reagent_step (org_id, reagent_id, lot_id, code, operation, state_before, done_at, department_id,
      warehouse_id, analyser_id, channel, tests, temperature, control_result, calibration_lot, document_sn, done_by,
      remark)
    select g.org_id, g.id, g.lot_id, g.code, ${step.operation}, coalesce(${step.state_before ?? null}, g.state),
           ${step.done_at}, g.department_id,
           g.warehouse_id, ${step.analyser ?? null}, ${step.channel ?? null}, ${step.tests ?? null},
           ${step.temperature ?? null}, ${step.control_result ?? null}, ${step.calibration_lot ?? null},
           ${step.document_sn ?? null}, ${session.userName}, ${step.remark ?? null}
      from reagent g
     where g.org_id = ${session.org.id} and g.id = any(${of.map(bottle => bottle.id)}::bigint[]) order by g.id`
}
