import { compare, type Decimal, multiply } from '#kernel/values/decimal.ts'
import { performDue } from '#server/outbound/calls.ts'
import { hisCarrier } from '#server/outbound/his/ask.ts'
import type { HisCharge, HisChargeItem } from '#server/outbound/his/contract.ts'
import { hisConnectionOf } from '#server/outbound/his/open.ts'
import { connectWith } from '#server/registry/connections.ts'
import { type RunningHis, startHis } from '../../deploy/his/server.ts'
import type { TestServer } from './test-server.ts'

/** The stand-in of a HIS, spoken to as FHIR over HTTP: what a test says it has, and what was booked in it. */
export type StandIn = {
  readonly items: HisChargeItem[]
  readonly charges: HisCharge[]
  /** Every call fails while it is down. */
  down: boolean
  /** Comes to the hospital: charges are booked to his visit. */
  admit(visitNo: string, patientNo: string): void
  /** The account of a visit is closed, or open again. */
  close(visitNo: string, isOpen?: boolean): void
  /** Books a charge that nobody of us asked for. */
  book(charge: Partial<HisCharge> & Pick<HisCharge, 'item_code' | 'quantity' | 'visit_no'>): HisCharge
  /** Gives back a part of a charge, as a clerk of the HIS does. */
  giveBack(charge: HisCharge, quantity: string, at?: string): HisCharge
  /** Disconnects, and ends it. */
  end(): Promise<void>
}

const NOW = () => new Date().toISOString()
const moment = '2026-01-01T00:00:00.000Z'
const TOKEN = 'T'

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

/** Starts the stand-in and connects a hospital, by its code, with it; its end disconnects them. */
export async function startConnected(
  server: Pick<TestServer, 'database'>,
  code: string,
  dialect: 'fhir' | 'pinyin' = 'fhir',
): Promise<RunningHis> {
  const running = await startHis({ token: TOKEN, hospital: code })
  const { app } = server.database
  const adapter = dialect === 'fhir' ? 'fhir' : 'json'
  const address = { adapter, baseUrl: `${running.url}/${dialect}`, token: TOKEN } as const
  connectWith({
    his: hisConnectionOf(app, { byOrganisation: new Map([[code, address]]), ofOnlyHospital: null }),
    carriers: { his: hisCarrier(app) },
  })
  const close = () => {
    connectWith({ his: undefined as never, carriers: {} })
    return running.close()
  }
  return { ...running, close }
}

/** The same, for tests that say what its HIS has and ask what was booked in it. */
export const connectHis = async (server: Pick<TestServer, 'database'>, code: string): Promise<StandIn> =>
  standInOf(await startConnected(server, code))

function standInOf({ books, faults, close }: RunningHis): StandIn {
  let serial = 0
  const { items, charges, visits, patients } = books
  const book: StandIn['book'] = given => {
    serial += 1
    const price = given.price ?? ('1.0000' as Decimal)
    const charge: HisCharge = {
      charge_no: `K${String(serial).padStart(6, '0')}`,
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
  return {
    items,
    charges,
    get down() {
      return faults.failing !== 0
    },
    set down(isDown) {
      faults.failing = isDown ? -1 : 0
    },
    admit(visit_no, patient_no) {
      patients.push({
        patient_no,
        patient_name: `患者${patient_no}`,
        sex: 'unknown',
        birth_date: null,
        wristband: null,
        updated_at: moment,
      })
      visits.push({
        visit_no,
        patient_no,
        visit_class: 'inpatient',
        state: 'active',
        is_account_open: true,
        department_code: null,
        bed_no: null,
        doctor_no: null,
        began_at: moment,
        ended_at: null,
        updated_at: moment,
      })
    },
    close(visitNo, isOpen = false) {
      const at = visits.findIndex(visit => visit.visit_no === visitNo)
      visits[at] = { ...visits[at]!, is_account_open: isOpen }
    },
    book,
    giveBack(charge, quantity, at = NOW()) {
      if (compare(quantity as Decimal, charge.quantity) > 0) throw new Error('more is given back than was charged')
      const { charge_no, ...same } = charge
      return book({
        ...same,
        charge_kind: 'refund',
        refunded_charge_no: charge_no,
        quantity: quantity as Decimal,
        amount: multiply(charge.price, quantity as Decimal, 2),
        charged_at: at,
      })
    },
    end: close,
  }
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
  his: StandIn,
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
