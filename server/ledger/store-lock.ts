import { Refusal } from '#kernel/refusal.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** While a store is counted under lock nothing comes in or goes out. */
export async function refuseLockedStores(tx: Tx, org: string, warehouses: readonly string[]): Promise<void> {
  const [locked] = await tx<{ name: string }[]>`
    select w.name from store_lock s
      join document d on d.org_id = s.org_id and d.id = s.document_id and d.state in ('draft', 'submitted', 'rejected')
      join warehouse w on w.org_id = s.org_id and w.id = s.warehouse_id
     where s.org_id = ${org} and s.warehouse_id = any(${[...new Set(warehouses)]}::bigint[]) limit 1`
  if (locked) throw new Refusal('blocked', `仓库【${locked.name}】正在盘点，暂不能出入库`)
}
