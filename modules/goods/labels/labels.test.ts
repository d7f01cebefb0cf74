import { namesLots } from '#kernel/definition/line-content.ts'
import { documents } from '#kernel/registry.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempt, expectMessage, lotOf, openScene, type Scene, shelf } from '#tests/support/fixture.ts'

/** 标签: made for goods in stock, printed, replaced and voided; coded goods leave by their code. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const call = (name: string, body: object, kind = 'unitLabel') =>
  scene.hospital.client.post(`/v1/business/${kind}/${name}`, body as Record<string, unknown>)
const on = (unit: string, more: object) => ({ sns: JSON.stringify([unit]), ...more })
/** Makes labels for goods in stock. */
const make = (balance: string, count: number | null) => call('gen', on(balance, { count }), 'stockBalance')
/** Goods without codes in the hospital's stock, and some labels for them. */
async function labelled(lot: string, quantity: string, count: number) {
  const { hospital, inflator, central, shelve } = scene
  const source = await shelve(hospital, central, [lotOf(inflator, lot, { quantity })])
  const [row] = await hospital.list('stockBalance', { warehouse_model_inner_sn: central, lot_no: lot })
  const made = await make(row!.balance_sn, count)
  expect(made.msg).toBe('')
  const rows = await hospital.list('unitLabel', { job_sn: made.info.job_sn })
  return { source, balance: row!.balance_sn as string, job: made.info.job_sn as string, rows }
}

test('are created for loose goods, one per piece, each with a number of the organisation', async () => {
  const { hospital } = scene
  const { source, balance, rows, job } = await labelled('LA', '5', 2)
  expect(job).toMatch(/^BQ\d{6,8}\d{4}$/)
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatchObject({ label_kind: 'piece', status: 'in_stock', print_state: 'no', times: 0, lot_no: 'LA' })
  expect(rows[0]!.code).toMatch(/^H01-\d+$/)
  expectMessage(await make(balance, 4), /批号LA可生成标签数量为3$/)
  expectMessage(await make(balance, 501), /500/)
  expectMessage(await call('gen', {}), /请填写入库单号/)
  expectMessage(await call('gen', { source_sn: 'RK0' }), /^入库单RK0不存在/)
  const made = await call('gen', { source_sn: source })
  expect(made.info.said).toMatch(/^已生成3张标签，批次BQ/)
  expect((await hospital.list('unitLabel', { source_no: source })).length).toBeGreaterThanOrEqual(3)
  expectMessage(await call('gen', { source_sn: source }), '可生成标签数量为0：都已贴码或已出库')
  const draft = await hospital.add('openingStock', {
    warehouse_model_inner_sn: scene.central,
    lines: [lotOf(scene.inflator, 'LA9', { quantity: '1' })],
  })
  await hospital.done('openingStock', 'submit', draft)
  expectMessage(await call('gen', { source_sn: draft }), `单据${draft}还没有入库，不能生成标签`)
})

test('start with the history of their lot, then have their own', async () => {
  const { hospital } = scene
  const { rows, job, source } = await labelled('LB', '2', 1)
  const chain = await hospital.trace(rows[0]!.code)
  expect(chain.list.map((event: { step: string; document_sn: string }) => [event.step, event.document_sn])).toEqual([
    ['opening', source],
    ['relabel', job],
  ])
})

test('are required once loose goods are gone; documents whose goods are labelled cannot be undone', async () => {
  const { hospital, inflator, central, department } = scene
  const { rows } = await labelled('LC', '3', 2)
  const { source } = await labelled('LC2', '3', 2)
  expectMessage(await hospital.do('openingStock', 'unreview', source, { reason: '录错' }), /批号LC2有2件已贴院内码/)
  const issue = async (lines: object[]) => {
    const sn = await hospital.add('otherOdo', {
      warehouse_model_inner_sn: central,
      odo_type: 'sample',
      purpose_note: '试用',
      department_inner_sn: department,
      lines,
    })
    const submitted = await hospital.do('otherOdo', 'submit', sn)
    return submitted.code === 0 ? hospital.do('otherOdo', 'review', sn) : submitted
  }
  const line = { specification_sn: inflator, lot_no: 'LC', quantity: '1' }
  expect((await issue([line])).msg).toBe('')
  expectMessage(await issue([line]), /批号LC有2件已贴院内码，请扫描院内码/)
  expect((await issue([{ ...line, unit_codes: [rows[0]!.code] }])).msg).toBe('')
  expect(await shelf(hospital, central, inflator)).toMatchObject({ LC: '1.000' })
})

