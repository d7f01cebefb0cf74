import { sum } from '#kernel/values/decimal.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { lotOf, openScene, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'
import { story } from '#tests/support/steps.ts'

/** 低值耗材柜 and 柜体库存: what the slots hold, how long it lasts, what is taken out and requested. */
let scene: Scene
let gauze = ''
let gloves = ''
let door = ''
const store = { low: '', high: '' }
beforeAll(async () => {
  scene = await openScene()
  store.low = await scene.warehouse('H01-W33')
  store.high = await scene.warehouse('H01-W31')
  const { owner } = scene.server.database
  const plain = await owner<{ id: string }[]>`
    select s.id from specification s join product p on p.id = s.product_id
      join hospital_product h on h.specification_id = s.id
     where h.org_id = ${scene.h} and not p.is_high_value and not p.is_cold_chain
       and not coalesce(h.is_unit_coded, p.is_unit_coded) order by s.id limit 2`
  ;[gauze, gloves] = plain.map(row => row.id) as [string, string]
  await scene.shelve(scene.hospital, store.low, [
    lotOf(gauze, 'ZD2', { quantity: '30', price: '2', expiry_date: day(300) }),
    lotOf(gauze, 'ZD1', { quantity: '140', price: '2', expiry_date: day(200) }),
  ])
  door = (await scene.hospital.list('cupboard', { cabinet_code: 'DZ-33', door_no: '1' }))[0].cupboard_sn
})
afterAll(() => scene?.close())

const post = (kind: string, call: string, body: Record<string, unknown>) =>
  scene.hospital.client.post(`/v1/business/${kind}/${call}`, body)
const row = async (slot_no: string) =>
  (await scene.hospital.list('lowValueSlot', { location: `DZ-33-1-1-${slot_no}` }))[0]
async function act(slot_no: string, action: string, more: Record<string, unknown> = {}) {
  const { low_value_slot_sn: sn, version } = await row(slot_no)
  return post('lowValueSlot', action, { sn, version, ...more })
}
const add = (slot_no: string, more: Record<string, unknown> = {}) =>
  post('lowValueSlot', 'add', { door_sn: door, layer: '1', slot_no, measure: 'key', ...more })

