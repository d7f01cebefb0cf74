import { wholePieces } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { watchCabinets } from '#modules/hospital/cabinet/device/alarms.server.ts'
import { lotOf, openScene, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'

/** 称重: a plate counts its pieces by weight; missing pieces were used, low stock is requested. */
let scene: Scene
let cabinet = ''
beforeAll(async () => {
  scene = await openScene()
  cabinet = await scene.warehouse('H01-W33')
  await scene.shelve(scene.hospital, cabinet, [lotOf(scene.inflator, 'CZ1', { quantity: '20', price: '5' })])
})
afterAll(() => scene?.close())

const post = (call: string, body: Record<string, unknown>) =>
  scene.hospital.client.post(`/v1/business/weighingPlate/${call}`, body)
const plate = async () => (await scene.hospital.list('weighingPlate', { code: 'CZT-9' }))[0]
const act = async (action: string, more: object = {}) => {
  const { weighing_plate_sn: sn, version } = await plate()
  return post(action, { sn, version, ...more })
}
const bind = (more: object = {}) =>
  act('bind', { specification_sn: scene.inflator, lot_no: 'CZ1', known_pieces: '20', weight_g: '1260', ...more })

story('weighing, from one step to the next', step => {
  step(
    'a scale is tared, learns the piece weight from ten or more, and counts: (1260 g − 200 g) / 53 g = 20',
    async () => {
      const added = await post('add', {
        code: 'CZT-9',
        warehouse_model_inner_sn: cabinet,
        lower_limit: '15',
        par_level: '30',
      })
      expect(added.code, added.msg).toBe(0)
      expect((await act('tare', { weight_g: '200' })).code).toBe(0)
      expectMessage(await bind({ known_pieces: '9' }), '学习单件重量至少需要10件')
      expect((await bind()).code).toBe(0)
      expect(await plate()).toMatchObject({ piece_g: '53.000', pieces: '20.000', book_quantity: '20.000' })
      expectMessage(await bind(), '托盘已绑定产品，请先解除绑定')
      expectMessage(await act('unbind', { weight_g: '900' }), '托盘上仍有物品，不能解除绑定')
      expectMessage(await act('read', { weight_g: '980' }), '托盘【CZT-9】重量异常，请人工核对')
      expect((await act('read', { weight_g: '948' })).code).toBe(0)
      expect(await plate()).toMatchObject({ pieces: '14.000', book_quantity: '20.000' })
    },
  )

  step(
    'missing pieces become a consumption document when the weighing is reviewed; counts are not typed in',
    async () => {
      const { hospital, inflator } = scene
      const typed = await hospital.add('weighing', {
        warehouse_model_inner_sn: cabinet,
        lines: [{ specification_sn: inflator, lot_no: 'CZ1', quantity: '3' }],
      })
      expectMessage(await hospital.do('weighing', 'submit', typed), '第1行：请用按称重生成，称重数量不能手工录入')
      const { info } = await hospital.client.post('/v1/business/weighing/generate', {
        warehouse_model_inner_sn: cabinet,
      })
      expect((await hospital.info('weighing', info.sn)).lines).toMatchObject([
        { plate_no: 'CZT-9', direction: 'less', quantity: '6.000', book_quantity: '20.000', pieces: '14.000' },
      ])
      await hospital.pass('weighing', info.sn)
      const use = await hospital.from('departmentUse', info.sn)
      expect(use).toMatchObject({ state: 'reviewed', use_type: 'weighing', total_quantity: '6.000' })
      expect(await shelf(hospital, cabinet, inflator)).toEqual({ CZ1: '14.000' })
      const again = await hospital.client.post('/v1/business/weighing/generate', { warehouse_model_inner_sn: cabinet })
      expectMessage(again, '托盘数量与账面一致，不需要生成称重单')
    },
  )

  step('below its limit a scale requests up to par level, once; with the door open nothing is counted', async () => {
    const { hospital } = scene
    expect((await act('replenish')).code).toBe(0)
    const { replenish_sn } = await plate()
    expect(await hospital.info('requisition', replenish_sn)).toMatchObject({
      state: 'draft',
      to_warehouse_model_inner_sn: cabinet,
      lines: [{ quantity: '16.000' }],
    })
    expectMessage(await act('replenish'), `该托盘已有未完成的补货申领（${replenish_sn}）`)
    await scene.server.database.owner`update weighing_plate set is_door_open = true where code = 'CZT-9'`
    expectMessage(await act('read', { weight_g: '948' }), '托盘【CZT-9】柜门未关，不能称重')
  })

  step('a surplus is received up to what was issued to this slot; the rest stays to be counted', async () => {
    const { hospital, inflator, central, department } = scene
    await scene.server.database.owner`update weighing_plate set is_door_open = false where code = 'CZT-9'`
    await scene.shelve(hospital, central, [lotOf(inflator, 'CZ1', { quantity: '4', price: '5' })])
    const lines = [{ specification_sn: inflator, lot_no: 'CZ1', quantity: '4' }]
    const grant = await hospital.add('grantOdo', {
      warehouse_model_inner_sn: central,
      to_warehouse_model_inner_sn: cabinet,
      department_inner_sn: department,
      lines,
    })
    await hospital.pass('grantOdo', grant)
    const book = wholePieces((await plate()).book_quantity)
    // Five more than the ledger: four were issued, one is unknown.
    expect((await act('read', { weight_g: String(200 + 53 * (book + 5)) })).code).toBe(0)
    expect(await plate()).toMatchObject({ difference: '5.000', difference_state: 'more', device_state: 'none' })
    const { info } = await hospital.client.post('/v1/business/weighing/generate', { warehouse_model_inner_sn: cabinet })
    // Beside the previous document's weight of the plate.
    expect((await hospital.info('weighing', info.sn)).lines[0]).toMatchObject({
      last_pieces: '14.000',
      last_weight_g: '948.000',
      changed_pieces: `${book + 5 - 14}.000`,
    })
    await hospital.pass('weighing', info.sn)
    expect(await hospital.from('wardReceipt', grant)).toMatchObject({ state: 'reviewed' })
    expect(await plate()).toMatchObject({ book_quantity: `${book + 4}.000`, difference: '1.000' })
  })

  step('a scale silent for half an hour is reported, once a day', async () => {
    const { app, owner } = scene.server.database
    const silent = async (minutes: number) => {
      const since = `${minutes} minutes`
      await owner`update cabinet set key_state = 'active', status = 'enabled', last_beat_at = now() - ${since}::interval
      where warehouse_id = ${cabinet}`
      await owner`update weighing_plate set read_at = now() - ${since}::interval where code = 'CZT-9'`
      await watchCabinets(app, owner)
      return (await scene.hospital.list('errorRecord', { error_kind: 'offline' })).filter(
        row => row.description === '托盘【CZT-9】超过30分钟没有读数',
      )
    }
    expect(await silent(29)).toEqual([])
    expect(await silent(31)).toMatchObject([{ times: 1 }])
    expect(await silent(40)).toMatchObject([{ times: 1 }])
  })
})
