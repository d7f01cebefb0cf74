import { afterAll, beforeAll, expect, test } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { attempt, expectMessage, lotOf, openScene, type Scene, shelf } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 科室使用: pieces are used up, linked to the patient inside the hospital, and settled with their owner. */
let scene: Scene
const patient = { patient_no: 'P1', patient_name: '苏听松', admission_no: 'ZY01', implant_site: '左前降支' }
const use = (lines: object[], more: object = {}) => ({
  warehouse_model_inner_sn: scene.ward,
  department_inner_sn: scene.department,
  lines,
  ...more,
})
const onPatient = (lines: object[]) => use(lines, { ...patient, doctor_inner_sn: scene.surgeon })
const waiting = async (unit_code: string) =>
  (await scene.hospital.list('settlementLine', { unit_code })).map(row => [row.quantity, row.state]).sort()
beforeAll(async () => {
  scene = await openScene()
  const { dealer, hospital, shop, ward, stent, balloon, inflator, h } = scene
  await scene.shelve(dealer, shop, [
    lotOf(stent, 'SY1', { unit_codes: ['SY-1', 'SY-2', 'SY-3', 'SY-4'] }),
    lotOf(balloon, 'SY2', { unit_codes: ['SB-1', 'SB-2'] }),
  ])
  const odo = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    regime: 'consigned',
    lines: [{ unit_codes: ['SY-1', 'SY-2', 'SY-3'] }, { unit_codes: ['SB-1', 'SB-2'] }],
  })
  await dealer.pass('saleOdo', odo)
  const grn = await hospital.from('purchaseGrn', odo)
  const { version } = await hospital.info('purchaseGrn', grn.sn)
  await hospital.client.post('/v1/business/purchaseGrn/edit', { sn: grn.sn, version, warehouse_model_inner_sn: ward })
  await hospital.pass('purchaseGrn', grn.sn)
  await scene.shelve(hospital, ward, [
    lotOf(inflator, 'SY3', { quantity: '10' }),
    lotOf(inflator, 'SY4', { quantity: '5', expiry_date: day(3) }),
  ])
})
afterAll(() => scene?.close())

