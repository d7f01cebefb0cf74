import { expect, test } from 'vitest'
import { type Answer, MASKED, type Row, type WallCard } from '#kernel/wall/wall-definition.ts'
import { overviewWall } from '#modules/platform/walls/overview/overview.wall.ts'
import { walls } from '#kernel/registry.ts'
import { fitted } from '#web/wall/stage-scale.ts'
import { behind, rangeNamed, rangeOf, wallAddress } from '#web/wall/wall-address.ts'
import { withMasks } from '#web/wall/use-wall.ts'
import { cellText, figureOf, partsOf } from '#web/wall/wall-figures.ts'

const card = (name: string): WallCard => overviewWall.cards.find(each => each.name === name)!
const answered = (rows: readonly Row[], before: Answer['before'] = {}): Answer => ({
  rows,
  total: rows.length,
  before,
  asked: {},
})

test('receipts of 12,000 less returns of 500 are 11,500, 15 % more than 10,000 yesterday', () => {
  const today = answered([{ amount: '11500.00', quantity: '30.000', rows: '3' }], {
    previous: [{ amount: '10000.00', quantity: '0.000', rows: '2' }],
  })
  const [money, pieces] = [0, 1].map(at => {
    const { draws } = card('received')
    return figureOf(card('received'), { today }, draws.form === 'numbers' ? draws.figures[at]! : (null as never))
  })
  expect(money).toEqual({
    label: '金额(元)',
    value: { digits: '1.15', unit: '万' },
    says: [expect.stringContaining('采购入库与结算入库'), expect.stringContaining('取自')],
    changes: [{ label: '环比', text: '+15.00%', way: 'up' }],
  })
  expect(pieces).toMatchObject({ value: { digits: '30', unit: '' }, changes: [{ text: '上期无数据', way: 'level' }] })
})

test('a figure of one regime is that of its row, and nothing where there is none', () => {
  const { draws } = card('stock')
  const figures = draws.form === 'numbers' ? draws.figures : []
  const stock = answered([{ ownership: 'own', amount: '5.00', quantity: '2.500', specification_sn: '3', rows: '4' }])
  const shown = figures.map(figure => figureOf(card('stock'), { stock }, figure).value.digits)
  expect(shown).toEqual(['5.00', '2.5', '3', '0.00', '0', '0'])
})

test('who may not see money reads quantities, and lengths are those of quantities', () => {
  const { reads } = card('departments')
  const rows = [
    { department_name: '骨科', amount: MASKED, quantity: '40.000', rows: '2' },
    { department_name: null, amount: MASKED, quantity: '10.000', rows: '1' },
  ]
  const parts = partsOf(reads.departments!, answered(rows), 'department_name', ['amount', 'quantity'])
  expect(parts.map(({ label, value, more, length, share }) => [label, value, more, length, share])).toEqual([
    ['骨科', MASKED, '40', '100.00', '80.00%'],
    ['未指定', MASKED, '10', '25.00', '20.00%'],
  ])
})

test('money that did not leave the server is masked, and no zero', () => {
  const answer = answered([{ quantity: '3.000', rows: '1' }])
  const info = {
    kind: 'x',
    at: '',
    organisation: null,
    begin_date: '',
    end_date: '',
    cards: { used: { today: answer } },
  }
  const { cards } = withMasks(overviewWall, info)
  const { draws } = card('used')
  const [money, pieces] = draws.form === 'numbers' ? draws.figures : []
  expect(figureOf(card('used'), cards.used!, money!)).toMatchObject({
    value: { digits: MASKED },
    changes: [{ text: '—' }],
  })
  expect(figureOf(card('used'), cards.used!, pieces!)).toMatchObject({ value: { digits: '3' } })
})

test('a moment of today is said by its hour, a kind of document by its name', () => {
  const reading = card('flow').reads.flow!
  const row = { at: '2026-11-26T01:05:00.000Z', document_kind: 'purchaseGrn' }
  expect(cellText(reading, 'at', row, '2026-11-26')).toBe('09:05')
  expect(cellText(reading, 'at', row, '2026-11-27')).toBe('11-26 09:05')
  expect(cellText(reading, 'document_kind', row)).toBe('采购入库单')
})

test('the stage is scaled as a whole: 4K fills the screen, 32:9 keeps its proportion', () => {
  expect(fitted(1920, 1080)).toEqual({ scale: 1, left: 0, top: 0 })
  expect(fitted(3840, 2160)).toEqual({ scale: 2, left: 0, top: 0 })
  expect(fitted(3840, 1080)).toEqual({ scale: 1, left: 960, top: 0 })
  const { scale, left, top } = fitted(1366, 768)
  expect([Math.round(left), Math.round(top), scale < 0.72]).toEqual([0, 0, true])
})

test('a wall keeps whose figures it shows, of which days, and its carousel', () => {
  const query = new URLSearchParams('org=7&begin=2026-01-01&end=2026-01-31&carousel=a,b&dwell=20&other=1')
  expect(wallAddress(overviewWall, query)).toBe(
    '/largeScreen/index?org=7&begin=2026-01-01&end=2026-01-31&carousel=a%2Cb&dwell=20',
  )
  expect(walls()[0]).toBe(overviewWall)
  expect(behind({ ...card('stock'), leads: { to: 'nowhere' } }, query)).toBeNull()
})

test('days are called by their range where they are one', () => {
  const { begin, end } = rangeOf('month', '2026-11-26')
  expect([begin, end]).toEqual(['2026-11-01', '2026-11-26'])
  expect(rangeNamed(begin, end, '2026-11-26')).toBe('month')
  expect(rangeNamed('2026-11-02', end, '2026-11-26')).toBeNull()
})
