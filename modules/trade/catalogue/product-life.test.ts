import { parseInteger } from '#kernel/values/integer.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uploadPicture } from '#tests/support/picture.ts'
import { attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { withCodeOfAnother } from '#tests/support/records.ts'
import { day, type Person } from '#tests/support/story.ts'

/** The life cycle of a product: self-built, audited, matched, released in batches, changed as a version, withdrawn. */
let scene: Scene
let platform: Person
let second: Person
let picture = ''
beforeAll(async () => {
  scene = await openScene()
  ;[platform, second] = await Promise.all([scene.person('platform'), scene.person('platform2')])
  picture = await uploadPicture(platform)
  await scene.one("update registration_certificate set attachments = '{scan.pdf}' where 1 = 1")
})
afterAll(() => scene?.close())

const call = async (who: Person, kind: string, action: string, sn: string, more: object = {}) => {
  const { version } = await who.info(kind, sn)
  return who.client.post(`/v1/business/${kind}/${action}`, { sn, version, ...more })
}
const done = async (who: Person, kind: string, action: string, sn: string, more: object = {}) =>
  expect(await call(who, kind, action, sn, more)).toMatchObject({ code: 0 })
const certificate = async () =>
  (await scene.one("select id from registration_certificate where certificate_no = '国械注准20243039002'")).id as string

const validTo = (days: number) =>
  scene.one(
    "update registration_certificate set valid_to = $1 where certificate_no = '国械注准20243039002' returning 1",
    day(days),
  )

/** A product with one size, created by its manufacturer or another organisation. */
async function build(who: Person, name: string, more: object = {}, size: object = {}): Promise<string> {
  const body = {
    name,
    manufacturer_sn: scene.v,
    device_class: 'III',
    base_unit: '根',
    class_code: '03',
    storage_condition: '常温',
    ...more,
  }
  const sn = await who.add('product', body)
  await who.add('specification', {
    product_sn: sn,
    name: '0.018in',
    unit_name: '根',
    registration_certificate_sn: await certificate(),
    no_di_reason: '尚未赋码',
    ...size,
  })
  return sn
}

/** Through audit and a batch of its own. */
async function release(sn: string, header: object = {}): Promise<string> {
  const batch = await platform.add('productRelease', { note: '试验批次', ...header })
  await platform.add('productReleaseLine', { product_release_sn: batch, product_sn: sn })
  await done(platform, 'productRelease', 'submit', batch)
  await done(second, 'productRelease', 'review', batch)
  return batch
}

test('a manufacturer submits with the certificate scan; one reviewer claims it and no one else may decide', async () => {
  // The two digits after the class digit of 国械注准2024 3 03 9002 are the sub-catalogue of 2017; it need not be
  // entered.
  const sn = await build(scene.vendor, '外周导丝', { class_code: undefined })
  expect(await scene.vendor.info('product', sn)).toMatchObject({ class_code: '03', class_code_2002: null })
  const wrong = await scene.vendor.add('product', {
    name: '二类导丝',
    manufacturer_sn: scene.v,
    device_class: 'II',
    base_unit: '根',
  })
  const size = { product_sn: wrong, name: 'S', unit_name: '根', registration_certificate_sn: await certificate() }
  expectMessage(await scene.vendor.client.post('/v1/business/specification/add', size), '管理类别与注册证号不一致')
  const older = (
    await scene.vendor.client.post('/v1/business/registrationCertificate/add', {
      certificate_no: '国食药监械(准)字2012第2460123号',
      product_name: '试验',
      device_class: 'II',
      valid_from: '2023-01-01',
      valid_to: '2027-12-31',
      holder_org_sn: scene.v,
    })
  ).info.sn
  await scene.vendor.add('specification', { ...size, registration_certificate_sn: older })
  expect(await scene.vendor.info('product', wrong)).toMatchObject({ class_code: null, class_code_2002: '6846' })
  await scene.one("update registration_certificate set attachments = '{}' where certificate_no = '国械注准20243039002'")
  expectMessage(
    await call(scene.vendor, 'product', 'submit', sn),
    '注册证国械注准20243039002没有扫描件，请先在产品注册证上传',
  )
  await scene.one("update registration_certificate set attachments = '{scan.pdf}' where 1 = 1")
  // Submit already checks what the release will require, and the refusal of a locked product says how to unlock it.
  expectMessage(await call(scene.vendor, 'product', 'submit', sn), '产品资料不完整：产品图片')
  await done(scene.vendor, 'product', 'edit', sn, { pictures: [await uploadPicture(scene.vendor)] })
  await done(scene.vendor, 'product', 'submit', sn)
  expectMessage(await call(scene.vendor, 'product', 'edit', sn, { name: '导丝' }), '产品已提交，不能修改，请先撤回')
  await validTo(-1)
  expectMessage(await call(platform, 'product', 'review', sn), '注册证已过期，不能通过审核：国械注准20243039002')
  await validTo(900)
  const collides = await withCodeOfAnother(scene, sn, () => call(platform, 'product', 'review', sn))
  expectMessage(collides, 'UDI-DI 06912345670012 已被其他产品使用，不能通过审核')
  // A product does not pass on a certificate that was not passed: the release would refuse it.
  const audited = (state: string) =>
    scene.one(
      "update registration_certificate set audit_state = $1 where certificate_no = '国械注准20243039002' returning 1",
      state,
    )
  const uncertified = '注册证国械注准20243039002尚未审核通过，请先在产品注册证中审核'
  await audited('pending')
  expectMessage(await call(platform, 'product', 'review', sn), uncertified)
  await audited('refused')
  expectMessage(
    await call(platform, 'product', 'review', sn),
    '注册证国械注准20243039002审核未通过，请退回产品，更正注册证后重新提交',
  )
  await audited('passed')
  await done(platform, 'product', 'take', sn)
  expectMessage(await call(second, 'product', 'review', sn), /^正在由.+审核$/)
  expectMessage(await call(platform, 'product', 'reject', sn), '请填写驳回原因')
  await done(platform, 'product', 'reject', sn, { reason: '说明书缺页' })
  const back = { status: 'self_built', refusals: 1, opinion: '说明书缺页' }
  expect(await scene.vendor.info('product', sn)).toMatchObject(back)
  await done(scene.vendor, 'product', 'submit', sn)
  await done(platform, 'product', 'review', sn)
  expectMessage(
    await call(scene.vendor, 'product', 'edit', sn, { name: '导丝' }),
    '产品已审核待发布，不能修改，请联系平台退回后再修改',
  )
  await done(platform, 'product', 'edit', sn, { pictures: [] })
  const [waiting] = await platform.list('product', { status: 'unreleased', name: '外周导丝' })
  expect(waiting).toMatchObject({ completeness: '0.90', missing: '产品图片' })
  expectMessage(await call(platform, 'product', 'issue', sn), '产品资料不完整：产品图片')
  await done(platform, 'product', 'edit', sn, { pictures: [picture] })
  await audited('pending')
  expectMessage(await call(platform, 'product', 'issue', sn), uncertified)
  const batch = await platform.add('productRelease', { note: '试' })
  await platform.add('productReleaseLine', { product_release_sn: batch, product_sn: sn })
  expectMessage(
    await call(platform, 'productRelease', 'submit', batch),
    new RegExp(`^以下产品不能发布：.+（${uncertified}）$`),
  )
  await done(platform, 'productRelease', 'del', batch)
  await audited('passed')
  await done(platform, 'product', 'sendBack', sn, { reason: '再核对' })
  await done(second, 'product', 'review', sn)
  const steps = await platform.list('productStep', { product_sn: sn })
  expect(steps.map(step => step.action)).toEqual(['审核通过', '退回审核', '审核通过', '提交', '驳回', '提交'])
  await release(sn)
  expect(await scene.dealer.list('product', { scope: 'released', name: '外周导丝' })).toHaveLength(1)
  const notified = await scene.one('select count(*)::int as n from message where title = $1', '平台发布了新产品')
  expect(notified.n).toBeGreaterThan(0)
})

test('a batch stops at the first failing product, runs at its set time, and reaches only its recipients', async () => {
  const [good, bad] = [await build(platform, '造影导丝', { pictures: [picture] }), await build(platform, '亲水导丝')]
  await done(platform, 'product', 'sendBack', good, { reason: '资料有误' })
  expectMessage(await call(platform, 'product', 'review', good), '不能审核本人提交的产品，请由平台的其他审核人审核')
  await done(second, 'product', 'review', good)
  const batch = await platform.add('productRelease', {
    audience: 'orgs',
    audience_orgs: ['D01'],
    planned_at: new Date(Date.now() + 86_400_000).toISOString(),
  })
  for (const sn of [good, bad]) await platform.add('productReleaseLine', { product_release_sn: batch, product_sn: sn })
  expectMessage(
    await call(platform, 'productRelease', 'submit', batch),
    /^以下产品不能发布：.*亲水导丝（产品资料不完整：产品图片）$/,
  )
  await done(platform, 'product', 'edit', bad, { pictures: [picture] })
  await done(platform, 'productRelease', 'submit', batch)
  expectMessage(
    await call(platform, 'productRelease', 'review', batch),
    '制单人与复核人不能为同一人，请由平台的其他人复核',
  )
  await done(second, 'productRelease', 'review', batch)
  expect(await platform.info('productRelease', batch)).toMatchObject({ state: 'planned' })
  expect(await scene.dealer.list('product', { scope: 'released', name: '造影导丝' })).toEqual([])
  await scene.one(
    "update product_release set planned_at = now() - interval '1 second' where id = $1 returning 1",
    batch,
  )
  const { publishDue } = await import('#modules/trade/catalogue/release/product-release.server.ts')
  await publishDue(scene.server.database.app, scene.server.database.owner)
  expect(await platform.info('productRelease', batch)).toMatchObject({ state: 'published', product_count: 2 })
  expect(await scene.dealer.list('product', { scope: 'released', name: '造影导丝' })).toHaveLength(1)
  expect(await scene.hospital.list('product', { scope: 'released', name: '造影导丝' })).toEqual([])
})

test('bulk approval passes complete unique products, names others; planned ones are cancelled with reason', async () => {
  const named = ['批审甲型注射泵管', '批审乙式牵开钩']
  const built = await Promise.all(
    named.map(async (name, at) => {
      // A product that a dealer submits may lack fields that its maker would have to fill in.
      const who = at === 0 ? scene.vendor : scene.dealer
      const more = at === 0 ? { pictures: [await uploadPicture(who)] } : {}
      const sn = await build(who, name, more, { name: `专用${at}` })
      await done(who, 'product', 'submit', sn)
      return sn
    }),
  )
  const sns = JSON.stringify(built)
  const { info } = await platform.client.post('/v1/business/product/batchReview', { sns })
  expect(info.said).toMatch(/^审核通过1个，未通过1个：T\d+缺少产品图片$/)
  expect((await platform.info('product', built[0]!)).status).toBe('unreleased')
  const many = JSON.stringify(Array.from({ length: 101 }, (_, at) => String(at + 1)))
  expectMessage(
    await platform.client.post('/v1/business/product/batchReview', { sns: many }),
    '批量审核一次最多100行，请减少勾选',
  )
  expect((await scene.vendor.client.post('/v1/business/product/batchReview', { sns })).code).toBe(403)
  const batch = await platform.add('productRelease', { planned_at: new Date(Date.now() + 86_400_000).toISOString() })
  await platform.add('productReleaseLine', { product_release_sn: batch, product_sn: built[0] })
  await done(platform, 'productRelease', 'submit', batch)
  await done(second, 'productRelease', 'review', batch)
  expect((await call(platform, 'productRelease', 'cancel', batch)).code).not.toBe(0)
  await done(platform, 'productRelease', 'cancel', batch, { reason: '改期' })
  expect(await platform.info('productRelease', batch)).toMatchObject({ state: 'cancelled', reason: '改期' })
  expect((await platform.info('product', built[0]!)).status).toBe('unreleased')
})

test('a dealer’s own product is matched: its documents show the platform’s, and its old code finds it', async () => {
  const { dealer, shop } = scene
  const alike = async (similar: string) =>
    (await dealer.list('product', { scope: 'released', status: 'released', similar })).map(row => row.name)
  const named = '冠状动脉药物洗脱支架系统'
  expect(await alike('冠状动脉药物支架系统')).toContain(named)
  expect(await alike('国械注准20243139001')).toContain(named)
  expect(await alike('06999900100016')).toEqual([named])
  expect(await alike('完全不同的东西')).toEqual([])
  const sn = await build(dealer, '冠脉扩张球囊', {}, { name: '2.50×15mm' })
  const [mine] = await dealer.list('specification', { product_sn: sn })
  await dealer.add('dealerProduct', { specification_sn: mine.specification_sn })
  await scene.shelve(dealer, shop, [
    {
      specification_sn: mine.specification_sn,
      lot_no: 'ZJ1',
      production_date: day(-60),
      expiry_date: day(700),
      price: '100',
      quantity: '2',
    },
  ])
  const { code } = await dealer.info('product', sn)
  expect((await dealer.list('product', { scope: 'temporary', name: '冠脉扩张球囊' }))[0]).toMatchObject({
    used_papers: 1,
  })
  expectMessage(await call(dealer, 'product', 'del', sn), '产品已被业务单据引用，不能删除')
  const order = await dealer.client.post('/v1/business/saleOdo/add', {
    counterparty_sn: scene.h,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: mine.specification_sn, lot_no: 'ZJ1', quantity: '1', price: '200' }],
  })
  expectMessage(await dealer.do('saleOdo', 'submit', order.info.sn), /自建产品未发布，不能用于跨机构单据/)
  await done(dealer, 'product', 'submit', sn)
  const target = (await scene.one('select product_id as id from specification where id = $1', scene.stent)).id
  const [listed] = await platform.list('product', { status: 'pending', q: code })
  expect(parseInteger(listed.similar_count)).toBeGreaterThanOrEqual(0)
  expectMessage(
    await call(platform, 'product', 'match', sn, { target_sn: target }),
    /^规格【2\.50×15mm】的基本单位不同/,
  )
  await call(platform, 'product', 'reject', sn, { reason: '单位应为套' })
  await done(dealer, 'specification', 'edit', mine.specification_sn, { name: '9.99×15mm' })
  await done(dealer, 'product', 'submit', sn)
  await done(platform, 'product', 'match', sn, { target_sn: target })
  expect(await dealer.info('product', sn)).toMatchObject({ status: 'matched', matched_name: named })
  const [stock] = await dealer.list('stockBalance', { lot_no: 'ZJ1' })
  expect(stock).toMatchObject({ product_name: '冠状动脉药物洗脱支架系统', quantity: '2.000' })
  expect((await platform.list('product', { q: code })).map(row => row.name)).toContain('冠状动脉药物洗脱支架系统')
})

