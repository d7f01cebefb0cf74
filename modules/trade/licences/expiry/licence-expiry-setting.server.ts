import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { lawfulTypes } from '#modules/trade/licensing/licence-types.ts'
import { configNumberSql, settingsFor } from '#server/public/settings.ts'
import type { ListActionHandler, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const steps = {
  at_order: '采购订单',
  at_arrival: '到货验收',
  at_receipt: '采购入库',
  at_sale: '销售订单',
  at_issue: '销售出库',
  at_use: '科室使用',
}
const DESCENDING = '预警天数必须逐级递减'

/** Every kind gets a row with the platform's presets when the list is opened. */
const complete = (tx: Tx, session: Session) => tx`
  insert into licence_setting (org_id, licence_type, is_required, control)
  select ${session.org.id}, k.licence_type, k.lawful, case when k.lawful then null else 'warn' end from licence_kind k
   where ${session.org.type} <> 'P' order by k.at on conflict (org_id, licence_type) do nothing`

/** After a change of the days, warnings are recomputed at once. */
const recount = (tx: Tx, session: Session) =>
  tx`update warning_count set moved_at = null where org_id = ${session.org.id}` as unknown as Promise<void>

/** Licences required by law may be monitored more strictly than preset, not less. */
async function problemsOf(tx: Tx, session: Session, row: Readonly<RecordRow>) {
  const [figures] = await tx<
    { first: number }[]
  >`select ${configNumberSql(tx, session.org.id, 'licence_warning_days')} as first`
  const first = parseInteger(row.first_days ?? figures!.first)
  const [second, daily] = [parseInteger(row.second_days), parseInteger(row.daily_days)]
  if (!(first > second && second > daily)) return [{ field: 'first_days', msg: DESCENDING }]
  if (!lawfulTypes.includes(String(row.licence_type))) return []
  if (row.control === 'none') return [{ field: 'control', msg: '该证照为法定必备证照，不能设为不控制' }]
  if (row.is_required === false) return [{ field: 'is_required', msg: '该证照为法定必备证照，不能设为非必备' }]
  const { certificate_check: preset } = await settingsFor(tx, session.org.id)
  return row.control === 'warn' && preset !== 'warn'
    ? [{ field: 'control', msg: '该证照为法定必备证照，到期控制只能更严，不能由禁止改为提醒' }]
    : []
}

/** Applies the same settings to the selected kinds; empty fields stay as they are. */
const batch: ListActionHandler = async ({ tx, session, asked, ids }) => {
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null && value !== undefined))
  if (ids.length === 0) throw new BusinessError('invalid', '请先选中要设置的证照类型')
  if (Object.keys(given).length === 0) throw new BusinessError('invalid', '请至少填写一项要设置的内容')
  const rows = await tx<(RecordRow & { id: string })[]>`
    select * from licence_setting where org_id = ${session.org.id} and id = any(${ids as string[]}::bigint[])
      order by id for update`
  for (const row of rows) {
    const [problem] = await problemsOf(tx, session, { ...row, ...given })
    if (problem) throw new BusinessError('rule', `${String(row.licence_type)}：${problem.msg}`, [problem])
    if (given.reminded_by === 'sms' && row.reminded_role_id === null)
      throw new BusinessError('rule', `${String(row.licence_type)}：短信提醒请先在编辑中选择提醒对象`)
  }
  await tx`
    update licence_setting set ${tx({ ...given, updated_by: session.userName })}, updated_at = now(),
      version = version + 1
     where org_id = ${session.org.id} and id = any(${rows.map(row => row.id)}::bigint[])`
  await recount(tx, session)
  return { said: `已设置${rows.length}类证照` }
}

