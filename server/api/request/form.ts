import type { FastifyRequest } from 'fastify'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { unseenAt } from '#kernel/values/same-name.ts'

/** Conditions on one text, checked in order: the first that fails gives its message. */
export type Asked = readonly (readonly [isRight: (text: string) => boolean, sentence: string])[]
const LONGEST = 100

export const filled = (text: string) => text !== ''
export const digitsOnly = (text: string) => /^\d+$/.test(text)
export const atMost = (length: number) => (text: string) => text.length <= length

/** The problems of the texts in a form, field by field in order, at most one message each. */
export function problemsOf(form: Readonly<Record<string, string>>, asked: Readonly<Record<string, Asked>>): Problem[] {
  return Object.entries(asked).flatMap(([field, conditions]) => {
    if (unseenAt(form[field] ?? '') > 0) return [{ field, msg: '填写内容含有看不见的特殊字符，请删除后重新输入' }]
    const failed = conditions.find(([isRight]) => !isRight(form[field] ?? ''))
    return failed ? [{ field, msg: failed[1] }] : []
  })
}

/**
 * Reads certain names of a body or query as trimmed texts, refuses all others by name; then checks the conditions in
 * order.
 */
export function readTexts<Name extends string>(
  given: unknown,
  asked: Readonly<Record<Name, Asked>>,
  longest: Readonly<Record<string, number>> = {},
): Record<Name, string> {
  const body = (given ?? {}) as Record<string, unknown>
  const form = {} as Record<Name, string>
  const problems: Problem[] = Object.keys(body)
    .filter(name => !Object.hasOwn(asked, name))
    .map(name => ({ field: name.slice(0, 64), msg: `没有“${name.slice(0, 64)}”这个字段` }))
  const tooLong: Problem[] = []
  for (const name of Object.keys(asked) as Name[]) {
    const value = Object.hasOwn(body, name) ? body[name] : ''
    form[name] = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
    if (form[name].length > (longest[name] ?? LONGEST)) tooLong.push({ field: name, msg: '填写内容过长' })
  }
  const wrong = [...problems, ...problemsOf(form, asked)]
  const named = new Set(wrong.map(problem => problem.field))
  const all = [...wrong, ...tooLong.filter(problem => !named.has(problem.field))]
  if (all.length > 0) throw new BusinessError('invalid', undefined, all)
  return form
}

/** The named texts of a form, each required with its own message. */
export const readForm = <Name extends string>(
  request: FastifyRequest,
  asked: Readonly<Record<Name, string>>,
): Record<Name, string> =>
  readTexts(
    request.body,
    Object.fromEntries(
      Object.entries(asked).map(([name, sentence]) => [name, [[filled, sentence]]]),
    ) as unknown as Record<Name, Asked>,
  )
