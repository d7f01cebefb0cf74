import type { Sql } from 'postgres'
import { sendMessage } from '#server/public/notifications.ts'
import { inOrganisation } from '#server/public/database.ts'

type Counted = {
  code: string
  note: string | null
  audience: string
  audience_orgs: string[]
  news: number
  sizes: number
  changes: number
  stops: number
}

/** How many of its own goods are listed by name to an organisation; the rest are counted. */
const NAMED = 3
const named = (word: string, names: readonly string[]) =>
  names.length === 0
    ? []
    : [
        `${word}${names
          .slice(0, NAMED)
          .map(name => `【${name}】`)
          .join('')}${names.length > NAMED ? `等${names.length}个` : ''}`,
      ]

const partsOf = (batch: Counted) => [
  ...(batch.news > 0 ? [`新增${batch.news}个产品、${batch.sizes}个规格`] : []),
  ...(batch.changes > 0 ? [`变更${batch.changes}个产品`] : []),
  ...(batch.stops > 0 ? [`停用${batch.stops}个产品`] : []),
]

/**
 * One message to each organisation that a batch is for, with the counts, and which of the goods are in its own
 * catalogue. Organisations with goods that change or are withdrawn are always notified.
 */
export async function announce(sql: Sql, batch: string): Promise<void> {
  const [counted] = await sql<Counted[]>`
    select r.code, r.note, r.audience, r.audience_orgs,
           count(distinct l.product_id) filter (where l.change_kind not in ('change', 'stop'))::int as news,
             count(s.id) filter (where l.change_kind not in ('change', 'stop'))::int as sizes,
           count(distinct l.product_id) filter (where l.change_kind = 'change')::int as changes,
             count(distinct l.product_id) filter (where l.change_kind = 'stop')::int as stops
      from product_release r join product_release_line l on l.product_release_id = r.id left
        join specification s on s.product_id = l.product_id and s.mapped_to_id is null
     where r.id = ${batch} group by r.id`
  if (!counted) return
  const orgs = await sql<{ id: string; system_type: number; is_meant: boolean }[]>`
    select id, system_type,
           case when ${counted.audience} = 'orgs' then code = any(${counted.audience_orgs})
             else ${counted.audience} = 'all'
             or position(substr('PHDV', system_type + 1, 1) in ${counted.audience}) > 0 end as is_meant
      from organisation where status = 'enabled' and kept_by_id is null and uses_system and system_type > 0`
  for (const org of orgs) await notify(sql, batch, counted, org)
}

async function notify(
  sql: Sql,
  batch: string,
  counted: Counted,
  org: { id: string; system_type: number; is_meant: boolean },
): Promise<void> {
  await inOrganisation(sql, org.id, '0', async tx => {
    const own =
      counted.changes + counted.stops === 0
        ? []
        : await tx<{ change_kind: string; name: string }[]>`
          select distinct l.change_kind, p.name from product_release_line l join product p on p.id = l.product_id
           where l.product_release_id = ${batch} and l.change_kind in ('change', 'stop')
             and (p.manufacturer_id = ${org.id} or exists (
               select 1 from specification s where s.product_id = p.id
                  and (exists (select 1 from hospital_product h
                    where h.org_id = ${org.id} and h.specification_id = s.id)
                    or exists (select 1 from dealer_product d
                      where d.org_id = ${org.id} and d.specification_id = s.id)))) order by p.name`
    if (!org.is_meant && own.length === 0) return
    const ofKind = (kind: string) => own.filter(each => each.change_kind === kind).map(each => each.name)
    const mine = [...named('变更', ofKind('change')), ...named('停用', ofKind('stop'))]
    await sendMessage(tx, org.id, {
      title: counted.news > 0 ? '平台发布了新产品' : '平台产品目录有变动',
      body:
        `${counted.code}：${partsOf(counted).join('，')}${mine.length > 0 ? `；与本机构有关：${mine.join('，')}` : ''}` +
        `${counted.note ? `。${counted.note}` : ''}`,
      uri: '/ptm/productReleased',
      objectId: batch,
      kind: 'product',
      type: 'audit',
    })
  })
}
