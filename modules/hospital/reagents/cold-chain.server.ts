import { compare, type Decimal, plain } from '#kernel/values/decimal.ts'
import { clock, instant } from '#kernel/values/date.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import type { Change, RecordRules } from '#server/public/records.ts'
import { scopeSql, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** For this long a reading of a refrigerator speaks for it. */
const READING_HOURS = 12
const OUT_OF_RANGE = '温度超限，请登记处理意见'
/** The temperature range of a cold-chain reagent whose product names none. */
const COLD = { low: '2', high: '8' } as const

export type ColdStore = {
  readonly refrigerator_sn: string | null
  readonly temperature: Decimal | null
  readonly opinion: string | null
}
/** The fields of a product that say how cold it must be kept. */
export type ColdNeeds = {
  readonly is_cold_chain: boolean
  readonly temperature_low: number | null
  readonly temperature_high: number | null
}

const isOutside = (temperature: Decimal, low: Decimal, high: Decimal): boolean =>
  compare(temperature, low) < 0 || compare(temperature, high) > 0

type Refrigerator = {
  readonly warehouse_id: string
  readonly name: string
  readonly status: string
  readonly temperature_min: Decimal
  readonly temperature_max: Decimal
}

async function refrigeratorOf(tx: Tx, org: string, id: unknown): Promise<Refrigerator | undefined> {
  const [row] = await tx<Refrigerator[]>`
    select warehouse_id, name, status, temperature_min, temperature_max from refrigerator
     where org_id = ${org} and id = ${String(id)}`
  return row
}

async function newestReading(tx: Tx, org: string, refrigerator: string): Promise<Decimal | null> {
  const since = new Date((clock.at ?? new Date()).getTime() - READING_HOURS * 3_600_000).toISOString()
  const [row] = await tx<{ temperature: Decimal }[]>`
    select temperature from refrigerator_reading
     where org_id = ${org} and refrigerator_id = ${refrigerator} and read_at >= ${since}
     order by read_at desc limit 1`
  return row?.temperature ?? null
}

/**
 * Checks the temperature of the store that bottles go to: reagents of the cold chain need a reading within the range of
 * their product, or a decision about it. Returns the reading that counts.
 */
export async function checkCold(
  tx: Tx,
  session: Session,
  needs: ColdNeeds,
  warehouse: string,
  cold: ColdStore,
): Promise<{ readonly temperature: Decimal | null; readonly problems: readonly Problem[] }> {
  const org = session.org.id
  const refuse = (field: string, msg: string) => ({ temperature: null, problems: [{ field, msg }] })
  if (cold.refrigerator_sn === null)
    return needs.is_cold_chain
      ? refuse('refrigerator_sn', '冷链试剂领入须选择冰箱')
      : { temperature: cold.temperature, problems: [] }
  const place = await refrigeratorOf(tx, org, cold.refrigerator_sn)
  if (!place || place.status !== 'enabled' || place.warehouse_id !== warehouse)
    return refuse('refrigerator_sn', '所选冰箱已停用或不在试剂所在仓库，请重新选择')
  const temperature = cold.temperature ?? (await newestReading(tx, org, cold.refrigerator_sn))
  if (!needs.is_cold_chain) return { temperature, problems: [] }
  if (temperature === null) return refuse('temperature', `冰箱【${place.name}】12小时内没有温度读数，请登记冰箱温度`)
  const low = String(needs.temperature_low ?? COLD.low)
  const high = String(needs.temperature_high ?? COLD.high)
  if (isOutside(temperature, low, high) && !cold.opinion) return refuse('opinion', OUT_OF_RANGE)
  return { temperature, problems: [] }
}

/** A reading that was written while bottles were taken in is one of the refrigerator's. */
export async function keepReading(tx: Tx, session: Session, cold: ColdStore): Promise<void> {
  if (cold.refrigerator_sn === null || cold.temperature === null) return
  await tx`
    insert into refrigerator_reading (org_id, refrigerator_id, temperature, is_out, opinion, recorded_by, read_at)
    select r.org_id, r.id, ${cold.temperature}::numeric,
           ${cold.temperature}::numeric not between r.temperature_min and r.temperature_max, ${cold.opinion},
           ${session.userName}, ${instant()}
      from refrigerator r where r.org_id = ${session.org.id} and r.id = ${cold.refrigerator_sn}`
}

async function checkReading(tx: Tx, session: Session, { after }: Change): Promise<Problem[]> {
  const place = await refrigeratorOf(tx, session.org.id, after.refrigerator_sn)
  if (!place || place.status !== 'enabled') return [{ field: 'refrigerator_sn', msg: '冰箱已停用，请重新选择' }]
  after.is_out = isOutside(String(after.temperature), place.temperature_min, place.temperature_max)
  after.recorded_by = session.userName
  after.read_at = instant()
  if (after.is_out === true && !after.opinion)
    return [
      {
        field: 'opinion',
        msg: `${OUT_OF_RANGE}（范围${plain(place.temperature_min)}至${plain(place.temperature_max)}℃）`,
      },
    ]
  return []
}

/** The refrigerators of the stores that a session sees. */
const storeScope = (tx: Tx, session: Session) =>
  scopeSql(tx, session, { stores: [tx`t.warehouse_id`], department: null, people: [] })

export const refrigeratorReadingRules: RecordRules = {
  kind: 'refrigeratorReading',
  visible: (tx, session) => tx`t.refrigerator_id in (
    select t.id from refrigerator t where t.org_id = ${session.org.id} and ${storeScope(tx, session)})`,
  mayWrite(_session, action) {
    if (action !== 'add') throw new BusinessError('rule', '温度读数登记后不能修改或删除，有误请再登记一次并说明')
  },
  check: checkReading,
}

export const refrigeratorRules: RecordRules = {
  kind: 'refrigerator',
  visible: storeScope,
  columns: (tx, session) => {
    const newest = (column: 'temperature' | 'read_at') => tx`(
      select x.${tx(column)} from refrigerator_reading x
       where x.org_id = ${session.org.id} and x.refrigerator_id = t.id order by x.read_at desc limit 1)`
    return {
      bottles: tx`(select count(*)::int from reagent g where g.org_id = ${session.org.id}
        and g.refrigerator_id = t.id and g.state in ('in_stock', 'opened', 'unloaded'))`,
      last_temperature: newest('temperature'),
      last_read_at: newest('read_at'),
    }
  },
}

export const analyserRules: RecordRules = {
  kind: 'analyser',
  visible: (tx, session) => scopeSql(tx, session, { stores: [], department: tx`t.department_id`, people: [] }),
  columns: (tx, session) => ({
    loaded_bottles: tx`(select count(*)::int from reagent g where g.org_id = ${session.org.id}
      and g.analyser_id = t.id and g.state = 'loaded')`,
  }),
}
