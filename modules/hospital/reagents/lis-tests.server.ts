import type { Sql } from 'postgres'
import { instant } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { visibleBottles } from '#modules/hospital/reagents/bottles.server.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import { askOutbound, type Carrier, carrierOf, type LisBottle, type LisClient } from '#server/public/outbound.ts'
import type { Fragment, ListActionHandler } from '#server/public/records.ts'

const SYSTEM = 'lis'
/** The most bottles of one query; the others are queried next time. */
const MOST_BOTTLES = 500

type Asked = { readonly org: string; readonly bottles: readonly LisBottle[] }

/** Bottles that ran on an analyser and may still be counted: on board, taken off, or empty since a day. */
const running = (tx: Tx, org: string, more: Fragment) => tx<LisBottle[]>`
  select g.code, l.lot_no, coalesce(a.lis_code, a.code) as analyser,
         (select min(x.done_at) from reagent_step x where x.org_id = g.org_id and x.reagent_id = g.id
           and x.operation = 'load') as loaded_at, g.unloaded_at
    from reagent g join lot l on l.id = g.lot_id
    left join analyser a on a.org_id = g.org_id and a.id = g.analyser_id
   where g.org_id = ${org} and g.loaded_at is not null
     and (g.state in ('loaded', 'unloaded') or g.closed_at >= ${instant()}::timestamptz - interval '1 day') and ${more}
   order by g.lis_read_at nulls first, g.id limit ${MOST_BOTTLES}`

async function ask(tx: Tx, org: string, bottles: readonly LisBottle[]): Promise<void> {
  await askOutbound(tx, org, {
    system: SYSTEM,
    name: 'ReagentTests',
    subject: '试剂测试数',
    payload: { org, bottles } satisfies Asked,
    request: JSON.stringify({ bottles: bottles.length, codes: bottles.slice(0, 10).map(({ code }) => code) }),
  })
}

/** 读取LIS测试数: queries the LIS for all bottles that the reader sees; the answer is written when it comes. */
export const readLis: ListActionHandler = async ({ tx, session }) => {
  if (!carrierOf(SYSTEM)) throw new BusinessError('rule', 'LIS接口未接通，不能读取测试数，请联系管理员配置')
  const bottles = await running(tx, session.org.id, visibleBottles(tx, session))
  if (bottles.length === 0) throw new BusinessError('rule', '没有在机或已下机的试剂，不需要读取')
  await ask(tx, session.org.id, bottles)
  return { said: `已向LIS查询${bottles.length}盒/瓶的测试数，收到答复后自动更新` }
}

/** Every hour, where the laboratory's system is connected. */
export async function readLisOfAll(owner: Sql): Promise<void> {
  if (!carrierOf(SYSTEM)) return
  const hospitals = await owner<{ org_id: string }[]>`
    select distinct org_id from reagent where state in ('loaded', 'unloaded') order by org_id`
  for (const { org_id: org } of hospitals)
    await inOrganisation(owner, org, '0', async tx => {
      const bottles = await running(tx, org, tx`true`)
      if (bottles.length > 0) await ask(tx, org, bottles)
    })
}

/** Queries the laboratory's system and writes its counts; a repeated query writes the same. */
export const lisCarrier =
  (app: Sql, client: LisClient): Carrier =>
  async (payload, key) => {
    const { org, bottles } = payload as Asked
    const counts = await client(bottles, key)
    const asked = new Set(bottles.map(({ code }) => code))
    const known = counts.filter(({ code }) => asked.has(code))
    await inOrganisation(
      app,
      org,
      '0',
      tx => tx`
        update reagent g set tests_by_lis = n.tests, lis_read_at = ${instant()}, version = g.version + 1
          from unnest(${known.map(({ code }) => code)}::text[], ${known.map(({ tests }) => tests)}::int[])
            as n(code, tests)
         where g.org_id = ${org} and g.code = n.code`,
    )
    return { text: `更新${known.length}盒/瓶的测试数，${bottles.length - known.length}盒/瓶LIS没有记录` }
  }
