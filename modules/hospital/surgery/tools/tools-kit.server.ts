import { instant, startOf, today } from '#kernel/values/date.ts'
import { compare } from '#kernel/values/decimal.ts'
import { BusinessError, type Problem, type Question } from '#kernel/rules/errors.ts'
import { assignToPlan } from '#modules/hospital/surgery/bookings/plan-of-kit.server.ts'
import { sendToolsKits, takeBackToolsKits } from '#modules/hospital/surgery/tools/tools-contents.server.ts'
import { recordToolEvents } from '#modules/hospital/surgery/tools/tool-events.server.ts'
import { HEAVIEST_TRAY, toolsKitStates } from '#modules/hospital/surgery/tools/tool-steps.ts'
import {
  countSet,
  fillSet,
  lockedSet,
  packScanned,
  takeOverTemplate,
  unpackSet,
} from '#modules/hospital/surgery/tools/tools-kit-goods.server.ts'
import { toolsKitSheetOf } from '#modules/hospital/surgery/kits/kit-sheets.server.ts'
import type { Change, Fragment, RecordAction, RecordRow, RecordRules, Sign } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const visibleSets = (tx: Tx, session: Session): Fragment =>
  session.warehouses === 'all' ? tx`true` : tx`t.warehouse_id = any(${[...session.warehouses]}::bigint[])`

const nextBooking = (tx: Tx, column: Fragment) => tx`(select ${column} from surgery_booking b
  join document d on d.org_id = b.org_id and d.id = b.plan_id
 where b.org_id = t.org_id and b.subject_kind = 'toolsKit' and b.subject_id = t.id and upper(b.period) > ${instant()}
 order by lower(b.period) limit 1)`
const outDocument = (tx: Tx, column: Fragment) => tx`(select ${column} from document d
  left join organisation h on h.id = d.counterparty_id
 where d.org_id = t.org_id and d.id = t.out_plan_id)`
const held = (tx: Tx) => tx`(select count(*)::int from surgical_tool x
  where x.org_id = t.org_id and x.tools_kit_id = t.id)`
const missing = (tx: Tx) => tx`(select coalesce(sum(greatest(l.quantity - coalesce(h.held, 0), 0)), 0)::int
  from tools_kit_line l
  left join lateral (select count(*) as held from surgical_tool x where x.org_id = l.org_id
    and x.tools_kit_id = l.tools_kit_id and x.tool_code = l.tool_code) h on true
 where l.org_id = t.org_id and l.tools_kit_id = t.id)`
/** A list of instruments as one value, so that a template and a set by it can be compared. */
const listOf = (tx: Tx, table: 'tools_kit_line' | 'tools_template_line', of: Fragment) => tx`(select coalesce(
    jsonb_agg(jsonb_build_array(l.tray, l.tool_code, l.quantity, l.is_key) order by l.tool_code), '[]')
  from ${tx(table)} l where l.org_id = t.org_id and ${of})`

const columns: RecordRules['columns'] = tx => {
  const gaps = missing(tx)
  return {
    state: tx`case when t.status = 'disabled' then 'stopped' when t.out_plan_id is not null then 'out'
      when t.in_repair then 'repair'
      when t.is_dirty or (t.use_count > 0 and ${gaps} > coalesce(t.confirmed_gaps, 0)) then 'dirty'
      when ${nextBooking(tx, tx`true`)} then 'booked' else 'ready' end`,
    is_out: tx`t.out_plan_id is not null`,
    is_overdue: tx`coalesce(t.due_back_on < ${today()}::date, false)`,
    standard_count: tx`(select coalesce(sum(l.quantity), 0)::int from tools_kit_line l
      where l.org_id = t.org_id and l.tools_kit_id = t.id)`,
    held_count: held(tx),
    missing_count: gaps,
    completeness: tx`case when ${gaps} > 0 then 'gaps' else 'whole' end`,
    differs: tx`(${listOf(tx, 'tools_kit_line', tx`l.tools_kit_id = t.id`)}
      <> ${listOf(tx, 'tools_template_line', tx`l.tools_template_id = t.tools_template_id`)})`,
    has_worn: tx`exists (select from surgical_tool x where x.org_id = t.org_id and x.tools_kit_id = t.id
      and (x.use_count >= x.max_uses
        or coalesce(x.serviced_on, x.bought_on) + x.service_days < ${today()}::date))`,
    tray_count: tx`(select count(distinct l.tray)::int from tools_kit_line l
      where l.org_id = t.org_id and l.tools_kit_id = t.id)`,
    current_place: tx`case when t.out_plan_id is not null then ${outDocument(tx, tx`coalesce(h.name, d.sn)`)}
      else (select concat_ws(' ', w.name, t.place) from warehouse w
        where w.org_id = t.org_id and w.id = t.warehouse_id) end`,
    plan_no: tx`coalesce(${outDocument(tx, tx`d.sn`)}, ${nextBooking(tx, tx`d.sn`)})`,
    next_service_on: tx`(select min(coalesce(x.serviced_on, x.bought_on) + x.service_days) from surgical_tool x
      where x.org_id = t.org_id and x.tools_kit_id = t.id)`,
  }
}

