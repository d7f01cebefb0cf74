import type { AnyDocument } from '#kernel/definition/document.ts'
import { lineField } from '#kernel/definition/common-fields.ts'
import { computedAmounts, takesAmounts } from '#kernel/definition/line-content.ts'
import type { Fields } from '#kernel/definition/field.ts'
import { parseFields } from '#kernel/rules/parse-fields.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { lineNumbers } from '#server/documents/lines/line-numbers.ts'
import type { LineInput } from '#server/documents/lines/complete.ts'
import { parseList, refuseOtherNames } from '#server/access/untrusted-input.ts'
import { acceptedHeaderFields, acceptedLineFields } from '#server/documents/repository/document.ts'

export type DocumentInput = Readonly<Record<string, unknown>>

/** Names that a call may have beside the document's own fields. */
const ADDRESS = new Set(['sn', 'version', 'lines', 'confirm', 'reason'])
const MOST_LINES = 20_000

/** The line without computed amounts: they follow from price, quantity and rate, and nobody may write others. */
const withoutAmounts = (line: LineInput): LineInput =>
  Object.fromEntries(Object.entries(line).filter(([name]) => !computedAmounts.some(computed => computed === name)))

function parseLines(
  definition: AnyDocument,
  raw: unknown,
  last: number,
): { lines: LineInput[] | null; problems: Problem[] } {
  if (raw === undefined) return { lines: null, problems: [] }
  const rows = parseList(raw)
  if (rows === null) return { lines: null, problems: [{ field: 'lines', msg: '明细格式有误，应为 JSON 列表' }] }
  if (rows.length > MOST_LINES)
    return { lines: null, problems: [{ field: 'lines', msg: `明细不能超过${MOST_LINES}行` }] }
  const fields: Fields = { ...acceptedLineFields(definition), line_no: { as: 'count', label: '行号', required: false } }
  const problems: Problem[] = []
  const numbers = lineNumbers(rows, last)
  const lines = rows.map((row, at) => {
    const number = numbers[at]!
    if (row === null || typeof row !== 'object' || Array.isArray(row)) {
      problems.push({ line: number, msg: `第${number}行：格式有误` })
      return {}
    }
    const parsed = parseFields(fields, row as Record<string, unknown>, number)
    problems.push(...parsed.problems)
    return takesAmounts(definition) ? parsed.values : withoutAmounts(parsed.values)
  })
  return { lines, problems }
}

/** Refuses fields that the document does not have, before anything of it is read. */
export const checkHeaderNames = (definition: AnyDocument, body: DocumentInput): void =>
  refuseOtherNames(body, [...ADDRESS, ...Object.keys(acceptedHeaderFields(definition))])

/**
 * Parses a body into values under wire names; all problems are reported at once. `last`: the highest number of a line
 * that the document had.
 */
export function parseInput(
  definition: AnyDocument,
  body: DocumentInput,
  last = 0,
): { header: Record<string, unknown>; lines: LineInput[] | null } {
  const { header, ...rest } = {
    header: Object.fromEntries(Object.entries(body).filter(([name]) => !ADDRESS.has(name))),
    raw: body.lines,
  }
  const parsed = parseFields(acceptedHeaderFields(definition), header)
  const lines = parseLines(definition, rest.raw, last)
  const problems = [...parsed.problems, ...lines.problems]
  if (problems.length > 0) throw new BusinessError('invalid', problems[0]!.msg, problems)
  return { header: parsed.values, lines: lines.lines }
}

/** A stale version changes nothing: 单据已被他人修改，请刷新后重试. */
export function checkVersion(version: number, sent: unknown): void {
  if (sent === undefined || sent === null || sent === '')
    throw new BusinessError('invalid', undefined, [{ field: 'version', msg: '缺少单据版本号，请刷新后重试' }])
  if (String(version) !== String(sent)) throw new BusinessError('staleVersion')
}

/** Required fields: checked when the document is submitted, so that a draft may be saved incomplete. */
export function missingRequiredFields(
  definition: AnyDocument,
  doc: Readonly<Record<string, unknown>> & { readonly lines: readonly Record<string, unknown>[] },
): Problem[] {
  const empty = (value: unknown) =>
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  const header = Object.entries(definition.header)
    .filter(([name, field]) => field.required && empty(doc[name]))
    .map(([name, field]) => ({ field: name, msg: `请填写【${field.label}】` }))
  const lines = doc.lines.flatMap(line =>
    Object.keys(definition.lines)
      .filter(name => lineField(definition, name)?.required && empty(line[name]))
      .map(name => ({
        field: name,
        line: parseInteger(line.line_no),
        msg: `第${line.line_no}行：请填写【${lineField(definition, name)!.label}】`,
      })),
  )
  return [...header, ...lines]
}
