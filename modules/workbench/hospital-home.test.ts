import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccounts } from '#demo/masters/people.ts'
import { documents, entities } from '#modules/registry.ts'
import { afterThisTest, openScene, type Scene } from '../../tests/support/fixture.ts'
import type { Client } from '../../tests/support/test-server.ts'

/** 医院首页: what a card says is what its page says, for whoever looks; a ward's people see their ward. */
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
}, 60_000)
afterAll(() => scene?.close())

type Figure = { label: string; text: string; as: string; route: string }
type Card = { key: string; title: string; figures: readonly Figure[] }
const PATH = '/v1/business/hospitalHome'
const cardsOf = async (client: Client, query: Record<string, string> = {}) =>
  (await client.get(PATH, query)).info.cards as readonly Card[]
const figureOf = (cards: readonly Card[], key: string, label: string) =>
  cards.find(card => card.key === key)?.figures.find(figure => figure.label === label)

/** What the page at an address lists: its number of rows and its sums. */
async function listed(client: Client, address: string) {
  const [route, search = ''] = address.split('?')
  const { tab, ...query } = Object.fromEntries(new URLSearchParams(search))
  const found = [...documents, ...entities]
    .flatMap(definition => definition.screens.map(screen => ({ kind: definition.kind as string, screen })))
    .find(({ screen }) => screen.route === route && (tab === undefined || screen.tab === tab))!
  const states = found.screen.states && !query.state ? { state: found.screen.states.join(',') } : {}
  return client.get(`/v1/business/${found.kind}/list`, { ...found.screen.where, ...states, ...query })
}

describe.each(demoAccounts.filter(({ org }) => org === 'H01').map(({ login }) => login))('the home of %s', login => {
  test('has figures that equal the pages they open', async () => {
    const client = await scene.server.as(login)
    const cards = await cardsOf(client, { refresh: '1' })
    expect(cards.length).toBeGreaterThan(0)
    for (const figure of cards.flatMap(card => card.figures)) {
      const reply = await listed(client, figure.route)
      expect(reply.code, `${figure.route} ${reply.msg}`).toBe(0)
      if (figure.as === 'count') expect([figure.route, figure.text]).toEqual([figure.route, String(reply.total)])
      else expect(Object.values(reply.summary ?? {}), figure.route).toContain(figure.text)
    }
  })
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

test('a card whose page somebody does not have is left out; other organisations have no such page', async () => {
  const keeper = await scene.person('keeper')
  const keys = (await cardsOf(keeper.client)).map(({ key }) => key)
  expect(keys).not.toContain('toSettle')
  expect((await scene.dealer.client.get(PATH)).code).not.toBe(0)
})
