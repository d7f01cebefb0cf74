import { hibcCheckCharacter } from '#kernel/codes/hibc-code.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { sendSheet, workbook } from '#tests/support/sheets.ts'

/**
 * 产品条码: every code on a package identifies one size in one unit; codes of no standard are read by the organisation's
 * rules.
 */
let scene: Scene
/** Two free item numbers with valid check digits. */
const [FREE, OTHER] = ['06901234567892', '06901234567885']
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const parse = async (code: string, who = scene.hospital) => (await who.client.post('/v1/code/parse', { code })).info
const add = (body: object, who = scene.hospital, kind = 'productBarcode') =>
  who.client.post(`/v1/business/${kind}/add`, body as Record<string, unknown>)

describe('barcodes', () => {
  test('of the catalogue are already listed, read-only, by level and unit', async () => {
    const { hospital, stent } = scene
    const [row] = await hospital.list('productBarcode', { specification_sn: stent })
    expect(row).toMatchObject({
      code_type: 'udi_di',
      issuer: 'gs1',
      level: 'sale',
      kept_by: 'catalogue',
      udi_check: 'same',
    })
    expect(row!.product_name).toBeTruthy()
    const edit = await hospital.client.post('/v1/business/productBarcode/edit', {
      sn: row!.product_barcode_sn,
      version: row!.version,
      remark: '改',
    })
    expect(row!.actions).toEqual([])
    expectMessage(edit, '平台或厂商维护的条码只能查看，如有错误请联系对方修改')
    const boxed = await hospital.list('productBarcode', { level: 'inner' })
    expect(boxed[0]).toMatchObject({ lower_code: expect.stringMatching(/^\d{14}$/), lower_count: expect.any(Number) })
  })

  test('are checked, stored with 14 digits, and belong to one size only', async () => {
    const { inflator, stent, hospital } = scene
    expectMessage(await add({ code: '6901234567891', specification_sn: inflator }), /条码校验位错误/)
    expectMessage(await add({ code: 'ABC', specification_sn: inflator, code_type: 'ma' }), /以MA\.开头/)
    const added = await add({ code: FREE.slice(1), specification_sn: inflator })
    expect(added.msg).toBe('')
    const [row] = await hospital.list('productBarcode', { code: FREE })
    expect(row).toMatchObject({
      code: FREE,
      issuer: 'gs1',
      kept_by: 'own',
      udi_check: 'none',
      specification_sn: inflator,
      unit_inner_sn: inflator,
    })
    expectMessage(await add({ code: FREE, specification_sn: stent }), new RegExp(`^条码${FREE}已被【.+】使用$`))
    expectMessage(await add({ code: FREE, specification_sn: inflator }), `条码${FREE}已维护在该规格上，无需重复维护`)
    const [catalogue] = await hospital.list('productBarcode', { specification_sn: stent, kept_by: 'catalogue' })
    expectMessage(
      await add({ code: catalogue!.code, specification_sn: inflator }),
      new RegExp(`^条码${catalogue!.code}已被【`),
    )
  })

  test('of HIBC, on imported goods, are tied to the product and read with lot and expiry', async () => {
    const { inflator, hospital } = scene
    const scan = '+A123HIBC01/$$3300131LOT7'
    const whole = scan + hibcCheckCharacter(scan)
    expect(await parse(whole)).toMatchObject({ specification: null, parsed: { kind: 'hibc', lot: 'LOT7' } })
    expectMessage(
      await add({ code: '+A123HIBC01X', specification_sn: inflator, code_type: 'hibc' }),
      /^HIBC 码“.+”的校验字符不对/,
    )
    expectMessage(await add({ code: whole, specification_sn: inflator, code_type: 'ma' }), /以MA\.开头/)
    expectMessage(await add({ code: whole, specification_sn: inflator, code_type: 'gtin' }), /条码类型HIBC/)
    expect((await add({ code: whole, specification_sn: inflator, code_type: 'hibc' })).msg).toBe('')
    const [row] = await hospital.list('productBarcode', { code: '+A123HIBC01' })
    expect(row).toMatchObject({ code: '+A123HIBC01', issuer: 'hibc', code_type: 'hibc' })
    expect(await parse(whole)).toMatchObject({
      specification: { specification_sn: inflator },
      parsed: { lot: 'LOT7', expiryDate: '2030-01-31' },
    })
  })

  test('scanned before they were known are logged, then listed and resolved later', async () => {
    const { inflator, hospital } = scene
    const scan = `(01)${OTHER}(17)300131(10)NEU1`
    expect((await parse(scan)).specification).toBeNull()
    const open = async () =>
      (await hospital.list('errorRecord', { error_kind: 'unmatched' })).find(row => row.object === scan)?.state
    expect(await open()).toBe('waiting')
    expect((await add({ code: scan, specification_sn: inflator })).msg).toBe('')
    expect(await open()).toBe('done')
    const read = await parse(scan)
    expect(read.specification).toMatchObject({ specification_sn: inflator, measure: 1 })
    expect(read.parsed).toMatchObject({ lot: 'NEU1', expiryDate: '2030-01-31' })
  })

  test('of one organisation are private; those of the manufacturer are shared by all', async () => {
    const { dealer, vendor, stent, inflator } = scene
    expect((await parse(`(01)${FREE}`, dealer)).specification).toBeNull()
    expect((await add({ code: 'ALT-100200', code_type: 'custom', specification_sn: inflator })).msg).toBe('')
    expect((await parse('ALT-100200')).specification.specification_sn).toBe(inflator)
    expect((await parse('ALT-100200', dealer)).specification).toBeNull()
    expect((await add({ code: 'MA.156.M0.100761.21239999', specification_sn: stent }, vendor)).msg).toBe('')
    expect((await parse('MA.156.M0.100761.21239999.LB7.V300131', dealer)).specification.specification_sn).toBe(stent)
    const [seen] = await dealer.list('productBarcode', { code: 'MA.156' })
    expect(seen).toMatchObject({ kept_by: 'shared', issuer: 'ma', code_type: 'udi_di' })
    const foreign = await scene.one(
      `select s.id from specification s join product p on p.id = s.product_id where p.manufacturer_id <> $1
        and coalesce(p.built_by_id, 0) <> $1 limit 1`,
      scene.v,
    )
    expectMessage(
      await add({ code: 'V-OWN-1', code_type: 'custom', specification_sn: foreign.id }, vendor),
      '只能维护本企业产品的条码',
    )
  })

  test('of packages name their contents and match the units of the size', async () => {
    const { hospital } = scene
    const [box] = await hospital.list('productBarcode', { level: 'inner', kept_by: 'catalogue' })
    const body = {
      code: 'BOX-OLD-77',
      code_type: 'custom',
      specification_sn: box!.specification_sn,
      level: 'inner',
      lower_code: box!.lower_code,
    }
    expectMessage(await add({ ...body, lower_code: null }), '中包装、外箱须填写下级UDI-DI和换算数量')
    expectMessage(
      await add({ ...body, lower_count: box!.lower_count + 1, unit_inner_sn: box!.unit_inner_sn }),
      /^换算数量与单位不一致：1/,
    )
    expectMessage(await add({ ...body, lower_count: 9999 }), /没有折合9999个基本单位的包装单位/)
    expectMessage(
      await add({ ...body, lower_code: 'NOPE', lower_count: box!.lower_count }),
      /不是该规格的条码，请先维护下级条码/,
    )
    expect((await add({ ...body, lower_count: box!.lower_count })).msg).toBe('')
    const read = await parse('BOX-OLD-77')
    expect(read.specification).toMatchObject({ unit_inner_sn: box!.unit_inner_sn, measure: box!.lower_count })
    expect(read.specification.pack_name).not.toBe(read.specification.unit_name)
  })

  test('possibly used in a posted document are disabled, not deleted, and can then be assigned again', async () => {
    const { hospital, inflator, balloon, central, shelve } = scene
    const add1 = await add({ code: 'FREE-TO-GO', code_type: 'custom', specification_sn: inflator })
    const sn = add1.info.sn
    const call = async (action: string, sn: string) => {
      const { info } = await hospital.client.get('/v1/business/productBarcode/info', { sn })
      return hospital.client.post(`/v1/business/productBarcode/${action}`, { sn, version: info.version })
    }
    await shelve(hospital, central, [
      { specification_sn: inflator, lot_no: 'BC1', expiry_date: '2031-01-31', quantity: '1', price: '1' },
    ])
    expectMessage(await call('del', sn), '条码已被业务引用，不能删除，可以停用')
    expect((await call('disable', sn)).msg).toBe('')
    expect((await parse('FREE-TO-GO')).specification).toBeNull()
    expect((await add({ code: 'FREE-TO-GO', code_type: 'custom', specification_sn: balloon })).msg).toBe('')
    expectMessage(await call('enable', sn), /^条码FREE-TO-GO已被【/)
  })

  test('are imported by workbook: duplicates in the file and existing codes are named by row', async () => {
    const { hospital, inflator, stent } = scene
    const [known] = await hospital.list('productBarcode', { specification_sn: stent, kept_by: 'catalogue' })
    const [row] = await hospital.list('specification', { q: 'P009-01' })
    expect(row!.specification_sn).toBe(inflator)
    const file = workbook([
      ['条码/UDI-DI', '条码类型', '规格型号', '包装级别'],
      ['TAB-1', '自定义', 'P009-01', '最小销售单元'],
      ['TAB-1', '自定义', 'P009-01', '最小销售单元'],
      [known!.code, 'UDI-DI', 'P009-01', '最小销售单元'],
    ])
    const reply = await sendSheet(hospital.client, '/v1/business/productBarcode/import', file)
    expect(reply.errors.map((error: { row: number }) => error.row)).toEqual([3, 4])
    expect(reply.errors[1].msg).toMatch(new RegExp(`^条码${known!.code}已被【`))
  })
})

