import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'
import { asks, bodyOf, changing, done, reading } from '#server/public/routes.ts'

/** The requested course, if it is meant for this user. */
async function courseFor(tx: Tx, session: Session, sn: unknown): Promise<string> {
  const id = typeof sn === 'string' && /^\d{1,18}$/.test(sn) ? sn : '0'
  const [course] = await tx`
    select 1 from video_course
      where id = ${id} and (${session.org.type} = 'P'
      or (state = 'published' and (cardinality(orgs) = 0 or ${session.org.type} = any(orgs))))`
  if (!course) throw new BusinessError('notFound', '视频教程不存在或已下架')
  return id
}

/** Routes for content published by the platform: watch a course, request the newest program version. */
export function addCourses(app: FastifyInstance, { sql }: { readonly sql: Sql }): void {
  app.post('/v1/business/videoCourse/watch', request =>
    changing(sql, request, async (tx, session) => {
      const { sn, position } = bodyOf(request, ['sn', 'position'])
      const at = /^\d{1,6}$/.test(String(position ?? '')) ? parseInteger(position) : null
      const id = await courseFor(tx, session, sn)
      // Counted once per user and day; the stop position is overwritten.
      const [row] = await tx<{ fresh: boolean; position: number }[]>`
        insert into course_play as p (org_id, user_id, course_id, day, position)
        values (${session.org.id}, ${session.userId}, ${id}, ${today()},
                coalesce(${at}::int,
                  (select x.position from course_play x
                  where x.org_id = ${session.org.id} and x.user_id = ${session.userId} and x.course_id = ${id}
                  order by x.day desc limit 1), 0))
        on conflict (org_id, user_id, course_id, day) do update set position = coalesce(${at}::int, p.position)
        returning xmax = 0 as fresh, position`
      if (row!.fresh) await tx`update video_course set plays = plays + 1 where id = ${id}`
      return done({ info: { sn: id, position: row!.position } })
    }),
  )
  /** 点赞, and undone by the same call. */
  app.post('/v1/business/videoCourse/like', request =>
    changing(sql, request, async (tx, session) => {
      const id = await courseFor(tx, session, bodyOf(request, ['sn']).sn)
      const mine = tx`org_id = ${session.org.id} and user_id = ${session.userId} and course_id = ${id}`
      const taken = await tx`delete from course_like where ${mine} returning 1`
      if (taken.length === 0)
        await tx`insert into course_like (org_id, user_id, course_id)
          values (${session.org.id}, ${session.userId}, ${id})`
      const [row] = await tx<{ likes: number }[]>`
        update video_course set likes = likes + ${taken.length === 0 ? 1 : -1} where id = ${id} returning likes`
      return done({ info: { sn: id, liked: taken.length === 0, like_count: row!.likes } })
    }),
  )
  app.get<{ Querystring: { name?: unknown; platform?: unknown; version_no?: unknown } }>(
    '/v1/app/latest',
    asks('name', 'platform', 'version_no'),
    request =>
      reading(sql, request, async (tx, session) => {
        const { name, platform, version_no: has } = request.query
        const mine = typeof has === 'string' && /^\d{1,9}$/.test(has) ? parseInteger(has) : 0
        const [row] = await tx<{ version_no: number; is_forced: boolean; least_version_no: number }[]>`
        select '/v1/app/package/' || id as address, version_name, version_no, package, checksum, notes, is_forced,
          least_version_no from app_version
         where state = 'published' and name = ${String(name ?? '').slice(0, 60)}
           and platform = ${String(platform ?? '').slice(0, 20)}
           and (cardinality(only_orgs) = 0 or ${session.org.id} = any(only_orgs)) order by version_no desc limit 1`
        if (!row || row.version_no <= mine) return done({ info: { update: false } })
        const must = row.is_forced || mine < row.least_version_no
        return done({ info: { update: true, must, ...row } }, must ? '请更新到最新版本' : '')
      }),
  )
}
