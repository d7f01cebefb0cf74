import type { AnyDocument } from '#kernel/definition/document.ts'
import { f, type Fields } from '#kernel/definition/field.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseFields } from '#kernel/rules/parse-fields.ts'
import { parseList, refuseOtherNames } from '#server/access/untrusted-input.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { withKeptCodes } from '#server/ledger/named-codes.ts'

type Body = Readonly<Record<string, unknown>>

/**
 * Names by which a call says which document it means, and what every action accepts. `state` is part of the reply to
 * the action before: a client may send that reply back, and `version` says whether it is still true.
 */
const ADDRESS = ['sn', 'version', 'state', 'source_org_sn', 'reason', 'confirm', 'columns'] as const

/** A reversal has its own day, and may name the lines of which it takes back a part. */
const reversedLines: Fields = {
  line_no: f.count('行号'),
  quantity: f.quantity('红冲数量'),
  unit_codes: f.pieces('院内码'),
}

/** The rows that an action asks for beside its inputs, by their name. */
const partsOf = (
  spec: Pick<ActionContext['spec'], 'effect' | 'parts'> | undefined,
): Readonly<Record<string, Fields>> =>
  spec?.effect === 'reverse' ? { lines: reversedLines, ...spec.parts } : (spec?.parts ?? {})

/**
 * The rows of a part of the call, each with the line it names and the codes as they are kept; null where the call has
 * none. Whatever is not written as its field asks is refused with its row.
 */
export async function namedRows<R extends { readonly line_no: number }>(
  { tx, session, spec, body }: ActionContext,
  name: string,
): Promise<readonly R[] | null> {
  const given = body[name]
  if (given === undefined || given === null || given === '') return null
  const fields = partsOf(spec)[name]!
  const rows = parseList(given)
  if (rows === null) throw new BusinessError('invalid', '明细格式有误，应为 JSON 列表')
  const read = rows.map((row, at) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row))
      throw new BusinessError('invalid', `第${at + 1}行：格式有误，应为 JSON 对象`)
    const { values, problems } = parseFields(fields, row as Body, at + 1)
    if (problems.length > 0) throw new BusinessError('invalid', problems[0]!.msg, problems)
    if ((values.line_no ?? null) === null) throw new BusinessError('invalid', `第${at + 1}行：请填写行号`)
    return values
  })
  return (await withKeptCodes(tx, session.org.id, fields, read)) as never
}

/** Refuses what an action does not ask for, by name: nothing that was sent is silently dropped. */
export function checkActionFields(definition: AnyDocument, action: string, body: Body): void {
  const spec = Object.hasOwn(definition.actions, action) ? definition.actions[action] : undefined
  if (action !== 'del' && spec === undefined) return
  const isReversal = spec?.effect === 'reverse'
  const parts = partsOf(spec)
  refuseOtherNames(body, [
    ...ADDRESS,
    ...(spec?.inputs ?? []),
    ...(isReversal ? ['business_date'] : []),
    ...Object.keys(parts),
  ])
  for (const [name, fields] of Object.entries(parts))
    for (const [at, row] of (parseList(body[name]) ?? []).entries())
      if (typeof row === 'object' && row !== null) refuseOtherNames(row as Body, Object.keys(fields), at + 1)
}
