import { reportError } from '#server/audit/reported-errors.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import { orgTypeOf } from '#kernel/values/organisation-type.ts'
import { BusinessError, type BusinessErrorName } from '#kernel/rules/errors.ts'
import type { AuditAction } from '#kernel/rules/audit-actions.ts'
import { logOperationNow, titleOf } from '#server/audit/operation-log.ts'
import { type Session, systemSession } from '#server/access/session.ts'

/** Calls about the session itself: their names, and the body field that names the account. */
const doors: Readonly<Record<string, { readonly kind: AuditAction; readonly name: string; readonly field?: string }>> =
  {
    '/v1/login': { kind: 'login', name: '登录', field: 'userName' },
    '/v1/loginByVerifyCode': { kind: 'login', name: '短信登录', field: 'UserName' },
    '/v1/logout': { kind: 'logout', name: '退出' },
    '/v1/user/change_my_password': { kind: 'password', name: '修改密码' },
    '/v1/user/change_password': { kind: 'password', name: '修改密码', field: 'userName' },
    '/v1/user/retrieve_pwd/change_password': { kind: 'password', name: '找回密码', field: 'Name' },
  }
/** Refusals that are not worth logging: a form that is not yet right, and a question that was not yet answered. */
const everyday: ReadonlySet<BusinessErrorName> = new Set(['invalid', 'question', 'importFailed', 'mustChangePassword'])
/** Calls that only ask what would be refused. */
const asking = /\/(rehearse|offers|propose)$/

type Known = {
  id: string
  name: string
  login: string
  org_id: string
  code: string
  org_name: string
  system_type: number
}

/** Logs what no action's transaction logs: sign-ins and sign-outs, prints, and refusals. */
export function addOperationLog(app: FastifyInstance, sql: Sql): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    const url = request.routeOptions.url ?? ''
    const { code = 0, msg = '' } = payload as { code?: number; msg?: string }
    const door = doors[url]
    const failed = code === 0 ? null : msg
    if (door) await quietly(noteDoor(sql, request, door, failed, reply.elapsedTime))
    else if (failed === null && url.endsWith('/print') && request.signedIn) await quietly(notePrint(sql, request, url))
    return payload
  })
  app.addHook('onError', async (request, reply, error) => {
    const session = request.signedIn
    const url = request.routeOptions.url ?? ''
    if (!(error instanceof BusinessError) || !session || doors[url] || asking.test(url)) return
    // A read of something that does not exist is no incident; a read of something that belongs to others is.
    if (request.method !== 'POST' && error.reason !== 'forbidden') return
    const { sn } = (request.method === 'POST' ? (request.body ?? {}) : request.query) as { sn?: unknown }
    await noteRefusal(sql, request, { sn, error, tookMs: reply.elapsedTime })
  })
}

type RefusedCall = { readonly sn: unknown; readonly error: unknown; readonly action?: string; readonly tookMs: number }

/** Logs a relevant refusal; in a batch each item separately, under the attempted action. */
export async function noteRefusal(sql: Sql, request: FastifyRequest, refused: RefusedCall): Promise<void> {
  const { sn, error, tookMs } = refused
  const session = request.signedIn
  if (!session || !(error instanceof BusinessError) || everyday.has(error.reason)) return
  const url = request.routeOptions.url ?? ''
  const [, , , subject = '', called = ''] = url.split('/')
  const key = typeof sn === 'string' ? sn.slice(0, 100) : null
  const action = refused.action ?? called
  await quietly(
    logOperationNow(sql, session, {
      subject,
      action,
      key,
      failed: error.message,
      path: url,
      tookMs: Math.round(tookMs),
    }),
  )
}

/** A log line that cannot be written does not fail the reply. */
const quietly = (work: Promise<unknown>): Promise<unknown> => work.catch(error => reportError('operation log', error))

const notePrint = (sql: Sql, request: FastifyRequest, url: string) => {
  const subject = url.split('/')[3] ?? ''
  const { sn } = request.query as { sn?: string }
  return logOperationNow(sql, request.signedIn!, {
    subject,
    action: 'print',
    actionName: '打印',
    kind: 'print',
    key: sn ?? null,
    name: sn ?? null,
    summary: `打印${titleOf(subject) ?? ''}${sn ?? ''}`,
    path: url,
  })
}

async function noteDoor(
  sql: Sql,
  request: FastifyRequest,
  door: (typeof doors)[string],
  failed: string | null,
  took: number,
): Promise<void> {
  const login = String((request.body as Record<string, unknown> | null)?.[door.field ?? ''] ?? '')
    .trim()
    .slice(0, 100)
  const known = await whoIs(sql, request.signedIn?.userId ?? null, login)
  const [platform] = await sql<{ id: string; code: string; name: string }[]>`
    select id, code, name from organisation where system_type = 0 order by id limit 1`
  const agent = (request.headers['user-agent'] ?? '').slice(0, 200)
  const of = (org: Session['org']): Session => ({
    ...systemSession(org),
    userId: known?.id ?? '0',
    userName: known?.name ?? '未知用户',
    login: known?.login ?? login,
    address: request.ip,
    agent,
  })
  const kind: AuditAction = door.kind === 'login' && failed ? 'loginFailed' : door.kind
  const entry = {
    subject: 'session',
    subjectName: '登录与会话',
    action: kind,
    actionName: door.name,
    kind,
    key: known?.login ?? login,
    name: known?.login ?? login,
    failed,
    path: request.routeOptions.url ?? null,
    tookMs: Math.round(took),
  }
  if (known) await logOperationNow(sql, of(orgOf(known)), entry)
  // The platform monitors all sign-ins; it sees nothing of the business.
  if (platform && platform.id !== known?.org_id)
    await logOperationNow(sql, of({ ...platform, type: 'P' }), entry, known?.org_id ?? null)
}

const orgOf = (row: Known): Session['org'] => ({
  id: row.org_id,
  code: row.code,
  name: row.org_name,
  type: orgTypeOf(row.system_type),
})

async function whoIs(sql: Sql, user: string | null, login: string): Promise<Known | undefined> {
  const [row] = await sql<Known[]>`
    select u.id, u.name, u.login, u.org_id, o.code, o.name as org_name, o.system_type from account_at_door u
      join organisation o on o.id = u.org_id
     where ${user === null ? sql`u.login = ${login} or u.phone = ${login}` : sql`u.id = ${user}`}
     order by u.login = ${login} desc, u.id limit 1`
  return row
}
