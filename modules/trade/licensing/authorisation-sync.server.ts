import type { Sql } from 'postgres'
import { covers, type Held } from '#modules/trade/licensing/authorisation-coverage.server.ts'
import { recountLicences } from '#modules/trade/licensing/licences-changed.server.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

type Waiting = {
  readonly org_id: string
  readonly id: string
  readonly version: number
  readonly partner_id: string
  readonly giver: string
  readonly product: string
  readonly scans: string[]
  readonly row: Readonly<Record<string, never>>
}

const waitingOf = (tx: Sql | Tx, org: string | null) => tx<Waiting[]>`
  select a.org_id, a.id, a.version, r.partner_id, o.name as giver,
    goods_name(a.product_id, a.manufacturer_id, a.class_code) as product, coalesce(l.attachments, '{}') as scans,
    to_jsonb(a) as row from dealer_authorisation a
    left join licence l on l.org_id = a.org_id and l.id = a.licence_id
    join org_relation r on r.id = a.dealer_id and r.status <> 'pending' join organisation d on d.id = r.partner_id
      and d.kept_by_id is null join organisation o on o.id = a.org_id
   where a.sent_version <> a.version and ${org === null ? tx`true` : tx`a.org_id = ${org}`}
   order by a.org_id, a.id limit 500`

/**
 * 授权随合作终止: authorisations under an ended relation are stopped; they are granted again one by one when the
 * cooperation resumes.
 */
export const stopWithRelation = (tx: Sql | Tx, org: string | null, relation: string | null = null) => tx`
  update dealer_authorisation a set status = 'disabled', remark = left(concat_ws('；', a.remark, '合作已终止'), 200),
    version = a.version + 1
   where a.status = 'enabled' and ${org === null ? tx`true` : tx`a.org_id = ${org}`}
     and ${
       relation === null
         ? tx`exists (select 1 from org_relation r where r.id = a.dealer_id and r.org_id = a.org_id
       and r.status = 'ended')`
         : tx`a.dealer_id = ${relation}`
     }`

/**
 * Sends granted or changed authorisations to their dealers, each in a transaction of the dealer; endings are passed on
 * to the dealers below.
 */
export async function sendAuthorisations(sql: Sql, org: string): Promise<void> {
  const waiting = await inOrganisation(sql, org, '0', async tx => {
    await stopWithRelation(tx, org)
    await publish(tx, org)
    await fileLicences(tx, org)
    return waitingOf(tx, org)
  })
  await sendThem(sql, waiting)
}

/** The same for all organisations: finishes the work of interrupted processes. */
export async function sendAllAuthorisations(owner: Sql): Promise<void> {
  await stopWithRelation(owner, null)
  const waiting = await waitingOf(owner, null)
  for (const org of new Set(waiting.map(one => one.org_id)))
    await inOrganisation(owner, org, '0', async tx => {
      await publish(tx, org)
      await fileLicences(tx, org)
    })
  await sendThem(owner, waiting)
}

/**
 * Publishes granted, changed and ended authorisations to the customers of the dealers, where granted_chain reads them.
 */
const publish = (tx: Tx, org: string) => tx`
  insert into granted_authorisation as g (id, org_id, dealer_id, product_id, manufacturer_id, class_code, hospital_id,
    area_codes, authorisation_no, may_pass_on, valid_from, valid_to, status, version)
  select a.id, a.org_id, a.dealer_id, a.product_id, a.manufacturer_id, a.class_code, a.hospital_id, a.area_codes,
    a.authorisation_no, a.may_pass_on, a.valid_from, a.valid_to, a.status, a.version
    from dealer_authorisation a where a.org_id = ${org} and a.sent_version <> a.version order by a.id
  on conflict (id) do update set dealer_id = excluded.dealer_id, product_id = excluded.product_id,
    manufacturer_id = excluded.manufacturer_id, class_code = excluded.class_code, hospital_id = excluded.hospital_id,
    area_codes = excluded.area_codes, authorisation_no = excluded.authorisation_no,
    may_pass_on = excluded.may_pass_on, valid_from = excluded.valid_from, valid_to = excluded.valid_to,
    status = excluded.status, version = excluded.version where g.version < excluded.version`

/**
 * A granted authorisation belongs to a licence document in the grantor's archive, one per number and dealer; the
 * document has the dates of what it contains, and the recipient may view its scans.
 */
