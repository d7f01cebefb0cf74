import type { AnyEntity } from '#kernel/definition/entity.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { isRestricted } from '#server/access/data-scope.ts'
import type { RecordRow } from '#server/records/hooks.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import type { Session } from '#server/access/session.ts'

type Row = Readonly<RecordRow>

/** True if others rely on what was judged of this row, and the acting organisation is not the one that judges. */
function isBound(session: Session, { judged }: AnyEntity, row: Row): boolean {
  if (!judged || judged.judges?.includes(session.org.type)) return false
  return judged.passed.includes(String(row[judged.state])) && judged.needsNobody?.(row) !== true
}

/** Refuses what the rules of a record refuse, and changes of what was judged where no new judgement can follow. */
export function mustMayWriteRow(session: Session, definition: AnyEntity, action: string, row: Row | null): void {
  rulesOf(definition.kind).mayWrite?.(session, action, row)
  const { changeRefused: sentence, only } = definition.judged ?? {}
  if (sentence !== undefined && only === undefined && row && action === 'edit' && isBound(session, definition, row))
    throw new BusinessError('wrongState', sentence)
}

/** True if rows of a record may differ in what may be done with them. */
export const differsByRow = (definition: AnyEntity, session: Session): boolean =>
  rulesOf(definition.kind).mayWrite !== undefined ||
  definition.judged !== undefined ||
  (!definition.readOnly && isRestricted(session))

const text = (value: unknown) => JSON.stringify(value ?? null)

/** True if a field is among those that were judged. */
const isJudged = ({ state, except, only }: NonNullable<AnyEntity['judged']>, name: string): boolean =>
  name !== state && (only?.includes(name) ?? !except?.includes(name))

/**
 * The new state of a judged row that is changed: it waits for a new judgement. Some records refuse the change instead.
 */
export function newJudgement(session: Session, definition: AnyEntity, before: Row, sent: Row): RecordRow {
  const { judged } = definition
  if (!judged || !isBound(session, definition, before)) return {}
  const changed = Object.keys(sent).find(name => isJudged(judged, name) && text(sent[name]) !== text(before[name]))
  if (changed === undefined) return {}
  if (judged.only !== undefined && judged.changeRefused !== undefined)
    throw new BusinessError('wrongState', judged.changeRefused, [{ field: changed, msg: judged.changeRefused }])
  return { [judged.state]: judged.pending }
}

const isMissing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Refuses to pass a row that lacks a field which is to be judged. */
export function mustBeJudgeable({ judged }: AnyEntity, action: string, row: Row): void {
  if (judged?.action !== action) return
  const [lacking] = Object.entries(judged.needs ?? {}).filter(([name]) => isMissing(row[name]))
  if (lacking) throw new BusinessError('rule', lacking[1])
}
