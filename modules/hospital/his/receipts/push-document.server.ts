import { noteDocuments, pushAgain, refuseUnconnected } from '#modules/hospital/his/receipts/receipt-push.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'

/** 推送HIS on a document's own page; one from before the hospital was connected is noted first. */
export async function pushDocument({ tx, session, doc }: ActionContext): Promise<void> {
  const org = session.org.id
  await refuseUnconnected(tx, org)
  await noteDocuments(tx, org, [doc.id])
  const [row] = await tx<{ id: string }[]>`
    select id from his_grn where org_id = ${org} and document_id = ${doc.id}`
  await pushAgain(tx, org, row!.id)
}