async function fileLicences(tx: Tx, org: string): Promise<void> {
  const rows = await tx<{ licence_id: string; past: string[] }[]>`
    with loose as (
      select r.partner_id, a.authorisation_no, min(a.valid_from) as since, max(a.valid_to) as until,
        array_agg(a.id) as ids, array_remove(array_agg(distinct a.licence_id), null) as past
        from dealer_authorisation a join org_relation r on r.id = a.dealer_id left
          join licence l on l.org_id = a.org_id and l.id = a.licence_id
       where a.org_id = ${org} and a.sent_version <> a.version
         and (l.id is null or l.licence_no <> a.authorisation_no or l.grantee_id <> r.partner_id)
       group by 1, 2),
    filed as (select authorisation_licence(${org}, '产品授权书', ${org}, partner_id, authorisation_no, since,
      until) as licence, ids, past from loose)
    update dealer_authorisation a set licence_id = f.licence from filed f where a.org_id = ${org} and a.id = any(f.ids)
      returning a.licence_id, f.past`
  const changed = await tx<{ licence_id: string; scans: string[] }[]>`
    select distinct a.licence_id, l.attachments as scans from dealer_authorisation a
      join licence l on l.org_id = a.org_id and l.id = a.licence_id
     where a.org_id = ${org} and a.sent_version <> a.version`
  const licences = [...new Set([...rows, ...changed].map(row => row.licence_id).concat(rows.flatMap(row => row.past)))]
  if (licences.length === 0) return
  await tx`select follow_authorisation_lines(${org}, ${licences}::bigint[])`
  const scans = changed.flatMap(row => row.scans)
  if (scans.length > 0)
    await tx`
      update stored_file set is_shared = true where org_id = ${org} and name = any(${scans}) and not is_shared`
}

/** Everything one grantor has for one dealer is sent together. */
async function sendThem(sql: Sql, waiting: readonly Waiting[]): Promise<void> {
  for (const batch of Map.groupBy(waiting, one => `${one.org_id} ${one.partner_id}`).values()) {
    const { org_id: from, partner_id: to } = batch[0]!
    const fell = await inOrganisation(sql, to, '0', tx => receive(tx, to, batch))
    await inOrganisation(sql, from, '0', async tx => {
      for (const one of batch)
        await tx`update dealer_authorisation set sent_version = ${one.version}
          where org_id = ${from} and id = ${one.id} and version >= ${one.version}`
    })
    if (fell > 0) await sendAuthorisations(sql, to)
  }
}

/** Writes the dealer's copies, notifies it, and stops what it passed on beyond them; returns how many those were. */
async function receive(tx: Tx, org: string, batch: readonly Waiting[]): Promise<number> {
  const news: Waiting[] = []
  const licences = new Set<string>()
  for (const one of batch) {
    const { licence, before, isNews } = await copyHere(tx, org, one)
    for (const each of [licence, before]) if (each) licences.add(each)
    if (isNews) news.push(one)
  }
  await tx`select follow_authorisation_lines(${org}, ${[...licences]}::bigint[])`
  await notifyOf(tx, org, news)
  await recountLicences(tx, org)
  return stopBeyond(tx, org)
}

/**
 * The dealer's copy of an authorisation, a line of its document in the dealer's archive; returns the document, the
 * previous one, and whether it is new.
 */
async function copyHere(tx: Tx, org: string, { row, org_id: from, scans }: Waiting) {
  const [before] = await tx<{ licence_id: string }[]>`
    select licence_id from licence_line where org_id = ${org} and from_org_id = ${from} and of_id = ${row.id!}`
  const [made] = await tx<{ licence: string }[]>`
    insert into licence_line as k (org_id, licence_id, from_org_id, of_id, product_id, manufacturer_id, class_code,
      hospital_id, area, area_codes, is_exclusive, may_pass_on, valid_from, valid_to, status, received_at)
    values (${org},
      authorisation_licence(${org}, '授权书', ${from}, ${org}, ${row.authorisation_no!}, ${row.valid_from!},
      ${row.valid_to!}), ${from}, ${row.id!}, ${row.product_id!}, ${row.manufacturer_id!}, ${row.class_code!},
            ${row.hospital_id!}, ${row.area!}, ${row.area_codes!},
            ${row.is_exclusive!}, ${row.may_pass_on!}, ${row.valid_from!}, ${row.valid_to!}, ${row.status!}, now())
    on conflict (org_id, from_org_id, of_id) do update set licence_id = excluded.licence_id,
      product_id = excluded.product_id, manufacturer_id = excluded.manufacturer_id, class_code = excluded.class_code,
      hospital_id = excluded.hospital_id, area = excluded.area,
      area_codes = excluded.area_codes, is_exclusive = excluded.is_exclusive, may_pass_on = excluded.may_pass_on,
        valid_from = excluded.valid_from,
      valid_to = excluded.valid_to, status = excluded.status, received_at = now(), version = k.version + 1
        returning licence_id as licence`
  if (scans.length > 0)
    await tx`
      update licence set attachments = ${scans} where org_id = ${org} and id = ${made!.licence} and origin = 'granted'
        and attachments <> ${scans}`
  return {
    licence: made!.licence,
    before: before?.licence_id,
    isNews: row.status === 'enabled' || before !== undefined,
  }
}