let implanted = ''
story('department use, from one step to the next', step => {
  step('a consigned implant is used on a patient: due for settlement; the owner sees the use, no patient', async () => {
    const { hospital, dealer, ward, stent, d } = scene
    implanted = await hospital.add('departmentUse', onPatient([{ unit_codes: ['SY-1'] }]))
    await hospital.pass('departmentUse', implanted)
    expect(await shelf(hospital, ward, stent)).toEqual({ SY1: '2.000' })
    const [line] = await hospital.list('settlementLine', { unit_code: 'SY-1' })
    expect(line).toMatchObject({
      owner_org_sn: d,
      quantity: '1.000',
      price: '798.0000',
      amount: '798.00',
      state: 'waiting',
    })
    const [copy] = await dealer.list('departmentUse', { role: 'counterparty', unit_code: 'SY-1' })
    expect(copy).toMatchObject({ sn: implanted, counterparty_sn: scene.h, total_quantity: '1.000' })
    const seen = await dealer.client.get('/v1/business/departmentUse/info', { sn: implanted })
    expect(JSON.stringify([copy, seen])).not.toMatch(/苏听松|ZY01|左前降支/)
    expect(
      (await dealer.list('stockBalance', { specification_sn: stent, consigned_out: '1', lot_no: 'SY1' }))
        .map(row => row.quantity)
        .sort(),
    ).toEqual(['1.000', '2.000'])
    expect((await hospital.trace('SY-1')).list.at(-1)).toMatchObject({ step: 'use', patient_name: '苏听松' })
  })

  step('what the hospital bought is consumed at cost, without settlement', async () => {
    const { hospital, ward, inflator } = scene
    const sn = await hospital.add(
      'departmentUse',
      use([{ specification_sn: inflator, lot_no: 'SY3', quantity: '2' }], { use_type: 'consume' }),
    )
    await hospital.pass('departmentUse', sn)
    expect(await shelf(hospital, ward, inflator)).toMatchObject({ SY3: '8.000' })
    expect(await hospital.list('settlementLine', { lot_no: 'SY3' })).toEqual([])
  })

  step('an implant needs patient, surgeon and site, and its own code', async () => {
    const { hospital, stent, surgeon } = scene
    const name = '第1行【冠状动脉药物洗脱支架系统】'
    const submit = (more: object, lines: object[] = [{ unit_codes: ['SY-2'] }]) =>
      attempt(hospital, 'departmentUse', use(lines, more))
    expectMessage(await submit({}), `${name}为植入物，请填写患者`)
    expectMessage(await submit({ patient_name: '苏听松' }), `${name}为植入物，请填写住院号或患者编号`)
    const named = { patient_name: '苏听松', admission_no: 'ZY01' }
    expectMessage(await submit(named), `${name}为植入物，请填写手术医生`)
    expectMessage(await submit({ ...named, doctor_inner_sn: surgeon }), `${name}为植入物，请填写植入部位`)
    expectMessage(
      await submit({ ...patient, doctor_inner_sn: surgeon }, [
        { specification_sn: stent, lot_no: 'SY1', quantity: '1' },
      ]),
      `${name}请扫描院内码后使用`,
    )
  })

  step('other high-value goods need a patient where the organisation requires it', async () => {
    proves('ward.patientNamed')
    const { hospital, h } = scene
    const doc = use([{ unit_codes: ['SB-1'] }])
    const free = await attempt(hospital, 'departmentUse', doc)
    expect(free.code).toBe(0)
    await hospital.done('departmentUse', 'unsubmit', free.info.sn)
    await scene.rule(h, 'high_value_needs_patient', true)
    expectMessage(await attempt(hospital, 'departmentUse', doc), '第1行【冠状动脉球囊扩张导管】高值耗材必须关联患者')
    expect((await attempt(hospital, 'departmentUse', onPatient([{ unit_codes: ['SB-2'] }]), 'review')).code).toBe(0)
    await scene.rule(h, 'high_value_needs_patient', false)
  })

  step('控制环节 使用: licences checked at this step stop the use of goods, or give a warning', async () => {
    const { hospital, h, d, balloon } = scene
    const watch = (type: string, control: string | null, at_use: boolean) =>
      scene.one(
        `insert into licence_setting (org_id, licence_type, control, at_use) values ($1, $2, $3, $4)
       on conflict (org_id, licence_type) do update set control = excluded.control, at_use = excluded.at_use
         returning 1`,
        h,
        type,
        control,
        at_use,
      )
    const last = (day: string) =>
      scene.one(
        `update licence set valid_to = $3, long_term = false where org_id = $1 and holder_id = $2
        and licence_type = '营业执照' returning 1`,
        h,
        d,
        day,
      )
    await last(day(-3))
    const sn = await hospital.add('departmentUse', onPatient([{ unit_codes: ['SB-1'] }]))
    const used = () => hospital.do('departmentUse', 'submit', sn)
    await watch('营业执照', 'refuse', true)
    expectMessage(await used(), new RegExp(`^第1行【.+】：供应商【.+】的营业执照已于${day(-3)}到期，不能使用$`))
    await watch('营业执照', 'warn', true)
    const { version } = await hospital.info('departmentUse', sn)
    expect(await hospital.client.post('/v1/business/departmentUse/submit', { sn, version })).toMatchObject({
      info: { questions: [{ rule: 'papersAtUse', line: 1 }] },
    })
    await watch('营业执照', 'refuse', false)
    await last(day(900))
    const certificate = (last: string) =>
      scene.one(
        `update registration_certificate set valid_to = $1 where id = (select registration_certificate_id
        from specification where id = $2) returning 1`,
        last,
        balloon,
      )
    await watch('医疗器械注册证/备案凭证', null, true)
    await certificate(day(-1))
    expectMessage(await used(), new RegExp(`^第1行【.+】：注册证已于${day(-1)}到期，不能使用$`))
    await watch('医疗器械注册证/备案凭证', null, false)
    await certificate(day(900))
    await hospital.done('departmentUse', 'del', sn)
  })

  step('nothing is used twice, from another location, expired or blocked', async () => {
    const { hospital, inflator, central } = scene
    expectMessage(await attempt(hospital, 'departmentUse', onPatient([{ unit_codes: ['SY-1'] }])), '院内码SY-1已使用')
    expectMessage(
      await attempt(hospital, 'departmentUse', onPatient([{ unit_codes: ['SY-4'] }])),
      '院内码SY-4不在库，请核对后重新扫描',
    )
    expectMessage(
      await attempt(hospital, 'departmentUse', {
        ...onPatient([{ unit_codes: ['SY-2'] }]),
        warehouse_model_inner_sn: central,
      }),
      '院内码SY-2不在该仓库，请核对所在仓库',
    )
    expectMessage(
      await attempt(hospital, 'departmentUse', onPatient([{ unit_codes: ['SY-9'] }])),
      /院内码SY-9不存在，请核对后重新扫描/,
    )
    expectMessage(
      await attempt(
        hospital,
        'departmentUse',
        use([{ specification_sn: inflator, lot_no: 'SY4', quantity: '1' }], { used_at: `${day(4)}T02:00:00Z` }),
      ),
      '第1行：产品已过期，禁止使用',
    )
    expectMessage(
      await attempt(hospital, 'departmentUse', use([{ specification_sn: inflator, lot_no: 'SY3', quantity: '9' }])),
      '库存不足：一次性使用球囊充压装置 30atm 20ml 批号SY3 可用8，需要9',
    )
  })

  step('undone, serial, owner and settlement are as before; the owner is notified', async () => {
    const { hospital, dealer, ward, stent } = scene
    await hospital.done('departmentUse', 'unreview', implanted)
    expect(await shelf(hospital, ward, stent)).toEqual({ SY1: '3.000' })
    expect(await waiting('SY-1')).toEqual([
      ['-1.000', 'netted'],
      ['1.000', 'netted'],
    ])
    expect(
      (await dealer.list('stockBalance', { specification_sn: stent, consigned_out: '1', lot_no: 'SY1' }))
        .map(row => row.quantity)
        .sort(),
    ).toEqual(['1.000', '3.000'])
    await hospital.done('departmentUse', 'review', implanted)
    expect((await waiting('SY-1')).filter(([, state]) => state === 'waiting')).toEqual([['1.000', 'waiting']])
  })

  step('退用 of one of two serials leaves the other to be settled', async () => {
    const { hospital, dealer, ward, stent } = scene
    const sn = await hospital.add('departmentUse', onPatient([{ unit_codes: ['SY-2', 'SY-3'] }]))
    await hospital.pass('departmentUse', sn)
    expectMessage(await hospital.do('departmentUse', 'redReverse', sn), '请填写红冲原因')
    await hospital.done('departmentUse', 'redReverse', sn, {
      reason: '未拆封退回',
      lines: [{ line_no: 1, unit_codes: ['SY-3'] }],
    })
    expect([await waiting('SY-2'), await waiting('SY-3')]).toEqual([
      [['1.000', 'waiting']],
      [
        ['-1.000', 'netted'],
        ['1.000', 'netted'],
      ],
    ])
    expect(await shelf(hospital, ward, stent)).toEqual({ SY1: '1.000' })
    expect((await hospital.trace('SY-3')).info.now).toMatchObject({ status: 'in_stock' })
    // Its owner keeps the report of two pieces; one with a minus follows on the day of the reversal.
    const notified = await dealer.list('departmentUse', { role: 'counterparty', unit_code: 'SY-3' })
    expect(notified.map(row => [row.total_quantity, row.state, row.state_name, row.settled_stage]).sort()).toEqual([
      ['-1.000', 'reviewed', '红冲单', 'open'],
      ['2.000', 'reviewed', '已审核', 'open'],
    ])
    const red = notified.find(row => row.total_quantity === '-1.000')!
    expect((await dealer.info('departmentUse', red.sn)).lines).toMatchObject([
      { unit_codes: ['SY-3'], quantity: '-1.000', taxed_amount: '-798.00' },
    ])
    expect(
      (await dealer.list('stockBalance', { specification_sn: stent, consigned_out: '1', lot_no: 'SY1' }))
        .map(row => row.quantity)
        .sort(),
    ).toEqual(['1.000', '1.000'])
  })

  step(
    'use of bought goods is reported to the seller at its price; the manufacturer sees quantities only',
    async () => {
      const { hospital, dealer, vendor, ward, inflator, stent, d, h } = scene
      const grn = await hospital.add('purchaseGrn', {
        counterparty_sn: d,
        warehouse_model_inner_sn: ward,
        lines: [lotOf(inflator, 'SY5', { quantity: '10', price: '140' })],
      })
      await hospital.pass('purchaseGrn', grn)
      const sn = await hospital.add(
        'departmentUse',
        use([{ specification_sn: inflator, lot_no: 'SY5', quantity: '2' }], { use_type: 'consume' }),
      )
      await hospital.pass('departmentUse', sn)
      const sold = await dealer.info('departmentUse', sn)
      expect(sold).toMatchObject({ report_basis: 'supplied', settled_stage: 'none', taxed_amount: '280.00' })
      expect(sold.lines).toMatchObject([{ quantity: '2.000', price: '140.0000', owner_org_sn: h }])
      await dealer.done('departmentUse', 'replenish', sn)
      const { replenish_sn, version } = await dealer.info('departmentUse', sn)
      // Selected reports are processed together, each with its organisation.
      const items = [{ sn, version, source_org_sn: h }]
      const compared = await dealer.client.post('/v1/business/departmentUse/batch', { action: 'compare', items })
      expect(compared.list).toMatchObject([{ sn, code: 0 }])
      expect((await dealer.info('departmentUse', sn)).compare_state).toBe('2')
      await dealer.done('departmentUse', 'uncompare', sn)
      const order = await dealer.info('salesOrder', replenish_sn)
      expect(order).toMatchObject({ regime: 'purchased', lines: [{ specification_sn: inflator, quantity: '2.000' }] })
      // Opening stock of the hospital has no known seller.
      expect(await dealer.list('departmentUse', { role: 'counterparty', lot_no: 'SY3' })).toEqual([])
      const made = await vendor.info('departmentUse', implanted)
      expect(made).toMatchObject({
        report_basis: 'made',
        settled_stage: 'none',
        total_quantity: '1.000',
        taxed_amount: null,
      })
      expect(made.lines).toMatchObject([
        { unit_codes: ['SY-1'], specification_sn: stent, price: null, taxed_amount: null },
      ])
      expect(JSON.stringify(made)).not.toMatch(/苏听松|ZY01|左前降支|"798\./)
      expectMessage(await vendor.do('departmentUse', 'replenish', implanted), '货物由其他单位供应，请由供货单位补货')
      expect(made.actions).toContain('compare')
      // Line by line: the manufacturer sees the piece and no price, the seller its own price, and a reversed use has a
      // minus.
      type Row = Record<string, string | null>
      const linesOf = async (who: Person, more: Record<string, string> = {}): Promise<Row[]> =>
        (await who.client.get('/v1/report/usedLines', { begin_date: day(-1), end_date: day(1), ...more })).list
      const of = (rows: Row[]) => rows.filter(row => row.document_sn === implanted)
      const [maker, ...more] = of(await linesOf(vendor))
      expect(maker).toMatchObject({ basis: 'made', codes: 'SY-1', settled_stage: 'none' })
      expect(more).toEqual([])
      expect(maker).not.toHaveProperty('price')
      expect(maker).not.toHaveProperty('amount')
      expect(of(await linesOf(dealer))).toMatchObject([{ basis: 'consigned', quantity: '1.000' }])
      expect((await linesOf(dealer, { basis: 'supplied' })).map(row => [row.document_sn, row.amount])).toContainEqual([
        sn,
        '280.00',
      ])
      expect(made.actions).not.toContain('replenish')
      // Organisations that no longer trade with the hospital are not notified.
      await scene.one(
        `update org_relation set status = 'disabled' where $1 in (org_id, partner_id)
      and $2 in (org_id, partner_id) returning 1`,
        h,
        scene.v,
      )
      const later = await hospital.add('departmentUse', onPatient([{ unit_codes: ['SY-3'] }]))
      await hospital.pass('departmentUse', later)
      expect((await vendor.client.get('/v1/business/departmentUse/info', { sn: later })).code).not.toBe(0)
      await hospital.done('departmentUse', 'redReverse', later, { reason: '未拆封退回' })
      await scene.one(
        `update org_relation set status = 'enabled' where $1 in (org_id, partner_id) and $2 in (org_id, partner_id)
      returning 1`,
        h,
        scene.v,
      )
      expect((await dealer.info('departmentUse', later)).settled_stage).toBe('netted')
      const onCode = await linesOf(dealer, { unit_code: 'SY-3' })
      expect(onCode.filter(row => row.document_sn === later).map(row => row.quantity)).toEqual(['1.000'])
      expect(onCode.map(row => row.quantity)).toContain('-1.000')
    },
  )

  step('once on a settlement it is undone only by 退用, which lowers the next settlement', async () => {
    const { hospital, dealer, d } = scene
    const { info } = await hospital.client.post('/v1/business/settlement/generate', {
      counterparty_sn: d,
      begin_date: day(-30),
      end_date: day(1),
    })
    const stage = async () => (await dealer.info('departmentUse', implanted)).settled_stage
    expect(await stage()).toBe('open')
    await hospital.done('settlement', 'submit', info.sn)
    expect(await stage()).toBe('waiting')
    expectMessage(
      await hospital.do('departmentUse', 'unreview', implanted),
      `使用记录已进入结算，不能反审核，请红冲退用，下期结算冲减（${info.sn}）`,
    )
    await dealer.done('settlement', 'confirm', info.sn)
    await hospital.done('settlement', 'review', info.sn)
    expect((await hospital.info('departmentUse', implanted)).settle_state).toBe('3')
    expect(await stage()).toBe('settled')
    expect((await dealer.list('departmentUse', { settled_stage: 'settled' })).map(row => row.sn)).toContain(implanted)
    await hospital.done('departmentUse', 'redReverse', implanted, { reason: '未拆封退回' })
    expect((await waiting('SY-1')).filter(([, state]) => state !== 'netted')).toEqual([
      ['-1.000', 'waiting'],
      ['1.000', 'settled'],
    ])
    expect((await hospital.trace('SY-1')).info.now).toMatchObject({ status: 'in_stock' })
  })

  step('the owner replenishes what was used: one order per hospital, each report once', async () => {
    const { hospital, dealer } = scene
    const first = await hospital.add('departmentUse', onPatient([{ unit_codes: ['SY-1'] }]))
    await hospital.pass('departmentUse', first)
    await dealer.done('departmentUse', 'replenish', first)
    expectMessage(await dealer.do('departmentUse', 'replenish', first), '所选记录已生成补货')
    const more = await hospital.add('departmentUse', onPatient([{ unit_codes: ['SY-3'] }]))
    await hospital.pass('departmentUse', more)
    await dealer.done('departmentUse', 'replenish', more)
    const [notified] = await dealer.list('departmentUse', { role: 'counterparty', replenish_state: '2', sn: more })
    const order = await dealer.info('salesOrder', notified!.replenish_sn)
    expect(order).toMatchObject({ state: 'draft', order_type: 'refill', regime: 'consigned', counterparty_sn: scene.h })
    expect(order.lines.map((line: { quantity: string }) => line.quantity).sort()).toEqual(['2.000'])
    expect((await hospital.info('departmentUse', more)).replenish_state ?? null).toBe(null)
    expectMessage(await dealer.do('departmentUse', 'uncompare', more), '该使用记录尚未对账')
    await dealer.done('departmentUse', 'compare', more)
    expectMessage(await dealer.do('departmentUse', 'compare', more), '该使用记录已对账')
    const ticked = await dealer.list('departmentUse', { role: 'counterparty', compare_state: '2' })
    expect(ticked.map(row => row.sn)).toEqual([more])
    expect((await hospital.info('departmentUse', more)).compare_state ?? null).toBe(null)
    await dealer.done('departmentUse', 'uncompare', more)
    expect(await dealer.list('departmentUse', { role: 'counterparty', compare_state: '2' })).toEqual([])
  })

  step('above the orders all uses of a hospital are ordered at once; an order that is deleted frees them', async () => {
    const { dealer, h, v } = scene
    const refill = (asked: Record<string, unknown>) => dealer.client.post('/v1/business/salesOrder/refill', asked)
    const open = async () => {
      const reports = await dealer.list('departmentUse', { role: 'counterparty' })
      return reports.filter(row => row.replenish_state !== '2').map(row => row.sn)
    }
    const refilled = await dealer.list('departmentUse', { role: 'counterparty', replenish_state: '2' })
    const orders = [...new Set(refilled.flatMap(row => String(row.replenish_sn).split('、')))]
    expect(orders.length).toBeGreaterThan(1)
    for (const sn of orders) {
      const { version, order_type } = await dealer.info('salesOrder', sn)
      expect(order_type).toBe('refill')
      const gone = { sn, version, reason: '重新补货' }
      const draft = orders.indexOf(sn) > 0
      if (!draft) await dealer.done('salesOrder', 'cancel', sn, { reason: '重新补货' })
      else expect(await dealer.client.post('/v1/business/salesOrder/del', gone)).toMatchObject({ code: 0 })
    }
    expect(await dealer.list('departmentUse', { role: 'counterparty', replenish_state: '2' })).toEqual([])
    const waiting = await open()
    expect(waiting).toEqual(expect.arrayContaining(refilled.map(row => row.sn)))
    expectMessage(await refill({ counterparty_sn: h, begin_date: day(1), end_date: day(-1) }), /不能晚于/)
    const nothing = '该医院在此期间没有未补货的使用记录，请核对医院和使用日期'
    expectMessage(await refill({ counterparty_sn: h, begin_date: day(2), end_date: day(3) }), nothing)
    expectMessage(await refill({ counterparty_sn: v }), nothing)
    const { info } = await refill({ counterparty_sn: h })
    const made = info.orders.map((order: { sn: string }) => order.sn)
    const [consigned, sold] = await Promise.all(made.map((sn: string) => dealer.info('salesOrder', sn)))
    expect(consigned).toMatchObject({ state: 'draft', order_type: 'refill', regime: 'consigned', counterparty_sn: h })
    expect(sold).toMatchObject({ state: 'draft', order_type: 'refill', regime: 'purchased', counterparty_sn: h })
    // Each model once, less what was taken back; a draft has its uses already.
    for (const { lines } of [consigned, sold]) {
      const models = lines.map((line: { specification_sn: string }) => line.specification_sn)
      expect(new Set(models).size).toBe(models.length)
    }
    expectMessage(await refill({ counterparty_sn: h }), nothing)
    for (const sn of refilled.map(row => row.sn))
      expectMessage(await dealer.do('departmentUse', 'replenish', sn), '所选记录已生成补货')
    // With one of two orders gone, only its part is ordered again.
    const { version } = await dealer.info('salesOrder', sold.sn)
    await dealer.client.post('/v1/business/salesOrder/del', { sn: sold.sn, version })
    const again = await refill({ counterparty_sn: h })
    expect(again.info.orders).toHaveLength(1)
    const replaced = await dealer.info('salesOrder', again.info.sn)
    const goodsOf = ({ lines }: { lines: Record<string, unknown>[] }) =>
      lines.map(line => [line.specification_sn, line.quantity])
    expect(goodsOf(replaced)).toEqual(goodsOf(sold))
    expect(goodsOf(await dealer.info('salesOrder', consigned.sn))).toEqual(goodsOf(consigned))
  })
})

test('the lines of uses are listed with product, lot and codes; taken back, with a minus; never a patient', async () => {
  const { hospital, ward, balloon, inflator, d } = scene
  await scene.shelve(hospital, ward, [
    lotOf(balloon, 'SU1', { unit_codes: ['SU-1'], owner_org_sn: d }),
    lotOf(inflator, 'SU2', { quantity: '5' }),
  ])
  const sn = await hospital.add('departmentUse', {
    ...onPatient([{ unit_codes: ['SU-1'] }, { specification_sn: inflator, lot_no: 'SU2', quantity: '2' }]),
  })
  await hospital.pass('departmentUse', sn)
  const lines = async (query: object) => {
    const asked = { begin_date: day(-1), end_date: day(), pageSize: '500', ...query }
    return (await hospital.client.get('/v1/report/wardUsedLines', asked)).list
  }
  const [piece] = await lines({ unit_code: 'SU-1' })
  expect(piece).toMatchObject({
    document_sn: sn,
    lot_no: 'SU1',
    codes: 'SU-1',
    quantity: '1.000',
    amount: '168.00',
    regime: 'consigned',
    settled_stage: 'waiting',
  })
  const own = (await lines({ lot_no: 'SU2' })).filter((row: { document_sn: string }) => row.document_sn === sn)
  expect(own).toMatchObject([{ quantity: '2.000', regime: 'purchased', settled_stage: 'none' }])
  await hospital.done('departmentUse', 'redReverse', sn, { reason: '未拆封' })
  expect((await lines({ unit_code: 'SU-1' })).map((row: { quantity: string }) => row.quantity).sort()).toEqual([
    '-1.000',
    '1.000',
  ])
  expect(JSON.stringify(await lines({}))).not.toMatch(/苏听松|ZY01/)
})
