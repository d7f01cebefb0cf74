import type { Sql } from 'postgres'
import { addDays, today } from '#kernel/values/date.ts'
import { recordOf } from '#demo/records.ts'
import { openHands, type DemoDatabase, type Hands } from '#demo/simulation/actions.ts'
import { upload } from '#demo/pictures.ts'
import { writeFees } from '#modules/trade/lease/contracts/fees.server.ts'
import { shareLeasesOf } from '#modules/trade/lease/contracts/share-leases.server.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import type { FileStore } from '#server/files/store.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { actOnRecord, addRecord, switchRecord } from '#server/records/write.ts'
import { connectWith } from '#server/registry/connections.ts'

const HOUR = 3_600_000
const ago = (hours: number): string => new Date(Date.now() - hours * HOUR).toISOString()

/** Two people of an organisation: the one who picks may not check. */
async function peopleOf(owner: Sql, code: string): Promise<readonly [Session, Session]> {
  const [org] = await owner<{ id: string }[]>`select id from organisation where code = ${code}`
  const organisation = await systemSessionOf(owner, org!.id)
  const users = await owner<{ id: string; name: string }[]>`
    select id, name from app_user where org_id = ${org!.id} and status = 'enabled' order by is_administrator desc, id
     limit 2`
  const [one, other] = users.map(user => ({ ...organisation, userId: user.id, userName: user.name }))
  return [one!, other ?? { ...organisation, userId: '0', userName: '复核员' }]
}

/** Deliveries that are on no shipment yet, the newest first; `cold`: with goods of the cold chain, or without. */
const deliveries = (owner: Sql, sender: Session, customer: string, cold: boolean, most: number) => owner<
  { sn: string }[]
>`
  select d.sn from document d
   where d.org_id = ${sender.org.id} and d.kind = 'saleOdo' and d.role = 'own' and d.red_of_id is null
     and d.counterparty_id = (select id from organisation where code = ${customer})
     and d.state in ('reviewed', 'partial', 'completed')
     and not exists (select 1 from document_line x where x.org_id = d.org_id and x.source_document_id = d.id)
     and ${cold} = exists (
       select 1 from document_line l join specification s on s.id = l.specification_id
         join product p on p.id = s.product_id
        where l.org_id = d.org_id and l.document_id = d.id and p.is_cold_chain)
   order by d.id desc limit ${most}`

type Way = {
  readonly header: Readonly<Record<string, unknown>>
  readonly left: number
  readonly end?: 'arrive' | 'sign' | 'exception'
}
const WAYS: readonly Way[] = [
  { header: { carriage: 'own', plate_no: '苏A10D01', driver: '梁晓川', package_count: 3, freight: '120' }, left: 0 },
  {
    header: { carriage: 'express', carrier: '顺丰速运', waybill_no: 'SF1090001234', package_count: 1, freight: '36' },
    left: 5,
  },
  {
    header: { carriage: 'entrusted', carrier: '顺达医药物流', plate_no: '沪B77882', package_count: 6, freight: '480' },
    left: 20,
    end: 'arrive',
  },
  {
    header: { carriage: 'own', plate_no: '苏A10D01', driver: '梁晓川', package_count: 2, freight: '90' },
    left: 52,
    end: 'sign',
  },
  {
    header: { carriage: 'express', carrier: '京东物流', waybill_no: 'JD0077001122', package_count: 1, freight: '28' },
    left: 30,
    end: 'exception',
  },
]

async function shipOne(hands: Hands, who: Session, source: string, { header, left, end }: Way): Promise<string> {
  const sn = await hands.add(who, 'logistics', {
    source_type: 7,
    source_sn: source,
    delivery_address: '急诊楼负一层收货处',
    ...header,
  })
  if (left === 0) return sn
  await hands.act(who, 'logistics', 'ship', sn, { departed_at: ago(left) })
  await hands.act(who, 'logistics', 'track', sn, {
    track_at: ago(left - 1),
    track_place: '城东分拨中心',
    track_event: '已到达分拨中心，准备发往目的地',
  })
  if (end === 'arrive') await hands.act(who, 'logistics', 'arrive', sn, { arrived_at: ago(left - 6) })
  if (end === 'exception')
    await hands.act(who, 'logistics', 'exception', sn, { abnormal_type: 'late', abnormal_note: '高速封路，改走国道' })
  if (end === 'sign')
    await hands.act(who, 'logistics', 'sign', sn, {
      signed_by: '库房收货员',
      signed_at: ago(left - 8),
      signature_sn: await hands.sign(who, { kind: 'logistics', sn }, '库房收货员'),
    })
  return sn
}

