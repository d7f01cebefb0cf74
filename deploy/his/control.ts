import { instant } from '#kernel/values/date.ts'
import type { Books } from './books.ts'
import { type Faults, switchFaults } from './faults.ts'
import type { WrittenCount } from './laboratory.ts'
import type { Answer, Asked } from './server.ts'

const json = (status: number, value: object): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
})

/** The key of each kind of rows that a test or an operator may write by hand. */
const keys = {
  patients: 'patient_no',
  visits: 'visit_no',
  operations: 'surgery_no',
  staff: 'staff_no',
  departments: 'department_code',
  items: 'item_code',
  charges: 'charge_no',
  receipts: 'receipt_no',
  tests: 'code',
} as const
type Lists = Books & { readonly tests: readonly WrittenCount[] }
type List = keyof typeof keys
const isList = (name: string): name is List => name in keys

/**
 * Controls that no HIS has: faults are switched on (`POST /control/faults`), and rows written as if a clerk of the
 * hospital had (`POST /control/<list>`: a row with a known key changes the named fields, another is added as it is).
 */
export function control(books: Lists, faults: Faults, { method, path, body }: Asked): Answer {
  if (method === 'GET')
    return json(200, {
      faults,
      counts: Object.fromEntries(Object.keys(keys).map(name => [name, books[name as List].length])),
    })
  try {
    const wanted = JSON.parse(body) as Record<string, unknown>
    if (path === 'faults') switchFaults(faults, wanted)
    else if (isList(path)) writeRow(books[path] as unknown as Record<string, unknown>[], keys[path], wanted)
    else return json(404, { msg: `没有${path}` })
    return json(200, { faults })
  } catch (error) {
    return json(400, { msg: error instanceof Error ? error.message : String(error) })
  }
}

function writeRow(rows: Record<string, unknown>[], key: string, wanted: Record<string, unknown>): void {
  const index = rows.findIndex(row => row[key] === wanted[key])
  const changed = { updated_at: instant(), ...wanted }
  if (index < 0) rows.push(changed)
  else rows[index] = { ...rows[index], ...changed }
}
