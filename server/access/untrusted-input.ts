import { BusinessError } from '#kernel/rules/errors.ts'

const DEEPEST = 12
const LONGEST = 4 * 1024 * 1024
/** Names in one form or object; the longest form has a tenth of them. The lines of a document are a list. */
export const MOST_NAMES = 2000
export const TOO_MANY_NAMES = `提交的字段过多，一次最多${MOST_NAMES}个`
/** Letters of one name. */
const LONGEST_NAME = 200
const NOT_TEXT = /\u0000/
/** Names that every object inherits: no field uses one, and a value under one would mislead the code that reads it. */
const inborn = new Set(Object.getOwnPropertyNames(Object.prototype))

/** Refuses text that PostgreSQL cannot store or that no user types, at any depth of the input. */
export function checkUntrusted(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.length > LONGEST) throw new BusinessError('invalid', '填写内容过长')
    if (NOT_TEXT.test(value) || !value.isWellFormed()) throw new BusinessError('invalid', '不能输入特殊字符')
    return
  }
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return
  if (depth > DEEPEST) throw new BusinessError('invalid', '提交内容嵌套过深')
  const isList = Array.isArray(value)
  if (!isList) refuseManyNames(value)
  for (const [name, part] of Object.entries(value)) {
    if (!isList) refuseName(name)
    checkUntrusted(part, depth + 1)
  }
}

function refuseManyNames(value: object): void {
  let names = 0
  for (const _ in value) if (++names > MOST_NAMES) throw new BusinessError('invalid', TOO_MANY_NAMES)
}

function refuseName(name: string): void {
  if (name.length > LONGEST_NAME) throw new BusinessError('invalid', `没有“${name.slice(0, 64)}…”这个字段`)
  checkUntrusted(name)
  if (inborn.has(name))
    throw new BusinessError('invalid', `没有“${name}”这个字段`, [{ field: name, msg: '没有这个字段' }])
}

/** A list as sent: as JSON, or as its JSON text in a form field. Null: not a list. */
export function parseList(given: unknown): readonly unknown[] | null {
  let list = given
  if (typeof given === 'string')
    try {
      list = JSON.parse(given)
    } catch {
      return null
    }
  if (!Array.isArray(list)) return null
  // A parsed body was checked on arrival; a JSON text inside it was not.
  if (typeof given === 'string') checkUntrusted(list)
  return list
}

/** Refuses a body, or a row of it, that has other names than these, and says which one it is. */
export function refuseOtherNames(
  body: Readonly<Record<string, unknown>>,
  known: readonly string[],
  row?: number,
): void {
  const stray = Object.keys(body).find(name => !known.includes(name))
  if (stray === undefined) return
  const msg = `${row === undefined ? '' : `第${row}行：`}没有“${stray.slice(0, 64)}”这个字段`
  throw new BusinessError('invalid', msg, [
    { field: stray.slice(0, 64), ...(row === undefined ? {} : { line: row }), msg },
  ])
}