const isStopped = ({ row }: Waiting) => row.status !== 'enabled'

/** One message covers one authorisation, or all that were granted or stopped together. */
async function notifyOf(tx: Tx, org: string, news: readonly Waiting[]): Promise<void> {
  for (const some of [news.filter(isStopped), news.filter(one => !isStopped(one))]) {
    const [first, ...others] = some
    if (first === undefined) continue
    const { row, giver, product } = first
    const no = `（${String(row.authorisation_no)}${others.length > 0 ? '等' : ''}）`
    const named = `【${product}】${others.length > 0 ? `等${some.length}项` : ''}`
    await sendMessage(tx, org, {
      title: '经销授权',
      body: isStopped(first)
        ? `${giver}停用了${named}的授权${no}`
        : `${giver}授权销售${named}${no}，${String(row.valid_from)}至${String(row.valid_to)}`,
      uri: `/commonView/dealerManagement?tab=${encodeURIComponent('我的授权')}`,
      objectId: String(row.id),
      kind: 'heldAuthorisation',
      type: 'audit',
      extra: { org_name: giver },
    })
  }
}

type Given = {
  id: string
  hospital_id: string | null
  at: string | null
  area_codes: string[]
  valid_from: string
  valid_to: string
  held: Held[]
}

/**
 * Limits the authorisations that were passed on to those that are held, after an own archived authorisation changed or
 * ended; holders are notified of those that end.
 */
export async function fitGiven(sql: Sql, org: string): Promise<void> {
  await inOrganisation(sql, org, '0', tx => stopBeyond(tx, org))
  await sendAuthorisations(sql, org)
}

/**
 * 授权随上级停用: stops authorisations that were passed on and are no longer covered by any upper one; goods without any
 * authorisation here are not checked.
 */
async function stopBeyond(tx: Tx, org: string): Promise<number> {
  const given = await tx<Given[]>`
    select a.id, a.hospital_id, o.administrative_division_sn as at, a.area_codes, a.valid_from, a.valid_to, h.held
      from dealer_authorisation a left join organisation o on o.id = a.hospital_id
     cross join lateral (
       select json_agg(json_build_object('hospital_id', h.hospital_id::text, 'area_codes', h.area_codes, 'valid_from',
         h.valid_from, 'valid_to', h.valid_to, 'may_pass_on', h.may_pass_on, 'status', h.status, 'whole',
         w.whole)) as held
         from authorisation_held h
        cross join lateral (select goods_within(h.product_id, h.manufacturer_id, h.class_code, a.product_id,
          a.manufacturer_id, a.class_code) as whole) w
        where h.org_id = a.org_id
          and (w.whole or goods_meet(h.product_id, h.manufacturer_id, h.class_code, a.product_id, a.manufacturer_id,
          a.class_code))) h
     where a.org_id = ${org} and a.status = 'enabled' and h.held is not null`
  const beyond = given.filter(one => {
    const asked = { hospital: one.hospital_id, areas: one.area_codes, from: one.valid_from, to: one.valid_to }
    return !covers(one.held, asked, one.at ? [one.at] : [])
  })
  if (beyond.length > 0)
    await tx`
      update dealer_authorisation set status = 'disabled', remark = left(concat_ws('；', remark, '上级授权变更，已超出其范围'), 200),
        version = version + 1
       where org_id = ${org} and id = any(${beyond.map(one => one.id)}::bigint[])`
  return beyond.length
}
