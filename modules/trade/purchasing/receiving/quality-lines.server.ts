import type { StoredLine } from '#server/public/documents.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { type ActionInput, runAction } from '#server/public/actions.ts'
import type { RecordAction, RecordRow, RecordRules } from '#server/public/records.ts'
import { scopeSql } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The lines of a document as records, which the quality pages show and change one by one. */
export const createQualityLines = (tx: Tx, org: string, document: string) => tx`
  insert into quality_line (org_id, document_id, line_no)
  select l.org_id, l.document_id, l.line_no from document_line l
    where l.org_id = ${org} and l.document_id = ${document} on conflict do nothing`

/**
 * The lines a dialog names by their numbers; none: all eligible lines. `nothing` is the error for an ineligible
 * line.
 */
export function namedLines(
  lines: readonly StoredLine[],
  asked: { readonly said: unknown; readonly field: string },
  open: readonly StoredLine[],
  nothing: string,
): ReadonlySet<number> {
  const said = String(asked.said ?? '')
    .split(/[,，、 ]+/)
    .filter(no => no !== '')
    .map(parseInteger)
  const meant = said.length > 0 ? said : open.map(line => line.line_no)
  const missing = meant.find(no => !lines.some(line => line.line_no === no))
  if (missing !== undefined)
    throw new BusinessError('invalid', `没有第${missing}行，请核对行号`, [
      { field: asked.field, msg: `没有第${missing}行` },
    ])
  const stray = meant.find(no => !open.some(line => line.line_no === no))
  if (meant.length === 0 || stray !== undefined)
    throw new BusinessError('rule', stray === undefined ? nothing : `第${stray}行${nothing}`)
  return new Set(meant)
}

/**
 * Runs the line's action on the document behind the row: through the document's own path and history, with the right
 * to the row.
 */
export const throughDocument =
  (
    kind: string,
    no: string,
    action: string,
    body: (row: Readonly<RecordRow>, answers: Readonly<RecordRow>) => ActionInput,
  ) =>
  async (...[tx, session, row, , answers]: Parameters<RecordAction>): Promise<void> =>
    runAction(tx, { ...session, flags: 'all' }, kind, String(row[no]), action, body(row, answers))

/** Common to the rows of both pages: visibility, and the unit in which they count. */
export const qualityRows: Pick<RecordRules, 'table' | 'visible'> = {
  table: 'quality_line',
  visible: (tx, session) =>
    scopeSql(tx, session, {
      stores: [tx`t.warehouse_id`],
      department: null,
      people: [tx`t.created_by`, tx`t.submitted_by`],
    }),
}

/** The entered unit of a row, otherwise that of its size. */
export const unitNameSql = (tx: Tx) =>
  tx`coalesce((select k.name from pack_unit k where k.id = t.unit_id),
    (select s.unit_name from specification s where s.id = t.specification_id))`
