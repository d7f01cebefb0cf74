import { type Decimal, isPositive, least, subtract } from '#kernel/values/decimal.ts'

/** The rest of a line of an earlier document, as the database returns it. */
export type OpenRow = {
  readonly sn: string
  readonly line_no: number
  readonly lot_id: string
  readonly left: Decimal
  /** The pieces of the line, if its goods are managed piece by piece. */
  readonly unit_codes?: readonly string[]
  /** A line that was written in packs: its size, and its price for one piece. */
  readonly in_packs?: { readonly specification_sn: string; readonly price: Decimal } | null
}

type Asked = { readonly lot_id: string | null; readonly quantity: Decimal; readonly codes?: readonly string[] }
/** A line of a document that is made from an earlier one. */
type SourcedLine = {
  readonly source_line_no: number
  readonly quantity: Decimal
  readonly unit_codes?: readonly string[]
}

/**
 * Divides goods by lot among the open lines of earlier documents, in their order, and pieces to the line that has them;
 * the result is by number of the earlier document. Goods that no line has open are in no part.
 */
export function splitBySource(asked: readonly Asked[], open: readonly OpenRow[]): Map<string, SourcedLine[]> {
  const rows = open.map(row => ({ ...row }))
  const parts = asked.flatMap(({ lot_id, quantity, codes = [] }) => {
    let rest = quantity
    return rows.flatMap(row => {
      if (row.lot_id !== lot_id || !isPositive(row.left) || !isPositive(rest)) return []
      const named = codes.filter(code => row.unit_codes?.includes(code))
      const taken = least(row.left, rest, ...(codes.length > 0 ? [`${named.length}.000`] : []))
      if (!isPositive(taken)) return []
      row.left = subtract(row.left, taken, 3)
      rest = subtract(rest, taken, 3)
      const unit = row.in_packs ? { unit_inner_sn: row.in_packs.specification_sn, price: row.in_packs.price } : {}
      return [
        {
          sn: row.sn,
          line: {
            source_line_no: row.line_no,
            quantity: taken,
            ...(named.length > 0 ? { unit_codes: named } : {}),
            ...unit,
          },
        },
      ]
    })
  })
  return new Map(
    [...Map.groupBy(parts, part => part.sn)].map(([sn, group]) => [sn, group.map(part => part.line)] as const),
  )
}
