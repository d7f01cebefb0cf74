import { read, utils, write } from '@e965/xlsx'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { story } from '#tests/support/steps.ts'
import type { Client } from '#tests/support/test-server.ts'
import { openScene, type Scene } from '#tests/support/fixture.ts'
import { sendSheet, workbook } from '#tests/support/sheets.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

const HEAD = [
  '产品编码*',
  'UDI-DI',
  'HIS编码',
  '产品名称',
  '规格型号',
  '批号',
  '生产日期',
  '有效期至',
  '单位',
  '数量*',
  '含税单价',
  '税率',
]
const good = (code: string, lot: string, more: readonly (string | number)[] = []) => [
  code,
  '',
  '',
  '',
  '',
  lot,
  '2026-01-31',
  '2028/1/30',
  '',
  '5',
  '1,050.50',
  '13%',
  ...more,
]
const send = (
  rows: readonly (readonly (string | number)[])[],
  fields: Record<string, string> = {},
  call = 'import',
  client: Client = scene.hospital.client,
) => sendSheet(client, `/v1/business/openingStock/${call}`, workbook(rows), fields)
const header = () => ({ warehouse_model_inner_sn: scene.central })

describe('what cannot be changed', () => {
  const path = '/v1/business/purchaseOrder'
  const order = () => ({ counterparty_sn: scene.d, warehouse_model_inner_sn: scene.central })
  const head = ['产品编码', '采购数量', '含税单价']

  it('is not asked for in the template: a hospital orders at the agreed price, a dealer at its own', async () => {
    const titles = async (client: Client) => {
      const reply = await client.raw({ method: 'GET', url: `${path}/template` })
      const sheet = read(reply.rawPayload, { type: 'buffer' }).Sheets.采购订单明细!
      return utils.sheet_to_json<string[]>(sheet, { header: 1 })[0]!
    }
    expect((await titles(scene.hospital.client)).join()).not.toContain('含税单价')
    expect(await titles(scene.dealer.client)).toContain('含税单价*')
  })

  it('and stands in the file is told by row: a price that the price list replaces', async () => {
    const [goods] = await scene.hospital.list('specification', { specification_sn: scene.inflator })
    const send = (price: string | number, fields = {}) =>
      sendSheet(scene.hospital.client, `${path}/import`, workbook([head, [goods.code, 2, price]]), {
        ...order(),
        ...fields,
      })
    for (const fields of [{}, { dry: 'true' }])
      expect((await send(100.5, fields)).errors).toEqual([
        { row: 2, column: '含税单价', msg: '以协议价为准，应为145，文件里是100.5，请改为一致或清空' },
      ])
    for (const price of ['145.00', ''])
      expect((await scene.hospital.info('purchaseOrder', (await send(price)).info.sn)).lines).toMatchObject([
        { price: '145.0000', quantity: '2.000' },
      ])
  })
})

describe('the template of a kind', () => {
  it('has its columns, the choices, an example that is never imported, and instructions', async () => {
    const reply = await scene.hospital.client.raw({ method: 'GET', url: '/v1/business/openingStock/template' })
    expect(reply.headers['content-disposition']).toContain(encodeURIComponent('期初库存明细导入模板.xlsx'))
    const parts = unzipSync(new Uint8Array(reply.rawPayload))
    const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!)
    for (const title of ['UDI-DI', 'HIS编码', '批号', '有效期至', '数量*', '货主', '质量状态'])
      expect(sheet).toContain(`>${title}<`)
    expect(sheet).toContain('<formula1>"合格,待验,停售,冻结,不合格"</formula1>')
    const book = read(reply.rawPayload, { type: 'buffer' })
    expect(book.SheetNames).toEqual(['期初库存明细', '填写说明'])
    expect(utils.sheet_to_json<Record<string, string>>(book.Sheets.填写说明!)).toContainEqual({
      列: '税率',
      填什么: '百分数：0、1、3、6、9、13',
    })
    expect(
      (await sendSheet(scene.hospital.client, '/v1/business/openingStock/import', reply.rawPayload)).errors,
    ).toEqual([{ row: 2, column: '', msg: '没有可导入的数据' }])
  })

  it('needs the import right, like the button', async () => {
    const nurse = await scene.person('nurse')
    for (const call of [
      nurse.client.raw({ method: 'GET', url: '/v1/business/openingStock/template' }).then(reply => reply.json()),
      send([HEAD, good('P001-01', 'X')], header(), 'import', nurse.client),
    ])
      expect((await call).code).toBe(403)
    const menu = JSON.stringify((await scene.hospital.client.get('/v1/user/get_user_menu/yrtweb')).list)
    expect(menu).toContain('"openingStock.import"')
    expect(menu).toContain('"purchaseGrn.scan"')
    expect(menu).not.toContain('"openingStock.scan"')
  })
})

