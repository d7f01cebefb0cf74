import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import { compactDay, isDay, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { loggedExport } from '#server/audit/operation-log.ts'
import { type MessageType, messageTypes } from '#server/messages/messages.ts'
import { likePattern } from '#server/lists/query.ts'
import {
  allMessages,
  confirmMessage,
  hideMessage,
  listMessages,
  type Message,
  readAll,
  readMessage,
  unreadCount,
  type Wanted,
} from '#server/realtime/inbox.ts'
import { type Origin, notifySenders } from '#server/realtime/receipts.ts'
import { handedOver, sendWorkbook } from '#server/exports/export-stream.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { type SheetColumn, streamWorkbook } from '#server/sheets/write.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { bodyOf, changing, reading } from '#server/api/request/transaction.ts'
import { done } from '#server/http/envelope.ts'
import { asks } from '#server/api/request/query-names.ts'

const LARGEST_PAGE = 100
type Query = Readonly<Record<string, unknown>>
const PAGE = ['pageNum', 'pageSize']
const FILTERS = ['read_state', 'q', 'message_type', 'from_org_name', 'begin_at', 'end_at', 'confirm_state']

/** The message centre: this user's messages, and which are unread. */
export function addMessages(app: FastifyInstance, sql: Sql): void {
  app.get('/v1/business/message/unread', request =>
    reading(sql, request, async (tx, session) => done({ info: { count: await unreadCount(tx, session) } })),
  )

  app.get<{ Querystring: Query }>('/v1/business/message/list', asks(...FILTERS, ...PAGE), request =>
    reading(sql, request, async (tx, session) => {
      const { pageNum, pageSize, ...rest } = request.query
      const asked = {
        page: whole(pageNum, '页码', 1, 100_000),
        size: whole(pageSize, '每页条数', 20, LARGEST_PAGE),
        ...wantedOf(rest),
      }
      const { list, total } = await listMessages(tx, session, asked)
      return done({ list, total, page_num: asked.page, page_size: asked.size })
    }),
  )

  app.get<{ Querystring: Query }>('/v1/business/message/export', asks(...FILTERS, ...PAGE), (request, reply) => {
    const { pageNum: _page, pageSize: _size, ...rest } = request.query
    return exportMessages(sql, sessionOf(request), wantedOf(rest), rest, reply)
  })

  const onOne = (call: string, act: (tx: Tx, session: Session, id: string) => Promise<readonly Origin[]>) =>
    app.post(`/v1/business/message/${call}`, request =>
      notifying(sql, request, call === 'confirm', async (tx, session) => {
        const origins = await act(tx, session, String(bodyOf(request, ['sn']).sn ?? ''))
        return { info: { count: await unreadCount(tx, session) }, origins }
      }),
    )
  onOne('read', readMessage)
  onOne('confirm', confirmMessage)
  onOne('del', hideMessage)

  app.post('/v1/business/message/readAll', request =>
    notifying(sql, request, false, async (tx, session) => {
      bodyOf(request, [])
      const { count, origins } = await readAll(tx, session)
      return { info: { count: 0, read: count }, origins }
    }),
  )
}

/** Changes the caller's inbox, then notifies the senders of what was read. */
async function notifying(
  sql: Sql,
  request: FastifyRequest,
  confirmed: boolean,
  work: (tx: Tx, session: Session) => Promise<{ info: object; origins: readonly Origin[] }>,
) {
  let notified: readonly Origin[] = []
  const reply = await changing(sql, request, async (tx, session) => {
    const { info, origins } = await work(tx, session)
    notified = origins
    return done({ info })
  })
  // A receipt lost here is collected by the hourly job.
  await notifySenders(sql, sessionOf(request), notified, confirmed).catch(error =>
    request.log.error({ err: error }, 'receipts'),
  )
  return reply
}

function wantedOf(query: Query): Wanted {
  const { read_state, q, message_type, from_org_name, begin_at, end_at, confirm_state } = query
  const state = among(read_state, ['read', 'unread'] as const, '阅读状态应为read（已读）或unread（未读）')
  const confirmed = among(
    confirm_state,
    ['waiting', 'confirmed'] as const,
    '确认状态应为waiting（待确认）或confirmed（已确认）',
  )
  const types = Object.keys(messageTypes) as MessageType[]
  return {
    state,
    confirmed,
    pattern: contained(q),
    type: among(message_type, types, `没有“${String(message_type).slice(0, 20)}”这种消息类型`),
    from: contained(from_org_name),
    begin: dayOf(begin_at),
    end: dayOf(end_at),
  }
}

const contained = (given: unknown): string | null =>
  typeof given === 'string' && given.trim() !== '' ? likePattern(given.trim().slice(0, 200)) : null

function dayOf(given: unknown): string | null {
  if (given === undefined || given === '') return null
  if (typeof given === 'string' && isDay(given)) return given
  throw new BusinessError('invalid', '日期格式应为 2026-01-31')
}

function among<const T extends string>(given: unknown, words: readonly T[], sentence: string): T | null {
  if (given === undefined || given === '') return null
  const known = words.find(word => word === given)
  if (known === undefined) throw new BusinessError('invalid', sentence)
  return known
}

function whole(given: unknown, label: string, preset: number, most: number): number {
  if (given === undefined || given === '') return preset
  const value = typeof given === 'string' && /^\d{1,6}$/.test(given) ? parseInteger(given) : 0
  if (value < 1 || value > most) throw new BusinessError('invalid', `${label}应为1到${most}的整数`)
  return value
}

const wallTime = (at: string | null): string =>
  at === null ? '' : new Date(Date.parse(at) + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
const columns: readonly (SheetColumn & { readonly cell: (message: Message) => string })[] = [
  { title: '消息类型', kind: 'text', cell: message => messageTypes[message.message_type] ?? '' },
  { title: '标题', kind: 'text', cell: message => message.title },
  { title: '内容', kind: 'text', cell: message => message.body },
  { title: '关联单据号', kind: 'text', cell: message => message.object_id ?? '' },
  { title: '发送机构', kind: 'text', cell: message => message.from_org_name ?? '' },
  { title: '发送时间', kind: 'instant', cell: message => wallTime(message.at) },
  { title: '已读状态', kind: 'text', cell: message => (message.read_at === null ? '未读' : '已读') },
  { title: '阅读时间', kind: 'instant', cell: message => wallTime(message.read_at) },
  { title: '要求确认', kind: 'text', cell: message => (message.needs_confirm ? '是' : '否') },
  { title: '确认时间', kind: 'instant', cell: message => wallTime(message.confirmed_at) },
  { title: '确认人', kind: 'text', cell: message => message.confirmed_by ?? '' },
]

/** The filtered inbox as a workbook. */
function exportMessages(sql: Sql, session: Session, wanted: Wanted, query: Query, reply: FastifyReply): FastifyReply {
  const pieces = handedOver<readonly Message[]>(take =>
    inOrganisation(sql, session.org.id, session.userId, async tx => {
      for await (const batch of allMessages(tx, session, wanted)) await take(batch)
    }),
  )
  const exported = { subject: 'message', query, path: '/v1/business/message/export' }
  const cells = (async function* () {
    for await (const batch of loggedExport(sql, session, exported, pieces))
      yield batch.map(message => columns.map(column => column.cell(message)))
  })()
  return sendWorkbook(reply, `消息通知${compactDay(today())}`, streamWorkbook('消息通知', columns, cells))
}
