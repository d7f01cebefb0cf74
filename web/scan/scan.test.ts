import { wholePieces } from '#kernel/values/decimal.ts'
import { describe, expect, it } from 'vitest'
import { parseCode } from '#kernel/codes/parse-code.ts'
import { CallFailure } from '#web/engine/http/request-error.ts'
import type { Scanned } from '#web/engine/parse-scan.ts'
import { createLines } from '#web/grid/lines.ts'
import { documentOf } from '#kernel/registry.ts'
import { expectedOf, linesAfter, rulesFor } from '#web/scan/apply-to-document.ts'
import { ownPlace } from '#web/scan/windows.ts'
import { createScanStore, hasScans } from '#web/scan/scan-store.ts'
import { type Entry, type Expected, tallied } from '#web/scan/tally.ts'
import { createWedge, type Press } from '#web/scan/wedge.ts'

const DI = '06901234567892'
const BOX = '16901234567899'
const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  code: '',
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...more,
})

describe('a keyboard scanner', () => {
  const typed = (presses: readonly Press[]) => {
    const wedge = createWedge()
    return presses.map(each => wedge.press(each)).flatMap(done => (done.is === 'code' ? [done.code] : []))
  }
  it('ends a code with Enter or Tab, and an Enter on its own is no scan', () => {
    expect(
      typed([...'AB1'].map(key => press(key)).concat(press('Enter'), press('Enter'), press('7'), press('Tab'))),
    ).toEqual(['AB1', '7'])
  })

  it('is read through a Chinese input method, which swallows characters but not key codes', () => {
    const swallowed = (code: string, shiftKey = false) => press('Process', { code, shiftKey, isComposing: true })
    const keys = ['BracketRight', 'KeyD', 'Digit2', 'Digit0', 'Digit1', 'KeyL'].map(code => swallowed(code))
    const all = [...keys, swallowed('KeyX', true), swallowed('Digit9', true), swallowed('Minus'), swallowed('Enter')]
    expect(typed(all)).toEqual([']d201lX(-'])
  })

  it('is read with Caps Lock on: capitals for which it presses Shift arrive small', () => {
    const locked = (key: string, shiftKey: boolean) => press(key, { shiftKey, getModifierState: () => true })
    const lot = [...'01'].map(key => locked(key, false)).concat(locked('l', true), locked('T', false))
    expect(typed([...lot, press('Enter')])).toEqual(['01Lt'])
    const byHand = [locked('A', false), locked('1', false), press('Enter')]
    expect(typed(byHand)).toEqual(['A1'])
  })

  it('sends its separator in any of the usual ways, and Ctrl+S keeps its meaning', () => {
    const separators = [
      press('F8'),
      press(']', { ctrlKey: true }),
      press('\u001d', { ctrlKey: true, code: 'BracketRight' }),
    ]
    expect(typed([press('1'), ...separators, press('2'), press('Enter')])).toEqual(['1\u001d\u001d\u001d2'])
    expect(createWedge().press(press('s', { ctrlKey: true }))).toEqual({ is: 'other' })
    expect(createWedge().press(press('ArrowDown'))).toEqual({ is: 'other' })
  })

  it('may be a person: Backspace removes one character, Escape all', () => {
    expect(
      typed([
        press('A'),
        press('B'),
        press('Backspace'),
        press('C'),
        press('Enter'),
        press('X'),
        press('Escape'),
        press('Enter'),
      ]),
    ).toEqual(['AC'])
  })
})

const specification = {
  specification_sn: '7',
  product_name: '球囊',
  specification_name: '2.5mm',
  unit_name: '根',
  measure: 1,
}
/** The server's reply for a code. */
const read = (code: string, more: Partial<Scanned> = {}): Scanned => {
  const parsed = parseCode(code, { today: '2026-06-01' })
  const di = parsed.ok ? parsed.di : null
  const known = di === DI ? specification : di === BOX ? { ...specification, measure: 10 } : null
  return { parsed, specification: known, unit: null, lot: null, ...more }
}
const entries = (...codes: (string | Scanned)[]): Entry[] =>
  codes.map((code, at) => ({ id: String(at), code: String(at), read: typeof code === 'string' ? read(code) : code }))
