import type { AnyDocument } from '#kernel/document.ts'
import { type Day, instant } from '#kernel/day.ts'
import { compare, type Decimal, negate, share, subtract, sum } from '#kernel/decimal.ts'
import { handOver, type PaperMessage } from '#server/engine/documents/hand-over.ts'
import type { StoredDoc, StoredLine } from '#server/engine/documents/stored.ts'
import type { Fragment } from '#server/engine/records/rules.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'
import { type ConsignedRow, postConsigned, standingConsigned } from '#server/ledger/consigned.ts'

/** Reports of use: what becomes of a report when a part is taken back, and how far its goods are settled. */

/** A maker looks when he wants to know; whose goods they were or who sold them is told, and told of what was taken back. */
export function toldOf(
  message: PaperMessage,
  text: { title: string; uri: string } | undefined,
): { title: string; uri: string } | undefined {
  if (message.header.report_basis === 'made') return undefined
  return text && message.red_of ? { ...text, title: '使用记录已冲减' } : text
}

/** Whether a kind is reported: what is taken back of it follows as a report with a minus, and the first report stands. */
export const isReported = (definition: AnyDocument): boolean => definition.sends?.some(send => send.reports) ?? false

/** The part of one line that was taken back, as the report spoke of the line. */
function minus(line: PaperMessage['lines'][number], red: StoredLine): PaperMessage['lines'][number] {
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

/** Whoever has the report gets another of what was taken back. */
export async function reportTakenBack(
  tx: Tx,
  session: Session,
  doc: StoredDoc,
  red: { readonly id: string; readonly sn: string; readonly day: Day; readonly lines: readonly StoredLine[] },
): Promise<void> {
  const sent = await tx<{ to_org_id: string; payload: PaperMessage }[]>`
    select to_org_id, payload from intercompany_message
     where org_id = ${session.org.id} and document_id = ${doc.id} and message = 'document' and withdrawn_at is null order by id`
  for (const { to_org_id, payload } of sent) {
    const lines = red.lines.flatMap(line => {
      const told = payload.lines.find(each => each.line_no === line.line_no)
      return told ? [minus(told, line)] : []
    })
    if (lines.length === 0) continue
    const header = { ...payload.header, business_date: red.day, used_at: instant() }
    await handOver(tx, session, to_org_id, red.id, { ...payload, sn: red.sn, red_of: doc.sn, header, lines })
  }
}

/** The report that a taking back speaks of, as it stands here. */
export async function reportOf(tx: Tx, org: string, from: string, sn: string): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    select id from document where org_id = ${org} and from_org_id = ${from} and sn = ${sn} and role = 'counterparty' and state <> 'cancelled'`
  return row?.id ?? null
}

/** What the report booked goes back by the share that was taken back; what leaves nothing takes all that stands. */
export async function bookTakenBack(tx: Tx, org: string, copy: StoredDoc): Promise<void> {
  if (!copy.red_of_id) return
  const family = await tx<{ id: string }[]>`
    select id from document where org_id = ${org} and (id = ${copy.red_of_id} or red_of_id = ${copy.red_of_id}) and id <> ${copy.id} order by id`
  const first = await standingConsigned(tx, org, copy.red_of_id)
  const all: ConsignedRow[] = []
  for (const { id } of family) all.push(...(await standingConsigned(tx, org, id)))
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
  await postConsigned(tx, { org, document: copy.id, day: copy.business_date }, rows)
}

/** How far a report `d` is settled, read from the settlements that its owner got: see `settledStages`. */
export const settledStageSql = (tx: Tx): Fragment => tx`(
  case when d.role <> 'counterparty' then null
       when coalesce(d.fields->>'report_basis', 'consigned') in ('supplied', 'made') then 'none'
       else (
    select case when u.used = 0 and s.listed = 0 then 'netted' when u.used <> 0 and s.billed = u.used then 'invoiced'
                when u.used <> 0 and s.settled = u.used then 'settled' when s.settled <> 0 then 'part' when s.listed <> 0 then 'waiting' else 'open' end
      from (select coalesce(sum(x.base_quantity), 0) as used from document r join document_line x on x.org_id = r.org_id and x.document_id = r.id
             where r.org_id = d.org_id and (r.id = coalesce(d.red_of_id, d.id) or r.red_of_id = coalesce(d.red_of_id, d.id))
               and (x.owner_org_id is null or x.owner_org_id = d.org_id)) u,
           (select coalesce(sum(x.base_quantity), 0) as listed,
                   coalesce(sum(x.base_quantity) filter (where t.fields->>'settled_on' is not null), 0) as settled,
                   coalesce(sum(x.base_quantity) filter (where exists (
                     select 1 from document_line y join document g on g.org_id = y.org_id and g.id = y.document_id
                       join line_progress p on p.org_id = y.org_id and p.document_id = y.document_id and p.line_no = y.line_no and p.purpose = 'invoice'
                      where y.org_id = x.org_id and y.source_document_id = x.document_id and y.source_line_no = x.line_no
                        and g.role = 'counterparty' and g.state <> 'cancelled' and abs(p.taken) >= abs(y.base_quantity))), 0) as billed
              from document_line x join document t on t.org_id = x.org_id and t.id = x.document_id
             where x.org_id = d.org_id and x.source_document_id = coalesce(d.red_of_id, d.id)
               and t.role = 'counterparty' and t.state <> 'cancelled') s) end)`
