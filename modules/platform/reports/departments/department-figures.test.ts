import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, type Day } from '#kernel/values/date.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 期末库存金额 of departments is the stock of the stock reports, by the departments of its stores. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene({ figures: true })
})
afterAll(() => scene?.close())

const thisMonth = `${day().slice(0, 7)}-01` as Day
const lastMonth = `${addDays(thisMonth, -1).slice(0, 7)}-01` as Day
const asked = async (kind: string, query: Record<string, string>) => {
  const reply = await scene.hospital.client.get(`/v1/report/${kind}`, { pageSize: '500', ...query })
  expect(reply.code, JSON.stringify(reply)).toBe(0)
  return reply
}
type Row = Readonly<Record<string, string | null>>

test('a department shows what its stores held at the end of each month, and the whole what they held at the last', async () => {
  const { hospital, ward, department, inflator, h } = scene
  const [before, now] = [
    await scene.shelve(hospital, ward, [lotOf(inflator, 'HELD1', { quantity: '4', price: '60', tax_rate: 0 })]),
    await scene.shelve(hospital, ward, [lotOf(inflator, 'HELD2', { quantity: '1', price: '60', tax_rate: 0 })]),
  ]
  await scene.one(
    `update stock_move set at = $3::date::timestamp at time zone 'Asia/Shanghai'
      where org_id = $1 and document_id = (select id from document where org_id = $1 and sn = $2) returning 1`,
    h,
    before,
    lastMonth,
  )
  expect(now).toBeTruthy()
  const range = { begin_date: lastMonth, end_date: day() }
  const { list, summary } = await asked('departStatistical', {
    ...range,
    department_inner_sn: department,
    group_by: 'period,department_name',
  })
  expect(list.map((row: Row) => [row.period, row.stock_value])).toEqual([
    [lastMonth.slice(0, 7), '240.00'],
    [thisMonth.slice(0, 7), '300.00'],
  ])
  expect(summary.stock_value).toBe('300.00')
  const once = await asked('departStatistical', {
    ...range,
    department_inner_sn: department,
    group_by: 'department_name',
  })
  expect(once.list.map((row: Row) => row.stock_value)).toEqual(['300.00'])
  const year = await asked('departStatistical', {
    begin_date: lastMonth,
    end_date: `${day().slice(0, 4)}-12-31`,
    department_inner_sn: department,
    group_by: 'period',
    grain: 'year',
  })
  expect(year.list.at(-1).stock_value).toBe('300.00')
  const all = await asked('departStatistical', { ...range, group_by: 'department_name' })
  const summed = await asked('inventorySummaryReport', range)
  expect(all.summary.stock_value).toBe(summed.summary.closing_value)
})

test('without the right to costs a department shows no stock in yuan', async () => {
  const clerk = await scene.clerk('hospital', 'nocost', ['page:/hospital/departStatisticalReport', 'price:view'])
  const reply = await clerk.client.get('/v1/report/departStatistical', {
    begin_date: thisMonth,
    end_date: day(),
    group_by: 'department_name',
  })
  expect(reply.code, JSON.stringify(reply)).toBe(0)
  expect(reply.summary).not.toHaveProperty('stock_value')
})
