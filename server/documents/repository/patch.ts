import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Fragment } from 'postgres'
import { type HistoryEntry, writeHistoryOfMany, writeHistory } from '#server/documents/repository/history.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import {
  headerColumns,
  lineColumns,
  customHeaderFields,
  customLineFields,
  storedColumn,
} from '#server/documents/repository/document.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/**
 * How a write beside the path of actions is recorded.
 * - `withAction`: part of the action, or of the writing of a draft, that runs on the document in this transaction:
 * that counts the
 * version and writes the history.
 * - `derived`: a figure or note that the program keeps by itself. Nobody typed it, so nobody's open page is refused
 * for it.
 * - `version`: open pages are out of date now; what happened is told by an entry of its own.
 * - an entry: counts the version and stands in the history, with the state as it is.
 */
export type Recorded = 'withAction' | 'derived' | 'version' | Entry
/** The entry of the history. `state` is the state of the document at that time, where the history names it. */
type Entry = Pick<HistoryEntry, 'action' | 'label' | 'reason'> & { readonly state?: string }

/** The document that is meant. */
export type DocumentKey = { readonly id: string; readonly kind: string }
/** Values under their wire names. Null takes the value away; a field left out stays as it is. */
export type Values = Readonly<Record<string, unknown>>

/** Columns of the header that nobody types, and the type each has in a jsonb record set. */
const keptColumns = {
  untaxed_amount: 'numeric',
  tax_amount: 'numeric',
  taxed_amount: 'numeric',
  total_quantity: 'numeric',
  rounding: 'numeric',
  line_count: 'int',
  last_line_no: 'int',
  source_document_id: 'bigint',
  touched: 'boolean',
} as const
const patchedHeader: Readonly<Record<string, string>> = { ...headerColumns, ...keptColumns }
const patchedLine: Readonly<Record<string, string>> = { ...lineColumns, rounding: 'numeric' }

type Split = {
  readonly columns: Readonly<Record<string, unknown>>
  readonly fields: Readonly<Record<string, unknown>>
  readonly removed: readonly string[]
}

/** Names that a room keeps beside the fields of its definition. */
const notesOf = ({ internalFields: notes = [] }: AnyDocument) => Object.fromEntries(notes.map(name => [name, true]))

/** Values apart by where they are stored: columns, own fields with a value, own fields that lose theirs. */
function split(kind: string, own: object, columns: Readonly<Record<string, string>>, values: Values): Split {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  const stray = given.find(([name]) => !(name in columns) && !(name in own))
  if (stray) throw new Error(`${kind} has no field ${stray[0]}`)
  const inFields = given.filter(([name]) => !(name in columns))
  return {
    columns: Object.fromEntries(given.filter(([name]) => name in columns)),
    fields: Object.fromEntries(inFields.filter(([, value]) => value !== null)),
    removed: inFields.filter(([, value]) => value === null).map(([name]) => name),
  }
}

/** The same columns in every row, for one statement over all of them. */
function columnsOfAll(kind: string, rows: readonly Split[]): string[] {
  const names = Object.keys(rows[0]!.columns)
  const differs = (row: Split) =>
    Object.keys(row.columns).length !== names.length || names.some(n => !(n in row.columns))
  if (rows.some(differs)) throw new Error(`${kind}: rows that are patched together name the same columns`)
  return names
}

/** `, column = k.column` for each, and the record set's shape behind it. */
const assignments = (tx: Tx, names: readonly string[], types: Readonly<Record<string, string>>) => ({
  set: tx.unsafe(names.map(name => `, ${storedColumn(name)} = k."${name}"`).join('')),
  shape: tx.unsafe(names.map(name => `, "${name}" ${types[name]}`).join('')),
})

const counted = (tx: Tx, recorded: Recorded): Fragment =>
  recorded === 'withAction' || recorded === 'derived' ? tx`` : tx`, version = d.version + 1`

/** Writes named header fields of one document: real columns or the kind's own fields. */
export const patchDocument = (
  tx: Tx,
  session: Session,
  { id, kind }: DocumentKey,
  values: Values,
  recorded: Recorded,
): Promise<void> => patchDocuments(tx, session, kind, [{ id, values }], recorded)

/**
 * Writes named header fields of many documents of a kind, each with its own values: one statement, and one for the
 * history.
 */
