import { afterAll, beforeAll, expect } from 'vitest'
import { afterThisTest, expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { startCarrier } from '../../../../deploy/carrier/server.ts'
import { askTracksOfAll, waybillCarrier } from '#modules/trade/transport/tracking/waybill-tracks.server.ts'
import { deliverPending } from '#server/documents/intercompany/deliver.ts'
import { performDue } from '#server/outbound/calls.ts'
import { waybillClient } from '#server/outbound/waybills.ts'
import { connectWith } from '#server/registry/connections.ts'
import { uploadFile, uploadPicture } from '#tests/support/picture.ts'
import { story } from '#tests/support/steps.ts'
import { day } from '#tests/support/story.ts'

/** 物流单: boxes of deliveries on their way to a customer, from loading to the signature. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { dealer, shop, inflator } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, 'WL1', { quantity: '500' })])
})
afterAll(() => scene?.close())

const delivered = async (quantity: string, more: object = {}) => {
  const { dealer, h, shop, inflator } = scene
  const sn = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    delivery_address: '中山路1号',
    lines: [{ specification_sn: inflator, lot_no: 'WL1', quantity, price: '140' }],
    ...more,
  })
  await dealer.pass('saleOdo', sn)
  return sn
}
const shipment = (source_sn: string, more: object = {}) =>
  scene.dealer.add('logistics', { source_type: 7, source_sn, plate_no: '沪A12345', package_count: 2, ...more })
const shipped = async (source: string, more: object = {}) => {
  const sn = await shipment(source, more)
  await scene.dealer.done('logistics', 'ship', sn)
  return sn
}

story('a shipment from loading to the signature', step => {
  let odo = ''
  let first = ''

  step('is made of a reviewed delivery, knows where it goes and waits', async () => {
    const { dealer, h } = scene
    odo = await delivered('10')
    first = await shipment(odo, { lines: [{ source_line_no: 1, quantity: '6', box_no: 'X-1' }], freight: '88' })
    expect(await dealer.info('logistics', first)).toMatchObject({
      state: 'draft',
      state_name: '待发运',
      counterparty_sn: h,
      delivery_address: '中山路1号',
      source_sn: odo,
      freight: '88.00',
      is_cold_chain: false,
      actions: expect.arrayContaining(['edit', 'del', 'ship', 'cancel']),
    })
    expectMessage(await scene.dealer.client.post('/v1/business/logistics/add', { counterparty_sn: h }), /不能手工新增/)
  })

  step('leaves with its carrier known; never without', async () => {
    const { dealer } = scene
    const bare = await shipment(odo, { plate_no: '', package_count: 1, lines: [{ source_line_no: 1, quantity: '1' }] })
    expectMessage(await dealer.do('logistics', 'ship', bare), '自送请填写车牌号或司机')
    const express = await shipment(odo, {
      carriage: 'express',
      carrier: '顺丰',
      lines: [{ source_line_no: 1, quantity: '1' }],
    })
    expectMessage(await dealer.do('logistics', 'ship', express), '快递运输请填写运单号')
    expectMessage(
      await dealer.do('logistics', 'ship', first, { departed_at: `${day(2)}T08:00:00+08:00` }),
      '发运时间不能晚于现在',
    )
    await dealer.done('logistics', 'ship', first)
    expect(await dealer.info('logistics', first)).toMatchObject({
      state: 'reviewed',
      state_name: '运输中',
      transport_state: 'in_transit',
      departed_at: expect.stringMatching(/^20/),
      tracking: [{ text: '已发运，共2件' }],
    })
  })

  step(
    'one delivery may be split over several shipments, a box belongs to one, and no more leaves than was delivered',
    async () => {
      const { dealer } = scene
      const again = await shipment(odo, { lines: [{ source_line_no: 1, quantity: '4', box_no: 'X-1' }] })
      expectMessage(
        await dealer.do('logistics', 'ship', again),
        `箱号X-1已在物流单${first}中，一个箱号只能属于一张物流单`,
      )
      const much = await shipment(odo, { lines: [{ source_line_no: 1, quantity: '5', box_no: 'X-2' }] })
      expectMessage(await dealer.do('logistics', 'ship', much), /运输数量超过出库单未安排运输的数量4/)
      const second = await shipped(odo, { lines: [{ source_line_no: 1, quantity: '4', box_no: 'X-2' }] })
      expectMessage(
        await scene.dealer.client.post('/v1/business/logistics/add', { source_type: 7, source_sn: odo }),
        /已全部执行/,
      )
      // Loaded by mistake: what it carried can be loaded again.
      await dealer.done('logistics', 'cancel', second, { reason: '装错车' })
      expect(await dealer.info('logistics', second)).toMatchObject({ state: 'cancelled', state_name: '已作废' })
      // Tabs count what rows say, each exactly the rows that it opens.
      const list = (query: Record<string, string>) => dealer.client.get('/v1/business/logistics/list', query)
      const counts = (await list({ counts: '1' })).standing_counts as Record<string, number>
      expect(counts).toHaveProperty('cancelled')
      for (const [transport_state, n] of Object.entries(counts))
        expect([transport_state, (await list({ transport_state })).total]).toEqual([transport_state, n])
      await shipped(odo, { lines: [{ source_line_no: 1, quantity: '4', box_no: 'X-2' }] })
    },
  )

  step('keeps its delivery from being taken back while it is on its way', async () => {
    expectMessage(await scene.dealer.do('saleOdo', 'unreview', odo), /不能反审核|客户已收货/)
  })

  step('the customer sees carrier, number and events of its shipments, and no freight', async () => {
    const { dealer, hospital, d } = scene
    await dealer.done('logistics', 'track', first, { track_place: '嘉定分拨中心', track_event: '已到达分拨中心' })
    const [copy] = await hospital.list('logistics', { sn: first })
    expect(copy).toMatchObject({ counterparty_sn: d, plate_no: '沪A12345', state_name: '运输中', freight: null })
    const info = await hospital.info('logistics', first)
    expect(info.tracking.map((event: { text: string }) => event.text)).toEqual(['已发运，共2件', '已到达分拨中心'])
    expect(JSON.stringify(info)).not.toContain('88.00')
    expect(info.actions).toEqual(['print'])
    expectMessage(await dealer.do('logistics', 'track', first, { track_event: ' ' }), /请填写轨迹/)
    const notified = await scene.one(
      'select title from message where org_id = $1 and object_id = $2 order by id limit 1',
      scene.h,
      first,
    )
    expect(notified.title).toBe('供应商的货物已发运')
  })

  step('is signed with person, time and note; never before it left', async () => {
    const { dealer, hospital } = scene
    await dealer.done('logistics', 'arrive', first)
    expect(await dealer.info('logistics', first)).toMatchObject({ state: 'partial', state_name: '已送达' })
    expectMessage(await dealer.do('logistics', 'sign', first), '请填写签收人')
    expectMessage(await dealer.do('logistics', 'sign', first, { signed_by: '王库管' }), '请上传签收单或手写签名')
    expectMessage(
      await dealer.do('logistics', 'sign', first, {
        signed_by: '王库管',
        signed_at: `${day(-2)}T08:00:00+08:00`,
        sign_note: [await uploadPicture(dealer)],
      }),
      '签收时间不能早于发运时间',
    )
    await dealer.done('logistics', 'sign', first, {
      signed_by: '王库管',
      signature_sn: await dealer.sign('logistics', first),
    })
    expect(await dealer.info('logistics', first)).toMatchObject({
      state: 'completed',
      state_name: '已签收',
      signed_by: '王库管',
      signatures: [{ role: 'consignee', name: '王库管', method: 'drawn', holds: true }],
    })
    expect(await hospital.info('logistics', first)).toMatchObject({ state_name: '已签收', signed_by: '王库管' })
    expectMessage(await dealer.do('logistics', 'sign', first, { signed_by: '别人' }), /当前单据状态不允许该操作/)
  })

  step("the customer's receipt of the delivery signs what carried it", async () => {
    const { dealer, hospital } = scene
    const sale = await delivered('8')
    const one = await shipped(sale, { lines: [{ source_line_no: 1, quantity: '3', box_no: 'A' }] })
    const two = await shipped(sale, { lines: [{ source_line_no: 1, quantity: '5', box_no: 'B' }] })
    const draft = await hospital.from('purchaseGrn', sale)
    const { version } = await hospital.info('purchaseGrn', draft.sn)
    const edited = await hospital.client.post('/v1/business/purchaseGrn/edit', {
      sn: draft.sn,
      version,
      lines: [{ line_no: 1, quantity: '3', reject_reason: '其余未到' }],
    })
    expect(edited.code, edited.msg).toBe(0)
    await hospital.pass('purchaseGrn', draft.sn)
    expect(await dealer.info('logistics', one)).toMatchObject({ state: 'completed', state_name: '已签收' })
    expect((await dealer.info('logistics', one)).tracking.at(-1).text).toMatch(/^客户到货审核，签收人：/)
    expect((await dealer.info('logistics', two)).state_name).toBe('运输中')
    const rest = await hospital.add('purchaseGrn', { source_type: 7, source_sn: sale })
    await hospital.pass('purchaseGrn', rest)
    expect(await dealer.info('logistics', two)).toMatchObject({ state: 'completed', signed_at: expect.any(String) })
    expect((await hospital.info('logistics', two)).state_name).toBe('已签收')
  })

  step('a refusal has a reason and proposes the return of what was refused', async () => {
    const { dealer, hospital } = scene
    const sale = await delivered('6')
    const sn = await shipped(sale)
    expectMessage(await dealer.do('logistics', 'refuse', sn), '请填写拒收原因')
    expectMessage(await dealer.do('logistics', 'refuse', sn, { reason: '破损', refused_lines: '2' }), '物流单没有第2行')
    expectMessage(
      await dealer.do('logistics', 'refuse', sn, { reason: '破损', refused_lines: '1:7' }),
      '第1行：拒收数量应大于0且不大于6',
    )
    expectMessage(await dealer.do('logistics', 'refuse', sn, { reason: '破损', refused_lines: '一' }), /拒收行请写行号/)
    await dealer.done('logistics', 'refuse', sn, { reason: '外箱破损', refused_lines: '1:2' })
    const info = await dealer.info('logistics', sn)
    expect(info).toMatchObject({ state: 'partial', state_name: '部分拒收', lines: [{ refused_quantity: '2.000' }] })
    const [draft] = await dealer.list('saleReturn', { source_sn: sale })
    expect(info.return_sn).toBe(draft.sn)
    expect(await dealer.info('saleReturn', draft.sn)).toMatchObject({
      state: 'draft',
      return_type: 'refused',
      return_reason: '外箱破损',
      lines: [{ quantity: '2.000' }],
    })
    expect((await hospital.info('logistics', sn)).state_name).toBe('部分拒收')
    await dealer.done('logistics', 'sign', sn, { signed_by: '王库管', sign_note: [await uploadPicture(dealer)] })
    expect(await dealer.info('logistics', sn)).toMatchObject({ state: 'completed', state_name: '部分拒收' })

    const whole = await shipped(await delivered('2'))
    await dealer.done('logistics', 'refuse', whole, { reason: '送错' })
    expect(await dealer.info('logistics', whole)).toMatchObject({ state: 'stopped', state_name: '已拒收' })
  })

  step('what the driver notes and what the customer refuses is one refusal and one return', async () => {
    const { dealer, hospital } = scene
    const refusedAtDoor = async (sale: string, quantity: string, refused_quantity: string) => {
      const sn = await hospital.add('arrivalOrder', {
        source_type: 7,
        source_sn: sale,
        lines: [{ source_line_no: 1, quantity, refused_quantity, refuse_reason: '外箱破损' }],
      })
      await hospital.pass('arrivalOrder', sn)
    }
    const returnsOf = async (sale: string) =>
      (await dealer.list('saleReturn', { source_sn: sale })).map(row => [row.sn, row.total_quantity])
    // The driver first: the customer's word makes no second draft, but one for what it refuses beyond that.
    const one = await delivered('6')
    const way = await shipped(one)
    await dealer.done('logistics', 'refuse', way, { reason: '外箱破损', refused_lines: '1:2' })
    const [[noted]] = (await returnsOf(one)) as [[string, string]]
    await refusedAtDoor(one, '3', '3')
    expect((await returnsOf(one)).toSorted()).toEqual([
      [noted, '2.000'],
      [expect.any(String), '1.000'],
    ])
    await dealer.done('saleReturn', 'submit', noted)
    expect(await dealer.info('saleReturn', noted)).toMatchObject({ return_way: 'door', state: 'submitted' })
    // The customer refused first: the driver's note leads to the same return.
    const two = await delivered('4')
    const other = await shipped(two)
    await refusedAtDoor(two, '2', '2')
    const [[standing]] = (await returnsOf(two)) as [[string, string]]
    await dealer.do('logistics', 'refuse', other, { reason: '外箱破损', refused_lines: '1:2' })
    expect(await returnsOf(two)).toEqual([[standing, '2.000']])
  })

  step('what goes wrong is marked, notified and does not end the shipment', async () => {
    const { dealer, hospital } = scene
    const sn = await shipped(await delivered('1'))
    expectMessage(await dealer.do('logistics', 'exception', sn, { abnormal_type: 'late' }), '请填写异常说明')
    await dealer.done('logistics', 'exception', sn, { abnormal_type: 'late', abnormal_note: '高速封路' })
    expect(await dealer.info('logistics', sn)).toMatchObject({ state_name: '异常', is_abnormal: true })
    expect(await hospital.info('logistics', sn)).toMatchObject({ state_name: '异常', abnormal_note: '高速封路' })
    expect((await dealer.list('logistics', { is_abnormal: 'true' })).map(row => row.sn)).toContain(sn)
    await dealer.done('logistics', 'arrive', sn)
    expect(await dealer.info('logistics', sn)).toMatchObject({ state_name: '已送达', is_abnormal: true })
  })

  step('the carrier is asked for the way of a parcel; once it was handed over it has arrived', async () => {
    const { dealer, hospital, server } = scene
    const { app, owner } = server.database
    const leaves = new Date(Date.now() - 8 * 3_600_000).toISOString()
    const express = { carriage: 'express', carrier: '顺丰', waybill_no: 'SF1234567890' }
    const sn = await shipment(await delivered('1'), express)
    await dealer.done('logistics', 'ship', sn, { departed_at: leaves })
    connectWith({ carriers: {} })
    expectMessage(await dealer.do('logistics', 'fetchTracks', sn), /^承运商轨迹接口未接通/)
    let hours = 3.5
    const taken = Date.now() - 6 * 3_600_000
    const now = () => taken + hours * 3_600_000
    const carrier = await startCarrier({ token: 't', takenOver: () => taken, now })
    afterThisTest(async () => (connectWith({ carriers: {} }), carrier.close()))
    const client = waybillClient({ baseUrl: carrier.url, token: 't' })
    connectWith({ carriers: { waybill: waybillCarrier(client) } })
    await dealer.done('logistics', 'fetchTracks', sn)
    await performDue(app, owner)
    const texts = async (who: typeof dealer) =>
      (await who.info('logistics', sn)).tracking.map((event: { text: string }) => event.text)
    expect(await texts(dealer)).toEqual(['已发运，共2件', '已揽收', '已到达转运中心', '已发往下一站', '已到达转运中心'])
    await deliverPending(app, owner)
    expect(await texts(hospital)).toEqual(await texts(dealer))
    // Asked again, the same is not added again; handed over, it has arrived.
    hours = 5.5
    await askTracksOfAll(owner)
    await performDue(app, owner)
    expect(await dealer.info('logistics', sn)).toMatchObject({ state_name: '已送达', arrived_at: expect.any(String) })
    expect((await texts(dealer)).filter((text: string) => text === '已揽收')).toHaveLength(1)
    const unknown = await shipped(await delivered('1'), { ...express, waybill_no: 'ZZ1' })
    await dealer.done('logistics', 'fetchTracks', unknown)
    await performDue(app, owner)
    const [failed] = await dealer.list('interfaceError', { system: 'waybill', state: 'retrying' })
    expect(failed).toMatchObject({ error: '承运商没有运单号ZZ1的记录，请核对承运单位和运单号' })
  })

  step('others see nothing of it, and nobody writes what the system computes', async () => {
    const { dealer, vendor, hospital } = scene
    expect(await vendor.list('logistics', { sn: first })).toEqual([])
    expect((await vendor.client.get('/v1/business/logistics/info', { sn: first })).code).toBe(2106)
    expect((await hospital.client.post('/v1/business/logistics/sign', { sn: first, version: 1 })).code).not.toBe(0)
    const sale = await delivered('1')
    for (const forged of [{ transport_state: 'signed' }, { is_abnormal: true }, { is_cold_chain: true }])
      expect(
        (await dealer.client.post('/v1/business/logistics/add', { source_type: 7, source_sn: sale, ...forged })).code,
      ).toBe(2000)
  })
})

story('whoever signs is among those whom the customer named', step => {
  const letter = (person: string, until: number) =>
    scene.one(
      `insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, valid_to, person_name,
         audit_state, status) values ($1, $2, '采购人员委托书', 'CG-' || nextval('row_id_seq'), current_date - 30, $3, $4,
         'passed', 'enabled') returning id`,
      scene.d,
      scene.h,
      day(until),
      person,
    )
  const signed = async (sn: string, by: string) => {
    const { version } = await scene.dealer.info('logistics', sn)
    const body = { sn, version, signed_by: by, sign_note: [await uploadPicture(scene.dealer)] }
    return scene.dealer.client.post('/v1/business/logistics/sign', body)
  }

  step('nobody is asked about while no letter of the customer is on file', async () => {
    const way = await shipped(await delivered('1'))
    expect((await signed(way, '任何人')).code).toBe(0)
    expect((await scene.dealer.info('logistics', way)).signer_note).toBeNull()
  })

  step('another is asked about by name, and then marked on shipment and delivery', async () => {
    const { dealer } = scene
    await letter('孙采购', 300)
    await letter('赵离职', -1)
    const { name } = await scene.one('select name from organisation where id = $1', scene.h)
    const sale = await delivered('1')
    const way = await shipped(sale)
    const asked = await signed(way, '赵离职')
    const note = `签收人赵离职不在${name}的采购人员委托书中（现有：孙采购）`
    expect(asked.code).not.toBe(0)
    expect(JSON.stringify(asked)).toContain(`${note}，是否仍由其签收？`)
    expect((await dealer.info('logistics', way)).state_name).toBe('运输中')
    await dealer.done('logistics', 'sign', way, {
      signed_by: '赵离职',
      sign_note: [await uploadPicture(dealer)],
    })
    expect((await dealer.info('logistics', way)).signer_note).toBe(note)
    expect((await dealer.info('saleOdo', sale)).signer_note).toBe(note)
    const named = await shipped(await delivered('1'))
    expect((await signed(named, '孙采购')).code).toBe(0)
    expect((await dealer.info('logistics', named)).signer_note).toBeNull()
  })

  step('who signs by taking the goods in is marked, and the sender is notified', async () => {
    const { dealer, hospital, server } = scene
    const sale = await delivered('1')
    const way = await shipped(sale)
    await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', sale)).sn)
    await deliverPending(server.database.app, server.database.owner)
    const { signer_note, signed_by, state_name } = await dealer.info('logistics', way)
    expect(state_name).toBe('已签收')
    expect(signer_note).toContain(`签收人${signed_by}不在`)
    expect((await dealer.info('saleOdo', sale)).signer_note).toBe(signer_note)
    const { body } = await scene.one(
      "select body from message where org_id = $1 and title = '签收人未在委托书中' order by id desc limit 1",
      scene.d,
    )
    expect(body).toBe(`物流单${way}：${signer_note}，请与客户核实`)
    await scene.one("delete from licence where org_id = $1 and licence_type = '采购人员委托书' returning 1", scene.d)
  })
})

story('cold goods on their way', step => {
  let sn = ''
  const minutes = (from: number) => new Date(Date.now() - from * 60_000)
  const wall = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
  const file = (rows: readonly (readonly [Date, number])[], logger = 'TL-8812') =>
    Buffer.from(
      `﻿设备编号：${logger}\n间隔,5分钟\n\n序号,记录时间,温度(℃),湿度(%RH)\n` +
        rows.map(([at, celsius], no) => `${no + 1},${wall(at)},${celsius},55.2`).join('\n'),
    )

  step('need their box, recorder and first reading to leave', async () => {
    const { dealer, h, shop, inflator: cold } = scene
    await scene.one(
      `update product set is_cold_chain = true, storage_condition = '冷藏 2-8℃，避光'
        where id = (select product_id from specification where id = $1) returning 1`,
      cold,
    )
    await scene.shelve(dealer, shop, [lotOf(cold, 'LL1', { quantity: '50' })])
    const sale = await dealer.add('saleOdo', {
      counterparty_sn: h,
      warehouse_model_inner_sn: shop,
      delivery_address: '中山路1号',
      lines: [{ specification_sn: cold, lot_no: 'LL1', quantity: '5', price: '10' }],
    })
    await dealer.pass('saleOdo', sale)
    sn = await shipment(sale)
    expect((await dealer.info('logistics', sn)).is_cold_chain).toBe(true)
    expectMessage(await dealer.do('logistics', 'ship', sn), '冷链运输请填写启运温度及记录仪编号')
    const { version } = await dealer.info('logistics', sn)
    const edited = await dealer.client.post('/v1/business/logistics/edit', {
      sn,
      version,
      departure_temperature: '4.5℃',
      temperature_logger_no: 'TL8812',
    })
    expect(edited.code, edited.msg).toBe(0)
    expectMessage(await dealer.do('logistics', 'ship', sn), '冷链运输请填写保温箱编号')
    await dealer.client.post('/v1/business/logistics/edit', { ...edited.info, cold_box_no: 'BW-01' })
    await dealer.done('logistics', 'ship', sn, { departed_at: minutes(120).toISOString() })
    expect((await dealer.info('logistics', sn)).state_name).toBe('运输中')
  })

  step(
    'are signed for only with their temperatures; a file of another recorder or another day is refused',
    async () => {
      const { dealer } = scene
      expectMessage(
        await dealer.do('logistics', 'sign', sn, { signed_by: '王库管', sign_note: [await uploadPicture(dealer)] }),
        '冷链运输签收前请先导入在途温度记录',
      )
      const import_ = async (bytes: Buffer, name = '温度.csv') =>
        dealer.do('logistics', 'temperature', sn, { temperature_record: [await uploadFile(dealer, name, bytes)] })
      expectMessage(
        await import_(file([[minutes(60), 5]], 'XX-1')),
        '文件【温度.csv】来自记录仪XX-1，与物流单的记录仪TL8812不一致',
      )
      expectMessage(
        await import_(file([[minutes(60 * 24 * 9), 5]])),
        '温度记录的时间不在运输期间内，请核对文件和发运时间',
      )
      expectMessage(await import_(Buffer.from('a,b\n1,2\n')), '文件【温度.csv】没有认出时间、温度所在的列，请指定')
      expectMessage(await dealer.do('logistics', 'temperature', sn), '请选择温度记录文件')
    },
  )

  step('a reading outside the storage condition marks them, and quality staff are notified on both sides', async () => {
    const { dealer, hospital, d, h } = scene
    const rows = Array.from({ length: 20 }, (_, at) => [minutes(110 - at * 5), at === 7 ? 11.3 : 4.2] as const)
    await dealer.done('logistics', 'temperature', sn, {
      temperature_record: [await uploadFile(dealer, '温度.csv', file(rows))],
    })
    const info = await dealer.info('logistics', sn)
    expect(info).toMatchObject({
      state_name: '异常',
      is_abnormal: true,
      abnormal_type: 'temperature',
      abnormal_note: expect.stringMatching(/^在途温度超出2～8℃：.*为11\.3℃，共1次，最低4\.2℃，最高11\.3℃$/),
      temperature_range: '4.2～11.3℃，超标',
      temperature_bounds: { min: 2, max: 8 },
    })
    expect(info.temperature_curve).toHaveLength(20)
    expect(await hospital.info('logistics', sn)).toMatchObject({
      state_name: '异常',
      temperature_range: '4.2～11.3℃，超标',
      temperature_curve: info.temperature_curve,
    })
    const kept = await scene.one(
      `select count(*)::int as n, count(*) filter (where is_outside)::int as out from temperature_reading r
         join document d on d.org_id = r.org_id and d.id = r.document_id where d.org_id = $1 and d.sn = $2`,
      d,
      sn,
    )
    expect(kept).toEqual({ n: 20, out: 1 })
    const notified = async (org: string) =>
      (
        await scene.one(
          "select count(*)::int as n from message where org_id = $1 and body like '%' || $2 || '%11.3℃%'",
          org,
          sn,
        )
      ).n
    expect(await notified(d)).toBe(1)
    expect(await notified(h)).toBe(1)
    await dealer.done('logistics', 'sign', sn, { signed_by: '王库管', sign_note: [await uploadPicture(dealer)] })
    expect(await dealer.info('logistics', sn)).toMatchObject({ state_name: '已签收', is_abnormal: true })
  })

  step('that travelled too warm are refused at the door or go to quality; the arrival signs for them', async () => {
    const { dealer, hospital, h, shop, inflator } = scene
    await scene.rule(h, 'arrival_before_receipt', true)
    const journey = async (celsius: number) => {
      const sale = await dealer.add('saleOdo', {
        counterparty_sn: h,
        warehouse_model_inner_sn: shop,
        delivery_address: '中山路1号',
        lines: [{ specification_sn: inflator, lot_no: 'LL1', quantity: '2', price: '10' }],
      })
      await dealer.pass('saleOdo', sale)
      const cold = { departure_temperature: '4.5', temperature_logger_no: 'TL8812', cold_box_no: 'BW-01' }
      const way = await shipment(sale, cold)
      await dealer.done('logistics', 'ship', way, { departed_at: minutes(60).toISOString() })
      await dealer.done('logistics', 'temperature', way, {
        temperature_record: [await uploadFile(dealer, 'a.csv', file([[minutes(30), celsius]]))],
      })
      const { sn: arrival } = await hospital.from('arrivalOrder', sale)
      const edit = async (more: object) => {
        const { version } = await hospital.info('arrivalOrder', arrival)
        const reply = await hospital.client.post('/v1/business/arrivalOrder/edit', { sn: arrival, version, ...more })
        expect(reply.code, reply.msg).toBe(0)
      }
      await edit({ arrival_temperature: '5', departed_at: minutes(60).toISOString() })
      return { way, arrival, edit }
    }
    const good = await journey(5)
    await hospital.pass('arrivalOrder', good.arrival)
    expect(await hospital.info('arrivalOrder', good.arrival)).toMatchObject({ temperature_record_no: good.way })
    expect(await dealer.info('logistics', good.way)).toMatchObject({ state_name: '已签收', state: 'completed' })

    const warm = await journey(12)
    const refused = await hospital.do('arrivalOrder', 'submit', warm.arrival)
    expectMessage(refused, '冷链运输温度超标，请拒收或转质量处理')
    expect(JSON.stringify(refused.errors)).toContain(`物流单${warm.way}：在途温度超出2～8℃`)
    const [{ line_no, quantity }] = (await hospital.info('arrivalOrder', warm.arrival)).lines
    await warm.edit({
      lines: [{ line_no, quantity: '0', refused_quantity: quantity, refuse_reason: '温度超标' }],
    })
    await hospital.pass('arrivalOrder', warm.arrival)
    expect(await dealer.info('logistics', warm.way)).toMatchObject({ state_name: '已拒收', state: 'stopped' })

    // The hospital's own reading of the recorder counts as well.
    const own = await journey(5)
    await own.edit({ temperature_record: [await uploadFile(hospital, 'b.csv', file([[minutes(30), 15]]))] })
    expectMessage(await hospital.do('arrivalOrder', 'submit', own.arrival), '冷链运输温度超标，请拒收或转质量处理')
  })
})