test('replaced: the old code no longer scans and points to the new one', async () => {
  const { hospital, inflator, central, department } = scene
  const { rows } = await labelled('LD', '2', 1)
  const [old, unit] = [rows[0]!.code as string, rows[0]!.unit_sn as string]
  expectMessage(await call('replace', on(unit, {})), /请填写原因/)
  const { info } = await call('replace', on(unit, { reason: '标签破损' }))
  const [fresh] = info.codes as [string]
  expect(fresh).not.toBe(old)
  const [row] = await hospital.list('unitLabel', { q: old })
  expect(row).toMatchObject({
    unit_sn: unit,
    code: fresh,
    codes: [fresh],
    ended_codes: [old],
  })
  for (const code of [old, fresh]) {
    const chain = await hospital.trace(code)
    expect(chain.list.map((event: { step: string }) => event.step)).toEqual(['opening', 'relabel', 'relabel'])
  }
  const body = {
    warehouse_model_inner_sn: central,
    odo_type: 'sample',
    purpose_note: '试用',
    department_inner_sn: department,
  }
  const line = { specification_sn: inflator, lot_no: 'LD', quantity: '1' }
  const sn = await hospital.add('otherOdo', { ...body, lines: [{ ...line, unit_codes: [old] }] })
  expectMessage(await hospital.do('otherOdo', 'submit', sn), `院内码${old}已换签，请扫描新码${fresh}`)
  // The label's GS1 code identifies the same piece as its in-house code.
  const label = (await hospital.client.get('/v1/labels', { units: unit })).list[0]
  expect(label.gs1).toMatch(new RegExp(`\\(21\\)${fresh}$`))
  const next = await hospital.add('otherOdo', { ...body, lines: [{ ...line, unit_codes: [label.gs1] }] })
  expect((await hospital.info('otherOdo', next)).lines[0].unit_codes).toEqual([fresh])
  await hospital.pass('otherOdo', next)
  expectMessage(await call('replace', on(unit, { reason: '再换' })), /不能换签|不在本机构/)
})

test('voided: never for stock under a printed label; an unprinted one is as if never made', async () => {
  const { hospital, inflator, central } = scene
  const { rows, balance } = await labelled('LE', '3', 2)
  const [first, second] = rows.map(row => row.unit_sn as string)
  expect((await hospital.client.post('/v1/labels/printed', { units: first, layout: '50×30' })).info).toEqual({
    printed: 1,
  })
  expectMessage(await call('void', on(first!, { reason: '错' })), /^在库产品标签不能作废，请使用换签/)
  // A label is reprinted only with a reason, and every print is counted.
  const reprint = (more: object) =>
    hospital.client.post('/v1/labels/printed', { units: first, layout: '50×30', ...more })
  expectMessage(await reprint({}), '标签已打印，请填写补打原因')
  expect((await reprint({ reason: '标签磨损' })).code).toBe(0)
  expect((await hospital.list('unitLabel', { q: rows[0]!.code }))[0]).toMatchObject({ times: 2, print_state: 'yes' })
  const tag = await hospital.client.get('/v1/business/unitLabel/info', { unit_sn: first! })
  expect(tag.info.print_log).toEqual([
    expect.stringMatching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}　\S+　打印　50×30$/),
    expect.stringMatching(/　补打：标签磨损　50×30$/),
  ])
  expect((await call('void', on(second!, { reason: '多打了' }))).info.said).toBe('1张标签已作废')
  const [gone] = await hospital.list('unitLabel', { q: rows[1]!.code })
  expect(gone).toMatchObject({ status: 'void', code: rows[1]!.code })
  expectMessage(await make(balance, 3), /批号LE可生成标签数量为2$/)
  const again = await scene.hospital.client.post('/v1/business/openingStock/add', {
    warehouse_model_inner_sn: central,
    lines: [lotOf(inflator, 'LE2', { quantity: '1', unit_codes: [rows[1]!.code] })],
  })
  await hospital.done('openingStock', 'submit', again.info.sn)
  expectMessage(await hospital.do('openingStock', 'review', again.info.sn), /已作废|已存在/)
})

