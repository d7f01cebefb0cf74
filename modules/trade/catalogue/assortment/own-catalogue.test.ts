import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entities } from '#app/modules.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'

let server: TestServer
let platform: Client
let vendor: Client
let hospital: Client
let dealer: Client
beforeAll(async () => {
  server = await openTestServer()
  ;[platform, vendor, hospital, dealer] = await Promise.all([
    server.as('platform'),
    server.as('vendor'),
    server.as('hospital'),
    server.as('dealer'),
  ])
})
afterAll(() => server.close())

const org = (code: string) => server.masters.organisations.get(code) ?? ''
const specification = (code: string) => server.masters.specifications.get(code) ?? ''

describe('a product', () => {
  it('is created by its manufacturer, audited and released by the platform, then picked by its users', async () => {
    const body = { name: '试验导丝', manufacturer_sn: org('V01'), device_class: 'III', base_unit: '根' }
    const { sn } = (await vendor.post('/v1/business/product/add', body)).info
    expect((await vendor.post('/v1/business/product/submit', { sn, version: 1 })).msg).toBe(
      '产品【试验导丝】至少要有一个规格',
    )
    const certificate = (
      await vendor.get('/v1/business/registrationCertificate/list', { certificate_no: '国械注准20243039002' })
    ).list[0]
    const size = {
      product_sn: sn,
      name: '0.014in',
      unit_name: '根',
      registration_certificate_sn: certificate.registration_certificate_sn,
      udi_di: '06999900188885',
    }
    expect((await vendor.post('/v1/business/specification/add', { ...size, udi_di: '06999900188886' })).msg).toBe(
      'UDI-DI校验位错误',
    )
    expect((await vendor.post('/v1/business/specification/add', { ...size, udi_di: '06999900100016' })).msg).toBe(
      'UDI-DI已被产品【冠状动脉药物洗脱支架系统 2.50×15mm】使用',
    )
    expect((await vendor.post('/v1/business/specification/add', size)).code).toBe(0)
    await server.database.owner`
      update registration_certificate set attachments = '{scan.pdf}'
        where id = ${certificate.registration_certificate_sn}`
    await server.database.owner`
      update product set pictures = '{a.png}', class_code = '03', storage_condition = '常温' where id = ${sn}`
    expect((await vendor.post('/v1/business/product/submit', { sn, version: 1 })).code).toBe(0)
    expect((await vendor.post('/v1/business/product/edit', { sn, version: 2, brand: 'x' })).code).toBe(2101)
    expect((await vendor.post('/v1/business/product/review', { sn, version: 2 })).code).toBe(403)
    expect((await platform.post('/v1/business/product/review', { sn, version: 2 })).code).toBe(0)
    expect((await platform.post('/v1/business/product/issue', { sn, version: 3 })).code).toBe(0)
    const batch = (await platform.get('/v1/business/productRelease/list', { state: 'draft' })).list[0]
    const release = { sn: batch.product_release_sn }
    expect((await platform.post('/v1/business/productRelease/submit', { ...release, version: 1 })).code).toBe(0)
    expect((await platform.post('/v1/business/productRelease/review', { ...release, version: 2 })).msg).toBe(
      '制单人与复核人不能为同一人，请由平台的其他人复核',
    )
    const second = await server.as('platform2')
    expect((await second.post('/v1/business/productRelease/review', { ...release, version: 2 })).code).toBe(0)
    expect((await dealer.get('/v1/business/product/list', { name: '试验导丝' })).total).toBe(0)
    const [offered] = (await dealer.get('/v1/business/product/list', { name: '试验导丝', scope: 'released' })).list
    expect(offered).toMatchObject({ is_picked: false, status: 'released', registration_no: '国械注准20243039002' })
    // Its packages, and who added it to the catalogue.
    const released = (query: Record<string, string>) =>
      vendor.get('/v1/business/product/list', { scope: 'released', pageSize: '500', ...query })
    const packed = (await released({})).list.find((row: { packing: string | null }) => row.packing)
    expect(packed.packing).toMatch(/^1.+=\d+/)
    const built = (await released({ built_by_sn: offered.built_by_sn ?? '0' })).list
    expect(built.map((row: { product_sn: string }) => row.product_sn)).toContain(sn)
    expect((await dealer.post('/v1/business/product/pick', { sn, version: 5 })).code).toBe(0)
    expect((await dealer.get('/v1/business/product/list', { name: '试验导丝' })).total).toBe(1)
    expect((await dealer.post('/v1/business/product/pick', { sn, version: 6 })).msg).toBe('产品已在本机构目录中')
    expect((await hospital.post('/v1/business/product/pick', { sn, version: 6 })).code).toBe(0)
    expect(
      (await hospital.get('/v1/business/hospitalProduct/list', { product_name: '试验导丝' })).list[0],
    ).toMatchObject({ admission_state: 'not_admitted' })
  })

  it('cannot be created or changed by another manufacturer', async () => {
    expect(
      (
        await vendor.post('/v1/business/product/add', {
          name: 'x',
          manufacturer_sn: org('V02'),
          device_class: 'I',
          base_unit: '个',
        })
      ).msg,
    ).toBe('厂商只能建立本企业的产品')
    const released = (await vendor.get('/v1/business/product/list', { scope: 'released', name: '髋关节' })).list[0]
    expect(
      (
        await vendor.post('/v1/business/product/edit', {
          sn: released.product_sn,
          version: released.version,
          brand: 'x',
        })
      ).code,
    ).toBe(403)
  })

  it('shows each organisation its own and, on request, everything released', async () => {
    const count = async (client: Client, query: Record<string, string> = {}) =>
      (await client.get('/v1/business/product/list', query)).total
    expect(await count(vendor)).toBeLessThan(await count(vendor, { scope: 'released' }))
    expect(await count(platform)).toBeGreaterThanOrEqual(89)
    expect(await count(hospital, { scope: 'released', status: 'released' })).toBe(
      await count(dealer, { scope: 'released', status: 'released' }),
    )
  })

  it('is found by initials, code and device identifier', async () => {
    // The last is the code of a box of it.
    for (const q of ['gzdm', 'P001', '06999900100016', '冠状动脉药物', '16999900100013'])
      expect(
        (await hospital.get('/v1/business/product/list', { q })).list.map((row: { code: string }) => row.code),
      ).toContain('P001')
  })
})

