import type { Sql } from 'postgres'
import { reportError } from '#server/public/jobs.ts'
import { providerOf } from '#modules/finance/invoicing/electronic/channel.server.ts'
import {
  MOST_POLLS,
  noteConfirmation,
  noteResult,
  POLL_SECONDS,
} from '#modules/finance/invoicing/electronic/outcome.server.ts'
import { invoiceById, type StoredInvoice } from '#modules/finance/invoicing/electronic/stored-invoice.server.ts'
import { inOrganisation } from '#server/public/database.ts'
import type { InvoiceProvider } from '#server/public/outbound.ts'

/** The query that fetches the provider's current state of a row. */
export function asksOf(row: StoredInvoice, provider: InvoiceProvider) {
  const confirmation = row.red_confirm_id
  if (row.state === 'redConfirming' && confirmation !== null)
    return async () => ({ confirmation: await provider.redState(confirmation) })
  return async () => ({ result: await provider.query(row.request_no) })
}
export type Said = Awaited<ReturnType<ReturnType<typeof asksOf>>>

/** True if the row can be queried: a request that was never sent has no result. */
export const hasResult = (row: StoredInvoice): boolean =>
  row.sent_at !== null || (row.state === 'redConfirming' && row.red_confirm_id !== null)

type Due = { readonly org_id: string; readonly id: string }

async function pollOne(app: Sql, { org_id: org, id }: Due): Promise<void> {
  const found = await inOrganisation(app, org, '0', async tx => {
    const row = await invoiceById(tx, org, id)
    return row && { row, provider: await providerOf(tx, org, row.channel) }
  })
  if (!found) return
  const said = await asksOf(found.row, found.provider)()
  await inOrganisation(app, org, '0', async tx => {
    if ('confirmation' in said) await noteConfirmation(tx, org, id, said.confirmation)
    // A request that has not reached the provider yet is sent again by its own call.
    else if (said.result !== null) await noteResult(tx, org, id, said.result)
  })
}

/** 开票中: queried every thirty seconds, ten times, then left for people. A waiting 红字确认单: every ten minutes. */
export async function pollDue(app: Sql, owner: Sql): Promise<number> {
  const due = await owner<Due[]>`
    update e_invoice set polls = polls + (state = 'issuing')::int,
      next_poll_at = case
        when state = 'redConfirming' then now() + interval '10 minutes'
        when state = 'issuing' and polls + 1 < ${MOST_POLLS} then now() + make_interval(secs => ${POLL_SECONDS})
      end
     where (org_id, id) in (
       select org_id, id from e_invoice where next_poll_at <= now() and state in ('issuing', 'redConfirming')
        order by next_poll_at limit 50)
    returning org_id, id`
  for (const each of due) await pollOne(app, each).catch(error => reportError('poll of an electronic invoice', error))
  return due.length
}
