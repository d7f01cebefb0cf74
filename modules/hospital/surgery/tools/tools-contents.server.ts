import { instant } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { TenantContext, Booking } from '#modules/hospital/surgery/bookings/booking.server.ts'
import { takeFromNow } from '#modules/hospital/surgery/bookings/real-times.server.ts'
import { recordToolEvents } from '#modules/hospital/surgery/tools/tool-events.server.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'
import type { Session } from '#server/public/session.ts'

/** One kind of instrument in a set: how many it should hold, how many it has, under which codes. */
export type ToolsContent = {
  readonly tools_kit_sn: string
  readonly tools_kit_code: string
  readonly tray: string
  readonly tool_code: string
  readonly name: string
  readonly model: string | null
  readonly is_key: boolean
  readonly quantity: number
  readonly held: number
  readonly codes: readonly string[]
}

/** The list of each set and what is in it, in the order of set, tray and tool. */
export const toolsKitContents = (tx: Tx, session: Session, sns: readonly string[]) => tx<ToolsContent[]>`
  select k.id as tools_kit_sn, k.code as tools_kit_code, l.tray, l.tool_code, l.name, l.model, l.is_key, l.quantity,
         count(t.id)::int as held, coalesce(array_agg(t.code order by t.code) filter (where t.id is not null), '{}')
           as codes
    from tools_kit k
    join tools_kit_line l on l.org_id = k.org_id and l.tools_kit_id = k.id
    left join surgical_tool t on t.org_id = k.org_id and t.tools_kit_id = k.id and t.tool_code = l.tool_code
   where k.org_id = ${session.org.id} and k.id = any(${sns as string[]}::bigint[])
   group by k.id, k.code, l.id, l.tray, l.tool_code, l.name, l.model, l.is_key, l.quantity
   order by k.code, l.tray, l.tool_code`

type Unfit = {
  readonly code: string
  readonly status: string
  readonly is_dirty: boolean
  readonly in_repair: boolean
  readonly out_sn: string | null
  /** The number of instruments missing since the set came back, as far as nobody confirmed them. */
  readonly gaps: number
}

/** The number of instruments that a set lacks of its list: `k` is the set. */
const gapsOf = (tx: Tx): Fragment => tx`(select coalesce(sum(greatest(l.quantity - (select count(*)
      from surgical_tool t where t.org_id = l.org_id and t.tools_kit_id = l.tools_kit_id
        and t.tool_code = l.tool_code), 0)), 0)::int
  from tools_kit_line l where l.org_id = k.org_id and l.tools_kit_id = k.id)`

/** Only a set in 在库可用 may be put on a plan. */
export async function refuseUnfitTools(tx: Tx, session: Session, bookings: readonly Booking[]): Promise<void> {
  if (bookings.length === 0) return
  const rows = tx.json(bookings.map(({ sn, planId }) => ({ sn, plan: planId })))
  const found = await tx<Unfit[]>`
    select k.code, k.status, k.is_dirty, k.in_repair, d.sn as out_sn,
           case when k.use_count > 0 and ${gapsOf(tx)} > coalesce(k.confirmed_gaps, 0) then ${gapsOf(tx)} else 0 end
             as gaps
      from jsonb_to_recordset(${rows}) r(sn bigint, plan bigint)
      join tools_kit k on k.org_id = ${session.org.id} and k.id = r.sn
      left join document d on d.org_id = k.org_id and d.id = k.out_plan_id and d.id <> r.plan
     order by k.code`
  if (found.length < bookings.length) throw new BusinessError('notFound', '工具包不存在或已被删除，请刷新后重新选择')
  for (const kit of found) {
    if (kit.out_sn) throw new BusinessError('blocked', `工具包【${kit.code}】已被手术${kit.out_sn}占用`)
    const why = kit.status === 'disabled' ? '已停用' : kit.in_repair ? '在维修' : kit.is_dirty ? '待清洗消毒' : null
    if (why) throw new BusinessError('wrongState', `工具包【${kit.code}】${why}，请选择其他工具包`)
    if (kit.gaps > 0) throw unconfirmed(kit.code, kit.gaps)
  }
}

type Lacking = {
  readonly code: string
  readonly name: string
  readonly overdue: string | null
  readonly worn: string | null
}

/**
 * Refuses to send out a set without a key instrument, or with one that is overdue for inspection or has been used as
 * often as it may be.
 */
