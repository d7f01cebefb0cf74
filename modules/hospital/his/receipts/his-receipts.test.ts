import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiptKinds } from '#modules/hospital/his/receipts/receipt-order.server.ts'
import { documents } from '#app/modules.ts'
import { performDue } from '#server/outbound/calls.ts'
import { hisCarrier } from '#server/outbound/his/ask.ts'
import { hisConnectionOf } from '#server/outbound/his/open.ts'
import { connectWith } from '#server/registry/connections.ts'
import { noFaults } from '../../../../deploy/his/faults.ts'
import { type RunningHis, startHis } from '../../../../deploy/his/server.ts'
import { expectMessage, openScene, type Scene } from '#tests/support/fixture.ts'
import { story } from '#tests/support/steps.ts'
import { day } from '#tests/support/story.ts'

/** HIS入库核对: receipts of the stores are booked in the HIS as well, once, and both are compared line by line. */
let scene: Scene
let stand: RunningHis
const connect = (isConnected: boolean) => {
  const { app } = scene.server.database
  const address = { adapter: 'fhir', baseUrl: `${stand.url}/fhir`, token: 'T' } as const
  const byOrganisation = new Map(isConnected ? [['H01', address]] : [])
  connectWith({
    his: hisConnectionOf(app, { byOrganisation, ofOnlyHospital: null }),
    carriers: { his: hisCarrier(app) },
  })
}
beforeAll(async () => {
  scene = await openScene()
  stand = await startHis({ token: 'T' })
  connect(true)
  await scene.one(
    `update hospital_product set his_code = 'HC-INF' where org_id = $1 and specification_id = $2 returning 1`,
    scene.h,
    scene.inflator,
  )
  await scene.one(
    `update hospital_product set his_code = null where org_id = $1 and specification_id = $2 returning 1`,
    scene.h,
    scene.balloon,
  )
})
afterAll(async () => {
  connectWith({ his: undefined as never, carriers: {} })
  await stand?.close()
  await scene?.close()
})

const KIND = '/v1/business/hisGrnCheck'
const post = (call: string, body: object = {}) => scene.hospital.client.post(`${KIND}/${call}`, body as never)
const period = { begin_date: day(-1), end_date: day(1) }
const rowOf = async (sn: string) => (await scene.hospital.list('hisGrnCheck', { sn }))[0]
const act = async (call: string, sn: string, body: object = {}) => {
  const row = await rowOf(sn)
  return post(call, { sn: row.his_grn_sn, version: row.version, ...body })
}
const send = async () => {
  const { app, owner } = scene.server.database
  await owner`update outbound_call set next_at = now() where next_at is not null`
  await performDue(app, owner)
}
const receipt = async (lines: readonly object[]) => {
  const sn = await scene.hospital.add('purchaseGrn', {
    counterparty_sn: scene.d,
    warehouse_model_inner_sn: scene.central,
    regime: 'purchased',
    lines,
  })
  await scene.hospital.pass('purchaseGrn', sn)
  return sn
}
let lot = 0
const goods = (more: object = {}) => ({
  specification_sn: scene.inflator,
  lot_no: `HR${++lot}`,
  production_date: day(-60),
  expiry_date: day(700),
  quantity: '3',
  price: '20',
  ...more,
})

test('kinds that are pushed by hand are those the HIS books, and their pages show how far they are', () => {
  const pushed = documents.filter(({ actions }) => 'pushHis' in actions)
  expect(pushed.map(({ kind }) => kind).toSorted()).toEqual(['grantOdo', 'purchaseGrn', 'settlementGrn'])
  for (const { kind, screens } of pushed) {
    expect(Object.keys(receiptKinds)).toContain(kind)
    for (const { route, orgs, actions, columns } of screens) {
      const isOffered = (actions ?? ['pushHis']).includes('pushHis')
      if (isOffered) expect(orgs, route).toBe('H')
      if (columns.includes('his_push_state')) expect(isOffered, route).toBe(true)
    }
    expect(
      screens.some(({ columns }) => columns.includes('his_push_state')),
      kind,
    ).toBe(true)
  }
})