test('a released product changes only by an audited version; earlier documents keep the old name', async () => {
  const { vendor } = scene
  const sn = await build(platform, '可调弯导管', { pictures: [picture] })
  await release(sn)
  const [size] = await vendor.list('specification', { product_sn: sn })
  const shop = await scene.store('V01', 'central')
  const grn = (business_date: string) =>
    vendor.add('otherGrn', {
      warehouse_model_inner_sn: shop,
      business_date,
      lines: [{ ...lotOf(size.specification_sn, 'BG1'), quantity: '1' }],
    })
  const doc = await grn(day(-1))
  expectMessage(
    await call(vendor, 'product', 'edit', sn, { brand: 'x' }),
    '产品已发布，请使用“申请变更”，审核通过后生效',
  )
  expectMessage(await call(vendor, 'product', 'revise', sn, { note: '无' }), '请填写需要变更的内容')
  await done(vendor, 'product', 'revise', sn, { name: '可调弯鞘管', note: '按新注册证' })
  expectMessage(
    await call(vendor, 'product', 'revise', sn, { name: '又一个', note: '再改' }),
    /^该产品已有待审核或待发布的变更申请/,
  )
  expect(await vendor.info('product', sn)).toMatchObject({ name: '可调弯导管', revision: 1 })
  const [asked] = await platform.list('productRevision', { state: 'pending', product_name: '可调弯导管' })
  expect(asked).toMatchObject({ before_text: '产品名称：可调弯导管', after_text: '产品名称：可调弯鞘管' })
  await done(platform, 'productRevision', 'review', asked.product_revision_sn)
  // Once passed, it waits for the batch of the day like a new product; a second person releases both, and everything
  // else in it.
  expect(await vendor.info('product', sn)).toMatchObject({ name: '可调弯导管', revision: 1 })
  expectMessage(await call(vendor, 'product', 'revise', sn, { brand: 'x', note: '再改' }), /待审核或待发布的变更申请/)
  const gone = await build(platform, '旧式弯导管', { pictures: [picture] })
  await release(gone)
  await done(scene.hospital, 'product', 'pick', gone)
  const [today] = await platform.list('productRelease', { state: 'draft', product_names: '可调弯导管' })
  const batch = today.product_release_sn as string
  await done(platform, 'productRelease', 'withdraw', batch, { product_sn: gone, why: '换代停产' })
  expectMessage(
    await call(platform, 'productRelease', 'withdraw', batch, { product_sn: gone, why: '再停' }),
    /^产品已在发布批次FB\d+中$/,
  )
  const lines = await platform.list('productReleaseLine', { product_release_sn: batch })
  expect(lines.map(each => [each.change_kind, each.change_text, each.check_result]).toSorted()).toEqual([
    ['change', '产品名称：可调弯鞘管', '通过'],
    ['stop', '换代停产', '通过'],
  ])
  await done(platform, 'productRelease', 'submit', batch)
  expectMessage(
    await call(platform, 'productRevision', 'reject', asked.product_revision_sn, { reason: 'x' }),
    /请先将批次作废$/,
  )
  await done(second, 'productRelease', 'review', batch)
  expect(await platform.info('productRelease', batch)).toMatchObject({ new_count: 0, change_count: 1, stop_count: 1 })
  expect(await vendor.info('product', sn)).toMatchObject({ name: '可调弯鞘管', revision: 2 })
  expect(await platform.info('product', gone)).toMatchObject({ status: 'withdrawn', withdrawn_reason: '换代停产' })
  const notified = (org: string) =>
    scene.one("select body from message where title = '平台产品目录有变动' and org_id = $1 order by id desc", org)
  expect((await notified(scene.h)).body).toMatch(/变更1个产品，停用1个产品；与本机构有关：停用【旧式弯导管】/)
  expect((await notified(scene.v)).body).toContain('与本机构有关：变更【可调弯鞘管】，停用【旧式弯导管】')
  expect((await vendor.info('otherGrn', doc)).lines[0].product_name).toBe('可调弯导管')
  expect((await vendor.info('otherGrn', await grn(day()))).lines[0].product_name).toBe('可调弯鞘管')
})

