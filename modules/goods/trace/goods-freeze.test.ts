import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'
import type { Reply } from '#tests/support/test-server.ts'
import { holdPostings } from '#server/documents/posting/unfit-goods.ts'

/** 冻结批次 and 解除冻结 from the trace page: a lot, a piece or a box, in force from one moment to the next. */
let scene: Scene
let other: Person
beforeAll(async () => {
  scene = await openScene()
  await scene.one("update app_user set is_administrator = true where login = 'keeper' returning 1")
  other = await scene.person('keeper')
  const { hospital, central, inflator, balloon } = scene
  await scene.shelve(hospital, central, [
    ...['DJ1', 'DJ3', 'DJ4'].map(lot => lotOf(inflator, lot, { quantity: '10', price: '12' })),
    lotOf(balloon, 'DJP', { unit_codes: ['DJ-1', 'DJ-2', 'DJ-3'] }),
    lotOf(balloon, 'DJB', { unit_codes: ['DJ-4', 'DJ-5', 'DJ-6'] }),
    lotOf(inflator, 'DJS', { quantity: '1' }),
    lotOf(balloon, 'DJS', { unit_codes: ['DJ-7'] }),
  ])
})
afterAll(() => scene?.close())

const call = (who: Person, name: string, body: Readonly<Record<string, unknown>>) =>
  who.client.post(`/v1/business/goodsFreeze/${name}`, body)
const freeze = async (code: string, who: Person = scene.hospital) => {
  const reply = await call(who, 'freeze', { code, reason: '疑似破损' })
  expect(reply.code, reply.msg).toBe(0)
  return reply.info.said as string
}
const inForce = async (lot_no: string) =>
  (await scene.hospital.list('goodsFreeze', { lot_no, state: 'frozen' })).map(row => row.goods_freeze_sn as string)
const unfreeze = (who: Person, sns: readonly string[], release_reason: string | null = '已复检合格') =>
  call(who, 'unfreeze', { sns: JSON.stringify(sns), release_reason })
const grantOf = (line: object) => ({
  warehouse_model_inner_sn: scene.central,
  to_warehouse_model_inner_sn: scene.ward,
  lines: [line],
})
const some = (lot_no: string, quantity = '2') => ({ specification_sn: scene.inflator, lot_no, quantity })
const available = async (lot_no: string) =>
  (await scene.hospital.list('stockBalance', { lot_no })).map(row => row.available)

describe('a frozen lot', () => {
  test('leaves by no document, not even one submitted before, and says that it is frozen', async () => {
    const { hospital } = scene
    const before = await hospital.add('grantOdo', grantOf(some('DJ1')))
    await hospital.done('grantOdo', 'submit', before)
    expect(await freeze('DJ1')).toBe('批号DJ1已冻结')
    expect(await available('DJ1')).toEqual(['0.000'])
    expectMessage(await hospital.do('grantOdo', 'review', before), '第1行：批号DJ1已冻结，不能出库')
    // More than there is, and it is still the freeze that stands in the way.
    for (const kind of ['grantOdo', 'transfer'])
      expectMessage(await attempt(hospital, kind, grantOf(some('DJ1', '99'))), /批号DJ1已冻结/)
    expectMessage(await call(hospital, 'freeze', { code: 'DJ1', reason: '再次' }), '批号DJ1已冻结')
  })

  test('is not proposed, so that another lot leaves in its place', async () => {
    const { hospital, central, inflator } = scene
    const earliest = lotOf(inflator, 'DJ2', { quantity: '10', expiry_date: day(200) })
    await scene.shelve(hospital, central, [earliest])
    const proposed = async () => {
      const sn = await hospital.add('grantOdo', grantOf({ specification_sn: inflator, quantity: '1' }))
      return (await hospital.info('grantOdo', sn)).lines[0].lot_no as string
    }
    expect(await proposed()).toBe('DJ2')
    await freeze('DJ2')
    expect(await proposed()).toMatch(/^DJ[^2]/)
  })

  test('is released with a reason, by somebody else than who froze it', async () => {
    const { hospital } = scene
    await freeze('DJ3')
    const standing = await inForce('DJ3')
    expectMessage(await unfreeze(hospital, standing), '批号DJ3是本人冻结的，请由他人解除冻结')
    expect((await unfreeze(other, standing, null)).code).not.toBe(0)
    expect((await unfreeze(other, standing)).info.said).toBe('已解除冻结：批号DJ3')
    expectMessage(await unfreeze(other, standing), '批号DJ3已解除冻结')
    const sn = await hospital.add('grantOdo', grantOf(some('DJ3')))
    await hospital.done('grantOdo', 'submit', sn)
    // What was frozen, why, and who released it stays on record.
    const [row] = await hospital.list('goodsFreeze', { lot_no: 'DJ3' })
    expect(row).toMatchObject({ state: 'released', reason: '疑似破损', release_reason: '已复检合格' })
  })

  test('stays although its issue is reviewed in the same moment: what is being posted waits for the freeze', async () => {
    const { hospital, central, h, inflator } = scene
    await scene.shelve(hospital, central, [lotOf(inflator, 'DJ9', { quantity: '4' })])
    const sn = await hospital.add('grantOdo', grantOf(some('DJ9')))
    await hospital.done('grantOdo', 'submit', sn)
    let reviewed: Promise<Reply> | undefined
    await scene.server.database.owner.begin(async tx => {
      await holdPostings(tx as never, h)
      await tx`
        insert into goods_freeze (org_id, specification_id, lot_id, unit_id, reason, frozen_user_id, frozen_by)
        select ${h}, specification_id, id, 0, '可疑', 0, '质量员' from lot where lot_no = 'DJ9'`
      reviewed = hospital.do('grantOdo', 'review', sn)
      const first = await Promise.race([reviewed, setTimeout(700, 'waits' as const)])
      expect(first).toBe('waits')
    })
    expectMessage((await reviewed)!, '第1行：批号DJ9已冻结，不能出库')
  })

  test('is told on the trace page', async () => {
    await freeze('DJ4')
    const { info } = await scene.hospital.trace('DJ4')
    expect(info.freezes).toMatchObject([{ code: null, reason: '疑似破损' }])
  })
})

