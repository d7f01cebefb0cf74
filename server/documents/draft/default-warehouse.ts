import type { AnyDocument } from '#kernel/definition/document.ts'
import { hooks } from '#server/registry/hooks.ts'
import { virtualLocations } from '#server/documents/posting/locations.ts'
import type { Source } from '#server/documents/sources/open-source.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/**
 * The destination store of a document `d`: from the buyer's own order, else the product's default store, else the
 * first central one; its first line decides for all. For statements over many documents.
 */
export const defaultWarehouseSql = (tx: Tx) => tx`(
  select c.id from (select 1) one
    left join lateral (select x.order_document_id, x.specification_id from document_line x
      where x.org_id = d.org_id and x.document_id = d.id order by x.line_no limit 1) l on true
   cross join lateral (
      select 1 as rank, o.warehouse_id as id from document o where o.org_id = d.org_id and o.id = l.order_document_id
        and o.warehouse_id is not null
      union all select 2, s.warehouse_id from (${hooks().itemStoresSql(tx)}) s
        where s.org_id = d.org_id and s.specification_id = l.specification_id
      union all (select 3, w.id from warehouse w where w.org_id = d.org_id and w.model = 'central'
        and w.status = 'enabled' order by w.id limit 1)) c
   order by c.rank limit 1)`

/** The same for one document. */
export async function defaultWarehouse(tx: Tx, session: Session, copy: StoredDocument): Promise<string | null> {
  const [row] = await tx<{ id: string | null }[]>`
    select ${defaultWarehouseSql(tx)} as id from document d where d.org_id = ${session.org.id} and d.id = ${copy.id}`
  return row?.id ?? null
}

/**
 * The store determined by the source: the destination of another organisation's goods, and the transit that our own
 * goods are still in.
 */
export async function fillWarehouse(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  { take, doc }: Source,
  header: Record<string, unknown>,
): Promise<void> {
  if (take.fromCounterparty && !header.warehouse_model_inner_sn && 'warehouse_model_inner_sn' in definition.header)
    header.warehouse_model_inner_sn = await defaultWarehouse(tx, session, doc)
  if (take.stockedUnderSource) header.warehouse_model_inner_sn = doc.to_warehouse_model_inner_sn
  if (take.inTransitOnly) header.warehouse_model_inner_sn = (await virtualLocations(tx, session.org.id)).transit
}
