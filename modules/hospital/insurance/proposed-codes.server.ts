import type { Sql } from 'postgres'
import { sendMessage } from '#server/public/notifications.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

type Update = {
  readonly org_id: string
  readonly id: string
  readonly supplier: string
  readonly hospital: string | null
  readonly specification_id: string
  readonly code: string
}
/** The columns of a published code that the hospital may read: all except its owner. */
const copied =
  'code, first_class, second_class, third_class, generic_name, material, feature, certificate_no, ' +
  'manufacturer, product_name, model, platform_code, pay_class, is_collective, valid_from, valid_to, ' +
  'specification_id'

/**
 * A code confirmed by a dealer or manufacturer waits for confirmation at every hospital that it supplies and that
 * has the goods in its catalogue, if nothing is confirmed yet. Proposed once per confirmation; a hospital that
 * discards it is not asked again.
 */
export async function proposeCodes(app: Sql, owner: Sql): Promise<void> {
  const notified = await owner<Update[]>`
    with open as (
      select c.org_id, c.id, c.specification_id, c.code, o.name as supplier from insurance_code c
        join organisation o on o.id = c.org_id
       where c.match_state = 'matched' and c.notified_at is null order by c.org_id, c.id limit 500)
    select n.*, h.id as hospital from open n
      left join lateral (
        select x.id from organisation x join hospital_product p on p.org_id = x.id
          and p.specification_id = n.specification_id
         where x.system_type = 1 and x.uses_system and x.id <> n.org_id
           and exists (select 1 from org_relation r where r.org_id = x.id and r.partner_id = n.org_id
             and r.status = 'enabled')
           and not exists (select 1 from insurance_code m
             where m.org_id = x.id and m.specification_id = n.specification_id
             and m.match_state in ('matched', 'waiting'))) h on true`
  if (notified.length === 0) return
  const meant = notified.filter(row => row.hospital !== null)
  for (const [, rows] of Map.groupBy(meant, row => `${row.hospital}/${row.org_id}`)) {
    const [first] = rows
    const codes = await owner`
      select ${owner.unsafe(copied)} from insurance_code
        where org_id = ${first!.org_id} and id = any(${rows.map(row => row.id)}::bigint[])`
    await inOrganisation(app, first!.hospital!, '0', tx => createProposals(tx, first!, codes))
  }
  await owner`
    update insurance_code c set notified_at = now()
      from jsonb_to_recordset(${owner.json(notified.map(({ org_id, id }) => ({ org_id, id })))}) as k(org_id bigint,
      id bigint)
     where c.org_id = k.org_id and c.id = k.id`
}

/** A row of the hospital's own list with the code and no goods becomes the proposal; otherwise one is added. */
async function createProposals(
  tx: Tx,
  { hospital, org_id: by, supplier }: Update,
  codes: readonly object[],
): Promise<void> {
  const created = await tx`
    with sent as (select * from jsonb_populate_recordset(null::insurance_code, ${tx.json(codes)})),
    known as (update insurance_code i set specification_id = s.specification_id, match_state = 'waiting',
      proposed_by_id = ${by}, changed_at = now(), version = i.version + 1
      from (select code, min(specification_id) as specification_id from sent group by code) s
        where i.org_id = ${hospital} and i.code = s.code and i.specification_id is null
        and i.match_state in ('none', 'many') returning i.code, i.specification_id),
    made as (insert into insurance_code (org_id, match_state, proposed_by_id, ${tx.unsafe(copied)})
      select ${hospital}, 'waiting', ${by}, ${tx.unsafe(copied)} from sent s
        where not exists (select 1 from known k where k.code = s.code and k.specification_id = s.specification_id)
      on conflict do nothing returning 1)
    select 1 from known union all select 1 from made`
  if (created.length === 0) return
  await sendMessage(tx, hospital!, {
    title: '供应商提出医保编码',
    body: `${supplier}提出了${created.length}个规格的国家医保编码，请核对后确认匹配`,
    uri: '/commonView/countryHealth?match_state=waiting',
    objectId: '',
    kind: 'insuranceCode',
    extra: { org_name: supplier },
  })
}
