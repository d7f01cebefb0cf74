import type { Sql } from 'postgres'
import { leaveMessage } from '#server/engine/messages.ts'
import { inOrg } from '#server/engine/transaction.ts'

type Waiting = { org_id: string; notice_id: string; to_org_id: string; title: string; body: string; sender: string }

/** Lays a published notice into each receiver's message centre, each in its own transaction; interrupted, the next hour goes on. */
export async function deliverNotices(owner: Sql): Promise<number> {
  const waiting = await owner<Waiting[]>`
    select x.org_id, x.notice_id, x.to_org_id, n.title, n.body, o.name as sender from notice_delivery x
      join notice n on n.org_id = x.org_id and n.id = x.notice_id join organisation o on o.id = x.org_id
     where x.delivered_at is null and n.state = 'published' order by x.org_id, x.notice_id limit 5000`
  for (const row of waiting) await deliverOne(owner, row)
  return waiting.length
}

/** The same for one organisation's notices, right after it published one. */
export async function deliverOwnNotices(sql: Sql, org: string): Promise<void> {
  const waiting = await inOrg(
    sql,
    org,
    '0',
    tx => tx<Waiting[]>`
    select x.org_id, x.notice_id, x.to_org_id, n.title, n.body, o.name as sender from notice_delivery x
      join notice n on n.org_id = x.org_id and n.id = x.notice_id join organisation o on o.id = x.org_id
     where x.org_id = ${org} and x.delivered_at is null and n.state = 'published'`,
  )
  for (const row of waiting) await deliverOne(sql, row)
}

async function deliverOne(sql: Sql, row: Waiting): Promise<void> {
  await inOrg(sql, row.to_org_id, '0', async tx => {
    const before = await tx`
      select 1 from message where org_id = ${row.to_org_id} and uri = 'notice' and object_id = ${row.notice_id} and extra ->> 'org_sn' = ${row.org_id} limit 1`
    if (before.length > 0) return
    await leaveMessage(tx, row.to_org_id, {
      title: row.title,
      body: row.body,
      uri: 'notice',
      objectId: row.notice_id,
      kind: null,
      extra: { org_sn: row.org_id, org_name: row.sender },
    })
  })
  await inOrg(
    sql,
    row.org_id,
    '0',
    tx => tx`
    update notice_delivery set delivered_at = now() where org_id = ${row.org_id} and notice_id = ${row.notice_id} and to_org_id = ${row.to_org_id} and delivered_at is null`,
  )
}
