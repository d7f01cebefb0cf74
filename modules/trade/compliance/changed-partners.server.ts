import { byName, loadDocuments, patchDocument } from '#server/public/documents.ts'
import type { firstTierOrg } from '#modules/trade/compliance/first-tier-org.doc.ts'
import type { ContextOf } from '#server/public/hooks.ts'
import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { filedLicences } from '#modules/trade/compliance/filed-licences.ts'
import { permits } from '#modules/trade/licensing/licence-types.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import { kindShownTo, sendMessage } from '#server/public/notifications.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import { systemSession } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof firstTierOrg>

/** Partner data an approval is based on: a change to any of it opens an approval of the change. */
const watched = { name: '企业名称', address: '注册地址', legal_person: '法定代表人', scope: '经营/生产范围' } as const
type Known = Readonly<Record<keyof typeof watched, string>>

/** Today's data of a partner: its master data, and the scope of its licences in the archive of `org`. */
const knownSql = (tx: Tx | Sql, org: ReturnType<typeof tx>, partner: ReturnType<typeof tx>) => tx`(
  select jsonb_build_object('name', q.name, 'address', q.address, 'legal_person', coalesce(q.legal_person, ''),
           'scope', coalesce((select string_agg(distinct l.scope, '；') from licence l
                               where l.org_id = ${org} and l.holder_id = q.id
                                 and l.licence_type = any(${permits as string[]}::text[]) and l.audit_state = 'passed'
                                 and l.status = 'enabled'
                                 and l.valid_from <= ${today()}
                                   and (l.long_term or l.valid_to is null or l.valid_to >= ${today()})), ''))
    from organisation q where q.id = ${partner})`

/** On approval the partner's current data is stored unseen beside the approval, to detect later changes. */
export async function keepKnown({ tx, session, doc }: Pick<Context, 'tx' | 'session' | 'doc'>): Promise<void> {
  const [row] = await tx<{ known: Known | null }[]>`
    select ${knownSql(tx, tx`${session.org.id}::bigint`, tx`${String(doc.partner_sn)}::bigint`)} as known`
  await patchDocument(tx, session, doc, { known: row!.known }, 'withAction')
}

type Changed = {
  readonly org_id: string
  readonly id: string
  readonly partner: string
  readonly partner_id: string
  readonly known: Known
  readonly now: Known
}

/** As worded on the page: 法定代表人：甲 → 乙. */
const noteOf = ({ known, now }: Changed): string =>
  Object.entries(watched)
    .flatMap(([name, label]) => {
      const [before, after] = [known[name as keyof Known] ?? '', now[name as keyof Known] ?? '']
      return before === after ? [] : [`${label}：${before || '空'} → ${after || '空'}`]
    })
    .join('；')
    .slice(0, 500)

/** Fields copied into a new approval of the same partner. */
const carried = [
  'partner_sn',
  'direction',
  'works_address',
  'manager',
  'quality_manager',
  'salesperson',
  'salesperson_phone',
  'bank_name',
  'bank_account',
  'seal_samples',
  'visit_result',
  'visited_on',
] as const

async function open(tx: Tx, changed: Changed, org: string): Promise<void> {
  const note = noteOf(changed)
  const session = systemSession((await systemSessionOf(tx, org)).org)
  const [before] = await loadDocuments(tx, org, [changed.id])
  const { address, legal_person, scope } = changed.now
  const sn = await createSystemDraft(
    tx,
    session,
    'firstTierOrg',
    {
      ...Object.fromEntries(carried.map(name => [name, byName(before!)[name] ?? null])),
      registered_address: address,
      legal_person,
      scope: (scope || String(byName(before!).scope ?? '')).slice(0, 300),
      change_note: note,
      apply_reason: '合作方资料变更',
    },
    before!.lines.map(line =>
      Object.fromEntries(Object.keys(filedLicences).map(name => [name, byName(line)[name] ?? null])),
    ),
  )
  await sendMessage(tx, org, {
    title: '合作方资料变更，请办理首营变更审批',
    body: `${changed.partner}：${note}；已生成首营企业审批${sn}`,
    uri: 'firstTierOrg',
    objectId: sn,
    kind: kindShownTo(session.org.type, ['firstTierOrg']),
    extra: { kind: 'firstTierOrg' },
  })
}

/** Approved partners, each with the data at its approval and today's; of one organisation and one partner. */
const approvedPartners = (sql: Sql | Tx, org: string | null, partner: string | null) => sql<Changed[]>`
  select distinct on (d.org_id, d.fields->>'partner_sn', d.fields->>'direction') d.org_id, d.id, o.name as partner,
    o.id::text as partner_id, d.fields->'known' as known,
         ${knownSql(sql as Tx, sql`d.org_id` as never, sql`o.id` as never)} as now
    from document d join organisation o on o.id = (d.fields->>'partner_sn')::bigint
   where d.kind = 'firstTierOrg' and d.role = 'own' and d.state = 'reviewed'
     and ${org === null ? sql`true` : sql`d.org_id = ${org}`}
     and ${partner === null ? sql`true` : sql`d.fields->>'partner_sn' = ${partner}`}
   order by d.org_id, d.fields->>'partner_sn', d.fields->>'direction', d.reviewed_at desc, d.id desc`

/** Opens the approval of a change, unless one was opened before. */
async function openOnce(tx: Tx, row: Changed): Promise<boolean> {
  const note = row.known ? noteOf(row) : ''
  if (note === '') return false
  const [begun] = await tx`
    select 1 from document where org_id = ${row.org_id} and kind = 'firstTierOrg' and role = 'own'
      and fields->>'partner_sn' = ${row.partner_id}
       and id > ${row.id}
         and (fields->>'change_note' = ${note} or fields ? 'change_note'
         and state in ('draft', 'submitted', 'rejected')) limit 1`
  if (begun) return false
  await open(tx, row, row.org_id)
  return true
}

/**
 * Every hour: an approved partner whose name, address, legal representative or scope changed gets a draft approval
 * of the change; the previous one is valid until it is approved. If the draft is discarded, the same change creates
 * no second one.
 */
export async function openChanges(owner: Sql): Promise<number> {
  let opened = 0
  for (const row of await approvedPartners(owner, null, null))
    if (await inOrganisation(owner, row.org_id, '0', tx => openOnce(tx, row))) opened++
  return opened
}

/** The same for one organisation, as soon as its data of a partner changes. */
export const openChangesOf = (sql: Sql, org: string, partner: string): Promise<void> =>
  inOrganisation(sql, org, '0', async tx => {
    for (const row of await approvedPartners(tx, org, partner)) await openOnce(tx, row)
  })

/** The same for every organisation that works with a partner whose own file changed. */
export async function partnerChanged(sql: Sql, partner: string): Promise<void> {
  const keepers = await sql<{ org_id: string }[]>`
    select distinct org_id from org_relation where partner_id = ${partner} order by org_id`
  for (const { org_id } of keepers) await openChangesOf(sql, org_id, partner)
}
