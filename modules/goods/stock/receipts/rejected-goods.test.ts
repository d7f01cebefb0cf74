import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { day, openStage, type Person, type Stage } from '#tests/support/story.ts'

/** Bad input of every kind: each gets a Chinese error that names the problem, and nothing changes. */
let stage: Stage
let [dealer, vendor, hospital, nurse] = [] as unknown as [Person, Person, Person, Person]
let [stent, store, customer] = ['', '', '']
let receipt = ''

const books = async (): Promise<string> => {
  const tables = [
    'stock_balance',
    'stock_move',
    'account_entry',
    'trace_event',
    'unit',
    'reservation',
    'line_progress',
    'document',
    'document_line',
    'numbering',
  ]
  const counts = await Promise.all(
    tables.map(table =>
      stage.one(
        `select '${table}' as t, count(*) as n, md5(coalesce(string_agg(x::text, '|' order by x::text), '')) as h
          from ${table} x`,
      ),
    ),
  )
  return JSON.stringify(counts)
}

/** Runs `work`, expects the refusal, and that no row of any ledger or document has changed. */
async function refused(
  work: () => Promise<{ code: number; msg: string; status: number }>,
  code: number,
  sentence: RegExp,
): Promise<void> {
  const before = await books()
  const reply = await work()
  expect([reply.status, reply.code, reply.msg]).toEqual([200, code, expect.stringMatching(sentence)])
  expect(await books()).toBe(before)
}

beforeAll(async () => {
  stage = await openStage()
  ;[dealer, vendor, hospital, nurse] = (await Promise.all(
    ['dealer', 'vendor', 'hospital', 'nurse'].map(stage.person),
  )) as [Person, Person, Person, Person]
  stent = await stage.specification('P001-01')
  store = await stage.store('D01', 'central')
  customer = await stage.org('H01')
  receipt = await dealer.add('openingStock', {
    warehouse_model_inner_sn: store,
    lines: [
      {
        specification_sn: stent,
        lot_no: 'BAD1',
        production_date: day(-100),
        expiry_date: '2028-01-31',
        unit_codes: ['BAD-1', 'BAD-2'],
        price: '500',
      },
    ],
  })
  await dealer.pass('openingStock', receipt)
})
afterAll(() => stage?.close())

const sale = (lines: object[], more: object = {}) =>
  dealer.add('saleOdo', {
    counterparty_sn: customer,
    warehouse_model_inner_sn: store,
    regime: 'consigned',
    lines,
    ...more,
  })

describe('access and document', () => {
  test('without permission', async () => {
    const sn = await hospital.add('purchaseOrder', {
      counterparty_sn: await stage.org('D01'),
      lines: [{ specification_sn: stent, quantity: '1' }],
    })
    await refused(() => nurse.client.post('/v1/business/purchaseOrder/submit', { sn, version: 1 }), 403, /没有操作权限/)
  })
  test("another organisation's document is reported as not existing", async () => {
    const [foreign, ghost] = await Promise.all([
      vendor.client.get('/v1/business/openingStock/info', { sn: receipt }),
      vendor.client.get('/v1/business/openingStock/info', { sn: 'QC2601010099' }),
    ])
    expect([foreign.code, foreign.msg.replace(receipt, 'X')]).toEqual([
      ghost.code,
      ghost.msg.replace('QC2601010099', 'X'),
    ])
    await refused(
      () => vendor.client.post('/v1/business/openingStock/unreview', { sn: receipt, version: 3 }),
      2106,
      /不存在或已被删除/,
    )
  })
  test('with an outdated version', () =>
    refused(
      () => dealer.client.post('/v1/business/openingStock/unreview', { sn: receipt, version: 1 }),
      2100,
      /单据已被他人修改，请刷新后重试/,
    ))
  test('in a state that does not allow it', () =>
    refused(() => dealer.do('openingStock', 'submit', receipt), 2101, /当前单据状态不允许该操作/))
  test('an action the kind does not have', async () =>
    expect((await dealer.client.post('/v1/business/openingStock/explode', { sn: receipt })).status).toBe(404))
})