const line = (more: Partial<Expected> = {}): Expected => ({
  at: 0,
  specification_sn: '7',
  name: '球囊 2.5mm',
  unit: '根',
  lot_no: null,
  expiry_date: null,
  codes: [],
  quantity: '12.000',
  ...more,
})
const list = { isList: true, beyond: false }
const free = { isList: false, beyond: false }
const figures = (tally: ReturnType<typeof tallied>) =>
  tally.rows.map(row => [row.at, row.lot_no, wholePieces(row.quantity)])
const last = (tally: ReturnType<typeof tallied>) => tally.marks.at(-1)

describe('a code whose separators are lost', () => {
  const open = `01${DI}1728123121S00000110L2405`
  it('waits until a person chooses one of its readings', () => {
    const tally = tallied([], entries(open), free)
    expect(figures(tally)).toEqual([])
    expect(last(tally)?.choices?.map(({ says }) => says)).toEqual([
      '有效期281231　序列号S00000110L2405',
      '有效期281231　序列号S000001　批号L2405',
    ])
    const chosen = tallied([], entries(last(tally)!.choices![1]!.code), free)
    expect(figures(chosen)).toEqual([[null, 'L2405', 1]])
    expect(chosen.rows[0]?.codes).toEqual([`(01)${DI}(17)281231(21)S000001(10)L2405`])
  })

  it('is the one that the list expects', () => {
    expect(figures(tallied([line({ lot_no: 'L2405' })], entries(open), list))).toEqual([[0, 'L2405', 1]])
  })

  it('is chosen once for all scans of the same code', async () => {
    const shelf = new Map<string, string>()
    const store = createScanStore({
      key: 'scans:1:x:new',
      shelf: {
        getItem: name => shelf.get(name) ?? null,
        setItem: (name, value) => void shelf.set(name, value),
        removeItem: name => void shelf.delete(name),
      },
      read: async code => read(code),
    })
    await store.scan(open)
    const { choices } = last(tallied([], store.state().entries, free))!
    await store.choose(open, choices![1]!.code)
    await store.scan(open)
    expect(store.state().entries.map(({ code }) => code)).toEqual([choices![1]!.code, choices![1]!.code])
  })

  it('may be the second symbol of a label: chosen in either order, it counts once', () => {
    const [product, second] = [`01${DI}`, ']C11728123110LOT12321SN456']
    const orders: readonly [string, string][] = [
      [product, second],
      [second, product],
    ]
    for (const codes of orders) {
      const asked = last(tallied([], entries(...codes), free))!
      expect(asked.choices?.map(({ of, says }) => [of, says])).toEqual([
        [String(codes.indexOf(second)), '有效期281231　批号LOT12321SN456'],
        [String(codes.indexOf(second)), '有效期281231　批号LOT123　序列号SN456'],
      ])
      const meant = codes.map(code => (code === second ? asked.choices![1]!.code : code))
      const chosen = tallied([], entries(...meant), free)
      expect(figures(chosen)).toEqual([[null, 'LOT123', 1]])
      expect(chosen.rows[0]?.codes).toEqual([`(01)${DI}(17)281231(10)LOT123(21)SN456`])
    }
  })

  it('that could be told apart says what to compare with the label', () => {
    expect(last(tallied([], entries(`01${DI}10LOT12317281231`), free))?.notes?.join()).toContain('请核对批号')
  })
})

