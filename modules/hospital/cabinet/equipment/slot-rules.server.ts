import { today } from '#kernel/values/date.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { lowMeasures } from '#modules/hospital/cabinet/equipment/cabinet-labels.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import type { Change } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Door = { code: string; door_no: string; layers: number; is_cold: boolean; door_name: string }

async function doorOf(tx: Tx, session: Session, door: string): Promise<Door> {
  const [found] = await tx<Door[]>`
    select c.code, d.door_no, d.layers, (d.door_kind = 'cold' or c.cabinet_type = 'cold') as is_cold,
      c.name as door_name
      from cabinet_door d join cabinet c on c.org_id = d.org_id and c.id = d.cabinet_id
        where d.org_id = ${session.org.id} and d.id = ${door}`
  if (!found) throw new BusinessError('notFound', '柜门不存在或已被删除')
  return found
}

/** The bound goods must fit the door's climate, and low-value slots hold goods without codes. */
async function refuseUnfit(tx: Tx, session: Session, door: Door, change: Change): Promise<void> {
  const specification = String(change.after.specification_sn)
  const facts = await specificationFacts(tx, [specification], {
    org: session.org.id,
    counterparty: null,
    direction: 'none',
    day: today(),
  })
  const fact = facts.get(specification)
  if (!fact) return
  if (fact.is_cold_chain !== door.is_cold)
    throw new BusinessError('rule', `产品【${fact.product_name}】贮存条件与柜体不符`)
  if (Object.hasOwn(lowMeasures, String(change.after.measure)) && (fact.is_high_value || fact.is_unit_coded))
    throw new BusinessError('rule', '高值耗材不能放入低值耗材柜')
}

async function refuseWhileFull(tx: Tx, session: Session, change: Change): Promise<void> {
  if (change.before === null || change.before.specification_sn === change.after.specification_sn) return
  const was = change.before.specification_sn
  const [full] = await tx`
    select 1 from cabinet_stock where org_id = ${session.org.id} and slot_id = ${String(change.id)} and quantity > 0
      limit 1`
  if (was && full) throw new BusinessError('blocked', '货格存在库存，不能更换产品')
}

/** The rules of a slot, whichever page writes it. Its code consists of cabinet, door, layer and slot. */
export async function checkSlot(tx: Tx, session: Session, change: Change): Promise<readonly Problem[]> {
  const { after, id } = change
  const door = await doorOf(tx, session, String(after.door_sn))
  if (parseInteger(after.layer) > door.layers)
    return [{ field: 'layer', msg: `柜门【${door.door_no}】只有${door.layers}层` }]
  after.location = `${door.code}-${door.door_no}-${String(after.layer)}-${String(after.slot_no)}`
  const [other] = await tx`
    select 1 from cabinet_slot where org_id = ${session.org.id} and door_id = ${String(after.door_sn)}
      and layer = ${parseInteger(after.layer)} and slot_no = ${String(after.slot_no)} and id is distinct
      from ${id}::bigint`
  if (other) return [{ field: 'slot_no', msg: '货格编号已存在' }]
  await refuseWhileFull(tx, session, change)
  if (after.specification_sn) await refuseUnfit(tx, session, door, change)
  if (after.measure === 'weight' && !after.plate_sn) return [{ field: 'plate_sn', msg: '计量方式为称重，请选择托盘' }]
  if (!after.plate_sn) return []
  const [taken] = await tx<{ location: string }[]>`
    select location from cabinet_slot where org_id = ${session.org.id} and plate_id = ${String(after.plate_sn)}
      and id is distinct from ${id}::bigint limit 1`
  return taken ? [{ field: 'plate_sn', msg: `托盘已用于货格【${taken.location}】` }] : []
}
