import { CallFailure, failureTexts } from '#web/engine/http/request-error.ts'
import type { AskedColumns } from '#kernel/tables/foreign-table.ts'
import type { Problem, Question, DocumentNamed } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'

/** The response envelope of every call. `Code` and `Msg` are the spelling of password recovery. */
export type Reply<Info = unknown, Row = Record<string, unknown>> = {
  readonly code: number | string
  readonly msg: string
  readonly info: Info
  readonly list: readonly Row[]
  readonly total: number
  readonly total_capped?: boolean
  readonly page_num?: number
  readonly page_size?: number
  readonly state_counts?: Readonly<Record<string, number>>
  /** The numbers of rows by value of the state field, for kinds that have a state field of their own. */
  readonly standing_counts?: Readonly<Record<string, number>>
  readonly summary?: Readonly<Record<string, string>>
}
type RawReply = Partial<Reply> & {
  Code?: number | string
  Msg?: string
  errors?: readonly Problem[]
  rule?: string
}

const QUESTION = 2200
const COLUMNS = 2201

/** Parses a response body, or throws the failure it contains. */
export function readReply(raw: unknown): Reply {
  const body = (raw ?? {}) as RawReply
  const code = body.code ?? body.Code
  const msg = body.msg || body.Msg || ''
  if (code === 0 || code === '0')
    return { ...body, code: 0, msg, info: body.info ?? null, list: body.list ?? [], total: body.total ?? 0 }
  if (code === '401' || code === 401) throw new CallFailure('signedOut', msg || failureTexts.user, { code: 401 })
  if (parseInteger(code) === QUESTION) {
    const asked = (body.info ?? {}) as { questions?: readonly Question[]; token?: string }
    throw new CallFailure('question', msg, {
      code: QUESTION,
      questions: asked.questions ?? [],
      token: asked.token ?? '',
    })
  }
  const columns = (body.info as { columns?: AskedColumns } | null | undefined)?.columns
  if (parseInteger(code) === COLUMNS && columns) throw new CallFailure('columns', msg, { code: COLUMNS, columns })
  throw new CallFailure('refused', msg || failureTexts.service, {
    code: parseInteger(code) || 0,
    problems: body.errors ?? [],
    rule: body.rule ?? null,
    document: (body.info as { document?: DocumentNamed } | null | undefined)?.document ?? null,
  })
}

/** A form body: nested parts are JSON text, null empties a field, undefined leaves it out. */
export function encodeForm(values: Readonly<Record<string, unknown>>): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    form.set(name, value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return form
}

/** A query string: empty values are omitted. */
export function encodeQuery(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null || value === '') continue
    query.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
