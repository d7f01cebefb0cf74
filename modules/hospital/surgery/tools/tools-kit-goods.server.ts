import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { recordToolEvents } from '#modules/hospital/surgery/tools/tool-events.server.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

export type Set = {
  readonly id: string
  readonly code: string
  readonly warehouse_id: string
  readonly tools_template_id: string
  readonly status: string
  readonly out_plan_id: string | null
  readonly out_sn: string | null
}

/** The set, locked: two people who pack it at once come one after the other. */
export async function lockedSet(tx: Tx, session: Session, id: unknown): Promise<Set> {
  const [set] = await tx<Set[]>`
    select k.id, k.code, k.warehouse_id, k.tools_template_id, k.status, k.out_plan_id,
           (select d.sn from document d where d.org_id = k.org_id and d.id = k.out_plan_id) as out_sn
      from tools_kit k where k.org_id = ${session.org.id} and k.id = ${String(id)} for update of k`
  if (!set) throw new BusinessError('notFound', '工具包不存在或已被删除')
  return set
}

/** The list of a set becomes that of its template as it is now. */
export async function takeOverTemplate(tx: Tx, session: Session, set: Set): Promise<void> {
  await tx`delete from tools_kit_line where org_id = ${session.org.id} and tools_kit_id = ${set.id}`
  await tx`
    insert into tools_kit_line (org_id, tools_kit_id, tray, tool_code, name, model, quantity, is_key, remark)
    select l.org_id, k.id, l.tray, l.tool_code, l.name, l.model, l.quantity, l.is_key, l.remark
      from tools_kit k join tools_template_line l on l.org_id = k.org_id and l.tools_template_id = k.tools_template_id
     where k.org_id = ${session.org.id} and k.id = ${set.id} order by l.tray, l.id`
}

type Tool = {
  readonly id: string
  readonly code: string
  readonly tool_code: string
  readonly state: string
  readonly warehouse_id: string
  readonly kit: string | null
  readonly kit_id: string | null
  readonly is_worn: boolean
  readonly is_due: boolean
  readonly is_listed: boolean
}

/** Instruments by their codes, locked in one order; an unknown code is refused by name. */
export async function toolsByCode(tx: Tx, session: Session, set: Set, codes: readonly string[]): Promise<Tool[]> {
  const asked = [...new globalThis.Set(codes)]
  const tools = await tx<Tool[]>`
    select t.id, t.code, t.tool_code, t.state, t.warehouse_id, t.tools_kit_id as kit_id,
           coalesce(t.use_count >= t.max_uses, false) as is_worn,
           coalesce(coalesce(t.serviced_on, t.bought_on) + t.service_days < ${today()}::date, false) as is_due,
           (select k.code from tools_kit k where k.org_id = t.org_id and k.id = t.tools_kit_id) as kit,
           exists (select from tools_kit_line l where l.org_id = t.org_id and l.tools_kit_id = ${set.id}
             and l.tool_code = t.tool_code) as is_listed
      from surgical_tool t where t.org_id = ${session.org.id} and t.code = any(${asked})
     order by t.id for update of t`
  const unknown = asked.find(code => !tools.some(tool => tool.code === code))
  if (unknown !== undefined) throw wrong(`唯一码${unknown}不是本机构的手术工具，请核对后重新扫描`)
  return tools
}

export const wrong = (msg: string) => new BusinessError('rule', msg, [{ field: 'tool_codes', msg }])

/** The reason why an instrument cannot be packed, in the words of the register. */
function refuseUnfit(set: Set, tool: Tool): void {
  if (tool.kit !== null) throw wrong(`工具${tool.code}已在工具包【${tool.kit}】中`)
  if (tool.is_worn) throw wrong(`工具${tool.code}已达最大使用次数，请报废或更换`)
  if (tool.is_due) throw wrong(`工具${tool.code}检修已到期`)
  if (tool.state === 'dirty') throw wrong(`工具${tool.code}待清洗消毒，请先登记清洗灭菌`)
  if (tool.state !== 'in_stock') throw wrong(`工具${tool.code}不在库，不能组包`)
  if (tool.warehouse_id !== set.warehouse_id) throw wrong(`工具${tool.code}不在工具包【${set.code}】所属的仓库`)
  if (!tool.is_listed) throw wrong(`工具${tool.code}不在工具包【${set.code}】的清单上，请核对工具编码`)
}

type Lack = { readonly tool_code: string; readonly name: string; readonly lacks: number; readonly free: number }

/** The instruments that a set lacks of its list, and how many suitable ones are free in its store. */
const lacksOf = (tx: Tx, session: Session, set: Set) => tx<Lack[]>`
  select l.tool_code, l.name, l.quantity - count(t.id) filter (where t.tools_kit_id = l.tools_kit_id)::int as lacks,
         (count(t.id) filter (where t.tools_kit_id is null and t.state = 'in_stock'
           and t.warehouse_id = ${set.warehouse_id} and not coalesce(t.use_count >= t.max_uses, false)
           and not coalesce(coalesce(t.serviced_on, t.bought_on) + t.service_days < ${today()}::date, false)))::int
           as free
    from tools_kit_line l
    left join surgical_tool t on t.org_id = l.org_id and t.tool_code = l.tool_code
      and (t.tools_kit_id = l.tools_kit_id or t.tools_kit_id is null)
   where l.org_id = ${session.org.id} and l.tools_kit_id = ${set.id}
   group by l.id, l.tool_code, l.name, l.quantity, l.tools_kit_id
  having l.quantity > count(t.id) filter (where t.tools_kit_id = l.tools_kit_id)
   order by l.tool_code`

