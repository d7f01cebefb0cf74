import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { add, compare, negate, subtract, sum } from '#kernel/values/decimal.ts'
import { addDays, type Day, today } from '#kernel/values/date.ts'
import { type Client, openTestServer, type TestServer } from '#tests/support/test-server.ts'

/**
 * Figures agree: what two pages say of the same thing is the same figure, over half a year of business. Each of these
 * holds by the trade, not by the way the reports are written: they read different tables.
 */
let server: TestServer
let hospital: Client
let dealer: Client
beforeAll(async () => {
  server = await openTestServer({}, { demo: true })
  hospital = await server.as('hospital')
  dealer = await server.as('dealer')
})
afterAll(() => server?.close())

type Row = Record<string, string>
const whole = { begin_date: addDays(today(), -150), end_date: today() as Day }
async function ask(client: Client, kind: string, query: object): Promise<{ list: Row[]; summary: Row }> {
  const reply = await client.get(`/v1/report/${kind}`, { pageSize: '500', ...query } as never)
  expect(reply.code, JSON.stringify(reply)).toBe(0)
  return reply as never
}
const monthBefore = addDays(`${today().slice(0, 8)}01` as Day, -1).slice(0, 7)
const lastOf = addDays(`${today().slice(0, 8)}01` as Day, -1)

describe('stock', () => {
  test('of a day is the same by place, by lot and at month end; goods on the way stand apart', async () => {
    const day = { end_date: lastOf }
    const detail = await ask(hospital, 'inventoryDetail', day)
    const asOf = await ask(hospital, 'stockAsOf', day)
    expect(detail.summary.amount).toBe(asOf.summary.goods_value)
    expect(add(detail.summary.quantity!, detail.summary.in_transit!, 3)).toBe(asOf.summary.quantity)
    const month = await ask(hospital, 'hygienicMaterials', { period: monthBefore, with_wards: 'true' })
    expect(month.summary.closing_value).toBe(asOf.summary.value)
  })

  test('opens a month with what closed the one before, and closes with opening + in − out', async () => {
    const before = await ask(hospital, 'hygienicMaterials', { period: monthBefore })
    const now = await ask(hospital, 'hygienicMaterials', { period: today().slice(0, 7) })
    expect(now.summary.opening_value).toBe(before.summary.closing_value)
    for (const { summary } of [before, now])
      expect(summary.closing_value).toBe(
        subtract(add(summary.opening_value!, summary.total_in!, 2), summary.total_out!, 2),
      )
    const { list } = await ask(hospital, 'warehouseConsumption', { period: monthBefore })
    expect(list.length).toBeGreaterThan(10)
    for (const row of list)
      expect(row.closing_quantity).toBe(
        sum(
          [
            row.opening_quantity!,
            row.received_quantity!,
            row.found_quantity!,
            negate(row.consumed_quantity!),
            negate(row.returned_quantity!),
          ],
          3,
        ),
      )
  })
})

describe('departments', () => {
  test('were granted what the store issued and used what the reports of uses say', async () => {
    const figures = await ask(hospital, 'departStatistical', whole)
    const issued = await ask(hospital, 'departmentSales', whole)
    const used = await ask(hospital, 'useStat', whole)
    const income = await ask(hospital, 'hospitalIncomeSummary', whole)
    expect(figures.summary.net_granted_amount).toBe(issued.summary.amount)
    expect(figures.summary.used_amount).toBe(used.summary.amount)
    expect(income.summary.amount).toBe(used.summary.amount)
    const planned = await ask(hospital, 'usagePlanning', whole)
    expect(planned.summary.amount).toBe(used.summary.amount)
    const parts = [figures.summary.high_amount!, figures.summary.low_amount!, figures.summary.reagent_amount!]
    expect(sum(parts, 2)).toBe(figures.summary.used_amount)
    expect(add(figures.summary.chargeable_amount!, figures.summary.unchargeable_amount!, 2)).toBe(
      figures.summary.used_amount,
    )
    expect(add(income.summary.outpatient_income!, income.summary.inpatient_income!, 2)).toBe(income.summary.income)
  })

  test('of high value: the pieces behind the money are those that patients and departments used', async () => {
    const { summary } = await ask(hospital, 'highValueFinance', whole)
    const used = await ask(hospital, 'useStat', whole)
    expect(summary.amount).toBe(used.summary.high_amount)
  })
})

describe('what suppliers and the supply of departments are judged by', () => {
  test('is what the reports of settlements, accounts and occurrences say', async () => {
    const judged = (await ask(hospital, 'supplierStatistic', { ...whole, cooperation: 'all' })).summary
    const settled = (await ask(hospital, 'settlementSummary', whole)).summary
    expect(judged.settled_amount).toBe(settled.amount)
    const owed = (await ask(hospital, 'receivablePayableSummary', { ...whole, direction: 'payable' })).summary
    expect(judged.payable_amount).toBe(owed.closing_amount)
    const overdue = [owed.overdue_30!, owed.overdue_90!, owed.overdue_more!]
    expect(judged.overdue_amount).toBe(sum(overdue, 2))
    const used = (await ask(hospital, 'useStat', whole)).summary
    expect(compare(judged.used_amount!, used.amount!)).toBeLessThanOrEqual(0)
    expect(compare(judged.used_amount!, '0')).toBe(1)
    const supply = (await ask(hospital, 'deptSpdStatistic', whole)).summary
    const occurred = await ask(hospital, 'restockAbnormalStat', whole)
    expect(supply.abnormal_count).toBe(occurred.summary.occurrence_count)
    const kinds = occurred.list.map(row => row.abnormality)
    expect(kinds.length).toBeGreaterThan(2)
    expect(kinds).toContain('low')
  })
})

