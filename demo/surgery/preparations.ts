import { addDays, today } from '#kernel/values/date.ts'
import { recordOf } from '#demo/records.ts'
import { type Field, HIPS, PACING } from '#demo/surgery/fields.ts'
import { productsOf } from '#demo/trades.ts'
import type { DemoDatabase } from '#demo/simulation/actions.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { listRecords } from '#server/records/read.ts'
import { actOnRecord, addRecord, switchRecord } from '#server/records/write.ts'
import { rulesOf } from '#server/registry/hooks.ts'

type Values = Readonly<Record<string, unknown>>
type Hand = { readonly tx: Tx; readonly who: Session }

const add = ({ tx, who }: Hand, kind: string, values: Values) => addRecord(tx, who, recordOf(kind), values)

/** Runs an action on the row of a code, as somebody who opened its page would. */
async function act({ tx, who }: Hand, kind: string, code: string, action: string, values: Values = {}): Promise<void> {
  const definition = recordOf(kind)
  const [row] = (await listRecords(tx, who, definition, { code })).list
  const body = { sn: row![definition.key], version: row!.version, ...values }
  if (action === 'enable') await switchRecord(tx, who, definition, 'enable', body)
  else await actOnRecord(tx, who, definition, action, body)
}

const as = async <T>({ owner, app }: DemoDatabase, org: string, name: string, work: (hand: Hand) => Promise<T>) => {
  const who = { ...(await systemSessionOf(owner, org)), userName: name }
  return inOrganisation(app, org, '0', tx => work({ tx, who }))
}

type Goods = { readonly id: string; readonly name: string }

/** Free goods of a store for a field, those of its first operation first; where pieces have codes, all of them have. */
const goodsOf = (owner: DemoDatabase['owner'], org: string, store: string, field: Field) => owner<Goods[]>`
  select b.specification_id as id, p.name from stock_on_hand b
    join specification s on s.id = b.specification_id join product p on p.id = s.product_id
   where b.org_id = ${org} and b.warehouse_id = ${store} and b.owner_org_id = b.org_id
     and b.quality_state = 'qualified' and s.status = 'released' and p.code = any(${productsOf(field.trade)})
     and b.expiry_date > ${addDays(today(), 10)}::date
   group by 1, 2, s.id, p.is_implant, p.is_high_value, p.is_unit_coded
  having sum(b.available) >= 8 and sum(b.available) = sum(b.quantity)
     and (not p.is_unit_coded and not exists (select from unit u where u.specification_id = s.id and u.id > 0
            and u.holder_org_id = ${org} and u.warehouse_id = ${store} and u.status = 'in_stock')
       or p.is_unit_coded and sum(b.quantity) = (select count(*) from unit u where u.specification_id = s.id
            and u.id > 0 and u.holder_org_id = ${org} and u.warehouse_id = ${store} and u.status = 'in_stock'))
   order by p.name ~ ${field.goods} desc, p.is_implant desc, sum(b.available) desc, 1 limit 4`

/** The pieces of each instrument: two sets are whole, and some are loose. */
const PIECES = 3

/** Lists and numbered kits of a dealer or maker: one is whole, one lacks pieces, one is packed by scan and empty. */
async function makeKits(
  hand: Hand,
  field: Field,
  { store, goods, tools }: { readonly store: string; readonly goods: readonly Goods[]; readonly tools: string },
): Promise<void> {
  const [surgery_name, surgery_code, body_site, name] = field.operations[0]!
  const list = await add(hand, 'operationKit', {
    code: 'TBM-KG',
    name: `${name}套包`,
    surgery_name,
    surgery_code,
    system_brand: field.system,
    body_site,
    tools_template_sn: tools,
  })
  for (const [at, { id }] of goods.entries())
    await add(hand, 'operationKitLine', {
      operation_kit_sn: list.sn,
      specification_sn: id,
      quantity: '2',
      tray: at < 2 ? '上层' : '下层',
      sort_no: at,
    })
  const kit = (code: string, packed_by: string) =>
    add(hand, 'implantKit', {
      code,
      operation_kit_sn: list.sn,
      packed_by,
      warehouse_model_inner_sn: store,
      remark: packed_by === 'scan' ? '待扫码装入' : '',
    })
  await kit('TB-KG-01', 'list')
  await kit('TB-KG-02', 'list')
  await kit('TB-KG-03', 'scan')
  const [kept] = (await listRecords(hand.tx, hand.who, recordOf('implantKit'), { code: 'TB-KG-02' })).list
  const [line] = (
    await listRecords(hand.tx, hand.who, recordOf('implantKitLine'), { implant_kit_sn: String(kept!.implant_kit_sn) })
  ).list
  const [code] = line!.unit_codes as readonly string[]
  const one = code === undefined ? { specification_sn: line!.specification_sn, quantity: '1' } : { unit_codes: [code] }
  await act(hand, 'implantKit', 'TB-KG-02', 'takeOut', one)
}

