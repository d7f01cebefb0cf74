import type { CopyRule } from '#kernel/definition/document-links.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { type Day, instant } from '#kernel/values/date.ts'
import { compare, type Decimal, negate, share, subtract, sum } from '#kernel/values/decimal.ts'
import { enqueueMessage, type DocumentMessage } from '#server/documents/intercompany/outbox.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import type { StoredDocument, StoredLine } from '#server/documents/repository/document.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { type ConsignedRow, postConsignment, netConsignment } from '#server/ledger/consignment.ts'

/** Reports: what happens to a report when a part is reversed, and how far its goods are settled. */

/** The notice for the receiver's users; undefined where the copy is only there to be looked up. */
export function reportNotice(
  message: DocumentMessage,
  send: Pick<CopyRule<never>, 'message' | 'reports'> | undefined,
): { title: string; uri: string } | undefined {
  if (message.silent) return undefined
  const text = send?.message
  return text && message.red_of && send.reports ? { ...text, title: send.reports.reversedTitle } : text
}

const reportRule = ({ intercompany }: AnyDocument) => intercompany.copies?.find(send => send.reports)?.reports

/** True if a kind is reported: a reversal follows as a report with a minus, and the first report stays. */
export const isUsageReport = (definition: AnyDocument): boolean => reportRule(definition) !== undefined

/** The reversed part of one line, in the report's terms. */
function minus(line: DocumentMessage['lines'][number], red: StoredLine): DocumentMessage['lines'][number] {
  const was = line as unknown as StoredLine
  const part = (amount: Decimal) => negate(share(amount, negate(red.base_quantity), was.base_quantity, 2))
  const taxed = part(was.taxed_amount)
  const untaxed = part(was.untaxed_amount)
  return {
    ...line,
    unit_codes: red.unit_codes,
    unit_inner_sn: red.unit_inner_sn,
    quantity: red.quantity,
    base_quantity: red.base_quantity,
    taxed_amount: taxed,
    untaxed_amount: untaxed,
    tax_amount: subtract(taxed, untaxed, 2),
  }
}

/** Everyone with the report gets another one for the reversal. */
export async function sendReportReversal(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  red: { readonly id: string; readonly sn: string; readonly day: Day; readonly lines: readonly StoredLine[] },
): Promise<void> {
  const sent = await tx<{ to_org_id: string; payload: DocumentMessage }[]>`
    select to_org_id, payload from intercompany_message
     where org_id = ${session.org.id} and document_id = ${doc.id} and message = 'document' and withdrawn_at is null
       order by id`
  const moment = reportRule(definitionOf(doc.kind))
  for (const { to_org_id, payload } of sent) {
    const lines = red.lines.flatMap(line => {
      const notified = payload.lines.find(each => each.line_no === line.line_no)
      return notified ? [minus(notified, line)] : []
    })
    if (lines.length === 0) continue
    const header = {
      ...payload.header,
      business_date: red.day,
      ...(moment ? { [moment.momentField]: instant() } : {}),
    }
    await enqueueMessage(tx, session, to_org_id, red.id, { ...payload, sn: red.sn, red_of: doc.sn, header, lines })
  }
}

/** The report that a reversal refers to, as stored here; a reversal that arrives before it is sent again. */
export async function requireReport(tx: Tx, org: string, from: string, sn: string): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    select id from document where org_id = ${org} and from_org_id = ${from} and sn = ${sn} and role = 'counterparty'
      and state <> 'cancelled'`
  if (!row) throw new Error(`report ${sn} has not arrived yet: its reversal waits`)
  return row.id
}

/** The report's posting is reversed by the share taken back; the last part takes all that remains. */
export async function postReportReversal(tx: Tx, org: string, copy: StoredDocument): Promise<void> {
  if (!copy.red_of_id) return
  const family = await tx<{ id: string }[]>`
    select id from document where org_id = ${org} and (id = ${copy.red_of_id} or red_of_id = ${copy.red_of_id})
      and id <> ${copy.id} order by id`
  const first = await netConsignment(tx, org, copy.red_of_id)
  const all: ConsignedRow[] = []
  for (const { id } of family) all.push(...(await netConsignment(tx, org, id)))
  const rows = copy.lines.flatMap(line =>
    first
      .filter(row => row.line_no === line.line_no)
      .map(row => {
        const mine = all.filter(each => each.line_no === row.line_no)
        const [quantity, value] = [
          sum(
            mine.map(each => each.quantity),
            3,
          ),
          sum(
            mine.map(each => each.value ?? '0'),
            2,
          ),
        ]
        const last = compare(quantity, line.base_quantity) === 0
        return {
          ...row,
          quantity: negate(line.base_quantity),
          value: negate(last ? value : share(row.value ?? '0', line.base_quantity, row.quantity, 2)),
        }
      }),
  )
  await postConsignment(tx, { org, document: copy.id, day: copy.business_date }, rows)
}