const mayBe: Readonly<Record<string, readonly string[]>> = {
  check: ['ready', 'booked', 'dirty', 'repair'],
  supply: ['ready', 'booked', 'dirty', 'repair'],
  unpack: ['ready', 'dirty', 'repair'],
  lend: ['ready', 'booked'],
  giveBack: ['out'],
  clean: ['dirty'],
  repair: ['ready', 'dirty'],
  repairDone: ['repair'],
  del: ['ready', 'dirty', 'repair', 'stopped'],
  disable: ['ready', 'dirty', 'repair'],
}

/** Actions by what a set is doing: what would be refused is not offered. */
function mayWrite(_session: Session, action: string, row: Readonly<RecordRow> | null): void {
  if (action === 'del' && row !== null && (row.held_count as number) > 0)
    throw new BusinessError('blocked', `工具包【${String(row.code)}】内还有工具，请先拆包`)
  const states = mayBe[action]
  if (row === null || !states || states.includes(String(row.state))) return
  const state = toolsKitStates[row.state as keyof typeof toolsKitStates]
  throw new BusinessError('wrongState', `工具包【${String(row.code)}】为${state}状态，不能办理该业务`)
}

async function check(tx: Tx, session: Session, { before, after }: Change): Promise<readonly Problem[]> {
  const [template] = await tx<{ name: string; lines: boolean; status: string }[]>`
    select t.name, t.status, exists (select from tools_template_line l where l.org_id = t.org_id
             and l.tools_template_id = t.id) as lines
      from tools_template t where t.org_id = ${session.org.id} and t.id = ${String(after.tools_template_sn)}`
  if (!template) return [{ field: 'tools_template_sn', msg: '工具包模板不存在，请重新选择' }]
  if (before === null && template.status === 'disabled')
    return [{ field: 'tools_template_sn', msg: `工具包模板【${template.name}】已停用，请重新选择` }]
  if (!template.lines)
    return [{ field: 'tools_template_sn', msg: `工具包模板【${template.name}】没有工具，请先维护明细` }]
  const moved = before !== null && before.warehouse_model_inner_sn !== after.warehouse_model_inner_sn
  if (moved && (before.held_count as number) > 0)
    return [{ field: 'warehouse_model_inner_sn', msg: '工具包内有工具，请先拆包再改仓库' }]
  return []
}

/** A change of the set clears the confirmation of its gaps, which must be confirmed again. */
const notConfirmed = { confirmed_gaps: null, confirmed_by: null } as const
const codesOf = (answers: Readonly<RecordRow>): readonly string[] => (answers.tool_codes as string[] | null) ?? []

/** 清点: the list is the template's as it is now; whatever was not scanned is booked as lost or damaged. */
const count: RecordAction = async (tx, session, row, _reason, answers) => {
  const set = await lockedSet(tx, session, row.tools_kit_sn)
  await countSet(tx, session, set, codesOf(answers), answers.missing_as, null)
  await takeOverTemplate(tx, session, set)
  return { ...notConfirmed, counted_at: instant() }
}

