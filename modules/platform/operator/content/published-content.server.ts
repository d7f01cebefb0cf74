import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { derived, documents, entities, reports, tools } from '#kernel/registry.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { unpublishedOnly } from '#modules/platform/operator/messaging/publish-guard.ts'
import type { RecordRules } from '#server/public/records.ts'

/** Pages a course may be about: their titles, by address. */
const known = derived(
  () =>
    new Map(
      [...documents(), ...entities(), ...reports()]
        .flatMap(({ screens }) => screens)
        .concat(tools())
        .map(({ route, title }): [string, string] => [route, title]),
    ),
)

export const videoCourseRules: RecordRules = {
  kind: 'videoCourse',
  visible: (tx, session) =>
    session.org.type === 'P'
      ? tx`true`
      : tx`t.state = 'published' and (cardinality(t.orgs) = 0 or ${session.org.type} = any(t.orgs))`,
  columns: (tx, session) => ({
    page_title: tx`(${[...known().values()]}::text[])[array_position(${[...known().keys()]}::text[], t.route)]`,
    play_count: tx`t.plays`,
    like_count: tx`t.likes`,
    liked: tx`exists (select 1 from course_like k where k.org_id = ${session.org.id} and k.user_id = ${session.userId}
      and k.course_id = t.id)`,
    position: tx`coalesce((select p.position from course_play p
      where p.org_id = ${session.org.id} and p.user_id = ${session.userId} and p.course_id = t.id order by p.day desc
      limit 1), 0)`,
    size_mb: tx`(select round(sum(s.size) / 1048576.0, 1)::text from stored_file s where s.name = any(t.video))`,
  }),
  async check(_tx, _session, { after }) {
    if (after.route && !known().has(String(after.route)))
      return [{ field: 'route', msg: `路由不存在：${String(after.route).slice(0, 100)}` }]
    const picture = ((after.cover ?? []) as string[]).find(name => !/\.(jpg|png)$/.test(name))
    if (picture !== undefined) return [{ field: 'cover', msg: '封面应为 jpg 或 png 图片' }]
    const other = ((after.video ?? []) as string[]).find(name => !name.endsWith('.mp4'))
    return other === undefined ? [] : [{ field: 'video', msg: '视频文件应为 mp4 格式' }]
  },
  alsoWrites: async (_tx, session, { before }) => (before === null ? { uploaded_by: session.userName } : {}),
  mayWrite: unpublishedOnly('已发布的课程请先下架，再修改或删除'),
  actions: {
    async publish(_tx, _session, row) {
      if (((row.video ?? []) as string[]).length === 0) throw new BusinessError('rule', '请先上传视频文件，再发布')
      return { state: 'published', published_at: new Date().toISOString() }
    },
    unpublish: async () => ({ state: 'draft' }),
  },
}

export const appVersionRules: RecordRules = {
  kind: 'appVersion',
  columns: tx => ({
    size_mb: tx`(select round(sum(s.size) / 1048576.0, 1)::text from stored_file s where s.name = any(t.package))`,
  }),
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`false`),
  mayWrite: unpublishedOnly('已发布的版本不能修改或删除，只能撤回'),
  async check(tx, _session, { id, after }) {
    const [last] = await tx<{ no: number }[]>`
      select max(version_no) as no from app_version
        where name = ${String(after.name)} and platform = ${String(after.platform)} and state = 'published'
        and id is distinct from ${id}::bigint`
    return last?.no && parseInteger(after.version_no) <= last.no
      ? [{ field: 'version_no', msg: `版本序号必须大于已发布版本${last.no}` }]
      : []
  },
  actions: {
    async publish(tx, session, row) {
      const [file] = await tx<
        { digest: string }[]
      >`select digest from stored_file where name = any(${(row.package ?? []) as string[]}) limit 1`
      if (!file) throw new BusinessError('rule', '请先上传安装包，再发布')
      return {
        state: 'published',
        published_at: new Date().toISOString(),
        published_by: session.userName,
        checksum: file.digest,
      }
    },
    async unpublish(_tx, _session, row) {
      if (row.state !== 'published') throw new BusinessError('wrongState', '只有已发布的版本可以撤回')
      return { state: 'withdrawn' }
    },
  },
}

/**
 * Every few seconds: scheduled versions are published if their package is ready and nothing newer was published
 * before.
 */
export const publishVersions = (owner: Sql) => owner`
  update app_version v set state = 'published', published_at = now(), published_by = '定时发布', checksum = s.digest,
    version = v.version + 1
    from stored_file s
   where v.state = 'draft' and v.publish_at <= now() and s.name = v.package[1]
     and not exists (select 1 from app_version n where n.name = v.name and n.platform = v.platform
       and n.state = 'published' and n.version_no >= v.version_no)`
