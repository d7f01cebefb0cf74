import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillInitials } from './initials.ts'
import { afterThisTest, openScene, type Scene } from '#tests/support/fixture.ts'

/** 简拼: pickers ask the server, which finds rows by the pinyin initials of their names. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

/** Names that a picker is offered for what was typed. */
const offered = async (kind: string, q: string) => (await scene.hospital.list(kind, { q })).map(row => String(row.name))

test('warehouses, users, own classes and cabinets are found by their initials, in either case', async () => {
  expect(await offered('warehouse', 'zxk')).toContain('中心库')
  expect(await offered('warehouse', 'ZXK')).toContain('中心库')
  expect(await offered('warehouse', 'zxkqq')).toEqual([])
  for (const [kind, table] of [
    ['user', 'app_user'],
    ['customType', 'custom_type'],
    ['cabinet', 'cabinet'],
  ] as const) {
    const one = await scene.one(
      `select name, pinyin from ${table} where org_id = $1 and pinyin ~ '^[a-z]{2,}$' order by id limit 1`,
      scene.h,
    )
    expect([kind, one.pinyin !== undefined]).toEqual([kind, true])
    expect([kind, await offered(kind, String(one.pinyin))]).toEqual([kind, expect.arrayContaining([one.name])])
  }
})

test('a renamed row is found by its new name alone; rows from before are given theirs', async () => {
  const { hospital, h } = scene
  const sn = await hospital.add('warehouse', { code: 'PYK1', name: '简拼样库', model: 'central' })
  expect(await offered('warehouse', 'jpyk')).toEqual(['简拼样库'])
  await hospital.done('warehouse', 'edit', sn, { name: '更名后库' })
  expect(await offered('warehouse', 'jpyk')).toEqual([])
  expect(await offered('warehouse', 'gmhk')).toEqual(['更名后库'])
  afterThisTest(() =>
    scene.one("update warehouse set status = 'disabled' where org_id = $1 and id = $2 returning id", h, sn),
  )
  await scene.one('update warehouse set pinyin = null where org_id = $1 and id = $2 returning id', h, sn)
  expect(await offered('warehouse', 'gmhk')).toEqual([])
  await fillInitials(scene.server.database.owner)
  expect(await offered('warehouse', 'gmhk')).toEqual(['更名后库'])
})