describe('a specification', () => {
  it('has the caller’s own price and the row that clients read', async () => {
    const row = async (client: Client) =>
      (await client.get('/v1/business/specification/list', { q: '06999900100016' })).list[0]
    expect(await row(hospital)).toMatchObject({
      specification_sn: specification('P001-01'),
      product_name: '冠状动脉药物洗脱支架系统',
      name: '2.50×15mm',
      registration_no: '国械注准20243139001',
      unit_name: '套',
      price: '798.0000',
      tax_rate: 13,
    })
    expect([(await row(dealer)).price, (await row(vendor)).price]).toEqual(['574.5600', '574.5600'])
  })

  it('has packs that read 1箱=20盒, count in smaller units and never in a circle', async () => {
    const [mine] = (await vendor.get('/v1/business/product/list', { name: '压力连接管' })).list
    expect(mine.status).toBe('unreleased')
    const product = (
      await vendor.post('/v1/business/product/add', {
        name: '套盒试验',
        manufacturer_sn: org('V01'),
        device_class: 'I',
        base_unit: '支',
      })
    ).info.sn
    const size = (
      await vendor.post('/v1/business/specification/add', { product_sn: product, name: 'S', unit_name: '支' })
    ).info.sn
    const add = (name: string, parent: string, measure: unknown) =>
      vendor.post('/v1/business/unitTree/add', { specification_sn: size, parent_unit_inner_sn: parent, name, measure })
    const box = (await add('盒', size, 10)).info.sn
    const carton = (await add('箱', box, 20)).info.sn
    expect((await vendor.get('/v1/business/unitTree/list', { specification_sn: size })).list).toMatchObject([
      { unit_inner_sn: size, name: '支', measure: 1, base_measure: 1, parent_unit_inner_sn: null, conversion: null },
      {
        unit_inner_sn: box,
        name: '盒',
        measure: 10,
        conversion: '1盒=10支',
        base_measure: 10,
        parent_unit_inner_sn: size,
        parent_unit_name: '支',
      },
      {
        unit_inner_sn: carton,
        name: '箱',
        measure: 20,
        conversion: '1箱=20盒',
        base_measure: 200,
        parent_unit_inner_sn: box,
      },
    ])
    expect(
      (await vendor.post('/v1/business/unitTree/edit', { sn: box, version: 1, parent_unit_inner_sn: carton })).msg,
    ).toBe('单位换算不能循环')
    expect((await vendor.post('/v1/business/unitTree/edit', { sn: box, version: 1, measure: 12 })).code).toBe(0)
    expect((await vendor.get('/v1/business/unitTree/info', { sn: carton })).info.base_measure).toBe(240)
    expect((await add('个', size, 0)).code).toBe(2000)
    expect((await vendor.post('/v1/business/unitTree/del', { sn: box, version: 2 })).code).toBe(2108)
  })
})