/** Shipments of a dealer to the hospital and of a manufacturer to the dealer, in every state. */
async function shipDeliveries(owner: Sql, hands: Hands): Promise<void> {
  for (const [code, customer, most] of [
    ['D01', 'H01', 5],
    ['V01', 'D01', 3],
    ['D02', 'H01', 2],
  ] as const) {
    const [who] = await peopleOf(owner, code)
    const found = await deliveries(owner, who, customer, false, most)
    // The first is sent, where there is only one: its receiver sees it under way.
    for (const [at, { sn }] of found.entries()) await shipOne(hands, who, sn, WAYS[(at + 1) % WAYS.length]!)
  }
  await hands.round()
}

/** The person whom the hospital named as its buyer to a dealer, and who signs for that dealer's shipments. */
async function nameBuyer({ app, owner }: DemoDatabase): Promise<void> {
  const [dealer] = await peopleOf(owner, 'D01')
  const [hospital] = await owner<{ id: string }[]>`select id from organisation where code = 'H01'`
  await inOrganisation(app, dealer.org.id, dealer.userId, tx =>
    addRecord(tx, dealer, recordOf('licence'), {
      holder_sn: hospital!.id,
      licence_type: '采购人员委托书',
      licence_no: 'CG-H01-01',
      valid_from: addDays(today(), -60),
      valid_to: addDays(today(), 305),
      person_name: '库房收货员',
    }),
  )
}

/** The leased halls: the platform leases one to a dealer, a dealer one to a manufacturer. */
type Hall = { readonly lessor: string; readonly tenant: string; readonly contract: string }
const HALLS: readonly Hall[] = [
  { lessor: 'P01', tenant: 'D03', contract: 'ZL-2026-001' },
  { lessor: 'D02', tenant: 'V01', contract: 'ZL-2026-101' },
]

/** The first rented or let store of an organisation; made where there is none. */
async function leasedStore({ owner, app }: DemoDatabase, who: Session, name: string): Promise<string> {
  const [known] = await owner<{ id: string }[]>`
    select id from warehouse where org_id = ${who.org.id} and model = 'leased' order by id limit 1`
  if (known) return known.id
  return inOrganisation(app, who.org.id, who.userId, async tx => {
    const made = await addRecord(tx, who, recordOf('warehouse'), { code: `${who.org.code}-ZL`, name, model: 'leased' })
    return made.sn
  })
}

