import { wholePieces } from '#kernel/values/decimal.ts'
import { expect, it } from 'vitest'
import { parseCode } from '#kernel/codes/parse-code.ts'
import type { Scanned } from '#web/engine/parse-scan.ts'
import { documentOf } from '#kernel/registry.ts'
import { linesAfter } from '#web/scan/apply-to-document.ts'
import { type Entry, type Expected, tallied } from '#web/scan/tally.ts'

const DI = '06901234567892'
const goods = { specification_sn: '7', product_name: '球囊', specification_name: '2.5mm', unit_name: '根', measure: 1 }
const read = (code: string, place: Scanned['place'] = null): Scanned => ({
  parsed: parseCode(code, { today: '2026-06-01' }),
  specification: place === null ? goods : null,
  unit: null,
  lot: null,
  place,
})
const at = (code: string, ...warehouse_sns: string[]) => read(code, { code, warehouse_sns })
const entries = (...codes: (string | Scanned)[]): Entry[] =>
  codes.map((code, no) => ({ id: String(no), code: String(no), read: typeof code === 'string' ? read(code) : code }))
const line = (more: Partial<Expected>): Expected => ({
  at: 0,
  specification_sn: '7',
  name: '球囊 2.5mm',
  unit: '根',
  lot_no: null,
  expiry_date: null,
  codes: [],
  quantity: '3',
  ...more,
})
const free = { isList: false, beyond: false }
const list = { isList: true, beyond: false }
const last = (tally: ReturnType<typeof tallied>) => tally.marks.at(-1)

it('assigns goods to the location scanned before them, in a warehouse of the document', () => {
  const rules = { ...free, store: '5' }
  const scans = entries(
    at('A-01-01-01', '5'),
    `(01)${DI}(10)A`,
    at('A-01-01-02', '5', '6'),
    `(01)${DI}(10)A`,
    `(01)${DI}(10)A`,
  )
  const tally = tallied([], scans, rules)
  expect(tally.rows.map(row => [row.location, row.lot_no, wholePieces(row.quantity)])).toEqual([
    ['A-01-01-01', 'A', 1],
    ['A-01-01-02', 'A', 2],
  ])
  expect(tally.marks[0]?.sentence).toBe('当前货位：A-01-01-01')
  expect(last(tallied([], entries(at('B-01-01-01', '9')), rules))?.sentence).toBe('货位B-01-01-01不在本单的仓库')
  expect(last(tallied([], entries(at('B-01-01-01', '5')), free))?.sentence).toBe('本单不按货位记录：B-01-01-01')
  // With one lot in two locations, the line of the scanned location is ticked off first.
  const two = [line({ location: 'A-01-01-01', quantity: '3' }), line({ at: 1, location: 'A-01-01-02', quantity: '3' })]
  const picked = tallied(two, entries(at('A-01-01-02', '5'), DI), { ...list, store: '5' })
  expect(picked.rows.map(row => row.at)).toEqual([1])
  const grn = documentOf('purchaseGrn')!
  const written = linesAfter(grn, [], tally.rows, rules)
  expect(written.map(each => [each.location, each.quantity])).toEqual([
    ['A-01-01-01', '1'],
    ['A-01-01-02', '2'],
  ])
})
