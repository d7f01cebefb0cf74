import { compare, divide, multiply, subtract } from '#kernel/values/decimal.ts'
import { reportOf } from '#kernel/registry.ts'
import { cardQuery, moneyQuery } from '#kernel/wall/flow-leads.ts'
import { hooks } from '#server/registry/hooks.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { attempt, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 采购导航, 销售导航: each number is the row count of the list it opens, for the current user. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { hospital, central, d, inflator } = scene
  const order = (quantities: readonly string[], more: object = {}) => ({
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    business_date: day(-10),
    lines: quantities.map(quantity => ({ specification_sn: inflator, quantity })),
    ...more,
  })
  const due = await hospital.add('purchaseOrder', order(['100', '50'], { expected_date: day(-1) }))
  await hospital.pass('purchaseOrder', due)
  const receipt = await hospital.add('purchaseGrn', {
    source_sn: due,
    source_type: 3,
    lines: [
      { source_line_no: 1, ...lotOf(inflator, 'DH1'), quantity: '100', price: undefined },
      { source_line_no: 2, ...lotOf(inflator, 'DH1'), quantity: '20', price: undefined },
    ],
  })
  await hospital.pass('purchaseGrn', receipt)
  await attempt(hospital, 'purchaseOrder', order(['3']))
  await hospital.add('purchasePlan', {
    warehouse_model_inner_sn: central,
    lines: [{ specification_sn: inflator, quantity: '1', remark: '备货' }],
  })
})
afterAll(() => scene?.close())

type Count = { text: string; query: Record<string, string>; count: number }
type Step = { kind: string; counts: Count[] }
const read = (who: Person, name: string, query: Record<string, string> = {}) =>
  who.client.get(`/v1/business/flow/${name}`, { mine: '0', begin_date: day(-20), end_date: day(), ...query })

it('shows at each node exactly as many as its list has rows, under the same filters', async () => {
  for (const [who, name] of [
    [scene.hospital, 'purchase'],
    [scene.dealer, 'purchase'],
    [scene.dealer, 'sales'],
    [scene.vendor, 'sales'],
  ] as const)
    for (const mine of ['0', '1']) {
      const { info, code } = await read(who, name, { mine })
      expect(code).toBe(0)
      let some = 0
      for (const step of info.steps as Step[])
        for (const count of step.counts) {
          const list = await who.client.get(`/v1/business/${step.kind}/list`, count.query)
          expect(list.total, `${name} ${step.kind} ${count.text}`).toBe(count.count)
          some += count.count
        }
      if (who === scene.hospital && mine === '0') expect(some).toBeGreaterThan(2)
    }
})

it('到货率: 120 of 150 are 80.00%; one line is late, and is listed; its order is found by 是否超期', async () => {
  const { hospital, d } = scene
  const { info } = await read(hospital, 'purchase')
  expect(info.figures).toMatchObject({ arrival_rate: '0.8000', overdue_lines: '1' })
  expect((await hospital.list('purchaseOrder', { overdue: '1' })).length).toBe(1)
  const late = await hospital.client.get('/v1/report/overdueOrderLines', { side: 'buy' })
  expect(late.list).toMatchObject([{ open_quantity: '30.000', taken_quantity: '20.000', days_late: 1 }])
  expect((await read(hospital, 'purchase', { partner: scene.v })).info.figures).toMatchObject({
    arrival_rate: null,
    overdue_lines: '0',
  })
  // Purchases from another supplier are not among this supplier's rows of the register either.
  const register = async (partner: string) =>
    ((await read(scene.dealer, 'purchase', { partner })).info.steps as Step[])
      .find(step => step.kind === 'purchaseRecord')!
      .counts.map(({ text, query }) => [text, query.partner_sn])
  expect(await register(scene.v)).toEqual([
    ['本期', scene.v],
    ['未到货', scene.v],
  ])
  expect(info.bars).toMatchObject([{ partner_sn: d }])
  expect(info.figures.ordered_amount).toBe(info.bars[0].amount)
})

