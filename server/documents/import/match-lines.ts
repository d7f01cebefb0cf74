import { lineField } from '#kernel/definition/common-fields.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { MatchedLines } from '#kernel/definition/line-matching.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { lineDetails } from '#server/documents/list/detail.ts'
import { loadDocument } from '#server/documents/repository/load.ts'
import { itemColumns, type SheetField } from '#server/documents/import/columns.ts'
import type { SheetLine } from '#server/documents/import/read-lines.ts'
import { byName, type StoredDocument, type StoredLine } from '#server/documents/repository/document.ts'
import type { SheetProblem } from '#server/records/import-failed.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** How a kind's sheet finds existing lines of the document, or null where its rows become new lines. */
export const lineMatching = ({ lineRules: { import: imports } }: AnyDocument): MatchedLines | null =>
  typeof imports === 'object' ? imports : null

/** Every existing line with the sheet's values, and the row that matched it. */
export type Matched = {
  readonly lines: readonly Readonly<Record<string, unknown>>[]
  readonly rowOf: ReadonlyMap<number, number>
  readonly problems: readonly SheetProblem[]
}

const text = (value: unknown): string => String(value ?? '')

/** True if a line has the goods that the row names, and agrees with everything else in the row. */
const isMeant = (by: readonly string[], line: StoredLine, values: SheetLine['values']): boolean =>
  line.specification_sn === values.specification_sn &&
  by.every(name => values[name] === undefined || text(byName(line)[name]) === text(values[name]))

/** Matches rows to existing lines: each row matches exactly one, and no two rows the same. */
export function matchLines(
  definition: AnyDocument,
  { by, writes }: MatchedLines,
  doc: StoredDocument,
  rows: readonly SheetLine[],
): Matched {
  const rowOf = new Map<number, number>()
  const notified = new Map<number, Readonly<Record<string, unknown>>>()
  const problems: SheetProblem[] = []
  const labels = by.map(name => lineField(definition, name)?.label ?? name)
  for (const { row, values } of rows) {
    const meant = doc.lines.filter(line => isMeant(by, line, values))
    const [line] = meant
    const earlier = line && rowOf.get(line.line_no)
    const column = itemColumns.code
    if (!line) problems.push({ row, column, msg: `${definition.title}里没有这一行的产品和批号，请核对` })
    else if (meant.length > 1)
      problems.push({ row, column, msg: `${definition.title}里有${meant.length}行相同，请再填写${labels.join('、')}` })
    else if (earlier !== undefined) problems.push({ row, column, msg: `与第${earlier}行重复` })
    else {
      rowOf.set(line.line_no, row)
      notified.set(
        line.line_no,
        Object.fromEntries(writes.flatMap(name => (values[name] === undefined ? [] : [[name, values[name]]]))),
      )
    }
  }
  return { lines: doc.lines.map(({ line_no }) => ({ line_no, ...notified.get(line_no) })), rowOf, problems }
}

/** The lines of a document as rows of its template, to be filled in by the counter. */
export async function existingRows(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  sn: string,
  fields: readonly SheetField[],
): Promise<readonly string[][]> {
  const doc = await loadDocument(tx, session.org.id, definition, sn)
  if (doc.lines.length === 0) throw new BusinessError('rule', `${definition.title}${sn}暂无明细`)
  const lines = await lineDetails(tx, session, definition, doc.id, doc.lines)
  const by = new Set(lineMatching(definition)?.by)
  const named: Readonly<Record<string, string>> = {
    [itemColumns.code]: 'specification_code',
    [itemColumns.udi]: 'udi_di',
    [itemColumns.product]: 'product_name',
    [itemColumns.model]: 'specification_name',
  }
  return lines.map(line =>
    fields.map(({ title, name, field }) => {
      if (name === null) return text(line[named[title] ?? ''])
      if (!by.has(name)) return ''
      if (field?.as === 'ref') return text(line[name === 'owner_org_sn' ? 'owner_name' : name])
      return field?.as === 'pick' ? (field.choices?.[text(line[name])] ?? '') : text(line[name])
    }),
  )
}
