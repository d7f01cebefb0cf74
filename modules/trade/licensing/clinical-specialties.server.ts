import { shelfLifeDay } from '#kernel/rules/shelf-life.ts'
import { type Obstacle, refuseOrAsk } from '#modules/base/checks/block-or-confirm.server.ts'
import { practice } from '#modules/trade/licensing/licence-types.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { pipelined, type Tx } from '#server/public/database.ts'

/** The first of these names not in the list of subjects (诊疗科目名录), or null. */
export async function unknownSubjects(tx: Tx, names: readonly string[]): Promise<string | null> {
  if (names.length === 0) return null
  const known = await tx<{ name: string }[]>`
    select i.name from dictionary_item i join dictionary d on d.id = i.dictionary_id
     where d.code = 'clinical_subject' and i.status = 'enabled' and i.name = any(${[...names]}::text[])`
  return names.find(name => !known.some(row => row.name === name)) ?? null
}

type Limited = { readonly id: string; readonly product: string; readonly subjects: readonly string[] }
type Licensed = { readonly subjects: readonly string[]; readonly met: readonly string[] }

/**
 * Goods whose class, or its nearest ancestor, is limited to some subjects; the class of 2017 takes precedence over
 * that of 2002.
 */
const limitedGoods = ({ tx, doc }: ActionContext) => tx<Limited[]>`
  select s.id, p.name as product, c.subjects
    from specification s join product p on p.id = s.product_id
    cross join lateral (
      select k.subjects from device_class k
       where k.subjects <> '{}' and k.status = 'enabled'
         and (k.catalogue = '2017' and (p.class_code = k.code or p.class_code like k.code || '-%')
           or k.catalogue = '2002' and (p.class_code_2002 = k.code or p.class_code_2002 like k.code || '-%'))
       order by k.catalogue desc, length(k.code) desc limit 1) c
   where s.id = any(${doc.lines.flatMap(line => line.specification_sn ?? [])}::bigint[])`

/**
 * The subjects named by the customer's licences of the day, expanded: a subject counts for those under it, and for
 * the one above it.
 */
const licensedSubjects = ({ tx, session, doc }: ActionContext) => tx<Licensed[]>`
  with held as (
    select distinct unnest(l.subjects) as name from licence l join organisation o on o.id = l.holder_id
     where l.org_id = ${session.org.id} and l.holder_id = ${doc.counterparty_sn} and o.system_type = 1
       and l.licence_type = any(${[...practice]}::text[]) and l.audit_state = 'passed'
       and l.status in ('enabled', 'replaced') and l.valid_from <= ${shelfLifeDay(doc)}
         and (l.long_term or l.valid_to is null or l.valid_to >= ${shelfLifeDay(doc)})),
  list as (select i.code, i.name from dictionary_item i join dictionary d on d.id = i.dictionary_id
    where d.code = 'clinical_subject')
  select coalesce(array_agg(distinct h.name), '{}') as subjects,
         coalesce(array_agg(distinct m.name) filter (where m.name is not null), '{}') as met
    from held h left join list own on own.name = h.name
    left join list m on m.code = own.code or m.code like own.code || '.%' or own.code like m.code || '.%'`

/**
 * 诊疗科目: a device the platform limits to some subjects may go only to hospitals licensed for one of them. Customers
 * whose licence names no subjects are left to people, as are goods of an unlimited class.
 */
export async function checkSubjects(ctx: ActionContext): Promise<void> {
  const { session, doc } = ctx
  if (!doc.counterparty_sn || doc.counterparty_sn === session.org.id) return
  const [goods, [licensed]] = await pipelined([limitedGoods(ctx), licensedSubjects(ctx)])
  if (!licensed || licensed.subjects.length === 0) return
  const held = new Set([...licensed.subjects, ...licensed.met])
  const byId = new Map(goods.map(good => [good.id, good]))
  const obstacles = doc.lines.flatMap((line): Obstacle[] => {
    const good = byId.get(line.specification_sn ?? '')
    if (!good || good.subjects.some(subject => held.has(subject))) return []
    const fact = `第${line.line_no}行：购货单位诊疗科目不含${good.subjects.join('、')}【${good.product}】`
    return [{ line: line.line_no, field: 'specification_sn', fact, consequence: '不能销售' }]
  })
  refuseOrAsk(ctx, 'customerSubjects', obstacles)
}
