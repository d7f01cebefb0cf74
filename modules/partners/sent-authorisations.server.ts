import type { Sql } from 'postgres'
import { heldFor, isCovered } from '#modules/partners/coverage.server.ts'
import { leaveMessage } from '#server/engine/messages.ts'
import { inOrg, type Tx } from '#server/engine/transaction.ts'

type Waiting = {
  readonly org_id: string
  readonly id: string
  readonly version: number
  readonly partner_id: string
  readonly giver: string
  readonly product: string
  readonly row: Readonly<Record<string, never>>
}

const waitingOf = (tx: Sql | Tx, org: string | null) => tx<Waiting[]>`
  select a.org_id, a.id, a.version, r.partner_id, o.name as giver, p.name as product, to_jsonb(a) as row from dealer_authorisation a
    join org_relation r on r.id = a.dealer_id and r.status <> 'pending' join organisation d on d.id = r.partner_id and d.kept_by_id is null join organisation o on o.id = a.org_id join product p on p.id = a.product_id
   where a.sent_version <> a.version and ${org === null ? tx`true` : tx`a.org_id = ${org}`}
   order by a.org_id, a.id limit 500`

/** Brings what was given or changed to the dealers it is for, each in a transaction of the dealer; what falls there goes on to those below. */
export async function sendAuthorisations(sql: Sql, org: string): Promise<void> {
  for (const waiting of await inOrg(sql, org, '0', tx => waitingOf(tx, org))) await sendOne(sql, waiting)
}

/** The same for everybody: what a broken process left. */
export async function sendAllAuthorisations(owner: Sql): Promise<void> {
  for (const waiting of await waitingOf(owner, null)) await sendOne(owner, waiting)
}

async function sendOne(sql: Sql, waiting: Waiting): Promise<void> {
  const to = waiting.partner_id
  const fell = await inOrg(sql, to, '0', tx => receive(tx, to, waiting))
  await inOrg(
    sql,
    waiting.org_id,
    '0',
    tx => tx`
    update dealer_authorisation set sent_version = ${waiting.version} where org_id = ${waiting.org_id} and id = ${waiting.id} and version >= ${waiting.version}`,
  )
  if (fell > 0) await sendAuthorisations(sql, to)
}

/** Writes the dealer's copy and stops what it gave on beyond it; gives how many those were. */
async function receive(tx: Tx, org: string, { row, org_id: from, giver, product }: Waiting): Promise<number> {
  const before = await tx<{ status: string }[]>`
    select status from authorisation_held where org_id = ${org} and from_org_id = ${from} and of_id = ${row.id!}`
  await tx`
    insert into authorisation_held as h (org_id, from_org_id, of_id, product_id, hospital_id, area, area_codes, is_exclusive, authorisation_no, valid_from, valid_to, status)
    values (${org}, ${from}, ${row.id!}, ${row.product_id!}, ${row.hospital_id!}, ${row.area!}, ${row.area_codes!}, ${row.is_exclusive!}, ${row.authorisation_no!},
            ${row.valid_from!}, ${row.valid_to!}, ${row.status!})
    on conflict (org_id, from_org_id, of_id) do update set product_id = excluded.product_id, hospital_id = excluded.hospital_id, area = excluded.area,
      area_codes = excluded.area_codes, is_exclusive = excluded.is_exclusive, authorisation_no = excluded.authorisation_no, valid_from = excluded.valid_from,
      valid_to = excluded.valid_to, status = excluded.status, received_at = now()`
  const stopped = row.status !== 'enabled'
  if (!(stopped && before.length === 0))
    await leaveMessage(tx, org, {
      title: '经销授权',
      body: stopped
        ? `${giver}停用了【${product}】的授权（${String(row.authorisation_no)}）`
        : `${giver}授权销售【${product}】（${String(row.authorisation_no)}），${String(row.valid_from)}至${String(row.valid_to)}`,
      uri: `/commonView/dealerManagement?tab=${encodeURIComponent('我的授权')}`,
      objectId: String(row.id),
      kind: 'heldAuthorisation',
      type: 'audit',
      extra: { org_name: giver },
    })
  return stopBeyond(tx, org, String(row.product_id))
}

type Given = { id: string; hospital_id: string | null; area_codes: string[]; valid_from: string; valid_to: string }

/** 授权随上级停用: what was given on and is no longer within any upper authorisation is stopped. */
async function stopBeyond(tx: Tx, org: string, product: string): Promise<number> {
  const held = await heldFor(tx, org, product)
  const given = await tx<Given[]>`
    select id, hospital_id, area_codes, valid_from, valid_to from dealer_authorisation where org_id = ${org} and product_id = ${product} and status = 'enabled'`
  const beyond: string[] = []
  for (const one of given) {
    const asked = { product, hospital: one.hospital_id, areas: one.area_codes, from: one.valid_from, to: one.valid_to }
    if (!(await isCovered(tx, held, asked))) beyond.push(one.id)
  }
  if (beyond.length > 0)
    await tx`
      update dealer_authorisation set status = 'disabled', remark = left(concat_ws('；', remark, '上级授权变更，已超出其范围'), 200), version = version + 1
       where org_id = ${org} and id = any(${beyond}::bigint[])`
  return beyond.length
}