describe('goods', () => {
  test('more than is on hand', async () => {
    const gauze = await stage.one(
      `select s.id, p.name from specification s join product p on p.id = s.product_id where not p.is_unit_coded
        and s.code = 'P042-01'`,
    )
    const sn = await hospital.add('departmentUse', {
      warehouse_model_inner_sn: await stage.store('H01', 'ward'),
      lines: [{ specification_sn: gauze.id, lot_no: 'NONE', quantity: '5' }],
    })
    await refused(
      () => hospital.do('departmentUse', 'submit', sn),
      2102,
      new RegExp(`库存不足：${gauze.name} .* 批号NONE 可用0，需要5`),
    )
  })
  test('serial goods without their codes', async () => {
    const sn = await sale([{ specification_sn: stent, lot_no: 'BAD1', quantity: '1' }])
    await refused(() => dealer.do('saleOdo', 'submit', sn), 2110, /为一物一码产品，请扫描院内码/)
  })
  test('an unknown code', () =>
    refused(
      () =>
        dealer.client.post('/v1/business/saleOdo/add', {
          counterparty_sn: customer,
          warehouse_model_inner_sn: store,
          lines: [{ unit_codes: ['NOWHERE-9'] }],
        }),
      2109,
      /院内码NOWHERE-9不存在/,
    ))
  test('a serial reserved for another document', async () => {
    const first = await sale([{ unit_codes: ['BAD-1'] }])
    await dealer.done('saleOdo', 'submit', first)
    const second = await sale([{ unit_codes: ['BAD-1'] }])
    await refused(() => dealer.do('saleOdo', 'submit', second), 2109, new RegExp(`院内码BAD-1已被单据${first}占用`))
    await dealer.done('saleOdo', 'unsubmit', first)
  })
  test('a serial that has already left', async () => {
    const gone = await sale([{ unit_codes: ['BAD-2'] }])
    const again = await sale([{ unit_codes: ['BAD-2'] }])
    await dealer.pass('saleOdo', gone)
    await refused(() => dealer.do('saleOdo', 'submit', again), 2109, /院内码BAD-2在途/)
  })
  test('the same code twice in one document', async () => {
    const sn = await sale([{ unit_codes: ['BAD-1'] }, { unit_codes: ['BAD-1'] }])
    await refused(() => dealer.do('saleOdo', 'submit', sn), 2110, /院内码BAD-1在本单中重复/)
  })
  test('a known lot with another expiry', async () => {
    const sn = await dealer.add('openingStock', {
      warehouse_model_inner_sn: store,
      lines: [
        { specification_sn: stent, lot_no: 'BAD1', expiry_date: '2029-12-31', unit_codes: ['BAD-3'], price: '1' },
      ],
    })
    await refused(() => dealer.do('openingStock', 'submit', sn), 2110, /批号BAD1的有效期至应为2028-01-31/)
  })
  test('expired goods', async () => {
    const sn = await dealer.add('purchaseGrn', {
      counterparty_sn: await stage.org('V01'),
      warehouse_model_inner_sn: store,
      lines: [{ specification_sn: stent, lot_no: 'OLD', expiry_date: day(-1), unit_codes: ['BAD-4'], price: '1' }],
    })
    await refused(() => dealer.do('purchaseGrn', 'submit', sn), 2110, /产品已过有效期，不能入库：【.*】批号OLD$/)
  })
})