/** A hall: its areas, who rents them, what that costs, and how warm it is. */
async function letHall(database: DemoDatabase, { lessor, tenant: code, contract: no }: Hall) {
  const { owner, app } = database
  const [platform, second] = await peopleOf(owner, lessor)
  const hall = await leasedStore(database, platform, '第三方物流仓')
  const [facts] = await owner<{ tenant: string; keeper: string | null }[]>`
    select o.id as tenant, (select e.id from employee e where e.org_id = ${platform.org.id} order by e.id limit 1)
      as keeper
      from organisation o where o.code = ${code}`
  const { tenant, keeper } = facts!
  const org = platform.org.id
  for (const [holder, scope] of [
    [org, '为其他医疗器械注册人、备案人和经营企业提供贮存、配送服务'],
    [tenant, '三类：6815、6846、6866、6877'],
  ] as const)
    for (const archive of new Set([org, holder]))
      await owner`
        insert into licence (org_id, holder_id, licence_type, licence_no, issuer, valid_from, valid_to, scope)
        select ${archive}, ${holder}, '医疗器械经营许可证', '演示械经营许' || ${holder}, '演示市药品监督管理局',
               ${addDays(today(), -400)}, ${addDays(today(), 1200)}, ${scope}
         where ${archive} = ${org} or not exists (
           select 1 from licence where org_id = ${archive} and holder_id = ${holder}
             and licence_type = '医疗器械经营许可证')
        on conflict do nothing`
  await inOrganisation(app, org, platform.userId, async tx => {
    const area = async (code: string, name: string, more: Readonly<Record<string, unknown>>) => {
      const { sn } = await addRecord(tx, platform, recordOf('leaseArea'), {
        warehouse_model_inner_sn: hall,
        code,
        name,
        month_rent: '30',
        keeper_sn: keeper,
        ...more,
      })
      return sn
    }
    const normal = { temperature_min: '10', temperature_max: '30', humidity_min: '35', humidity_max: '75' }
    const a = await area('A', '常温合格品区', { area_m2: '600', sensor_no: 'WS-A01', ...normal })
    const c = await area('C', '冷藏合格品区', {
      area_m2: '120',
      storage_condition: 'cold',
      temperature_min: '2',
      temperature_max: '8',
      sensor_no: 'WS-C01',
      month_rent: '85',
    })
    await area('D', '待验区', { area_m2: '60', area_kind: 'pending', ...normal })
    await area('N', '不合格品区', { area_m2: '30', area_kind: 'unqualified', ...normal })
    const act = async (kind: string, action: string, sn: string, more: Readonly<Record<string, unknown>>) => {
      const [row] = await tx<{ version: number }[]>`
        select version from ${tx(recordOf(kind).table)} where org_id = ${org} and id = ${sn}`
      await actOnRecord(tx, platform, recordOf(kind), action, { sn, version: row!.version, ...more })
    }
    await act('leaseArea', 'location', a, { shelf_no: 1, shelf_count: 3, layers: 4, columns_count: 6 })
    await act('leaseArea', 'location', c, { shelf_no: 1, shelf_count: 1, layers: 3, columns_count: 4 })
    for (const [hours, warm, cold] of [
      [26, '21.4', '4.6'],
      [14, '22.8', '5.1'],
      [2, '22.1', '4.9'],
    ] as const) {
      await act('leaseArea', 'reading', a, { read_at: ago(hours), temperature: warm, humidity: '52' })
      await act('leaseArea', 'reading', c, { read_at: ago(hours), temperature: cold, humidity: '48' })
    }
    const contract = await addRecord(tx, platform, recordOf('lessee'), {
      lessee_sn: tenant,
      contract_no: no,
      valid_from: `${addDays(today(), -170).slice(0, 7)}-16`,
      valid_to: addDays(today(), 195),
      warehouse_model_inner_sn: hall,
      price: '30',
      deposit: '20000',
      quality_manager: '质量负责人',
      contact: '仓储联系人',
      phone: '13900000931',
    })
    const start_on = `${addDays(today(), -170).slice(0, 7)}-16`
    const line = { lease_contract_sn: contract.sn, start_on }
    await addRecord(tx, platform, recordOf('leaseLine'), { ...line, lease_area_sn: a, area_m2: '200' })
    await addRecord(tx, platform, recordOf('leaseLine'), { ...line, lease_area_sn: c, area_m2: '40', price: '85' })
    await switchRecord(tx, platform, recordOf('lessee'), 'enable', { sn: contract.sn, version: contract.version })
    for (const back of [1, 2, 3]) await writeFees(tx, org, addDays(today(), -30 * back).slice(0, 7))
  })
  await shareLeasesOf(app, org)
  return [platform, second] as const
}

