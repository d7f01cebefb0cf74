import type { Tx } from '#server/public/database.ts'

const STORE = { code: 'YUXIAOSHOU', name: '预销售库', model: 'advance' } as const

/** The organisation's only store for goods that are with customers before a sale; the first document creates it. */
export async function advanceStore(tx: Tx, org: string): Promise<string> {
  await tx`
    insert into warehouse (org_id, code, name, model) values (${org}, ${STORE.code}, ${STORE.name}, ${STORE.model})
      on conflict (org_id, code) do nothing`
  const [row] = await tx<
    { id: string }[]
  >`select id from warehouse where org_id = ${org} and model = ${STORE.model} order by id limit 1`
  return row!.id
}
