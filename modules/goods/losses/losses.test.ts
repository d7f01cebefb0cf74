import sharp from 'sharp'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** Missing, ruined, found or destroyed goods change the ledger at cost, and the owner of the goods is notified. */
let scene: Scene
let picture = ''
let keeper: Person
beforeAll(async () => {
  scene = await openScene({ figures: true })
  keeper = await scene.person('keeper')
  const { hospital, central, balloon, inflator, d } = scene
  await scene.shelve(hospital, central, [
    lotOf(inflator, 'BS1', { quantity: '10', price: '33.33' }),
    lotOf(inflator, 'BS2', { quantity: '10', owner_org_sn: d }),
    lotOf(inflator, 'BS3', { quantity: '6', quality_state: 'unqualified', price: '12' }),
    lotOf(balloon, 'BS4', { unit_codes: ['BS-1', 'BS-2', 'BS-3'] }),
  ])
  picture = await upload()
})
afterAll(() => scene?.close())

async function upload(): Promise<string> {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#333' } })
    .png()
    .toBuffer()
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
  const reply = await scene.hospital.client.raw({
    method: 'POST',
    url: '/v1/file/upload',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')]),
  })
  return reply.json().info.name
}
const doc = (kind: string, lines: object[], header: object = {}) =>
  scene.hospital.add(kind, { warehouse_model_inner_sn: scene.central, lines, ...header })
/** Submitted by the storekeeper, reviewed by another: users may not approve their own loss. */
async function signed(kind: string, sn: string): Promise<void> {
  await scene.hospital.done(kind, 'submit', sn)
  await keeper.done(kind, 'review', sn)
}
const stockOf = async (lot_no: string) =>
  (await scene.hospital.list('stockBalance', { warehouse_model_inner_sn: scene.central, lot_no }))[0]
const line = (lot_no: string, quantity: string, more: object = {}) => ({
  specification_sn: scene.inflator,
  lot_no,
  quantity,
  line_reason: '盘点时发现',
  ...more,
})