/** The tenant's goods come into the hall by notice, and leave it again. */
async function useHall(
  database: DemoDatabase,
  hands: Hands,
  hall: readonly [Session, Session],
  code: string,
): Promise<void> {
  const { owner } = database
  const [tenant] = await peopleOf(owner, code)
  const rented = await leasedStore(database, tenant, '租用外部仓')
  const [place] = await owner<{ area: string }[]>`
    select id as area from rented_area where org_id = ${tenant.org.id} and area_code = 'A' limit 1`
  const goods = await owner<
    { id: string; warehouse: string; lot_no: string; production_date: string; expiry_date: string; quantity: string }[]
  >`
    select b.specification_id as id, b.warehouse_id as warehouse, b.lot_no, b.production_date::text,
           b.expiry_date::text, floor(least(sum(b.available) / 2, 40))::text as quantity
      from stock_on_hand b join specification s on s.id = b.specification_id join product p on p.id = s.product_id
      left join dealer_product e on e.org_id = b.org_id and e.specification_id = s.id
      left join registration_certificate c on c.id = s.registration_certificate_id
     where b.org_id = ${tenant.org.id} and b.owner_org_id = b.org_id and b.warehouse_model = 'central'
       and b.quality_state = 'qualified' and not p.is_cold_chain and not coalesce(e.is_unit_coded, p.is_unit_coded)
       and coalesce(p.storage_condition, '') !~ '冷' and b.expiry_date > ${addDays(today(), 200)}::date
       and (c.valid_to is null or c.valid_to > ${addDays(today(), 30)}::date)
     group by 1, 2, 3, 4, 5 having sum(b.available) >= 10 order by sum(b.available) desc, 3 limit 3`
  if (!place || goods.length === 0) return
  const lines = goods.map(({ id, warehouse: _warehouse, ...lot }) => ({ specification_sn: id, ...lot }))
  const from = goods[0]!.warehouse
  const announce = (quantity: string, more: object = {}) =>
    hands.add(tenant, 'leaseNoticeIn', {
      notice_type: 'transfer',
      rented_area_sn: place.area,
      warehouse_model_inner_sn: from,
      expected_on: today(),
      lines: lines.filter((_line, at) => goods[at]!.warehouse === from).map(line => ({ ...line, quantity })),
      ...more,
    })
  const done = await announce('7')
  await hands.act(tenant, 'leaseNoticeIn', 'submit', done)
  await hands.round()
  for (const action of ['accept', 'receive', 'confirm']) {
    await hands.act(hall[0], 'leaseNoticeIn', action, done)
    await hands.round()
  }
  await takeBackSome(owner, hands, tenant, hall[0], done)
  // Others wait for the lessor, and for the tenant.
  await hands.act(tenant, 'leaseNoticeIn', 'submit', await announce('2'))
  await announce('1')
  const ship = async (quantity: string) => {
    const sn = await hands.add(tenant, 'leaseNoticeOut', {
      notice_type: 'transfer',
      rented_area_sn: place.area,
      warehouse_model_inner_sn: from,
      required_on: today(),
      lines: [{ specification_sn: lines[0]!.specification_sn, lot_no: lines[0]!.lot_no, quantity }],
    })
    await hands.act(tenant, 'leaseNoticeOut', 'submit', sn)
    await hands.round()
    return sn
  }
  const out = await ship('2')
  await shipFromHall(hands, hall, out)
  await ship('1')
  await sellFromHall(database, hands, hall, { tenant, area: place.area, rented, ...lines[0]! })
  await returnFromHall(database, hands, hall, { tenant, area: place.area, rented, lines })
}

type Returned = {
  readonly tenant: Session
  readonly area: string
  readonly rented: string
  readonly lines: readonly { readonly specification_sn: string; readonly lot_no: string }[]
}

/** One piece goes back to the supplier whom it came from; a maker bought nothing and returns nothing. */
async function returnFromHall(
  { owner }: DemoDatabase,
  hands: Hands,
  hall: readonly [Session, Session],
  { tenant, area, rented, lines }: Returned,
): Promise<void> {
  const [bought] = await owner<{ supplier: string; specification_sn: string; lot_no: string }[]>`
    select d.counterparty_id as supplier, l.specification_id as specification_sn, l.lot_no
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${tenant.org.id} and d.kind = 'purchaseGrn' and d.role = 'own' and d.red_of_id is null
       and d.state in ('reviewed', 'partial', 'completed') and d.regime = 'purchased' and l.base_quantity > 2
       and l.lot_no = any(${lines.map(line => line.lot_no)})
       and not exists (select 1 from line_progress g where g.org_id = l.org_id and g.document_id = l.document_id
                        and g.line_no = l.line_no and g.purpose in ('return', 'reverse'))
     order by d.id desc limit 1`
  if (!bought) return
  const { supplier, ...line } = bought
  const sn = await hands.add(tenant, 'leaseNoticeOut', {
    notice_type: 'purchase_return',
    rented_area_sn: area,
    warehouse_model_inner_sn: rented,
    counterparty_sn: supplier,
    return_reason: '外包装破损',
    delivery_address: '供应商退货仓',
    required_on: today(),
    lines: [{ ...line, quantity: '1' }],
  })
  await hands.act(tenant, 'leaseNoticeOut', 'submit', sn)
  await hands.round()
  await shipFromHall(hands, hall, sn)
}

/** The lessor picks, another checks, and the goods leave. */
async function shipFromHall(hands: Hands, hall: readonly [Session, Session], sn: string): Promise<void> {
  for (const [who, action] of [
    [hall[0], 'accept'],
    [hall[0], 'pick'],
    [hall[1], 'check'],
    [hall[0], 'confirm'],
  ] as const) {
    await hands.act(who, 'leaseNoticeOut', action, sn)
    await hands.round()
  }
}

