import sharp from 'sharp'
import type { PrintSheet } from '#kernel/print/print-definition.ts'
import { firstSellProductSheet, firstTierOrgSheet } from '#modules/platform/prints/sheets/quality-sheets.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { openChanges } from '#modules/trade/compliance/changed-partners.server.ts'
import { attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 首营审批: new counterparties and new goods are checked by their licences first. */
let scene: Scene
let file = ''
let other: Person
beforeAll(async () => {
  scene = await openScene()
  other = scene.dealer2
  const bytes = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#333' } })
    .png()
    .toBuffer()
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
  const reply = await scene.dealer.client.raw({
    method: 'POST',
    url: '/v1/file/upload',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')]),
  })
  file = reply.json().info.name
})
afterAll(() => scene?.close())

/** 核对经营范围: with a scope of 6846 and 6877, delivered goods of another class are listed. */
async function comparesScope(sn: string, partner: string): Promise<void> {
  const { dealer, one, d } = scene
  const compared = async () => {
    await dealer.done('firstTierOrg', 'scope', sn)
    return (await dealer.info('firstTierOrg', sn)).scope_check
  }
  expect(await compared()).toBe('本机构目录中没有该企业的产品')
  const goods = await one(
    `select e.id, e.supplier_id, p.id as product, p.class_code, p.name from dealer_product e
      join specification s on s.id = e.specification_id join product p on p.id = s.product_id
      where e.org_id = $1 and e.status = 'enabled' and p.device_class <> 'I' order by e.id limit 1`,
    d,
  )
  const stands = async (supplier: string, code: string | null) => {
    await one(
      'update dealer_product set supplier_id = $1 where id = $2 and org_id = $3 returning 1',
      supplier,
      goods.id,
      d,
    )
    await one('update product set class_code = $1 where id = $2 returning 1', code, goods.product)
  }
  await stands(partner, '08')
  expect(await compared()).toBe(`超出范围：08【${goods.name}】`)
  await stands(partner, '6877')
  expect(await compared()).toBe('目录中该企业的1个产品均在范围内')
  await stands(goods.supplier_id, goods.class_code)
}

/**
 * 带出证照: proposes the partner's licences that the platform passed and those in our archive, and nothing that we may not
 * see.
 */
async function proposesLicences(partner: string): Promise<void> {
  const { dealer, server, one, d } = scene
  const { owner } = server.database
  const sn = await dealer.add('firstTierOrg', { partner_sn: partner, apply_reason: '首次往来' })
  expectMessage(await dealer.do('firstTierOrg', 'propose', sn), '平台和本机构档案中没有该企业的有效证照，请按原件录入')
  const audit = (type: string, no: string, until: string | null, state = 'passed') => owner`
    insert into licence_audit (organisation_id, licence_id, licence_type, licence_no, issuer, valid_from, valid_to,
      scope, attachments, submitted_by, state)
    values (${partner}, 1, ${type}, ${no}, '药监局', ${day(-90)}, ${until}, '三类：6846', ${['secret.png']}, '张三', ${state})`
  await audit('医疗器械生产许可证', 'XK-OLD', day(9))
  await audit('医疗器械生产许可证', 'XK-NEW', day(900))
  await audit('营业执照', 'YY-1', null)
  await audit('医疗器械经营许可证', 'JY-GONE', day(-1))
  await audit('第二类医疗器械经营备案凭证', 'BA-WAITS', day(90), 'pending')
  const file = (org: string, no: string, state: string, grantee: string | null = null) => owner`
    insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, valid_to, audit_state, attachments,
      grantee_id)
    values (${org}, ${partner}, '授权书', ${no}, ${day(-90)}, ${day(90)}, ${state}, ${['secret.png']}, ${grantee})`
  await file(d, 'SQ-OURS', 'passed')
  await file(d, 'SQ-UNSEEN', 'pending')
  // This one authorises another organisation.
  await file(d, 'SQ-ANOTHER', 'passed', scene.h)
  // The partner's own archive, and that of another organisation, are not used.
  await file(partner, 'SQ-THEIRS', 'passed')
  await file(scene.h, 'SQ-OTHERS', 'passed')
  await dealer.done('firstTierOrg', 'edit', sn, { lines: [document('营业执照')] })
  await dealer.done('firstTierOrg', 'propose', sn)
  const proposed = await dealer.info('firstTierOrg', sn)
  expect(
    proposed.lines.map((line: Record<string, unknown>) => [line.licence_type, line.licence_no, line.valid_to]),
  ).toEqual([
    ['营业执照', 'ZZ-4', day(300)],
    ['医疗器械生产许可证', 'XK-NEW', day(900)],
    ['授权书', 'SQ-OURS', day(90)],
  ])
  expect(proposed).toMatchObject({ scope: '三类：6846', line_count: 3 })
  expect(proposed).not.toHaveProperty('total_quantity')
  expect(JSON.stringify(proposed)).not.toMatch(/secret|张三/)
  expectMessage(await dealer.do('firstTierOrg', 'propose', sn), '该企业已知的有效证照均已在明细中')
  await dealer.done('firstTierOrg', 'del', sn)
  await one(
    `with gone as (delete from licence_audit where organisation_id = $1 returning 1) delete from licence
      where holder_id = $1 and licence_no like $2 returning 1`,
    partner,
    'SQ-%',
  )
}

/** The printed document; everything its sheet requires is there. */
async function standsOn({ kinds, header, columns }: PrintSheet, who: Person, sn: string) {
  const { info } = await who.client.get(`/v1/business/${Object.keys(kinds)[0]!}/print`, { sn })
  for (const [label, name] of header) expect(Object.keys(info), label).toContain(name)
  for (const { name, label, as } of columns)
    if (as !== 'blank') expect(Object.keys(info.lines[0]), label).toContain(name)
  return info
}

const product = async (specification: string) =>
  (await scene.one('select product_id as id from specification where id = $1', specification)).id as string
const document = (licence_type: string, more: object = {}) => ({
  licence_type,
  licence_no: `ZZ-${licence_type.length}`,
  valid_from: day(-300),
  valid_to: day(300),
  scans: [file],
  ...more,
})
const file6 = () => ({
  paper_certificate: [file],
  paper_manual: [file],
  paper_label: [file],
  paper_report: [file],
  paper_authorisation: [file],
})

story('first approval, from one step to the next', step => {
  step('a partner’s licences are checked by someone other than the applicant; approved, it goes live', async () => {
    const { dealer, one, d } = scene
    const outsider = await one(
      `select id, name from organisation o where system_type = 3 and audit_state = 'passed'
      and status = 'enabled' and not exists (select 1 from org_relation r where r.org_id = $1
      and r.partner_id = o.id and r.status = 'enabled') limit 1`,
      d,
    )
    const licences = [
      '营业执照',
      '医疗器械生产许可证',
      '授权书',
      '法人授权委托书（销售人员）',
      '销售人员身份证',
      '质量保证协议',
    ].map(type => document(type))
    const body = { partner_sn: outsider.id, apply_reason: '新增供应商', lines: licences }
    expectMessage(await attempt(dealer, 'firstTierOrg', body), '缺少必备资料：开票信息/开户许可证')
    const all = [...licences, document('开票信息/开户许可证', { valid_to: null })]
    expectMessage(
      await attempt(dealer, 'firstTierOrg', { ...body, lines: all }),
      '缺少必备资料：随货同行单样式和印章样式',
    )
    const bare = all.map((line, at) => (at === 4 ? { ...line, scans: [] } : line))
    expectMessage(
      await attempt(dealer, 'firstTierOrg', { ...body, seal_samples: [file], lines: bare }),
      '第5行：【销售人员身份证】请上传证照附件，不能提交',
    )
    expectMessage(
      await attempt(dealer, 'firstTierOrg', { ...body, lines: all.filter((_, at) => at !== 4) }),
      '缺少必备资料：销售人员身份证',
    )
    const old = all.map((line, at) => (at === 1 ? { ...line, valid_to: day(-1) } : line))
    expectMessage(
      await attempt(dealer, 'firstTierOrg', { ...body, seal_samples: [file], lines: old }),
      '第2行：【医疗器械生产许可证】已过期，不能提交',
    )
    const unscoped = { ...body, seal_samples: [file], lines: all }
    expectMessage(
      await attempt(dealer, 'firstTierOrg', unscoped),
      '【医疗器械生产许可证】请填写经营/生产范围，不能提交',
    )
    const scope = '三类：6846、6877'
    expectMessage(
      await attempt(dealer, 'firstTierOrg', { ...unscoped, scope, salesperson_id_no: '123' }),
      '身份证号应为18位',
    )
    await proposesLicences(outsider.id)
    const sn = await dealer.add('firstTierOrg', { ...unscoped, scope })
    await comparesScope(sn, outsider.id)
    await dealer.done('firstTierOrg', 'visit', sn, { visited_on: day(-2), visit_result: '现场符合要求' })
    await dealer.done('firstTierOrg', 'submit', sn)
    expect(await dealer.info('firstTierOrg', sn)).toMatchObject({ partner_type: 'V', permit_no: 'ZZ-9' })
    expectMessage(
      await dealer.do('firstTierOrg', 'review', sn, { quality_opinion: '同意' }),
      '不能审批本人提交的首营申请',
    )
    expectMessage(await other.do('firstTierOrg', 'review', sn), '请填写质量意见')
    await other.done('firstTierOrg', 'review', sn, { quality_opinion: '资料齐全，同意' })
    // 首营企业审批表: everything quality decided by is on the sheet.
    const sheet = await standsOn(firstTierOrgSheet, dealer, sn)
    expect(sheet).toMatchObject({
      direction: '供应商',
      quality_opinion: '资料齐全，同意',
      visit_result: '现场符合要求',
    })
    const relations = await dealer.list('orgRelation', { status: 'enabled', pageSize: '500' })
    expect(relations.some(row => row.partner_sn === outsider.id)).toBe(true)
    const licence = await one(
      'select count(*)::int as n from licence where org_id = $1 and holder_id = $2',
      d,
      outsider.id,
    )
    expect(licence.n).toBeGreaterThanOrEqual(6)
    expectMessage(await attempt(dealer, 'firstTierOrg', { ...unscoped, scope }), '该企业已通过首营审批')
  })

  step(
    'a new name, address, legal representative or scope needs approval; until then the old one applies',
    async () => {
      const { dealer, d, one, server } = scene
      const { owner } = server.database
      const begun = async () => (await dealer.list('firstTierOrg', { state: 'draft' })).filter(row => row.change_note)
      const [{ sn, partner_sn }] = await dealer.list('firstTierOrg', { state: 'reviewed' })
      await openChanges(owner)
      expect(await begun()).toEqual([])
      const { legal_person: before } = await one('select legal_person from organisation where id = $1', partner_sn)
      await one("update organisation set legal_person = '新法人' where id = $1 returning 1", partner_sn)
      await openChanges(owner)
      await openChanges(owner)
      const drafts = await begun()
      expect(drafts).toMatchObject([{ partner_sn, change_note: `法定代表人：${before || '空'} → 新法人` }])
      const change = drafts[0].sn
      expect((await dealer.info('firstTierOrg', change)).lines.length).toBeGreaterThan(5)
      expect(
        await one("select count(*)::int as n from message where org_id = $1 and title like '合作方资料变更%'", d),
      ).toEqual({ n: 1 })
      expect((await dealer.info('firstTierOrg', sn)).state).toBe('reviewed')
      await dealer.done('firstTierOrg', 'submit', change)
      await other.done('firstTierOrg', 'review', change, { quality_opinion: '变更属实，同意' })
      await openChanges(owner)
      expect(await begun()).toEqual([])
      // If the draft is discarded, the same change creates no second one.
      await one("update organisation set address = '新址1号' where id = $1 returning 1", partner_sn)
      await openChanges(owner)
      const [thrown] = await begun()
      await dealer.done('firstTierOrg', 'del', thrown.sn)
      await openChanges(owner)
      expect(await begun()).toEqual([])
      // A change that the platform makes in a partner's file opens the approval at once.
      const platform = await scene.person('platform')
      const file = await platform.info('organisation', partner_sn)
      const edited = await platform.client.post('/v1/business/organisation/edit', {
        sn: partner_sn,
        version: file.version,
        legal_person: '再新法人',
      })
      expect(edited.code, edited.msg).toBe(0)
      const [opened] = await begun()
      expect(opened?.change_note).toContain('→ 再新法人')
      await dealer.done('firstTierOrg', 'del', opened.sn)
    },
  )

  /**
   * 带出资料: the sizes under its certificate, the catalogue data and the published scan, which the organisation then
   * completes.
   */
  async function switchFirstApproval(value: string, title = '首营审批控制'): Promise<void> {
    const platform = await scene.person('platform')
    const [row] = await platform.list('orgBusinessConfig', { holder_sn: scene.d, title })
    const reply = await platform.client.post('/v1/business/orgBusinessConfig/edit', {
      sn: row.config_sn,
      version: row.version,
      value,
    })
    expect(reply.code, reply.msg).toBe(0)
  }

  step(
    'a product is checked by its documents; approved, it is in the catalogue; else no order or receipt',
    async () => {
      proves('purchasing.productApproved')
      const { dealer, shop, inflator, one, stent, d, v } = scene
      await switchFirstApproval('拦截')
      const order = (specification: string) => ({
        counterparty_sn: v,
        warehouse_model_inner_sn: shop,
        lines: [{ specification_sn: specification, quantity: '1' }],
      })
      const maker = (await scene.one('select name from organisation where id = $1', v)).name
      expectMessage(await attempt(dealer, 'purchaseOrder', order(inflator)), `【${maker}】未通过首营审批`)
      const lines = [
        '营业执照',
        '医疗器械生产许可证',
        '授权书',
        '法人授权委托书（销售人员）',
        '销售人员身份证',
        '质量保证协议',
        '开票信息/开户许可证',
      ].map(type => document(type))
      const partner = await dealer.add('firstTierOrg', {
        partner_sn: v,
        apply_reason: '补办',
        scope: '三类：6846',
        seal_samples: [file],
        lines,
      })
      await dealer.done('firstTierOrg', 'submit', partner)
      await other.done('firstTierOrg', 'review', partner, { quality_opinion: '同意' })
      expectMessage(
        await attempt(dealer, 'purchaseOrder', order(inflator)),
        '产品【一次性使用球囊充压装置】未通过首营审批，不能下单',
      )
      const grn = { ...order(inflator), lines: [lotOf(inflator, 'SY1', { quantity: '1' })] }
      expectMessage(await attempt(dealer, 'purchaseGrn', grn), '产品【一次性使用球囊充压装置】未通过首营审批，不能入库')

      await scene.one('delete from dealer_product where org_id = $1 and specification_id = $2 returning 1', d, inflator)
      const body = {
        product_sn: await product(inflator),
        counterparty_sn: v,
        apply_reason: '临床需要',
        lines: [{ specification_sn: inflator, reference_cost: '120', reference_price: '145' }],
      }
      expectMessage(
        await attempt(dealer, 'firstSellProduct', body),
        '缺少必备资料：注册证/备案凭证、说明书、标签样张、检验报告',
      )
      await proposed(await product(stent))
      const stray = { ...body, ...file6(), lines: [{ specification_sn: stent }] }
      expectMessage(await attempt(dealer, 'firstSellProduct', stray), '第1行：规格型号不属于所选产品')
      const sn = await dealer.add('firstSellProduct', { ...body, ...file6() })
      await dealer.done('firstSellProduct', 'submit', sn)
      expect((await dealer.info('firstSellProduct', sn)).certificate_no).toBeTruthy()
      await other.done('firstSellProduct', 'reject', sn, { reason: '检验报告不清' })
      await dealer.done('firstSellProduct', 'submit', sn)
      await other.done('firstSellProduct', 'review', sn, { quality_opinion: '同意' })
      expect(await standsOn(firstSellProductSheet, dealer, sn)).toMatchObject({
        product_name: expect.stringMatching(/./),
        quality_opinion: '同意',
      })
      const [listed] = await dealer.list('firstSellProduct', { sn })
      expect(listed).toMatchObject({ quality_opinion: '同意', quality_reviewer: listed.reviewed_by_name })
      expect(listed.quality_reviewer).toBeTruthy()
      expect(await dealer.list('dealerProduct', { q: 'P009-01' })).toMatchObject([{ purchase_price: '120.0000' }])
      expectMessage(await attempt(dealer, 'firstSellProduct', { ...body, ...file6() }), '该产品已通过首营审批')
      // The approval is valid for this supplier only; another supplier needs a new approval.
      const [traded] = await dealer.list('dealerProduct', { q: 'P009-01' })
      expect(traded).toMatchObject({ admission_no: sn })
      const edit = (more: object) =>
        dealer.client.post('/v1/business/dealerProduct/edit', {
          sn: traded.dealer_product_sn,
          version: traded.version,
          ...more,
        })
      const elsewhere = await scene.org('D02')
      expectMessage(await edit({ supplier_sn: elsewhere }), /^供应商由首营品种审批核定，不能直接修改/)
      expect((await edit({ remark: '常备' })).msg).toBe('')
      await one(
        `insert into org_relation (org_id, partner_id, relation) values ($1, $2, 'DD')
          on conflict (org_id, partner_id, relation) do update set status = 'enabled' returning 1`,
        scene.d,
        elsewhere,
      )
      const anew = await attempt(dealer, 'firstSellProduct', { ...body, ...file6(), counterparty_sn: elsewhere })
      expect(anew.msg).not.toBe('该产品已通过首营审批')
      expect((await attempt(dealer, 'purchaseOrder', order(inflator))).code).toBe(0)
      await switchFirstApproval('仅警告')
      const asked = await dealer.add('purchaseOrder', order(stent))
      const { version } = await dealer.info('purchaseOrder', asked)
      const reply = await dealer.client.post('/v1/business/purchaseOrder/submit', { sn: asked, version })
      expect(reply).toMatchObject({ code: 2200, info: { questions: [{ rule: 'firstApproval' }] } })
      await switchFirstApproval('关闭')
    },
  )

  step('if the organisation requires it, goods ship only to customers whose licences were checked', async () => {
    proves('sales.customerApproved')
    const { dealer, shop, inflator, h } = scene
    const title = '客户首营审批控制'
    await scene.shelve(dealer, shop, [lotOf(inflator, 'SY8', { quantity: '5' })])
    const { name } = await scene.one('select name from organisation where id = $1', h)
    const line = { specification_sn: inflator, lot_no: 'SY8', quantity: '1' }
    const sale = {
      counterparty_sn: h,
      warehouse_model_inner_sn: shop,
      regime: 'purchased',
      lines: [{ ...line, price: '113', tax_rate: 13 }],
    }
    const gift = { counterparty_sn: h, warehouse_model_inner_sn: shop, give_type: 'trial', lines: [line] }
    await switchFirstApproval('拦截', title)
    expectMessage(await attempt(dealer, 'saleOdo', sale), `【${name}】未通过首营审批`)
    expectMessage(await attempt(dealer, 'giveOdo', gift), `【${name}】未通过首营审批`)
    await switchFirstApproval('仅警告', title)
    const asked = await dealer.add('saleOdo', sale)
    const { version } = await dealer.info('saleOdo', asked)
    expect(await dealer.client.post('/v1/business/saleOdo/submit', { sn: asked, version })).toMatchObject({
      code: 2200,
      info: { questions: [{ rule: 'firstApproval', msg: `【${name}】未通过首营审批，是否继续？` }] },
    })
    await switchFirstApproval('拦截', title)
    const approval = { partner_sn: h, direction: 'customer', apply_reason: '首次供货' }
    expectMessage(
      await attempt(dealer, 'firstTierOrg', { ...approval, lines: [document('营业执照')] }),
      /^缺少必备资料：.*医疗机构执业许可证/,
    )
    const lines = [document('营业执照'), document('医疗机构执业许可证')]
    const sn = await dealer.add('firstTierOrg', { ...approval, scope: '诊疗科目：心血管内科', lines })
    await dealer.done('firstTierOrg', 'submit', sn)
    await other.done('firstTierOrg', 'review', sn, { quality_opinion: '资料齐全，同意' })
    await dealer.done('saleOdo', 'submit', asked)
    await switchFirstApproval('关闭', title)
  })

  step('a product is under close monitoring in its first year in the organisation, and normal afterwards', async () => {
    const { dealer, shop, inflator, one, d } = scene
    await one(
      'update product set is_sterile = false, is_implant = false, is_cold_chain = false where id = $1 returning 1',
      await product(inflator),
    )
    await scene.shelve(dealer, shop, [lotOf(inflator, 'SY9', { quantity: '3' })])
    const plan = async (check_type: string) => {
      const body = { warehouse_model_inner_sn: shop, check_type }
      const { code, info } = await dealer.client.post('/v1/business/storageCheck/generatePlan', body)
      if (code !== 0) return []
      return (await dealer.info('storageCheck', info.sn)).lines.map((line: { lot_no: string }) => line.lot_no)
    }
    expect(await plan('key')).toContain('SY9')
    expect(await plan('normal')).not.toContain('SY9')
    await one(
      `update document set reviewed_at = reviewed_at - interval '13 months' where org_id = $1
      and kind = 'firstSellProduct' and state = 'reviewed' returning 1`,
      d,
    )
    expect(await plan('normal')).toContain('SY9')
  })

  step('a product with an expired certificate or a class outside the licence cannot even be submitted', async () => {
    const { dealer, one, d, v, stent } = scene
    const body = {
      product_sn: await product(stent),
      counterparty_sn: v,
      apply_reason: '临床需要',
      ...file6(),
      lines: [{ specification_sn: stent }],
    }
    const certificate = await one(
      `select c.id, c.valid_to::text as until from specification s
      join registration_certificate c on c.id = s.registration_certificate_id where s.id = $1`,
      stent,
    )
    const until = (day: string) =>
      one('update registration_certificate set valid_to = $2 where id = $1 returning 1', certificate.id, day)
    await until(day(-1))
    expectMessage(await attempt(dealer, 'firstSellProduct', body), '注册证已过期，不能提交首营审批')
    await until(certificate.until)
    const permits = "licence_type = any(array['医疗器械经营许可证', '第二类医疗器械经营备案凭证'])"
    const scoped = (scope: string) =>
      one(`update licence set scope = $2 where org_id = $1 and holder_id = $1 and ${permits} returning 1`, d, scope)
    await scoped('三类：2017年目录：22')
    expectMessage(await attempt(dealer, 'firstSellProduct', body), '产品分类超出本企业经营范围')
    await scoped('三类：2017年目录：02,03,10,13,14,22')
    expect((await attempt(dealer, 'firstSellProduct', body)).msg).toBe('')
  })
})

/**
 * 带出资料: the sizes under its certificate, the catalogue facts and the published scan, which the organisation then
 * completes.
 */
async function proposed(product_sn: string): Promise<void> {
  const { dealer, stent } = scene
  const certificate = await scene.one(
    `update registration_certificate set attachments = array['published-scan-0000000.pdf']
      where id = (select registration_certificate_id from specification where id = $1)
      returning id, certificate_no, valid_to::text as valid_to`,
    stent,
  )
  const sn = await dealer.add('firstSellProduct', { product_sn, apply_reason: '临床需要', lines: [] })
  await dealer.done('firstSellProduct', 'propose', sn)
  const document = await dealer.info('firstSellProduct', sn)
  expect(document).toMatchObject({
    certificate_no: certificate.certificate_no,
    certificate_valid_to: certificate.valid_to,
    paper_certificate: ['published-scan-0000000.pdf'],
    device_class: 'III',
    manufacturer_name: expect.stringMatching(/./),
  })
  const sizes = await scene.one(
    "select count(*)::int as n from specification where registration_certificate_id = $1 and status = 'released'",
    certificate.id,
  )
  expect(document.lines.length).toBe(sizes.n)
  await dealer.done('firstSellProduct', 'propose', sn)
  expect((await dealer.info('firstSellProduct', sn)).lines.length).toBe(sizes.n)
  expectMessage(await dealer.do('firstSellProduct', 'submit', sn), '缺少必备资料：说明书、标签样张、检验报告、授权书')
  await dealer.done('firstSellProduct', 'del', sn)
}
