import { BusinessError } from '#kernel/rules/errors.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { RecordRow } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import type { Sql } from 'postgres'

/** One step of a product's life cycle, kept permanently. */
export async function noteStep(
  tx: Tx,
  session: Session,
  product: string,
  step: { readonly action: string; readonly from: string | null; readonly to: string; readonly note?: string | null },
): Promise<void> {
  await tx`
    insert into product_step (product_id, from_state, to_state, action, org_id, by_name, note)
    values (${product}, ${step.from}, ${step.to}, ${step.action}, ${session.org.id}, ${session.userName},
      ${step.note ?? null})`
}

/** Moves the product and its sizes to a new state; returns what is written on the product. */
export async function comeTo(
  tx: Tx,
  session: Session,
  row: Readonly<RecordRow>,
  step: { readonly action: string; readonly to: string; readonly note?: string | null },
): Promise<RecordRow> {
  const product = String(row.product_sn)
  await noteStep(tx, session, product, { ...step, from: String(row.status) })
  await tx`update specification set status = ${step.to}, version = version + 1
    where product_id = ${product} and mapped_to_id is null`
  await tx`update product set taken_by = null, taken_until = null where id = ${product}`
  return { status: step.to, state_since: new Date().toISOString() }
}

/** A reviewer who took a product holds it for a quarter of an hour. */
export async function refuseTaken(tx: Tx, session: Session, product: string): Promise<void> {
  const [row] = await tx<{ taken_by: string }[]>`
    select taken_by from product where id = ${product} and taken_until > now() and taken_by <> ${session.userName}`
  if (row) throw new BusinessError('rule', `正在由${row.taken_by}审核`)
}

/** Notifies the organisation that created a product of the result. */
export async function notifyBuilder(
  sql: Sql,
  session: Session,
  row: Readonly<RecordRow>,
  title: string,
  body: string,
): Promise<void> {
  const to = row.built_by_sn === null || row.built_by_sn === undefined ? null : String(row.built_by_sn)
  if (to === null || to === session.org.id) return
  await inOrganisation(sql, to, '0', tx =>
    sendMessage(tx, to, {
      title,
      body,
      uri: '/ptm/productIsIssue',
      objectId: String(row.product_sn),
      kind: 'product',
      type: 'audit',
      extra: { org_name: session.org.name },
    }),
  )
}
