import { addDays, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import {
  type BottleState,
  type ConsumedOn,
  isOperation,
  type Operation,
  operations,
  whyNot,
} from '#modules/hospital/reagents/bottle-states.ts'
import { bottleOf, seenBottle, storedCode, visibleBottles } from '#modules/hospital/reagents/bottles.server.ts'
import {
  analyserRules,
  refrigeratorReadingRules,
  refrigeratorRules,
} from '#modules/hospital/reagents/cold-chain.server.ts'
import { readLis } from '#modules/hospital/reagents/lis-tests.server.ts'
import { noteTests, perform, type Said, saidBy } from '#modules/hospital/reagents/operations.server.ts'
import { reagentTrace } from '#modules/hospital/reagents/reagent.entity.ts'
import { beginRecord, checkReceived, identityOf, receiveLot } from '#modules/hospital/reagents/receive.server.ts'
import type { Hooks } from '#server/public/hooks.ts'
import {
  addRecord,
  type Fragment,
  type ListActionHandler,
  type RecordAction,
  type RecordRow,
  type RecordRules,
} from '#server/public/records.ts'
import { requirePermission, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Days before the end of an opened bottle on which the list warns. */
const WARNING_DAYS = 3

/** A row of the list as the rules see it. */
const stateOf = (row: Readonly<RecordRow>) => ({
  code: String(row.code),
  state: row.state as BottleState,
  consumed_on: (row.consumed_on as ConsumedOn | undefined) ?? 'open',
})

const act =
  (operation: Operation): RecordAction =>
  async (tx, session, row, _reason, answers) => {
    await perform(tx, session, await bottleOf(tx, session.org.id, String(row.reagent_sn)), operation, saidBy(answers))
  }

/** 领入 by the scanner: the same as a new row. */
async function receive(tx: Tx, session: Session, asked: Readonly<RecordRow>) {
  const { code, refrigerator_sn, place, temperature, opinion, remark } = asked
  const given = { code, refrigerator_sn, place, temperature, opinion, remark }
  await addRecord(
    tx,
    session,
    reagentTrace,
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined)),
  )
  return { said: `试剂${String(code)}已领入` }
}

/** 扫码操作: one code, one operation, by a user with the right to it. */
const scan: ListActionHandler = async ({ tx, session, asked }) => {
  if (asked.operation === 'receive') return receive(tx, session, asked)
  const operation = asked.operation as Operation
  requirePermission(session, `${reagentTrace.kind}.${operation}`)
  const code = await storedCode(tx, session, String(asked.code))
  const bottle = await seenBottle(tx, session, code)
  if (!bottle) throw new BusinessError('notFound', `试剂${code}尚未领入，请先领入`)
  const document = await perform(tx, session, bottle, operation, asked as Said)
  await tx`update reagent set version = version + 1 where org_id = ${session.org.id} and id = ${bottle.id}`
  return { said: `试剂${code}已${operations[operation]}${document ? `，使用单${document}` : ''}` }
}

/** The tests that a bottle did, and its cost by test once it is empty. */
const testColumns = (tx: Tx, session: Session) => {
  const done = tx`(t.tests_by_hand + t.tests_by_lis)`
  const closed = tx`t.state = 'finished'`
  return {
    tests_done: done,
    tests_left: tx`greatest(t.tests_per_kit - ${done}, 0)`,
    is_over: tx`coalesce(${done} > t.tests_per_kit, false)`,
    test_yield: tx`case when ${closed} and t.tests_per_kit > 0 then round(${done}::numeric / t.tests_per_kit, 4) end`,
    cost_per_test: tx`case when ${closed} and ${done} > 0 then round(coalesce(
      (select s.price from settlement_line s where s.org_id = ${session.org.id}
        and s.use_document_id = t.use_document_id and s.unit_code = t.code and s.nets_id is null limit 1),
      (select l.taxed_amount / nullif(l.base_quantity, 0) from document_line l where l.org_id = ${session.org.id}
        and l.document_id = t.use_document_id and t.code = any(l.unit_codes) limit 1)) / ${done}, 4) end`,
  }
}

const goodsColumns = (tx: Tx, session: Session) => {
  const product = (column: Fragment) => tx`(
    select ${column} from specification s join product p on p.id = s.product_id where s.id = t.specification_id)`
  const kept = (column: Fragment) => tx`(
    select ${column} from hospital_product h where h.org_id = ${session.org.id}
      and h.specification_id = t.specification_id)`
  return {
    product_name: product(tx`p.name`),
    manufacturer_name: tx`(select o.name from specification s join product p on p.id = s.product_id
      join organisation o on o.id = p.manufacturer_id where s.id = t.specification_id)`,
    registration_no: tx`(select c.certificate_no from specification s
      join registration_certificate c on c.id = s.registration_certificate_id where s.id = t.specification_id)`,
    lot_no: tx`(select l.lot_no from lot l where l.id = t.lot_id)`,
    expiry_date: tx`(select k.expiry_date from stock_lot k where k.org_id = ${session.org.id} and k.lot_id = t.lot_id)`,
    storage_condition: product(tx`p.storage_condition`),
    storage_zone: product(tx`case when p.temperature_high <= 0 then 'frozen'
      when p.is_cold_chain or p.temperature_high <= 10 then 'cold'
      when p.temperature_high <= 20 then 'cool' else 'normal' end`),
    reagent_type: tx`coalesce(${kept(tx`h.reagent_type`)}, 'reagent')`,
    consumed_on: tx`coalesce(${kept(tx`h.consumed_on`)}, 'open')`,
  }
}

const reagentTraceRules: RecordRules = {
  kind: 'reagentTrace',
  visible: (tx, session) => visibleBottles(tx, session, 't'),
  columns: (tx, session) => ({
    ...goodsColumns(tx, session),
    ...testColumns(tx, session),
    open_warning: tx`case when t.state not in ('opened', 'loaded', 'unloaded') then null
      when t.open_expiry < ${today()}::date then 'expired'
      when t.open_expiry <= ${addDays(today(), WARNING_DAYS)}::date then 'soon' end`,
  }),
  mayWrite(_session, action, row) {
    if (action === 'edit' || action === 'del')
      throw new BusinessError('rule', '试剂的状态由操作登记，不能修改或删除；登记错误的请红冲使用单')
    if (row === null) return
    if (action === 'noteTests' && (row.state === 'in_stock' || row.state === 'scrapped'))
      throw new BusinessError('wrongState', `试剂${String(row.code)}没有上机，不能登记测试数`)
    const sentence = isOperation(action) ? whyNot(action, stateOf(row)) : null
    if (sentence) throw new BusinessError('wrongState', sentence)
  },
  check: checkReceived,
  alsoWrites: identityOf,
  saved: beginRecord,
  actions: {
    open: act('open'),
    load: act('load'),
    unload: act('unload'),
    reconstitute: act('reconstitute'),
    finish: act('finish'),
    scrap: act('scrap'),
    noteTests: async (tx, session, row, _reason, answers) =>
      noteTests(tx, session, await bottleOf(tx, session.org.id, String(row.reagent_sn)), saidBy(answers)),
  },
  calls: { scan, receiveLot, readLis },
}

const reagentStepRules: RecordRules = {
  kind: 'reagentStep',
  visible: (tx, session) => visibleBottles(tx, session, 't'),
}

export const reagentRecords: Hooks['records'] = [
  reagentTraceRules,
  reagentStepRules,
  analyserRules,
  refrigeratorRules,
  refrigeratorReadingRules,
]
