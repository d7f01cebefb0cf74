import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PostgresError } from 'postgres'
import { BusinessError, ColumnsRequired, ConfirmationRequired, replyCodes } from '#kernel/rules/errors.ts'
import { DeviceRejected } from '#server/devices/device-handler.ts'
import { ImportFailed } from '#server/records/import-failed.ts'
import { Overloaded, RateLimited } from '#server/access/overload.ts'

/** Every reply on the wire. A single item is in `info`, several are in `list`. */
export type Envelope = {
  readonly code: number
  readonly msg: string
  readonly info?: unknown
  readonly list?: readonly unknown[]
  readonly total?: number
  readonly page_num?: number
  readonly page_size?: number
  readonly summary?: unknown
  readonly errors?: readonly unknown[]
  /** The id of the rule from which a refusal follows. */
  readonly rule?: string
}

export const done = (rest: Omit<Envelope, 'code' | 'msg'> = {}, msg = ''): Envelope => ({ code: 0, msg, ...rest })

/** The session has ended or never existed: HTTP 401, which the client answers with the re-login dialog. */
export class SessionEnded extends Error {}
/** The request names another host than this installation's: HTTP 421. */
export class OtherHost extends Error {}
/** The call came from another site: HTTP 403. */
export class CrossSite extends Error {}
type Answer = { readonly status: number; readonly body: Envelope; readonly isBug?: boolean }

/** Database refusals caused by the input. Any other is a bug of ours. */
const databaseRefusals: Readonly<Record<string, readonly [number, string]>> = {
  23505: [replyCodes.duplicate[0], replyCodes.duplicate[1]],
  '23P01': [replyCodes.duplicate[0], replyCodes.duplicate[1]],
  23503: [replyCodes.rule[0], '所选数据不存在，或已被其他数据引用'],
  23514: [replyCodes.invalid[0], '填写内容超出允许范围'],
  23502: [replyCodes.invalid[0], '有必填项未填写'],
  22001: [replyCodes.invalid[0], '填写内容过长'],
  22003: [replyCodes.invalid[0], '数值过大'],
  22007: [replyCodes.invalid[0], '日期格式有误'],
  22008: [replyCodes.invalid[0], '日期超出范围'],
  '22P02': [replyCodes.invalid[0], '填写内容格式有误'],
  '22P05': [replyCodes.invalid[0], '不能输入特殊字符'],
  22021: [replyCodes.invalid[0], '不能输入特殊字符'],
  '40P01': [replyCodes.staleVersion[0], '数据正被他人修改，请稍后重试'],
  40001: [replyCodes.staleVersion[0], '数据正被他人修改，请稍后重试'],
  57014: [replyCodes.tooMany[0], '查询超时，请缩小查询范围后重试'],
}

/** The database is down or full: not the caller's fault, and temporary. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  '53300',
  'EPIPE',
  '08003',
  '08006',
  '57P01',
  '57P02',
  '57P03',
  // The database ended a transaction that was idle or took too long.
  '25P03',
  '25P04',
])

const httpRefusals: Readonly<Record<string, Answer>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, body: { code: 2000, msg: '提交内容过大，请分批提交' } },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 200, body: { code: 2000, msg: '不支持的提交格式，请用表单或JSON' } },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 200, body: { code: 2000, msg: '提交内容不完整，请重试' } },
  FST_REQ_FILE_TOO_LARGE: { status: 413, body: { code: 2000, msg: '文件超过8MB，请分批导入' } },
  FST_INVALID_MULTIPART_CONTENT_TYPE: { status: 200, body: { code: 2000, msg: '请选择要导入的文件' } },
  FST_PARTS_LIMIT: { status: 413, body: { code: 2000, msg: '提交内容超出数量限制' } },
  FST_FIELDS_LIMIT: { status: 413, body: { code: 2000, msg: '提交的字段过多' } },
  FST_FILES_LIMIT: { status: 413, body: { code: 2000, msg: '一次只能上传一个文件' } },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 200, body: { code: 2000, msg: '提交内容不是有效的JSON' } },
}

const unreadable = { status: 200, body: { code: 2000, msg: '提交内容不完整，请重新提交' } } as const
/** The multipart reader throws without a code when the input breaks off or is not a form. */
const BROKEN_FORM =
  /^(Multipart: |Part terminated early|Unexpected end of multipart|The needle cannot)|due to unexpected end of multipart/

