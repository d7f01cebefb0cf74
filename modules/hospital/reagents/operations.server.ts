import { addDays, type Day, dayOf, instant, isExpired, today } from '#kernel/values/date.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type Operation, operations, stateAfter, tracedAs, whyNot } from '#modules/hospital/reagents/bottle-states.ts'
import { type Bottle, writeSteps } from '#modules/hospital/reagents/bottles.server.ts'
import { createAndReview } from '#server/public/actions.ts'
import type { Tx } from '#server/public/database.ts'
import type { RecordRow } from '#server/public/records.ts'
import { type Session, systemSession } from '#server/public/session.ts'
import { settingsFor } from '#server/public/settings.ts'
import { availableStock } from '#server/public/stock.ts'
import { recordStep } from '#server/public/traceability.ts'

/** The details that a person enters with an operation. */
export type Said = {
  readonly analyser_sn?: string | null
  readonly channel?: string | null
  readonly control_result?: string | null
  readonly calibration_lot?: string | null
  readonly tests?: number | null
  readonly scrap_reason?: string | null
  readonly done_at?: string | null
  readonly remark?: string | null
}
export const saidBy = (answers: Readonly<RecordRow>): Said => answers as Said

const refuse = (field: string, msg: string): BusinessError => new BusinessError('rule', msg, [{ field, msg }])

const MINUTE = 60_000
/** The time of the operation: not in the future, and not before the last step; people enter it to the minute. */
function momentOf(bottle: Bottle, given: string | null | undefined): string {
  const now = instant()
  if (!given) return now
  const at = new Date(given).getTime()
  if (at > new Date(now).getTime() + MINUTE) throw refuse('done_at', '操作时间不能晚于当前时间')
  const last = Math.floor(new Date(bottle.last_at).getTime() / MINUTE) * MINUTE
  if (at < last) throw refuse('done_at', '操作时间不能早于上一次操作')
  return new Date(at).toISOString()
}

/** 开瓶失效时间: the earlier of the lot's expiry and so many days after opening. */
export function openExpiryOf(opened: Day, days: number | null, expiry: Day | null): Day | null {
  const until = days === null ? null : addDays(opened, days)
  if (until === null || expiry === null) return until ?? expiry
  return until < expiry ? until : expiry
}

/** 近效期先出, where a bottle is taken out of the stock: an earlier lot in the same store requires a reason. */
async function askForEarlier(tx: Tx, session: Session, bottle: Bottle, remark: string | null | undefined) {
  if (remark) return
  const place = { warehouse: bottle.warehouse_id, department: bottle.department_id }
  if ((await settingsFor(tx, session.org.id, place)).first_expiry_first === 'off') return
  const stock = await availableStock(tx, session.org.id, bottle.warehouse_id, [bottle.specification_id], null)
  const earlier = stock.find(
    balance =>
      balance.lot_id !== bottle.lot_id &&
      balance.quality_state === 'qualified' &&
      balance.is_held !== true &&
      isPositive(balance.available) &&
      balance.expiry_date !== null &&
      balance.expiry_date >= today() &&
      balance.expiry_date < (bottle.expiry_date ?? '9999'),
  )
  if (earlier) throw refuse('remark', `存在更近效期批次${earlier.lot_no}，请填写原因`)
}

/** A lot that never ran on an analyser is calibrated and controlled first. */
async function refuseUnproved(tx: Tx, session: Session, bottle: Bottle, said: Said): Promise<void> {
  if (bottle.reagent_type !== 'reagent') return
  if (said.calibration_lot && said.control_result === 'pass') return
  const [before] = await tx`
    select 1 from reagent_step where org_id = ${session.org.id} and operation = 'load'
      and analyser_id = ${said.analyser_sn!} and lot_id = ${bottle.lot_id} limit 1`
  if (!before) throw refuse(said.calibration_lot ? 'control_result' : 'calibration_lot', '新批号须完成校准和质控')
}

async function nameOfAnalyser(tx: Tx, session: Session, id: string): Promise<string> {
  const [row] = await tx<{ name: string; status: string }[]>`
    select name, status from analyser where org_id = ${session.org.id} and id = ${id}`
  if (!row || row.status !== 'enabled') throw refuse('analyser_sn', '检验仪器不存在或已停用，请重新选择')
  return row.name
}

async function refuseUnfit(tx: Tx, session: Session, bottle: Bottle, operation: Operation, said: Said, at: string) {
  const sentence = whyNot(operation, bottle)
  if (sentence) throw new BusinessError('wrongState', sentence)
  if (operation === 'scrap' && !said.scrap_reason) throw refuse('scrap_reason', '请填写报废原因')
  if (operation === 'load') {
    if (!said.analyser_sn) throw refuse('analyser_sn', '请选择检验仪器')
    const ends = bottle.open_expiry ?? bottle.expiry_date
    if (isExpired(ends, dayOf(new Date(at))))
      throw new BusinessError(
        'rule',
        bottle.open_expiry ? '试剂已过开瓶有效期，禁止上机' : `试剂${bottle.code}已过有效期，禁止上机`,
      )
    await refuseUnproved(tx, session, bottle, said)
  }
  if (bottle.state === 'in_stock') await askForEarlier(tx, session, bottle, said.remark)
}