story('trade documents and licences', step => {
  step('more than the source has left', async () => {
    const order = await dealer.add('purchaseOrder', {
      counterparty_sn: await stage.org('V01'),
      warehouse_model_inner_sn: store,
      lines: [{ specification_sn: stent, quantity: '2' }],
    })
    await dealer.pass('purchaseOrder', order)
    const sn = await dealer.add('purchaseGrn', {
      source_type: 3,
      source_sn: order,
      lines: [
        { source_line_no: 1, quantity: '3', lot_no: 'MORE', expiry_date: '2028-06-30', unit_codes: ['M1', 'M2', 'M3'] },
      ],
    })
    await refused(() => dealer.do('purchaseGrn', 'submit', sn), 2103, /入库数量超过订单未入库数量，最多还可入库2/)
  })
  step('an expired registration certificate', async () => {
    const bag = await stage.one(
      `select s.id, p.name, p.manufacturer_id from specification s join product p on p.id = s.product_id
        join registration_certificate c on c.id = s.registration_certificate_id where c.valid_to < current_date
        and p.status = 'released' and not exists (select 1 from registration_certificate n
        where n.previous_certificate_no = c.certificate_no and n.audit_state = 'passed') order by s.id limit 1`,
    )
    const trader = await stage.one(
      `select o.code from dealer_product e join organisation o on o.id = e.org_id where e.specification_id = $1
        limit 1`,
      bag.id,
    )
    const doc = { counterparty_sn: bag.manufacturer_id, lines: [{ specification_sn: bag.id, quantity: '1' }] }
    if (trader.code !== 'D01')
      await stage.one(
        `update app_user set org_id = (select id from organisation where code = $1) where login = 'dealer2'
          returning 1`,
        trader.code,
      )
    const buyer = trader.code === 'D01' ? dealer : await stage.person('dealer2')
    const sn = await buyer.add('purchaseOrder', doc)
    await refused(
      () => buyer.do('purchaseOrder', 'submit', sn),
      2104,
      new RegExp(`【${bag.name}】注册证.*已过期，不能下单`),
    )
  })
  step('an expired supplier licence', async () => {
    const partner = await stage.org('V01')
    await stage.one(
      'update licence set valid_to = $1, long_term = false where org_id = $2 and holder_id = $3 returning 1',
      day(-1),
      await stage.org('D01'),
      partner,
    )
    const sn = await dealer.add('purchaseOrder', {
      counterparty_sn: partner,
      lines: [{ specification_sn: stent, quantity: '1' }],
    })
    await refused(() => dealer.do('purchaseOrder', 'submit', sn), 2104, /供应商【.*】的营业执照已过期，不能下单/)
  })
  step('a price above the agreed one', async () => {
    const sn = await hospital.add('purchaseGrn', {
      counterparty_sn: await stage.org('D01'),
      warehouse_model_inner_sn: await stage.warehouse('H01-W02'),
      lines: [
        { specification_sn: stent, lot_no: 'DEAR', expiry_date: '2029-06-30', unit_codes: ['DEAR1'], price: '798.01' },
      ],
    })
    await refused(() => hospital.do('purchaseGrn', 'submit', sn), 2110, /采购单价高于协议价798（单价798.01）/)
  })
  step('a product not admitted by the hospital', async () => {
    const none = await stage.one(
      `select h.specification_id as id, h.supplier_id from hospital_product h
        join organisation o on o.id = h.org_id where o.code = 'H01' and h.admission_state <> 'admitted' limit 1`,
    )
    const sn = await hospital.add('purchaseOrder', {
      counterparty_sn: none.supplier_id,
      lines: [{ specification_sn: none.id, quantity: '1' }],
    })
    await refused(() => hospital.do('purchaseOrder', 'submit', sn), 2110, /未准入，不能采购/)
  })
  step('a partner without a live relation', () =>
    refused(
      async () =>
        hospital.client.post('/v1/business/purchaseOrder/add', { counterparty_sn: await stage.org('V02'), lines: [] }),
      2110,
      /没有有效的往来关系/,
    ),
  )
})

