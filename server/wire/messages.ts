import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { Refusal } from '#kernel/refusal.ts'
import { patternOf } from '#server/engine/query.ts'
import { listMessages, readAll, readMessage, unreadCount } from '#server/engine/realtime/inbox.ts'
import { bodyOf, changing, reading } from '#server/wire/changing.ts'
import { done } from '#server/wire/envelope.ts'

const LARGEST_PAGE = 100

/** The message centre: what this person was told, and what of it is unread. */
export function addMessages(app: FastifyInstance, sql: Sql): void {
  app.get('/v1/business/message/unread', request =>
    reading(sql, request, async (tx, session) => done({ info: { count: await unreadCount(tx, session) } })),
  )

  app.get<{ Querystring: Record<string, unknown> }>('/v1/business/message/list', request =>
    reading(sql, request, async (tx, session) => {
      const { pageNum, pageSize, read_state: state, q, ...unknown } = request.query
      const [name] = Object.keys(unknown)
      if (name !== undefined) throw new Refusal('invalid', `没有“${name.slice(0, 64)}”这个查询条件`)
      const asked = {
        page: whole(pageNum, '页码', 1, 100_000),
        size: whole(pageSize, '每页条数', 20, LARGEST_PAGE),
        state: readState(state),
        pattern: typeof q === 'string' && q.trim() !== '' ? patternOf(q.trim().slice(0, 200)) : null,
      }
      const { list, total } = await listMessages(tx, session, asked)
      return done({ list, total, page_num: asked.page, page_size: asked.size })
    }),
  )

  app.post('/v1/business/message/read', request =>
    changing(sql, request, async (tx, session) => {
      const { sn } = bodyOf(request)
      await readMessage(tx, session, String(sn ?? ''))
      return done({ info: { count: await unreadCount(tx, session) } })
    }),
  )

  app.post('/v1/business/message/readAll', request =>
    changing(sql, request, async (tx, session) => done({ info: { count: 0, read: await readAll(tx, session) } })),
  )
}

function whole(given: unknown, label: string, preset: number, most: number): number {
  if (given === undefined || given === '') return preset
  const value = typeof given === 'string' && /^\d{1,6}$/.test(given) ? Number(given) : 0
  if (value < 1 || value > most) throw new Refusal('invalid', `${label}应为1到${most}的整数`)
  return value
}

function readState(given: unknown): 'read' | 'unread' | null {
  if (given === undefined || given === '') return null
  if (given === 'read' || given === 'unread') return given
  throw new Refusal('invalid', '阅读状态应为read（已读）或unread（未读）')
}
