import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Screen } from '#kernel/definition/screen.ts'
import { comparedWords } from '#kernel/values/comparison.ts'
import { addDays, monthBegin, shiftMonths, today } from '#kernel/values/date.ts'
import { type Decimal, subtract } from '#kernel/values/decimal.ts'
import { demoAccounts } from '#demo/masters/people.ts'
import { documents, entities, reports } from '#app/modules.ts'
import { homeCards, homeCharts } from '#modules/platform/workbench/hospital-home.ts'
import { afterThisTest, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'
import type { Client } from '#tests/support/test-server.ts'

/** 医院首页: each card shows the figure of its page, for every reader; a ward's people see their ward. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { hospital, central, ward, department, inflator } = scene
  for (const quantity of ['1', '2']) {
    const sn = await hospital.add('requisition', {
      department_inner_sn: department,
      warehouse_model_inner_sn: central,
      to_warehouse_model_inner_sn: ward,
      is_urgent: quantity === '2',
      urgent_reason: '抢救',
      lines: [{ specification_sn: inflator, quantity }],
    })
    await hospital.done('requisition', 'submit', sn)
    if (quantity === '2') await hospital.done('requisition', 'review', sn)
  }
})
afterAll(() => scene?.close())

type Figure = {
  label: string
  text: string
  as: string
  route: string
  change?: string | null
  compared?: string
  says: string[]
}
type Card = { key: string; title: string; figures: readonly Figure[] }
type Chart = {
  key: string
  form: string
  route: string
  rows: readonly { label: string; values: readonly string[]; route: string }[]
}
const PATH = '/v1/business/hospitalHome'
const cardsOf = async (client: Client, query: Record<string, string> = {}) =>
  (await client.get(PATH, query)).info.cards as readonly Card[]
const chartsOf = async (client: Client, query: Record<string, string> = {}) =>
  (await client.get(PATH, query)).info.charts as readonly Chart[]
const figureOf = (cards: readonly Card[], key: string, label: string) =>
  cards.find(card => card.key === key)?.figures.find(figure => figure.label === label)

/** The number of rows and the sum of the list at an address. */
async function listed(client: Client, address: string, summed?: string) {
  const [route, search = ''] = address.split('?')
  const { tab, ...asked } = Object.fromEntries(new URLSearchParams(search))
  const query: Record<string, string> = asked
  const found = [...documents, ...entities, ...reports]
    .flatMap(definition => definition.screens.map(screen => ({ definition, screen: screen as Screen })))
    .find(({ screen }) => screen.route === route && (tab === undefined || screen.tab === tab))!
  const states = found.screen.states && !query.state ? { state: found.screen.states.join(',') } : {}
  const { kind, is } = found.definition
  if (is === 'report') return client.get(`/v1/report/${kind}`, { ...query, pageSize: '500' })
  const sums = is === 'document' && summed ? { summed } : {}
  return client.get(`/v1/business/${kind}/list`, { ...found.screen.where, ...states, ...query, ...sums })
}

describe.each(demoAccounts.filter(({ org }) => org === 'H01').map(({ login }) => login))('the home of %s', login => {
  test('has figures that equal the pages they open', async () => {
    const client = await scene.server.as(login)
    const cards = await cardsOf(client, { refresh: '1' })
    expect(cards.length).toBeGreaterThan(0)
    for (const figure of cards.flatMap(card => card.figures)) {
      const { sum: summed } =
        homeCards
          .flatMap(card => card.figures)
          .find(({ label, route }) => label === figure.label && figure.route.startsWith(route)) ?? {}
      const reply = await listed(client, figure.route, summed)
      expect(reply.code, `${figure.route} ${reply.msg}`).toBe(0)
      if (figure.as === 'count') expect([figure.route, figure.text]).toEqual([figure.route, String(reply.total)])
      else
        expect(
          Object.values(reply.summary ?? {}).map(sum => sum ?? '0'),
          figure.route,
        ).toContain(figure.text)
    }
  })

  test('has charts whose rows equal the pages they open', async () => {
    const client = await scene.server.as(login)
    for (const chart of await chartsOf(client, { refresh: '1' })) {
      const { of, keys } = homeCharts.find(({ key }) => key === chart.key)!
      const columns = Object.keys(of)
      const page = await listed(client, chart.route)
      expect(page.code, `${chart.route} ${page.msg}`).toBe(0)
      const drawn = page.list.slice(0, chart.rows.length)
      expect(chart.rows.map(({ values }) => values)).toEqual(
        drawn.map((row: Record<string, string>) => columns.map(name => row[name] ?? '0.00')),
      )
      for (const row of Object.keys(keys).length > 0 ? chart.rows : []) {
        const { summary } = await listed(client, row.route)
        expect([row.route, ...columns.map(name => summary[name] ?? '0.00')]).toEqual([row.route, ...row.values])
      }
    }
  })
})

test('figures and charts of the month have what the month brought, beside the month before', async () => {
  const { hospital, dealer, shop, h, ward, department, inflator, balloon, d } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, 'HOME2', { quantity: '10' })])
  const month = async () => {
    const cards = await cardsOf(hospital.client, { refresh: '1' })
    return ['采购', '使用'].map(label => figureOf(cards, 'month', label)!)
  }
  const [boughtBefore, usedBefore] = await month()
  const order = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: inflator, lot_no: 'HOME2', quantity: '10', price: '110' }],
  })
  await dealer.pass('saleOdo', order)
  await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', order)).sn)
  await scene.shelve(hospital, ward, [
    lotOf(inflator, 'HOME3', { quantity: '4', price: '25' }),
    lotOf(balloon, 'HOME4', { unit_codes: ['HOME-1'], owner_org_sn: d }),
  ])
  const use = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    use_type: 'consume',
    lines: [{ specification_sn: inflator, lot_no: 'HOME3', quantity: '4' }],
  })
  await hospital.pass('departmentUse', use)
  const [bought, used] = await month()
  expect(subtract(bought!.text as Decimal, boughtBefore!.text as Decimal, 2)).toBe('1100.00')
  expect(subtract(used!.text as Decimal, usedBefore!.text as Decimal, 2)).toBe('100.00')
  // Nobody bought anything in the month before.
  expect(bought!.change).toBeNull()
  const days = { begin: monthBegin(today()), end: today() }
  expect(bought!.compared).toBe(comparedWords(days, null, 'previous', today()))
  expect(bought!.says).toContain(`期间：${days.begin} 至 ${addDays(shiftMonths(days.begin, 1), -1)}`)
  const charts = await chartsOf(hospital.client, { refresh: '1' })
  const chart = (key: string) => charts.find(each => each.key === key)!
  expect(chart('stock').rows.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['自有 · 中心库', '寄售 · 科室库']),
  )
  expect(chart('suppliers').rows[0]!.values).toEqual([bought!.text])
  expect(chart('departments').rows[0]!.values).toEqual([used!.text])
  expect(chart('trend').rows.at(-1)!.label).toBe(day().slice(0, 7))
})