test('RFID: one tag per piece, until the piece is gone', async () => {
  const { hospital } = scene
  const { rows } = await labelled('LF', '2', 2)
  const [a, b] = rows.map(row => row.unit_sn as string)
  expectMessage(await call('bindRfid', on(a!, { epc: 'xyz' })), /EPC/)
  expect((await call('bindRfid', on(a!, { epc: 'e2801160600002' }))).msg).toBe('')
  expectMessage(
    await call('bindRfid', on(b!, { epc: 'E2801160600002' })),
    `RFID标签E2801160600002已绑定${rows[0]!.code}`,
  )
  const [row] = await hospital.list('unitLabel', { q: 'E2801160600002' })
  expect(row).toMatchObject({ unit_sn: a, rfid: 'E2801160600002', code: rows[0]!.code })
  expect((await hospital.client.post('/v1/code/parse', { code: 'E2801160600002' })).info.unit).not.toBeNull()
  // A used piece no longer has its tag: another piece may get it.
  const gone = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: scene.central,
    department_inner_sn: scene.department,
    use_type: 'consume',
    lines: [{ specification_sn: scene.inflator, lot_no: 'LF', quantity: '1', unit_codes: [rows[0]!.code] }],
  })
  await hospital.pass('departmentUse', gone)
  expect((await call('bindRfid', on(b!, { epc: 'E2801160600002' }))).msg).toBe('')
  expect((await hospital.list('unitLabel', { q: 'E2801160600002' }))[0]).toMatchObject({ unit_sn: b })
})

test('RFID: a tag is free again once its piece was scrapped or returned to its supplier', async () => {
  const { dealer, hospital, shop, central, inflator, h } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, 'LR', { quantity: '1', unit_codes: ['LR-1'] })])
  await scene.shelve(hospital, central, [lotOf(inflator, 'LS', { unit_codes: ['LR-2'], quality_state: 'unqualified' })])
  const odo = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    lines: [{ unit_codes: ['LR-1'] }],
  })
  await dealer.pass('saleOdo', odo)
  const { sn: grn } = await hospital.from('purchaseGrn', odo)
  await hospital.done('purchaseGrn', 'edit', grn, { warehouse_model_inner_sn: central })
  await hospital.pass('purchaseGrn', grn)
  const { rows } = await labelled('LR9', '1', 1)
  const next = rows[0]!.unit_sn as string
  const piece = async (code: string) => (await hospital.list('unitLabel', { q: code }))[0]!.unit_sn as string
  const [back, bad] = [await piece('LR-1'), await piece('LR-2')]
  for (const [unit, epc] of [
    [back, 'E2801160600011'],
    [bad, 'E2801160600012'],
  ] as const)
    expect((await call('bindRfid', on(unit, { epc }))).msg).toBe('')
  const goods = (await hospital.info('purchaseGrn', grn)).lines[0].line_no
  const home = await hospital.add('purchaseReturn', {
    source_type: 9,
    source_sn: grn,
    return_reason: '破损',
    lines: [{ source_line_no: goods, unit_codes: ['LR-1'], quantity: '1' }],
  })
  await hospital.pass('purchaseReturn', home)
  expect((await call('bindRfid', on(next, { epc: 'E2801160600011' }))).msg).toBe('')
  expect((await hospital.list('unitLabel', { q: 'E2801160600011' })).map(row => row.unit_sn)).toEqual([next])
  const scrap = await hospital.add('scrap', {
    warehouse_model_inner_sn: central,
    scrap_type: 'unqualified',
    scrap_reason: '损坏',
    lines: [
      { specification_sn: inflator, lot_no: 'LS', quality_state: 'unqualified', quantity: '1', unit_codes: ['LR-2'] },
    ],
  })
  await hospital.done('scrap', 'submit', scrap)
  await scene.one("update app_user set is_administrator = true where org_id = $1 and login = 'keeper' returning 1", h)
  await (await scene.person('keeper')).done('scrap', 'review', scrap)
  expect((await call('bindRfid', on(next, { epc: 'E2801160600012' }))).msg).toBe('')
})