describe('the result of scans', () => {
  it('counts the same label again as one more, and a box by its contents', () => {
    const tally = tallied([], entries(`(01)${DI}(10)A`, `(01)${DI}(10)A`, `(01)${BOX}(10)A`), free)
    expect(figures(tally)).toEqual([[null, 'A', 12]])
    expect(last(tally)?.sentence).toBe('球囊 2.5mm 批号A　12根')
  })

  it('combines the two symbols of one label, in either order, into one item', () => {
    expect(figures(tallied([], entries(`01${DI}`, '(17)280131(10)B2'), free))).toEqual([[null, 'B2', 1]])
    expect(figures(tallied([], entries('(17)280131(10)B2', `01${DI}`), free))).toEqual([[null, 'B2', 1]])
    const pairs = entries(DI, '(17)280131(10)B2', DI, '(17)280131(10)B2', DI)
    const tally = tallied([], pairs, free)
    expect(figures(tally)).toEqual(
      [
        [null, 'B2', 2],
        [null, null, 1],
      ].toReversed(),
    )
    expect(tally.rows.find(row => row.lot_no === 'B2')).toMatchObject({ expiry_date: '2028-01-31' })
    expect(tally.marks[1]?.sentence).toMatch(/^两个条码已合并：/)
  })

  it('tells lots apart by case, and takes one that is kept in capitals for its label', () => {
    const apart = tallied([line({ lot_no: 'AB1' })], entries(`(01)${DI}(10)ab1`), list)
    expect(last(apart)?.sentence).toBe('批号ab1不在本次清单内')
    const kept = read(`(01)${DI}(10)ab1`, { lot_nos: ['AB1'] })
    expect(figures(tallied([line({ lot_no: 'AB1' })], entries(kept), list))).toEqual([[0, 'AB1', 1]])
    const second = read('(17)280131(10)ab1', { lot_nos: ['ab1', 'AB1'] })
    for (const pair of [
      [DI, second],
      [second, DI],
    ]) {
      expect(figures(tallied([line({ lot_no: 'AB1' })], entries(...pair), list))).toEqual([[0, 'AB1', 1]])
      expect(figures(tallied([], entries(...pair), free))).toEqual([[null, 'ab1', 1]])
    }
  })

  it('tells at once that a lot is recalled or frozen, and counts no recalled goods where they may not go', () => {
    const label = `(01)${DI}(10)A`
    const recalled = read(label, { recall: { recall_sn: 'ZH1' } })
    const refused = tallied([], entries(label, recalled), { ...free, refusesRecalled: true })
    expect(figures(refused)).toEqual([[null, 'A', 1]])
    expect(last(refused)).toMatchObject({ tone: 'wrong', sentence: '批号A已召回（ZH1），未计入本单' })
    // A return to the supplier takes them, and says what they are.
    const returned = tallied([], entries(recalled), free)
    expect(figures(returned)).toEqual([[null, 'A', 1]])
    expect(last(returned)).toMatchObject({ tone: 'right', notes: ['批号A已召回（ZH1）'] })
    const frozen = tallied([], entries(read(label, { freezes: [{ reason: '包装破损' }] })), free)
    expect(last(frozen)?.notes).toEqual(['批号A已冻结：包装破损'])
  })

  it('tells of a label of two symbols what holds its lot, whichever is read first', () => {
    const held = { specification_sn: '7', lot_no: 'A', recall_sn: null, stopped: false, freezes: [], expired_on: null }
    const second = (more: object) =>
      read('(17)280131(10)A', {
        held_lots: [
          { ...held, specification_sn: '8', recall_sn: 'ZH9' },
          { ...held, ...more },
        ],
      })
    const marks = (more: object, rules = {}) =>
      [
        [read(DI), second(more)],
        [second(more), read(DI)],
      ].map(pair => last(tallied([], entries(...pair), { ...free, ...rules }))!)
    for (const mark of marks({ recall_sn: 'ZH1' }, { refusesRecalled: true }))
      expect(mark).toMatchObject({ tone: 'wrong', sentence: '批号A已召回（ZH1），未计入本单' })
    for (const { tone, notes } of marks({ stopped: true, freezes: ['包装破损'], expired_on: '2026-05-31' }))
      expect([tone, notes]).toEqual(['right', ['批号A已停售', '批号A已冻结：包装破损', '批号A已过期（2026-05-31）']])
    for (const { notes } of marks({})) expect(notes).toBeUndefined()
  })

  it('tells that a label is past the date that it prints', () => {
    const notes = last(tallied([], entries(`(01)${DI}(17)200131(10)A`), free))?.notes
    expect(notes).toContain('批号A已过期（2020-01-31）')
  })

  it('takes recalled goods by exactly those kinds that the server lets have them', () => {
    const refuses = (kind: string) => rulesFor({}, [], {}, documentOf(kind)!).refusesRecalled === true
    for (const kind of ['saleOdo', 'purchaseGrn', 'grantOdo', 'giveOdo']) expect(refuses(kind), kind).toBe(true)
    for (const kind of ['purchaseReturn', 'scrap', 'loss', 'stopSale', 'grantReturn', 'stockTake', 'surgeryUse'])
      expect(refuses(kind), kind).toBe(false)
  })

  it('counts a serial once, however often it is scanned', () => {
    const piece = `(01)${DI}(17)280131(10)A(21)S1`
    const tally = tallied([], entries(piece, piece), free)
    expect(figures(tally)).toEqual([[null, 'A', 1]])
    expect(last(tally)).toMatchObject({ tone: 'wrong', sentence: expect.stringMatching(/^该条码已扫描/) })
  })

  it('ticks off a list: nothing that is not on it or beyond it, lots of a line separately', () => {
    const tally = tallied(
      [line({ quantity: '3.000' })],
      entries(`(01)${DI}(10)A`, `(01)${DI}(10)B`, `(01)${DI}(10)A`, `(01)${DI}(10)A`),
      list,
    )
    expect(figures(tally)).toEqual([
      [0, 'A', 2],
      [0, 'B', 1],
    ])
    expect(tally.marks.map(mark => mark.tone)).toEqual(['right', 'right', 'right', 'wrong'])
    expect(last(tally)?.sentence).toBe('球囊 2.5mm应扫3根，已达应收数量，多出部分请另行登记')
    expect(last(tallied([line({ specification_sn: '8' })], entries(DI), list))?.sentence).toBe(
      '该条码不在本次清单内：球囊 2.5mm',
    )
    expect(last(tallied([line({ lot_no: 'A' })], entries(`(01)${DI}(10)Z`), list))?.sentence).toBe(
      '批号Z不在本次清单内',
    )
    expect(
      figures(tallied([line({ lot_no: 'A' })], entries(`(01)${DI}(10)Z`), { isList: true, beyond: true })),
    ).toEqual([[null, 'Z', 1]])
    expect(last(tallied([], entries('NO-SUCH-CODE'), free))?.sentence).toBe('未识别的条码：0')
  })

  it('is undone by removing the last scan', () => {
    const all = entries(DI, '(17)280131(10)B2')
    expect(figures(tallied([], all.slice(0, 1), free))).toEqual([[null, null, 1]])
  })
})

