import { expect, test } from 'vitest'
import { daysOfStep, daysWithin, refusedDays, stepsWithin, TOO_LONG } from '#kernel/wall/board-definition.ts'
import type { Day } from '#kernel/values/date.ts'
import { boards } from '#kernel/registry.ts'
import { changed } from '#kernel/wall/board-table.ts'
import { boardAsked, cardAsked, crossed, crossesOf, down, pathOf, up } from '#web/board/board-state.ts'
import { changeIn, exactText, shortText } from '#web/board/board-text.ts'

const board = boards()[0]!
const card = (name: string) => board.cards.find(each => each.name === name && each.orgs.includes('H'))!
const days = { begin_date: '2026-10-05', end_date: '2026-11-20' }
const range = (begin: string, end: string) => ({ begin: begin as Day, end: end as Day })

test('a click on a bar narrows all other cards, and the same click takes it back', () => {
  const click = { card: 'ranking', filter: 'department_inner_sn', value: '4', text: '骨科' }
  const query = { ...days, ...crossed(days, click) } as Record<string, string>
  expect(crossesOf(board, query)).toEqual([{ ...click, label: '科室' }])
  expect(cardAsked(board, 'H', card('trend'), query)).toMatchObject({ department_inner_sn: '4' })
  expect(cardAsked(board, 'H', card('ranking'), query)).not.toHaveProperty('department_inner_sn')
  expect(crossed(query, click)).toEqual({ x_department_inner_sn: undefined, 'x_department_inner_sn~': undefined })
})

test('a click on a month narrows the days of the others to it, within those that were asked for', () => {
  const query = { ...days, x_step: 'trend:2026-11', 'x_step~': '2026-11' }
  expect(cardAsked(board, 'H', card('ranking'), query)).toMatchObject({
    begin_date: '2026-11-01',
    end_date: '2026-11-20',
  })
  expect(cardAsked(board, 'H', card('trend'), query)).toMatchObject(days)
  expect(boardAsked(board, 'H', query)).toMatchObject({ begin_date: '2026-11-01' })
})

test('the tree is climbed down by double clicks and up by 返回, for itself alone', () => {
  const one = { ...days, ...down([], { filter: 'custom_type_sn', value: '7', text: '骨科' }) }
  const two = { ...one, ...down(pathOf(one), { filter: 'product', value: 'P1', text: '钉' }) }
  expect(cardAsked(board, 'H', card('structure'), two)).toMatchObject({
    custom_type_sn: '7',
    product: 'P1',
    level: '2',
  })
  expect(cardAsked(board, 'H', card('trend'), two)).not.toHaveProperty('product')
  const back = Object.fromEntries(Object.entries({ ...two, ...up(pathOf(two), 1) }).filter(([, value]) => value))
  expect(pathOf(back as Record<string, string>)).toEqual([{ filter: 'custom_type_sn', value: '7', text: '骨科' }])
})

test('at most twenty-four months are asked for', () => {
  expect(refusedDays(range('2024-11-02', '2026-11-01'))).toBeNull()
  expect(refusedDays(range('2024-11-01', '2026-11-01'))).toBe(TOO_LONG)
  expect(refusedDays(range('2026-11-02', '2026-11-01'))).toBe('开始日期不能大于结束日期')
})

test('periods of a range are its months, its weeks and its days, and each has its own days', () => {
  expect(stepsWithin(range('2026-01-31', '2026-03-01'), 'month')).toEqual(['2026-01', '2026-02', '2026-03'])
  expect(stepsWithin(range('2025-12-28', '2026-01-05'), 'week')).toEqual(['2025-W52', '2026-W01', '2026-W02'])
  expect(stepsWithin(range('2026-02-27', '2026-03-01'), 'day')).toHaveLength(3)
  expect(daysOfStep('2026-W01')).toEqual({ begin: '2025-12-29', end: '2026-01-04' })
  expect(daysOfStep('2026-02')).toEqual({ begin: '2026-02-01', end: '2026-02-28' })
  expect(daysOfStep('else')).toBeNull()
  expect(daysWithin(range('2026-01-10', '2026-01-20'), '2026-01')).toEqual(range('2026-01-10', '2026-01-20'))
})

test('figures are said by their kind, and changes of rates in points', () => {
  expect(shortText('12345.678', 'amount')).toBe('1.23万')
  expect(exactText('12345.678', 'quantity')).toBe('12,345.678')
  expect(exactText('40.0000', 'days')).toBe('40.0')
  expect(exactText('0.5219', 'rate')).toBe('52.19%')
  expect(exactText('***', 'amount')).toBe('***')
  expect(exactText(null, 'rate')).toBe('—')
  const said = (now: string | null, before: string | null, as: 'rate' | 'amount') =>
    changeIn({ cells: { now, change: changed(now, before, as) } }, 'previous', as)
  expect(said('0.55', '0.50', 'rate')).toBe('+5.00个百分点')
  expect(said('110', '100', 'amount')).toBe('+10.00%')
  expect(said('110', '0', 'amount')).toBe('上期无数据')
  expect(said('0.55', null, 'rate')).toBe('上期无数据')
  expect(said(null, '0.55', 'rate')).toBe('—')
  expect(said('5000', '1', 'amount')).toBe('增长超过10倍')
})
