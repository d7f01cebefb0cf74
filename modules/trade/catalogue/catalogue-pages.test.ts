import { isCount, plain } from '#kernel/values/decimal.ts'
import { strFromU8, unzipSync } from 'fflate'
import { propagateMappedSpecifications } from '#modules/trade/catalogue/products/mapped-specifications.server.ts'
import { recountWhereNeeded } from '#modules/goods/warnings/recount.server.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { bringPictures } from '#demo/pictures.ts'
import { diskStore } from '#server/files/store.ts'
import { change, one } from '#tests/support/records.ts'
import { lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { sendSheet, workbook } from '#tests/support/sheets.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** The catalogue pages: adopting goods, ways of managing them, suppliers, documents of lots, identifiers. */
let scene: Scene
let platform: Person
beforeAll(async () => {
  scene = await openScene()
  platform = await scene.person('platform')
})
afterAll(() => scene?.close())

const auditAction = (who: Person, kind: string, call: string, body: object) =>
  who.client.post(`/v1/business/${kind}/${call}`, body as never)
const rowOf = (code: string) => one(scene.hospital.client, 'hospitalProduct', { q: code })

story('catalogue pages, from one step to the next', step => {
  step('a hospital adds a product from its own page; its state is 未准入', async () => {
    const { hospital } = scene
    const product = await scene.one(
      `select p.id, p.name, (select count(*)::int from specification s where s.product_id = p.id
      and s.status = 'released') as sizes from product p where p.status = 'released'
      and p.id <> (select product_id from specification where id = $1) order by p.id desc limit 1`,
      scene.inflator,
    )
    await scene.server.database.owner`
    delete from hospital_product h using specification s where h.org_id = ${scene.h} and s.id = h.specification_id
      and s.product_id = ${product.id}`
    const done = await auditAction(hospital, 'hospitalProduct', 'bringIn', { product_sn: product.id })
    expect(done.info?.said).toBe(`已引入【${product.name}】，准入申请审核后才能采购`)
    const rows = await hospital.list('hospitalProduct', { product_sn: product.id, admission_state: 'not_admitted' })
    expect(rows.length).toBe(product.sizes)
    expectMessage(
      await auditAction(hospital, 'hospitalProduct', 'bringIn', { product_sn: product.id }),
      '产品已在本机构目录中',
    )
  })

  step('the stock-keeping mode is set for many at once, but for none while one of them is in stock', async () => {
    const { hospital, inflator } = scene
    const [held, free] = [await rowOf('P009-01'), await rowOf('P002-01')]
    await scene.shelve(hospital, scene.central, [lotOf(inflator, 'GL1', { quantity: '3' })])
    const sns = JSON.stringify([held.hospital_product_sn, free.hospital_product_sn])
    expectMessage(
      await auditAction(hospital, 'hospitalProduct', 'setManage', { sns, regime: 'consigned' }),
      new RegExp(`^该产品有库存，不能变更管理方式：${held.product_name}`),
    )
    expectMessage(await auditAction(hospital, 'hospitalProduct', 'setManage', { sns }), '请选择货权方式或管理方式')
    const alone = JSON.stringify([free.hospital_product_sn])
    const done = await auditAction(hospital, 'hospitalProduct', 'setManage', {
      sns: alone,
      regime: 'purchased',
      managed_by: 'lot',
    })
    expect(done.info?.said).toMatch(/^1个规格已设置/)
    expect(await rowOf('P002-01')).toMatchObject({ regime: 'purchased', is_unit_coded: false })
  })

  step('a product’s supplier is kept with its terms; without a price there is no supplier', async () => {
    const { hospital, d, inflator } = scene
    const row = await rowOf('P009-01')
    const sns = JSON.stringify([row.hospital_product_sn])
    const set = (supplier_sn: string, more: object = {}) =>
      auditAction(hospital, 'hospitalProduct', 'setSupplier', { sns, supplier_sn, ...more })
    const other = await scene.one(
      `select r.partner_id as id from org_relation r where r.org_id = $1 and r.status = 'enabled'
      and r.partner_id <> $2 and not exists (select 1 from price_agreement g where g.org_id = $1
      and g.seller_id = r.partner_id and g.specification_id = $3) limit 1`,
      scene.h,
      d,
      inflator,
    )
    expectMessage(await set(other.id), /与该供应商没有协议价，请先在询价登记或准入申请中议定价格$/)
    expect(await set(d, { min_order: '5', lead_days: '3' })).toMatchObject({ code: 0 })
    expect(await hospital.list('productSupplier', { specification_sn: inflator, supplier_sn: d })).toMatchObject([
      { min_order: '5.000', lead_days: 3, is_preferred: true, price: '145.0000' },
    ])
  })

  step('limits and HIS codes come by workbook: dry run first, errors by row and column, all rows or none', async () => {
    const { hospital } = scene
    const url = '/v1/business/hospitalProduct/import'
    const head = ['规格型号', 'HIS编码', '下限', '上限']
    const before = await rowOf('P009-01')
    const bad = [head, ['P009-01', 'HIS-9', 5, 50], ['P042-01', 'HIS-42', 9, 3], ['NONE-1', 'X', 1, 2], ['', 'Y', 1, 2]]
    const refused = await sendSheet(hospital.client, url, workbook(bad))
    expect(refused.errors).toEqual([
      expect.objectContaining({ row: 3, msg: '库存上限不能小于下限' }),
      { row: 4, column: '规格型号', msg: '“NONE-1”不存在' },
      { row: 5, column: '规格型号', msg: '请填写规格型号' },
    ])
    expect(await rowOf('P009-01')).toMatchObject({ version: before.version, his_code: before.his_code })
    const foreign = await scene.one(
      `select s.code from specification s where not exists (select 1 from hospital_product h where h.org_id = $1
      and h.specification_id = s.id) limit 1`,
      scene.h,
    )
    const outsider = await sendSheet(hospital.client, url, workbook([head, [foreign.code, 'Z', 1, 2]]))
    expect(outsider.errors).toEqual([
      { row: 2, column: '规格型号', msg: '该规格不在医院产品目录中，请先准入或从平台目录引入' },
    ])
    const good = workbook([head, ['P009-01', 'HIS-9', 5, 50], ['P042-01', '', 2, '']], 'biff8')
    expect((await sendSheet(hospital.client, url, good, { dry: 'true' }, 'a.xls')).info).toEqual({ count: 2 })
    expect((await rowOf('P009-01')).his_code).toBe(before.his_code)
    expect((await sendSheet(hospital.client, url, good, {}, 'a.xls')).info).toEqual({ count: 2 })
    expect(await rowOf('P009-01')).toMatchObject({ his_code: 'HIS-9', minimum: '5.000', maximum: '50.000' })
    // A code alone is not a match: matches are made in HIS产品对照.
    expect(await hospital.list('hospitalProduct', { q: 'P009-01', his_state: 'matched' })).toEqual([])
    expect(await hospital.list('hospitalProduct', { q: 'P009-01', his_state: 'none' })).toHaveLength(1)
    expect(await rowOf('P042-01')).toMatchObject({ minimum: '2.000' })
    const twice = await sendSheet(
      hospital.client,
      url,
      workbook([head, ['P009-01', 'A', '', ''], ['P009-01', 'B', '', '']]),
    )
    expect(twice.errors).toEqual([{ row: 3, column: '规格型号', msg: '与第2行重复' }])
    expect((await sendSheet((await scene.person('nurse')).client, url, good, {}, 'a.xls')).code).toBe(403)
  })

  step('库存状态: a trader finds what is out of stock, below its limit and above it', async () => {
    const { dealer, inflator, shop } = scene
    const state = async () => (await one(dealer.client, 'dealerProduct', { specification_sn: inflator })).stock_state
    const limits = (least: number | null, most: number | null) =>
      scene.one(
        'update dealer_product set minimum = $3, maximum = $4 where org_id = $1 and specification_id = $2 returning 1',
        scene.d,
        inflator,
        least,
        most,
      )
    await limits(5, 8)
    expect(await state()).toBe('none')
    await scene.shelve(dealer, shop, [lotOf(inflator, 'KZ1', { quantity: '4' })])
    expect(await state()).toBe('low')
    const found = await dealer.list('dealerProduct', { stock_state: 'low' })
    expect(found.map(row => row.specification_sn)).toEqual([inflator])
    await limits(1, 8)
    expect(await state()).toBe('normal')
    await limits(null, 3)
    expect(await state()).toBe('high')
  })

  step(
    'labels print for sizes in the hospital’s catalogue and all on offer, not for another organisation’s',
    async () => {
      const { hospital, dealer } = scene
      const row = await rowOf('P009-01')
      const labels = (who: Person, of: string, units: string) => who.client.get('/v1/labels', { of, units })
      const { list } = await labels(hospital, 'hospitalProduct', row.hospital_product_sn)
      expect(list).toMatchObject([{ code: row.udi_di, gs1: `(01)${row.udi_di}`, product_name: row.product_name }])
      expect(JSON.stringify(list)).not.toMatch(/price|amount/)
      const unseen = '有记录不存在或已变化，请刷新后重新勾选'
      expectMessage(await labels(dealer, 'hospitalProduct', row.hospital_product_sn), unseen)
      const [product] = await dealer.list('product', { scope: 'released', q: 'P001', pageSize: '1', pageNum: '1' })
      const sizes = await labels(dealer, 'product', product.product_sn)
      expect(sizes.total).toBe(product.specification_count)
      expectMessage(await labels(dealer, 'product', '1'), unseen)
    },
  )

  step(
    'the documents of all lots of a receipt are exported as one archive, with a list of lots without any',
    async () => {
      const { hospital, dealer, inflator, central, d } = scene
      const sn = await hospital.add('purchaseGrn', {
        counterparty_sn: d,
        warehouse_model_inner_sn: central,
        lines: ['ZM1', 'ZM2'].map(lot_no => ({ ...lotOf(inflator, lot_no, { price: '145' }), quantity: '2' })),
      })
      await hospital.pass('purchaseGrn', sn)
      const file = await uploadPicture(dealer)
      await dealer.add('qualityCertificate', {
        specification_sn: inflator,
        lot_no: 'ZM1',
        certificate_type: 'conformity',
        attachments: [file],
      })
      expectMessage(
        await auditAction(hospital, 'qualityCertificate', 'batchDownload', { document_sn: 'RK-NONE' }),
        '没有编号为RK-NONE的单据，请核对',
      )
      const { info } = await auditAction(hospital, 'qualityCertificate', 'batchDownload', { document_sn: sn })
      expect(info.said).toBe('1个文件已打包，1个批号没有证明文件，见清单')
      const reply = await hospital.client.raw({ method: 'GET', url: info.link })
      const packed = unzipSync(reply.rawPayload)
      const names = Object.keys(packed)
      expect(names.find(name => name.endsWith('ZM1_合格证.png'))).toBeTruthy()
      expect(strFromU8(packed['清单.txt']!)).toMatch(/以下批号没有证明文件：\r\n.+批号ZM2/)
    },
  )

  step('regulator data of a size is applied once a second person has approved it', async () => {
    const { vendor } = scene
    const size = await scene.one(
      `select s.id, s.udi_di, s.name from specification s join product p on p.id = s.product_id
      where p.manufacturer_id = $1 and p.status = 'released' and s.udi_di is not null
      and s.mapped_to_id is null order by s.id limit 1`,
      scene.v,
    )
    await scene.one(
      `insert into udi_device (record_key, version_number, primary_di, product_name, specification, lot_on_label,
      serial_on_label, expiry_on_label, is_current, begins_on)
      select 'TAKE1', 1, $1, '测试', $2, s.lot_required, not s.serial_required, s.expiry_required, true,
      current_date from specification s where s.id = $3 returning 1`,
      size.udi_di,
      `${size.name}（新）`,
      size.id,
    )
    const sns = JSON.stringify([size.id])
    const asked = await auditAction(vendor, 'udiDifference', 'takeOver', { sns, note: '厂家确认' })
    expect(asked.info?.said).toBe('已提交1条采纳申请，由平台另一人审核后写入目录')
    expectMessage(await auditAction(platform, 'udiDifference', 'takeOver', { sns }), '所选差异已有待审核的采纳申请')
    expectMessage(await auditAction(scene.hospital, 'udiDifference', 'takeOver', { sns }), /没有/)
    expect(
      await change(platform.client, 'udiAdoption', 'udi_adoption_sn', { state: 'pending' }, {}, 'review'),
    ).toMatchObject({ code: 0 })
    expect((await scene.one('select name from specification where id = $1', size.id)).name).toBe(`${size.name}（新）`)
    expect(await platform.list('udiDifference', { primary_di: size.udi_di })).toEqual([])
    const notified = await scene.one(
      "select body from message where org_id = $1 and title = 'UDI采纳审核结果'",
      scene.v,
    )
    expect(notified.body).toContain('已写入目录')
  })

  step('the demo has pictures and scans, and complete products', async () => {
    const { database, dataDir } = scene.server
    await bringPictures(database, diskStore(`${dataDir}/files`))
    const rows = await platform.list('product', { scope: 'released', pageSize: '100', pageNum: '1' })
    expect(rows.filter(row => isCount(row.completeness, 1)).length).toBeGreaterThan(5)
    expect(rows.some(row => row.missing?.includes('产品图片'))).toBe(true)
    const [picture] = rows.find(row => row.pictures.length > 0)!.pictures
    const small = await scene.hospital.client.raw({ method: 'GET', url: `/file/${picture}-64` })
    expect(small.headers['content-type']).toBe('image/webp')
    const scan = await scene.one(
      "select attachments[1] as name from registration_certificate where attachments <> '{}' limit 1",
    )
    const whole = await scene.hospital.client.raw({ method: 'GET', url: `/file/${scan.name}` })
    expect(whole.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect(day()).toBeTruthy()
  })

  step('the common catalogue shows no price; adoption counts only to the platform and the manufacturer', async () => {
    const carried = async (who: Person) => {
      const reply = await who.client.raw({
        method: 'GET',
        url: '/v1/business/product/export',
        query: { scope: 'released', status: 'released' },
      })
      return strFromU8(unzipSync(new Uint8Array(reply.rawPayload))['xl/worksheets/sheet1.xml'] as Uint8Array)
    }
    for (const who of [scene.dealer, scene.hospital]) {
      const [heads] = (await carried(who)).split('</row>')
      expect(heads!.includes('产品编码') && !/引入机构数|价/.test(heads!)).toBe(true)
      const [row] = await who.list('product', { scope: 'released', status: 'released', pageSize: '1', pageNum: '1' })
      expect(row).not.toHaveProperty('picked_orgs')
      expect(Object.keys(row).filter(name => /price/.test(name))).toEqual([])
    }
    expect((await carried(platform)).includes('引入机构数')).toBe(true)
    expect((await carried(scene.vendor)).includes('引入机构数')).toBe(false)
    const [mine] = await scene.vendor.list('product', { scope: 'released', q: 'P001', pageSize: '1', pageNum: '1' })
    expect(mine.picked_orgs).toBeGreaterThan(0)
  })

  step('a mapped size and its target are one product: one line in pickers, first expiry first over both', async () => {
    const { dealer, shop } = scene
    const { owner } = scene.server.database
    const { id: into } = await scene.one('select product_id as id from specification where id = $1', scene.inflator)
    const size = await scene.one('select name, unit_name from specification where id = $1', scene.inflator)
    const sn = await dealer.add('product', {
      name: '自建充压装置',
      manufacturer_sn: scene.v,
      device_class: 'II',
      base_unit: size.unit_name,
      class_code: '03',
      storage_condition: '常温',
    })
    const { certificate } = await scene.one(
      'select registration_certificate_id as certificate from specification where id = $1',
      scene.inflator,
    )
    await dealer.add('specification', {
      product_sn: sn,
      ...size,
      registration_certificate_sn: certificate,
      no_di_reason: '尚未赋码',
    })
    const [mine] = await dealer.list('specification', { product_sn: sn })
    const old = mine.specification_sn
    await dealer.add('dealerProduct', { specification_sn: old })
    const lot = (specification_sn: string, lot_no: string, days: number) => ({
      ...lotOf(specification_sn, lot_no, { quantity: '3' }),
      expiry_date: day(days),
    })
    await scene.shelve(dealer, shop, [lot(old, 'YS1', 300), lot(scene.inflator, 'YS2', 600)])
    const least = { min_quantity: '1', reorder_point: '1', max_quantity: '900' }
    await dealer.add('warehouseProduct', { warehouse_model_inner_sn: shop, specification_sn: old, ...least })
    await dealer.done('product', 'submit', sn)
    await platform.done('product', 'match', sn, { target_sn: into })
    await owner`delete from dealer_product where org_id = ${scene.d} and specification_id = ${scene.inflator}`
    const offered = async () =>
      (await dealer.list('specification', { product_sn: into, asked: 'true' })).map(row => row.specification_sn)
    expect(await offered()).not.toContain(scene.inflator)
    expect(await propagateMappedSpecifications(owner)).toBeGreaterThan(0)
    expect(await propagateMappedSpecifications(owner)).toBe(0)
    expect(await offered()).toContain(scene.inflator)
    await bothAreOne(old)
    // A row that the organisation removes stays removed, even if the old size is still in its catalogue.
    await owner`delete from dealer_product where org_id = ${scene.d} and specification_id = ${scene.inflator}`
    expect(await propagateMappedSpecifications(owner)).toBe(0)
    await dealer.add('dealerProduct', { specification_sn: scene.inflator })
    // 停用 removes it from the pickers of new documents, also of those that begin without an order; lists and returns
    // still find it.
    const picked = async (how: object) =>
      (await dealer.list('specification', { product_sn: into, ...how })).map(row => row.specification_sn)
    const own = async (action: string) => {
      const { id: sn, version } = await scene.one(
        'select id, version from dealer_product where org_id = $1 and specification_id = $2',
        scene.d,
        scene.inflator,
      )
      return auditAction(dealer, 'dealerProduct', action, { sn, version })
    }
    expect((await own('disable')).code).toBe(0)
    expect(await picked({ kept: 'true' })).not.toContain(scene.inflator)
    expect(await picked({})).toContain(scene.inflator)
    expect((await own('enable')).code).toBe(0)
    expect(await picked({ kept: 'true' })).toContain(scene.inflator)
    expect((await dealer.list('specification', { product_sn: into })).map(row => row.specification_sn)).not.toContain(
      old,
    )
    // Requested under the mapped size, both lots are found, and the old lot goes first, under the size recorded in the
    // ledger.
    const lots = async (specification_sn: string) =>
      (await dealer.list('stockBalance', { specification_sn, warehouse_model_inner_sn: shop })).map(row => row.lot_no)
    expect(await lots(scene.inflator)).toEqual(expect.arrayContaining(['YS1', 'YS2']))
    const sale = await dealer.add('saleOdo', {
      counterparty_sn: scene.h,
      warehouse_model_inner_sn: shop,
      lines: [{ specification_sn: scene.inflator, quantity: '4', price: '120' }],
    })
    const { lines } = await dealer.info('saleOdo', sale)
    expect(
      lines.map((line: Record<string, string>) => [line.specification_sn, line.lot_no, line.quantity, line.price]),
    ).toEqual([
      [old, 'YS1', '3.000', '120.0000'],
      [scene.inflator, 'YS2', '1.000', '120.0000'],
    ])
    await dealer.pass('saleOdo', sale)
    expect(await lots(scene.inflator)).not.toContain('YS1')
    // The mapping does not concern the customer, who receives both lots.
    const receipt = await scene.hospital.from('purchaseGrn', sale)
    expect((await scene.hospital.info('purchaseGrn', receipt.sn)).lines).toHaveLength(2)
  })
})

/** Limits, warnings, proposals and shop figures count stock under the old size and the new one together. */
async function bothAreOne(old: string): Promise<void> {
  const { dealer, shop, inflator } = scene
  // oxlint-disable-next-line typescript/no-explicit-any -- rows of several reports
  const figures = async (kind: string, asked: object): Promise<any[]> =>
    ((await dealer.client.get(`/v1/report/${kind}`, asked as never)) as never as { list: never[] }).list
  const { held, free } = await scene.one(
    `select sum(quantity)::text as held, sum(quantity - reserved)::text as free from stock_on_hand
      where org_id = $1 and warehouse_id = $2 and specification_id = any($3)`,
    scene.d,
    shop,
    [old, inflator],
  )
  const here = { warehouse_model_inner_sn: shop }
  const kept = await dealer.list('warehouseProduct', here)
  const row = kept.find(one => one.specification_sn === inflator)
  expect([kept.some(one => one.specification_sn === old), row.stock]).toEqual([false, held])
  const plan = await dealer.add('purchasePlan', { ...here, lines: [{ specification_sn: inflator, quantity: '1' }] })
  const [line] = (await dealer.info('purchasePlan', plan)).lines
  expect([line.available_quantity, line.max_quantity]).toEqual([free, '900.000'])
  await dealer.done('purchasePlan', 'del', plan)

  const limits = { sns: JSON.stringify([row.warehouse_product_sn]), least: plain(free), most: '900' }
  await auditAction(dealer, 'warehouseProduct', 'setLimit', { ...limits, point: limits.least })
  const { owner } = scene.server.database
  await recountWhereNeeded(owner, owner, 0)
  const low = await dealer.list('warning', { category: 'PRODUCTINVENTORY', ...here })
  expect(low.filter(one => one.level === 'low').map(one => [one.specification_sn, one.quantity])).toEqual([
    [inflator, free],
  ])
  const inStock = await figures('stockByProduct', { ...here, specification_sn: inflator })
  expect(inStock.map(one => [one.specification_sn, one.quantity, one.level])).toEqual([[inflator, held, 'low']])
  const period = { begin_date: day(), end_date: day(), ...here, specification_sn: inflator }
  const moved = await figures('inventorySummaryReport', period)
  expect(moved.map(one => [one.specification_sn, one.closing_quantity])).toEqual([[inflator, held]])
  const finance = await figures('stockFinance', { period: day().slice(0, 7), ...here, specification_sn: inflator })
  expect(finance.map(one => one.closing_quantity)).toEqual([held])
}
