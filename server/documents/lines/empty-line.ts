import type { LineInput } from '#server/documents/lines/complete.ts'
import { withoutRest } from '#server/documents/lines/rest-amounts.ts'
import type { StoredLine } from '#server/documents/repository/document.ts'

/** A line that counts nothing: a specification to be approved, a licence read from its scan. */
export function emptyLine(line: LineInput, numbers: () => number): StoredLine {
  return {
    ...withoutRest(line),
    line_no: typeof line.line_no === 'number' ? line.line_no : numbers(),
    quantity: '0.000',
    base_quantity: '0.000',
    price: '0.0000',
    tax_rate: 0,
    untaxed_amount: '0.00',
    tax_amount: '0.00',
    taxed_amount: '0.00',
    unit_codes: [],
  } as unknown as StoredLine
}
