import { orgTypeName } from '#kernel/values/organisation-type.ts'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { today } from '#kernel/values/date.ts'
import { handOut, sentMessages } from '#modules/platform/operator/messaging/message-delivery.server.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

/** Minutes during which a message may be recalled. */
const RECALL_MINUTES = 30

const listOf = (value: unknown): string[] => ((value ?? []) as unknown[]).map(String)

/** The fields a message's range requires, with the error text. */
const ranges: Readonly<Record<string, readonly [field: string, msg: string]>> = {
  type: ['org_types', '请填写接收的机构类型'],
  org: ['receivers', '请选择接收机构'],
  role: ['role_names', '请填写接收角色'],
  user: ['accounts', '请选择接收用户'],
}

function problemsOf(after: Readonly<RecordRow>) {
  const [field, msg] = ranges[String(after.audience)] ?? []
  if (field !== undefined && listOf(after[field]).length === 0) return [{ field, msg: msg! }]
  if (after.uri && !/^(\/[^/\\]|[A-Za-z_]+$)/.test(String(after.uri)))
    return [{ field: 'uri', msg: '跳转页面应为系统内的路由，如 /commonView/inventory' }]
  if (after.extra && !isObject(String(after.extra)))
    return [{ field: 'extra', msg: '附加信息应为JSON，如 {"salesOrderSn":"XS1"}' }]
  return []
}

function isObject(text: string): boolean {
  try {
    const read = JSON.parse(text) as unknown
    return typeof read === 'object' && read !== null && !Array.isArray(read)
  } catch {
    return false
  }
}

/** To whom a message goes: whole organisations, or single users of them. */
async function address(tx: Tx, org: string, id: string): Promise<number> {
  const rows = await tx`
    insert into sent_delivery (org_id, sent_message_id, to_org_id, to_user_id, people)
    select s.org_id, s.id, o.id, 0,
      (select count(*)::int from app_user u where u.org_id = o.id and u.status = 'enabled')
      from sent_message s join organisation o on o.status = 'enabled' and o.audit_state = 'passed'
       and (s.audience = 'all' or (s.audience = 'org' and o.id::text = any(s.receivers))
         or (s.audience = 'type' and (array['P','H','D','V'])[o.system_type + 1] = any(s.org_types)))
     where s.org_id = ${org} and s.id = ${id} and s.audience in ('all', 'org', 'type')
       and exists (select 1 from app_user u where u.org_id = o.id and u.status = 'enabled')
     union all
    select s.org_id, s.id, u.org_id, u.id, 1
      from sent_message s join app_user u on u.status = 'enabled'
       and ((s.audience = 'user' and u.id::text = any(s.accounts))
         or (s.audience = 'role' and exists (
               select 1 from user_role g join role r on r.id = g.role_id and r.status = 'enabled'
                 where g.user_id = u.id and r.name = any(s.role_names))))
     where s.org_id = ${org} and s.id = ${id} and s.audience in ('role', 'user')
    on conflict do nothing returning 1`
  return rows.length
}

const messageAge = (at: unknown): number => (Date.now() - Date.parse(String(at))) / 60_000
const receiptsOf = (tx: Tx) => tx`
  (select count(*)::int from message_receipt m where m.org_id = t.org_id and m.of_kind = 'sentMessage'
    and m.of_id = t.id)`
const peopleOf = (tx: Tx) =>
  tx`(select coalesce(sum(x.people), 0)::int from sent_delivery x
    where x.org_id = t.org_id and x.sent_message_id = t.id)`

export const sentMessageRules: RecordRules = {
  kind: 'sentMessage',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`false`),
  columns: tx => ({
    receiver_names: tx`case t.audience when 'all' then '全部' when 'type' then (
      select string_agg(${tx.json(orgTypeName)}::jsonb ->> x.type, '、') from unnest(t.org_types) x(type))
      when 'org' then (select string_agg(o.name, '、' order by o.id) from organisation o
        where o.id::text = any(t.receivers))
      when 'role' then array_to_string(t.role_names, '、')
        else (select string_agg(u.name, '、' order by u.id) from app_user u where u.id::text = any(t.accounts)) end`,
    delivered_count: tx`(select count(distinct x.to_org_id)::int from sent_delivery x
      where x.org_id = t.org_id and x.sent_message_id = t.id and x.delivered_at is not null)`,
    people_count: peopleOf(tx),
    read_count: receiptsOf(tx),
    read_rate: tx`round(${receiptsOf(tx)}::numeric / nullif(${peopleOf(tx)}, 0), 4)`,
  }),
  mayWrite(_session, action, row) {
    const { state } = row ?? {}
    if (['edit', 'del', 'send'].includes(action) && state !== 'draft')
      throw new BusinessError(
        'wrongState',
        state === 'waiting' ? '待发送的消息请先撤回，再修改' : '已发送的消息不能修改或删除',
      )
    if (action === 'recall' && state !== 'sent' && state !== 'waiting')
      throw new BusinessError('wrongState', '只有已发送或待发送的消息可以撤回')
  },
  check: async (_tx, _session, { after }) => problemsOf(after),
  actions: {
    async send(tx, session, row) {
      const sn = String(row.sent_message_sn)
      if (row.valid_to && String(row.valid_to) < today())
        throw new BusinessError('rule', '有效期至已过，请修改后再发送')
      if (row.send_at && Date.parse(String(row.send_at)) > Date.now())
        return { state: 'waiting', sent_by: session.userName }
      if ((await address(tx, session.org.id, sn)) === 0)
        throw new BusinessError('rule', '没有可接收的人员，请检查接收范围')
      return { state: 'sent', sent_by: session.userName, sent_at: new Date().toISOString() }
    },
    /** Within half an hour, from those who have not read it; a scheduled message goes back to draft. */
    async recall(_tx, _session, row) {
      if (row.state === 'waiting') return { state: 'draft', sent_by: null }
      if (messageAge(row.sent_at) > RECALL_MINUTES)
        throw new BusinessError('rule', `消息发出已超过${RECALL_MINUTES}分钟，不能撤回`)
      return { state: 'recalled', recalled_at: new Date().toISOString() }
    },
  },
  async afterwards(sql, session, action) {
    if (action === 'send' || action === 'recall') await handOut(sql, sentMessages, session.org.id)
  },
}

/** 定时发送: every few seconds, all due messages. With two concurrent processes, one finds it already sent. */
export async function sendDueMessages(sql: Sql, owner: Sql): Promise<number> {
  const due = await owner<{ org_id: string; id: string }[]>`
    select org_id, id from sent_message where state = 'waiting' and send_at <= now() order by send_at limit 100`
  for (const { org_id: org, id } of due) {
    await inOrganisation(sql, org, '0', async tx => {
      const taken = await tx`
        update sent_message set state = 'sent', sent_at = now(), version = version + 1
          where org_id = ${org} and id = ${id} and state = 'waiting' returning id`
      if (taken.length > 0) await address(tx, org, id)
    })
    await handOut(sql, sentMessages, org)
  }
  return due.length
}
