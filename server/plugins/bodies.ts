import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BusinessError } from '#kernel/rules/errors.ts'
import { checkUntrusted, MOST_NAMES, TOO_MANY_NAMES } from '#server/access/untrusted-input.ts'

/** Maximum bytes of a body that is not a file. */
export const bodyLimit = 8 * 1024 * 1024
/** The same for calls that anyone may make; one that needs more says so: a device, the scans of an applicant. */
const OPEN_BODY_LIMIT = 64 * 1024

/** Form and JSON bodies. Nested parts of a form are JSON text in a field: the field's kind parses them. */
export function addBodies(app: FastifyInstance): void {
  app.addHook('onRoute', route => {
    if (route.config?.access === 'open') route.bodyLimit ??= OPEN_BODY_LIMIT
  })
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
    checkUntrusted(request.query)
    checkUntrusted(request.body)
  })
}

/** Parses query text into names and values; a repeated name stays a list, which no field accepts. */
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
  if (hasMoreThan(MOST_NAMES, '&', text)) throw new BusinessError('invalid', TOO_MANY_NAMES)
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in form)
      throw new BusinessError('invalid', `字段“${name.slice(0, 64)}”重复`, [{ field: name.slice(0, 64), msg: '重复' }])
    form[name] = value
  }
  return form
}

/** True if a text has more than `most` of a character, found without reading on. */
function hasMoreThan(most: number, character: string, text: string): boolean {
  let at = -1
  for (let found = 0; found <= most; found++) {
    at = text.indexOf(character, at + 1)
    if (at === -1) return false
  }
  return true
}

function parseJson(text: string): Record<string, unknown> {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new BusinessError('invalid', '提交内容不是有效的JSON')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new BusinessError('invalid', '提交内容应为一个JSON对象')
  return body as Record<string, unknown>
}
