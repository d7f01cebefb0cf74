import { grantReturnSheet } from '#modules/ward/grant-return-sheet.server.ts'
import { Refusal } from '#kernel/refusal.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import type { Acting, DocumentRules } from '#server/public/hooks.ts'
import type { StoredDoc } from '#server/public/documents.ts'
import { employeeOf } from '#server/public/organisations.ts'

const write = ({ tx, session, doc }: Acting, values: Readonly<Record<string, string>>) =>
  tx`update document set fields = fields || ${tx.json(values)} where org_id = ${session.org.id} and id = ${doc.id}`

/** What never arrived is a difference, whatever else was ticked; what a ward has is not. */
async function nameType(acting: Acting): Promise<StoredDoc> {
  const { doc } = acting
  const missing = doc.source_type === sourceTypes.GRANT_REST
  const type = missing ? 'missing' : doc.return_type === 'missing' ? 'other' : String(doc.return_type ?? 'unused')
  await write(acting, { return_type: type })
  return { ...doc, return_type: type }
}

/** The store that takes goods in says what it took in. */
async function refuseOthers({ session, doc }: Acting): Promise<void> {
  if (session.warehouses === 'all' || session.warehouses.has(doc.to_warehouse_model_inner_sn ?? '')) return
  throw new Refusal('forbidden', '没有操作权限：请由退入仓库验收并审核')
}

/** Who examined stands on the paper. */
async function keepReceiver(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  const receiver = doc.receiver_inner_sn ? null : await employeeOf(tx, session)
  if (receiver) await write(acting, { receiver_inner_sn: receiver })
}

export const grantReturnRules: DocumentRules = {
  kind: 'grantReturn',
  print: grantReturnSheet,
  prepare: { submit: nameType },
  before: { inspect: refuseOthers, review: refuseOthers },
  after: { inspect: keepReceiver },
}
