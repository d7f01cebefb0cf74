import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '#kernel/refusal.ts'

/** Most bytes of a body that is not a file. */
export const bodyLimit = 8 * 1024 * 1024
const DEEPEST = 12
const LONGEST = 4 * 1024 * 1024
const NOT_TEXT = /\u0000/

/** Form and JSON bodies. Nested parts of a form are JSON text in a field: the field's kind reads them. */
export function addBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: FastifyRequest, body: string) => parseForm(body),
  )
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_: FastifyRequest, body: string) =>
    parseJson(body),
  )
  app.addHook('preValidation', async request => {
    refuseHostile(request.query)
    refuseHostile(request.body)
  })
}

/** Query text into names and values; a name given twice stays a list, which no field accepts. */
export function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name]
    query[name] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value]
  }
  return query
}

function parseForm(text: string): Record<string, string> {
  const form: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in form)
      throw new Refusal('invalid', `字段“${name.slice(0, 64)}”重复`, [{ field: name.slice(0, 64), msg: '重复' }])
    form[name] = value
  }
  return form
}

function parseJson(text: string): Record<string, unknown> {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new Refusal('invalid', '提交内容不是有效的JSON')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal('invalid', '提交内容应为一个JSON对象')
  return body as Record<string, unknown>
}

/** Text that PostgreSQL cannot hold or nobody wrote by hand, wherever it stands in what was sent. */
function refuseHostile(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.length > LONGEST) throw new Refusal('invalid', '填写内容过长')
    if (NOT_TEXT.test(value) || !value.isWellFormed()) throw new Refusal('invalid', '不能输入特殊字符')
    return
  }
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return
  if (depth > DEEPEST) throw new Refusal('invalid', '提交内容嵌套过深')
  for (const [name, part] of Object.entries(value)) {
    refuseHostile(name, depth + 1)
    refuseHostile(part, depth + 1)
  }
}
