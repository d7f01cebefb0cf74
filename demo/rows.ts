import type { TransactionSql } from 'postgres'

/** As many new ids as there are codes, one per code. */
export async function newIds(tx: TransactionSql, codes: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx<
    { id: string }[]
  >`select nextval('reference_id_seq') as id from generate_series(1, ${codes.length})`
  return new Map(codes.map((code, index) => [code, rows[index]?.id ?? '0']))
}

type Column = string | number | boolean | null | readonly string[]
export type TableRow = Readonly<Record<string, Column>>

/** Inserts many rows into one table, a thousand per statement. All rows name the same columns. */
export async function insertRows(tx: TransactionSql, table: string, rows: readonly TableRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 1000) {
    // The driver's helper is typed for mutable plain values only.
    await tx`insert into ${tx(table)} ${tx(rows.slice(from, from + 1000) as unknown as Record<string, string>[])}`
  }
}

/** The id for a code that must be known. */
export function idOf(map: ReadonlyMap<string, string>, code: string | null | undefined): string {
  const id = map.get(code ?? '')
  if (!id) throw new Error(`the demo data names ${code}, which it does not have`)
  return id
}
/** The id for a code that may be missing. */
export const idOrNull = (map: ReadonlyMap<string, string>, code: string | null | undefined): string | null =>
  code ? idOf(map, code) : null
