import type { PrintCopy, PrintSheet, Printed } from '#kernel/print/print-definition.ts'

type Lines = readonly Printed[]

/** Fields of a document that every sheet prints beside its declared facts: title, state, organisation, print marks. */
const OF_DOCUMENT = [
  'kind',
  'sn',
  'title',
  'sheet_title',
  'state',
  'role',
  'red',
  'red_of_sn',
  'org_name',
  'package_count',
  'printed_by',
  'printed_at',
  'times_printed',
]

/** Fields of a line that the layout needs: the line's number, and how it is drawn. */
const OF_LINE = ['line_no', 'is_cold_chain', 'needs_two', 'struck', 'strong']
/** Codes that do not fit below a line stand on an attached list, with these. */
const ON_CODE_LIST = ['unit_codes', 'product_name', 'specification_name', 'lot_no']

const only = (row: Printed, names: readonly string[]): Printed =>
  Object.fromEntries(names.flatMap(name => (row[name] === undefined ? [] : [[name, row[name]]])))

/** The fields of a line that a copy shows, or by which it orders and groups its lines. */
const lineNames = ({ groupBy, codesBelow }: PrintSheet, { columns, sortBy }: PrintCopy): readonly string[] => [
  ...OF_LINE,
  sortBy,
  ...(groupBy === undefined ? [] : [groupBy]),
  ...columns.map(({ name }) => name),
  ...(codesBelow === undefined && columns.every(({ as }) => as !== 'code') ? [] : ON_CODE_LIST),
]

/** The fields of a document that a copy shows; those of cold-chain transport where one of its lines is such goods. */
function headNames({ header, coldChain = [], totals = [] }: PrintSheet, { leaves = [] }: PrintCopy, lines: Lines) {
  const isCold = lines.some(line => line.is_cold_chain === true)
  const facts = [...header, ...(isCold ? coldChain : []), ...totals].map(([, name]) => name)
  return [...OF_DOCUMENT, ...facts, 'signatures'].filter(name => !leaves.includes(name))
}

/** The lines of a document as its copies have them: all on one, or those of each reader on one of his own. */
function partsOf({ per }: PrintCopy, lines: Lines): readonly Lines[] {
  if (per === undefined) return [lines]
  const known = lines.filter(line => (line[per] ?? null) !== null)
  return [...Map.groupBy(known, line => line[per]).values()]
}

/**
 * A printed document as a copy of it leaves the server: only the facts, columns and lines that the copy shows; where it
 * is `per` reader one for each of them, none if there is no reader. `totals` are computed from the lines of each.
 */
export const copiesOf = (
  sheet: PrintSheet,
  copy: PrintCopy,
  info: Printed,
  totals: (part: Printed) => Printed = () => ({}),
): readonly Printed[] =>
  partsOf(copy, (info.lines ?? []) as Lines).map(lines => {
    const part = { ...info, lines }
    return {
      ...only({ ...part, ...totals(part) }, headNames(sheet, copy, lines)),
      lines: lines.map(line => only(line, lineNames(sheet, copy))),
    }
  })