export async function patchDocuments(
  tx: Tx,
  session: Session,
  kind: string,
  patches: readonly { readonly id: string; readonly values: Values }[],
  recorded: Recorded,
): Promise<void> {
  if (patches.length === 0) return
  const definition = definitionOf(kind)
  const own = { ...customHeaderFields(definition), ...notesOf(definition) }
  const parts = patches.map(({ values }) => split(kind, own, patchedHeader, values))
  const { set, shape } = assignments(tx, columnsOfAll(kind, parts), patchedHeader)
  const rows = parts.map(({ columns, fields, removed }, at) => ({ ...columns, id: patches[at]!.id, fields, removed }))
  await tx`
    update document d set fields = (d.fields - k.removed) || k.fields ${set} ${counted(tx, recorded)}
      from jsonb_to_recordset(${tx.json(rows)}) as k(id bigint, fields jsonb, removed text[] ${shape})
     where d.org_id = ${session.org.id} and d.kind = ${kind} and d.id = k.id`
  await notifyHistory(
    tx,
    session,
    patches.map(({ id }) => id),
    recorded,
  )
}

/** New values of one line. */
export type LinePatch = { readonly line_no: number; readonly values: Values }

/** Writes named fields of lines of one document, each line with its own values: one statement. */
export const patchLines = (
  tx: Tx,
  session: Session,
  { id, kind }: DocumentKey,
  patches: readonly LinePatch[],
  recorded: Recorded,
): Promise<void> =>
  patchLinesOfMany(
    tx,
    session,
    kind,
    patches.map(patch => ({ ...patch, id })),
    recorded,
  )

/** Writes named fields of lines of many documents of a kind: one statement, and what is recorded of each document. */
export async function patchLinesOfMany(
  tx: Tx,
  session: Session,
  kind: string,
  patches: readonly (LinePatch & { readonly id: string })[],
  recorded: Recorded,
): Promise<void> {
  if (patches.length === 0) return
  const definition = definitionOf(kind)
  const own = { ...customLineFields(definition), ...notesOf(definition) }
  const parts = patches.map(({ values }) => split(kind, own, patchedLine, values))
  const { set, shape } = assignments(tx, columnsOfAll(kind, parts), patchedLine)
  const rows = parts.map(({ columns, fields, removed }, at) => {
    const { id, line_no } = patches[at]!
    return { ...columns, of_document: id, of_line: line_no, fields, removed }
  })
  const recordSet = tx.unsafe('of_document bigint, of_line int, fields jsonb, removed text[]')
  await tx`
    update document_line l set fields = (l.fields - k.removed) || k.fields ${set}
      from jsonb_to_recordset(${tx.json(rows)}) as k(${recordSet} ${shape})
     where l.org_id = ${session.org.id} and l.document_id = k.of_document and l.line_no = k.of_line`
  await countVersion(tx, session, [...new Set(patches.map(({ id }) => id))], recorded)
}

/** Writes the sums of headers anew from their present lines: one statement for any number of documents. */
export async function sumLines(
  tx: Tx,
  session: Session,
  documents: readonly string[],
  recorded: Recorded,
): Promise<void> {
  if (documents.length === 0) return
  const org = session.org.id
  await tx`
    update document d set untaxed_amount = s.untaxed, tax_amount = s.tax, taxed_amount = s.taxed,
      total_quantity = s.quantity
           ${counted(tx, recorded)}
      from (select document_id, sum(untaxed_amount) as untaxed, sum(tax_amount) as tax, sum(taxed_amount) as taxed,
                   sum(base_quantity) as quantity
              from document_line where org_id = ${org} and document_id = any(${[...documents]}::bigint[]) group by 1) s
     where d.org_id = ${org} and d.id = s.document_id`
  await notifyHistory(tx, session, documents, recorded)
}

/** Counts the version of documents whose lines, or records beside them, changed without a change of the header. */
export async function countVersion(
  tx: Tx,
  session: Session,
  documents: readonly string[],
  recorded: Recorded,
): Promise<void> {
  if (documents.length === 0 || recorded === 'withAction' || recorded === 'derived') return
  await tx`
    update document d set version = d.version + 1
      where d.org_id = ${session.org.id} and d.id = any(${[...documents]}::bigint[])`
  await notifyHistory(tx, session, documents, recorded)
}

async function notifyHistory(
  tx: Tx,
  session: Session,
  documents: readonly string[],
  recorded: Recorded,
): Promise<void> {
  if (typeof recorded === 'string') return
  const { action, label, reason = null, state = null } = recorded
  const [only, ...others] = documents
  if (others.length > 0) return void (await writeHistoryOfMany(tx, session, documents, { action, label, reason }))
  await writeHistory(tx, session, only!, { action, label, from: state, to: state, reason })
}
