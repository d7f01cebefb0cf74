import type { AnyDocument } from '#kernel/definition/document.ts'
import { totalAmounts } from '#kernel/values/tax-amounts.ts'
import { isPackCode } from '#kernel/codes/pack-code.ts'
import { type Decimal, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import {
  headerColumns,
  lineColumns,
  customHeaderFields,
  customLineFields,
  storedColumn,
  type StoredLine,
} from '#server/documents/repository/document.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { serialsByCode } from '#server/ledger/trace.ts'

/** Header values under wire names, complete. */
export type HeaderValues = Readonly<Record<string, unknown>>

const recordSet = Object.entries(lineColumns)
  .map(([name, type]) => `"${name}" ${type}`)
  .join(', ')
const lineTarget = Object.keys(lineColumns).map(storedColumn).join(', ')
const lineSource = Object.keys(lineColumns)
  .map(name => {
    if (name === 'unit_codes') return `coalesce(l."unit_codes", '{}')`
    return `l."${name}"`
  })
  .join(', ')

const pick = (names: Iterable<string>, row: Readonly<Record<string, unknown>>) => {
  const picked: Record<string, unknown> = {}
  for (const name of names) if (row[name] !== null && row[name] !== undefined) picked[name] = row[name]
  return picked
}

/** The header's sums of its lines. */
export const totalsOfLines = (lines: readonly StoredLine[]) => ({
  ...totalAmounts(lines),
  line_count: lines.length,
  total_quantity: sum(
    lines.map(line => line.base_quantity),
    3,
  ),
})

/** The highest line number; numbers of deleted lines are never reused. */
const lastLine = (lines: readonly StoredLine[]): number => lines.reduce((most, line) => Math.max(most, line.line_no), 0)

export type NewDocument = {
  readonly sn: string
  readonly state: string
  readonly role?: 'own' | 'counterparty'
  readonly from?: string
  readonly createdBy: string | null
  readonly sourceDocument?: string | null
  readonly redOf?: string | null
}

/** Inserts a new document: two statements, regardless of the number of lines. Returns its id. */
export async function insertDocument(
  tx: Tx,
  org: string,
  definition: AnyDocument,
  doc: NewDocument,
  header: HeaderValues,
  lines: readonly StoredLine[],
): Promise<string> {
  const total = totalsOfLines(lines)
  const text = (name: keyof typeof headerColumns) => (header[name] ?? null) as string | null
  const [row] = await tx<{ id: string }[]>`
    insert into document (org_id, kind, sn, role, from_org_id, state, counterparty_id, warehouse_id, to_warehouse_id,
      department_id, handler_id,
      business_date, regime, source_type, source_sn, source_org_id, source_document_id, red_of_id, last_line_no,
      untaxed_amount, tax_amount, taxed_amount, line_count, total_quantity, remark, attachments, fields, created_by)
    values (${org}, ${definition.kind}, ${doc.sn}, ${doc.role ?? 'own'}, ${doc.from ?? org}, ${doc.state},
      ${text('counterparty_sn')},
      ${text('warehouse_model_inner_sn')}, ${text('to_warehouse_model_inner_sn')}, ${text('department_inner_sn')},
        ${text('handler_inner_sn')},
      ${text('business_date')}, ${text('regime')}, ${parseInteger(header.source_type ?? 0)}, ${text('source_sn')},
        ${text('source_org_sn')},
      ${doc.sourceDocument ?? null}, ${doc.redOf ?? null}, ${lastLine(lines)},
      ${total.untaxed_amount}, ${total.tax_amount}, ${total.taxed_amount}, ${total.line_count}, ${total.total_quantity},
      ${text('remark')}, ${(header.attachments ?? []) as string[]}::text[],
      ${tx.json(pick(Object.keys(customHeaderFields(definition)), header))}, ${doc.createdBy})
    returning id`
  await insertLines(tx, org, definition, row!.id, lines)
  return row!.id
}

/**
 * The quantities that the codes of lines count, where some are packs. This takes one statement more, only in that case.
 */
async function codedQuantities(
  tx: Tx,
  org: string,
  lines: readonly StoredLine[],
): Promise<ReadonlyMap<StoredLine, Decimal>> {
  const packed = lines.filter(line => line.unit_codes.some(isPackCode))
  if (packed.length === 0) return new Map()
  const known = await serialsByCode(
    tx,
    org,
    packed.flatMap(line => line.unit_codes),
  )
  const quantityOf = (line: StoredLine) =>
    sum(
      line.unit_codes.map(code => known.get(code)!.quantity),
      3,
    )
  return new Map(
    packed.flatMap((line): (readonly [StoredLine, Decimal])[] => {
      if (line.unit_codes.every(code => known.get(code)?.holder_org_id === org)) return [[line, quantityOf(line)]]
      // Packs that are made by this very document hold what its line says.
      return line.unit_codes.some(code => known.has(code)) ? [] : [[line, line.base_quantity]]
    }),
  )
}

/** Inserts lines from one array, linked to the stored document. */
export async function insertLines(
  tx: Tx,
  org: string,
  definition: AnyDocument,
  document: string,
  lines: readonly StoredLine[],
): Promise<void> {
  if (lines.length === 0) return
  const seen = new Set<number>()
  const twice = lines.find(line => seen.has(line.line_no) || !seen.add(line.line_no))
  if (twice) throw new BusinessError('invalid', `第${twice.line_no}行重复，请刷新后重试`)
  const own = Object.keys(customLineFields(definition))
  const coded = await codedQuantities(tx, org, lines)
  const rows = lines.map(line => ({
    ...pick(Object.keys(lineColumns), line),
    coded_quantity: coded.get(line) ?? null,
    fields: pick(own, line),
  }))
  await tx`
    insert into document_line (org_id, document_id, ${tx.unsafe(lineTarget)}, coded_quantity, fields)
    select d.org_id, d.id, ${tx.unsafe(lineSource)}, l.coded_quantity, l.fields
      from document d cross
        join jsonb_to_recordset(${tx.json(rows)}) as l(${tx.unsafe(recordSet)},
          coded_quantity numeric, fields jsonb)
     where d.org_id = ${org} and d.id = ${document}`
}

/** The role of a change: it writes the document, or only decides how much of another's request is approved. */
export type EditedAs = 'author' | 'reviewer'

/**
 * Replaces a document's header and lines. A user who changes it as an author is one of its authors from then on, and
 * may not approve it; the system's own changes name nobody.
 */
export async function updateDocument(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  document: string,
  header: HeaderValues,
  lines: readonly StoredLine[],
  editedAs: EditedAs,
): Promise<number> {
  const org = session.org.id
  const isAuthor = editedAs === 'author' && session.userId !== '0'
  const author = isAuthor ? [session.userId] : []
  const total = totalsOfLines(lines)
  const text = (name: keyof typeof headerColumns) => (header[name] ?? null) as string | null
  const [row] = await tx<{ version: number }[]>`
    update document set version = version + 1, touched = true,
      former_authors = array(select distinct x from unnest(former_authors || ${author}::bigint[]) x order by x),
      counterparty_id = ${text('counterparty_sn')}, warehouse_id = ${text('warehouse_model_inner_sn')},
        to_warehouse_id = ${text('to_warehouse_model_inner_sn')},
      department_id = ${text('department_inner_sn')}, handler_id = ${text('handler_inner_sn')},
        business_date = ${text('business_date')}, regime = ${text('regime')},
      source_type = ${parseInteger(header.source_type ?? 0)}, source_sn = ${text('source_sn')},
        source_org_id = ${text('source_org_sn')}, source_document_id = ${text('source_document_id' as never)},
      untaxed_amount = ${total.untaxed_amount}, tax_amount = ${total.tax_amount}, taxed_amount = ${total.taxed_amount},
      line_count = ${total.line_count}, last_line_no = greatest(last_line_no, ${lastLine(lines)}),
        total_quantity = ${total.total_quantity}, remark = ${text('remark')},
        attachments = ${(header.attachments ?? []) as string[]}::text[],
      fields = ${tx.json(pick(Object.keys(customHeaderFields(definition)), header))}
     where org_id = ${org} and id = ${document} returning version`
  await replaceLines(tx, org, definition, document, lines)
  return row!.version
}

/** Replaces all lines of a document that nothing has been made from yet. */
export async function replaceLines(
  tx: Tx,
  org: string,
  definition: AnyDocument,
  document: string,
  lines: readonly StoredLine[],
): Promise<void> {
  await tx`delete from document_line where org_id = ${org} and document_id = ${document}`
  await insertLines(tx, org, definition, document, lines)
}
