import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 打印: the content of a printed document, how often it was printed, and which template it uses. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const sold = async (more: object = {}): Promise<string> => {
  const { dealer, shop, h, inflator } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, 'PRINT', { quantity: '20' })])
  const line = { specification_sn: inflator, lot_no: 'PRINT', quantity: '3', price: '35.6', tax_rate: 13 }
  const head = { counterparty_sn: h, warehouse_model_inner_sn: shop, regime: 'purchased' }
  const sn = await dealer.add('saleOdo', { ...head, lines: [line], ...more })
  await dealer.pass('saleOdo', sn)
  return sn
}

story('prints, from one step to the next', step => {
  step('a delivery note has what the law requires, and its amount in capitals', async () => {
    const sn = await sold()
    const { info } = await scene.dealer.client.get('/v1/business/saleOdo/print', { sn })
    expect(info).toMatchObject({
      taxed_amount: '106.80',
      untaxed_amount: '94.51',
      tax_amount: '12.29',
      amount_in_words: '壹佰零陆元捌角整',
      times_printed: 0,
    })
    // Fields not entered on the document come from the organisation and its customer; it left on the day of its
    // review.
    const known = expect.stringMatching(/./)
    expect(info).toMatchObject({ org_reach: known, org_licence_no: known, delivery_address: known, receiver: known })
    // Class III implants and cold-chain goods would need two inspectors.
    expect(info.lines[0]).toMatchObject({ lot_no: 'PRINT', needs_two: false, manufacturer_licence_no: known })
    expect(info).toMatchObject({ receiver_phone: known, shipped_on: day(), grn_kind: '销售出库' })
    const notified = { delivery_address: '东院 1 号门', receiver: '王收', receiver_phone: '021-1', shipped_on: day(-1) }
    const shippingFields = { ...notified, carrier: '顺达冷链', package_count: 3, departed_at: `${day(-1)}T01:30:00Z` }
    const other = (await scene.dealer.client.get('/v1/business/saleOdo/print', { sn: await sold(shippingFields) })).info
    expect(other).toMatchObject({ ...notified, carrier: '顺达冷链', package_count: 3, departed_at: `${day(-1)} 09:30` })
    expectMessage(await attempt(scene.dealer, 'saleOdo', { package_count: 0 }), /件数/)
    expect((await scene.dealer.info('saleOdo', sn)).actions).toContain('print')
  })

  step('each print is counted, and no one can count prints without permission', async () => {
    const sn = await sold()
    const printed = () => scene.dealer.client.post('/v1/business/saleOdo/printed', { sn })
    expect((await printed()).info).toEqual({ times: 1 })
    expect((await printed()).info).toEqual({ times: 2 })
    expect((await scene.dealer.client.get('/v1/business/saleOdo/print', { sn })).info.times_printed).toBe(2)
    expectMessage(
      await scene.vendor.client.post('/v1/business/saleOdo/printed', { sn }),
      `销售出库单${sn}不存在或已被删除`,
    )
    expectMessage(await scene.vendor.client.get('/v1/business/saleOdo/print', { sn }), `单据${sn}不存在或无权限`)
    expectMessage(await scene.finance.client.get('/v1/business/departmentUse/print', { sn }), `单据${sn}不存在或无权限`)
  })

  step('two documents with one number are counted separately', async () => {
    const { dealer, d, v } = scene
    const sn = await sold()
    await scene.one(
      `insert into document (org_id, kind, sn, role, from_org_id, state, business_date, created_by)
      values ($1, 'saleOdo', $2, 'counterparty', $3, 'reviewed', '2026-01-01', 0) returning 1`,
      d,
      sn,
      v,
    )
    const own = { sn, role: 'own', source_org_sn: d }
    const theirs = { sn, role: 'counterparty', source_org_sn: v }
    const print = (whose: object) => dealer.client.post('/v1/business/saleOdo/printed', { ...whose })
    expect((await print(own)).info).toEqual({ times: 1 })
    expect((await print(theirs)).info).toEqual({ times: 1 })
    expect((await print(own)).info).toEqual({ times: 2 })
    const times = async (whose: Record<string, string>) =>
      (await dealer.client.get('/v1/business/saleOdo/print', whose)).info.times_printed
    expect([await times(own), await times(theirs)]).toEqual([2, 1])
  })

  step('templates: partner, warehouse, organisation default, then platform; required columns stay', async () => {
    const { dealer, h, shop } = scene
    const sn = await sold()
    const add = (more: object) =>
      attempt(dealer, 'printTemplate', { name: '模板', sheet: '/newprint/outboundOrder', ...more })
    const lawful =
      '产品名称、规格型号、注册人/生产企业、生产许可证号/备案号、注册证号/备案号、批号/序列号、使用期限/有效期至、数量、储运条件'
    expectMessage(
      await add({ column_layout: lawful.replace('、批号/序列号', '') }),
      '随货同行单必填项不能移除：批号/序列号',
    )
    expectMessage(await add({ column_layout: '颜色' }), /^没有【颜色】这一列，可选：产品名称/)
    expectMessage(await add({ column_layout: `${lawful}、数量 12` }), '【数量】重复')
    expectMessage(await add({ column_layout: lawful.replace('数量', '数量 4') }), '【数量】的列宽不能小于5毫米')
    expectMessage(
      await add({ column_layout: lawful.replace('产品名称', '产品名称 200') }),
      '列宽合计超出纸张可打印宽度：合计240毫米，可用215毫米（未写宽度的列至少留5毫米）',
    )
    const narrow = { margin_left: '60', margin_right: '60', paper: 'A5L' }
    expectMessage(await add(narrow), '左右边距太大：纸宽210毫米，至少要留100毫米打印')
    expectMessage(await add({ margin_top: '61' }), /上边距/)
    expectMessage(await add({ margin_top: '50', margin_bottom: '40' }), '上下边距太大：纸高140毫米，至少要留80毫米打印')
    expectMessage(await add({ typeface: 'comic' }), /字体/)
    expectMessage(await add({ logo: ['aaaaaaaaaaaaaaaaaaaaaa.png'] }), '【LOGO】中的文件不存在，请重新上传')
    expectMessage(
      await add({ sheet: '/newprint/contractPrint', margin_right: '5' }),
      '合同右侧要盖骑缝章，右边距不能小于15毫米',
    )
    expectMessage(await add({ paper: 'form280' }), '该单据不能打印在这种纸上，请另选纸张规格')
    expectMessage(
      await add({ is_default: true, warehouse_model_inner_sn: shop }),
      '默认模板适用于全部仓库与机构，请清空适用范围',
    )
    const platform = await scene.person('platform')
    await platform.add('printTemplate', { name: '平台模板', sheet: '/newprint/outboundOrder' })
    const names = async () => {
      const { info } = await dealer.client.get('/v1/business/saleOdo/print', { sn })
      return info.templates.map((template: { name: string }) => template.name)
    }
    expect(await names()).toEqual(['平台模板'])
    await dealer.add('printTemplate', { name: '默认', sheet: '/newprint/outboundOrder', is_default: true })
    await dealer.add('printTemplate', {
      name: '本库',
      sheet: '/newprint/outboundOrder',
      warehouse_model_inner_sn: shop,
    })
    await dealer.add('printTemplate', {
      name: '本院',
      sheet: '/newprint/outboundOrder',
      counterparty_sn: h,
      column_layout: `${lawful.replace('数量', '数量 15')}、备注`,
    })
    expect(await names()).toEqual(['本院', '本库', '默认', '平台模板'])
    await dealer.add('printTemplate', { name: '新默认', sheet: '/newprint/outboundOrder', is_default: true })
    const defaults = await dealer.list('printTemplate', { is_default: 'true' })
    expect(defaults.map(row => row.name)).toEqual(['新默认'])
    const [{ code }] = defaults
    const found = async (query: Record<string, string>) =>
      (await dealer.list('printTemplate', query)).map(row => [row.name, row.print_route])
    expect(await found({ code })).toEqual([['新默认', '/newprint/outboundOrder']])
    const { name: hospital } = await scene.one('select name from organisation where id = $1', h)
    expect(await found({ counterparty_name: hospital })).toEqual([['本院', '/newprint/outboundOrder']])
    expect(await scene.hospital.list('printTemplate')).toEqual([])
    // Header fields, totals and signatures are chosen like columns; those that the law requires cannot be removed.
    const head = '出库单号、购货单位、收货地址、发货日期'
    expectMessage(await add({ head_layout: head.replace('、收货地址', '') }), '随货同行单必填项不能移除：收货地址')
    const signatures = '仓管员、发货人(出库专用章位置)、收货人签字及日期'
    const chosen = {
      head_layout: head,
      total_items: '合计数量',
      has_capitals: false,
      carrier: 'datamatrix',
      signatures,
    }
    await dealer.add('printTemplate', { name: '自选', sheet: '/newprint/outboundOrder', ...chosen })
    const { templates } = (await dealer.client.get('/v1/business/saleOdo/print', { sn })).info
    expect(templates.find((each: { name: string }) => each.name === '自选')).toMatchObject(chosen)
    // The platform can view one organisation's templates; no one else can.
    expect((await platform.list('printTemplate', { of_org_sn: scene.d })).map(row => row.name)).toContain('自选')
    expect((await platform.list('printTemplate')).map(row => row.name)).not.toContain('自选')
    expect((await scene.hospital.client.get('/v1/business/printTemplate/list', { of_org_sn: scene.d })).code).toBe(403)
  })

  step(
    'a reprint uses the first print’s template as it was; a trial is not counted; 恢复平台默认 and 复制',
    async () => {
      const { dealer, inflator } = scene
      const client = dealer.client
      const sn = await dealer.add('otherGrn', {
        warehouse_model_inner_sn: scene.shop,
        lines: [lotOf(inflator, 'AGAIN', { quantity: '1' })],
      })
      const sheet = '/newprint/inboundOrder'
      const template = await dealer.add('printTemplate', {
        name: '入库版式',
        sheet,
        is_default: true,
        title: '<b>第一版</b>',
        margin_left: '12',
        column_layout: '产品名称 60、数量',
      })
      const seen = async (more: object = {}) => (await client.get('/v1/business/otherGrn/print', { sn, ...more })).info
      const print = (more: object = {}) => client.post('/v1/business/otherGrn/printed', { sn, ...more })
      expect(await seen()).not.toHaveProperty('first_template')
      // The template changed while the page was open: the print is refused, so that the record matches the sheet that
      // was shown.
      expectMessage(await print({ template, revision: '9' }), '打印模板刚被修改或停用，请刷新后再打印')
      expect((await seen()).times_printed).toBe(0)
      // A picking copy does not count as a print of the document.
      expect((await print({ copy: 'picking' })).info).toEqual({ times: 1 })
      expect(await seen()).not.toHaveProperty('first_template')
      expect((await print({ template, revision: '1' })).code).toBe(0)
      await dealer.done('printTemplate', 'edit', template, { title: '第二版', margin_left: null, column_layout: null })
      const again = await seen()
      expect(again.first_template).toMatchObject({
        title: '<b>第一版</b>',
        margin_left: 12,
        column_layout: '产品名称 60、数量',
        revision: 1,
      })
      expect(again.templates[0]).toMatchObject({ title: '第二版', revision: 2, column_layout: null })
      // After a reprint with the newest template the first print stays the first; even if the template was deleted.
      expect((await print({ template, revision: '2' })).info).toEqual({ times: 3 })
      await dealer.done('printTemplate', 'del', template)
      expect((await seen()).first_template).toMatchObject({ title: '<b>第一版</b>' })

      // A trial print takes precedence, for any counterparty and even if the template is disabled; nothing is counted.
      const tried = await dealer.add('printTemplate', { name: '停用的', sheet, counterparty_sn: scene.h, title: '试' })
      await dealer.done('printTemplate', 'disable', tried)
      const trial = await seen({ trial: 'true', template: tried })
      expect(trial.templates[0]).toMatchObject({ print_template_sn: tried, title: '试' })
      expect(trial).not.toHaveProperty('first_template')
      expect((await seen()).times_printed).toBe(3)

      // The list shows how much of the sheet is printed; a copy is a template of its own, a reset uses the platform's.
      const mine = await dealer.add('printTemplate', {
        name: '自有',
        sheet,
        paper: 'A4',
        title: '自有标题',
        note: '附言',
      })
      expect((await dealer.list('printTemplate', { name: '自有' }))[0]).toMatchObject({
        orientation: '纵向',
        column_count: 14,
      })
      await dealer.done('printTemplate', 'copy', mine, { name: '自有副本' })
      const [copied] = await dealer.list('printTemplate', { name: '自有副本' })
      expect(copied).toMatchObject({ title: '自有标题', note: '附言', paper: 'A4', is_default: false, revision: 1 })
      await dealer.done('printTemplate', 'default', mine)
      expectMessage(await dealer.do('printTemplate', 'default', mine), '已经是默认模板')
      const platform = await scene.person('platform')
      await platform.add('printTemplate', { name: '平台入库', sheet, title: '平台标题', is_default: true })
      await dealer.done('printTemplate', 'reset', mine)
      expect((await dealer.list('printTemplate', { name: '自有' }))[0]).toMatchObject({
        title: '平台标题',
        note: null,
        paper: null,
        revision: 2,
      })
      // On a change of sheet, the previous sheet's column settings are not carried over.
      const moved = await dealer.add('printTemplate', { name: '改单', sheet, column_layout: '产品名称、货位' })
      await dealer.done('printTemplate', 'edit', moved, { sheet: '/newprint/purchaseOrder' })
      expect((await dealer.list('printTemplate', { name: '改单' }))[0]).toMatchObject({
        column_layout: null,
        revision: 2,
      })
      // A logo: its own, one, and no markup; the platform's templates have none.
      const withLogo = (who: typeof dealer, logo: string[]) =>
        attempt(who, 'printTemplate', { name: '图', sheet, logo })
      expectMessage(await withLogo(dealer, ['"><svg onload=1>.png']), '【LOGO】中的文件不存在，请重新上传')
      const [png, pdf] = [
        await uploaded(dealer, '\u0089PNG\r\n\u001a\n', 'a.png'),
        await uploaded(dealer, '%PDF-1.4', 'a.pdf'),
      ]
      expectMessage(await withLogo(dealer, [pdf]), 'LOGO须为 png、jpg 或 webp 图片，请重新上传')
      expectMessage(await withLogo(dealer, [png, png]), 'LOGO只能有一张图片，请移除多余的')
      expectMessage(await withLogo(scene.hospital, [png]), '【LOGO】中的文件不存在，请重新上传')
      const theirs = await uploaded(platform, '\u0089PNG\r\n\u001a\n', 'a.png')
      expectMessage(await withLogo(platform, [theirs]), '平台模板供各机构共用，不放LOGO，请由各机构在自己的模板里上传')
      await dealer.done('printTemplate', 'edit', mine, { logo: [png] })
      expect((await seen()).templates[0]).toMatchObject({ logo: [png] })
    },
  )

  async function uploaded({ client }: { client: Scene['dealer']['client'] }, bytes: string, name: string) {
    const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
    const reply = await client.raw({
      method: 'POST',
      url: '/v1/file/upload',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: Buffer.concat([Buffer.from(head), Buffer.from(bytes, 'latin1'), Buffer.from('\r\n--x--\r\n')]),
    })
    return String(reply.json().info.name)
  }

  const printed = async (who: { client: Scene['dealer']['client'] }, kind: string, sn: string) =>
    (await who.client.get(`/v1/business/${kind}/print`, { sn })).info

  step(
    'an order shows contact and address; stopped lines are struck through, consignment has no price yet',
    async () => {
      const { hospital, dealer, d, central, inflator, stent } = scene
      const order = await hospital.add('purchaseOrder', {
        counterparty_sn: d,
        warehouse_model_inner_sn: central,
        receiver: '收货组',
        lines: [{ specification_sn: inflator, quantity: '6', price: '145', tax_rate: 13 }],
      })
      await hospital.pass('purchaseOrder', order)
      expect(await printed(hospital, 'purchaseOrder', order)).toMatchObject({
        counterparty_contact: expect.any(String),
        receiving_address: expect.any(String),
        receiver: '收货组',
        taxed_amount: '870.00',
        lines: [{ pack: expect.anything() }],
      })
      // The seller's own sheet: the open quantities, and the lots that go first.
      const wanted = (await dealer.from('salesOrder', order)).sn
      await dealer.done('salesOrder', 'review', wanted)
      await scene.shelve(dealer, scene.shop, [
        lotOf(inflator, 'PICK2', { quantity: '50', location: 'B-02' }),
        lotOf(inflator, 'PICK1', { quantity: '4', location: 'A-01', expiry_date: day(40) }),
      ])
      const sheet = await printed(dealer, 'salesOrder', wanted)
      expect(sheet).toMatchObject({ ordered_total: '6', open_total: '6' })
      expect(sheet.lines[0]).toMatchObject({ shipped: '0.000', open_quantity: '6.000' })
      expect(sheet.lines[0].proposed_lots).toMatch(/^PICK1×4、/)
      expect(sheet.lines[0].location).toContain('A-01')
      await dealer.done('salesOrder', 'stop', wanted, { reason: '缺货' })
      expect((await printed(dealer, 'salesOrder', wanted)).open_total).toBe('0')
      expect((await printed(hospital, 'purchaseOrder', order)).lines[0]).toMatchObject({
        stopped_quantity: '6.000',
        struck: true,
      })
      const consigned = await hospital.add('purchaseOrder', {
        counterparty_sn: d,
        regime: 'consigned',
        lines: [{ specification_sn: stent, quantity: '2', price: '900', tax_rate: 13, remark: '随台' }],
      })
      expect(await printed(hospital, 'purchaseOrder', consigned)).toMatchObject({
        taxed_amount: '0.00',
        amount_in_words: '零元整',
        lines: [{ remark: '寄售；随台', taxed_amount: null }],
      })
    },
  )

  step(
    '打印合同: an order as a contract: both parties, template clauses with order data, sum in capitals',
    async () => {
      const { hospital, dealer, d, central, inflator, stent } = scene
      const route = '/newprint/contractPrint'
      const order = await hospital.add('purchaseOrder', {
        counterparty_sn: d,
        warehouse_model_inner_sn: central,
        lines: [{ specification_sn: inflator, quantity: '6', price: '145', tax_rate: 13 }],
      })
      const contract = (who: { client: Scene['dealer']['client'] }, kind: string, sn: string, more: object = {}) =>
        who.client.get(`/v1/business/${kind}/print`, { sn, sheet: route, ...more })
      // Without clauses of the organisation, the program's defaults apply.
      const { info } = await contract(hospital, 'purchaseOrder', order)
      const { name: buyer } = await scene.one('select name from organisation where id = $1', scene.h)
      const { name: seller } = await scene.one('select name from organisation where id = $1', d)
      expect(info).toMatchObject({
        title: '购销合同',
        contract_number: order,
        taxed_amount: '870.00',
        amount_in_words: '捌佰柒拾元整',
        parties: [
          { role: '甲方', name: buyer, facts: expect.arrayContaining([['统一社会信用代码', expect.any(String)]]) },
          { role: '乙方', name: seller },
        ],
      })
      expect(info.clauses[0]).toEqual({ text: '第一条 产品、数量与价款', isHeading: true })
      // A text of the organisation: it names only existing fields, and every named field must be filled.
      const add = (more: object) => attempt(hospital, 'printTemplate', { name: '院内合同', sheet: route, ...more })
      expectMessage(await add({ clauses: '甲方为{买方}' }), /^没有变量【买方】，可用：合同编号、甲方、乙方/)
      expectMessage(
        await add({ sheet: '/newprint/purchaseOrder', clauses: '甲方为{甲方}' }),
        '合同条款、签订地点和有效天数只用于购销合同，请改选单据类型或清空',
      )
      await hospital.add('printTemplate', {
        name: '院内合同',
        sheet: route,
        clauses:
          '第一条 价款\n{甲方}向{乙方}采购，合计{合同总金额}元（{合同总金额大写}），{付款方式}，有效期至{有效期止}。',
        valid_days: '365',
      })
      expectMessage(await contract(hospital, 'purchaseOrder', order), '合同模板变量未填写：付款方式')
      await hospital.done('purchaseOrder', 'edit', order, { payment_terms: '货到60天', contract_no: 'HT-1' })
      await hospital.pass('purchaseOrder', order)
      const filled = (await contract(hospital, 'purchaseOrder', order)).info
      expect(filled).toMatchObject({ contract_number: 'HT-1', state: 'reviewed', valid_to: day(365) })
      expect(filled.clauses[1].text).toBe(
        `${buyer}向${seller}采购，合计870.00元（捌佰柒拾元整），货到60天，有效期至${day(365)}。`,
      )
      // The seller prints it from its own order and is the second party there too.
      const theirs = (await contract(dealer, 'salesOrder', (await dealer.from('salesOrder', order)).sn)).info
      expect(theirs.parties.map((party: { name: string }) => party.name)).toEqual([buyer, seller])
      // Consigned goods have prices and no total.
      const lent = await hospital.add('purchaseOrder', {
        counterparty_sn: d,
        regime: 'consigned',
        payment_terms: '先用后付',
        lines: [{ specification_sn: stent, quantity: '2', price: '900', tax_rate: 13 }],
      })
      expectMessage(await contract(hospital, 'purchaseOrder', lent), '合同模板变量未填写：合同总金额、合同总金额大写')
      await hospital.add('printTemplate', {
        name: '寄售',
        sheet: route,
        counterparty_sn: d,
        clauses: '第一条 寄售\n先用后付。',
      })
      expect((await contract(hospital, 'purchaseOrder', lent)).info).toMatchObject({
        title: '寄售协议',
        taxed_amount: '',
      })
      // For an organisation without its own text: the goods stay the seller's, and used ones are paid for.
      const lending = await dealer.add('salesOrder', {
        counterparty_sn: scene.h,
        regime: 'consigned',
        lines: [{ specification_sn: stent, quantity: '2', price: '900', tax_rate: 13 }],
      })
      const lend = (await contract(dealer, 'salesOrder', lending)).info
      expect(lend.clauses.map((clause: { text: string }) => clause.text).join()).toMatch(
        /使用前所有权归乙方.*按甲方实际使用/,
      )
      expect(lend.lines[0]).not.toHaveProperty('taxed_amount')

      // Prices agreed for a period are a framework contract: prices and dates, no quantities and no total; a text that
      // names a total does not apply.
      const agree = (who: typeof hospital, body: object) =>
        who.add('priceRegistration', {
          valid_from: day(),
          valid_to: day(90),
          lines: [
            { specification_sn: inflator, quantity: '1', price: '139', tax_rate: 13 },
            { specification_sn: stent, quantity: '5', price: '880', tax_rate: 13 },
          ],
          ...body,
        })
      const bought = await agree(hospital, { counterparty_sn: d, price_side: 'buy' })
      const frame = (await contract(hospital, 'priceRegistration', bought)).info
      expect(frame).toMatchObject({
        title: '购销框架合同',
        contract_number: bought,
        taxed_amount: '',
        valid_from: day(),
        valid_to: day(90),
        state: 'draft',
        lines: [{ price: '139.0000' }, { price: '880.0000', remark: '5起' }],
      })
      expect(frame.lines[0]).not.toHaveProperty('quantity')
      expect(frame.lines[0]).not.toHaveProperty('taxed_amount')
      expect(frame.parties.map((party: { name: string }) => party.name)).toEqual([buyer, seller])
      expect(frame.clauses.map((clause: { text: string }) => clause.text).join()).toContain(
        `有效期自${day()}起至${day(90)}`,
      )
      // The seller's agreed prices: the seller is the second party of its own document.
      const sold = await agree(dealer, { counterparty_sn: scene.h, price_side: 'sell', valid_to: null })
      const selling = (await contract(dealer, 'priceRegistration', sold)).info
      expect(selling.parties.map((party: { name: string }) => party.name)).toEqual([buyer, seller])
      expect(selling).toMatchObject({ valid_to: '长期' })
    },
  )
})