test('of lots and products: from the stock list and codes, one per package, without a price', async () => {
  const { hospital, inflator, central, stent } = scene
  const { balance } = await labelled('LG', '4', 1)
  const { list } = await hospital.client.get('/v1/labels', { of: 'stockBalance', units: balance })
  expect(list[0]).toMatchObject({
    type: 'lot',
    lot_no: 'LG',
    code: 'LG',
    ownership: '买断',
    link: expect.stringMatching(/^http:\/\/[^/]+\/01\/\d{14}\/10\/LG\?17=\d{6}$/),
    ean: expect.stringMatching(/^\d{13}$/),
    store_name: expect.any(String),
    gs1: expect.stringMatching(/^\(01\)\d{14}\(11\)\d{6}\(17\)\d{6}\(10\)LG$/),
  })
  const print = (body: object) =>
    hospital.client.post('/v1/labels/printed', { of: 'stockBalance', units: balance, ...body })
  expect((await print({ copies: 4 })).info).toEqual({ printed: 4 })
  expect((await print({ copies: 2 })).info).toEqual({ printed: 2 })
  expectMessage(await print({ copies: 501 }), '一次最多打印500张标签')
  const [code] = await hospital.list('productBarcode', { specification_sn: stent, kept_by: 'catalogue' })
  const goods = await hospital.client.get('/v1/labels', { of: 'productBarcode', units: code!.product_barcode_sn })
  expect(goods.list[0]).toMatchObject({ code: code!.code, lot_no: null, gs1: `(01)${code!.code}` })
  expect(JSON.stringify([...list, ...goods.list])).not.toMatch(/price|amount|cost/)
  expectMessage(await hospital.client.get('/v1/labels', { of: 'warehouse', units: '1' }), '这类记录没有标签')
  expectMessage(await scene.dealer.client.get('/v1/labels', { of: 'stockBalance', units: balance }), /^有记录不存在/)
  expect([inflator, central].every(Boolean)).toBe(true)
})

test('labels of pieces: their data, counted once, reprinted with a reason, never for a used piece', async () => {
  const { hospital, ward, stent, department, surgeon } = scene
  await scene.shelve(hospital, ward, [lotOf(stent, 'LABEL', { quantity: '2', unit_codes: ['LBL-0001', 'LBL-0002'] })])
  const rows = await hospital.list('unitLabel', { lot_no: 'LABEL' })
  const units = rows.map(row => row.unit_sn).join(',')
  const { list } = await hospital.client.get('/v1/labels', { units })
  expect(list).toHaveLength(2)
  expect(list[0]).toMatchObject({ type: 'piece', lot_no: 'LABEL', times: 0, marks: expect.arrayContaining(['高']) })
  // A scanner also identifies the piece by the link that a phone opens.
  const [label] = list
  expect(new URL(label.link).pathname).toMatch(/^\/01\/\d{14}\/10\/LABEL\/21\/LBL-000\d$/)
  const { info } = await hospital.client.post('/v1/code/parse', { code: label.link })
  expect(info).toMatchObject({ parsed: { kind: 'gs1-digital-link' }, unit: { code: label.code } })
  expect((await hospital.trace(label.link)).info.unit.codes).toEqual([label.code])
  expect(list.map((label: { code: string }) => label.code).toSorted()).toEqual(['LBL-0001', 'LBL-0002'])
  expect(JSON.stringify(list)).not.toMatch(/price|amount/)
  const print = (more: object = {}) => hospital.client.post('/v1/labels/printed', { units, layout: '50×30', ...more })
  expect((await print()).info).toEqual({ printed: 2 })
  expectMessage(await print(), '标签已打印，请填写补打原因')
  expect((await print({ reason: '标签污损' })).info).toEqual({ printed: 2 })
  const [action] = await hospital.list('operationLog', { action_kind: 'print', subject: 'unitLabel' })
  expect(action).toMatchObject({ action_name: '补打', summary: '打印2张标签：标签污损' })
  expectMessage(await hospital.client.get('/v1/labels', {}), '请先勾选表格中的复选框，再进行该操作。')
  expectMessage(await scene.dealer.client.get('/v1/labels', { units }), '有记录不存在或已变化，请刷新后重新勾选')
  const use = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    doctor_inner_sn: surgeon,
    use_type: 'patient',
    patient_name: '甲',
    admission_no: 'ZY1',
    implant_site: '冠状动脉',
    lines: [{ specification_sn: stent, lot_no: 'LABEL', unit_codes: ['LBL-0001'], quantity: '1' }],
  })
  await hospital.pass('departmentUse', use)
  expectMessage(await print({ reason: '污损' }), /^该标签已.*使用，不能补打（LBL-0001）$/)
})

