import { expect, test } from 'vitest'
import { PERIOD } from '#kernel/definition/analysis.ts'
import { entityOf } from '#kernel/registry.ts'
import { reports } from '#app/modules.ts'
import { meaningfulSums } from '#web/list/table/sums.ts'
import { conditionsOf, listSheet, printedRow, printedSums, rowsToPrint } from '#web/print/list/list-print.ts'

const stock = entityOf('stockBalance')!
const trend = reports.find(report => report.kind === 'warningTrend')!

test('a list is printed with its cell texts; figures stay figures, to be summed', () => {
  const names = ['lot_no', 'quality_state', 'quantity', 'value', 'nothing']
  const sheet = listSheet(stock, '库存查询', names, undefined)
  expect(sheet.columns.map(({ name, as }) => [name, as])).toEqual([
    ['lot_no', undefined],
    ['quality_state', undefined],
    ['quantity', 'quantity'],
    ['value', 'amount'],
  ])
  expect(
    printedRow(stock, names, { lot_no: 'L1', quality_state: 'stopped', quantity: '3.000', value: '9.00' }),
  ).toEqual({ lot_no: 'L1', quality_state: '停售', quantity: '3.000', value: '9.00', nothing: undefined })
  const titles = ['批次', '', '件数']
  expect(listSheet(stock, '库存查询', names, undefined, titles).columns[0]).toMatchObject({ label: '批次' })
  expect(listSheet(trend, '到期趋势', ['month', 'amount'], undefined).columns).toHaveLength(2)
})

test('its filters are printed by name', () => {
  const asked = new URLSearchParams(
    'warehouse_model_inner_sn=7&warehouse_model_inner_sn~=中心库&quality_state=frozen&' +
      'begin_expiry_date=2026-01-01&tab=x&lot_no=',
  )
  expect(conditionsOf(stock, asked)).toBe('仓库 中心库；质量状态 冻结；有效期至起 2026-01-01')
  expect(conditionsOf(stock, new URLSearchParams())).toBe('全部')
})

test('a long register is read to its end, five thousand rows at most, and shows the total', async () => {
  const register = (total: number) => async (pageNum: number, pageSize: number) => ({
    list: Array.from({ length: Math.max(0, Math.min(pageSize, total - (pageNum - 1) * pageSize)) }, (_, at) => ({
      at: (pageNum - 1) * pageSize + at,
    })),
    total,
  })
  const whole = await rowsToPrint(register(1203))
  expect([whole.list.length, whole.total, whole.list.at(-1)]).toEqual([1203, 1203, { at: 1202 }])
  const long = await rowsToPrint(register(7001))
  expect([long.list.length, long.total]).toEqual([5000, 7001])
  expect(await rowsToPrint(register(0))).toEqual({ list: [], total: 0 })
})

test.each(reports.map(report => ({ kind: report.kind, report })))(
  'the print of $kind adds up the columns that its page does, and says the sums of the page',
  ({ report }) => {
    const names = Object.keys(report.columns)
    const totals = (report.totals ?? []) as readonly string[]
    for (const unit of ['盒', '']) {
      const summary = { ...Object.fromEntries(totals.map((name, at) => [name, `${at + 1}.00`])), unit_name: unit }
      const shown = meaningfulSums(
        names.map(name => ({ name, field: report.columns[name]! })),
        summary,
      )
      const expected = names.filter(name => name !== 'unit_name' && shown?.[name] !== undefined)
      const sheet = listSheet(report, report.title, names, summary)
      const printed = printedSums(report, names, summary)
      // Balances at the ends of several periods are said at the end, and not added up.
      const isBalance = (name: string) =>
        'closing' in (report.analysis?.measures[name] ?? {}) && PERIOD in report.columns
      const added = expected.filter(name => !isBalance(name))
      expect(sheet.columns.filter(({ unsummed }) => !unsummed).map(({ name }) => name)).toEqual(added)
      expect(sheet.totals!.map(([, name]) => printed[name])).toEqual(expected.map(name => shown![name]))
    }
  },
)

test('the sums of a list of many pages are those that its page says', async () => {
  const page = async (pageNum: number, pageSize: number) => ({
    list: Array.from({ length: pageNum === 1 ? pageSize : 3 }, () => ({ amount: '1.00' })),
    total: 503,
    summary: { amount: '503.00' },
  })
  expect((await rowsToPrint(page)).summary).toEqual({ amount: '503.00' })
})