story('barcode rules of an organisation', step => {
  const rule = {
    name: '旧系统',
    prefix: 'QW',
    total_length: 20,
    product_from: 3,
    product_length: 8,
    expiry_from: 11,
    date_format: 'YYMMDD',
    lot_from: 17,
    lot_length: 4,
  }

  step('parse what no standard reads, if the product part is a known code', async () => {
    const { inflator } = scene
    expect((await add({ code: '10002345', code_type: 'custom', specification_sn: inflator })).msg).toBe('')
    expect((await parse('QW10002345300100LOT7')).specification).toBeNull()
    expect((await add(rule, scene.hospital, 'barcodeRule')).msg).toBe('')
    const read = await parse('QW10002345300100LOT7')
    expect(read.specification.specification_sn).toBe(inflator)
    expect(read.parsed).toMatchObject({ lot: 'LOT7', expiryDate: '2030-01-31', expiryDayKnown: false })
    expect((await parse('QW10002345300100LOT7', scene.dealer)).specification).toBeNull()
  })

  step('that could read the same code are refused, and so are those that exceed their length', async () => {
    expectMessage(
      await add({ ...rule, name: '二', prefix: 'QW1' }, scene.hospital, 'barcodeRule'),
      '与规则【旧系统】冲突',
    )
    expectMessage(
      await add({ ...rule, name: '三', prefix: 'ZZ', total_length: 18 }, scene.hospital, 'barcodeRule'),
      /取到第20位，超过总长度18/,
    )
    expectMessage(await add({ name: '四', prefix: 'YY' }, scene.hospital, 'barcodeRule'), /请填写产品码起始位/)
    expect((await add({ ...rule, name: '五', total_length: 21 }, scene.hospital, 'barcodeRule')).msg).toBe('')
  })
})

test('a trial shows what a scan means and saves nothing', async () => {
  const { hospital } = scene
  const { info } = await hospital.client.post('/v1/code/parse', { code: '(01)06907777777771(10)X', trial: true })
  expect(info.specification).toBeNull()
  expect((await hospital.list('errorRecord', { q: '06907777777771' })).length).toBe(0)
})