test('标签模板: own default, else the platform’s; lines, size, code; 含价 only if set, for those who see prices', async () => {
  const { hospital, central, finance, stent } = scene
  const [bars, squares] = ['/newprint/BarCodePrint', '/newprint/QrcodePrint']
  const add = (more: object) => attempt(hospital, 'printTemplate', { name: '价签', sheet: bars, ...more })
  expectMessage(await add({ column_layout: '产品名称、编码' }), '标签上的编码和有效期不能移除：有效期至')
  expectMessage(await add({ paper: 'A4' }), '条码标签没有这种尺寸，请另选纸张规格')
  expectMessage(await add({ carrier: 'link' }), /^条码标签的条码类型只有GS1 DataMatrix、/)
  expectMessage(await add({ warehouse_model_inner_sn: central }), '标签模板适用于全部仓库与机构，请清空适用范围')
  expectMessage(
    await attempt(hospital, 'printTemplate', { name: '单据', sheet: '/newprint/inboundOrder', carrier: 'ean13' }),
    '单据的条码类型只有Code128、QR、DataMatrix，请另选',
  )
  const lot = lotOf(stent, 'TAG', { quantity: '2', unit_codes: ['TAG-1', 'TAG-2'] })
  await scene.shelve(hospital, central, [{ ...lot, price: '113' }])
  const units = (await hospital.list('unitLabel', { lot_no: 'TAG' })).map(row => row.unit_sn).join(',')
  const labels = (more: object = {}) => hospital.client.get('/v1/labels', { units, sheet: bars, ...more })
  expect((await labels()).info).toEqual({ templates: [], used: null })
  const platform = await scene.person('platform')
  const common = await platform.add('printTemplate', {
    name: '平台标签',
    sheet: bars,
    paper: '70x50',
    is_default: true,
  })
  const own = {
    sheet: bars,
    paper: '60x40',
    carrier: 'gs1-128',
    column_layout: '产品名称、含价：成本价、有效期至、编码',
  }
  const priced = await hospital.add('printTemplate', { name: '价签', ...own })
  // A template that is not the default has to be chosen; the platform's is used.
  const usual = await labels()
  expect(usual.info).toMatchObject({ used: common, templates: [{ name: '平台标签' }, { name: '价签' }] })
  expect(JSON.stringify(usual.list)).not.toMatch(/price/)
  const chosen = await labels({ template: priced })
  expect(chosen.info.used).toBe(priced)
  expect(chosen.list[0].cost_price).toMatch(/^\d+\.\d{2,}元\/\S+$/)
  const flags = ['unitLabel.print', 'page:/commonView/labelManagement']
  const role = (await hospital.client.post('/v1/business/role/add', { name: '只打标签', flags })).info.sn
  const [user] = await hospital.list('user', { login: 'finance' })
  const kept = { sn: user.user_inner_sn, version: user.version, roles: [role] }
  expect((await hospital.client.post('/v1/business/user/edit', kept)).code).toBe(0)
  const unpriced = await finance.client.get('/v1/labels', { units, sheet: bars, template: priced })
  expect([unpriced.info.used, JSON.stringify(unpriced.list)]).toEqual([priced, expect.not.stringMatching(/price/)])
  expect((await labels({ template: 'none' })).info.used).toBe(null)
  await hospital.done('printTemplate', 'default', priced)
  expect((await labels()).info.used).toBe(priced)
  expect((await labels({ sheet: squares })).info.used).toBe(null)
  expect((await hospital.list('printTemplate', { sheet: `${bars},${squares}` })).map(row => row.column_count)).toEqual([
    4,
  ])
  // Now for a document: label size and code are removed.
  await hospital.done('printTemplate', 'edit', priced, { sheet: '/newprint/inboundOrder' })
  expect((await hospital.list('printTemplate', { name: '价签' }))[0]).toMatchObject({
    paper: null,
    carrier: null,
    column_layout: null,
  })
})