describe('vouchers of a month', () => {
  test('balance, document by document, at a hospital and at a dealer', async () => {
    for (const client of [hospital, dealer])
      for (const period of [monthBefore, today().slice(0, 7)]) {
        const { list, summary } = await ask(client, 'monthVoucher', { period })
        expect(summary.debit).toBe(summary.credit)
        // The last document of a page may go on after it.
        const whole = [...Map.groupBy(list, row => row.document_no).values()].slice(
          0,
          list.length < 500 ? undefined : -1,
        )
        const total = (rows: readonly Row[], name: 'debit' | 'credit') =>
          sum(
            rows.map(row => row[name]!),
            2,
          )
        for (const rows of whole)
          expect([rows[0]!.document_no, total(rows, 'debit')]).toEqual([rows[0]!.document_no, total(rows, 'credit')])
      }
  })
})

describe('both sides of a sale', () => {
  test('a hospital buys of a dealer what the dealer sells it', async () => {
    const sold = await ask(dealer, 'hospitalSalesSummary', whole)
    const bought = await ask(hospital, 'supplierSalesSummary', whole)
    const dealerOf = bought.list.filter(row => row.counterparty_name?.includes('栎舟'))
    const hospitalOf = sold.list.filter(row => row.counterparty_name?.includes('澄岚'))
    expect(dealerOf.map(row => row.amount)).toEqual(hospitalOf.map(row => row.amount))
    expect(compare(dealerOf[0]!.amount!, '0')).toBe(1)
  })

  test('what a dealer delivered on consignment, and what came back or was used of it, is what lies there', async () => {
    const { list } = await ask(dealer, 'customerUse', { ...whole, regime: 'consigned' })
    expect(list.length).toBeGreaterThan(10)
    for (const row of list) {
      const booked = subtract(
        sum([row.opening_quantity!, row.bought_quantity!, row.found_quantity!], 3),
        sum([row.returned_quantity!, row.used_quantity!, row.gap_quantity!], 3),
        3,
      )
      expect([row.specification_name, row.closing_quantity]).toEqual([row.specification_name, booked])
    }
    const outside = await ask(dealer, 'consignedOutside', { end_date: whole.end_date })
    const of = (rows: Row[], who: string, name: string, quantity: string) =>
      sum(
        rows.flatMap(row => (row[who] === name ? [row[quantity]!] : [])),
        3,
      )
    for (const name of new Set(list.map(row => row.hospital_name!)))
      expect([name, of(list, 'hospital_name', name, 'closing_quantity')]).toEqual([
        name,
        of(outside.list, 'keeper_name', name, 'quantity'),
      ])
  })

  test('a maker sees where his goods went, and neither prices nor patients', async () => {
    const vendor = await server.as('vendor')
    const { list } = await ask(vendor, 'goodsFlow', whole)
    expect(list.length).toBeGreaterThan(5)
    expect(Object.keys(list[0]!).filter(name => /price|amount|cost|patient|department/.test(name))).toEqual([])
    const sums = await ask(vendor, 'goodsFlowSummary', { ...whole, group_by: 'product_name' })
    for (const row of sums.list)
      expect(row.quantity).toBe(
        sum(
          list.flatMap(each => (each.specification_sn === row.specification_sn ? [each.quantity!] : [])),
          3,
        ),
      )
    const reply = await hospital.get('/v1/report/goodsFlow', { ...whole })
    expect(reply.code).not.toBe(0)
  })

  test('what is settled, bought and issued is split without a rest', async () => {
    const bought = (await ask(hospital, 'supplierSalesSummary', whole)).summary
    expect(bought.amount).toBe(
      subtract(add(bought.purchased_amount!, bought.settled_amount!, 2), bought.returned_amount!, 2),
    )
    const central = (await ask(hospital, 'centerOutboundSummary', { ...whole, less_returns: 'true' })).summary
    expect(add(central.own_amount!, central.consigned_amount!, 2)).toBe(central.amount)
    expect(subtract(central.issued_amount!, central.returned_amount!, 2)).toBe(central.amount)
    const received = (await ask(hospital, 'receivedStat', whole)).summary
    expect(received.amount).toBe(
      sum([received.received_amount!, negate(received.reversed_amount!), negate(received.returned_amount!)], 2),
    )
    const settled = (await ask(hospital, 'settlementSummary', whole)).summary
    expect(add(settled.invoiced_amount!, settled.uninvoiced_amount!, 2)).toBe(settled.amount)
    expect(add(settled.paid_amount!, settled.unpaid_amount!, 2)).toBe(settled.invoiced_amount)
  })

  test('what was bought, used and lost explains the stock, but for what came in other ways', async () => {
    const { list } = await ask(hospital, 'purchaseUse', whole)
    expect(list.length).toBeGreaterThan(20)
    for (const row of list) {
      const booked = subtract(
        sum([row.opening_quantity!, row.bought_quantity!, row.found_quantity!], 3),
        sum([row.returned_quantity!, row.used_quantity!, row.gap_quantity!], 3),
        3,
      )
      expect([row.specification_name, row.closing_quantity]).toEqual([row.specification_name, booked])
    }
  })
})