export async function refuseIncomplete(tx: Tx, session: Session, sns: readonly string[], day: string): Promise<void> {
  const [lacking] = await tx<Lacking[]>`
    select k.code, l.name, null as overdue, null as worn
      from tools_kit k join tools_kit_line l on l.org_id = k.org_id and l.tools_kit_id = k.id and l.is_key
     where k.org_id = ${session.org.id} and k.id = any(${sns as string[]}::bigint[])
       and l.quantity > (select count(*) from surgical_tool t
         where t.org_id = k.org_id and t.tools_kit_id = k.id and t.tool_code = l.tool_code)
    union all
    select k.code, t.name,
           case when coalesce(t.serviced_on, t.bought_on) + t.service_days < ${day}::date then t.code end,
           case when t.use_count >= t.max_uses then t.code end
      from tools_kit k join surgical_tool t on t.org_id = k.org_id and t.tools_kit_id = k.id
     where k.org_id = ${session.org.id} and k.id = any(${sns as string[]}::bigint[])
       and (coalesce(t.serviced_on, t.bought_on) + t.service_days < ${day}::date or t.use_count >= t.max_uses)
     order by 3 nulls first, 4 nulls first, 1, 2 limit 1`
  if (lacking?.overdue) throw new BusinessError('rule', `工具${lacking.overdue}检修已到期`)
  if (lacking?.worn) throw new BusinessError('rule', `工具${lacking.worn}已达最大使用次数，请报废或更换`)
  if (lacking) throw new BusinessError('rule', `关键件缺失：${lacking.name}`)
  await refuseUnconfirmed(tx, session, sns)
}

/** Other gaps are allowed once a user confirmed as many of them. */
async function refuseUnconfirmed(tx: Tx, session: Session, sns: readonly string[]): Promise<void> {
  const [short] = await tx<{ code: string; gaps: number }[]>`
    select k.code, ${gapsOf(tx)} as gaps from tools_kit k
     where k.org_id = ${session.org.id} and k.id = any(${sns as string[]}::bigint[])
       and ${gapsOf(tx)} > coalesce(k.confirmed_gaps, 0)
     order by k.code limit 1`
  if (short) throw unconfirmed(short.code, short.gaps)
}

const unconfirmed = (code: string, gaps: number) =>
  new BusinessError('rule', `工具包【${code}】缺${gaps}件未确认，请先补件或确认缺件`)

/** 送出: sets that were taken for the plan leave with it, with every instrument in them. */
export async function sendToolsKits(
  { tx, session }: TenantContext,
  planId: string,
  sns: readonly string[],
  day: string,
  keepsVersion = false,
): Promise<void> {
  if (sns.length === 0) return
  await refuseIncomplete(tx, session, sns, day)
  const sent = await tx`
    update tools_kit k set out_plan_id = b.plan_id, out_at = ${instant()}, version = version + ${keepsVersion ? 0 : 1},
           due_back_on = (upper(b.period) at time zone 'Asia/Shanghai')::date
      from surgery_booking b
     where k.org_id = ${session.org.id} and k.id = any(${sns as string[]}::bigint[])
       and b.org_id = k.org_id and b.subject_kind = 'toolsKit' and b.subject_id = k.id and b.plan_id = ${planId}
       and coalesce(k.out_plan_id, b.plan_id) = b.plan_id
    returning k.id`
  if (sent.length < new Set(sns).size) throw new BusinessError('wrongState', '有工具包未分配给该手术，请先备货后再送出')
  await takeFromNow({ tx, session }, 'toolsKit', planId, sns)
  await recordToolEvents(tx, session, {
    step: 'lend',
    where: tx`t.tools_kit_id = any(${sns as string[]}::bigint[]) and t.state = 'packed'`,
    set: tx`state = 'out'`,
    plan: planId,
  })
}

/** 归还: the sets of a plan are back and wait to be cleaned; each of their instruments has been used once more. */
export async function takeBackToolsKits(
  { tx, session }: TenantContext,
  planId: string,
  sns: readonly string[],
  keepsVersion = false,
): Promise<void> {
  if (sns.length === 0) return
  await recordToolEvents(tx, session, {
    step: 'give_back',
    where: tx`t.tools_kit_id = any(${sns as string[]}::bigint[]) and t.state = 'out'`,
    set: tx`state = 'dirty', use_count = t.use_count + 1`,
    plan: planId,
  })
  await tx`
    update tools_kit set out_plan_id = null, out_at = null, due_back_on = null, is_dirty = true,
           counted_at = ${instant()}, use_count = use_count + 1, version = version + ${keepsVersion ? 0 : 1}
     where org_id = ${session.org.id} and out_plan_id = ${planId} and id = any(${sns as string[]}::bigint[])`
  await tx`
    delete from surgery_booking
     where org_id = ${session.org.id} and plan_id = ${planId} and subject_kind = 'toolsKit'
       and subject_id = any(${sns as string[]}::bigint[])`
}

/** 撤回送出: the sets of a plan never left; their instruments were used by nobody and are as clean as they were. */
export async function recallToolsKits({ tx, session }: TenantContext, planId: string): Promise<void> {
  await recordToolEvents(tx, session, {
    step: 'recall',
    where: tx`t.state = 'out' and t.tools_kit_id in (
      select k.id from tools_kit k where k.org_id = ${session.org.id} and k.out_plan_id = ${planId})`,
    set: tx`state = 'packed'`,
    plan: planId,
  })
  await tx`
    update tools_kit set out_plan_id = null, out_at = null, due_back_on = null, version = version + 1
     where org_id = ${session.org.id} and out_plan_id = ${planId}`
}