/** Two pieces came by mistake: one is back by a red notice, another red notice waits for the lessor. */
async function takeBackSome(owner: Sql, hands: Hands, tenant: Session, lessor: Session, notice: string): Promise<void> {
  for (const actions of [['accept', 'confirm'], []]) {
    const given = { reason: '多通知1件', red_lines: '1:1' }
    await hands.act(tenant, 'leaseNoticeIn', 'redNotice', notice, given)
    await hands.round()
    const [red] = await owner<{ sn: string }[]>`
      select sn from document where org_id = ${tenant.org.id} and kind = 'leaseNoticeIn' and role = 'own'
        and fields->>'reverses_sn' = ${notice} order by id desc limit 1`
    for (const action of actions) {
      await hands.act(lessor, 'leaseNoticeIn', action, red!.sn)
      await hands.round()
    }
  }
}

type Sold = {
  readonly tenant: Session
  readonly area: string
  readonly rented: string
  readonly specification_sn: string
  readonly lot_no: string
}

/** A sale that the lessor ships for a tenant, on a shipment of the lessor. */
async function sellFromHall(
  { owner }: DemoDatabase,
  hands: Hands,
  hall: readonly [Session, Session],
  { tenant, area, rented, ...line }: Sold,
): Promise<void> {
  const [customer] = await owner<{ id: string }[]>`
    select o.id from org_relation r join organisation o on o.id = r.partner_id
     where r.org_id = ${tenant.org.id} and r.status = 'enabled'
       and (o.system_type = 1 or o.system_type = 2 and ${tenant.org.type} = 'V') order by o.id limit 1`
  if (!customer) return
  const sn = await hands.add(tenant, 'leaseNoticeOut', {
    notice_type: 'sale',
    rented_area_sn: area,
    warehouse_model_inner_sn: rented,
    counterparty_sn: customer.id,
    delivery_address: '门诊楼一层库房',
    required_on: today(),
    lines: [{ ...line, quantity: '1', price: '10', tax_rate: 13 }],
  })
  await hands.act(tenant, 'leaseNoticeOut', 'submit', sn)
  await hands.round()
  await shipFromHall(hands, hall, sn)
  await hands.act(hall[0], 'leaseNoticeOut', 'toLogistics', sn)
  await hands.round()
}

/** Shipments, and a warehouse that is let. */
export async function bringTransport(database: DemoDatabase): Promise<void> {
  const hands = openHands(database)
  await nameBuyer(database)
  await shipDeliveries(database.owner, hands)
  for (const hall of HALLS) {
    const people = await letHall(database, hall)
    await useHall(database, hands, people, hall.tenant)
    await shareLeasesOf(database.app, people[0].org.id)
  }
}

/** Cold goods on their way, with what their recorder measured: once files can be kept. */
export async function bringTemperatures(database: DemoDatabase, store: FileStore): Promise<void> {
  const { owner } = database
  const hands = openHands(database)
  connectWith({ files: store })
  for (const code of ['D03', 'V03']) {
    const [who] = await peopleOf(owner, code)
    for (const [at, { sn }] of (await deliveries(owner, who, 'H01', true, 2)).entries()) {
      const logger = `TL-88${at}2`
      const way = await hands.add(who, 'logistics', {
        source_type: 7,
        source_sn: sn,
        delivery_address: '检验科冷库',
        carriage: 'entrusted',
        carrier: '顺达冷链',
        plate_no: '沪B66881',
        package_count: 2,
        cold_box_no: `BW-0${at + 1}`,
        temperature_logger_no: logger,
        departure_temperature: '4.2',
        freight: '260',
      })
      await hands.act(who, 'logistics', 'ship', way, { departed_at: ago(9) })
      const file = await upload(database, store, who, `${logger}.csv`, recorded(logger, code === 'V03' || at === 1))
      await hands.act(who, 'logistics', 'temperature', way, { temperature_record: [file] })
    }
  }
  await hands.round()
}

/** A recorder's file over eight hours, every five minutes; a warm one was left in the sun for a while. */
function recorded(logger: string, isWarm: boolean): Buffer {
  const rows = Array.from({ length: 96 }, (_, at) => {
    const wall = new Date(Date.now() - (9 - at / 12) * HOUR + 8 * HOUR).toISOString().slice(0, 19).replace('T', ' ')
    const warm = isWarm && at > 50 && at < 60 ? 5 : 0
    return `${at + 1},${wall},${(4.6 + Math.sin(at / 7) * 1.4 + warm).toFixed(1)},${(52 + (at % 9)).toFixed(1)}`
  })
  return Buffer.from(`设备编号：${logger}\n序号,记录时间,温度(℃),湿度(%RH)\n${rows.join('\n')}\n`)
}