describe('the scan counter of a document', () => {
  const grn = documentOf('purchaseGrn')!
  const values = {
    line_no: 4,
    specification_sn: '7',
    product_name: '球囊',
    unit_inner_sn: '9',
    unit_name: '盒',
    base_unit_name: '根',
    quantity: '2',
    base_quantity: '20.000',
    price: '100',
    source_sn: 'CG1',
    source_line_no: 1,
  }
  const { all } = createLines([values, { ...values, line_no: 5, source_line_no: 2, specification_sn: '8' }], row => row)

  it('expects base units, fills in the line’s unit, splits lots, and omits what never came', () => {
    const rules = rulesFor(grn.lineRules.scanning!, all())
    expect(rules).toEqual(list)
    const expected = expectedOf(grn.lineRules.scanning!, all())
    expect(expected[0]).toMatchObject({ quantity: '20.000', unit: '根' })
    const tally = tallied(
      expected,
      entries(`(01)${BOX}(17)280131(10)A`, ...Array.from({ length: 5 }, () => `(01)${DI}(10)B`)),
      rules,
    )
    expect(linesAfter(grn, all(), tally.rows, rules)).toEqual([
      { ...values, lot_no: 'A', expiry_date: '2028-01-31', quantity: '1' },
      expect.objectContaining({ lot_no: 'B', quantity: '0.5', source_line_no: 1 }),
    ])
    expect(linesAfter(grn, all(), tally.rows, rules)[1]).not.toHaveProperty('line_no')
    // In a delivery, a line that never came stays and needs a reason.
    expect(linesAfter(grn, all(), tally.rows, rules, { source_type: 7 }).at(-1)).toMatchObject({
      line_no: 5,
      quantity: '0',
      unit_codes: [],
    })
  })

  it('picks a submitted list in several sessions, and keeps the serials', () => {
    const grant = documentOf('grantOdo')!
    const picking = { picking_state: '2' }
    const some = createLines(
      [
        { ...values, picked_quantity: '1' },
        { ...values, line_no: 5, specification_sn: '8', picked_codes: ['A1'] },
      ],
      row => row,
    ).all()
    const rules = rulesFor(grant.lineRules.scanning!, some, picking)
    expect(rules).toEqual(list)
    const expected = expectedOf(grant.lineRules.scanning!, some, picking)
    expect(expected[0]!.quantity).toBe('10.000')
    const tally = tallied(expected, entries(BOX), rules)
    const [first, second] = linesAfter(grant, some, tally.rows, rules, picking)
    expect(first).toMatchObject({ line_no: 4, picked_quantity: '2', quantity: '2' })
    expect(second).toEqual(some[1]!.values)
    expect(rulesFor(grant.lineRules.scanning!, createLines([{ specification_sn: '7' }], row => row).all(), {})).toEqual(
      free,
    )
  })

  it('fills a separate counted quantity where the kind has one: what was not found is zero', () => {
    const receipt = documentOf('wardReceipt')!
    const granted = createLines(
      [
        { ...values, granted_quantity: '2' },
        { ...values, specification_sn: '8', granted_quantity: '1' },
      ],
      row => row,
    ).all()
    const rules = rulesFor(receipt.lineRules.scanning!, granted)
    const tally = tallied(expectedOf(receipt.lineRules.scanning!, granted), entries(BOX), rules)
    expect(linesAfter(receipt, granted, tally.rows, rules)).toMatchObject([
      { received_quantity: '1', quantity: '2' },
      { received_quantity: '0' },
    ])
  })
})