test('a change passes only if its batch can publish it: valid certificate, and a name that no other waits for', async () => {
  const { vendor } = scene
  const change = async (sn: string, body: object) => {
    await done(vendor, 'product', 'revise', sn, { note: '改', ...body })
    const [asked] = await platform.list('productRevision', { product_sn: sn, state: 'pending' })
    return String(asked.product_revision_sn)
  }
  const [one, two] = [
    await build(platform, '涂层导丝', { pictures: [picture] }),
    await build(platform, '防缠导丝', { pictures: [picture] }),
  ]
  for (const sn of [one, two]) await release(sn)
  const [first, other] = [await change(one, { name: '改型导丝' }), await change(two, { name: '改型导丝' })]
  await validTo(-1)
  expectMessage(
    await call(platform, 'productRevision', 'review', first),
    '注册证已过期，不能通过审核：国械注准20243039002',
  )
  await validTo(900)
  await done(platform, 'productRevision', 'review', first)
  // Its maker is notified.
  const answer = "select body from message where title = '产品变更审核结果' and org_id = $1 order by id desc"
  expect((await scene.one(answer, scene.v)).body).toMatch(/^产品【涂层导丝】的变更已审核通过，随发布批次生效/)
  expectMessage(await call(platform, 'productRevision', 'review', other), '产品名称【改型导丝】已存在')
  await done(platform, 'productRevision', 'reject', other, { reason: '重名' })
  // A passed change waits for its batch: the batch names what became of the goods since, before it publishes anything.
  await build(platform, '改型导丝', { pictures: [picture] })
  const [line] = await platform.list('productReleaseLine', { product_sn: one, change_kind: 'change' })
  expectMessage(
    await call(platform, 'productRelease', 'submit', String(line.product_release_sn)),
    /^以下产品不能发布：.*涂层导丝（产品名称【改型导丝】已存在）/,
  )
  await done(platform, 'productRevision', 'reject', first, { reason: '重名' })
})