const restore: ListActionHandler = async ({ tx, session, ids }) => {
  if (ids.length === 0) throw new BusinessError('invalid', '请先选中要恢复的证照类型')
  const rows = await tx`
    update licence_setting s set first_days = null, second_days = 30, daily_days = 7, grace_days = 0,
      reminded_role_id = null, is_required = k.lawful, device_classes = '{}',
           control = case when k.lawful then null else 'warn' end, at_order = true, at_arrival = true,
             at_receipt = true, at_sale = true, at_issue = true, at_use = false, reminded_by = 'inside',
             status = 'enabled',
           updated_by = ${session.userName}, updated_at = now(), version = version + 1
      from licence_kind k where k.licence_type = s.licence_type and s.org_id = ${session.org.id}
        and s.id = any(${ids as string[]}::bigint[]) returning s.id`
  await recount(tx, session)
  return { said: `已恢复${rows.length}类证照的默认设置` }
}

export const licenceSettingRules: RecordRules = {
  kind: 'licenceExpirySetting',
  prepare: async (tx, session) => {
    await complete(tx, session)
    return { preset: (await settingsFor(tx, session.org.id)).certificate_check === 'warn' ? 'warn' : 'refuse' }
  },
  columns: (tx, session, { preset }) => ({
    // Certificates of goods use the lead time from the warning settings until one is set here.
    first_now: tx`coalesce(t.first_days, case when t.licence_type = '医疗器械注册证/备案凭证'
      then coalesce((select s.certificate_days from warning_setting s where s.org_id = ${session.org.id}), 90) end,
                           ${configNumberSql(tx, session.org.id, 'licence_warning_days')})`,
    due_months: tx`(
      select string_agg(m.month, '、' order by m.month) from (
        select distinct to_char(e.valid_to, 'YYYY-MM') as month from (
          select l.valid_to from licence l where l.org_id = t.org_id and l.licence_type = t.licence_type
            and l.status = 'enabled' and l.audit_state = 'passed' and not l.long_term
          union all
          select c.valid_to from registration_certificate c
           where t.licence_type = '医疗器械注册证/备案凭证' and exists (
             select 1 from specification s join stock_balance b on b.org_id = t.org_id and b.specification_id = s.id
               and b.quantity > 0 where s.registration_certificate_id = c.id)) e
         where e.valid_to >= ${today()} and e.valid_to < ${today()}::date + interval '12 months') m)`,
    control_now: tx`coalesce(t.control, ${String(preset ?? 'refuse')}::text)`,
    watched_at: tx`concat_ws('、', ${Object.entries(steps)
      .map(([column, label]) => tx`case when t.${tx(column)} then ${label}::text end`)
      .reduce((some, one) => tx`${some}, ${one}`)})`,
    holders: tx`(select coalesce(nullif(concat_ws('、', case when 1 = any(k.holders) then '医院' end,
      case when 2 = any(k.holders) then '经销商' end, case when 3 = any(k.holders) then '厂商' end), ''), '产品')
      from licence_kind k where k.licence_type = t.licence_type)`,
    is_lawful: tx`(select k.lawful from licence_kind k where k.licence_type = t.licence_type)`,
  }),
  mayWrite(_session, action, row) {
    if (action === 'add' || action === 'del') throw new BusinessError('rule', '每类证照一份设置，请直接修改')
    if (action === 'disable' && row && lawfulTypes.includes(String(row.licence_type)))
      throw new BusinessError('rule', '该证照为法定必备证照，不能停用')
  },
  async check(tx, session, { after, before }) {
    if (before && after.licence_type !== before.licence_type)
      return [{ field: 'licence_type', msg: '证照类型不能修改' }]
    const classes = (after.device_classes ?? []) as readonly string[]
    if (classes.length > 0 && lawfulTypes.includes(String(after.licence_type)))
      return [{ field: 'device_classes', msg: '该证照为法定必备证照，适用管理类别按法规' }]
    return problemsOf(tx, session, after)
  },
  alsoWrites: async (_tx, session) => ({ updated_by: session.userName, updated_at: new Date().toISOString() }),
  saved: (tx, session) => recount(tx, session),
  calls: { batch, restore },
}