describe('a certificate', () => {
  const body = {
    certificate_no: '国械注准20263039999',
    product_name: '试验',
    device_class: 'III',
    valid_from: '2026-01-01',
    valid_to: '2030-12-31',
  }
  const add = (more: Record<string, unknown>) =>
    vendor.post('/v1/business/registrationCertificate/add', { ...body, holder_org_sn: org('V01'), ...more })

  it('is kept by its holder under a well-formed number, unique per start date', async () => {
    expect((await add({})).code).toBe(0)
    expect((await add({})).code).toBe(2105)
    expect((await add({ valid_from: '2026-02-01' })).code).toBe(0)
    expect((await add({ certificate_no: 'ABC' })).msg).toBe('注册证号格式异常，请核对')
    expect((await add({ certificate_no: '国械注准20263039998', valid_to: '' })).msg).toBe('Ⅱ、Ⅲ类注册证须填写有效期至')
    expect((await add({ certificate_no: '国械注准20263039998', valid_to: '2025-12-31' })).msg).toBe(
      '有效期至必须晚于生效日期',
    )
    expect((await add({ holder_org_sn: org('V02') })).msg).toBe('只能维护本企业的注册证')
    expect((await add({ valid_from: '2026-02-30' })).errors[0].field).toBe('valid_from')
    const next = { certificate_no: '国械注准20263039997' }
    expect((await add({ ...next, valid_to: '2031-01-02' })).msg).toBe('注册证有效期最长5年，不能晚于2031-01-01')
    expect((await add({ ...next, valid_to: '2031-01-01' })).code).toBe(0)
    const filing = { certificate_no: '沪械备20260001', certificate_kind: 'filing', device_class: 'I' }
    expect((await add({ ...filing, valid_to: '2030-12-31' })).msg).toBe('第一类备案凭证没有有效期，请清空有效期至')
    expect((await add({ ...filing, valid_to: '' })).code).toBe(0)
    // The platform may save a number of another format after confirming.
    const odd = { ...body, certificate_no: 'ABC-1', holder_org_sn: org('V01') }
    const asked = await platform.post('/v1/business/registrationCertificate/add', odd)
    expect(asked).toMatchObject({ code: 2200, msg: '注册证号格式异常，请核对，是否仍然保存？' })
    const kept = { ...odd, confirm: asked.info.token }
    expect((await platform.post('/v1/business/registrationCertificate/add', kept)).code).toBe(0)
  })

  it('of a class outside its manufacturer’s production permit triggers a warning', async () => {
    const { owner } = server.database
    await owner`
      insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, long_term, scope)
      values (${org('V01')}, ${org('V01')}, '医疗器械生产许可证', '沪药监械生产许20260001号', '2026-01-01', true,
        '三类：03 神经和心血管手术器械，6877')`
    const unknown = { certificate_no: '国械注准20263089901', class_code: '08-01' }
    const asked = await add(unknown)
    expect(asked).toMatchObject({
      code: 2200,
      msg: '分类08不在本企业生产许可证的生产范围内，请核对，是否仍然保存？',
    })
    expect((await add({ ...unknown, class_code: '03-13' })).code).toBe(0)
    expect((await add({ ...unknown, certificate_no: '国械注准20263089902', confirm: asked.info.token })).code).toBe(
      2200,
    )
    const again = await add({ ...unknown, certificate_no: '国械注准20263089902' })
    const kept = { ...unknown, certificate_no: '国械注准20263089902', confirm: again.info.token }
    expect((await add(kept)).code).toBe(0)
  })

  it('with specifications cannot be deleted', async () => {
    const [row] = (
      await vendor.get('/v1/business/registrationCertificate/list', { certificate_no: '国械注准20243139001' })
    ).list
    expect(
      (
        await vendor.post('/v1/business/registrationCertificate/del', {
          sn: row.registration_certificate_sn,
          version: row.version,
        })
      ).msg,
    ).toBe('注册证已关联产品，不能删除')
  })
})

describe('a hospital’s catalogue', () => {
  it('keeps limits in order and public hospitals at zero mark-up, and does not edit prices', async () => {
    const [row] = (
      await hospital.get('/v1/business/hospitalProduct/list', { specification_sn: specification('P042-01') })
    ).list
    const edit = (more: Record<string, unknown>) =>
      hospital.post('/v1/business/hospitalProduct/edit', { sn: row.hospital_product_sn, version: row.version, ...more })
    expect((await edit({ minimum: '10', maximum: '5' })).msg).toBe('库存上限不能小于下限')
    expect((await edit({ markup_rate: '0.05' })).msg).toBe('公立医院耗材零差率销售')
    expect((await edit({ purchase_price: '1' })).errors[0].field).toBe('purchase_price')
    expect((await edit({ insurance_code: 'C12' })).msg).toBe('医保耗材编码格式应为C加19位数字')
    expect((await edit({ minimum: '1.2345' })).errors[0].msg).toContain('最多3位小数')
    expect((await edit({ minimum: '5', maximum: '50' })).code).toBe(0)
  })
})