describe('values', () => {
  const order =
    (line: object, more: object = {}) =>
    async () =>
      hospital.client.post('/v1/business/purchaseOrder/add', {
        counterparty_sn: await stage.org('D01'),
        lines: [{ specification_sn: stent, quantity: '1', ...line }],
        ...more,
      })
  test('a negative quantity', () => refused(order({ quantity: '-1' }), 2000, /第1行：【采购数量】不能为负数/))
  test('more decimal places than allowed', () =>
    refused(order({ quantity: '1.0001' }), 2000, /第1行：【采购数量】最多3位小数/))
  test('a number that is not numeric', () => refused(order({ price: '1e9' }), 2000, /应为数字/))
  test('an invalid tax rate', () => refused(order({ tax_rate: '7' }), 2000, /只能是0、1、3、6、9、13/))
  test('a date that does not exist', () => refused(order({}, { expected_date: '2026-02-30' }), 2000, /不是有效日期/))
  test('an unknown field, by its name', () => refused(order({ wish: 'x' }), 2000, /没有“wish”这个字段/))
  test('a specification that does not exist', () =>
    refused(order({ specification_sn: '999999999' }), 2000, /不存在，请重新选择/))
  test('lines that are not a list', () => refused(order({}, { lines: '{"a"' }), 2000, /明细格式有误/))
  test('ten megabytes of garbage', async () => {
    const reply = await hospital.client.raw({
      method: 'POST',
      url: '/v1/business/purchaseOrder/add',
      headers: { 'content-type': 'application/json' },
      payload: 'x'.repeat(10 * 1024 * 1024),
    })
    expect(reply.statusCode).toBe(413)
    expect(reply.json().msg).toBe('提交内容过大，请分批提交')
  })
  const hostile = [
    "'; drop table document; --",
    '<script>alert(1)</script>',
    '${7*7}',
    '%00',
    '../../etc/passwd',
    '=cmd()',
    '\\u0000',
  ]
  test.each(hostile)('%s is a text like any other', async text => {
    const sn = await hospital.add('purchaseOrder', {
      counterparty_sn: await stage.org('D01'),
      remark: text,
      lines: [{ specification_sn: stent, quantity: '1', remark: text }],
    })
    const doc = await hospital.info('purchaseOrder', sn)
    expect([doc.remark, doc.lines[0].remark]).toEqual([text, text])
    for (const filter of ['q', 'sn', 'source_sn', 'lot_no', 'unit_code'])
      expect((await hospital.client.get('/v1/business/purchaseOrder/list', { [filter]: text })).status).toBe(200)
    expect((await hospital.client.get('/v1/trace', { code: text })).status).toBe(200)
  })
})

test('a double click posts once, and both clicks get the same reply', async () => {
  const headers = { 'x-request-id': 'double-click-1' }
  const body = { counterparty_sn: await stage.org('D01'), lines: [{ specification_sn: stent, quantity: '1' }] }
  const [one, two] = await Promise.all([
    hospital.client.post('/v1/business/purchaseOrder/add', body, headers),
    hospital.client.post('/v1/business/purchaseOrder/add', body, headers),
  ])
  expect(one.info).toEqual(two.info)
  expect(
    (await hospital.client.post('/v1/business/purchaseOrder/add', { ...body, remark: 'other' }, headers)).code,
  ).toBe(2107)
})

test('the preview lists every refusal at once and changes nothing', async () => {
  const sn = await sale([{ unit_codes: ['BAD-1'], quantity: '2' }], {
    warehouse_model_inner_sn: await stage.store('D01', 'stopSale'),
  })
  const before = await books()
  const { version } = await dealer.info('saleOdo', sn)
  const { info } = await dealer.client.post('/v1/business/saleOdo/rehearse', { sn, version, action: 'submit' })
  expect(info.refusals.map((refusal: { msg: string }) => refusal.msg)).toEqual([
    '院内码BAD-1不在该仓库，请核对所在仓库',
    expect.stringMatching(/数量2与院内码数量1不一致/),
  ])
  expect(await books()).toBe(before)
})