describe('a frozen piece', () => {
  test('stays while the rest of its lot leaves', async () => {
    const { hospital } = scene
    expect(await freeze('DJ-1')).toBe('院内码DJ-1已冻结')
    expect(await available('DJP')).toEqual(['2.000'])
    for (const kind of ['inventoryDetail', 'centralInventory']) {
      const reply = await hospital.client.get(`/v1/report/${kind}`, { end_date: day(), pageSize: '500' })
      const row = reply.list.find((each: { lot_no: string }) => each.lot_no === 'DJP')
      expect(row, kind).toMatchObject({ quantity: '3.000', available: '2.000' })
    }
    expectMessage(
      await attempt(hospital, 'grantOdo', grantOf({ unit_codes: ['DJ-1', 'DJ-2'] })),
      '第1行：院内码DJ-1已冻结，不能出库',
    )
    const sn = await hospital.add('grantOdo', grantOf({ unit_codes: ['DJ-2'] }))
    await hospital.done('grantOdo', 'submit', sn)
    const { info } = await hospital.trace('DJ-1')
    expect(info.freezes).toMatchObject([{ code: 'DJ-1' }])
    expect((await hospital.trace('DJ-3')).info.freezes).toEqual([])
  })

  test('that is not here cannot be frozen, and what nobody knows is not found', async () => {
    const { hospital } = scene
    expectMessage(await call(hospital, 'freeze', { code: '没有这个码', reason: '测试' }), /没有找到/)
    const lost = await hospital.add('loss', {
      warehouse_model_inner_sn: scene.central,
      loss_type: 'missing',
      lines: [{ unit_codes: ['DJ-3'], line_reason: '盘点未见' }],
    })
    await hospital.done('loss', 'submit', lost)
    await other.done('loss', 'review', lost)
    expectMessage(
      await call(hospital, 'freeze', { code: 'DJ-3', reason: '测试' }),
      '院内码DJ-3不在本机构库存中，不能冻结',
    )
  })
})

test('a box freezes each of its pieces, and no other of the lot', async () => {
  const { hospital, h } = scene
  await scene.one(
    `insert into opened_box (org_id, code, document_id, lot_id, piece_codes)
     select $1, 'BOX-DJ', 1, id, '{DJ-4,DJ-5}' from lot where lot_no = 'DJB' returning 1`,
    h,
  )
  expect(await freeze('BOX-DJ')).toBe('已冻结2件')
  expect((await hospital.list('goodsFreeze', { lot_no: 'DJB' })).map(row => row.code).toSorted()).toEqual([
    'DJ-4',
    'DJ-5',
  ])
  expectMessage(await attempt(hospital, 'grantOdo', grantOf({ unit_codes: ['DJ-5'] })), /院内码DJ-5已冻结/)
  const sn = await hospital.add('grantOdo', grantOf({ unit_codes: ['DJ-6'] }))
  await hospital.done('grantOdo', 'submit', sn)
})

test('a number that several products have asks for one of them', async () => {
  const { hospital, balloon } = scene
  expectMessage(
    await call(hospital, 'freeze', { code: 'DJS', reason: '测试' }),
    /“DJS”对应多个产品或批号，请选择规格型号/,
  )
  const reply = await call(hospital, 'freeze', { code: 'DJS', reason: '测试', specification_sn: balloon })
  expect(reply.info.said).toBe('批号DJS已冻结')
})

test('who lacks the right freezes nothing, and what an organisation froze binds it alone', async () => {
  const { dealer, hospital, shop, inflator } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, 'DJ1', { quantity: '5' })])
  const nurse = await scene.person('nurse')
  expectMessage(await call(nurse, 'freeze', { code: 'DJ1', reason: '测试' }), /没有操作权限/)
  expect(await dealer.list('goodsFreeze')).toEqual([])
  expect((await dealer.trace('DJ1')).info.freezes).toEqual([])
  expect(hospital).toBeDefined()
})
