import { BusinessError } from '#kernel/rules/errors.ts'
import { compactDay, dayOf, today } from '#kernel/values/date.ts'
import {
  handOut,
  idleReceivers,
  notices,
  remindReceivers,
} from '#modules/platform/operator/messaging/message-delivery.server.ts'
import { notice } from '#modules/platform/operator/messaging/notice.entity.ts'
import { settingsFor } from '#server/public/settings.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Notices inside the organisation need no second person. */
const inside = new Set(['own', 'departments', 'roles'])

/** The states in which an action is allowed. */
const from: Readonly<Record<string, readonly string[]>> = {
  edit: ['draft', 'rejected'],
  del: ['draft', 'rejected', 'cancelled'],
  submit: ['draft', 'rejected'],
  unsubmit: ['submitted'],
  review: ['submitted'],
  reject: ['submitted'],
  cancel: ['draft', 'rejected', 'submitted', 'reviewed'],
  publish: ['reviewed'],
  withdraw: ['published'],
  remind: ['published'],
}

function mayWrite(_session: Session, action: string, row: Readonly<RecordRow> | null): void {
  const states = from[action]
  if (states === undefined || row === null || action === 'add') return
  const state = String(row.state)
  const straight = action === 'publish' && ['draft', 'rejected'].includes(state) && inside.has(String(row.audience))
  if (states.includes(state) || straight) return
  if (state === 'published' && ['edit', 'del', 'publish'].includes(action))
    throw new BusinessError('wrongState', '已发布的公告不能修改或删除，只能撤下')
  if (action === 'publish' && ['draft', 'rejected', 'submitted'].includes(state))
    throw new BusinessError('wrongState', '发给其他机构的公告请先提交并审核，再发布')
  const named = notice.fields.state.choices?.[state] ?? state
  const label = { edit: '编辑', del: '删除' }[action] ?? notice.actions?.[action]?.label ?? action
  throw new BusinessError('wrongState', `公告【${named}】，不能${label}`)
}

const listOf = (value: unknown): string[] => ((value ?? []) as unknown[]).map(String)

/** Records the receivers of a notice: organisations with a live relation, or users of one's own organisation. */
async function address(tx: Tx, org: string, row: Readonly<RecordRow>): Promise<number> {
  const [audience, id] = [String(row.audience), String(row.notice_sn)]
  const made = inside.has(audience)
    ? await tx`
      insert into notice_delivery (org_id, notice_id, to_org_id, to_user_id)
      select ${org}::bigint, ${id}::bigint, ${org}::bigint, 0 where ${audience === 'own'}
       union all
      select ${org}::bigint, ${id}::bigint, ${org}::bigint, u.id from app_user u
       where u.org_id = ${org} and u.status = 'enabled' and (
         (${audience === 'departments'}
           and exists (select 1 from employee e where e.org_id = ${org} and e.id = u.employee_id
           and e.department_id::text = any(${listOf(row.departments)})))
         or (${audience === 'roles'}
           and exists (select 1 from user_role g
           where g.user_id = u.id and g.role_id::text = any(${listOf(row.role_ids)}))))
      on conflict do nothing returning 1`
    : await tx`
      insert into notice_delivery (org_id, notice_id, to_org_id)
      select ${org}::bigint, ${id}::bigint, o.id from organisation o where o.status = 'enabled' and o.uses_system
        and o.kept_by_id is null and (
        ${audience === 'all'} or ((${audience === 'partners'} or o.id::text = any(${listOf(row.receivers)}))
          and exists (select 1 from org_relation r
            where r.status = 'enabled'
            and ((r.org_id = ${org} and r.partner_id = o.id) or (r.partner_id = ${org} and r.org_id = o.id)))))
      on conflict do nothing returning 1`
  return made.length
}

async function nextCode(tx: Tx, org: string): Promise<string> {
  const [row] = await tx<{ last: string }[]>`
    insert into numbering as n (org_id, kind, day, last) values (${org}, 'notice', ${today()}, 1)
    on conflict (org_id, kind, day) do update set last = n.last + 1 returning last`
  return `GG${compactDay(today())}${row!.last.padStart(4, '0')}`
}

const receivers = (tx: Tx) =>
  tx`(select count(*)::int from notice_delivery x where x.org_id = t.org_id and x.notice_id = t.id)`
/** Receivers where at least one user has read it, or confirmed it. */
const answered = (tx: Tx, confirmed: boolean) => tx`
  (select count(*)::int from notice_delivery x where x.org_id = t.org_id and x.notice_id = t.id and exists (
     select 1 from message_receipt m where m.org_id = x.org_id and m.of_kind = 'notice' and m.of_id = x.notice_id
       and m.to_org_id = x.to_org_id
        and (x.to_user_id = 0 or m.user_id = x.to_user_id) ${confirmed ? tx`and m.confirmed_at is not null` : tx``}))`

