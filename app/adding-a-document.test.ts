import { read, utils } from '@e965/xlsx'
import { afterAll, beforeAll, expect } from 'vitest'
import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { definePrint } from '#kernel/print/print-definition.ts'
import { registerDefinitions } from '#kernel/registry.ts'
import { definitions } from '#app/modules.ts'
import { hasLines, needs } from '#modules/base/vocabulary/validators.ts'
import { propertiesIn, resolved } from '#tests/support/openapi.ts'
import { openStage, type Person, type Stage } from '#tests/support/story.ts'
import { sendSheet, workbook } from '#tests/support/sheets.ts'
import { story } from '#tests/support/steps.ts'
import { openTestServer } from '#tests/support/test-server.ts'

/** What CONTRIBUTING asks of somebody who adds a document, and nothing else: a definition, a sheet, two lines. */
const header = {
  carrier: f.text('承运商', { required: true, max: 60 }),
  plate_no: f.text('车牌号', { max: 10 }),
  leaves_on: f.day('发车日期', { required: true }),
}
const lines = {
  box_no: f.text('箱号', { required: true, max: 30 }),
  weight: f.quantity('重量(kg)', { min: '0.001' }),
}
const transportOrder = defineDocument({
  kind: 'transportOrder',
  title: '运输单',
  numberPrefix: 'YSD',
  category: 'stockOut',
  ownerTypes: 'D',
  header,
  lines,
  lineRules: { import: true },
  actions: lifecycle<DocOf<typeof header, typeof lines>>({ submit: [hasLines, needs('carrier', '请填写承运商')] }),
  posting: { stockDirection: 'none' },
  screens: [
    {
      route: '/commonView/transportOrder',
      title: '运输单',
      orgs: 'D',
      menu: '出库管理',
      purpose: '一车装哪些箱，由谁运走',
      columns: ['sn', 'carrier', 'plate_no', 'leaves_on', 'line_count', 'state'],
      filters: ['sn', 'carrier', 'leaves_on', 'state'],
    },
  ],
})
const transportSheet = definePrint({
  route: '/newprint/transportOrder',
  title: '运输单',
  kinds: { transportOrder: null },
  papers: [{ paper: 'A4', lines: 22 }],
  header: [
    ['单号', 'sn'],
    ['承运商', 'carrier'],
    ['车牌号', 'plate_no'],
    ['发车日期', 'leaves_on'],
  ],
  columns: [
    { name: 'box_no', label: '箱号', share: 70 },
    { name: 'weight', label: '重量(kg)', share: 30, as: 'quantity' },
  ],
  signatures: ['司机', '发货人'],
  carrier: 'code128',
})

const at = '/v1/business/transportOrder'
/** Keys of an answer that speak of money or of goods. */
const foreign = /price|tax|amount|rounding|lot_no|expiry|unit|specification|product|owner|quality|location|quantity/
const keysOf = (row: object) => Object.keys(row).filter(key => foreign.test(key))

let stage: Stage
let dealer: Person
let sn: string
beforeAll(async () => {
  const { documents, sheets } = definitions
  const own = { ...definitions, documents: [...documents, transportOrder], sheets: [...sheets, transportSheet] }
  stage = await openStage(await openTestServer({}, { definitions: own }))
  dealer = await stage.person('dealer')
  sn = await dealer.add('transportOrder', {
    carrier: '顺达冷链',
    plate_no: '沪A12345',
    leaves_on: '2026-03-01',
    lines: [{ box_no: 'B-1', weight: '12.5' }, { box_no: 'B-2' }],
  })
})
afterAll(async () => {
  await stage.close()
  registerDefinitions(definitions)
})