/**
 * 组包, 补件: what the set lacks comes from its store, the least used instruments first; inspected, clean and below their
 * limit. With `whole` it refuses where one lacks. Two statements for any list.
 */
export async function fillSet(tx: Tx, session: Session, set: Set, whole: boolean): Promise<number> {
  const lacks = await lacksOf(tx, session, set)
  const short = lacks.find(line => line.free < line.lacks)
  if (short && whole)
    throw new BusinessError('stockShort', `库存不足：${short.name} 可用${short.free}，需要${short.lacks}`)
  const packed = await recordToolEvents(tx, session, {
    step: 'pack',
    where: tx`t.id in (
      select f.id from (
        select u.id, u.tool_code, row_number() over (partition by u.tool_code order by u.use_count, u.code) as at
          from surgical_tool u
         where u.org_id = ${session.org.id} and u.tools_kit_id is null and u.state = 'in_stock'
           and u.warehouse_id = ${set.warehouse_id} and not coalesce(u.use_count >= u.max_uses, false)
           and not coalesce(coalesce(u.serviced_on, u.bought_on) + u.service_days < ${today()}::date, false)
      ) f join jsonb_to_recordset(${tx.json(lacks)}) w(tool_code text, lacks int)
        on w.tool_code = f.tool_code and f.at <= w.lacks)`,
    set: tx`state = 'packed', tools_kit_id = ${set.id}::bigint`,
  })
  return packed.length
}

/** Scanned instruments of the store go into the set; none may be more than the list has. */
export async function packScanned(tx: Tx, session: Session, set: Set, codes: readonly string[]): Promise<void> {
  const tools = await toolsByCode(tx, session, set, codes)
  for (const tool of tools) refuseUnfit(set, tool)
  const lacks = new Map((await lacksOf(tx, session, set)).map(line => [line.tool_code, line.lacks]))
  for (const [tool_code, some] of Map.groupBy(tools, tool => tool.tool_code))
    if (some.length > (lacks.get(tool_code) ?? 0))
      throw wrong(`工具${some[0]!.code}超出清单数量：工具编码${tool_code}还缺${lacks.get(tool_code) ?? 0}件`)
  await recordToolEvents(tx, session, {
    step: 'pack',
    where: tx`t.id = any(${tools.map(tool => tool.id)}::bigint[])`,
    set: tx`state = 'packed', tools_kit_id = ${set.id}::bigint`,
  })
}

/** 拆包: every instrument of the set is loose in its store again. */
export async function unpackSet(tx: Tx, session: Session, set: Set): Promise<void> {
  const out = await recordToolEvents(tx, session, {
    step: 'unpack',
    where: tx`t.tools_kit_id = ${set.id} and t.state in ('packed', 'dirty')`,
    set: tx`state = case when t.state = 'dirty' then 'dirty' else 'in_stock' end, tools_kit_id = null`,
  })
  if (out.length === 0) throw new BusinessError('rule', `工具包【${set.code}】是空的，不需要拆包`)
}

/**
 * Records a count of a set: the instruments that were scanned, and those that were not. Scanned ones that belong
 * elsewhere are refused by name; `missing` says what became of the others.
 */
export async function countSet(
  tx: Tx,
  session: Session,
  set: Set,
  codes: readonly string[],
  missing: unknown,
  plan: string | null,
): Promise<number> {
  const tools = await toolsByCode(tx, session, set, codes)
  const other = tools.find(tool => tool.kit_id !== set.id)
  if (other) throw wrong(`扫描到清单外的物品：${other.code}`)
  const found = tools.map(tool => tool.id)
  const lost = await tx<{ code: string }[]>`
    select t.code from surgical_tool t
     where t.org_id = ${session.org.id} and t.tools_kit_id = ${set.id} and t.id <> all(${found}::bigint[])
     order by t.code`
  if (lost.length === 0) return 0
  if (missing !== 'lost' && missing !== 'damaged')
    throw new BusinessError(
      'rule',
      `有${lost.length}件没有扫到（${lost
        .slice(0, 5)
        .map(tool => tool.code)
        .join('、')}），请补扫，或选择登记丢失或损坏`,
      [{ field: 'missing_as', msg: '请选择没有扫到的工具怎样处理' }],
    )
  await recordToolEvents(tx, session, {
    step: missing,
    where: tx`t.tools_kit_id = ${set.id} and t.id <> all(${found}::bigint[])`,
    set: missing === 'lost' ? tx`state = 'lost', tools_kit_id = null` : tx`state = 'repair', tools_kit_id = null`,
    plan,
  })
  return lost.length
}
