import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { packLevels } from '#modules/trade/catalogue/udi/packaging-levels.ts'
import type { UdiPack } from '#modules/trade/catalogue/udi/udi-record.ts'
import type { RecordRules } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

const CHUNK = 500

/**
 * Builds the packing levels of records that have none yet, some hundreds per transaction; several processes each
 * take different ones.
 */
export async function checkPacks(owner: Sql): Promise<void> {
  while ((await checkSome(owner)) > 0);
}

const checkSome = (owner: Sql): Promise<number> =>
  owner.begin(async tx => {
    const devices = await tx<{ id: string; primary_di: string; packs: UdiPack[] }[]>`
      select id, primary_di, packs from udi_device where not packs_judged and packs <> '[]' order by id
        limit ${CHUNK} for update skip locked`
    if (devices.length === 0) return 0
    const levels = devices.flatMap(device =>
      packLevels(device.primary_di, device.packs).map(level => ({ udi_device_id: device.id, ...level })),
    )
    await tx`
      insert into udi_pack (udi_device_id, line_no, di, level_name, count, lower_di, base_count, depth, problem)
      select * from jsonb_to_recordset(${tx.json(levels)}::jsonb) as r(udi_device_id bigint, line_no int, di text,
        level_name text, count int, lower_di text, base_count int, depth int, problem text)
      on conflict do nothing`
    await tx`update udi_device set packs_judged = true where id = any(${devices.map(device => device.id)}::bigint[])`
    return devices.length
  }) as Promise<number>

type Unit = { id: string; name: string; base_measure: number; udi_di: string | null; parent_unit_id: string | null }
type Level = { di: string; level_name: string | null; count: number; lower_di: string; base_count: number }

/** A name no other unit of the size has: the level's, with its content if that is taken. */
function nameFor({ level_name, base_count }: Level, units: readonly Unit[]): string {
  const plain = (level_name ?? '包装').slice(0, 10)
  const tries = [plain, `${plain.slice(0, 4)}${base_count}`.slice(0, 10)]
  for (let number = 2; number < 100; number++) tries.push(`${plain.slice(0, 7)}${number}`)
  return tries.find(name => !units.some(unit => unit.name === name))!
}

/**
 * The size gets the packs published by the regulator. A unit keeps its ratio, as documents of any organisation may
 * be written in it: its identifier moves to another unit beside it. Levels of a device are few, so each is written
 * separately.
 */
export async function adoptPacks(tx: Tx, size: string, device: string): Promise<void> {
  const levels = await tx<Level[]>`
    select di, level_name, count, lower_di, base_count from udi_pack
      where udi_device_id = ${device} and problem is null order by depth, line_no`
  if (levels.length === 0) return
  const [foreign] = await tx<{ di: string; goods: string }[]>`
    select n.udi_di as di, p.name || ' ' || s.name as goods from pack_unit n
      join specification s on s.id = n.specification_id join product p on p.id = s.product_id
     where n.udi_di = any(${levels.map(level => level.di)}) and n.specification_id <> ${size} limit 1`
  if (foreign)
    throw new BusinessError('duplicate', `包装UDI-DI ${foreign.di}已被产品【${foreign.goods}】使用，请先在该产品上更正`)
  const units = await tx<Unit[]>`
    select id, name, base_measure, udi_di, parent_unit_id from unit_tree where specification_id = ${size}
      order by base_measure`
  for (const level of levels) await adoptLevel(tx, size, level, units)
}

async function adoptLevel(tx: Tx, size: string, level: Level, units: Unit[]): Promise<void> {
  const known = units.find(unit => unit.udi_di === level.di)
  if (known?.base_measure === level.base_count) return
  const bare = units.find(
    unit => unit.parent_unit_id !== null && unit.udi_di === null && unit.base_measure === level.base_count,
  )
  const lower = units.find(unit => unit.udi_di === level.lower_di)
  const parent = lower === undefined || lower.id === size ? null : lower.id
  if (known) {
    await tx`update pack_unit set udi_di = null, version = version + 1 where id = ${known.id}`
    known.udi_di = null
  }
  if (bare) {
    await tx`update pack_unit set udi_di = ${level.di}, version = version + 1 where id = ${bare.id}`
    bare.udi_di = level.di
    return
  }
  const name = nameFor(level, units)
  const [made] = await tx<{ id: string }[]>`
    insert into pack_unit (specification_id, parent_id, name, measure, base_measure, udi_di)
    values (${size}, ${parent}, ${name}, ${level.count}, ${level.base_count}, ${level.di}) returning id`
  units.push({ id: made!.id, name, base_measure: level.base_count, udi_di: level.di, parent_unit_id: parent ?? size })
}

export const udiLevelRules: RecordRules = { kind: 'udiLevel' }