test('逾期未到货 counts the lines of orders that are late and not all here', async () => {
  const { hospital, d, central, inflator } = scene
  const late = async () => figureOf(await cardsOf(hospital.client, { refresh: '1' }), 'late', '行')!.text
  const before = BigInt(await late())
  const order = await hospital.add('purchaseOrder', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    business_date: day(-9),
    expected_date: day(-1),
    lines: [{ specification_sn: inflator, quantity: '5' }],
  })
  await hospital.pass('purchaseOrder', order)
  expect(await late()).toBe(String(before + 1n))
})

test('待入库 counts what suppliers delivered and nobody took in yet', async () => {
  const { dealer, hospital, shop, inflator, h } = scene
  const waiting = async () =>
    figureOf(await cardsOf(hospital.client, { refresh: '1' }), 'toTakeIn', '供应商已发货')?.text
  const before = BigInt((await waiting())!)
  await scene.shelve(dealer, shop, [lotOf(inflator, 'HOME1', { quantity: '3' })])
  const order = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: inflator, lot_no: 'HOME1', quantity: '3', price: '110' }],
  })
  await dealer.pass('saleOdo', order)
  expect(await waiting()).toBe(String(before + 1n))
  const [receipt] = await hospital.list('purchaseGrn', { source_sn: order })
  await hospital.pass('purchaseGrn', receipt.sn)
  expect(await waiting()).toBe(String(before))
})

