import { addDays, today } from '#kernel/values/date.ts'
import { compare } from '#kernel/values/decimal.ts'
import { seedHospitalPolicies } from '#modules/base/rules/rules.server.ts'
import { recordOf } from '#demo/records.ts'
import type { DemoDatabase } from '#demo/simulation/actions.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { actOnRecord, addRecord, editRecord } from '#server/records/write.ts'
import { makeCall } from '#server/records/ticked-rows.ts'
import { listRecords } from '#server/records/read.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'

type Body = Readonly<Record<string, unknown>>
/** Adds the record; it takes effect if it is reviewed. */
async function add(tx: Tx, who: Session, kind: string, body: Body, reviewed = true): Promise<void> {
  const { sn, version } = await addRecord(tx, who, recordOf(kind), body)
  if (reviewed) await actOnRecord(tx, who, recordOf(kind), 'review', { sn, version })
}

/**
 * The hospitals' decisions: adjusted rules, how the charge price is derived from the cost, and what they accept from
 * their suppliers.
 */
export async function decide({ owner, app }: DemoDatabase): Promise<void> {
  await seedHospitalPolicies(owner)
  for (const { id } of await owner<
    { id: string }[]
  >`select id from organisation where system_type = 1 and kept_by_id is null and uses_system order by id`) {
    const organisation = await systemSessionOf(owner, id)
    await inOrganisation(app, id, '0', async tx => {
      await tune(tx, { ...organisation, userName: '信息科管理员' })
      await setMarkups(tx, { ...organisation, userName: '物价办公室' })
      await setRates(tx, { ...organisation, userName: '耗材办公室' })
    })
  }
  for (const { id } of await owner<
    { id: string }[]
  >`select id from organisation where system_type in (2, 3) and kept_by_id is null and uses_system order by id`) {
    const organisation = await systemSessionOf(owner, id)
    const who = { ...organisation, userName: '质量负责人' }
    await inOrganisation(app, id, '0', tx => setRules(tx, who, RULES_OF_TRADERS))
  }
  await takeOver({ owner, app })
  await lookAfterAdvances({ owner, app })
}

/** One line of the goods held by customers was used; for another, finance confirmed the price. */
async function lookAfterAdvances({ owner, app }: DemoDatabase): Promise<void> {
  const organisations = await owner<{ org_id: string }[]>`select distinct org_id from advance_line order by org_id`
  for (const { org_id } of organisations) {
    const organisation = await systemSessionOf(owner, org_id)
    await inOrganisation(app, org_id, '0', async tx => {
      const line = recordOf('advanceLine')
      const { list } = await listRecords(tx, organisation, line, { line_price_state: '1', pageSize: '50' })
      const [used, priced] = list.filter(row => compare(String(row.open_quantity), '2') >= 0)
      const at = (row: Body) => ({ sn: row.advance_line_sn, version: row.version })
      if (used)
        await actOnRecord(tx, { ...organisation, userName: '销售员' }, line, 'noteUse', {
          ...at(used),
          used_on: today(),
          used_quantity: '1',
        })
      if (priced) await actOnRecord(tx, { ...organisation, userName: '财务' }, line, 'priceConfirm', at(priced))
    })
  }
}

/**
 * Makers request the regulator's data for their goods; the platform has approved one of each and still has to decide
 * on the others.
 */
async function takeOver({ owner, app }: DemoDatabase): Promise<void> {
  const rows = await owner<{ id: string; maker: string }[]>`
    select x.id, p.manufacturer_id as maker from udi_difference x join product p on p.id = x.product_id
      join organisation o on o.id = p.manufacturer_id and o.uses_system
     where x.said !~ '^已退市' order by p.manufacturer_id, x.id`
  const [platform] = await owner<
    { id: string }[]
  >`select id from organisation where system_type = 0 order by id limit 1`
  const checkFile = { ...(await systemSessionOf(owner, platform!.id)), userName: '产品主数据专员' }
  for (const [maker, own] of Map.groupBy(rows, row => row.maker)) {
    const who = { ...(await systemSessionOf(owner, maker)), userId: '1', userName: '注册专员' }
    const keys = own.slice(0, 2).map(row => row.id)
    await inOrganisation(app, maker, '0', tx =>
      makeCall(tx, who, recordOf('udiDifference'), 'takeOver', { note: '与药监局公布的信息一致' }, keys),
    )
    const [first] = await owner<{ sn: string; version: number }[]>`
      select id as sn, version from udi_adoption where specification_id = ${keys[0]!} and state = 'pending'`
    if (first)
      await inOrganisation(app, checkFile.org.id, '0', tx =>
        actOnRecord(tx, checkFile, recordOf('udiAdoption'), 'review', first),
      )
  }
}