it('订单满足率: of 200 ordered 150 were shipped; 20 of these were returned, and it stays 75.00%', async () => {
  const { dealer, hospital, shop, central, inflator, h } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, 'MZ1', { quantity: '150' })])
  const due = {
    business_date: day(-5),
    expected_date: day(-1),
    lines: [{ specification_sn: inflator, quantity: '200' }],
  }
  const so = await dealer.add('salesOrder', { counterparty_sn: h, ...due })
  await dealer.pass('salesOrder', so)
  const odo = await dealer.add('saleOdo', {
    source_type: 4,
    source_sn: so,
    warehouse_model_inner_sn: shop,
    lines: [{ source_line_no: 1, lot_no: 'MZ1', quantity: '150' }],
  })
  await dealer.pass('saleOdo', odo)
  const filled = async () => (await read(dealer, 'sales')).info.figures.fill_rate
  expect(await filled()).toBe('0.7500')
  const { sn: grn } = await hospital.from('purchaseGrn', odo)
  await hospital.done('purchaseGrn', 'edit', grn, { warehouse_model_inner_sn: central })
  await hospital.pass('purchaseGrn', grn)
  const back = { source_type: 9, source_sn: grn, return_reason: '包装破损' }
  const returned = await hospital.add('purchaseReturn', { ...back, lines: [{ source_line_no: 1, quantity: '20' }] })
  await hospital.pass('purchaseReturn', returned)
  const { sn: home } = await dealer.from('saleReturn', returned)
  for (const action of ['submit', 'inspect', 'review']) await dealer.done('saleReturn', action, home)
  expect((await dealer.info('saleOdo', odo)).lines[0].returned_quantity).toBe('20.000')
  expect(await filled()).toBe('0.7500')
  const { info } = await read(dealer, 'sales')
  // The order is stopped: the shipped part still counts as ordered, and returns count on the day of their review.
  const worth = (await dealer.info('salesOrder', so)).taxed_amount
  await dealer.done('salesOrder', 'stop', so, { reason: '余量不再需要' })
  const { figures } = (await read(dealer, 'sales')).info
  expect(subtract(info.figures.ordered_amount, figures.ordered_amount, 2)).toBe(divide(worth, '4', 2))
  await scene.one('update document set business_date = $2 where sn = $1 returning 1', home, day(-40))
  expect((await read(dealer, 'sales')).info.figures.sold_amount).toBe(figures.sold_amount)
  expect(Object.keys(info.figures)).toEqual(expect.arrayContaining(['fill_rate', 'sold_amount', 'overdue_lines']))
  expect(info.trend).toHaveLength(30)
})

it('draws a node only for users who have its page, and the page only for users who have it', async () => {
  const { hospital } = scene
  const [all, keeper] = await Promise.all([
    read(hospital, 'purchase'),
    scene.person('buyer').then(who => read(who, 'purchase')),
  ])
  const kinds = (reply: { info: { steps: Step[] } }) => reply.info.steps.map(step => step.kind)
  expect(kinds(all)).toContain('purchaseReturn')
  expect(kinds(all)).not.toContain('purchaseRecord')
  expect(keeper.code === 403 || kinds(keeper).length < kinds(all).length).toBe(true)
  expect((await read(await scene.person('nurse'), 'purchase')).code).toBe(403)
  expect((await read(hospital, 'sales')).code).toBe(403)
  expect((await read(hospital, 'weather')).msg).toBe('没有这个导航')
})

it('starts with the user’s own documents if there are any', async () => {
  expect((await scene.hospital.client.get('/v1/business/flow/purchase')).info.mine).toBe(true)
  expect((await scene.vendor.client.get('/v1/business/flow/sales')).info.mine).toBe(false)
})

/** The sum of a column in the list of a kind, or the number of its rows. */
async function behind(who: Person, kind: string, query: Readonly<Record<string, string>>, column: string | null) {
  const path = reportOf(kind) === undefined ? `/v1/business/${kind}/list` : `/v1/report/${kind}`
  const answer = await who.client.get(path, { ...query, pageSize: '1' })
  expect(answer.code, `${path} ${JSON.stringify(query)} ${answer.msg}`).toBe(0)
  return column === null ? String(answer.total) : String(answer.summary[column] ?? '0.00')
}

