import { readFileSync } from 'node:fs'
import path from 'node:path'
import { addDays, type Day, daysBetween, today } from '#kernel/values/date.ts'

/** The day on which the demo data was written; everything time-critical in it is dated around this day. */
const ANCHOR = '2026-11-21' as Day
const DATED = /(_date|_on|_from|_to)$|^valid_|^maintenance_until$/
const NOT_DATED = new Set(['birth_date'])
const DAY = /^\d{4}-\d{2}-\d{2}$/

export type TableName =
  | 'organisations'
  | 'relations'
  | 'licences'
  | 'departments'
  | 'employees'
  | 'warehouses'
  | 'products'
  | 'specifications'
  | 'registration_certificates'
  | 'price_agreements'
  | 'hospital_products'
  | 'patients'
  | 'surgeries'
  | 'surgery_items'
  | 'consumption_profile'
  | 'fixed_packs'
  | 'trades'

/** A row of a demo table: every value is text, null where the cell is empty. */
export type DemoRow = Readonly<Record<string, string | null>>

/** Days by which the demo's calendar is shifted, so that its warnings are current on the load day. */
export const shiftDays = (): number => daysBetween(ANCHOR, today())

/** Reads a demo table with its dates moved to the present. */
export function demoTable(name: TableName): DemoRow[] {
  const [head = '', ...lines] = readFileSync(path.join(import.meta.dirname, 'data', `${name}.tsv`), 'utf8')
    .trimEnd()
    .split(/\r?\n/)
  const names = head.split('\t')
  const days = shiftDays()
  return lines.map(line => {
    const cells = line.split('\t')
    return Object.fromEntries(names.map((column, index) => [column, valueOf(column, cells[index] ?? '', days)]))
  })
}

function valueOf(column: string, cell: string, days: number): string | null {
  if (cell === '') return null
  return DATED.test(column) && !NOT_DATED.has(column) && DAY.test(cell) ? addDays(cell as Day, days) : cell
}