const supply: RecordAction = async (tx, session, row, _reason, answers) => {
  const set = await lockedSet(tx, session, row.tools_kit_sn)
  const codes = codesOf(answers)
  if (codes.length > 0) await packScanned(tx, session, set, codes)
  else if ((await fillSet(tx, session, set, false)) === 0)
    throw new BusinessError('rule', `工具包【${set.code}】没有缺件，或仓库没有可补的在库工具`)
  return notConfirmed
}

/** 借出: the set is prepared for the plan, and leaves with it; a plan that has another set keeps it. */
const lend: RecordAction = async (tx, session, row, _reason, answers) => {
  const set = await lockedSet(tx, session, row.tools_kit_sn)
  const plan = await assignToPlan({ tx, session }, answers.plan_no, { tools: set.code })
  await sendToolsKits({ tx, session }, plan.id, [set.id], today(), true)
}

/**
 * 归还清点: the set of a plan is counted by scan as it comes back; what is not there was lost or damaged under the plan's
 * number. The set waits to be cleaned, and every instrument that came back was used once more.
 */
const giveBack: RecordAction = async (tx, session, row, _reason, answers) => {
  const set = await lockedSet(tx, session, row.tools_kit_sn)
  if (set.out_plan_id === null) throw new BusinessError('wrongState', `工具包【${set.code}】没有送出，不需要归还`)
  await countSet(tx, session, set, codesOf(answers), answers.missing_as, set.out_plan_id)
  await takeBackToolsKits({ tx, session }, set.out_plan_id, [set.id], true)
  return notConfirmed
}

/** 清洗灭菌: the set and the instruments in it are clean; it stays 待清洗消毒 until gaps are supplied or confirmed. */
const clean: RecordAction = async (tx, session, row, _reason, answers) => {
  const set = await lockedSet(tx, session, row.tools_kit_sn)
  const on = String(answers.on)
  if (on > today())
    throw new BusinessError('invalid', '灭菌日期不能晚于今天', [{ field: 'on', msg: '灭菌日期不能晚于今天' }])
  await recordToolEvents(tx, session, {
    step: 'sterilise',
    where: tx`t.tools_kit_id = ${set.id} and t.state in ('dirty', 'packed')`,
    set: tx`state = 'packed', sterilised_on = ${on}::date, sterilisation_count = t.sterilisation_count + 1`,
    remark: answers.run ? `灭菌批次${String(answers.run)}` : null,
  })
  return { is_dirty: false, sterilised_at: startOf(on) }
}

const confirmGaps: RecordAction = async (_tx, session, row) => {
  if (row.missing_count === 0) throw new BusinessError('rule', `工具包【${String(row.code)}】没有缺件，不需要确认`)
  return { confirmed_gaps: row.missing_count, confirmed_by: session.userName }
}

async function mayLeave(tx: Tx, session: Session, action: 'del' | 'disable', row: Readonly<RecordRow>): Promise<void> {
  const code = String(row.code)
  if (row.plan_no) throw new BusinessError('blocked', `工具包【${code}】已被手术${String(row.plan_no)}占用`)
  if (action === 'disable') return
  const [used] = await tx`
    select 1 from tools_kit where org_id = ${session.org.id} and id = ${String(row.tools_kit_sn)} and use_count > 0`
  if (used) throw new BusinessError('blocked', `工具包【${code}】已有使用记录，不能删除，可以停用`)
}

const toolsKitRules: RecordRules = {
  kind: 'toolsKit',
  platformReads: 'D',
  print: toolsKitSheetOf,
  visible: visibleSets,
  columns,
  check,
  mayWrite,
  mayLeave,
  /** 组包: fills a set by its list as it is made; refuses where the store has too few instruments. */
  async saved(tx, session, id, { before, after }) {
    if (before !== null) return
    const set = await lockedSet(tx, session, id)
    await takeOverTemplate(tx, session, set)
    if (after.packed_by === 'list') await fillSet(tx, session, set, true)
  },
  signs: (tx, session, keys) => tx<Sign[]>`
    select t.id as key, coalesce(t.label_code, t.code) as code, jsonb_build_array(
             jsonb_build_array('工具包', o.name), jsonb_build_array('编号', t.code),
             jsonb_build_array('箱/层', o.trays), jsonb_build_array('机构', ${session.org.name}::text)) as facts
      from tools_kit t join tools_template o on o.org_id = t.org_id and o.id = t.tools_template_id
     where t.org_id = ${session.org.id} and t.id = any(${keys as string[]}::bigint[])
       and ${visibleSets(tx, session)}`,
  actions: {
    check: count,
    supply,
    lend,
    giveBack,
    clean,
    confirmGaps,
    async unpack(tx, session, row) {
      await unpackSet(tx, session, await lockedSet(tx, session, row.tools_kit_sn))
      return { ...notConfirmed, is_dirty: false }
    },
    repair: async () => ({ in_repair: true }),
    repairDone: async () => ({ in_repair: false }),
  },
}

