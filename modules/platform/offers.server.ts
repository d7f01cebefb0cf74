import { Refusal } from '#kernel/refusal.ts'
import { today } from '#kernel/day.ts'
import { deliverOwnNotices } from '#modules/platform/deliver-notices.server.ts'
import { unpublishedOnly } from '#modules/platform/published.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'

export const videoCourseRules: RecordRules = {
  kind: 'videoCourse',
  visible: (tx, session) =>
    session.org.type === 'P'
      ? tx`true`
      : tx`t.state = 'published' and (cardinality(t.orgs) = 0 or ${session.org.type} = any(t.orgs))`,
  columns: (tx, session) => ({
    play_count: tx`(select count(*)::int from course_play p where p.org_id = ${session.org.id} and p.course_id = t.id)`,
    size_mb: tx`(select round(sum(s.size) / 1048576.0, 1)::text from stored_file s where s.name = any(t.video))`,
  }),
  async check(_tx, _session, { after }) {
    const wrong = ((after.orgs ?? []) as string[]).find(org => !['P', 'H', 'D', 'V'].includes(org))
    if (wrong !== undefined) return [{ field: 'orgs', msg: `没有机构类型“${wrong.slice(0, 10)}”，请填写 H、D、V` }]
    const other = ((after.video ?? []) as string[]).find(name => !name.endsWith('.mp4'))
    return other === undefined ? [] : [{ field: 'video', msg: '视频文件应为 mp4 格式' }]
  },
  alsoWrites: async (_tx, session, { before }) => (before === null ? { uploaded_by: session.userName } : {}),
  mayWrite: unpublishedOnly('已发布的课程请先下架，再修改或删除'),
  actions: {
    async publish(_tx, _session, row) {
      if (((row.video ?? []) as string[]).length === 0) throw new Refusal('rule', '请先上传视频文件，再发布')
      return { state: 'published', published_at: new Date().toISOString() }
    },
    unpublish: async () => ({ state: 'draft' }),
  },
}

export const appVersionRules: RecordRules = {
  kind: 'appVersion',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`false`),
  mayWrite: unpublishedOnly('已发布的版本不能修改或删除，只能撤回'),
  async check(tx, _session, { id, after }) {
    const [last] = await tx<{ no: number }[]>`
      select max(version_no) as no from app_version where name = ${String(after.name)} and platform = ${String(after.platform)} and state = 'published' and id is distinct from ${id}::bigint`
    return last?.no && Number(after.version_no) <= last.no
      ? [{ field: 'version_no', msg: `版本序号必须大于已发布版本${last.no}` }]
      : []
  },
  actions: {
    async publish(tx, session, row) {
      const [file] = await tx<
        { digest: string }[]
      >`select digest from stored_file where name = any(${(row.package ?? []) as string[]}) limit 1`
      if (!file) throw new Refusal('rule', '请先上传安装包，再发布')
      return {
        state: 'published',
        published_at: new Date().toISOString(),
        published_by: session.userName,
        checksum: file.digest,
      }
    },
    async unpublish(_tx, _session, row) {
      if (row.state !== 'published') throw new Refusal('wrongState', '只有已发布的版本可以撤回')
      return { state: 'withdrawn' }
    },
  },
}

export const noticeRules: RecordRules = {
  kind: 'notice',
  columns: tx => ({
    receiver_count: tx`(select count(*)::int from notice_delivery x where x.org_id = t.org_id and x.notice_id = t.id)`,
    delivered_count: tx`(select count(x.delivered_at)::int from notice_delivery x where x.org_id = t.org_id and x.notice_id = t.id)`,
  }),
  mayWrite: unpublishedOnly('已发布的公告不能修改或删除，只能撤下'),
  async check(_tx, session, { after }) {
    if (after.audience === 'all' && session.org.type !== 'P')
      return [{ field: 'audience', msg: '只有平台可以发给全平台机构' }]
    if (after.audience === 'chosen' && ((after.receivers ?? []) as string[]).length === 0)
      return [{ field: 'receivers', msg: '请选择接收机构' }]
    return []
  },
  actions: {
    async publish(tx, session, row) {
      if (row.valid_to && String(row.valid_to) < today()) throw new Refusal('rule', '有效期至已过，请修改后再发布')
      const org = session.org.id
      const chosen = (row.receivers ?? []) as string[]
      const receivers = await tx<{ id: string }[]>`
        select o.id from organisation o where o.status = 'enabled' and (
          (${String(row.audience)} = 'own' and o.id = ${org}) or (${String(row.audience)} = 'all')
          or (${String(row.audience)} in ('partners', 'chosen') and (${String(row.audience)} = 'partners' or o.id = any(${chosen}::bigint[]))
              and exists (select 1 from org_relation r where r.status = 'enabled' and ((r.org_id = ${org} and r.partner_id = o.id) or (r.partner_id = ${org} and r.org_id = o.id)))))`
      if (receivers.length === 0) throw new Refusal('rule', '没有可接收的机构，请检查接收范围和往来关系')
      await tx`
        insert into notice_delivery (org_id, notice_id, to_org_id) select ${org}, ${String(row.notice_sn)}, o from unnest(${receivers.map(one => one.id)}::bigint[]) o on conflict do nothing`
      return { state: 'published', published_at: new Date().toISOString(), published_by: session.userName }
    },
    async withdraw(_tx, _session, row, reason) {
      if (row.state !== 'published') throw new Refusal('wrongState', '只有已发布的公告可以撤下')
      return { state: 'withdrawn', reason }
    },
  },
  afterwards: async (sql, session, action) => {
    if (action === 'publish') await deliverOwnNotices(sql, session.org.id)
  },
}