/** 开瓶 or 上机, as the catalogue says: the bottle is used up by its department, in the way of every use. */
async function postUse(tx: Tx, session: Session, bottle: Bottle, operation: Operation, at: string): Promise<string> {
  const laboratory = { ...systemSession(session.org), userName: session.userName }
  const header = {
    warehouse_model_inner_sn: bottle.warehouse_id,
    department_inner_sn: bottle.department_id,
    use_type: 'reagent',
    used_at: at,
    remark: `试剂${operations[operation]}：${bottle.code}`,
  }
  return createAndReview(tx, laboratory, 'departmentUse', header, [{ unit_codes: [bottle.code] }])
}

/** True if the bottle leaves the stock by this operation: at the latest when it is thrown away. */
const usesUp = (bottle: Bottle, operation: Operation): boolean =>
  bottle.use_document_id === null &&
  (operation === 'load' ||
    operation === 'finish' ||
    operation === 'scrap' ||
    (operation === 'open' && bottle.consumed_on === 'open'))

async function writeState(tx: Tx, session: Session, bottle: Bottle, operation: Operation, said: Said, at: string) {
  const opens = operation === 'open' || (operation === 'load' && bottle.opened_at === null)
  const ends = opens ? openExpiryOf(dayOf(new Date(at)), bottle.open_vial_days, bottle.expiry_date) : null
  const closes = operation === 'finish' || operation === 'scrap'
  await tx`
    update reagent set state = ${stateAfter(operation, bottle.state)},
           opened_at = case when ${opens} then ${at}::timestamptz else opened_at end,
           open_expiry = case when ${opens} then ${ends}::date else open_expiry end,
           analyser_id = coalesce(${said.analyser_sn ?? null}::bigint, analyser_id),
           channel = case when ${operation === 'load'} then ${said.channel ?? null} else channel end,
           loaded_at = case when ${operation === 'load'} then ${at}::timestamptz else loaded_at end,
           unloaded_at = case when ${operation === 'unload'} then ${at}::timestamptz
             when ${operation === 'load'} then null else unloaded_at end,
           closed_at = case when ${closes} then ${at}::timestamptz else closed_at end,
           scrap_reason = coalesce(${said.scrap_reason ?? null}, scrap_reason),
           tests_by_hand = tests_by_hand + ${said.tests ?? 0}, handled_by = ${session.userName}
     where org_id = ${session.org.id} and id = ${bottle.id}`
}

/** Does it to a bottle: checked, written into its record and its trace, and posted where it is used up by this. */
export async function perform(tx: Tx, session: Session, bottle: Bottle, operation: Operation, given: Said) {
  // Only a loading names an analyser.
  const said = operation === 'load' ? given : { ...given, analyser_sn: null, channel: null }
  const at = momentOf(bottle, said.done_at)
  await refuseUnfit(tx, session, bottle, operation, said, at)
  const place = said.analyser_sn ? await nameOfAnalyser(tx, session, said.analyser_sn) : null
  const recorded = { kind: 'reagentTrace', sn: bottle.code }
  const traceIt = () => recordStep(tx, session, recorded, pieceOf(bottle), tracedAs(operation), place)
  const isUsedNow = usesUp(bottle, operation)
  // An operation that uses the bottle up is traced before the use, so that the use can be taken back alone.
  if (isUsedNow) await traceIt()
  await writeState(tx, session, bottle, operation, said, at)
  const document_sn = isUsedNow ? await postUse(tx, session, bottle, operation, at) : null
  if (!isUsedNow) await traceIt()
  await writeSteps(tx, session, [bottle], {
    operation,
    state_before: bottle.state,
    done_at: at,
    analyser: said.analyser_sn ?? bottle.analyser_id,
    channel: said.channel ?? null,
    tests: said.tests ?? null,
    control_result: said.control_result ?? null,
    calibration_lot: said.calibration_lot ?? null,
    document_sn,
    remark: said.scrap_reason ?? said.remark ?? null,
  })
  return document_sn
}

const pieceOf = ({ lot_id, id }: Bottle) => ({ lot_id, unit_id: id })

/** Tests that nobody counted but the people at the analyser. */
export async function noteTests(tx: Tx, session: Session, bottle: Bottle, said: Said): Promise<void> {
  if (bottle.state === 'in_stock' || bottle.state === 'scrapped')
    throw new BusinessError('wrongState', `试剂${bottle.code}没有上机，不能登记测试数`)
  const done_at = momentOf(bottle, said.done_at)
  await tx`
    update reagent set tests_by_hand = tests_by_hand + ${said.tests ?? 0}, handled_by = ${session.userName}
     where org_id = ${session.org.id} and id = ${bottle.id}`
  await writeSteps(tx, session, [bottle], {
    operation: 'tests',
    done_at,
    analyser: bottle.analyser_id,
    tests: said.tests ?? null,
    remark: said.remark ?? null,
  })
}