test('a product is withdrawn from a date and restored only with a valid certificate; duplicates merge', async () => {
  const [one, two] = [
    await build(platform, '导引鞘组', { pictures: [picture] }),
    await build(platform, '导引鞘套装', { pictures: [picture] }, { name: '6F' }),
  ]
  await release(one)
  await release(two)
  await done(platform, 'product', 'stop', one, { stop_on: day(5), reason: '换代' })
  expect(await platform.info('product', one)).toMatchObject({ status: 'released', withdrawn_on: day(5) })
  // A dealer who has stock uses it up; no new orders of it.
  const { dealer, shop } = scene
  await done(dealer, 'product', 'pick', one)
  const [goods] = await dealer.list('specification', { product_sn: one })
  await scene.shelve(dealer, shop, [lotOf(goods.specification_sn, 'TY1', { quantity: '2' })])
  const offered = () => dealer.list('specification', { product_sn: one, asked: 'true' })
  expect(await offered()).toHaveLength(1)
  await scene.one('update product set withdrawn_on = $2 where id = $1 returning 1', one, day())
  const { withdrawDue } = await import('#modules/trade/catalogue/release/product-release.server.ts')
  await withdrawDue(scene.server.database.owner)
  const [last] = await platform.list('productStep', { product_sn: one })
  expect(last).toMatchObject({ action: '停用', by_name: '系统' })
  const [recorded] = await platform.list('productRelease', { product_names: '导引鞘组', note: '产品停用' })
  expect(recorded).toMatchObject({ state: 'published', created_by: '系统', stop_count: 1, new_count: 0 })
  expect(await offered()).toEqual([])
  const line = { specification_sn: goods.specification_sn, quantity: '1', price: '1' }
  expectMessage(
    await attempt(dealer, 'purchaseOrder', { counterparty_sn: scene.v, warehouse_model_inner_sn: shop, lines: [line] }),
    '第1行：产品已停用：【导引鞘组】0.018in，不能下单',
  )
  const sold = { counterparty_sn: scene.h, warehouse_model_inner_sn: shop, lines: [{ ...line, lot_no: 'TY1' }] }
  const sale = await attempt(dealer, 'saleOdo', sold)
  expect(sale.code, sale.msg).toBe(0)
  expect(await platform.info('product', one)).toMatchObject({ status: 'withdrawn', withdrawn_reason: '换代' })
  await validTo(-1)
  expectMessage(await call(platform, 'product', 'resume', one), '注册证已过期，不能恢复启用')
  await validTo(900)
  await done(platform, 'product', 'resume', one)
  const merge = (into: string, ...sns: string[]) =>
    platform.client.post('/v1/business/product/merge', { target_sn: into, sns: JSON.stringify(sns) })
  expectMessage(await merge(one, one), '请勾选要并入的重复产品')
  expect((await merge(one, two)).info.said).toContain('已合并1个产品')
  expect((await platform.list('specification', { product_sn: one })).map(row => row.name)).toEqual(['0.018in', '6F'])
  expect(await platform.info('product', two)).toMatchObject({ status: 'matched', matched_name: '导引鞘组' })
  expect((await call(scene.vendor, 'product', 'resume', one)).code).toBe(403)
})

