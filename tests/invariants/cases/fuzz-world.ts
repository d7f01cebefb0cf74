import { uploadPicture } from '../../support/picture.ts'
import { createPlaces } from '../../support/locations.ts'
import { day, openStage, type Person, type Stage } from '../../support/story.ts'
import { openTestServer } from '../../support/test-server.ts'

/** The organisations of one supply chain with everything they need to work, and the actions that make up a day. */
export interface Market {
  readonly stage: Stage
  readonly vendor: Person
  readonly dealer: Person
  readonly hospital: Person
  /** The second user of the hospital: users cannot review their own payments. */
  readonly finance: Person
  /** Users who approve what the author may not. */
  readonly second: Readonly<Record<'V01' | 'D01' | 'D02' | 'H01', Person>>
  /** A dealer that competes with the other. */
  readonly rival: Person
  readonly org: Readonly<Record<'V01' | 'D01' | 'D02' | 'H01', string>>
  /** Central warehouses by organisation. */
  readonly shelf: Readonly<Record<'V01' | 'D01' | 'D02' | 'H01', string>>
  readonly ward: string
  readonly department: string
  readonly surgeon: string
  /** A picture uploaded by each organisation, used as evidence attachment. */
  readonly proof: Readonly<Record<'V01' | 'D01' | 'D02' | 'H01', string>>
  /** Managed by serial: one piece, one code. */
  readonly coded: string
  /** Managed by lot. */
  readonly plain: string
  close(): Promise<void>
}

/** Connections for eight people who click at the same moment. */
const MANY_AT_ONCE = { DB_POOL: '4' }

