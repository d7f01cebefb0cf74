import type { Sql } from 'postgres'
import type { Session } from '#server/engine/session.ts'
import { inOrg } from '#server/engine/transaction.ts'

/** The two places that the ledgers of every organisation need beside its stores. */
const places = [
  { model: 'transit', code: 'ZAITU', name: '在途' },
  { model: 'consumed', code: 'XIAOHAO', name: '已消耗' },
] as const

/** Gives an organisation what it needs before its first paper. Done at sign-in, as that organisation: nobody writes another's rows. */
export async function furnishHouse(sql: Sql, session: Session): Promise<void> {
  const org = session.org.id
  await inOrg(sql, org, session.userId, async tx => {
    const rows = await tx<
      { model: string }[]
    >`select model from warehouse where org_id = ${org} and model in ('transit', 'consumed')`
    for (const { model, code, name } of places.filter(place => !rows.some(row => row.model === place.model))) {
      await tx`insert into warehouse (org_id, code, name, model, type) values (${org}, ${code}, ${name}, ${model}, 3) on conflict (org_id, code) do nothing`
    }
  })
}