/** Instruments under their codes, and sets of them: one at hand, one being inspected. */
async function makeTools(hand: Hand, field: Field, store: string, mark: string): Promise<string> {
  const [surgery_name, , , named] = field.operations[0]!
  const template = await add(hand, 'toolsTemplate', {
    code: 'GJM-KG',
    name: `${named}工具包`,
    system_brand: field.system,
    surgery_name,
    trays: '2箱/2层',
    weight: '6.5',
  })
  for (const [at, instrument] of field.instruments.entries()) {
    const { tool_code, name, model } = instrument
    await add(hand, 'toolsTemplateLine', {
      tools_template_sn: template.sn,
      tool_code,
      name,
      model,
      tray: at < 2 ? '1' : '2',
      quantity: '1',
      is_key: at === 0,
    })
    for (let piece = 1; piece <= PIECES; piece += 1)
      await add(hand, 'surgicalTool', {
        ...instrument,
        code: `${mark}-${tool_code}-${piece}`,
        manufacturer: '手术器械厂',
        material: '医用不锈钢',
        registration_no: '国械备20190001号',
        system_brand: field.system,
        warehouse_model_inner_sn: store,
        bought_on: addDays(today(), -400),
        serviced_on: addDays(today(), piece === PIECES ? -200 : -20),
        original_value: at === 0 ? '18600' : '860',
      })
  }
  const set = (code: string) =>
    add(hand, 'toolsKit', {
      code,
      tools_template_sn: template.sn,
      warehouse_model_inner_sn: store,
      sterilisation_method: '高压蒸汽灭菌',
    })
  await set('GJ-KG-01')
  await set('GJ-KG-02')
  await act(hand, 'toolsKit', 'GJ-KG-01', 'check', {
    tool_codes: field.instruments.map(({ tool_code }) => `${mark}-${tool_code}-1`),
  })
  await act(hand, 'surgicalTool', `${mark}-LD-03-3`, 'repair', { reason: '刀头磨损' })
  return template.sn
}

/** Standards by which a hospital or a dealer plans an operation; `by` reviews what another wrote. */
async function makePaths({ tx, who }: Hand, field: Field, goods: readonly Goods[], by: string): Promise<void> {
  const author = { tx, who: { ...who, userId: '-1', userName: '手术室护士长' } }
  const reviewer = { tx, who: { ...who, userName: by } }
  for (const [nth, [name, surgery_code, body_site, kit]] of field.operations.entries()) {
    const code = `LJ-0${nth + 1}`
    const path = await add(author, 'operationPath', {
      code,
      name,
      surgery_code,
      body_site,
      needs_side: true,
      lead_hours: 48,
      duration_minutes: 120,
      system_brand: field.system,
    })
    const line = (values: Values) => add(author, 'operationPathLine', { operation_path_sn: path.sn, ...values })
    await line({
      stage_no: 1,
      stage: 'before',
      item_type: 'kit',
      item_name: `${kit}套包`,
      quantity: '1',
      max_quantity: '1',
    })
    await line({
      stage_no: 2,
      stage: 'access',
      item_type: 'toolsKit',
      item_name: `${kit}工具包`,
      quantity: '1',
      max_quantity: '1',
    })
    for (const [at, { id }] of goods.slice(0, 2).entries())
      await line({
        stage_no: 3,
        stage: 'fix',
        item_type: 'goods',
        specification_sn: id,
        quantity: String(at + 2),
        max_quantity: String(at + 4),
      })
    await act(author, 'operationPath', code, 'submit')
    if (nth > 0) continue
    await act(reviewer, 'operationPath', code, 'review')
    await act(reviewer, 'operationPath', code, 'enable')
  }
}