story('importing lines', step => {
  step(
    'finds goods by code, UDI, HIS code or name; accepts common forms of units, days, figures and rates',
    async () => {
      const one = (text: string, ...values: unknown[]) => scene.one(text, ...values)
      const { udi_di: di } = await one("select udi_di from specification where code = 'P001-02'")
      const named = await one(
        `select p.name as product, s.name as model from specification s join product p on p.id = s.product_id
        where s.code = 'P009-01'`,
      )
      const pack = await one(
        `select k.name, k.base_measure, s.code from pack_unit k join specification s on s.id = k.specification_id
        order by k.id limit 1`,
      )
      await one(
        "update hospital_product set his_code = 'HIS-77' where org_id = $1 and specification_id = $2 returning 1",
        scene.h,
        scene.balloon,
      )
      const rows = [
        HEAD,
        good('P001-01', 'L1'),
        ['', di.replace(/^0+/, ''), '', '', '', 'L2', '20260131', '2028年1月30日', '', '２', '10', '0.13'],
        ['', '', 'HIS-77', '', '', 'L3', '2026-01-31', '2028-01-30', '', 1, 10, 6],
        ['', '', '', named.product, named.model, 'L4', '2026-01-31', '2028-01-30', '', 1, 10, 13],
        ['', `(01)${di}(17)280131(10)L5`, '', '', '', '', '2026-01-31', '', '', 1, 10, 13],
        [pack.code, '', '', '', '', 'L6', '2026-01-31', '2028-01-30', pack.name, 2, 10, 13],
      ]
      const dry = await send(rows, { ...header(), dry: 'true' })
      expect(dry).toMatchObject({ code: 0, info: { count: 6, lines: { length: 6 } } })
      expect(await scene.hospital.list('openingStock')).toEqual([])
      const { info } = await send(rows, header())
      const doc = await scene.hospital.info('openingStock', info.sn)
      expect(info.count).toBe(6)
      const [listed] = await scene.hospital.list('openingStock', { sn: info.sn })
      expect(listed).toMatchObject({ entry_mode: 'import' })
      expect(doc.history.at(-1)).toMatchObject({ label: '导入', reason: '6行' })
      expect(doc).toMatchObject({ state: 'draft', warehouse_model_inner_sn: scene.central })
      expect(doc.lines).toMatchObject([
        {
          specification_sn: scene.stent,
          lot_no: 'L1',
          expiry_date: '2028-01-30',
          quantity: '5.000',
          price: '1050.5000',
          tax_rate: 13,
        },
        { specification_code: 'P001-02', production_date: '2026-01-31', quantity: '2.000', tax_rate: 13 },
        { specification_sn: scene.balloon, tax_rate: 6 },
        { specification_sn: scene.inflator },
        { specification_code: 'P001-02', lot_no: 'L5', expiry_date: '2028-01-31' },
        { specification_code: pack.code, unit_name: pack.name, base_quantity: `${2 * pack.base_measure}.000` },
      ])
    },
  )

  step('reports every faulty cell, marks them in the file, and imports nothing', async () => {
    const before = (await scene.hospital.list('openingStock')).length
    const rows = [
      HEAD,
      good('P001-01', 'OK'),
      good('NO-SUCH', 'L1'),
      ['P001-01', '', '', '', '', 'L2', '2026-02-30', '2028-01-30', '箩筐', '-3', '很贵', '7'],
      ['P001-01', '06901234567892', '', '', '', 'L3', '', '', '', '', '1', '13'],
      ['P001-01', '', '', '', '', 'L4', '2028-01-31', '2026-01-30', '', '1', '1', '13'],
      ['', '', '', '', '', 'L5', '', '', '', '1', '1', '13'],
    ]
    const reply = await send(rows, header())
    expect(reply.code).toBe(3000)
    expect(reply.msg).toContain('第3行【产品编码】产品编码“NO-SUCH”不存在')
    expect(reply.errors).toEqual([
      { row: 3, column: '产品编码', msg: '产品编码“NO-SUCH”不存在' },
      { row: 4, column: '生产日期', msg: expect.stringContaining('不是有效日期') },
      { row: 4, column: '单位', msg: expect.stringMatching(/^单位“箩筐”不属于该规格，可填：/) },
      { row: 4, column: '数量', msg: '【数量】不能为负数' },
      { row: 4, column: '含税单价', msg: '【含税单价】应为数字' },
      { row: 4, column: '税率', msg: '【税率】只能是0、1、3、6、9、13' },
      { row: 5, column: 'UDI-DI', msg: expect.stringContaining('不存在') },
      { row: 5, column: '数量', msg: '请填写【数量】' },
      { row: 6, column: '', msg: '有效期至必须晚于生产日期' },
      { row: 6, column: '', msg: '批号L4已过有效期，质量状态只能为不合格' },
      { row: 7, column: '产品编码', msg: expect.stringContaining('请填写产品编码') },
    ])
    expect((await scene.hospital.list('openingStock')).length).toBe(before)
    const marked = await sendSheet(
      scene.hospital.client,
      '/v1/business/openingStock/importMarked',
      workbook(rows),
      header(),
      'raw',
    )
    const sheet = read(marked.rawPayload, { type: 'buffer', cellStyles: true }).Sheets.错误标记!
    const rowsOut = utils.sheet_to_json<Record<string, string>>(sheet)
    expect(rowsOut[0]).not.toHaveProperty('错误原因')
    expect(rowsOut[2]!.错误原因).toMatch(/^第4行：【生产日期】.*；【单位】.*；【数量】/)
    expect(sheet.J4.s.fgColor.rgb).toBe('FFC7CE')
    // Corrected where it was marked, the same file is accepted: the error column is ignored.
    const again = utils.sheet_to_json<string[]>(sheet, { header: 1 }).slice(0, 2)
    const corrected = write(
      { Sheets: { a: utils.aoa_to_sheet(again) }, SheetNames: ['a'] },
      { type: 'buffer', bookType: 'biff8' },
    )
    expect(
      await sendSheet(scene.hospital.client, '/v1/business/openingStock/import', corrected, header(), 'a.xls'),
    ).toMatchObject({ code: 0, info: { count: 1 } })
  })

  step('appends to an existing draft, whose own lines stay; refuses a reviewed one', async () => {
    const sn = await scene.hospital.add('openingStock', {
      ...header(),
      lines: [{ specification_sn: scene.inflator, lot_no: 'A', quantity: '1', price: '3', remark: '手写' }],
    })
    const bad = await send([HEAD, good('P001-01', 'B'), good('NOPE', 'C')], { sn, version: '1' })
    expect(bad.errors).toEqual([{ row: 3, column: '产品编码', msg: '产品编码“NOPE”不存在' }])
    expect(await send([HEAD, good('P001-01', 'B')], { sn, version: '7' })).toMatchObject({ code: 2100 })
    expect(await send([HEAD, good('P001-01', 'B')], { sn, version: '1' })).toMatchObject({
      code: 0,
      info: { version: 2 },
    })
    const { lines } = await scene.hospital.info('openingStock', sn)
    expect(lines).toMatchObject([
      { line_no: 1, lot_no: 'A', remark: '手写', price: '3.0000' },
      { line_no: 2, lot_no: 'B' },
    ])
    expect(
      await send(
        [
          ['产品编码', '颜色'],
          ['P001-01', '红'],
        ],
        { sn, version: '2' },
      ),
    ).toMatchObject({
      errors: [{ row: 1, column: '颜色', msg: '模板里没有这一列' }],
    })
  })

  step('imports 5 000 lines with as many statements as five, and refuses more than 5 000', async () => {
    const lots = (count: number) => [HEAD, ...Array.from({ length: count }, (_, at) => good('P009-01', `N${at}`))]
    const counted = async (count: number) => {
      let statements = 0
      const { options } = scene.server.database.app as unknown as { options: { debug: unknown } }
      options.debug = () => statements++
      const reply = await send(lots(count), header())
      options.debug = false
      expect(reply).toMatchObject({ code: 0, info: { count } })
      return statements
    }
    const few = await counted(5)
    expect(few).toBeGreaterThan(5)
    expect(await counted(5000)).toBe(few)
    expect((await send(lots(5001), header())).msg).toBe('一次最多导入5000行，请分批导入')
  })
})
