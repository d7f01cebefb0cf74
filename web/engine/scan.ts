import type { Row } from '#web/fields/face.ts'
import { post } from '#web/engine/request.ts'

/** What the server reads out of a scanned string. */
export type Scanned = {
  readonly kind: string
  readonly text: string
  readonly di: string | null
  readonly lot: string | null
  readonly serial: string | null
  readonly productionDate: string | null
  readonly expiryDate: string | null
  readonly elements: readonly { readonly ai: string; readonly label: string; readonly value: string }[]
  readonly warnings: readonly string[]
  readonly specification: Row | null
}

const textOr = (row: Row, ...names: readonly string[]): string | null => {
  const found = names.map(name => row[name]).find(value => typeof value === 'string' && value !== '')
  return (found as string | undefined) ?? null
}

export function readScan(info: Row): Scanned {
  return {
    kind: String(info.kind ?? ''), text: String(info.text ?? info.raw ?? ''), di: textOr(info, 'di'), lot: textOr(info, 'lot', 'lot_no'), serial: textOr(info, 'serial'),
    productionDate: textOr(info, 'production_date', 'productionDate'), expiryDate: textOr(info, 'expiry_date', 'expiryDate'),
    elements: (info.elements ?? []) as Scanned['elements'], warnings: (info.warnings ?? []) as readonly string[], specification: (info.specification ?? null) as Row | null,
  }
}

/** Asks what a scan says. Refused codes come back as the call's failure with the parser's sentence. */
export const parseScan = async (code: string): Promise<Scanned> => readScan((await post<Row>('/v1/code/parse', { code })).info)
