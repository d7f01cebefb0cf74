import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

type Loan = {
  readonly sn: string
  readonly due: string
  /** The warehouse that has the loaned goods; of an overdue loan also the one that lent them. */
  readonly stores: readonly (string | null)[]
  readonly by?: string
  /** The date of the automatic reminder, so that it is sent once. */
  readonly day?: string
}

/** Notifies the users of the borrowing warehouse that a loan is due for return. */
export const askBack = (tx: Tx, org: string, { sn, due, stores, by, day }: Loan): Promise<void> =>
  sendMessage(tx, org, {
    title: '借用催还',
    body: `借用单${sn}应于${due}归还，请尽快归还或转为调拨`,
    uri: 'transfer',
    objectId: sn,
    kind: 'transfer',
    stores,
    ...(by ? { by } : {}),
    ...(day ? { extra: { reminds: day } } : {}),
  })

/** Both sides of every overdue loan of which something is still out are reminded once a day. */
export async function remindLoans(owner: Sql): Promise<number> {
  const late = await owner<{ org_id: string; sn: string; due: string; stores: string[] }[]>`
    select d.org_id, d.sn, d.fields->>'due_date' as due, array[d.to_warehouse_id, d.warehouse_id] as stores
      from document d
     where d.kind = 'transfer' and d.role = 'own' and d.state in ('partial', 'completed', 'stopped')
       and d.fields->>'transfer_type' = 'borrow' and d.fields->>'due_date' < ${today()}
         and not coalesce((d.fields->>'is_converted')::boolean, false)
       and (select coalesce(sum(case g.purpose when 'receive' then g.taken else -g.taken end), 0) from line_progress g
             where g.org_id = d.org_id and g.document_id = d.id and g.line_no = 0
               and g.purpose in ('receive', 'give_back')) > 0
       and not exists (select 1 from message m where m.org_id = d.org_id and m.object_id = d.sn
         and m.extra ->> 'reminds' = ${today()})
     limit 1000`
  for (const { org_id, sn, due, stores } of late)
    await inOrganisation(owner, org_id, '0', tx => askBack(tx, org_id, { sn, due, stores, day: today() }))
  return late.length
}