describe('scans while the network is down', () => {
  const shelfOf = () => {
    const kept = new Map<string, string>()
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
      removeItem: (key: string) => void kept.delete(key),
    }
  }
  it('wait in order, survive a closed page, are read on reconnect; known codes need no network', async () => {
    const shelf = shelfOf()
    let away = false
    let asked = 0
    const options = {
      key: 'k',
      shelf,
      read: async (code: string) => {
        if (away) throw new CallFailure('unreachable', '')
        asked += 1
        return read(code)
      },
    }
    const store = createScanStore(options)
    await store.scan(DI)
    away = true
    await store.scan(BOX)
    await store.scan(DI)
    expect(store.state()).toMatchObject({ offline: true, entries: [{ read: {} }, { read: null }, { read: {} }] })
    expect(hasScans('k', shelf)).toBe(true)
    // The page was closed; a new one finds everything.
    const again = createScanStore(options)
    expect(again.state().entries.map(entry => entry.read === null)).toEqual([false, true, false])
    away = false
    await again.work()
    expect(again.state()).toMatchObject({
      offline: false,
      entries: [{ code: DI }, { code: BOX, read: {} }, { code: DI }],
    })
    expect(asked).toBe(2)
    expect(figures(tallied([], again.state().entries, free))).toEqual([[null, null, 12]])
    again.undo()
    expect(again.state().entries).toHaveLength(2)
    again.clear()
    expect(hasScans('k', shelf)).toBe(false)
  })

  it('of a combined pack are those of all its parts', async () => {
    const asked: string[] = []
    const whole = 'DSB2611260001'
    const parts = [`${whole}-1`, `${whole}-2`]
    const store = createScanStore({
      key: 'k',
      shelf: shelfOf(),
      read: async code => {
        asked.push(code)
        const nothing = { parsed: parseCode(code, { today: '2026-06-01' }), specification: null, unit: null, lot: null }
        return code === whole ? { ...nothing, pack: { code, parts } } : nothing
      },
    })
    await store.scan(whole)
    expect(store.state().entries.map(entry => entry.code)).toEqual(parts)
    expect(store.state().entries.every(entry => entry.read !== null)).toBe(true)
    await store.scan(whole)
    expect(store.state().entries.map(entry => entry.code)).toEqual([...parts, ...parts])
    expect(asked).toEqual([whole, ...parts, whole])
  })

  it('keep the posting call, with its id, until it is answered', async () => {
    const shelf = shelfOf()
    const store = createScanStore({ key: 'k', shelf, read: async code => read(code) })
    await store.scan(DI)
    store.send({ path: '/v1/x', form: { a: 1 }, requestId: 'once' })
    expect(createScanStore({ key: 'k', shelf }).state().sending).toEqual({
      path: '/v1/x',
      form: { a: 1 },
      requestId: 'once',
    })
  })

  it('an unknown code can be registered, and is looked up again on return', async () => {
    const known: string[] = []
    const store = createScanStore({
      key: 'k',
      shelf: shelfOf(),
      read: async code => (known.includes(code) ? read(code) : { ...read(code), specification: null }),
    })
    await store.scan(DI)
    const marks = () => tallied([], store.state().entries, free).marks
    expect(marks()).toMatchObject([{ tone: 'wrong', unknown: DI }])
    known.push(DI)
    store.readAgain()
    await store.work()
    expect(marks()).toMatchObject([{ tone: 'right' }])
    store.readAgain()
    expect(marks()).toMatchObject([{ tone: 'right' }])
  })

  it('an unreadable code shows why and is not looked up again', async () => {
    const store = createScanStore({
      key: 'k',
      shelf: shelfOf(),
      read: async () => Promise.reject(new CallFailure('refused', '条码过长')),
    })
    await store.scan('X')
    expect(tallied([], store.state().entries, free).marks).toEqual([
      { id: expect.any(String), tone: 'wrong', sentence: '条码过长' },
    ])
  })
})

