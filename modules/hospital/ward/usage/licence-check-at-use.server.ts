import { shelfLifeDay } from '#kernel/rules/shelf-life.ts'
import { type Obstacle, refuseAndAsk } from '#modules/base/checks/block-or-confirm.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'

type Lapsed = {
  readonly line_no: number
  readonly goods: string
  /** The supplier that owns the goods here, whose licence is checked; null: only the licence of the product. */
  readonly seller: string | null
  readonly licence_type: string
  readonly ended_on: string
  readonly control: 'refuse' | 'warn' | 'none' | null
}

const usedIn = (doc: ActionContext['doc']) =>
  doc.lines.map(line => ({
    line_no: line.line_no,
    specification: line.specification_sn,
    owner: line.owner_org_sn,
  }))

/**
 * Licences monitored at use that were expired on the day: certificates of the goods, and licences of the
 * organisation that still owns them.
 */
const lapsedAtUse = ({ tx, session, doc }: ActionContext) => {
  const day = shelfLifeDay(doc)
  return tx<Lapsed[]>`
  with line as (
    select * from
      jsonb_to_recordset(${tx.json(usedIn(doc))}) as k(line_no int, specification bigint, owner bigint)),
  watched as (
    select licence_type, control, grace_days from licence_setting where org_id = ${session.org.id} and at_use
      and status = 'enabled'),
  filed as (
    select distinct on (l.holder_id, l.licence_type) l.holder_id, l.licence_type, w.control, w.grace_days,
    l.valid_to,
           l.valid_from <= ${day}
             and (l.long_term or l.valid_to is null or l.valid_to >= ${day}) as holds
      from licence l join watched w on w.licence_type = l.licence_type
     where l.org_id = ${session.org.id} and l.holder_id in (select owner from line where owner <> ${session.org.id})
       and l.status in ('enabled', 'replaced') and l.audit_state = 'passed'
       and grant_holds(l.org_id, l.owner_org_id, l.grant_sn, ${day}::date)
     order by l.holder_id, l.licence_type, (l.valid_from <= ${day}) desc,
       (l.long_term or l.valid_to is null) desc, l.valid_to desc)
  select k.line_no, p.name as goods, null as seller, w.licence_type, c.valid_to::text as ended_on, w.control
    from line k join specification s on s.id = k.specification join product p on p.id = s.product_id
    join registration_certificate c on c.id = s.registration_certificate_id
      join watched w on w.licence_type = '医疗器械注册证/备案凭证'
   where c.valid_to + w.grace_days < ${day}
   union all
  select k.line_no, p.name, o.name, f.licence_type, f.valid_to::text, f.control
    from line k join filed f on f.holder_id = k.owner join organisation o on o.id = k.owner
    join specification s on s.id = k.specification join product p on p.id = s.product_id
   where not f.holds and f.valid_to is not null and f.valid_to + f.grace_days < ${day}
   order by 1, 4`
}

/** The step 使用: what the organisation monitors there blocks the use, or needs a confirmation, as set for each kind. */
export async function licencesAtUse(ctx: ActionContext): Promise<void> {
  const lapsed = await lapsedAtUse(ctx)
  const obstacles = (how: 'refuse' | 'warn') =>
    lapsed
      .filter(one => (one.control ?? (ctx.settings.certificate_check === 'warn' ? 'warn' : 'refuse')) === how)
      .map((one): Obstacle => {
        const licence = one.seller === null ? '注册证' : `供应商【${one.seller}】的${one.licence_type}`
        const fact = `第${one.line_no}行【${one.goods}】：${licence}已于${one.ended_on}到期`
        return { line: one.line_no, field: 'specification_sn', fact, consequence: '不能使用' }
      })
  refuseAndAsk(ctx, 'papersAtUse', obstacles('refuse'), obstacles('warn'))
}