test('is computed again when asked, else kept for five minutes', async () => {
  const { hospital, central, ward, department, inflator } = scene
  const waiting = async (query: Record<string, string> = {}) =>
    figureOf(await cardsOf(hospital.client, query), 'claims', '张')?.text
  const before = await waiting({ refresh: '1' })
  const sn = await hospital.add('requisition', {
    department_inner_sn: department,
    warehouse_model_inner_sn: central,
    to_warehouse_model_inner_sn: ward,
    lines: [{ specification_sn: inflator, quantity: '1' }],
  })
  await hospital.done('requisition', 'submit', sn)
  // By this word of the message an open page knows a new one from drafts and reminders.
  expect((await scene.one('select extra from message where object_id = $1', sn)).extra).toMatchObject({ is_new: true })
  expect(await waiting()).toBe(before)
  expect(await waiting({ refresh: '1' })).toBe(String(BigInt(before!) + 1n))
  expect(figureOf(await cardsOf(hospital.client), 'toIssue', '加急')?.text).toBe('1')
})

test('people of a ward see cards of the ward alone, and no money without the right to', async () => {
  const { h, ward } = scene
  const nurse = await scene.one("select id from app_user where login = 'nurse'")
  await scene.one(
    'insert into user_scope (org_id, user_id, warehouse_id) values ($1, $2, $3) returning 1',
    h,
    nurse.id,
    ward,
  )
  afterThisTest(() => scene.one('delete from user_scope where user_id = $1 returning 1', nurse.id))
  const { client } = await scene.person('nurse')
  const cards = await cardsOf(client)
  expect(cards.map(({ key }) => key)).toEqual(['myClaims', 'myReceipts', 'myStock', 'myUses'])
  expect(cards.flatMap(card => card.figures).filter(({ as }) => as === 'amount')).toEqual([])
  expect(figureOf(cards, 'myStock', '低于下限')?.route).toContain('stock_state=low')
})

test('a campus narrows every figure to its departments and warehouses, and the pages that they open', async () => {
  const { hospital, central, ward, department, inflator } = scene
  const head = await scene.one('select campus from department where id = $1', department)
  const place = async (campus: string | null) =>
    scene.one('update department set campus = $1 where id = $2 returning 1', campus, department)
  await place('南院区')
  afterThisTest(() => place(head.campus))
  const sn = await hospital.add('requisition', {
    department_inner_sn: department,
    warehouse_model_inner_sn: central,
    to_warehouse_model_inner_sn: ward,
    lines: [{ specification_sn: inflator, quantity: '1' }],
  })
  await hospital.done('requisition', 'submit', sn)
  const { info } = await hospital.client.get(PATH, { refresh: '1', campus: '南院区' })
  expect(info.campuses).toContain('南院区')
  const [there, all] = [info.cards as readonly Card[], await cardsOf(hospital.client, { refresh: '1' })]
  for (const figure of there.flatMap(card => card.figures)) {
    expect(figure.route).toContain(`of_campus=${encodeURIComponent('南院区')}`)
    const reply = await listed(hospital.client, figure.route)
    expect(reply.code, `${figure.route} ${reply.msg}`).toBe(0)
    if (figure.as === 'count') expect([figure.route, figure.text]).toEqual([figure.route, String(reply.total)])
  }
  const text = (cards: readonly Card[]) => figureOf(cards, 'claims', '张')!.text
  expect(text(there)).not.toBe('0')
  const nowhere = await cardsOf(hospital.client, { refresh: '1', campus: '没有的院区' })
  expect(text(nowhere)).toBe('0')
  expect(BigInt(text(all))).toBeGreaterThanOrEqual(BigInt(text(there)))
  // Naming a campus does not widen the scope to which a user is bound.
  const elsewhere = await hospital.client.get('/v1/business/requisition/list', { of_campus: '没有的院区' })
  expect([elsewhere.code, elsewhere.total]).toEqual([0, 0])
})

test('a month that is none, or lies outside of all books, is this one', async () => {
  const { client } = scene.hospital
  const now = await cardsOf(client, { refresh: '1' })
  for (const month of ['9999-12', '0001-01', '2026-13', 'x']) expect(await cardsOf(client, { month })).toEqual(now)
})

test('a card whose page somebody does not have is left out; other organisations have no such page', async () => {
  const keeper = await scene.person('keeper')
  const keys = (await cardsOf(keeper.client)).map(({ key }) => key)
  expect(keys).not.toContain('toSettle')
  expect(keys).not.toContain('myClaims')
  // Sees the whole hospital, and works in a ward.
  const nurse = await scene.person('nurse')
  expect((await cardsOf(nurse.client, { refresh: '1' })).map(({ key }) => key)).toContain('myClaims')
  expect((await scene.dealer.client.get(PATH)).code).not.toBe(0)
})
