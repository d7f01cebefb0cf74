import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { openedBy, uploadPicture } from '#tests/support/picture.ts'
import { sendSheet, workbook } from '#tests/support/sheets.ts'
import { day } from '#tests/support/story.ts'

/**
 * 供应商申请: requested by the supplier, accepted and decided line by line by the hospital, answered; it changes nothing
 * else.
 */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const ask = (more: object = {}) => ({
  counterparty_sn: scene.h,
  application_type: 'price',
  apply_reason: '原材料降价',
  lines: [
    { specification_sn: scene.inflator, old_price: '100', new_price: '95' },
    { specification_sn: scene.stent, old_price: '800', new_price: '880' },
  ],
  ...more,
})

story('supplier request, from one step to the next', step => {
  step('is made once at a time, and can be withdrawn until the hospital has accepted it', async () => {
    const { dealer, hospital, v } = scene
    expectMessage(await attempt(dealer, 'supplierApplication', ask({ counterparty_sn: v })), '请选择医院')
    expectMessage(await attempt(dealer, 'supplierApplication', ask({ apply_reason: null })), '请填写申请原因')
    expectMessage(
      await attempt(dealer, 'supplierApplication', ask({ lines: [{ specification_sn: scene.inflator }] })),
      '第1行：请填写原价格和申请价格',
    )
    const picture = await uploadPicture(dealer)
    const sn = await dealer.add('supplierApplication', ask({ attachments: [picture] }))
    const opened = () => openedBy(picture, dealer, hospital, scene.vendor)
    expect(await opened()).toEqual([200, 404, 404])
    await dealer.done('supplierApplication', 'submit', sn)
    // Attachments are sent with the copy: the hospital can open them, others cannot; when withdrawn, they are removed
    // there.
    expect(await opened()).toEqual([200, 200, 404])
    const counted = { role: 'counterparty', begin_attachment_count: '1', end_attachment_count: '1' }
    expect(await hospital.list('supplierApplication', counted)).toMatchObject([{ sn, attachment_count: 1 }])
    expect((await hospital.info('supplierApplication', sn)).attachments).toEqual([picture])
    const mine = await dealer.info('supplierApplication', sn)
    expect(mine.lines[0].change_rate).toMatch(/^-0\.05/)
    expect(mine).toMatchObject({ accept_state: '1', change_rate: '0.1000' })
    expectMessage(await attempt(dealer, 'supplierApplication', ask()), `该产品已有待处理的价格调整申请（${sn}）`)
    await dealer.done('supplierApplication', 'unsubmit', sn)
    expect(await hospital.list('supplierApplication', { sn, state: 'submitted' })).toEqual([])
    expect(await opened()).toEqual([200, 404, 404])
    await dealer.done('supplierApplication', 'submit', sn)
    expectMessage(await hospital.do('supplierApplication', 'review', sn), '请先受理')
    const within = (days: number) => ({ answer_by: day(days) })
    expectMessage(await hospital.do('supplierApplication', 'accept', sn, within(-1)), '处理时限不能早于今天')
    await hospital.done('supplierApplication', 'accept', sn, within(7))
    const due = { role: 'counterparty', begin_answer_by: day(7), end_answer_by: day(7) }
    expect(await hospital.list('supplierApplication', due)).toMatchObject([{ sn, answer_by: day(7) }])
    expect(await dealer.info('supplierApplication', sn)).toMatchObject({
      accept_state: '2',
      accepted_by: expect.stringMatching(/.+/),
    })
    expectMessage(await dealer.do('supplierApplication', 'unsubmit', sn), '医院已受理，不能撤回')
  })

  step('can be imported by workbook, and is refused for goods with an expired certificate', async () => {
    const { dealer, one, stent } = scene
    const sn = await dealer.add('supplierApplication', ask({ application_type: 'admission', lines: [] }))
    const { version } = await dealer.info('supplierApplication', sn)
    const rows = [
      ['产品编码', '原价格', '申请价格'],
      ['P001-01', 800, 760],
      ['没有这个', 1, 1],
    ]
    const send = (which: (string | number)[][]) =>
      sendSheet(dealer.client, '/v1/business/supplierApplication/import', workbook(which), {
        sn,
        version: String(version),
      })
    expect((await send(rows)).errors).toMatchObject([{ row: 3, column: '产品编码' }])
    expect((await send(rows.slice(0, 2))).msg).toBe('')
    expect((await dealer.info('supplierApplication', sn)).lines).toMatchObject([
      { specification_sn: stent, old_price: '800.0000', new_price: '760.0000' },
    ])
    const certificate = await one(
      `select c.id, c.valid_to::text as until from specification s
      join registration_certificate c on c.id = s.registration_certificate_id where s.id = $1`,
      stent,
    )
    const until = (last: string) =>
      one('update registration_certificate set valid_to = $2 where id = $1 returning 1', certificate.id, last)
    await until(day(-1))
    expectMessage(await dealer.do('supplierApplication', 'submit', sn), /^【.+】注册证已过期$/)
    await until(certificate.until)
    await dealer.done('supplierApplication', 'del', sn)
  })

  step('is decided line by line, with reasons; the hospital’s internal notes stay internal', async () => {
    const { dealer, hospital, inflator } = scene
    const [{ sn }] = await dealer.list('supplierApplication', { state: 'submitted' })
    const decide = (extra: object) => hospital.do('supplierApplication', 'lineDecide', sn, extra)
    // Only the hospital sees how a price compares with its own; 95 is below its current price, 880 above.
    const marks = async () =>
      (await hospital.info('supplierApplication', sn)).lines.map(
        (line: { price_mark: string | null }) => line.price_mark,
      )
    expect(await marks()).toEqual([null, 'dearer'])
    const handled = async () => (await hospital.list('supplierApplication', { sn }))[0].decided_lines
    expect(await handled()).toBe('0/2')
    expectMessage(await decide({ decide_lines: '2', decide_result: 'refused' }), '请填写不通过原因')
    expectMessage(await decide({ decide_lines: '9', decide_result: 'passed' }), '没有第9行，请核对行号')
    expect((await decide({ decide_lines: '2', decide_result: 'refused', decide_reason: '涨价不予同意' })).code).toBe(0)
    expectMessage(await hospital.do('supplierApplication', 'review', sn), '还有1行未处理')
    expect(await handled()).toBe('1/2')
    expect((await decide({ decide_lines: '1', decide_result: 'passed' })).code).toBe(0)
    await hospital.done('supplierApplication', 'comment', sn, { internal_comment: '可再压价' })
    await hospital.done('supplierApplication', 'transfer', sn, { office: '采购办' })
    await hospital.done('supplierApplication', 'review', sn, { opinion: '部分同意' })
    const answered = await dealer.info('supplierApplication', sn)
    expect(answered).toMatchObject({ state: 'reviewed', result: 'partly', opinion: '部分同意' })
    // The passed lines are now the hospital's own document; the supplier sees its number.
    const priced = await hospital.info('priceAdjustment', answered.result_sn)
    expect(priced).toMatchObject({ state: 'draft', adjust_type: 'purchase', counterparty_sn: scene.d })
    expect(priced.lines).toMatchObject([{ specification_sn: inflator, new_price: answered.lines[0].new_price }])
    const [row] = await dealer.list('supplierApplication', { sn })
    expect(row).toMatchObject({ result_sn: answered.result_sn, change_rate: answered.change_rate })
    expect([row.shown_old_price, row.shown_new_price].every(Boolean)).toBe(true)
    expect(answered.lines).toMatchObject([
      { line_result: 'passed' },
      { line_result: 'refused', line_reason: '涨价不予同意' },
    ])
    expect(JSON.stringify(answered)).not.toMatch(/可再压价|采购办|dearer|2\/2/)
    expect((await hospital.info('supplierApplication', sn)).internal_comment).toBe('可再压价')
    // Both sides print it; the hospital's internal notes are not on the supplier's sheet.
    const sheet = (who: typeof dealer) => who.client.get('/v1/business/supplierApplication/print', { sn })
    expect((await sheet(hospital)).info).toMatchObject({ title: '供应商申请单', lines: expect.any(Array) })
    const theirs = await sheet(dealer)
    expect(theirs.info.lines).toHaveLength(2)
    expect(JSON.stringify(theirs)).not.toMatch(/可再压价|采购办|dearer/)
    expect((await hospital.list('hospitalProduct', { q: 'P009-01' }))[0].specification_sn).toBe(inflator)
    await hospital.done('supplierApplication', 'unreview', sn)
    expect((await dealer.info('supplierApplication', sn)).state).toBe('submitted')
    await hospital.done('supplierApplication', 'reject', sn, { reason: '请重新报价' })
    const back = await dealer.info('supplierApplication', sn)
    expect(back).toMatchObject({ state: 'rejected', answer_reason: '请重新报价', accept_state: '1' })
    // After its correction it is submitted again, and the hospital decides again.
    await dealer.done('supplierApplication', 'submit', sn)
    const [again] = await hospital.list('supplierApplication', { sn, state: 'submitted' })
    expect(again).toMatchObject({ accept_state: '1' })
    expect((await dealer.info('supplierApplication', sn)).lines[0].line_result ?? null).toBeNull()
  })

  step(
    'lines are decided in bulk; an agreed price starts a price document, a certificate its application',
    async () => {
      const { dealer, hospital, d, inflator, stent } = scene
      for (const { sn } of await dealer.list('supplierApplication', { state: 'submitted' })) {
        const [copy] = await hospital.list('supplierApplication', { sn })
        if (copy.accept_state !== '2') await hospital.done('supplierApplication', 'accept', sn)
        await hospital.done('supplierApplication', 'reject', sn, { reason: '重新申请' })
      }
      const asked = async (more: object) => {
        const sn = await dealer.add('supplierApplication', ask(more))
        await dealer.done('supplierApplication', 'submit', sn)
        await hospital.done('supplierApplication', 'accept', sn)
        return sn
      }
      const price = await asked({ expected_date: day(10) })
      const decide = (extra: object) => hospital.do('supplierApplication', 'lineDecide', price, extra)
      expectMessage(await decide({ decide_lines: '1,7', decide_result: 'passed' }), '没有第7行，请核对行号')
      expect((await decide({ decide_result: 'passed' })).code).toBe(0)
      expectMessage(await decide({ decide_result: 'passed' }), '每一行都已处理，要改动请填写行号')
      expect((await decide({ decide_lines: '2', decide_result: 'refused', decide_reason: '不同意涨价' })).code).toBe(0)
      expectMessage(await decide({ decide_result: 'passed' }), '每一行都已处理，要改动请填写行号')
      await hospital.done('supplierApplication', 'review', price, { opinion: '部分同意' })
      const { result_sn } = await hospital.info('supplierApplication', price)
      expect(await hospital.info('priceAdjustment', result_sn)).toMatchObject({
        state: 'draft',
        adjust_type: 'purchase',
        counterparty_sn: d,
        effective_on: day(10),
        lines: [{ specification_sn: inflator, new_price: '95.0000' }],
      })
      expect((await hospital.do('priceAdjustment', 'submit', result_sn)).msg).toBe('')
      expectMessage(await hospital.do('supplierApplication', 'unreview', price), '结果单据已处理，不能反审核')

      const licence = await asked({
        application_type: 'certificate',
        lines: [{ specification_sn: stent, changed_field: '注册证号', new_value: '国械注准新证' }],
      })
      await hospital.done('supplierApplication', 'lineDecide', licence, { decide_result: 'passed' })
      await hospital.done('supplierApplication', 'review', licence, { opinion: '请提供' })
      const asking = (await hospital.info('supplierApplication', licence)).result_sn
      expect(await hospital.info('licenceApplication', asking)).toMatchObject({
        state: 'draft',
        partner_sn: d,
        lines: [{ licence_type: '医疗器械注册证/备案凭证', specification_sn: stent, remark: '注册证号：国械注准新证' }],
      })
    },
  )

  step('for admission starts the hospital’s own document on approval, and undoes it', async () => {
    const { dealer, hospital } = scene
    const sn = await dealer.add(
      'supplierApplication',
      ask({ application_type: 'admission', lines: [{ specification_sn: scene.inflator, new_price: '95' }] }),
    )
    await dealer.done('supplierApplication', 'submit', sn)
    await hospital.done('supplierApplication', 'accept', sn)
    await hospital.done('supplierApplication', 'lineDecide', sn, { decide_lines: '1', decide_result: 'passed' })
    await hospital.done('supplierApplication', 'review', sn, { opinion: '同意' })
    const { result_sn } = await hospital.info('supplierApplication', sn)
    expect(await hospital.info('admission', result_sn)).toMatchObject({
      state: 'draft',
      source_application_no: sn,
      product_summary: '一次性使用球囊充压装置',
    })
    await hospital.done('supplierApplication', 'unreview', sn)
    expect((await hospital.client.get('/v1/business/admission/info', { sn: result_sn })).code).not.toBe(0)
    await hospital.done('supplierApplication', 'reject', sn, { reason: '暂缓' })
  })

  step('for a certificate starts the request for the new certificate', async () => {
    const { dealer, hospital } = scene
    const sn = await dealer.add(
      'supplierApplication',
      ask({ application_type: 'certificate', lines: [{ specification_sn: scene.inflator }] }),
    )
    await dealer.done('supplierApplication', 'submit', sn)
    await hospital.done('supplierApplication', 'accept', sn)
    await hospital.done('supplierApplication', 'lineDecide', sn, { decide_lines: '1', decide_result: 'passed' })
    await hospital.done('supplierApplication', 'review', sn, { opinion: '同意' })
    const { result_sn } = await dealer.info('supplierApplication', sn)
    const asked = await hospital.info('licenceApplication', result_sn)
    expect(asked).toMatchObject({ state: 'draft', partner_sn: scene.d, purpose: 'renewal' })
    expect(asked.lines).toMatchObject([{ licence_type: '医疗器械注册证/备案凭证', specification_sn: scene.inflator }])
  })

  step('to end the supply warns about what is still open with the supplier', async () => {
    const { dealer, hospital, central, d, inflator } = scene
    const order = await hospital.add('purchaseOrder', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [{ specification_sn: inflator, quantity: '1' }],
    })
    await hospital.pass('purchaseOrder', order)
    const sn = await dealer.add(
      'supplierApplication',
      ask({ application_type: 'end', lines: [{ specification_sn: inflator }] }),
    )
    await dealer.done('supplierApplication', 'submit', sn)
    await hospital.done('supplierApplication', 'accept', sn)
    await hospital.done('supplierApplication', 'lineDecide', sn, { decide_lines: '1', decide_result: 'passed' })
    const { version } = await hospital.info('supplierApplication', sn)
    const asked = await hospital.client.post('/v1/business/supplierApplication/review', { sn, version })
    expect(asked).toMatchObject({ code: 2200, msg: '该供应商存在未完成订单或寄售库存，是否继续？' })
    await hospital.done('supplierApplication', 'review', sn, { opinion: '同意' })
    const { result_sn } = await dealer.info('supplierApplication', sn)
    const ending = await hospital.info('priceAdjustment', result_sn)
    expect(ending).toMatchObject({ state: 'draft', adjust_type: 'end', adjust_reason: 'end', counterparty_sn: d })
    expect(ending.lines).toMatchObject([{ specification_sn: inflator }])
    for (const waiting of await hospital.list('priceAdjustment', { state: 'submitted' }))
      await hospital.done('priceAdjustment', 'cancel', waiting.sn, { reason: '停止供货' })
    await hospital.pass('priceAdjustment', result_sn)
    const [price] = await hospital.list('productSupplier', {
      specification_sn: inflator,
      supplier_sn: d,
      status: 'enabled',
    })
    expect(price.valid_to).toBe(day(-1))
  })

  step('to change product data, or to consign goods, becomes catalogue proposals, adopted one by one', async () => {
    const { dealer, hospital, inflator, stent } = scene
    const passed = async (more: object) => {
      const sn = await dealer.add('supplierApplication', ask(more))
      await dealer.done('supplierApplication', 'submit', sn)
      await hospital.done('supplierApplication', 'accept', sn)
      await hospital.done('supplierApplication', 'lineDecide', sn, { decide_result: 'passed' })
      await hospital.done('supplierApplication', 'review', sn, { opinion: '同意' })
      return sn
    }
    const sn = await passed({
      application_type: 'change',
      lines: [
        { specification_sn: inflator, changed_field: '挂网编码', new_value: 'GW-77' },
        { specification_sn: stent, changed_field: '产品名称', new_value: '新名' },
      ],
    })
    const { result_sn } = await dealer.info('supplierApplication', sn)
    const proposals = () => hospital.list('catalogueProposal', { application_sn: sn, sort: 'code' })
    expect(await proposals()).toMatchObject([
      { code: `${result_sn}-1`, state: 'pending', proposal_type: 'change', new_value: 'GW-77' },
      { code: `${result_sn}-2`, state: 'pending', changed_field: '产品名称' },
    ])
    await hospital.done('supplierApplication', 'unreview', sn)
    expect(await proposals()).toEqual([])
    await hospital.done('supplierApplication', 'review', sn, { opinion: '同意' })
    const decide = async (at: number, action: string, more: object = {}) => {
      const row = (await proposals())[at]
      return hospital.client.post(`/v1/business/catalogueProposal/${action}`, {
        sn: row.catalogue_proposal_sn,
        version: row.version,
        ...more,
      })
    }
    const good = async () => (await hospital.list('hospitalProduct', { q: 'P009-01' }))[0]
    expect((await good()).listing_code).not.toBe('GW-77')
    expect((await decide(0, 'review')).msg).toBe('')
    expect((await good()).listing_code).toBe('GW-77')
    expectMessage(await decide(0, 'review'), '该建议已处理，请刷新列表')
    expectMessage(await hospital.do('supplierApplication', 'unreview', sn), '结果单据已处理，不能反审核')
    expect((await decide(1, 'review')).msg).toBe('')
    expect((await proposals())[1]).toMatchObject({ state: 'passed', effect: expect.stringMatching(/^已记录：/) })
    const notified = await scene.one(
      "select body from message where org_id = $1 and title = '申请处理结果' limit 1",
      scene.d,
    )
    expect(notified.body).toMatch(/挂网编码.*医院已采纳|产品名称.*医院已采纳/)
    // The way in which goods are managed cannot change while they are in stock.
    await scene.shelve(hospital, scene.central, [lotOf(inflator, 'JY1', { quantity: '1' })])
    const consign = await passed({ application_type: 'consign', lines: [{ specification_sn: inflator }] })
    const [asked] = await hospital.list('catalogueProposal', { application_sn: consign })
    const body = { sn: asked.catalogue_proposal_sn, version: asked.version }
    const before = (await good()).regime
    expectMessage(
      await hospital.client.post('/v1/business/catalogueProposal/review', body),
      /该产品有库存，不能变更管理方式/,
    )
    expectMessage(await hospital.client.post('/v1/business/catalogueProposal/reject', body), '请填写不采纳原因')
    expect(
      (await hospital.client.post('/v1/business/catalogueProposal/reject', { ...body, reason: '有库存' })).code,
    ).toBe(0)
    expect((await good()).regime).toBe(before)
    expect(await dealer.list('catalogueProposal')).toEqual([])
  })
})
