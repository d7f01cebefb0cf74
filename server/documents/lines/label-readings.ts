import { canonicalCode } from '#kernel/codes/canonical-code.ts'
import { parseCode } from '#kernel/codes/parse-code.ts'
import { today } from '#kernel/values/date.ts'
import { lotForm } from '#kernel/values/lot-no.ts'
import { serialCodes } from '#server/documents/allocation/serial-codes.ts'
import type { LineInput } from '#server/documents/lines/complete.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The data that a label prints of a piece besides its identity. */
export type LabelReading = {
  readonly bare: string
  readonly lot_no: string | null
  readonly production_date: string | null
  readonly expiry_date: string | null
}

function readingOf(text: string): LabelReading[] {
  const code = parseCode(text, { today: today() })
  if (!code.ok || !code.di || !code.serial || code.candidates) return []
  if (code.lot === null && code.productionDate === null && code.expiryDate === null) return []
  const { lot, productionDate, expiryDate } = code
  const lot_no = lot === null ? null : lotForm(lot)
  return [{ bare: canonicalCode(text, today()).bare, lot_no, production_date: productionDate, expiry_date: expiryDate }]
}

/** Keeps what the scanned labels of pieces say before the lines keep their identity alone. One statement at most. */
export async function keepReadings(tx: Tx, org: string, lines: readonly LineInput[]): Promise<void> {
  const readings = [
    ...new Map(
      lines
        .flatMap(serialCodes)
        .flatMap(readingOf)
        .map(one => [one.bare, one]),
    ).values(),
  ].toSorted((a, b) => a.bare.localeCompare(b.bare))
  if (readings.length === 0) return
  await tx`
    insert into label_reading (org_id, bare, lot_no, production_date, expiry_date)
    select ${org}, r.bare, r.lot_no, r.production_date, r.expiry_date
      from jsonb_to_recordset(${tx.json(readings)}) as r(bare text, lot_no text,
        production_date date, expiry_date date)
    on conflict (org_id, bare) do update set lot_no = excluded.lot_no, production_date = excluded.production_date,
      expiry_date = excluded.expiry_date, read_at = excluded.read_at`
}

export const readingsOf = (tx: Tx, org: string, codes: readonly string[]) => tx<LabelReading[]>`
  select bare, lot_no, production_date::text as production_date, expiry_date::text as expiry_date from label_reading
   where org_id = ${org} and bare = any(${codes as string[]})`