test('of forty released, thirty-four without a refusal: 85.00%; audit hours count from the last submission', async () => {
  const { v } = scene
  const maker = (
    await scene.one('select id from organisation where system_type = 3 and id <> $1 order by id desc limit 1', v)
  ).id
  await scene.server.database.owner`
    insert into product (code, name, manufacturer_id, device_class, base_unit, status, built_by_id, submitted_at,
      audited_at, issued_at, refusals, state_since)
    select 'TJ' || n, '统计' || n, ${maker}, 'I', '个', 'released', ${maker}, '2020-03-02 08:00+08',
      '2020-03-02 08:00+08'::timestamptz + make_interval(mins => case when n = 1 then 3 else 90 end),
      '2020-03-04 08:00+08', case when n <= 6 then 1 else 0 end, now()
      from generate_series(1, 40) n`
  const march = { begin_date: '2020-03-01', end_date: '2020-03-31' }
  const { list } = await platform.client.get('/v1/report/productReleaseStatus', { dimension: 'month', ...march })
  expect(list).toMatchObject([
    // (39 × 1.5 + 0.05) / 40
    {
      group_name: '2020-03',
      products: 40,
      released: 40,
      first_pass: 34,
      first_pass_rate: '0.8500',
      audit_hours: '1.46',
    },
  ])
  const seen = await scene.vendor.client.get('/v1/report/productReleaseStatus', { dimension: 'month', ...march })
  expect(seen.list).toEqual([])
})

