import type { AnyDocument } from '#kernel/document.ts'
import { placesOf } from '#server/engine/documents/places.ts'
import type { Source } from '#server/engine/documents/source-lines.ts'
import type { StoredDoc } from '#server/engine/documents/stored.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** Where goods go: the buyer's own order says so, else the product's default store, else the first central one. */
export async function storeFor(tx: Tx, session: Session, copy: StoredDoc): Promise<string | null> {
  const org = session.org.id
  const line = copy.lines[0]
  const [row] = await tx<{ id: string }[]>`
    select id from (
      select 1 as rank, d.warehouse_id as id from document d where d.org_id = ${org} and d.id = ${line?.order_document_id ?? null} and d.warehouse_id is not null
      union all select 2, h.default_warehouse_id from hospital_product h where h.org_id = ${org} and h.specification_id = ${line?.specification_sn ?? null} and h.default_warehouse_id is not null
      union all select 2, e.default_warehouse_id from dealer_product e where e.org_id = ${org} and e.specification_id = ${line?.specification_sn ?? null} and e.default_warehouse_id is not null
      union all (select 3, w.id from warehouse w where w.org_id = ${org} and w.model = 'central' and w.status = 'enabled' order by w.id limit 1)) c
     order by rank limit 1`
  return row?.id ?? null
}

/** The store that the source decides: where goods of another's paper go, and the way on which goods of our own still are. */
export async function fillStore(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  { take, doc }: Source,
  header: Record<string, unknown>,
): Promise<void> {
  if (take.foreign && !header.warehouse_model_inner_sn && 'warehouse_model_inner_sn' in definition.header)
    header.warehouse_model_inner_sn = await storeFor(tx, session, doc)
  if (take.laidUnder) header.warehouse_model_inner_sn = doc.to_warehouse_model_inner_sn
  if (take.underWay) header.warehouse_model_inner_sn = (await placesOf(tx, session.org.id)).transit
}
