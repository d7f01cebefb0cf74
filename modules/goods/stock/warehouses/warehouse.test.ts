import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'

/** 仓库: what its moves were booked by stays. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const edit = async (sn: string, more: object) => {
  const { version } = await scene.hospital.info('warehouse', sn)
  return scene.hospital.client.post('/v1/business/warehouse/edit', { sn, version, ...more })
}

test('before its first move a ward may account otherwise; afterwards neither that nor its model changes', async () => {
  const { hospital, ward, balloon } = scene
  expect((await edit(ward, { accounting: 'issue' })).msg).toBe('')
  expect((await edit(ward, { accounting: 'use' })).msg).toBe('')
  await scene.shelve(hospital, ward, [lotOf(balloon, 'HS1', { unit_codes: ['HS-1'] })])
  expectMessage(
    await edit(ward, { accounting: 'issue' }),
    '仓库已有库存业务，不能修改核算方式；请新建仓库，把库存移过去',
  )
  expectMessage(await edit(ward, { model: 'central' }), '仓库已有库存业务，不能修改仓库类型')
  // All else may change, and what is sent unchanged refuses nothing.
  expect((await edit(ward, { accounting: 'use', remark: '护士站西侧' })).msg).toBe('')
  expect(await hospital.info('warehouse', ward)).toMatchObject({ accounting: 'use', remark: '护士站西侧' })
})
