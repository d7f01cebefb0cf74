import { expect, test } from 'vitest'
import { type Before, feeLines, type Rate, type Settled } from '#modules/finance/service-charges/fee-lines.ts'

/** 服务费: base times rate to the cent, by steps, then floor and cap of the period by class. */
const rate = (more: Partial<Rate> = {}): Rate => ({
  id: '1',
  fee_class: 'dear',
  fee_base: 'settled',
  base_from: '0.00',
  rate: '0.02',
  floor_amount: null,
  cap_amount: null,
  valid_from: '2026-01-01',
  valid_to: null,
  ...more,
})
const settled = (settled_amount: string, more: Partial<Settled> = {}): Settled => ({
  sn: 'JS1',
  day: '2026-10-25',
  fee_class: 'dear',
  settled_amount,
  untaxed_amount: settled_amount,
  received_amount: '0.00',
  ...more,
})
const fees = (of: readonly Settled[], rates: readonly Rate[], before: readonly Before[] = []) =>
  feeLines(of, rates, before).map(line => [line.base_amount, line.fee_rate, line.taxed_amount])

test('高值 15,600.00 × 2% = 312.00, 低值 8,000.00 × 4% = 320.00', () => {
  const cheap = { fee_class: 'cheap' } as const
  expect(
    fees(
      [settled('15600.00'), settled('8000.00', { sn: 'JS2', ...cheap })],
      [rate(), rate({ rate: '0.04', ...cheap })],
    ),
  ).toEqual([
    ['15600.00', '0.02', '312.00'],
    ['8000.00', '0.04', '320.00'],
  ])
})

test('half a cent is rounded up, of a return away from zero: 12,345.60 × 2.5% = 308.64', () => {
  const [quarter] = [[rate({ rate: '0.025' })]]
  expect(fees([settled('12345.60')], quarter!)).toEqual([['12345.60', '0.025', '308.64']])
  expect(fees([settled('0.20')], quarter!)).toEqual([['0.20', '0.025', '0.01']])
  expect(fees([settled('-0.20')], quarter!)).toEqual([['-0.20', '0.025', '-0.01']])
})

test('a rate with steps has a line for each step that the base of the period reaches', () => {
  const steps = [rate({ id: '2', base_from: '10000.00', rate: '0.01' }), rate()]
  expect(fees([settled('15000.00')], steps)).toEqual([
    ['10000.00', '0.02', '200.00'],
    ['5000.00', '0.01', '50.00'],
  ])
  expect(fees([settled('8000.00'), settled('4000.00', { sn: 'JS2' })], steps)).toEqual([
    ['8000.00', '0.02', '160.00'],
    ['2000.00', '0.02', '40.00'],
    ['2000.00', '0.01', '20.00'],
  ])
})

test('a return takes back from the highest step that was reached, and no minimum is asked of it', () => {
  const steps = [rate({ floor_amount: '100.00' }), rate({ id: '2', base_from: '10000.00', rate: '0.01' })]
  const before = [{ fee_class: 'dear', base: '12000.00', fee: '220.00', charged: '220.00' }] as const
  expect(fees([settled('-5000.00')], steps, before)).toEqual([
    ['-2000.00', '0.01', '-20.00'],
    ['-3000.00', '0.02', '-60.00'],
  ])
  expect(fees([settled('-5000.00')], [rate({ floor_amount: '100.00' })])).toEqual([['-5000.00', '0.02', '-100.00']])
})

test('保底 and 封顶 of the period apply to the total of the class, whatever number of bills it has', () => {
  const bounded = [rate({ floor_amount: '100.00', cap_amount: '300.00' })]
  expect(fees([settled('1000.00')], bounded)).toEqual([['1000.00', '0.02', '100.00']])
  expect(fees([settled('20000.00')], bounded)).toEqual([['20000.00', '0.02', '300.00']])
  const floored = [{ fee_class: 'dear', base: '1000.00', fee: '20.00', charged: '100.00' }] as const
  expect(fees([settled('3000.00')], bounded, floored)).toEqual([['3000.00', '0.02', '0.00']])
  expect(fees([settled('10000.00')], bounded, floored)).toEqual([['10000.00', '0.02', '120.00']])
})

test('the rate is that of the day of the settlement; without one nothing is charged, and the line says so', () => {
  const two = [rate({ valid_to: '2026-10-24' }), rate({ id: '2', valid_from: '2026-10-25', rate: '0.03' })]
  expect(fees([settled('100.00', { day: '2026-10-24' }), settled('100.00', { sn: 'JS2' })], two)).toEqual([
    ['100.00', '0.02', '2.00'],
    ['100.00', '0.03', '3.00'],
  ])
  expect(feeLines([settled('100.00', { fee_class: 'reagent' })], two, [])).toMatchObject([
    { fee_rate: '0', taxed_amount: '0.00', remark: '未设置费率', rate_no: null },
  ])
})

test('the base is the amount without tax, or what was received, where the rate says so', () => {
  const of = settled('113.00', { untaxed_amount: '100.00', received_amount: '56.50' })
  expect(fees([of], [rate({ fee_base: 'untaxed' })])).toEqual([['100.00', '0.02', '2.00']])
  expect(fees([of], [rate({ fee_base: 'received' })])).toEqual([['56.50', '0.02', '1.13']])
})