story('losses, gains and scrap, with what they cost', step => {
  // 报损
  step('needs a reason, pictures of breakage, and another person to approve', async () => {
    const { hospital } = scene
    const sn = await doc('loss', [line('BS1', '3', { line_reason: null })])
    expectMessage(await hospital.do('loss', 'submit', sn), '第1行：请填写报损原因')
    await hospital.done('loss', 'edit', sn, { lines: [{ line_no: 1, ...line('BS1', '3') }] })
    expectMessage(await hospital.do('loss', 'submit', sn), '第1行：请上传破损照片')
    await hospital.done('loss', 'edit', sn, { lines: [{ line_no: 1, ...line('BS1', '3', { pictures: [picture] }) }] })
    await hospital.done('loss', 'submit', sn)
    expect((await stockOf('BS1')).available).toBe('7.000')
    expectMessage(await hospital.do('loss', 'review', sn), '不能审核本人提交的单据')
    await keeper.done('loss', 'review', sn)
    expect(await stockOf('BS1')).toMatchObject({ quantity: '7.000' })
  })

  step(
    '批量审核: one by one; failures are named with reason, others stay done; an empty selection is reported',
    async () => {
      const { hospital } = scene
      const [one, two] = [
        await doc('loss', [line('BS1', '1')], { loss_type: 'missing' }),
        await doc('loss', [line('BS1', '1')], { loss_type: 'missing' }),
      ]
      await hospital.done('loss', 'submit', one)
      await hospital.done('loss', 'submit', two)
      const items = await Promise.all(
        [one, two].map(async sn => ({ sn, version: (await hospital.info('loss', sn)).version })),
      )
      const batch = (who: Person, rows: object[]) =>
        who.client.post('/v1/business/loss/batch', { action: 'review', items: JSON.stringify(rows) })
      expectMessage(await batch(keeper, []), '请先勾选表格中的复选框，再进行该操作。')
      const refused = await batch(hospital, items)
      expect(refused.list.map((row: { sn: string; msg: string }) => [row.sn, row.msg])).toEqual(
        [one, two].map(sn => [sn, '不能审核本人提交的单据']),
      )
      const { list } = await batch(keeper, [items[0]!, { ...items[1]!, version: 99 }])
      expect(list.map((row: { sn: string; code: number }) => [row.sn, row.code === 0])).toEqual([
        [one, true],
        [two, false],
      ])
      expect([(await hospital.info('loss', one)).state, (await hospital.info('loss', two)).state]).toEqual([
        'reviewed',
        'submitted',
      ])
      await keeper.done('loss', 'redReverse', one, { reason: '找到了' })
      await hospital.done('loss', 'unsubmit', two)
    },
  )

  step('costs what the ledger took out, to the cent, and creates no payable', async () => {
    const { hospital } = scene
    const sn = await doc('loss', [line('BS1', '3')], { loss_type: 'missing' })
    await signed('loss', sn)
    const info = await hospital.info('loss', sn)
    expect(info.taxed_amount).toBe('99.99')
    // The handler is the author, unless another user was named.
    const writer = await scene.one("select employee_id as id from app_user where login = 'hospital'")
    expect(writer.id).toBeTruthy()
    expect(info.handler_inner_sn).toBe(writer.id)
    const [moved] = await scene.server.database
      .owner`select sum(value)::text as value from stock_move m join document d on d.org_id = m.org_id
        and d.id = m.document_id where d.sn = ${sn} and d.role = 'own'`
    expect(moved!.value).toBe('-99.99')
    await keeper.done('loss', 'redReverse', sn, { reason: '找到了' })
    expect(await stockOf('BS1')).toMatchObject({ quantity: '7.000' })
  })

  step('of a supplier’s goods notifies the supplier, and is settled if the hospital pays', async () => {
    const { hospital, dealer, d } = scene
    const sn = await doc('loss', [line('BS2', '2')], { loss_type: 'missing', bearer: 'hospital' })
    await signed('loss', sn)
    const copy = await dealer.client.get('/v1/business/loss/info', { sn })
    expect(copy.info).toMatchObject({ loss_type: 'missing', total_quantity: '2.000' })
    const { info } = await hospital.client.post('/v1/business/settlement/generate', {
      counterparty_sn: d,
      begin_date: day(-30),
      end_date: day(1),
    })
    expect((await hospital.info('settlement', info.sn)).lines).toMatchObject([{ quantity: '2.000', source_sn: sn }])
    await hospital.done('settlement', 'submit', info.sn)
    expectMessage(await keeper.do('loss', 'unreview', sn), /^报损已进入供应商结算，不能反审核，请红冲/)
  })

  step('what exists but cannot be used is scrapped, not lost', async () => {
    const sn = await doc('loss', [line('BS3', '1', { quality_state: 'unqualified', pictures: [picture] })])
    expectMessage(await scene.hospital.do('loss', 'submit', sn), '第1行：实物存在的过期/不合格品请使用报废单')
  })

  // 报溢
  step('finds a lost serial again under its own code, at its lot’s cost; the trace continues', async () => {
    const { hospital, balloon } = scene
    const lost = await doc('loss', [{ unit_codes: ['BS-1'], line_reason: '未找到' }], { loss_type: 'missing' })
    await signed('loss', lost)
    expect((await hospital.list('unitLabel', { q: 'BS-1' }))[0].status).toBe('lost')
    const found = await doc('overflow', [
      {
        specification_sn: balloon,
        lot_no: 'BS4',
        expiry_date: day(700),
        unit_codes: ['BS-1'],
        line_reason: '柜后找到',
      },
    ])
    await signed('overflow', found)
    expect((await hospital.list('unitLabel', { q: 'BS-1' }))[0].status).toBe('in_stock')
    const trace = await hospital.trace('BS-1')
    expect(trace.list.map((event: { step: string }) => event.step)).toEqual(['opening', 'loss', 'overflow'])
  })

  step('is refused for goods on hand elsewhere or of a lot never received', async () => {
    const { hospital, balloon, inflator } = scene
    const here = await doc('overflow', [
      { specification_sn: balloon, lot_no: 'BS4', expiry_date: day(700), unit_codes: ['BS-2'], line_reason: '多出' },
    ])
    await hospital.done('overflow', 'submit', here)
    expectMessage(await keeper.do('overflow', 'review', here), /院内码BS-2账面在【.+】，请使用移库或调拨/)
    const unknown = await doc('overflow', [
      {
        specification_sn: inflator,
        lot_no: 'NEVER',
        expiry_date: day(700),
        production_date: day(-30),
        quantity: '1',
        line_reason: '多出',
      },
    ])
    expectMessage(await hospital.do('overflow', 'submit', unknown), /该批次无入库记录，请填写来源说明并上传来源证明/)
  })

  // 报溢 cost
  step(
    'is the lot’s average, the lot’s last cost, or the model’s last cost; zero cost needs an explanation',
    async () => {
      const { hospital, central, inflator } = scene
      await scene.shelve(hospital, central, [
        lotOf(inflator, 'BY1', { quantity: '4', price: '25' }),
        lotOf(inflator, 'BY2', { quantity: '2', price: '45' }),
      ])
      const cost = async (more: object) => {
        const sn = await doc('overflow', [{ ...lotOf(inflator, 'BY1'), quantity: '2', line_reason: '多', ...more }])
        return { sn, amount: (await hospital.info('overflow', sn)).taxed_amount }
      }
      const known = await cost({ price: null })
      expect(known.amount).toBe('50.00')
      await signed('loss', await doc('loss', [line('BY1', '4')], { loss_type: 'missing' }))
      expect((await cost({ price: null })).amount).toBe('50.00')
      expect((await cost({ price: null, lot_no: 'BYNEW' })).amount).toBe('90.00')
      const free = await cost({ price: '0' })
      expectMessage(await hospital.do('overflow', 'submit', free.sn), '第1行：成本单价为0，请在备注中说明原因')
      const old = await cost({ price: null, lot_no: 'BY2', expiry_date: day(-1) })
      expectMessage(await hospital.do('overflow', 'submit', old.sn), '第1行：批号BY2已过有效期，质量状态只能为不合格')
      // A find whose goods moved on can be neither withdrawn nor reversed.
      await signed('overflow', known.sn)
      await signed('loss', await doc('loss', [line('BY1', '2')], { loss_type: 'missing' }))
      expectMessage(
        await keeper.do('overflow', 'unreview', known.sn),
        /^货物已有后续业务（BS\d+），不能反审核：库存不足/,
      )
      expectMessage(
        await keeper.do('overflow', 'redReverse', known.sn, { reason: '试' }),
        /库存不足：.+批号BY1 可用0，需要2/,
      )
    },
  )

  // 报废
  step('takes unfit goods only, and needs two witnesses for destruction', async () => {
    const { hospital } = scene
    const good = await doc('scrap', [line('BS1', '1')], { scrap_reason: '过期' })
    expectMessage(await hospital.do('scrap', 'submit', good), '第1行：批号BS1为合格品，请先办理停售')
    const sn = await doc('scrap', [line('BS3', '4', { quality_state: 'unqualified' })], { scrap_reason: '包装破损' })
    await signed('scrap', sn)
    expect((await hospital.info('scrap', sn)).taxed_amount).toBe('48.00')
    const [one, two] = (await hospital.client.get('/v1/business/employee/list')).list
    const destroy = {
      destroy_method: 'burn',
      destroy_date: day(0),
      destroy_place: '医疗废物暂存点',
      witness_inner_sn: one.employee_inner_sn,
      destroy_pictures: [picture],
    }
    expectMessage(
      await keeper.do('scrap', 'destroy', sn, { ...destroy, second_witness_inner_sn: one.employee_inner_sn }),
      '监销人不能少于2人',
    )
    await keeper.done('scrap', 'destroy', sn, { ...destroy, second_witness_inner_sn: two.employee_inner_sn })
    expectMessage(await keeper.do('scrap', 'unreview', sn), '已登记销毁，不能反审核')
    expect(await hospital.info('scrap', sn)).toMatchObject({ state: 'completed', destroy_state: '2' })
    expectMessage(await keeper.do('scrap', 'redReverse', sn, { reason: '试' }), '已销毁，不能红冲')
  })

  step('of a supplier’s goods needs its consent; a scrapped serial can no longer be scanned', async () => {
    const { hospital, central, balloon, inflator, d } = scene
    await scene.shelve(hospital, central, [
      lotOf(inflator, 'BF1', { quantity: '2', quality_state: 'unqualified', owner_org_sn: d }),
      lotOf(balloon, 'BF2', { unit_codes: ['BF-1'], quality_state: 'unqualified' }),
    ])
    const unfit = { quality_state: 'unqualified' }
    const theirs = await doc('scrap', [line('BF1', '1', { ...unfit, owner_org_sn: d })], { scrap_reason: '破损' })
    expectMessage(await hospital.do('scrap', 'submit', theirs), '第1行：寄售产品报废须经货主确认，请上传货主的书面同意')
    await hospital.done('scrap', 'edit', theirs, { attachments: [picture] })
    await hospital.done('scrap', 'submit', theirs)
    expectMessage(await keeper.do('scrap', 'reject', theirs), /^请填写(驳回)?原因$/)
    const piece = await doc('scrap', [{ unit_codes: ['BF-1'], ...unfit }], { scrap_reason: '破损' })
    await signed('scrap', piece)
    expect((await hospital.list('unitLabel', { q: 'BF-1' }))[0].status).toBe('scrapped')
    const again = await doc('loss', [{ unit_codes: ['BF-1'], line_reason: '破损' }], { loss_type: 'missing' })
    expectMessage(await hospital.do('loss', 'submit', again), '院内码BF-1：该产品已报废')
    await keeper.done('scrap', 'unreview', piece)
    expect((await hospital.list('unitLabel', { q: 'BF-1' }))[0].status).toBe('in_stock')
  })

  // 审核清单
  step('shows the owner, requests with dates, and answers; filters by amount and days', async () => {
    const { hospital, central, inflator, d } = scene
    await scene.shelve(hospital, central, [
      lotOf(inflator, 'WORK', { quantity: '5', price: '40' }),
      lotOf(inflator, 'WORKC', { quantity: '5', owner_org_sn: d }),
    ])
    const sn = await doc('loss', [line('WORK', '2'), line('WORKC', '1', { owner_org_sn: d })], {
      loss_type: 'missing',
    })
    await hospital.done('loss', 'submit', sn)
    const found = (query: Record<string, string>) => hospital.list('loss', { sn, ...query })
    const [row] = await found({
      begin_taxed_amount: '80',
      end_taxed_amount: '80',
      begin_submitted_at: day(),
      end_submitted_at: day(),
    })
    expect(row.owner_names.split('、')).toHaveLength(2)
    expect(row).toMatchObject({
      submitted_by_name: expect.any(String),
      submitted_at: expect.any(String),
      rejected_for: null,
    })
    expect(await found({ begin_taxed_amount: '80.01' })).toEqual([])
    expect(await found({ end_submitted_at: day(-1) })).toEqual([])
    // The author does not approve it: it waits for another user, who then finds it among handled documents.
    const listed = async (who: Person, mine: string) => (await who.list('loss', { sn, mine })).length
    expect([await listed(hospital, 'waiting'), await listed(keeper, 'waiting')]).toEqual([0, 1])
    expect(await listed(keeper, 'signed')).toBe(0)
    await keeper.done('loss', 'reject', sn, { reason: '请先找一找' })
    expect([await listed(keeper, 'waiting'), await listed(keeper, 'signed')]).toEqual([0, 1])
    // The overview shows only the reader's own drafts.
    const draft = await doc('loss', [line('WORK', '1')], { loss_type: 'missing' })
    const seen = async (who: Person) => (await who.list('loss', { sn: draft, mine: 'drafts' })).length
    expect([await seen(hospital), await seen(keeper)]).toEqual([1, 0])
    expect((await found({}))[0].rejected_for).toBe('请先找一找')
  })

  step('used-up lots are listed beside the stock on request; a location starts with its area', async () => {
    const { hospital, central, inflator } = scene
    await scene.shelve(hospital, central, [lotOf(inflator, 'GONE', { quantity: '2', location: 'B-01-02-03' })])
    const shown = (query: object) =>
      hospital.list('stockBalance', { warehouse_model_inner_sn: central, lot_no: 'GONE', ...query })
    expect(await shown({ zero: '1', area: 'B' })).toMatchObject([{ quantity: '2.000', area: 'B' }])
    const sn = await doc('loss', [line('GONE', '2', { location: 'B-01-02-03' })], { loss_type: 'missing' })
    await signed('loss', sn)
    expect(await shown({})).toEqual([])
    expect(await shown({ zero: '1' })).toMatchObject([{ quantity: '0.000', value: '0.00', cost_price: null }])
  })
})
