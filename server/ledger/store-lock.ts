import { Refusal } from '#kernel/refusal.ts'
import { onceIn, type Tx } from '#server/engine/transaction.ts'

/** The name of a store among these that is counted under lock, asked once a transaction; null where none is. */
export function lockedStore(tx: Tx, org: string, warehouses: readonly string[]): Promise<string | null> {
  const wanted = [...new Set(warehouses)].sort()
  return onceIn(tx, JSON.stringify(['locked', org, wanted]), async () => {
    const [locked] = await tx<{ name: string }[]>`
      select w.name from store_lock s
        join document d on d.org_id = s.org_id and d.id = s.document_id and d.state in ('draft', 'submitted', 'rejected')
        join warehouse w on w.org_id = s.org_id and w.id = s.warehouse_id
       where s.org_id = ${org} and s.warehouse_id = any(${wanted}::bigint[]) limit 1`
    return locked?.name ?? null
  })
}

/** While a store is counted under lock nothing comes in or goes out. */
export async function refuseLockedStores(tx: Tx, org: string, warehouses: readonly string[]): Promise<void> {
  const name = await lockedStore(tx, org, warehouses)
  if (name !== null) throw new Refusal('blocked', `仓库【${name}】正在盘点，暂不能出入库`)
}
