import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The way of a shipment and its temperatures, as its page draws them for sender and customer alike. */
export async function shipmentDetail(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  id: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (definition.kind !== 'logistics') return {}
  const [row] = await tx<Record<string, unknown>[]>`
    select fields->'tracking' as tracking, fields->'temperature_curve' as temperature_curve,
           fields->'temperature_bounds' as temperature_bounds, fields->>'return_sn' as return_sn
      from document where org_id = ${session.org.id} and id = ${id}`
  return row ?? {}
}