test('lines of documents print the labels of their pieces and lots, once or by the quantity', async () => {
  const { hospital, dealer, central, inflator, stent, shelve } = scene
  const sn = await shelve(hospital, central, [
    lotOf(inflator, 'LD1', { quantity: '3' }),
    lotOf(stent, 'LD2', { unit_codes: ['LD-1', 'LD-2'] }),
  ])
  const asked = { of: 'openingStock', units: sn }
  const labels = (more: object = {}) => hospital.client.get('/v1/labels', { ...asked, ...more })
  const { list } = await labels()
  expect(list.map((label: { type: string; code: string }) => [label.type, label.code])).toEqual([
    ['lot', 'LD1'],
    ['piece', 'LD-1'],
    ['piece', 'LD-2'],
  ])
  expect(list[0]).toMatchObject({ lot_no: 'LD1', store_name: expect.any(String), expiry_date: expect.any(String) })
  const many = (await labels({ each: 'unit' })).list
  expect(many.map((label: { code: string }) => label.code)).toEqual(['LD1', 'LD1', 'LD1', 'LD-1', 'LD-2'])
  expectMessage(await labels({ each: 'all' }), '每行张数请选【每行一张】或【按数量】')
  const print = (more: object = {}) =>
    hospital.client.post('/v1/labels/printed', { ...asked, layout: '50×30', ...more })
  expect((await print({ each: 'unit' })).info).toEqual({ printed: 5 })
  // Pieces are counted as they are when they are ticked themselves: another print needs a reason.
  expectMessage(await print(), '标签已打印，请填写补打原因')
  expect((await print({ reason: '破损' })).info).toEqual({ printed: 3 })
  const [piece] = await hospital.list('unitLabel', { q: 'LD-1' })
  expect(piece).toMatchObject({ times: 2, print_state: 'yes' })
  const theirs = await dealer.client.get('/v1/labels', asked)
  expect([theirs.code, theirs.msg]).toEqual([2106, '有记录不存在或已变化，请刷新后重新勾选'])
  const draft = await hospital.add('openingStock', {
    warehouse_model_inner_sn: central,
    lines: [lotOf(stent, 'LD3', { unit_codes: ['LD-9'] })],
  })
  expectMessage(
    await hospital.client.get('/v1/labels', { of: 'openingStock', units: draft }),
    '第1行的码LD-9还没有入库或不是单件的码，不能打印标签',
  )
})

test('every kind of document whose lines name lots has labels, and no other', async () => {
  const wrong: string[] = []
  let asked = 0
  for (const definition of documents()) {
    const who = definition.ownerTypes.includes('H') ? scene.hospital : scene.dealer
    const { code, msg } = await who.client.get('/v1/labels', { of: definition.kind, units: 'X0' })
    if (code === 403) continue
    asked += 1
    const says = namesLots(definition) ? '有记录不存在或已变化，请刷新后重新勾选' : '这类记录没有标签'
    if (msg !== says) wrong.push(`${definition.kind}: ${code} ${msg}`)
  }
  expect(wrong).toEqual([])
  expect(asked).toBeGreaterThan(40)
})
