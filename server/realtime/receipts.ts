import type { Sql } from 'postgres'
import type { Session } from '#server/access/session.ts'
import { inOrganisation } from '#server/database/transaction.ts'

/** The origin of a message: its organisation, its kind, and its key there. */
export type Origin = { readonly org: string; readonly kind: string; readonly id: string }

/**
 * Notifies the senders that a user read (or confirmed) what they sent, each in a transaction of the sender. Runs
 * after the reader's own; what is lost between the two is found by `collectReceipts`.
 */
export async function notifySenders(
  sql: Sql,
  reader: Session,
  origins: readonly Origin[],
  confirmed = false,
): Promise<void> {
  for (const [org, from] of Map.groupBy(origins, origin => origin.org)) {
    const rows = [...new Map(from.map(origin => [`${origin.kind} ${origin.id}`, origin])).values()]
    await inOrganisation(
      sql,
      org,
      '0',
      tx => tx`
      insert into message_receipt as m (org_id, of_kind, of_id, to_org_id, user_id, user_name, confirmed_at)
      select ${org}, x.kind, x.id, ${reader.org.id}, ${reader.userId}, ${reader.userName},
        case when ${confirmed} then now() end
        from unnest(${rows.map(row => row.kind)}::text[], ${rows.map(row => row.id)}::bigint[]) x(kind, id)
      on conflict (org_id, of_kind, of_id, to_org_id, user_id)
        do update set confirmed_at = coalesce(m.confirmed_at, excluded.confirmed_at)`,
    )
  }
}

/** Every hour: receipts that a crashed process did not write. */
export async function collectReceipts(owner: Sql): Promise<number> {
  const rows = await owner`
    insert into message_receipt (org_id, of_kind, of_id, to_org_id, user_id, user_name, read_at)
    select m.from_org_id, m.from_kind, m.from_id, m.org_id, r.user_id, coalesce(u.name, ''), min(r.at)
      from message m join message_read r on r.org_id = m.org_id and r.message_id = m.id left
        join app_user u on u.id = r.user_id
     where m.from_id is not null and r.at > now() - interval '2 days'
     group by m.from_org_id, m.from_kind, m.from_id, m.org_id, r.user_id, u.name
    on conflict do nothing returning 1`
  return rows.length
}