export async function openMarket(opened?: Stage): Promise<Market> {
  const stage = opened ?? (await openStage(await openTestServer(MANY_AT_ONCE)))
  for (const login of ['rival', 'rival2'])
    await stage.server.database.owner`
      insert into app_user (org_id, login, password_hash, name, is_administrator)
      select (select id from organisation where code = 'D02'), ${login}, password_hash, ${login}, true from app_user
        where login = 'dealer'`
  const logins = ['vendor', 'dealer', 'hospital', 'finance', 'vendor2', 'dealer2', 'keeper', 'rival', 'rival2']
  const people = await Promise.all(logins.map(stage.person))
  const [vendor, dealer, hospital, finance, vendor2, dealer2, keeper, rival, rival2] = people as [
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  const ward = await stage.one(
    `select w.id, w.department_id from warehouse w join organisation o on o.id = w.org_id where o.code = 'H01'
      and w.model = 'ward' order by w.id limit 1`,
  )
  const { id: surgeon } = await stage.one(
    "select e.id from employee e join organisation o on o.id = e.org_id where o.code = 'H01' and e.is_surgeon limit 1",
  )
  const shelf = {
    V01: await stage.store('V01', 'central'),
    D01: await stage.store('D01', 'central'),
    D02: await stage.store('D02', 'central'),
    H01: await stage.warehouse('H01-W02'),
  }
  // Reviewers at the hospital also have the quality role.
  await stage.one(
    `update role set flags = flags || '{stockCorrection.quality}'::text[] where name = '库管员' and org_id = $1
      returning 1`,
    await stage.org('H01'),
  )
  for (const store of Object.values(shelf)) await createPlaces(stage, store, ['A-01', 'B-02'])
  return {
    stage,
    vendor,
    dealer,
    hospital,
    finance,
    rival,
    second: { V01: vendor2, D01: dealer2, D02: rival2, H01: keeper },
    org: {
      V01: await stage.org('V01'),
      D01: await stage.org('D01'),
      D02: await stage.org('D02'),
      H01: await stage.org('H01'),
    },
    shelf,
    ward: ward.id,
    department: ward.department_id,
    surgeon,
    proof: {
      V01: await uploadPicture(vendor),
      D01: await uploadPicture(dealer),
      D02: await uploadPicture(rival),
      H01: await uploadPicture(hospital),
    },
    coded: await stage.specification('P008-01'),
    plain: await stage.specification('P009-01'),
    close: () => stage.close(),
  }
}

let serial = 0
/** Codes never used before. */
export const newCodes = (count: number): string[] =>
  Array.from({ length: count }, () => `MK${String(++serial).padStart(6, '0')}`)

type Goods = {
  readonly specification: string
  readonly lot: string
  readonly quantity: number
  readonly codes?: readonly string[]
  readonly price?: string
}

/** A receipt line. */
export const arriving = ({ specification, lot, quantity, codes, price = '40' }: Goods) => ({
  specification_sn: specification,
  lot_no: lot,
  production_date: day(-30),
  expiry_date: day(700),
  quantity: String(quantity),
  price,
  ...(codes ? { unit_codes: codes } : {}),
})

/** The vendor produces goods. */
export async function make(market: Market, ...goods: readonly Goods[]): Promise<string> {
  const sn = await market.vendor.add('otherGrn', {
    warehouse_model_inner_sn: market.shelf.V01,
    lines: goods.map(arriving),
  })
  await market.vendor.pass('otherGrn', sn)
  return sn
}

type TestServer = 'V01' | 'D01' | 'D02' | 'H01'
export const personAt = (market: Market, server: TestServer): Person =>
  ({ V01: market.vendor, D01: market.dealer, D02: market.rival, H01: market.hospital })[server]

/** A delivery without an order, reviewed: it is in transit. */
export async function ship(
  market: Market,
  from: 'V01' | 'D01',
  to: 'D01' | 'H01',
  lines: readonly object[],
  extra: object = {},
): Promise<string> {
  const seller = personAt(market, from)
  const sn = await seller.add('saleOdo', {
    counterparty_sn: market.org[to],
    warehouse_model_inner_sn: market.shelf[from],
    lines,
    ...extra,
  })
  await seller.pass('saleOdo', sn)
  return sn
}

/** The receiver receives a delivery in full. */
export async function take(market: Market, at: 'D01' | 'H01', delivery: string): Promise<string> {
  const buyer = personAt(market, at)
  const { sn } = await buyer.from('purchaseGrn', delivery)
  await buyer.done('purchaseGrn', 'edit', sn, { warehouse_model_inner_sn: market.shelf[at] })
  await buyer.pass('purchaseGrn', sn)
  return sn
}

/** Produces goods and brings them into the hospital's stock. */
export async function bring(
  market: Market,
  goods: Goods,
  regime: 'purchased' | 'consigned',
): Promise<{ outward: string; inward: string }> {
  await make(market, goods)
  const line = {
    specification_sn: goods.specification,
    lot_no: goods.lot,
    quantity: String(goods.quantity),
    ...(goods.codes ? { unit_codes: goods.codes } : {}),
  }
  await take(market, 'D01', await ship(market, 'V01', 'D01', [line]))
  const outward = await ship(market, 'D01', 'H01', [line], { regime })
  return { outward, inward: await take(market, 'H01', outward) }
}

/** Issues goods to the ward, which receives them. */
export async function grant(market: Market, lines: readonly object[]): Promise<{ grant: string; receipt: string }> {
  const sn = await market.hospital.add('grantOdo', {
    warehouse_model_inner_sn: market.shelf.H01,
    to_warehouse_model_inner_sn: market.ward,
    department_inner_sn: market.department,
    lines,
  })
  await market.hospital.pass('grantOdo', sn)
  const receipt = await market.hospital.from('wardReceipt', sn)
  await market.hospital.done('wardReceipt', 'review', receipt.sn)
  return { grant: sn, receipt: receipt.sn }
}

/** Use by a ward. */
export const useOf = (market: Market, lines: readonly object[]) => ({
  warehouse_model_inner_sn: market.ward,
  department_inner_sn: market.department,
  patient_no: 'P1',
  patient_name: '应牧野',
  admission_no: '0126',
  implant_site: 'LAD',
  doctor_inner_sn: market.surgeon,
  lines,
})