/** Limits of what a reply repeats of the caller's own text; a page shows no more errors than these either. */
const LONGEST_MESSAGE = 500
const MOST_ERRORS = 1000
const cut = (text: string): string => (text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE)}…`)
const cutAll = <Found extends { readonly msg: string }>(errors: readonly Found[]): readonly Found[] =>
  errors
    .slice(0, MOST_ERRORS)
    .map(error => (error.msg.length <= LONGEST_MESSAGE ? error : { ...error, msg: cut(error.msg) }))

/** The one place where an error becomes what the client reads. */
export function errorReply(error: unknown): Answer {
  if (error instanceof BusinessError) {
    return {
      status: 200,
      body: {
        code: error.code,
        msg: cut(error.message),
        ...(error.problems.length > 0 ? { errors: cutAll(error.problems) } : {}),
        ...(error.rule ? { rule: error.rule } : {}),
        ...(error.document ? { info: { document: error.document } } : {}),
        ...(error instanceof ColumnsRequired ? { info: { columns: error.columns } } : {}),
      },
    }
  }
  if (error instanceof ConfirmationRequired) {
    return {
      status: 200,
      body: {
        code: replyCodes.question[0],
        msg: error.message,
        info: { questions: error.questions, token: error.token },
      },
    }
  }
  if (error instanceof ImportFailed)
    return {
      status: 200,
      body: { code: replyCodes.importFailed[0], msg: cut(error.message), errors: cutAll(error.errors) },
    }
  if (error instanceof SessionEnded) return { status: 401, body: { code: 401, msg: '登录已失效，请重新登录' } }
  if (error instanceof DeviceRejected)
    return { status: 401, body: { code: 401, msg: error.message, info: { reason: error.reason } } }
  if (error instanceof OtherHost)
    return { status: 421, body: { code: 421, msg: '请求的主机名不是本系统的地址，请用系统公布的网址访问' } }
  if (error instanceof CrossSite) return { status: 403, body: { code: 403, msg: '拒绝来自其他网站的请求' } }
  if (error instanceof RateLimited) return { status: 429, body: { code: replyCodes.tooMany[0], msg: error.message } }
  if (error instanceof Overloaded) return { status: 503, body: { code: replyCodes.tooMany[0], msg: error.message } }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const http = httpRefusals[code]
  if (http) return http
  // Other refusals of the request reader are the caller's to fix.
  if (code.startsWith('FST_') && String((error as FastifyError).statusCode).startsWith('4')) return unreadable
  if (error instanceof Error && BROKEN_FORM.test(error.message)) return unreadable
  if (unreachable.has(code) || (error as { syscall?: string } | null)?.syscall === 'connect')
    return { status: 503, body: { code: replyCodes.serviceError[0], msg: '数据库暂时不可用，请稍后重试' } }
  const sameName = asSameName(error)
  if (sameName) return sameName
  const database = databaseRefusals[code]
  if (database) return { status: 200, body: { code: database[0], msg: database[1] } }
  return {
    status: 500,
    body: { code: replyCodes.serviceError[0], msg: replyCodes.serviceError[1], info: { error_id: randomUUID() } },
    isBug: true,
  }
}

/** The database's own sentence about a name that another row has in another spelling, or null. */
function asSameName(error: unknown): Answer | null {
  if (!(error instanceof Error)) return null
  const { code, constraint_name, column_name, message } = error as PostgresError
  if (code !== '23505' || !constraint_name?.endsWith('_apart')) return null
  const errors = [{ field: column_name ?? '', msg: message }]
  return { status: 200, body: { code: replyCodes.duplicate[0], msg: message, errors } }
}

/** A bug of ours is logged under the id that its reader sees. */
export function reportBug(request: FastifyRequest, error: unknown, answer: Answer): void {
  if (!answer.isBug) return
  request.log.error({ err: error, error_id: (answer.body.info as { error_id: string }).error_id }, 'bug')
}

/** Errors, unknown paths and malformed requests, all in the envelope. */
export function addEnvelope(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const answer = errorReply(error)
    reportBug(request, error, answer)
    const wait =
      error instanceof RateLimited || error instanceof Overloaded ? error.retryAfter : answer.status === 503 ? 5 : null
    if (wait !== null) reply.header('retry-after', String(wait))
    // A download that failed before its first byte has already set the workbook headers.
    return reply
      .removeHeader('content-disposition')
      .type('application/json; charset=utf-8')
      .code(answer.status)
      .send(answer.body)
  })
}

export const notFound: Envelope = { code: 404, msg: '没有这个地址' }

/** A request that Node's HTTP parser cannot read gets the envelope as well, and the connection ends. */
export function answerUnreadable(status: number): string {
  const body = JSON.stringify({ code: 2000, msg: '请求无法识别' } satisfies Envelope)
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; ` +
    `charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  )
}