story('receipts in the HIS, from the push to the comparison', step => {
  let sn = ''
  step('a review pushes the receipt once, whatever is lost on the way', async () => {
    sn = await receipt([goods(), goods({ quantity: '2', price: '20.5' })])
    expect(await rowOf(sn)).toMatchObject({ push_state: 'sending', amount: '101.00', item_count: 2 })
    Object.assign(stand.faults, { failing: 1, status: 503, after_work: true })
    await send()
    expect(await rowOf(sn)).toMatchObject({ push_state: 'failed', error: 'HIS返回503：系统维护', retries: 0 })
    Object.assign(stand.faults, noFaults())
    await send()
    const row = await rowOf(sn)
    expect(row).toMatchObject({ push_state: 'sent', error: null, retries: 1, his_amount: '101.00', his_item_count: 2 })
    expect(stand.books.receipts.filter(each => each.sn === sn).map(each => each.receipt_no)).toEqual([row.receipt_no])
    const [booked] = stand.books.receipts.filter(each => each.sn === sn)
    expect(booked).toMatchObject({ receipt_kind: 'purchase', supplier_code: 'D01', warehouse_code: 'H01-W02' })
    expect(booked!.lines.map(line => [line.material_code, line.quantity, line.amount])).toEqual([
      ['HC-INF', '3.000', '60.00'],
      ['HC-INF', '2.000', '41.00'],
    ])
    expectMessage(await post('push', { sns: [row.his_grn_sn] }), '当前单据已推送成功')
    expect((await scene.hospital.list('purchaseGrn', { sn, his_push_state: 'sent' }))[0].his_push_state).toBe('sent')
    expectMessage(await scene.hospital.do('purchaseGrn', 'pushHis', sn), '当前单据已推送成功')
  })

  step('both sides are compared to the cent; a difference is explained', async () => {
    expect((await post('fetch', period)).info.said).toMatch(/^已获取\d+张HIS入库单$/)
    expect((await post('check', period)).info.said).toBe('已核对1张，一致1张，有差异0张')
    expect(await rowOf(sn)).toMatchObject({ check_result: 'same', difference: '0.00' })
    const index = stand.books.receipts.findIndex(each => each.sn === sn)
    const whole = stand.books.receipts[index]!
    const dearer = whole.lines.map(line => (line.line_no === 2 ? { ...line, amount: '39.44' } : line))
    stand.books.receipts[index] = { ...whole, lines: dearer }
    await post('fetch', period)
    await post('check', period)
    expect(await rowOf(sn)).toMatchObject({ check_result: 'amount', difference: '-1.56', his_amount: '99.44' })
    const key = (await rowOf(sn)).his_grn_sn
    const lines = await scene.hospital.list('hisGrnLine', { his_grn_sn: key })
    expect(lines.map(line => [line.line_no, line.amount, line.his_amount, line.difference_kind])).toEqual([
      [1, '60.00', '60.00', 'same'],
      [2, '41.00', '39.44', 'amount'],
    ])
    expect((await act('explain', sn, { explanation: '运费分摊' })).code).toBe(0)
    expect(await rowOf(sn)).toMatchObject({ explanation: '运费分摊', check_result: 'amount' })
    stand.books.receipts[index] = { ...whole, lines: whole.lines.slice(0, 1) }
    await post('fetch', period)
    await post('check', period)
    expect((await rowOf(sn)).check_result).toBe('lines')
    stand.books.receipts[index] = whole
    await post('fetch', period)
    await post('check', period)
    expect((await rowOf(sn)).check_result).toBe('same')
    expectMessage(await post('fetch', { begin_date: day(-40), end_date: day(0) }), '查询区间不能超过31天')
  })

  step('what a clerk of the HIS wrote by hand is 有SPD无, by kind in the summary', async () => {
    const [booked] = stand.books.receipts.filter(each => each.sn === sn)
    stand.books.receipts.push({ ...booked!, receipt_no: 'HAND1', sn: null, request_key: null })
    await post('fetch', period)
    expect((await post('check', period)).info.said).toBe('已核对2张，一致1张，有差异1张')
    const [extra] = await scene.hospital.list('hisGrnCheck', { receipt_no: 'HAND1' })
    expect(extra).toMatchObject({ sn: null, check_result: 'extra', his_amount: '101.00', amount: '0.00' })
    expectMessage(await post('push', { sns: [extra.his_grn_sn] }), 'HIS中自行登记的入库，没有可推送的单据')
    const { list } = await scene.hospital.client.get('/v1/report/hisGrnSummary', period)
    expect(list).toMatchObject([
      { receipt_kind: 'purchase', documents: 1, amount: '101.00', his_documents: 2, his_amount: '202.00' },
    ])
    stand.books.receipts.pop()
    await post('fetch', period)
    await post('check', period)
    expect(await scene.hospital.list('hisGrnCheck', { receipt_no: 'HAND1' })).toEqual([])
  })

  step(
    'a receipt that the HIS has booked is taken back there first, then reviewed again under another key',
    async () => {
      const { hospital } = scene
      expectMessage(await hospital.do('purchaseGrn', 'unreview', sn), 'HIS已入账，请先冲销HIS入库')
      expectMessage(await act('reversePush', sn), '请填写冲销原因')
      expect((await act('reversePush', sn, { reason: '数量录错' })).code).toBe(0)
      await act('reversePush', sn, { reason: '数量录错' })
      await send()
      await send()
      expect(await rowOf(sn)).toMatchObject({ push_state: 'reversed' })
      expect(stand.books.receipts.filter(each => each.sn === sn).map(each => each.amount)).toEqual([
        '101.00',
        '-101.00',
      ])
      await hospital.done('purchaseGrn', 'unreview', sn)
      await hospital.done('purchaseGrn', 'review', sn)
      await send()
      expect(await rowOf(sn)).toMatchObject({ push_state: 'sent', error: null })
      expect(stand.books.receipts.filter(each => each.sn === sn)).toHaveLength(3)
    },
  )

  step('a review that is undone before the HIS answered leaves nothing there', async () => {
    const { hospital } = scene
    const waiting = await receipt([goods()])
    await hospital.done('purchaseGrn', 'unreview', waiting)
    await send()
    expect(stand.books.receipts.filter(each => each.sn === waiting)).toEqual([])
    const lost = await receipt([goods()])
    Object.assign(stand.faults, { failing: 1, status: 0, after_work: true })
    await send()
    Object.assign(stand.faults, noFaults())
    expect(stand.books.receipts.filter(each => each.sn === lost)).toHaveLength(1)
    await hospital.done('purchaseGrn', 'unreview', lost)
    await send()
    await send()
    expect(stand.books.receipts.filter(each => each.sn === lost).map(each => each.is_reversed)).toEqual([true, true])
  })

  step('a document that is reviewed again while its first push still waits is booked once', async () => {
    const { hospital } = scene
    const again = await receipt([goods()])
    Object.assign(stand.faults, { failing: -1 })
    await send()
    await hospital.done('purchaseGrn', 'unreview', again)
    await send()
    await hospital.done('purchaseGrn', 'review', again)
    await send()
    Object.assign(stand.faults, noFaults())
    for (let round = 0; round < 3; round++) await send()
    const booked = stand.books.receipts.filter(each => each.sn === again)
    expect(booked.map(each => [each.amount, each.is_reversed, each.request_key])).toEqual([
      ['60.00', false, `purchaseGrn:${again}:review:2`],
    ])
    expect(await rowOf(again)).toMatchObject({ push_state: 'sent', error: null, receipt_no: booked[0]!.receipt_no })
  })

  step('a line without a code of the HIS stops the push with its sentence, until it has one', async () => {
    const { balloon, one, h } = scene
    const odd = await receipt([goods({ specification_sn: balloon, quantity: '1', unit_codes: ['HR-B1'] })])
    await send()
    const row = await rowOf(odd)
    expect(row).toMatchObject({ push_state: 'failed' })
    expect(row.error).toMatch(/^产品【.+ .+】未对照HIS编码$/)
    const [failed] = await scene.hospital.list('interfaceError', { object_no: odd })
    expect(failed).toMatchObject({ system: 'his', name: '入库推送', error: row.error })
    await one(
      `update hospital_product set his_code = 'HC-B' where org_id = $1 and specification_id = $2 returning 1`,
      h,
      balloon,
    )
    expect((await post('push', { sns: [row.his_grn_sn] })).info.said).toContain('已重新推送1张单据')
    await send()
    expect(await rowOf(odd)).toMatchObject({ push_state: 'sent', error: null })
  })

  step(
    'a red reversal is booked with its quantities below zero, and what it reverses is not taken back again',
    async () => {
      const { hospital } = scene
      const whole = await receipt([goods({ quantity: '5', price: '10' })])
      await send()
      const red = await hospital.done('purchaseGrn', 'redReverse', whole, {
        reason: '到货有误',
        lines: [{ line_no: 1, quantity: '2' }],
      })
      const number = red.red_sn ?? red.sn
      await send()
      const [booked] = stand.books.receipts.filter(each => each.sn === number)
      expect(booked).toMatchObject({ amount: '-20.00' })
      expect(booked!.lines[0]!.quantity).toBe('-2.000')
      expectMessage(await act('reversePush', whole, { reason: 'x' }), `红冲单${number}已推送HIS，不能再冲销`)
    },
  )

  step('nothing is pushed without a HIS, or while it is switched off; a check finds it later', async () => {
    connect(false)
    const alone = await receipt([goods()])
    connect(true)
    expect(await rowOf(alone)).toBeUndefined()
    await scene.rule(scene.h, 'his_enabled', false)
    const off = await receipt([goods()])
    expect(await rowOf(off)).toBeUndefined()
    await scene.rule(scene.h, 'his_enabled', true)
    await post('fetch', period)
    await post('check', period)
    expect(await rowOf(alone)).toMatchObject({ push_state: 'none', check_result: 'missing' })
    expect((await post('push', { sns: [(await rowOf(alone)).his_grn_sn] })).code).toBe(0)
    await send()
    expect(await rowOf(alone)).toMatchObject({ push_state: 'sent' })
    expect(await scene.dealer.list('hisGrnCheck')).toEqual([])
  })
})
