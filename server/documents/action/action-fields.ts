import type { AnyDocument } from '#kernel/definition/document.ts'
import { f, type Fields } from '#kernel/definition/field.ts'
import { parseList, refuseOtherNames } from '#server/access/untrusted-input.ts'

type Body = Readonly<Record<string, unknown>>

/**
 * Names by which a call says which document it means, and what every action accepts. `state` is part of the reply to
 * the action before: a client may send that reply back, and `version` says whether it is still true.
 */
const ADDRESS = ['sn', 'version', 'state', 'source_org_sn', 'reason', 'confirm', 'columns'] as const

/** A reversal has its own day, and may name the lines of which it takes back a part. */
export const reversedLines: Fields = {
  line_no: f.count('行号'),
  quantity: f.quantity('红冲数量'),
  unit_codes: f.codes('院内码'),
}

/** Refuses what an action does not ask for, by name: nothing that was sent is silently dropped. */
export function checkActionFields(definition: AnyDocument, action: string, body: Body): void {
  const spec = Object.hasOwn(definition.actions, action) ? definition.actions[action] : undefined
  if (action !== 'del' && spec === undefined) return
  const isReversal = spec?.effect === 'reverse'
  const parts: Readonly<Record<string, Fields>> = { ...(isReversal ? { lines: reversedLines } : {}), ...spec?.parts }
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
