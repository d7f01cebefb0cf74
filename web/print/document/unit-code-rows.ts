import type { PrintColumn } from '#kernel/print/print-definition.ts'
import type { Row } from '#web/fields/field-renderer.ts'

/** Serial codes of a line. */
export const codesOf = (line: Row): readonly string[] =>
  Array.isArray(line.unit_codes) ? line.unit_codes.map(String) : []

/** Serial codes of a line printed below it, and the number that is only on the list. */
export function codesBelow(line: Row, most: number): { readonly shown: readonly string[]; readonly rest: number } {
  const codes = codesOf(line)
  return { shown: codes.slice(0, most), rest: Math.max(0, codes.length - most) }
}

/** Codes per row of the list: more would not fit on a page. */
const IN_A_ROW = 12

/** The code list of a document: all codes of the lines that have more than fit below them. */
export const codeRows = (lines: readonly Row[], most: number | undefined): readonly Row[] =>
  lines.flatMap((line, at) => {
    const codes = codesOf(line)
    if (most === undefined || codes.length <= most) return []
    return Array.from({ length: Math.ceil(codes.length / IN_A_ROW) }, (_, row) => ({
      ...line,
      line_at: at + 1,
      codes: codes.slice(row * IN_A_ROW, (row + 1) * IN_A_ROW).join('　'),
    }))
  })

/** Its columns. */
export const codeColumns: readonly PrintColumn[] = [
  { name: 'line_at', label: '明细行', share: 7, as: 'number' },
  { name: 'product_name', label: '产品名称', share: 22 },
  { name: 'specification_name', label: '规格型号', share: 16 },
  { name: 'lot_no', label: '批号', share: 14 },
  { name: 'codes', label: '序列号/院内码', share: 60 },
]
