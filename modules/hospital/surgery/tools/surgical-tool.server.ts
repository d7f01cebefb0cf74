import { today } from '#kernel/values/date.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { recordToolEvents } from '#modules/hospital/surgery/tools/tool-events.server.ts'
import { toolStates, type ToolStep } from '#modules/hospital/surgery/tools/tool-steps.ts'
import type { Fragment, RecordAction, RecordRow, RecordRules, Sign } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The day on which an instrument is due for inspection: `t` is the row. */
const nextService = (tx: Tx): Fragment => tx`(coalesce(t.serviced_on, t.bought_on) + t.service_days)`
export const isServiceDue = (tx: Tx): Fragment => tx`coalesce(${nextService(tx)} < ${today()}::date, false)`
export const isWorn = (tx: Tx): Fragment => tx`coalesce(t.use_count >= t.max_uses, false)`

const visibleTools = (tx: Tx, session: Session): Fragment =>
  session.warehouses === 'all' ? tx`true` : tx`t.warehouse_id = any(${[...session.warehouses]}::bigint[])`

const lastPlace = (tx: Tx): Fragment => tx`(select e.to_place from surgical_tool_event e
  where e.org_id = t.org_id and e.surgical_tool_id = t.id order by e.id desc limit 1)`

/** The states in which an instrument may be handled in each way; the refusal says what comes first. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  maintain: ['in_stock', 'packed', 'dirty', 'repair'],
  sterilise: ['dirty'],
  repair: ['in_stock', 'packed', 'dirty'],
  repairDone: ['repair'],
  find: ['lost'],
  scrap: ['in_stock', 'packed', 'dirty', 'repair', 'lost'],
}

function mayWrite(_session: Session, action: string, row: Readonly<RecordRow> | null): void {
  if (row === null) return
  const state = String(row.state)
  const code = String(row.code)
  if (state === 'scrapped' && action !== 'edit')
    throw new BusinessError('wrongState', `工具${code}已报废，不能再办理其他业务`)
  if (state === 'out' && action === 'scrap')
    throw new BusinessError('wrongState', `工具${code}已送出，归还或登记丢失后才能报废`)
  const states = allowed[action]
  if (states && !states.includes(state))
    throw new BusinessError(
      'wrongState',
      `工具${code}为${toolStates[state as keyof typeof toolStates]}状态，不能办理该业务`,
    )
}

const one = (tx: Tx, row: Readonly<RecordRow>): Fragment => tx`t.id = ${String(row.surgical_tool_sn)}`

/** An action that is one step of the history; the row is written by it, so its version rises once more. */
const step =
  (name: ToolStep, set: (tx: Tx, answers: Readonly<RecordRow>, row: Readonly<RecordRow>) => Fragment): RecordAction =>
  async (tx, session, row, reason, answers) => {
    const remark = [answers.finding, answers.run && `灭菌批次${String(answers.run)}`, reason].filter(Boolean).join('；')
    await recordToolEvents(tx, session, {
      step: name,
      where: one(tx, row),
      set: set(tx, answers, row),
      remark: remark === '' ? null : remark,
      keepsVersion: true,
    })
  }

const day = (answers: Readonly<RecordRow>): string => {
  const on = String(answers.on)
  if (on > today()) throw new BusinessError('invalid', '日期不能晚于今天', [{ field: 'on', msg: '日期不能晚于今天' }])
  return on
}

const backHome = (tx: Tx): Fragment => tx`case when t.tools_kit_id is null then 'in_stock' else 'packed' end`

/** The history of a register begins when it is written; a piece comes with the uses it had before. */
async function noteRegistration(tx: Tx, session: Session, id: string): Promise<void> {
  await recordToolEvents(tx, session, {
    step: 'register',
    where: tx`t.id = ${id}`,
    set: tx`state = t.state`,
    keepsVersion: true,
  })
}

const rules: RecordRules = {
  kind: 'surgicalTool',
  visible: visibleTools,
  columns: tx => ({
    current_place: tx`case when t.state in ('out', 'lost') then ${lastPlace(tx)}
      else concat_ws(' ', (select w.name from warehouse w where w.org_id = t.org_id and w.id = t.warehouse_id),
        t.place) end`,
    next_service_on: nextService(tx),
    is_service_due: isServiceDue(tx),
    is_worn: isWorn(tx),
  }),
  mayWrite,
  async check(tx, session, { id, after, before }): Promise<readonly Problem[]> {
    const code = String(after.code)
    const [same] = await tx`
      select 1 from surgical_tool where org_id = ${session.org.id} and code = ${code}
        and id is distinct from ${id}::bigint`
    if (same) return [{ field: 'code', msg: `唯一码${code}已存在` }]
    if (before === null || before.state === 'in_stock') return []
    const changed = (['code', 'tool_code', 'warehouse_model_inner_sn'] as const).find(
      name => before[name] !== after[name],
    )
    return changed ? [{ field: changed, msg: `工具${String(before.code)}不在库或已组包，请先拆出再修改` }] : []
  },
  async saved(tx, session, id, { before }) {
    if (before === null) await noteRegistration(tx, session, id)
  },
  async mayLeave(tx, session, action, row) {
    if (action !== 'del') return
    const [event] = await tx`
      select 1 from surgical_tool_event
       where org_id = ${session.org.id} and surgical_tool_id = ${String(row.surgical_tool_sn)}
         and step <> 'register' limit 1`
    if (event) throw new BusinessError('blocked', `工具${String(row.code)}已有使用记录，不能删除，请办理报废`)
  },
  signs: (tx, session, keys) => tx<Sign[]>`
    select t.id as key, t.code, jsonb_build_array(
             jsonb_build_array('工具', t.name), jsonb_build_array('规格', t.model),
             jsonb_build_array('编码', t.tool_code), jsonb_build_array('机构', ${session.org.name}::text)) as facts
      from surgical_tool t where t.org_id = ${session.org.id} and t.id = any(${keys as string[]}::bigint[])
       and ${visibleTools(tx, session)}`,
  actions: {
    maintain: step('service', (tx, answers) => tx`serviced_on = ${day(answers)}::date`),
    sterilise: step(
      'sterilise',
      (tx, answers) => tx`state = ${backHome(tx)}, sterilised_on = ${day(answers)}::date,
        sterilisation_count = t.sterilisation_count + 1`,
    ),
    repair: step('repair', tx => tx`state = 'repair'`),
    repairDone: step('repaired', tx => tx`state = ${backHome(tx)}`),
    find: step('found', tx => tx`state = 'dirty', tools_kit_id = null`),
    scrap: step('scrap', tx => tx`state = 'scrapped', tools_kit_id = null`),
  },
}

export const toolRecords: readonly RecordRules[] = [
  rules,
  {
    kind: 'surgicalToolEvent',
    visible: (tx, session) =>
      session.warehouses === 'all'
        ? tx`true`
        : tx`t.surgical_tool_id in (select t.id from surgical_tool t where t.org_id = ${session.org.id}
            and ${visibleTools(tx, session)})`,
  },
]
