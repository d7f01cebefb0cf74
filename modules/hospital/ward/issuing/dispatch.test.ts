import { subtract } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { attempt, lotOf, openScene, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'
import { story } from '#tests/support/steps.ts'

/**
 * 配送单: approved requisitions of one department become a picking list; what is picked is issued, what is short goes
 * back.
 */
let scene: Scene
let requisition = ''
beforeAll(async () => {
  scene = await openScene()
  const { hospital, central, inflator, balloon } = scene
  await scene.shelve(hospital, central, [
    lotOf(inflator, 'PS1', { quantity: '6', expiry_date: day(200) }),
    lotOf(inflator, 'PS2', { quantity: '50', expiry_date: day(600) }),
    lotOf(balloon, 'PS3', { unit_codes: ['PS-31', 'PS-32'], expiry_date: day(300) }),
    lotOf(balloon, 'PS4', { unit_codes: ['PS-41'], expiry_date: day(600) }),
  ])
})
afterAll(() => scene?.close())

async function approved(lines: object[], more: object = {}): Promise<string> {
  const sn = await scene.hospital.add('requisition', {
    warehouse_model_inner_sn: scene.central,
    to_warehouse_model_inner_sn: scene.ward,
    department_inner_sn: scene.department,
    lines,
    ...more,
  })
  await scene.hospital.pass('requisition', sn)
  return sn
}
const free = async (lot_no: string) =>
  (await scene.hospital.list('stockBalance', { warehouse_model_inner_sn: scene.central, lot_no }))[0].available
const edit = async (sn: string, body: object) => {
  const { version } = await scene.hospital.info('dispatch', sn)
  return scene.hospital.client.post('/v1/business/dispatch/edit', { sn, version, ...body })
}

/** For an issue at the counter. */
const picked = async (grant: string, lines: object[]) => {
  const { version } = await scene.hospital.info('grantOdo', grant)
  expect((await scene.hospital.client.post('/v1/business/grantOdo/edit', { sn: grant, version, lines })).msg).toBe('')
}

let sn = ''
story('配送单 of one department, from allocation to issue', step => {
  step(
    'lots are allocated by expiry and reserved at submit; nothing of the requisition is left for others',
    async () => {
      const { hospital, inflator } = scene
      requisition = await approved([{ specification_sn: inflator, quantity: '10' }])
      sn = await hospital.add('dispatch', { source_type: 104, source_sn: requisition })
      expect(
        (await hospital.info('dispatch', sn)).lines.map((line: { lot_no: string; quantity: string }) => [
          line.lot_no,
          line.quantity,
        ]),
      ).toEqual([
        ['PS1', '6.000'],
        ['PS2', '4.000'],
      ])
      await hospital.done('dispatch', 'submit', sn)
      expect([await free('PS1'), await free('PS2')]).toEqual(['0.000', '46.000'])
      expect((await hospital.info('requisition', requisition)).lines[0]).toMatchObject({
        allocated_quantity: '10.000',
        executed_quantity: '0.000',
      })
      const direct = await attempt(
        hospital,
        'grantOdo',
        { source_type: 104, source_sn: requisition, lines: [{ source_line_no: 1, quantity: '1' }] },
        'review',
      )
      expectMessage(direct, `发放数量超过申领未发放数量0，已有配送单${sn}`)
      for (const row of await hospital.list('grantOdo', { state: 'submitted' }))
        await hospital.done('grantOdo', 'unsubmit', row.sn)
    },
  )

  step('picked short with a reason: the reservation and the allocation of the rest are released', async () => {
    const { hospital } = scene
    expectMessage(await edit(sn, { lines: [{ line_no: 2, picked_quantity: '5' }] }), '第2行：已拣数量不能大于应配数量4')
    expectMessage(await edit(sn, { lines: [{ line_no: 2, lot_no: 'PS1' }] }), '待处理的配送单不能修改【批号】')
    expect((await edit(sn, { lines: [{ line_no: 2, picked_quantity: '3' }] })).code).toBe(0)
    expectMessage(await hospital.do('dispatch', 'review', sn), '第2行：缺货请填写缺货原因')
    await edit(sn, { lines: [{ line_no: 2, picked_quantity: '3', short_reason: '货架短少' }] })
    await edit(sn, {
      lines: [
        { line_no: 1, box_no: 'X1' },
        { line_no: 2, box_no: 'X2、X1' },
      ],
    })
    expect((await hospital.list('dispatch', { sn }))[0]).toMatchObject({
      uncorrected_quantity: '10.000',
      correction_quantity: '1.000',
      box_count: 2,
    })
    expect(await free('PS2')).toBe('47.000')
    expect((await hospital.info('requisition', requisition)).lines[0].allocated_quantity).toBe('9.000')
  })

  step(
    'picker and rechecker are two people; reviewed, the issue waits; issuing turns allocated into issued',
    async () => {
      const { hospital, central, inflator, surgeon } = scene
      const other = await scene.one('select id from employee where org_id = $1 and id <> $2 limit 1', scene.h, surgeon)
      await edit(sn, { picker_inner_sn: surgeon, rechecker_inner_sn: surgeon })
      expectMessage(await hospital.do('dispatch', 'review', sn), '拣货人与复核人不能为同一人')
      await edit(sn, { rechecker_inner_sn: other.id })
      await hospital.done('dispatch', 'review', sn)
      const grant = await hospital.from('grantOdo', sn)
      expect(grant).toMatchObject({
        state: 'draft',
        total_quantity: '9.000',
        department_inner_sn: scene.department,
        to_warehouse_model_inner_sn: scene.ward,
      })
      await hospital.pass('grantOdo', grant.sn)
      expect((await hospital.info('requisition', requisition)).lines[0]).toMatchObject({
        allocated_quantity: '0.000',
        granted_quantity: '9.000',
      })
      expect(await hospital.info('dispatch', sn)).toMatchObject({ state: 'completed', grant_state: '3' })
      expect(await shelf(hospital, central, inflator)).toEqual({ PS2: '47.000' })
      expectMessage(await hospital.do('dispatch', 'unreview', sn), `已发放，不能反审核（${grant.sn}）`)
      await hospital.done('dispatch', 'deliver', sn, { delivered_at: new Date().toISOString(), delivered_to: '护士站' })
      expect((await hospital.info('dispatch', sn)).delivered_to).toBe('护士站')
    },
  )

  step('undone or deleted, all its reservations are released', async () => {
    const { hospital, inflator } = scene
    const before = await free('PS2')
    const source = await approved([{ specification_sn: inflator, quantity: '5' }])
    const doc = await hospital.add('dispatch', { source_type: 104, source_sn: source })
    const allocated = async () => (await hospital.info('requisition', source)).lines[0].allocated_quantity ?? '0.000'
    await hospital.pass('dispatch', doc)
    await hospital.done('dispatch', 'unreview', doc)
    expect([await free('PS2'), await allocated()]).toEqual([subtract(before, '5', 3), '5.000'])
    await hospital.done('dispatch', 'unsubmit', doc)
    expect([await free('PS2'), await allocated()]).toEqual([before, '0.000'])
    await hospital.done('dispatch', 'submit', doc)
    await hospital.done('dispatch', 'review', doc)
    const grant = await hospital.from('grantOdo', doc)
    await hospital.done('dispatch', 'cancel', doc, { reason: '科室取消' })
    expect([await free('PS2'), await allocated()]).toEqual([before, '0.000'])
    expect((await hospital.info('grantOdo', grant.sn)).state).toBe('cancelled')
  })

  step('a serial of a lot that expires later cannot be picked instead', async () => {
    const { hospital, balloon } = scene
    const source = await approved([{ specification_sn: balloon, quantity: '1' }])
    const doc = await hospital.add('dispatch', { source_type: 104, source_sn: source })
    await hospital.done('dispatch', 'submit', doc)
    await edit(doc, { lines: [{ line_no: 1, unit_codes: ['PS-41'] }] })
    expectMessage(await hospital.do('dispatch', 'review', doc), '第1行：院内码PS-41效期较远，请优先拣选近效期批次PS3')
    await hospital.done('dispatch', 'unsubmit', doc)
    await edit(doc, { lines: [{ line_no: 1, unit_codes: ['PS-31'], quantity: '1' }] })
    await hospital.pass('dispatch', doc)
    expect((await hospital.info('grantOdo', (await hospital.from('grantOdo', doc)).sn)).lines[0]).toMatchObject({
      lot_no: 'PS3',
      unit_codes: ['PS-31'],
    })
  })

  step(
    'until issued another lot can be used; the reserved one is freed, and two users never take the same',
    async () => {
      const { hospital, central, inflator } = scene
      const keeper = await scene.person('keeper')
      await scene.shelve(hospital, central, [
        lotOf(inflator, 'PS5', { quantity: '4', expiry_date: day(40) }),
        lotOf(inflator, 'PS6', { quantity: '4', expiry_date: day(30) }),
        lotOf(inflator, 'PS7', { quantity: '4', expiry_date: day(90) }),
      ])
      const holder = await hospital.add('dispatch', {
        source_type: 104,
        source_sn: await approved([{ specification_sn: inflator, quantity: '4' }]),
      })
      await hospital.done('dispatch', 'submit', holder)
      const source = await approved([{ specification_sn: inflator, quantity: '4' }])
      const doc = await hospital.add('dispatch', { source_type: 104, source_sn: source })
      await hospital.done('dispatch', 'submit', doc)
      const lots = async (kind: string, of: string) =>
        (await hospital.info(kind, of)).lines.map((line: { lot_no: string }) => line.lot_no)
      expect([await lots('dispatch', holder), await lots('dispatch', doc)]).toEqual([['PS6'], ['PS5']])
      const swap = (kind: string, of: string, swap_lot_no: string, who = hospital) =>
        who.do(kind, 'swapLot', of, { swap_line_no: 1, swap_lot_no, swap_reason: '原批号未找到' })
      expectMessage(await swap('dispatch', doc, 'PS6'), '批号PS6在该仓库没有足够的可用合格库存，需要4')
      expectMessage(await swap('dispatch', doc, 'PS7'), '请优先拣选近效期批次PS5；没有找到时请登记缺货')
      await hospital.done('dispatch', 'unsubmit', holder)
      expect((await swap('dispatch', doc, 'PS6')).msg).toBe('')
      expect([await free('PS5'), await free('PS6')]).toEqual(['4.000', '0.000'])
      // After picking, the issue it created may still use another lot: with a reason, and any expiry date.
      await hospital.done('dispatch', 'review', doc)
      const grant = (await hospital.from('grantOdo', doc)).sn
      await hospital.done('grantOdo', 'submit', grant)
      expect([await lots('grantOdo', grant), await free('PS6')]).toEqual([['PS6'], '0.000'])
      await picked(grant, [{ line_no: 1, picked_quantity: '0' }])
      const other = await hospital.add('grantOdo', {
        warehouse_model_inner_sn: central,
        to_warehouse_model_inner_sn: scene.ward,
        department_inner_sn: scene.department,
        lines: [{ specification_sn: inflator, lot_no: 'PS5', quantity: '3' }],
      })
      await hospital.done('grantOdo', 'submit', other, { reason: '指定' })
      const tried = await Promise.all([swap('grantOdo', grant, 'PS7'), swap('grantOdo', other, 'PS7', keeper)])
      expect(tried.filter(reply => reply.code === 0)).toHaveLength(1)
      expectMessage(
        tried.find(reply => reply.code !== 0)!,
        /^批号PS7在该仓库没有足够的可用合格库存，需要|^库存不足：一次性使用球囊充压装置 30atm 20ml 批号PS7 可用[01]，需要[34]/,
      )
      const won = tried[0]!.code === 0
      expect([await free('PS5'), await free('PS6'), await free('PS7')]).toEqual(
        won ? ['1.000', '4.000', '0.000'] : ['4.000', '0.000', '1.000'],
      )
      await picked(grant, [{ line_no: 1, picked_quantity: '4' }])
      await hospital.done('grantOdo', 'review', grant)
      expect((await hospital.info('requisition', source)).lines[0]).toMatchObject({
        allocated_quantity: '0.000',
        granted_quantity: '4.000',
      })
      await hospital.done('grantOdo', 'unsubmit', other)
    },
  )

  step('created from requisitions only, of one department, with sufficient stock', async () => {
    const { hospital, central, inflator } = scene
    expectMessage(
      await attempt(hospital, 'dispatch', {
        warehouse_model_inner_sn: central,
        lines: [{ specification_sn: inflator, quantity: '1' }],
      }),
      '配送单不能手工新增，请引用来源单',
    )
    const other = await scene.one(
      "select id, department_id from warehouse where org_id = $1 and model = 'ward' and department_id <> $2 limit 1",
      scene.h,
      scene.department,
    )
    const [mine, theirs] = [
      await approved([{ specification_sn: inflator, quantity: '1' }]),
      await approved([{ specification_sn: inflator, quantity: '1' }], {
        department_inner_sn: other.department_id,
        to_warehouse_model_inner_sn: other.id,
      }),
    ]
    const both = [mine, theirs].map(source_sn => ({ source_sn, source_line_no: 1, quantity: '1' }))
    expectMessage(
      await attempt(hospital, 'dispatch', { source_type: 104, warehouse_model_inner_sn: central, lines: both }),
      '一张配送单只能配送一个科室，请按科室分别生成',
    )
    const much = await approved([{ specification_sn: inflator, quantity: '500' }])
    expectMessage(
      await attempt(hospital, 'dispatch', { source_type: 104, source_sn: much }),
      /^库存不足：一次性使用球囊充压装置/,
    )
  })

  step('a wave gathers what is open of a store: a list for each department, once', async () => {
    const { hospital, central, inflator } = scene
    const line = { specification_sn: inflator, quantity: '1' }
    const other = await scene.one(
      "select id, department_id from warehouse where org_id = $1 and model = 'ward' and department_id <> $2 limit 1",
      scene.h,
      scene.department,
    )
    await approved([line])
    await approved([line], { department_inner_sn: other.department_id, to_warehouse_model_inner_sn: other.id })
    const post = (body: object) =>
      hospital.client.post('/v1/business/dispatch/wave', { warehouse_model_inner_sn: central, ...body })
    const { info } = await post({ route_name: '一号线' })
    const lists = await Promise.all((info.sns as string[]).map(each => hospital.info('dispatch', each)))
    expect(new Set(lists.map(list => list.wave_no)).size).toBe(1)
    expect(lists.map(list => list.department_inner_sn).toSorted()).toEqual(
      [...new Set(lists.map(list => list.department_inner_sn))].toSorted(),
    )
    expect(lists.length).toBeGreaterThan(1)
    for (const list of lists) expect(list).toMatchObject({ state: 'draft', route_name: '一号线' })
    // What waits as a draft is not gathered again; once the draft is gone, it is.
    expectMessage(await post({}), '该仓库没有待配送的申领单，或其配送单草稿尚未提交')
    const { version } = await hospital.info('dispatch', info.sns[0])
    expect((await hospital.client.post('/v1/business/dispatch/del', { sn: info.sns[0], version })).code).toBe(0)
    expect((await post({ department_inner_sn: lists[0].department_inner_sn })).info.sns).toHaveLength(1)
    const bound = await scene.clerk('hospital', 'wave.reader', ['page:/hospital/dispatch', 'dispatch.add'])
    const refused = await bound.client.post('/v1/business/dispatch/wave', { warehouse_model_inner_sn: central })
    expect(refused.code).not.toBe(0)
  })

  step('who packs the boxes is named, and is not who picked', async () => {
    const { hospital, surgeon, h, inflator } = scene
    const packed = await hospital.add('dispatch', {
      source_type: 104,
      source_sn: await approved([{ specification_sn: inflator, quantity: '1' }]),
    })
    await hospital.done('dispatch', 'submit', packed)
    const check = (more: object) => hospital.do('dispatch', 'check', packed, more)
    expectMessage(await check({ rechecker_inner_sn: surgeon }), '请先登记拣货人')
    expect((await edit(packed, { picker_inner_sn: surgeon })).code).toBe(0)
    expectMessage(await check({ rechecker_inner_sn: surgeon }), '拣货人与复核人不能为同一人')
    const other = await scene.one('select id from employee where org_id = $1 and id <> $2 limit 1', h, surgeon)
    expect((await check({ rechecker_inner_sn: other.id, box_no: 'Z9' })).msg).toBe('')
    expect(await hospital.info('dispatch', packed)).toMatchObject({ rechecker_inner_sn: other.id, box_no: 'Z9' })
  })
})