it('opens behind each figure, bar and day exactly the rows whose sum it is, of all people and of one', async () => {
  const { dealer, hospital, h, d, v, shop, inflator } = scene
  await stopped(hospital, 'purchaseOrder', d)
  await scene.shelve(dealer, shop, [lotOf(inflator, 'XS1', { quantity: '9' })])
  await stopped(dealer, 'salesOrder', h)
  const other = scene.dealer2
  const partners: Readonly<Record<string, string>> = { H: d, D: h, V: d }
  let [amounts, counts, narrower] = [0, 0, 0]
  for (const [who, type] of [
    [hospital, 'H'],
    [dealer, 'D'],
    [other, 'D'],
    [scene.vendor, 'V'],
  ] as const)
    for (const { flow } of hooks().processCharts)
      for (const mine of ['0', '1'])
        for (const partner of [null, partners[type]!, v]) {
          const { info, code } = await read(who, flow.name, { mine, ...(partner === null ? {} : { partner }) })
          if (code === 403 || code === 404) continue
          expect(code).toBe(0)
          const at = `${type} ${flow.name} ${JSON.stringify({ mine, partner })}`
          for (const card of flow.cards) {
            const shown = info.figures[card.figure]
            // A rate leads to what explains it.
            if (shown === undefined || card.as === 'rate') continue
            const column = card.as === 'amount' ? (card.column ?? card.measure!.column) : null
            expect(await behind(who, card.kind, cardQuery(card, info), column), `${at} ${card.title}`).toBe(shown)
            if (card.as === 'amount' && compare(shown, '0') !== 0) amounts += 1
            if (card.as === 'count' && shown !== '0') counts += 1
          }
          for (const step of flow.steps)
            for (const money of step.money ?? []) {
              const shown = info.figures[money.figure]
              if (shown === undefined || shown === null) continue
              const query = { begin_date: day(), end_date: day(), ...moneyQuery(step, money, info) }
              const found = await behind(who, money.kind ?? step.kind, query, money.measure!.column)
              expect(found, `${at} ${money.text}`).toBe(shown)
            }
          const barred = flow.cards.find(({ figure }) => figure === flow.bars?.figure)
          for (const { partner_sn, amount } of info.bars) {
            const query = cardQuery(barred!, { ...info, partner: partner_sn })
            expect(await behind(who, barred!.kind, query, barred!.column ?? 'amount'), `${at} bar`).toBe(amount)
          }
          const drawn = flow.cards.find(({ figure }) => figure === flow.trend?.figure)
          for (const { day: on, amount } of info.trend.filter((point: { amount: string }) => point.amount !== '0.00')) {
            const query = cardQuery(drawn!, { ...info, from: on, to: on })
            expect(await behind(who, drawn!.kind, query, drawn!.column ?? 'amount'), `${at} ${on}`).toBe(amount)
            narrower += 1
          }
        }
  expect(amounts).toBeGreaterThan(8)
  expect(counts).toBeGreaterThan(2)
  expect(narrower).toBeGreaterThan(0)
})

/** An order of 9 of which nothing more comes than the received or shipped 4: it stands with 4 of its price. */
async function stopped(who: Person, kind: 'purchaseOrder' | 'salesOrder', partner: string): Promise<void> {
  const { central, shop, inflator } = scene
  const sn = await who.add(kind, {
    counterparty_sn: partner,
    business_date: day(-3),
    lines: [{ specification_sn: inflator, quantity: '9', price: '113' }],
    ...(kind === 'purchaseOrder' ? { warehouse_model_inner_sn: central } : {}),
  })
  await who.pass(kind, sn)
  const [next, source] =
    kind === 'purchaseOrder'
      ? ([
          'purchaseGrn',
          {
            source_type: 3,
            lines: [{ source_line_no: 1, ...lotOf(inflator, 'ZZ1'), quantity: '4', price: undefined }],
          },
        ] as const)
      : ([
          'saleOdo',
          {
            source_type: 4,
            warehouse_model_inner_sn: shop,
            lines: [{ source_line_no: 1, lot_no: 'XS1', quantity: '4' }],
          },
        ] as const)
  await who.pass(next, await who.add(next, { source_sn: sn, ...source }))
  await who.done(kind, 'stop', sn, { reason: '余量不再需要' })
  const { list, summary } = await who.client.get(`/v1/business/${kind}/list`, { sn, state: 'stopped' })
  expect(list).toHaveLength(1)
  const worth = list[0].taxed_amount
  expect([list[0].standing_amount, summary.standing_amount]).toEqual(
    Array(2).fill(divide(multiply(worth, '4', 4), '9', 2)),
  )
}
