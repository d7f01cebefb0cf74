import { BusinessError } from '#kernel/rules/errors.ts'
import { cachedInTx, type Tx } from '#server/database/transaction.ts'

/** The name of a store among these that is counted under lock, read once per transaction; null where no store is. */
export function lockedWarehouse(tx: Tx, org: string, warehouses: readonly string[]): Promise<string | null> {
  const wanted = [...new Set(warehouses)].sort()
  return cachedInTx(tx, JSON.stringify(['locked', org, wanted]), async () => {
    const [locked] = await tx<{ name: string }[]>`
      select w.name from store_lock s
        join document d on d.org_id = s.org_id and d.id = s.document_id
          and d.state in ('draft', 'submitted', 'rejected')
        join warehouse w on w.org_id = s.org_id and w.id = s.warehouse_id
       where s.org_id = ${org} and s.warehouse_id = any(${wanted}::bigint[]) limit 1`
    return locked?.name ?? null
  })
}

/** While a store is counted under lock, nothing comes in or goes out. */
export async function checkNotLocked(tx: Tx, org: string, warehouses: readonly string[]): Promise<void> {
  const name = await lockedWarehouse(tx, org, warehouses)
  if (name !== null) throw new BusinessError('blocked', `仓库【${name}】正在盘点，暂不能出入库`)
}
