import { randomUUID } from 'node:crypto'
import { add, compare, type Decimal, multiply, subtract, sum } from '#kernel/values/decimal.ts'
import { dayOf } from '#kernel/values/date.ts'
import { performDue } from '#server/outbound/calls.ts'
import { hisCarrier } from '#server/outbound/his/ask.ts'
import {
  type His,
  type HisCharge,
  type HisChargeItem,
  type HisChargeOrder,
  HisError,
  type HisRefundOrder,
} from '#server/outbound/his/contract.ts'
import { connectWith } from '#server/registry/connections.ts'
import type { TestServer } from './test-server.ts'

/** The HIS of one hospital in memory: what a test says it has, and what was booked in it. */
export type MemoryHis = {
  readonly items: HisChargeItem[]
  readonly charges: HisCharge[]
  /** Set: every call is refused in these words. */
  down: string
  /** Accounts that were closed, by the number of the visit. */
  readonly closed: Set<string>
  /** Books a charge that nobody of us asked for. */
  book(charge: Partial<HisCharge> & Pick<HisCharge, 'item_code' | 'quantity' | 'visit_no'>): HisCharge
  /** Gives back a part of a charge, as a clerk of the HIS does. */
  giveBack(charge: HisCharge, quantity: string, at?: string): HisCharge
}

const NOW = () => new Date().toISOString()
const moment = '2026-01-01T00:00:00.000Z'

export const hisItemOf = (item_code: string, more: Partial<HisChargeItem> = {}): HisChargeItem => ({
  item_code,
  item_name: `项目${item_code}`,
  material_code: null,
  specification: null,
  unit: null,
  price: '1.0000' as Decimal,
  insurance_code: null,
  manufacturer: null,
  udi_di: null,
  is_active: true,
  updated_at: moment,
  ...more,
})

async function* onePage<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows
}
const nothing = async function* nothing(): AsyncGenerator<readonly never[]> {}

/** An empty HIS. */
export function memoryHis(): MemoryHis {
  let serial = 0
  const charges: HisCharge[] = []
  const book: MemoryHis['book'] = given => {
    serial += 1
    const price = (given.price ?? '1.0000') as Decimal
    const charge: HisCharge = {
      charge_no: `F${String(serial).padStart(6, '0')}`,
      charge_kind: 'charge',
      refunded_charge_no: null,
      request_key: null,
      request_line_no: null,
      patient_no: 'P1',
      patient_name: null,
      visit_class: 'inpatient',
      department_code: null,
      item_name: null,
      price,
      amount: multiply(price, given.quantity, 2),
      unit_code: null,
      charged_at: NOW(),
      ...given,
    }
    charges.push(charge)
    return charge
  }
  const giveBack: MemoryHis['giveBack'] = (charge, quantity, at = NOW()) => {
    const { charge_no, ...same } = charge
    return book({
      ...same,
      charge_kind: 'refund',
      refunded_charge_no: charge_no,
      quantity: quantity as Decimal,
      amount: multiply(charge.price, quantity as Decimal, 2),
      charged_at: at,
    })
  }
  return { items: [], charges, down: '', closed: new Set(), book, giveBack }
}

const bookedUnder = (his: MemoryHis, key: string) => his.charges.filter(charge => charge.request_key === key)

function chargeOrder(his: MemoryHis, key: string, order: HisChargeOrder): readonly HisCharge[] {
  if (his.closed.has(order.visit_no)) throw new HisError('refused', '患者已结账')
  for (const line of order.lines) {
    const { patient_no, visit_no, department_code, used_at } = order
    his.book({
      patient_no,
      visit_no,
      department_code,
      item_code: line.item_code,
      quantity: line.quantity,
      price: line.price,
      amount: line.amount,
      unit_code: line.unit_code,
      request_key: key,
      request_line_no: line.line_no,
      charged_at: used_at < NOW() ? NOW() : used_at,
    })
  }
  return bookedUnder(his, key)
}

function refundOrder(his: MemoryHis, key: string, order: HisRefundOrder): readonly HisCharge[] {
  for (const line of order.lines) {
    const charge = his.charges.find(each => each.charge_no === line.charge_no && each.charge_kind === 'charge')
    if (!charge) throw new HisError('refused', `没有计费${line.charge_no}`)
    const given = his.charges.filter(each => each.refunded_charge_no === line.charge_no).map(each => each.quantity)
    if (compare(add(sum(given, 4), line.quantity, 4), charge.quantity) > 0)
      throw new HisError('refused', `计费${line.charge_no}只剩${subtract(charge.quantity, sum(given, 4), 4)}`)
    const refund = his.giveBack(charge, line.quantity)
    his.charges[his.charges.indexOf(refund)] = { ...refund, request_key: key, request_line_no: line.line_no }
  }
  return bookedUnder(his, key)
}