story('低值耗材柜 from the first slot to the request that refills it', step => {
  step('a slot holds one specification; unbinding needs it empty; high-value goods are refused', async () => {
    expect((await add('1')).code).toBe(0)
    expect(await row('1')).toMatchObject({ stock_state: 'unbound', cabinet_name: 'ICU低值称重柜', quantity: '0.000' })
    expectMessage(await act('1', 'take', { quantity: '1' }), '货格未绑定产品')
    expectMessage(await act('1', 'bind', { specification_sn: scene.balloon }), '高值耗材不能放入低值耗材柜')
    expect((await act('1', 'bind', { specification_sn: gauze })).code).toBe(0)
    expectMessage(await act('1', 'bind', { specification_sn: gloves }), /^货格已绑定【.+】$/)
    expectMessage(await act('1', 'unbind'), '货格仍有库存，不能解除绑定')
    expectMessage(await add('2', { measure: 'two_bin' }), '双箱定数包请填写定数包规格')
    expectMessage(await add('2', { lower_limit: '9', upper_limit: '8' }), '下限不能大于上限')
  })

  step('a take consumes the oldest lot for the department; more than the balance is refused', async () => {
    expectMessage(await act('1', 'take', { quantity: '171' }), '货格库存不足')
    expect((await act('1', 'take', { quantity: '150' })).code).toBe(0)
    expect(await shelf(scene.hospital, store.low, gauze)).toEqual({ ZD2: '20.000' })
    const [taken] = await scene.hospital.list('cabinetTransaction', { specification_sn: gauze })
    expect(taken).toMatchObject({
      operation: 'take',
      state: 'linked',
      quantity: '150.000',
      stock_after: '20.000',
      auth: '手工登记',
      document_kind: 'departmentUse',
    })
    expect(await scene.hospital.info('departmentUse', taken.document_sn)).toMatchObject({
      state: 'reviewed',
      use_type: 'cabinet',
      patient_name: null,
    })
  })

  step(
    '150 used in 30 days are 5 a day: stock 20 lasts 4 days; at 3 days or the refill point it is flagged',
    async () => {
      expect(await row('1')).toMatchObject({
        quantity: '20.000',
        daily_use: '5.000',
        days_left: '4.000',
        used_today: '150.000',
        used_month: '150.000',
        near_lot: expect.stringMatching(/^ZD2 /),
        stock_state: 'normal',
        last_operator: expect.any(String),
      })
      expect((await act('1', 'take', { quantity: '5' })).code).toBe(0)
      expect(await row('1')).toMatchObject({ quantity: '15.000', stock_state: 'short' })
      expect((await act('1', 'edit', { lower_limit: '20', upper_limit: '100' })).code).toBe(0)
      expect(await row('1')).toMatchObject({ stock_state: 'low', refill_state: 'none' })
      // A reversed use is not consumption.
      const [taken] = await scene.hospital.list('cabinetTransaction', { quantity: '5', specification_sn: gauze })
      await scene.hospital.done('departmentUse', 'redReverse', taken.document_sn, { reason: '误登记' })
      expect(await row('1')).toMatchObject({ quantity: '20.000', used_today: '150.000' })
    },
  )

  step(
    '消耗统计: department use by month net of take-backs, linked to its moves, with the previous month',
    async () => {
      const { hospital, server, h } = scene
      const query = { begin_date: `${day().slice(0, 7)}-01`, end_date: day(), specification_sn: gauze }
      const ask = async (more: object = {}, who = hospital) => {
        const reply = await who.client.get('/v1/report/lowValueConsumption', { ...query, ...more } as never)
        expect(reply.code, reply.msg).toBe(0)
        return reply
      }
      const { list, summary } = await ask()
      const days = parseInteger(day().slice(8))
      expect(list).toMatchObject([
        {
          month: day().slice(0, 7),
          department_name: expect.stringContaining('ICU'),
          cabinet_name: 'ICU低值称重柜',
          quantity: '150.000',
          cost: '300.00',
          daily_quantity: (150 / days).toFixed(3),
          quantity_before: '0.000',
          change: null,
        },
      ])
      expect(summary).toMatchObject({ quantity: '150.000', cost: '300.00' })
      // The same uses, half of them a month ago, give two months; each is compared with the previous one.
      const first = `${day(-31).slice(0, 7)}-01`
      await server.database.owner`
    update stock_move set at = ${`${first}T12:00:00+08:00`}::timestamptz
      where org_id = ${h} and specification_id = ${gauze} and step = 'use' and quantity = -10`
      const months = (await ask({ begin_date: first, group_by: 'month' })).list
      expect(
        sum(
          months.map((row: { quantity: string }) => row.quantity),
          3,
        ),
      ).toBe('150.000')
      expect((await ask({ department_inner_sn: scene.department })).list).toEqual([])
    },
  )

  step(
    '一键补货 requests everything low once, exactly one pack for two-bin slots; open requests are skipped',
    async () => {
      expect(
        (
          await add('3', {
            measure: 'two_bin',
            specification_sn: gloves,
            pack_quantity: '25',
            lower_limit: '0',
            upper_limit: '500',
          })
        ).code,
      ).toBe(0)
      const made = await post('lowValueSlot', 'replenish', {})
      expect(made.info.said).toMatch(/^已生成补货申领SL\d+$/)
      const doc = await scene.hospital.info('requisition', made.info.said.slice(7))
      expect(doc).toMatchObject({ state: 'draft', claim_type: 'refill', to_warehouse_model_inner_sn: store.low })
      expect(
        doc.lines
          .map((line: { specification_sn: string; quantity: string }) => [line.specification_sn, line.quantity])
          .sort(),
      ).toEqual(
        [
          [gauze, '80.000'],
          [gloves, '25.000'],
        ].sort(),
      )
      expect(await row('1')).toMatchObject({ refill_state: 'open' })
      expectMessage(await post('lowValueSlot', 'replenish', {}), /^已有未完成的补货申领：/)
      const { low_value_slot_sn } = await row('1')
      expectMessage(
        await post('lowValueSlot', 'pack', { sns: [low_value_slot_sn] }),
        '货格【DZ-33-1-1-1】不是双箱定数包，请用一键补货',
      )
      await scene.hospital.done('requisition', 'submit', doc.sn)
      await scene.hospital.done('requisition', 'reject', doc.sn, { reason: '改日' })
      await scene.hospital.client.post('/v1/business/requisition/del', {
        sn: doc.sn,
        version: (await scene.hospital.info('requisition', doc.sn)).version,
      })
      const packs = await post('lowValueSlot', 'pack', { sns: [(await row('3')).low_value_slot_sn] })
      expect(packs.code, packs.msg).toBe(0)
    },
  )

  step(
    '柜体库存: upper 10, lower 4, stock 3, in transit 2: requests 5; one draft a cabinet, open ones named',
    async () => {
      const { hospital, central, balloon, d, department } = scene
      await scene.shelve(hospital, store.high, [
        lotOf(balloon, 'ZD8', { quantity: '3', unit_codes: ['ZD-1', 'ZD-2', 'ZD-3'], owner_org_sn: d }),
      ])
      await scene.shelve(hospital, central, [
        lotOf(balloon, 'ZD9', { quantity: '2', unit_codes: ['ZD-8', 'ZD-9'], owner_org_sn: d }),
      ])
      const grant = await hospital.add('grantOdo', {
        warehouse_model_inner_sn: central,
        to_warehouse_model_inner_sn: store.high,
        department_inner_sn: department,
        lines: [{ specification_sn: balloon, lot_no: 'ZD9', quantity: '2', unit_codes: ['ZD-8', 'ZD-9'] }],
      })
      await hospital.pass('grantOdo', grant)
      const stock = async () => (await hospital.list('cabinetStock', { lot_no: 'ZD8' }))[0]
      const call = async (name: string, more: Record<string, unknown> = {}) =>
        post('cabinetStock', name, { sns: [(await stock()).cabinet_stock_sn], ...more })
      expectMessage(await call('limit', { lower_limit: '4', upper_limit: '10' }), /没有绑定货格/)
      const [a] = await hospital.list('cupboard', { cabinet_code: 'GZ-31', door_no: 'A' })
      await post('cabinetSlot', 'add', {
        door_sn: a.cupboard_sn,
        layer: '1',
        slot_no: '1',
        specification_sn: balloon,
        measure: 'rfid',
      })
      expectMessage(await call('limit', { lower_limit: '11', upper_limit: '10' }), '下限不能大于上限')
      expect((await call('limit', { lower_limit: '4', upper_limit: '10' })).code).toBe(0)
      expect(await stock()).toMatchObject({
        quantity: '3.000',
        unit_count: 3,
        proposed: '5.000',
        stock_state: 'low',
        slot: 'GZ-31-A-1-1',
        door_no: 'A',
        owner_name: expect.any(String),
        read_quantity: null,
      })
      expect(await hospital.list('cabinetStock', { unit_code: 'ZD-2' })).toHaveLength(1)
      expectMessage(await post('cabinetStock', 'replenish', {}), '请先勾选表格中的复选框，再进行该操作。')
      const made = await call('replenish')
      expect(made.code, made.msg).toBe(0)
      expect(await hospital.info('requisition', /SL\d+/.exec(made.info.said)![0])).toMatchObject({
        to_warehouse_model_inner_sn: store.high,
        lines: [{ quantity: '5.000' }],
      })
      expectMessage(await call('replenish'), /^已有未完成的补货申领：.+（SL\d+）$/)
      expectMessage(await call('locate'), '智能柜【导管室高值柜】不在线，请检查设备网络后重试')
    },
  )
})
