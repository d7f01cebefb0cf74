import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '#tests/support/fixture.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const asked = async (who: keyof Pick<Scene, 'hospital' | 'dealer'>, query: Record<string, string> = {}) =>
  (await scene[who].client.get('/v1/rulebook/list', query)).list

test('a page has its own rules alone, and the book those of all pages of the organisation', async () => {
  const ids = async (route: string) => (await asked('dealer', { route })).map(({ id }) => id)
  expect(await ids('/commonView/buyGrn')).toContain('stock.lotDatesAgree')
  expect(await ids('/commonView/buyGrn')).not.toContain('stock.firstExpiryFirst')
  expect(await ids('/nowhere')).toEqual([])
  expect(await asked('hospital', { route: '/commonView/buyGrn' })).toEqual([])
  const book = (await asked('hospital')).map(({ id }) => id)
  expect(book).toEqual(expect.arrayContaining(['document.otherPerson', 'stock.firstExpiryFirst']))
  expect(new Set(book).size).toBe(book.length)
  expect((await scene.server.outsider.get('/v1/rulebook/list')).status).toBe(401)
})

test('a rule that can be set says how the organisation has set it, since when and by whom', async () => {
  const ofFirstExpiry = async () => (await asked('hospital')).find(({ id }) => id === 'stock.firstExpiryFirst')
  expect(await ofFirstExpiry()).toMatchObject({ state: '提醒' })
  const [row] = await scene.hospital.list('hospitalRule', { name: 'fefo' })
  await scene.hospital.client.post('/v1/business/hospitalRule/edit', {
    hospital_rule_sn: row.hospital_rule_sn,
    version: row.version,
    control: 'refuse',
    reason: '按先进先出管理',
  })
  expect(await ofFirstExpiry()).toMatchObject({
    state: '禁止',
    changed_by: expect.any(String),
    changed_on: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
  })
  expect((await asked('dealer')).find(({ id }) => id === 'stock.firstExpiryFirst')).toMatchObject({ state: '提醒' })
})

test('a refusal names its rule', async () => {
  const reply = await scene.hospital.client.post('/v1/business/purchaseGrn/add', { source_type: 1, lines: [] })
  expect(reply).toMatchObject({ code: 2000, rule: 'document.sourceNamed' })
})