test('a unit used in a document, or possibly used by others, keeps its ratio and cannot be removed', async () => {
  const { vendor, dealer } = scene
  const sn = await build(dealer, '单位试验导丝')
  const [size] = await dealer.list('specification', { product_sn: sn })
  const box = await dealer.add('unitTree', {
    specification_sn: size.specification_sn,
    parent_unit_inner_sn: size.specification_sn,
    name: '盒',
    measure: 10,
  })
  await done(dealer, 'unitTree', 'edit', box, { measure: 12 })
  await dealer.add('openingStock', {
    warehouse_model_inner_sn: scene.shop,
    lines: [lotOf(size.specification_sn, 'DW1', { quantity: '1', unit_inner_sn: box })],
  })
  expectMessage(await call(dealer, 'unitTree', 'edit', box, { measure: 20 }), '单位已被业务单据使用，不能修改换算率')
  expectMessage(await call(dealer, 'unitTree', 'del', box), '单位已被业务单据使用，不能删除')
  await done(dealer, 'unitTree', 'edit', box, { name: '大盒' })
  expectMessage(
    await call(dealer, 'specification', 'edit', size.specification_sn, { unit_name: '支' }),
    '单位已被业务单据使用，不能修改',
  )
  // The unit of a product that others adopted stays locked, because we cannot see whether their private documents use
  // it.
  const made = await build(vendor, '发布单位试验')
  const [one] = await vendor.list('specification', { product_sn: made })
  const pack = await vendor.add('unitTree', {
    specification_sn: one.specification_sn,
    parent_unit_inner_sn: one.specification_sn,
    name: '盒',
    measure: 5,
  })
  await scene.one("update product set status = 'released' where id = $1 returning 1", made)
  await scene.one("update specification set status = 'released' where product_id = $1 returning 1", made)
  await done(platform, 'unitTree', 'edit', pack, { measure: 6 })
  await done(dealer, 'product', 'pick', made)
  expectMessage(
    await call(platform, 'unitTree', 'edit', pack, { measure: 7 }),
    '产品已被其他机构引入，不能修改换算率，请另增一个单位',
  )
  expectMessage(await call(platform, 'unitTree', 'del', pack), '产品已被其他机构引入，单位不能删除')
  expectMessage(
    await call(platform, 'specification', 'edit', one.specification_sn, { unit_name: '支' }),
    '产品已被其他机构引入，不能修改基本单位',
  )
})