type Changes = Readonly<Record<string, { readonly figure: string; readonly reason: string }>>
const RULES_OF_HOSPITALS: Changes = {
  paymentTerm: { figure: '60', reason: '与供应商的框架协议一致' },
  settleDay: { figure: '月末', reason: '财务按自然月结账' },
}
const RULES_OF_TRADERS: Changes = {
  careDays: { figure: '60', reason: '夏季加强在库养护' },
}

/** Changes these rules, and returns all of them as they were before. */
async function setRules(tx: Tx, who: Session, changes: Changes): Promise<readonly Body[]> {
  const definition = recordOf('hospitalRule')
  const rows = (await listRecords(tx, who, definition, { pageSize: '100', pageNum: '1' })).list as Body[]
  for (const [name, body] of Object.entries(changes)) {
    const row = rows.find(one => one.name === name)!
    await editRecord(tx, who, definition, { sn: row.hospital_rule_sn, version: row.version, ...body })
  }
  return rows
}

async function tune(tx: Tx, who: Session): Promise<void> {
  const definition = recordOf('hospitalRule')
  const rows = await setRules(tx, who, RULES_OF_HOSPITALS)
  const [store] = await tx<{ id: string }[]>`
    select id from warehouse where org_id = ${who.org.id} and model = 'central' and status = 'enabled' order by id
      limit 1`
  const life = rows.find(row => row.name === 'minShelfLife')!
  const where = { warehouse_model_inner_sn: store!.id }
  await actOnRecord(tx, who, definition, 'narrow', { sn: life.hospital_rule_sn, version: life.version, ...where })
}

async function setMarkups(tx: Tx, who: Session): Promise<void> {
  const basis = '取消医用耗材加成，实行零差率销售'
  const from = { method: 'zero', valid_from: addDays(today(), -360), policy_basis: basis }
  await add(tx, who, 'markupRule', { ...from, scope: 'house' })
  const [collective] = await tx<{ id: string }[]>`
    select specification_id as id from hospital_product where org_id = ${who.org.id} and collective_batch is not null
      order by id limit 1`
  if (collective)
    await add(tx, who, 'markupRule', {
      ...from,
      scope: 'single',
      specification_sn: collective.id,
      policy_basis: '集采产品执行零加成',
    })
  const next = {
    ...from,
    scope: 'house',
    valid_from: addDays(today(), 40),
    valid_to: addDays(today(), 400),
    remark: '待物价部门批复',
  }
  const [waits] = await tx<{ id: string }[]>`
    select specification_id as id from hospital_product where org_id = ${who.org.id} and collective_batch is null
      order by id limit 1`
  if (waits) await add(tx, who, 'markupRule', { ...next, scope: 'single', specification_sn: waits.id }, false)
}

async function setRates(tx: Tx, who: Session): Promise<void> {
  const suppliers = await tx<{ id: string; code: string }[]>`
    select distinct o.id, o.code from org_relation r join organisation o on o.id = r.partner_id
     where r.org_id = ${who.org.id} and r.status = 'enabled' and o.system_type in (2, 3) order by o.id limit 6`
  for (const [at, { id, code }] of suppliers.entries()) {
    const base = { supplier_sn: id, payment_days: '60', settle_day: '25', contract_no: `FW2026-${code}` }
    const since = addDays(today(), -360)
    await add(tx, who, 'supplierRate', {
      ...base,
      fee_class: 'dear',
      rate: '0.02',
      valid_from: since,
      cap_amount: '20000',
    })
    await add(tx, who, 'supplierRate', {
      ...base,
      fee_class: 'cheap',
      rate: '0.04',
      valid_from: since,
      floor_amount: '200',
    })
    await add(tx, who, 'supplierRate', { ...base, fee_class: 'bone', rate: '0.02', valid_from: since })
    if (at === 0)
      await add(tx, who, 'supplierRate', {
        ...base,
        fee_class: 'dear',
        rate: '0.018',
        valid_from: addDays(today(), 10),
      })
    const isWaiting = at === 1
    await add(
      tx,
      who,
      'supplierRate',
      { ...base, fee_class: 'reagent', rate: '0.03', valid_from: isWaiting ? today() : since },
      !isWaiting,
    )
  }
}
