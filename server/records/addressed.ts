import type { AnyEntity } from '#kernel/definition/entity.ts'
import type { Fields } from '#kernel/definition/field.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { requireConfirmation } from '#server/access/confirmation.ts'
import { askAboutLookAlikes } from '#server/records/checks.ts'
import { mustActThere } from '#server/records/places.ts'
import { findRecord } from '#server/records/read.ts'
import { mustMayWriteRow } from '#server/records/judgement.ts'
import type { RecordRow } from '#server/records/hooks.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import { refuseOtherNames } from '#server/access/untrusted-input.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

type Body = Readonly<Record<string, unknown>>

export const noReason = (sentence = '请填写原因') =>
  new BusinessError('invalid', sentence, [{ field: 'reason', msg: sentence }])

/** The row that a call names by `sn` and `version`, and the call's other content: values of `fields`. */
export async function addressed(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  body: Body,
  fields: Fields = {},
  action: string | null = null,
): Promise<{ row: RecordRow; rest: Body; confirm: unknown }> {
  const { sn, [definition.key]: key, version, confirm, ...rest } = body
  if (!/^\d{1,9}$/.test(String(version ?? '')))
    throw new BusinessError('invalid', '缺少版本号，请刷新后重试', [{ field: 'version', msg: '缺少版本号' }])
  refuseOtherNames(rest, [...Object.keys(fields), 'reason'])
  const row = await findRecord(tx, session, definition, typeof sn === 'number' ? String(sn) : (sn ?? key))
  await mustActThere(tx, session, definition, row)
  // A late caller is first shown what happened to the row.
  if (action !== null) mustMayWriteRow(session, definition, action, row)
  if (parseInteger(row.version) !== parseInteger(version)) throw stale()
  return { row, rest, confirm }
}

/** Questions of the rules are asked before anything is written; the same call with the token continues. */
export async function mustBeAsked(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  action: string,
  row: RecordRow,
  sent: RecordRow,
  confirm: unknown,
): Promise<void> {
  const id = action === 'add' ? null : String(row[definition.key])
  const questions = [
    ...((await rulesOf(definition.kind).asks?.(tx, session, action, row, sent)) ?? []),
    ...(action === 'add' || action === 'edit'
      ? await askAboutLookAlikes(tx, session, definition, id, { ...row, ...sent }, sent)
      : []),
  ]
  requireConfirmation([session.userId, definition.kind, row[definition.key], row.version, action], questions, confirm)
}

export const stale = () => new BusinessError('staleVersion', '数据已被他人修改，请刷新后重试')

export function withoutReason(body: Body): { reason: string | null; rest: Body } {
  const { reason, ...rest } = body
  if (typeof reason === 'string' && reason.length > 200)
    throw new BusinessError('invalid', '原因不能超过200个字', [{ field: 'reason', msg: '原因不能超过200个字' }])
  return { reason: typeof reason === 'string' && reason.trim() !== '' ? reason.trim() : null, rest }
}
