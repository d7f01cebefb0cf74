import { hasSmallLetters } from '#kernel/values/lot-no.ts'
import type { Tx } from '#server/database/transaction.ts'
import type { Sql } from 'postgres'

/** A lot as it was typed, scanned or read. */
export type NamedLot = { readonly specification_sn: string; readonly lot_no: string }
/** A lot as it is stored: its number may differ from the one asked for where it was stored in capitals. */
export type KnownLot = { readonly id: string; readonly lot_no: string }

export const lotName = ({ specification_sn, lot_no }: NamedLot): string => `${specification_sn}/${lot_no}`

/** The lots that these names mean, by `lotName`; those that nobody wrote down yet are missing. One statement. */
export async function knownLots(sql: Sql | Tx, named: readonly NamedLot[]): Promise<ReadonlyMap<string, KnownLot>> {
  if (named.length === 0) return new Map()
  const asked = [...new Map(named.map(lot => [lotName(lot), lot])).values()]
  const rows = await (sql as Tx)<(NamedLot & { id: string; stands_as: string })[]>`
    select k.specification_sn, k.lot_no, t.id, t.lot_no as stands_as
      from jsonb_to_recordset(${sql.json(asked)}) as k(specification_sn bigint, lot_no text)
     cross join lateral known_lot(k.specification_sn, k.lot_no) t`
  return new Map(rows.map(row => [lotName(row), { id: row.id, lot_no: row.stands_as }]))
}

/** The fields in which rows name a lot of their specification. */
const lotFields = ['lot_no', 'new_lot_no'] as const
type Row = Readonly<Record<string, unknown>>

const namesOf = (row: Row): NamedLot[] =>
  lotFields.flatMap(field => {
    const [specification, lot_no] = [row.specification_sn, row[field]]
    const isOpen = specification && typeof lot_no === 'string' && hasSmallLetters(lot_no)
    return isOpen ? [{ specification_sn: String(specification), lot_no }] : []
  })

/**
 * Rows with the lot numbers under which their lots are stored: later code compares numbers. Numbers without small
 * letters have one form only, and are not looked up.
 */
export async function withKnownLots<R extends Row>(tx: Tx, rows: readonly R[]): Promise<R[]> {
  const known = await knownLots(tx, rows.flatMap(namesOf))
  if (known.size === 0) return [...rows]
  return rows.map(row => {
    const numbers = lotFields.flatMap(field => {
      const lot = known.get(`${String(row.specification_sn)}/${String(row[field])}`)
      return lot ? [[field, lot.lot_no] as const] : []
    })
    return { ...row, ...Object.fromEntries(numbers) }
  })
}

/**
 * The values sent for a row, with the lot written as we keep it. Values that are not sent, as the specification, come
 * from the row.
 */
export async function withKnownLot(tx: Tx, sent: Row, row: Row = {}): Promise<Row> {
  const [known] = await withKnownLots(tx, [{ ...row, ...sent }])
  return Object.fromEntries(Object.keys(sent).map(name => [name, known![name]]))
}