/** What a connection makes of it: the calls of the contract that this program makes. */
function asHis(his: MemoryHis): His {
  const up = () => {
    if (his.down !== '') throw new HisError('unreachable', his.down)
  }
  const once = (key: string, write: () => readonly HisCharge[]) => {
    up()
    const before = bookedUnder(his, key)
    return before.length > 0 ? before : write()
  }
  return {
    patient: async () => null,
    visit: async visit_no => ({
      visit_no,
      patient_no: 'P1',
      visit_class: 'inpatient',
      state: 'active',
      is_account_open: !his.closed.has(visit_no),
      department_code: null,
      bed_no: null,
      doctor_no: null,
      began_at: null,
      ended_at: null,
      updated_at: moment,
    }),
    visits: async () => [],
    operations: async () => [],
    staff: nothing,
    departments: nothing,
    chargeItems: since => {
      up()
      return onePage(his.items.filter(item => since === null || item.updated_at >= since))
    },
    chargesOf: day => {
      up()
      return onePage(his.charges.filter(charge => dayOf(new Date(charge.charged_at)) === day))
    },
    chargesBy: async key => bookedUnder(his, key),
    receiptsOf: nothing,
    receiptBy: async () => null,
    charge: async (key, order) => once(key, () => chargeOrder(his, key, order)),
    refund: async (key, order) => once(key, () => refundOrder(his, key, order)),
    book: async () => Promise.reject(new HisError('refused', '不接收入库')),
    reverse: async () => Promise.reject(new HisError('refused', '不接收冲销')),
    async publishItem(_key, order) {
      up()
      const item = hisItemOf(`N-${order.specification_code}`, {
        item_name: order.item_name,
        specification: order.specification,
        unit: order.unit,
        price: (order.price ?? '0.0000') as Decimal,
        udi_di: order.udi_di,
        updated_at: NOW(),
      })
      his.items.push(item)
      return item
    },
  }
}

/** Connects a hospital, by its code, with this HIS. */
export function connectHis(server: TestServer, code: string, his: MemoryHis): void {
  const { app } = server.database
  connectWith({
    his: {
      sql: app,
      addresses: {
        byOrganisation: new Map([[code, { adapter: 'json', baseUrl: `memory:${randomUUID()}`, token: '' }]]),
        ofOnlyHospital: null,
      },
      open: async () => asHis(his),
    },
    carriers: { his: hisCarrier(app) },
  })
}

/** Makes every call that waits, at once. */
export async function sendCalls(server: TestServer): Promise<void> {
  const { app, owner } = server.database
  await owner`update outbound_call set next_at = now() where next_at is not null`
  await performDue(app, owner)
}

/** Matches a product with an item of this HIS, in force since some days ago. */
export async function matchProduct(
  server: TestServer,
  his: MemoryHis,
  org: string,
  specification: string,
  item: HisChargeItem,
  factor = '1',
): Promise<void> {
  if (!his.items.some(each => each.item_code === item.item_code)) his.items.push(item)
  const { owner } = server.database
  await owner`update hospital_product set is_chargeable = true
    where org_id = ${org} and specification_id = ${specification}`
  await owner`
    insert into his_item (org_id, item_code, item_name, his_price, changed_at)
    values (${org}, ${item.item_code}, ${item.item_name}, ${item.price}, ${item.updated_at}) on conflict do nothing`
  await owner`
    insert into his_match (org_id, id, specification_id, match_state, his_item_id, factor, valid_from)
    select h.org_id, h.id, h.specification_id, 'matched', i.id, ${factor}, current_date - 60
      from hospital_product h join his_item i on i.org_id = h.org_id and i.item_code = ${item.item_code}
     where h.org_id = ${org} and h.specification_id = ${specification}
    on conflict (org_id, id) do update set match_state = 'matched', his_item_id = excluded.his_item_id,
      factor = excluded.factor`
  await owner`delete from his_match_version where org_id = ${org} and specification_id = ${specification}`
  await owner`
    insert into his_match_version (org_id, specification_id, his_item_id, factor, valid_from, matched_by)
    select m.org_id, m.specification_id, m.his_item_id, m.factor, m.valid_from, '测试' from his_match m
     where m.org_id = ${org} and m.specification_id = ${specification}`
}