story('a transport order, added as CONTRIBUTING says', step => {
  step('is in the menu with its operations, and may be given to roles', async () => {
    const menu = JSON.stringify((await dealer.client.get('/v1/user/get_user_menu/yrtweb')).list)
    expect(menu).toContain('/commonView/transportOrder')
    for (const flag of ['add', 'edit', 'submit', 'review', 'export', 'import', 'print'])
      expect(menu).toContain(`"transportOrder.${flag}"`)
    const hospital = await stage.person('hospital')
    expect((await hospital.client.post(`${at}/add`, { carrier: 'x' })).code).toBe(403)
  })

  step('keeps its three fields and its lines, and gets neither prices nor goods', async () => {
    const info = await dealer.info('transportOrder', sn)
    expect(info).toMatchObject({ sn: expect.stringMatching(/^YSD/), carrier: '顺达冷链', leaves_on: '2026-03-01' })
    expect(info.lines).toMatchObject([
      { line_no: 1, box_no: 'B-1', weight: '12.500' },
      { line_no: 2, box_no: 'B-2', weight: null },
    ])
    expect(keysOf(info)).toEqual([])
    expect(info.lines.flatMap(keysOf)).toEqual([])
  })

  step('is edited line by line, and refuses what it does not have', async () => {
    const { version } = await dealer.info('transportOrder', sn)
    const lines = [{ line_no: 1, box_no: 'B-1', weight: '13' }, { line_no: 2 }, { box_no: 'B-3' }]
    const edited = await dealer.client.post(`${at}/edit`, { sn, version, plate_no: '沪B67890', lines })
    expect(edited).toMatchObject({ code: 0 })
    const info = await dealer.info('transportOrder', sn)
    expect(info).toMatchObject({ carrier: '顺达冷链', plate_no: '沪B67890', line_count: 3 })
    expect(info.lines).toMatchObject([{ weight: '13.000' }, { box_no: 'B-2' }, { box_no: 'B-3' }])
    for (const field of ['price', 'taxed_amount', 'lot_no', 'unit_codes']) {
      const line = { box_no: 'B-9', [field]: field === 'unit_codes' ? ['1'] : '1' }
      const refused = await dealer.client.post(`${at}/add`, { carrier: 'x', lines: [line] })
      expect(refused.errors).toMatchObject([{ field, line: 1, msg: `第1行：没有“${field}”这个字段` }])
    }
  })

  step('is asked for its required fields at submit, and reviewed', async () => {
    const empty = await dealer.add('transportOrder', { lines: [{ weight: '1' }] })
    expect((await dealer.do('transportOrder', 'submit', empty)).errors).toMatchObject([
      { field: 'carrier', msg: '请填写【承运商】' },
      { field: 'leaves_on' },
      { field: 'box_no', line: 1 },
    ])
    await dealer.pass('transportOrder', sn)
    expect(await dealer.info('transportOrder', sn)).toMatchObject({ state: 'reviewed' })
    const copy = (await dealer.client.post(`${at}/copy`, { sn })).info
    expect((await dealer.info('transportOrder', copy.sn)).lines).toMatchObject([{ box_no: 'B-1' }, {}, {}])
  })

  step('is listed, filtered and summed up without money', async () => {
    const reply = await dealer.client.get(`${at}/list`, { carrier: '顺达', state: 'reviewed' })
    expect(reply).toMatchObject({ code: 0, total: 1, list: [{ sn, carrier: '顺达冷链', line_count: 3 }] })
    expect([...reply.list.flatMap(keysOf), ...keysOf(reply.summary)]).toEqual([])
    expect((await dealer.client.get(`${at}/list`, { sort: '-taxed_amount' })).code).not.toBe(0)
  })

  step('is printed on its sheet, without an amount in words', async () => {
    const { info } = await dealer.client.get(`${at}/print`, { sn })
    expect(info).toMatchObject({ title: '运输单', carrier: '顺达冷链', times_printed: 0 })
    expect(info.lines).toMatchObject([{ box_no: 'B-1', weight: '13.000' }, {}, {}])
    expect(keysOf(info)).toEqual([])
    expect((await dealer.client.post(`${at}/printed`, { sn })).info).toEqual({ times: 1 })
  })

  step('leaves as a workbook with the columns of its list', async () => {
    const file = await dealer.client.raw({ method: 'GET', url: `${at}/export?sn=${sn}` })
    const book = read(file.rawPayload, { type: 'buffer' })
    const rows = utils.sheet_to_json<string[]>(book.Sheets[book.SheetNames[0]!]!, { header: 1 })
    const head = rows.findIndex(row => row.includes('承运商'))
    expect(rows[head]).toEqual(['单号', '承运商', '车牌号', '发车日期', '品规数', '状态'])
    expect(rows[head + 1]).toEqual([sn, '顺达冷链', '沪B67890', 46082, 3, '已审核'])
  })

  step('takes its lines from a workbook that asks for boxes and not for goods', async () => {
    const template = await dealer.client.raw({ method: 'GET', url: `${at}/template` })
    const book = read(template.rawPayload, { type: 'buffer' })
    expect(utils.sheet_to_json<string[]>(book.Sheets[book.SheetNames[0]!]!, { header: 1 })[0]).toEqual([
      '箱号*',
      '重量(kg)',
    ])
    const file = workbook([
      ['箱号*', '重量(kg)'],
      ['B-7', '2.5'],
    ])
    const shown = await sendSheet(dealer.client, `${at}/import`, file, { carrier: '顺达冷链', dry: 'true' })
    expect(shown.info).toMatchObject({ count: 1, lines: [{ box_no: 'B-7', weight: '2.500' }] })
    expect([...keysOf(shown.info.sums), ...keysOf(shown.info.lines[0])]).toEqual([])
    const imported = await sendSheet(dealer.client, `${at}/import`, file, { carrier: '顺达冷链' })
    expect(imported.info).toMatchObject({ count: 1 })
  })

  step('is described to other systems by the fields it has', async () => {
    const docs = (await stage.server.outsider.raw({ method: 'GET', url: '/docs/json' })).json()
    const body = resolved(docs, docs.paths[`${at}/add`].post.requestBody) as {
      content: Record<string, { schema: Record<string, unknown> }>
    }
    const properties = propertiesIn(docs, body.content['application/json']!.schema)
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(['carrier', 'plate_no', 'leaves_on', 'lines']))
    const lines = propertiesIn(docs, properties.lines!.items as Record<string, unknown>)
    expect(lines).toMatchObject({ box_no: { title: '箱号' }, weight: {} })
    expect(keysOf(lines)).toEqual([])
  })
})
