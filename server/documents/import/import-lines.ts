import type { AnyDocument } from '#kernel/definition/document.ts'
import type { MatchedLines } from '#kernel/definition/line-matching.ts'
import { absentSums } from '#kernel/definition/line-content.ts'
import { lineField } from '#kernel/definition/common-fields.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { compare, plain } from '#kernel/values/decimal.ts'
import { type DocumentInput, missingRequiredFields } from '#server/documents/draft/input.ts'
import { createDraft } from '#server/documents/draft/draft.ts'
import { usesAgreedPrice } from '#server/documents/lines/agreed-price.ts'
import { editDocument } from '#server/documents/draft/edit.ts'
import { documentDetail } from '#server/documents/list/detail.ts'
import { without } from '#kernel/values/without.ts'
import { loadDocument } from '#server/documents/repository/load.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import { itemColumns } from '#server/documents/import/columns.ts'
import { lineMatching, matchLines } from '#server/documents/import/match-lines.ts'
import type { Sheet } from '#server/sheets/sheet.ts'
import { readImportLines, type SheetLine } from '#server/documents/import/read-lines.ts'
import { writeHistory } from '#server/documents/repository/history.ts'
import { ImportFailed, type SheetProblem } from '#server/records/import-failed.ts'
import { may, requirePermission, type Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

type Outcome = { readonly sn: string; readonly version: number; readonly count: number }
/** A dry run also shows the lines as the document would have them. */
export type ImportPreview = { readonly count: number; readonly lines: readonly unknown[]; readonly sums: object }

/** Thrown to roll everything back after a dry run; holds the result of the run. */
class DryRun extends Error {
  readonly shown: ImportPreview
  constructor(shown: ImportPreview) {
    super('dry run')
    this.shown = shown
  }
}

/** Refuses, before the file is read, who may not import lines of this kind at all. */
export function mustMayImport(session: Session, definition: AnyDocument): void {
  requirePermission(session, `${definition.kind}.import`)
  const mayWrite = ['add', 'edit'].some(action => may(session, `${definition.kind}.${action}`))
  if (!mayWrite || (definition.ownerTypes !== '' && !definition.ownerTypes.includes(session.org.type)))
    throw new BusinessError('forbidden')
}

/**
 * Lines of a workbook become a new draft with the header fields of `body`, or are appended to the draft that it
 * names: all of them, or none and every error by row and column.
 */
export async function importLines(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  sheet: Sheet,
  body: DocumentInput,
): Promise<Outcome> {
  mustMayImport(session, definition)
  const { lines, problems } = await readImportLines(tx, session, definition, sheet)
  const before = typeof body.sn === 'string' && body.sn !== '' ? await standing(tx, session, definition, body.sn) : null
  const matching = lineMatching(definition)
  if (matching) return writeMatched(tx, session, definition, matching, { lines, problems, before, body })
  const kept = before?.lines.map(line => ({ line_no: line.line_no })) ?? []
  const rowOf = (line: number): number | undefined => lines[line - 1 - kept.length]?.row
  const written = await tx
    .savepoint(async inner => {
      const all = [...kept, ...lines.map(line => line.values)]
      const saved = before
        ? await editDocument(inner, session, definition, { ...body, lines: all })
        : await createDraft(inner, session, definition, { ...body, lines: all })
      return { saved, found: await lineProblems(inner, session, definition, saved.sn, lines, kept.length) }
    })
    .catch((error: unknown) => {
      if (!(error instanceof BusinessError) || error.problems.every(problem => rowOf(problem.line ?? 0) === undefined))
        throw error
      return { saved: null, found: error.problems.flatMap(problem => asSheetProblem(definition, problem, rowOf)) }
    })
  const all = [...problems, ...written.found].sort((a, b) => a.row - b.row)
  if (all.length > 0 || written.saved === null) throw new ImportFailed(all)
  await logImport(tx, session, definition, written.saved.sn, lines.length)
  return { ...written.saved, count: lines.length }
}

/** Records in the document's history that lines were imported, and how many. */
async function logImport(tx: Tx, session: Session, definition: AnyDocument, sn: string, rows: number): Promise<void> {
  const { id, state } = await loadDocument(tx, session.org.id, definition, sn)
  await writeHistory(tx, session, id, { action: 'import', label: '导入', from: state, to: state, reason: `${rows}行` })
}

type MatchedSheet = {
  readonly lines: readonly SheetLine[]
  readonly problems: readonly SheetProblem[]
  readonly before: StoredDocument | null
  readonly body: DocumentInput
}

/** Rows that update existing lines: each value is written as if a user had typed it. */
async function writeMatched(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  matching: MatchedLines,
  { lines, problems, before, body }: MatchedSheet,
): Promise<Outcome> {
  if (before === null) throw new BusinessError('invalid', `请在${definition.title}里导入`)
  const matched = matchLines(definition, matching, before, lines)
  const wrong = [...problems, ...matched.problems].sort((a, b) => a.row - b.row)
  if (wrong.length > 0) throw new ImportFailed(wrong)
  const rowOf = (line: number) => matched.rowOf.get(line)
  const named = { sn: before.sn, version: body.version, lines: matched.lines }
  const saved = await editDocument(tx, session, definition, named).catch((error: unknown) => {
    const found =
      error instanceof BusinessError
        ? error.problems.flatMap(problem => asSheetProblem(definition, problem, rowOf))
        : []
    throw found.length > 0 ? new ImportFailed(found.sort((a, b) => a.row - b.row)) : error
  })
  await logImport(tx, session, definition, saved.sn, lines.length)
  return { ...saved, count: lines.length }
}

/** The same, rolled back: what would be written, or what is wrong. */
export async function previewImport(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  sheet: Sheet,
  body: DocumentInput,
): Promise<ImportPreview> {
  try {
    await tx.savepoint(async inner => {
      const { sn, count } = await importLines(inner, session, definition, sheet, body)
      const info = await documentDetail(inner, session, definition, sn)
      const { lines, total_quantity, taxed_amount } = info as Record<string, unknown> & { lines: readonly unknown[] }
      const sums = without({ total_quantity, taxed_amount }, absentSums(definition))
      throw new DryRun({ count, lines: lines.slice(-count).map(withoutNumber), sums })
    })
    throw new Error('a dry run always ends early')
  } catch (error) {
    if (error instanceof DryRun) return error.shown
    throw error
  }
}

/** The line's temporary number is removed. */
const withoutNumber = (line: unknown): unknown => {
  const { line_no: _, ...rest } = line as Record<string, unknown>
  return rest
}

const standing = (tx: Tx, session: Session, definition: AnyDocument, sn: string): Promise<StoredDocument> =>
  loadDocument(tx, session.org.id, definition, sn, { lock: true })

function asSheetProblem(
  definition: AnyDocument,
  problem: Problem,
  rowOf: (line: number) => number | undefined,
): SheetProblem[] {
  const row = rowOf(problem.line ?? 0)
  if (row === undefined) return []
  const column =
    problem.field === 'specification_sn'
      ? itemColumns.code
      : ((problem.field && lineField(definition, problem.field)?.label) ?? '')
  return [{ row, column, msg: problem.msg.replace(/^第\d+行：/, '') }]
}

/**
 * The reasons for which submit would refuse each imported line: required fields, and the kind's own conditions checked
 * line by line.
 */
async function lineProblems(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  sn: string,
  lines: readonly SheetLine[],
  kept: number,
): Promise<SheetProblem[]> {
  const doc = await loadDocument(tx, session.org.id, definition, sn, {})
  const fresh = doc.lines.slice(kept)
  // Issues may have split a row over several lots: then lines no longer match rows, and only errors of the whole are
  // reported.
  if (fresh.length !== lines.length) return []
  const guards = definition.actions.submit?.guards ?? []
  return fresh.flatMap((line, at) => {
    const alone = { ...doc, lines: [line] }
    const row = lines[at]!.row
    const replaced = replacedFigures(definition, session, lines[at]!, line)
    const missing = missingRequiredFields(definition, alone as never).filter(problem => problem.line !== undefined)
    const refused = guards.flatMap(guard => {
      const answer = guard(alone as never)
      const sentence = answer === true ? null : /^第\d+行：(.*)$/.exec(answer)
      return sentence ? [{ row, column: '', msg: sentence[1]! }] : []
    })
    return [...replaced, ...missing.flatMap(problem => asSheetProblem(definition, problem, () => row)), ...refused]
  })
}

const MONEY = new Set(['price', 'amount', 'taxRate'])

/** Figures of the file that the document does not have, because others apply: a price was agreed. */
function replacedFigures(
  definition: AnyDocument,
  session: Session,
  { row, values }: SheetLine,
  saved: object,
): SheetProblem[] {
  const agreed = usesAgreedPrice(definition, session)
  return Object.entries(values).flatMap(([name, given]) => {
    const field = lineField(definition, name)
    const applies = (saved as Record<string, unknown>)[name] ?? null
    if (!field || !MONEY.has(field.as) || given === null) return []
    if (applies === null)
      return agreed
        ? [{ row, column: field.label, msg: `与该供应商没有生效的进价，文件里的${String(given)}不采用` }]
        : []
    if (compare(String(given), String(applies)) === 0) return []
    const why = agreed ? '以协议价为准' : '由系统计算'
    const msg = `${why}，应为${plain(String(applies))}，文件里是${plain(String(given))}，请改为一致或清空`
    return [{ row, column: field.label, msg }]
  })
}
