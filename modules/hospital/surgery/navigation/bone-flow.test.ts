import { afterAll, beforeAll, expect, test } from 'vitest'
import { boneFlow } from '#modules/hospital/surgery/navigation/bone-flow.ts'
import { usageRate } from '#modules/hospital/surgery/navigation/bone-flow.server.ts'
import { openScene, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 骨科导航: every number is that of the list behind it, and none of it names a patient. */
let scene: Scene
const secret = /百里长歌|ZY40404/
beforeAll(async () => {
  scene = await openScene()
  for (const [offset, surgery_type] of [
    [0, 'emergency'],
    [2, 'elective'],
    [2, 'emergency'],
  ] as const) {
    const sn = await scene.hospital.add('bonePlan', {
      counterparty_sn: scene.d,
      department_inner_sn: scene.department,
      doctor_inner_sn: scene.surgeon,
      surgery_at: `${day(offset)}T08:00:00.000Z`,
      surgery_type,
      procedure_name: '髋关节置换术',
      patient_name: '百里长歌',
      admission_no: 'ZY40404',
      lines: [{ specification_sn: scene.stent, quantity: '1' }],
    })
    await scene.hospital.pass('bonePlan', sn)
  }
})
afterAll(() => scene?.close())

const flowOf = async (who: Person) => {
  const reply = await who.client.get('/v1/business/flow/bone', { mine: '0' })
  expect(reply.code).toBe(0)
  return reply.info
}

test.each(['hospital', 'dealer', 'vendor'] as const)('each count at %s is that of the list it opens', async who => {
  const person = scene[who]
  const info = await flowOf(person)
  expect(JSON.stringify(info)).not.toMatch(secret)
  expect(info.steps.length).toBeGreaterThan(2)
  for (const step of info.steps)
    for (const count of step.counts) {
      const list = await person.client.get(`/v1/business/${step.kind}/list`, { ...count.query, pageSize: '1' })
      expect([step.kind, count.text, list.total]).toEqual([step.kind, count.text, count.count])
    }
  const flow = boneFlow({ today: day(), yesterday: day(-1) })
  for (const { figure, kind, where, as } of flow.cards) {
    if (info.figures[figure] === undefined || as !== 'count') continue
    const list = await person.client.get(`/v1/business/${kind}/list`, { ...where, pageSize: '1' })
    expect([figure, String(list.total)]).toEqual([figure, info.figures[figure]])
  }
})

test('the coming week says how many operations are where, and how many are urgent', async () => {
  const name = (await scene.one('select name from organisation where id = $1', scene.h)).name
  const { more, figures } = await flowOf(scene.dealer)
  expect(figures).toMatchObject({ today_count: '1' })
  expect(more.coming).toEqual([
    { day: day(), partner_sn: scene.h, name, count: 1, urgent: 1 },
    { day: day(2), partner_sn: scene.h, name, count: 2, urgent: 1 },
  ])
  const hospitals = await flowOf(scene.hospital)
  expect(hospitals.more.coming[0]).toMatchObject({ partner_sn: scene.d, count: 1 })
  expect(hospitals.steps.map((step: { kind: string }) => step.kind)).not.toContain('implantKit')
  expect((await flowOf(scene.vendor)).more.coming).toEqual([])
})

test('three plans that carried 120 implants and used 18 are 15.00%', () => {
  const month = (carried: string, used: string) => ({ month: '2026-10', carried, used })
  expect(usageRate([month('60', '10'), month('40', '6'), month('20', '2')])).toBe('0.1500')
  expect(usageRate([])).toBeNull()
})

test('the platform has no such page, nor has anybody without the right', async () => {
  const platform = await scene.person('platform')
  expect((await platform.client.get('/v1/business/flow/bone')).code).toBe(403)
})
