import type { Sql } from 'postgres'
import { addDays, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { Fragment, RecordRules } from '#server/public/records.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

/** Days before a level expires on which its organisation is notified. */
const REMIND_DAYS = [30, 7, 1] as const

/** Reads a value of the system role that bounds organisations of the level `t`. */
const boundOf = (tx: Tx, what: Fragment): Fragment => tx`
  (select ${what} from system_role s where s.system_type = t.system_type and s.only_org_id is null
    and s.status = 'enabled' and s.vip_level in (0, t.code) order by s.vip_level desc limit 1)`

export const vipLevelRules: RecordRules = {
  kind: 'vipLevel',
  columns: tx => ({
    system_type: tx`t.system_type::text`,
    org_count: tx`(select count(*)::int from organisation o where o.system_type = t.system_type
      and o.vip_level = t.code)`,
    bound_name: boundOf(tx, tx`s.name`),
    feature_scope: boundOf(
      tx,
      tx`case when s.is_whole then '全部权限' else (select count(*) filter (where flag like 'page:%') || '个页面，'
        || count(*) filter (where flag not like 'page:%') || '项操作' from unnest(s.flags) flag) end`,
    ),
  }),
  mayWrite(_session, action, row) {
    if (row?.code === 0 && ['del', 'disable'].includes(action))
      throw new BusinessError('rule', '0级为免费等级，不能停用或删除')
  },
  async mayLeave(tx, _session, _action, row) {
    const [used] = await tx`
      select 1 from organisation where system_type = ${parseInteger(row.system_type)}
        and vip_level = ${parseInteger(row.code)} and status = 'enabled' limit 1`
    if (used) throw new BusinessError('blocked', '该等级下存在有效机构，不能停用')
  },
  actions: {
    async grant(tx, session, row, _reason, answers) {
      const org = String(answers.org_sn)
      const [found] = await tx<{ system_type: number }[]>`select system_type from organisation where id = ${org}`
      if (found?.system_type !== parseInteger(row.system_type))
        throw new BusinessError('rule', '机构类型与等级不同，请重新选择')
      const way = String(answers.way ?? 'paid')
      const trial = way === 'trial' && row.trial_days ? addDays(today(), parseInteger(row.trial_days)) : null
      const until = (answers.until as string | null) ?? trial
      if (until === null)
        throw new BusinessError('invalid', '请填写到期日期', [{ field: 'until', msg: '请填写到期日期' }])
      await tx`
        insert into vip_grant (vip_level_id, granted_org_id, granted_on, until, way, contract_no, handled_by)
        values (${String(row.vip_level_sn)}, ${org}, ${today()}, ${until}, ${way},
          ${(answers.contract_no as string | null) ?? null}, ${session.userName})`
      await tx`update organisation set vip_level = ${parseInteger(row.code)}, vip_until = ${until},
        version = version + 1 where id = ${org}`
    },
  },
}

/** Only the platform sees who was given which level. */
export const vipGrantRules: RecordRules = {
  kind: 'vipGrant',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`t.granted_org_id = ${session.org.id}`),
}

/** Every hour: administrators are notified 30, 7 and 1 days before their level expires, once for each. */
export async function remindOfExpiry(owner: Sql): Promise<number> {
  const due = await owner<{ id: string; until: string; days: number; name: string; mode: string }[]>`
    select o.id, o.vip_until::text as until, o.vip_until - ${today()}::date as days, v.name, v.expire_mode as mode
      from organisation o join vip_level v on v.system_type = o.system_type and v.code = o.vip_level
     where o.status = 'enabled' and o.vip_until - ${today()}::date = any(${[...REMIND_DAYS]}::int[])`
  for (const { id, until, days, name, mode } of due)
    await inOrganisation(owner, id, '0', async tx => {
      const mark = `${until} ${days}`
      const [notified] = await tx`select 1 from message where org_id = ${id} and extra ->> 'vip' = ${mark} limit 1`
      if (notified) return
      const people = await tx<{ id: string }[]>`
        select id from app_user where org_id = ${id} and is_administrator and status = 'enabled' order by id`
      for (const person of people)
        await sendMessage(tx, id, {
          title: 'VIP等级即将到期',
          body: `${name}将于${until}到期（还有${days}天），到期后${mode === 'readonly' ? '仅可查询' : '降为免费等级'}，请联系平台续期`,
          uri: '',
          objectId: '',
          kind: null,
          type: 'system',
          userId: person.id,
          extra: { vip: mark },
        })
    })
  return due.length
}