/**
 * Prepares operations on loaned goods: kits of implants, instruments and their sets, and the standards of operations;
 * the platform's templates are given to the hospital and to dealers.
 */
export async function prepareOperations(database: DemoDatabase): Promise<void> {
  const { owner } = database
  for (const [code, mark, field] of [
    ['D01', 'GJD', HIPS],
    ['V01', 'GJV', PACING],
  ] as const) {
    const [side] = await owner<{ org: string; store: string }[]>`
      select o.id as org, w.id as store from organisation o
        join warehouse w on w.org_id = o.id and w.model = 'central' and w.status = 'enabled'
       where o.code = ${code} order by w.id limit 1`
    if (!side) continue
    const goods = await goodsOf(owner, side.org, side.store, field)
    await as(database, side.org, '跟台主管', async hand => {
      const tools = await makeTools(hand, field, side.store, mark)
      if (goods.length > 0) await makeKits(hand, field, { store: side.store, goods, tools })
      if (goods.length > 0) await makePaths(hand, field, goods, '业务经理')
    })
  }
  await givePaths(database)
  await assignOne(database)
}

/** The hospital's own paths, and the platform's for everybody. */
async function givePaths(database: DemoDatabase): Promise<void> {
  const { owner, app } = database
  const orgs = await owner<{ id: string; code: string; system_type: number }[]>`
    select id, code, system_type from organisation where code = 'H01' or system_type = 0 order by system_type`
  const named = (name: string) => owner<Goods[]>`
    select s.id, p.name from specification s join product p on p.id = s.product_id
     where s.status = 'released' and p.is_implant and p.name ~ ${name} order by s.id limit 3`
  const [hips, spine] = [await named(HIPS.goods), await named('脊柱')]
  for (const { id, system_type } of orgs)
    await as(database, id, '手术室主任', async hand => {
      await makePaths(hand, HIPS, hips, '医务科')
      if (system_type !== 0) return
      const kit = await add(hand, 'operationKit', {
        code: 'PT-JZ',
        name: '脊柱内固定标准套包',
        surgery_name: '腰椎后路融合术',
        surgery_code: '81.08',
        body_site: '腰椎',
      })
      for (const { id: specification } of spine)
        await add(hand, 'operationKitLine', {
          operation_kit_sn: kit.sn,
          specification_sn: specification,
          quantity: '4',
        })
    })
  const platform = orgs.find(org => org.system_type === 0)
  if (!platform) return
  for (const [kind, code] of [
    ['operationPath', 'LJ-01'],
    ['operationKit', 'PT-JZ'],
  ] as const) {
    const row = await as(database, platform.id, '平台运营', async hand => {
      await act(hand, kind, code, 'push', { scope: 'dealers' })
      return (await listRecords(hand.tx, hand.who, recordOf(kind), { code })).list[0]
    })
    const who = await systemSessionOf(owner, platform.id)
    await rulesOf(kind).afterwards?.(app, who, 'push', row!)
  }
}

/** A kit and a set are prepared for the operation that the dealer accepted last. */
async function assignOne(database: DemoDatabase): Promise<void> {
  const [plan] = await database.owner<{ org: string; sn: string }[]>`
    select d.org_id as org, d.sn from document d join organisation o on o.id = d.org_id and o.code = 'D01'
     where d.kind = 'bonePlan' and d.role = 'counterparty' and d.state = 'reviewed'
       and d.fields->>'accept_state' = '2' and coalesce(d.fields->>'follow_state', '1') = '1'
     order by d.id desc limit 1`
  if (!plan) return
  await as(database, plan.org, '跟台主管', async hand => {
    await act(hand, 'implantKit', 'TB-KG-01', 'assign', { plan_no: plan.sn })
    await act(hand, 'toolsKit', 'GJ-KG-01', 'lend', { plan_no: plan.sn })
  })
}
