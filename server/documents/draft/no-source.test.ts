import { afterAll, beforeAll, expect, test } from 'vitest'
import { sourceTypeNames } from '#kernel/definition/source-type.ts'
import { documents } from '#kernel/registry.ts'
import { proves } from '#tests/support/proves.ts'
import { openScene, type Scene } from '#tests/support/fixture.ts'

/** A draft says what it was made from only where it names it. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

test('a type of source without a source is refused for every kind that is made from others', async () => {
  proves('document.sourceNamed')
  const { hospital, dealer, vendor } = scene
  const people = { H: hospital, D: dealer, V: vendor }
  const tried: string[] = []
  const kinds = documents().filter(
    ({ ownerTypes, sourcing, lifecycle }) =>
      /[HDV]/.test(ownerTypes) && (sourcing.sources?.length ?? 0) > 0 && lifecycle.manualEntry !== false,
  )
  for (const { kind, ownerTypes, sourcing } of kinds) {
    const who = people[ownerTypes.match(/[HDV]/)![0] as keyof typeof people]
    for (const type of new Set(sourcing.sources!.map(({ sourceType }) => sourceType))) {
      const { code, msg, info } = await who.client.post(`/v1/business/${kind}/add`, { source_type: type, lines: [] })
      expect([kind, type, code, msg, info?.sn]).toEqual([
        kind,
        type,
        expect.any(Number),
        `来源类型为【${sourceTypeNames[type]}】，请选择来源单`,
        undefined,
      ])
      expect(code).not.toBe(0)
      tried.push(kind)
    }
  }
  expect(tried).toContain('purchaseGrn')
})

test('a type that does not exist is refused, and 0 says that there is none', async () => {
  const { hospital, central, inflator, d } = scene
  const body = {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: [{ specification_sn: inflator, quantity: '1', lot_no: 'NS1', expiry_date: '2030-01-01' }],
  }
  const add = (source_type: number) => hospital.client.post('/v1/business/purchaseGrn/add', { ...body, source_type })
  expect((await add(999)).msg).toBe('来源类型有误，请重新选择来源单')
  expect((await add(0)).msg).toBe('')
})