describe('licences', () => {
  it('are shown in each partner’s archive with a traffic light for the days left', async () => {
    const list = async (client: Client, query: Record<string, string>) =>
      (await client.get('/v1/business/licence/list', { pageSize: '100', ...query })).list
    const [permit] = await list(hospital, { holder_sn: org('D01'), licence_type: '医疗器械经营许可证' })
    expect(permit).toMatchObject({ holder_type: '2', licence_state: 'expiring', days_left: 14 })
    expect((await list(dealer, { holder_type: 'own' })).length).toBeGreaterThan(5)
    expect(
      (await list(hospital, { holder_type: '3' })).every((row: { holder_type: string }) => row.holder_type === '3'),
    ).toBe(true)
  })

  it('are checked for dates, duplicates and ownership', async () => {
    const body = {
      holder_sn: org('D01'),
      licence_type: '质量保证协议',
      licence_no: 'ZB-1',
      valid_from: '2026-01-01',
      valid_to: '2027-01-01',
    }
    const add = (more: Record<string, unknown>) => hospital.post('/v1/business/licence/add', { ...body, ...more })
    expect((await add({})).code).toBe(0)
    expect((await add({})).msg).toContain('质量保证协议')
    expect((await add({ licence_no: 'ZB-2', valid_to: '2025-01-01' })).msg).toBe('有效期至必须晚于有效期起')
    expect((await add({ licence_no: 'ZB-2', valid_to: '' })).msg).toBe('请填写有效期至，或选择长期有效')
    expect((await add({ licence_no: 'ZB-2', valid_to: '', long_term: true })).code).toBe(0)
    // A maker's licences are filed wherever its goods come from; licences of other organisations are not.
    expect((await add({ holder_sn: org('V04'), licence_no: 'ZB-9', valid_to: '2030-01-01' })).code).toBe(0)
    expect((await add({ holder_sn: org('P01') })).msg).toBe('请选择相关机构。')
    expect((await add({ holder_sn: org('H01'), licence_type: '营业执照', licence_no: 'X' })).msg).toBe(
      '证照的统一社会信用代码与机构不一致',
    )
  })
})

describe('demo data', () => {
  /** Lists filled by documents are tested over the whole demo, in a test of their own. */
  const masters = new Set(
    (
      'organisation orgRelation department employee user role warehouse product specification ' +
      'registrationCertificate hospitalProduct dealerProduct licence'
    ).split(' '),
  )
  it('every master data page has a row for every organisation that has the page', async () => {
    const people = { P: platform, H: hospital, D: dealer, V: vendor }
    const empty: string[] = []
    for (const definition of entities.filter(entity => masters.has(entity.kind))) {
      for (const screen of definition.screens) {
        for (const letter of screen.orgs) {
          const { total } = await people[letter as keyof typeof people].get(`/v1/business/${definition.kind}/list`, {
            ...screen.where,
            pageSize: '1',
          })
          if (total === 0) empty.push(`${screen.route} ${letter}`)
        }
      }
    }
    expect(empty).toEqual([])
  })

  it('the first size of each released high-value serial product of the vendor can be traded', async () => {
    const { list } = await vendor.get('/v1/business/product/list', {
      status: 'released',
      is_high_value: 'true',
      is_unit_coded: 'true',
      pageSize: '100',
    })
    expect(list.length).toBeGreaterThan(8)
    for (const product of list) {
      const [first] = (
        await vendor.get('/v1/business/specification/list', { product_sn: product.product_sn, pageSize: '1' })
      ).list
      expect(first.registration_expiry > new Date().toISOString().slice(0, 10)).toBe(true)
      const at = (client: Client, kind: string) =>
        client.get(`/v1/business/${kind}/list`, { specification_sn: first.specification_sn })
      expect((await at(dealer, 'dealerProduct')).list).toMatchObject([{ supplier_sn: org('V01'), status: 'enabled' }])
      expect((await at(hospital, 'hospitalProduct')).list).toMatchObject([
        { supplier_sn: org('D01'), regime: 'consigned', admission_state: 'admitted', is_unit_coded: true },
      ])
    }
  })
})