describe('a count of stock', () => {
  const take = documentOf('stockTake')!
  const line = {
    line_no: 1,
    specification_sn: '7',
    lot_no: 'A',
    book_quantity: '3.000',
    first_quantity: '1.000',
    quantity: '0.000',
  }
  const lines = () => createLines([line, { ...line, line_no: 2, lot_no: 'B', first_quantity: null }], row => row).all()

  it('adds up scans of each session, may exceed the books, and leaves unscanned lines open', () => {
    const rules = rulesFor(take.lineRules.scanning!, lines())
    const expected = expectedOf(take.lineRules.scanning!, lines(), { count_state: '2' })
    const tally = tallied(expected, entries(...Array.from({ length: 4 }, () => `(01)${DI}(10)A`)), rules)
    expect(tally.marks.every(mark => mark.tone === 'right')).toBe(true)
    expect(linesAfter(take, lines(), tally.rows, rules, { count_state: '2' })).toMatchObject([
      { line_no: 1, first_quantity: '5' },
      { line_no: 2, first_quantity: null },
    ])
    expect(linesAfter(take, lines(), tally.rows, rules, { count_state: '3' })[0]).toMatchObject({
      recount_quantity: '4',
    })
  })
})

describe('two windows of one browser', () => {
  const shelves = () => {
    const kept = new Map<string, string>()
    return {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
      removeItem: (name: string) => void kept.delete(name),
      key: (at: number) => [...kept.keys()][at] ?? null,
      get length() {
        return kept.size
      },
    }
  }

  it('keep scans of new documents apart; scans of a closed window go to the next one', () => {
    const shelf = shelves()
    shelf.setItem('scans-window:A', String(Date.now()))
    const a = ownPlace('scans:1:purchaseGrn:new', shelf, 'A')
    shelf.setItem(a, 'of A')
    const b = ownPlace('scans:1:purchaseGrn:new', shelf, 'B')
    expect([a === b, shelf.getItem(b), shelf.getItem(a)]).toEqual([false, null, 'of A'])
    shelf.removeItem('scans-window:A')
    const c = ownPlace('scans:1:purchaseGrn:new', shelf, 'C')
    expect([shelf.getItem(c), shelf.getItem(a)]).toEqual(['of A', null])
    expect(ownPlace('scans:1:giveOdo:new', shelf, 'D')).toBe('scans:1:giveOdo:new:D')
  })
})