const toolsKitLineRules: RecordRules = {
  kind: 'toolsKitLine',
  visible: (tx, session) => tx`t.tools_kit_id in (
    select t.id from tools_kit t where t.org_id = ${session.org.id} and ${visibleSets(tx, session)})`,
  columns: tx => {
    const count = tx`(select count(*)::int from surgical_tool x where x.org_id = t.org_id
      and x.tools_kit_id = t.tools_kit_id and x.tool_code = t.tool_code)`
    return {
      held_count: count,
      missing_count: tx`greatest(t.quantity - ${count}, 0)`,
      tool_codes: tx`(select coalesce(array_agg(x.code order by x.code), '{}') from surgical_tool x
        where x.org_id = t.org_id and x.tools_kit_id = t.tools_kit_id and x.tool_code = t.tool_code)`,
    }
  },
}

/** The problem of a tray above seven kilograms, which a template should split. */
async function askHeavy(action: string, row: Readonly<RecordRow>, sent: Readonly<RecordRow>): Promise<Question[]> {
  const weight = (sent.weight ?? (action === 'add' ? row.weight : null)) as string | null
  return weight !== null && compare(weight, HEAVIEST_TRAY) > 0
    ? [{ rule: 'heavyTray', msg: '单箱重量超过7公斤，建议分箱' }]
    : []
}

const toolsTemplateRules: RecordRules = {
  kind: 'toolsTemplate',
  columns: tx => {
    const lines = tx`from tools_template_line l where l.org_id = t.org_id and l.tools_template_id = t.id`
    return {
      tool_count: tx`(select coalesce(sum(l.quantity), 0)::int ${lines})`,
      tray_count: tx`(select count(distinct l.tray)::int ${lines})`,
      set_count: tx`(select count(*)::int from tools_kit k where k.org_id = t.org_id and k.tools_template_id = t.id)`,
    }
  },
  asks: (_tx, _session, action, row, sent) =>
    action === 'add' || action === 'edit' ? askHeavy(action, row, sent) : Promise.resolve([]),
  async mayLeave(_tx, _session, action, row) {
    if (action === 'del' && (row.set_count as number) > 0)
      throw new BusinessError('blocked', `工具包模板【${String(row.name)}】已组包，不能删除，可以停用`)
  },
  actions: {
    async copy(tx, session, row, _reason, answers) {
      const [made] = await tx<{ id: string }[]>`
        insert into tools_template (org_id, code, name, system_brand, surgery_name, trays, weight, remark, pictures)
        select org_id, ${String(answers.new_code)}, ${String(answers.new_name)}, system_brand, surgery_name, trays,
               weight, remark, pictures
          from tools_template where org_id = ${session.org.id} and id = ${String(row.tools_template_sn)}
           and not exists (select from tools_template x where x.org_id = ${session.org.id}
             and x.name = ${String(answers.new_name)})
        on conflict do nothing returning id`
      if (!made) throw new BusinessError('duplicate', '模板编码或工具包名称已存在，请换一个')
      await tx`
        insert into tools_template_line (org_id, tools_template_id, tray, tool_code, name, model, quantity, is_key,
          remark)
        select org_id, ${made.id}, tray, tool_code, name, model, quantity, is_key, remark
          from tools_template_line
         where org_id = ${session.org.id} and tools_template_id = ${String(row.tools_template_sn)}`
    },
  },
}

export const toolsKitRecords: readonly RecordRules[] = [toolsKitRules, toolsKitLineRules, toolsTemplateRules]