export const noticeRules: RecordRules = {
  kind: 'notice',
  columns: tx => ({
    receiver_count: receivers(tx),
    delivered_count: tx`(select count(x.delivered_at)::int from notice_delivery x
      where x.org_id = t.org_id and x.notice_id = t.id)`,
    read_count: answered(tx, false),
    read_rate: tx`round(${answered(tx, false)}::numeric / nullif(${receivers(tx)}, 0), 4)`,
    confirmed_count: answered(tx, true),
    confirmed_rate: tx`round(${answered(tx, true)}::numeric / nullif(${receivers(tx)}, 0), 4)`,
  }),
  /** For printing: the text by paragraph. */
  print: async (_tx, _session, row) => ({
    sn: row.code,
    heading: row.title,
    type_name: notice.fields.notice_type.choices?.[String(row.notice_type)],
    audience_name: notice.fields.audience.choices?.[String(row.audience)],
    published_by: row.published_by,
    published_on: row.published_at === null ? null : dayOf(new Date(String(row.published_at))),
    valid_to: row.valid_to,
    lines: String(row.body)
      .split('\n')
      .filter(paragraph => paragraph.trim() !== '')
      .map((paragraph, at) => ({ line_no: at + 1, paragraph })),
  }),
  mayWrite,
  async check(_tx, session, { after }) {
    if (after.audience === 'all' && session.org.type !== 'P')
      return [{ field: 'audience', msg: '只有平台可以发给全平台机构' }]
    const asked = { chosen: 'receivers', departments: 'departments', roles: 'role_ids' }[String(after.audience)]
    if (asked !== undefined && listOf(after[asked]).length === 0)
      return [{ field: asked, msg: `请选择${notice.fields[asked as 'receivers'].label}` }]
    return []
  },
  alsoWrites: async (tx, session, { before }): Promise<Record<string, string>> =>
    before === null ? { code: await nextCode(tx, session.org.id), written_by: session.userId } : {},
  actions: {
    submit: async () => ({ state: 'submitted', reason: null }),
    unsubmit: async () => ({ state: 'draft' }),
    async review(tx, session, row) {
      const [own] = await tx`
        select 1 from notice where org_id = ${session.org.id} and id = ${String(row.notice_sn)}
          and written_by = ${session.userId}`
      if (own && !(await settingsFor(tx, session.org.id)).allow_self_review)
        throw new BusinessError('rule', '不能审核自己写的公告，请由他人审核')
      return { state: 'reviewed', reviewed_by: session.userName, reviewed_at: new Date().toISOString() }
    },
    reject: async (_tx, _session, _row, reason) => ({ state: 'rejected', reason }),
    cancel: async (_tx, _session, _row, reason) => ({ state: 'cancelled', reason }),
    async publish(tx, session, row) {
      if (row.valid_to && String(row.valid_to) < today())
        throw new BusinessError('rule', '有效期至已过，请修改后再发布')
      if ((await address(tx, session.org.id, row)) === 0)
        throw new BusinessError('rule', '没有可接收的机构或人员，请检查接收范围和往来关系')
      return { state: 'published', published_at: new Date().toISOString(), published_by: session.userName }
    },
    withdraw: async (_tx, _session, _row, reason) => ({ state: 'withdrawn', reason }),
    /** The reminders are sent after the commit. */
    async remind(tx, session, row) {
      const idle = await idleReceivers(tx, session.org.id, String(row.notice_sn), today())
      if (idle.length === 0)
        throw new BusinessError('rule', '没有可催办的接收方：均已处理，或今天已催办过（每天最多一次）')
    },
    async copy(tx, session, row) {
      await tx`
        insert into notice (org_id, code, notice_type, title, body, audience, receivers, departments, role_ids,
          needs_confirm, valid_to, attachments, written_by)
        select org_id, ${await nextCode(tx, session.org.id)}, notice_type, left(title, 76) || '（副本）', body, audience,
          receivers, departments, role_ids, needs_confirm, valid_to, attachments, ${session.userId}
          from notice where org_id = ${session.org.id} and id = ${String(row.notice_sn)}`
    },
  },
  async afterwards(sql, session, action, row) {
    if (action === 'publish' || action === 'withdraw') await handOut(sql, notices, session.org.id)
    if (action === 'remind') await remindReceivers(sql, session.org.id, String(row.notice_sn), today())
  },
}
