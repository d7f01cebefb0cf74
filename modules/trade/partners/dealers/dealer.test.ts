import { parseInteger } from '#kernel/values/integer.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { firstPassword } from '#tests/support/outbox.ts'
import { setRule } from '#tests/support/rules.ts'
import { story } from '#tests/support/steps.ts'
import { addDays, type Day } from '#kernel/values/date.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/** 经销商管理, 相关机构管理, 机构关系审核 and 机构管理: every rule of their pages. */
let server: TestServer
let vendor: Client
let dealer: Client
let platform: Client
beforeAll(async () => {
  server = await openTestServer()
  ;[vendor, dealer, platform] = [await server.as('vendor'), await server.as('dealer'), await server.as('platform')]
})
afterAll(() => server.close())

const org = (code: string) => server.masters.organisations.get(code) ?? ''
const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`
const find = async (client: Client, kind: string, query: Record<string, string>) =>
  (await client.get(path(kind, 'list'), { pageSize: '100', ...query })).list
const act = (client: Client, kind: string, action: string, row: Record<string, string>, more = {}) =>
  client.post(path(kind, action), {
    sn: row[`${kind === 'orgRelation' ? 'relation' : kind}_sn`],
    version: row.version,
    ...more,
  })
const product = async (maker: string) =>
  (
    await server.database.owner<
      { id: string }[]
    >`select id from product where manufacturer_id = ${org(maker)} order by id limit 1`
  )[0]!.id

story('the dealers of a manufacturer, what they may sell, and the register of organisations', step => {
  // the dealers of a manufacturer and what they may sell
  step('are its relations of that kind only; a dealer manages its own', async () => {
    const names = (await find(vendor, 'dealer', {})).map(row => [row.relation, row.partner_code])
    expect(names).toContainEqual(['DV', 'D01'])
    expect(names.every(([relation]) => relation === 'DV')).toBe(true)
    expect((await find(dealer, 'dealer', {})).map(row => row.relation)).toEqual(['DD'])
    expect(await find(await server.as('hospital'), 'dealer', {})).toEqual([])
  })

  step('are requested first and live once they agreed', async () => {
    const asked = await vendor.post(path('dealer', 'add'), {
      partner_sn: org('D03'),
      credit_limit: '100000.00',
      sales_area: '苏南',
    })
    expect(asked.code, asked.msg).toBe(0)
    expect((await vendor.get(path('dealer', 'info'), { sn: asked.info.sn })).info).toMatchObject({
      status: 'pending',
      relation: 'DV',
    })
    expect((await vendor.post(path('dealer', 'add'), { partner_sn: org('D03') })).code).not.toBe(0)
    expect((await vendor.post(path('dealer', 'add'), { partner_sn: '999999' })).msg).toBe(
      '被编辑过的相关机构名称不存在。',
    )
    const messages = await server.database.owner`select body from message where org_id = ${org('D03')}`
    expect(messages.map(row => row.body)).toContainEqual(expect.stringContaining('申请与贵机构建立关系'))
  })

  step('have a credit used up by receivables and reviewed unshipped orders', async () => {
    const sql = server.database.owner
    await sql`insert into account_balance (org_id, counterparty_id, account, amount)
      values (${org('V01')}, ${org('D01')}, 'receivable_invoiced', 70000)`
    const [licence] = await sql`
      insert into document (org_id, kind, sn, from_org_id, state, business_date, counterparty_id, taxed_amount)
      values (${org('V01')}, 'salesOrder', 'XSC1', ${org('V01')}, 'reviewed', current_date, ${org('D01')}, 40000)
        returning id`
    await sql`insert into document_line (org_id, document_id, line_no, quantity, base_quantity, taxed_amount)
      values (${org('V01')}, ${licence!.id}, 1, 4, 4, 40000)`
    await sql`insert into line_progress (org_id, document_id, line_no, purpose, taken)
      values (${org('V01')}, ${licence!.id}, 1, 'ship', 2)`
    const [row] = await find(vendor, 'dealer', { partner_name: '栎舟' })
    await vendor.post(path('dealer', 'edit'), { sn: row.dealer_sn, version: row.version, credit_limit: '100000.00' })
    const [after] = await find(vendor, 'dealer', { partner_name: '栎舟' })
    expect(after).toMatchObject({ credit_limit: '100000.00', credit_used: '90000.00', credit_free: '10000.00' })
  })

  step('get a warning for an order beyond credit, or a refusal if the organisation requires it', async () => {
    proves('sales.creditLimit')
    const sql = server.database.owner
    const [goods] = await sql<{ id: string }[]>`
      select s.id from specification s join product p on p.id = s.product_id
        join registration_certificate c on c.id = s.registration_certificate_id
          and (c.valid_to is null or c.valid_to > current_date)
       where p.manufacturer_id = ${org('V01')} and p.status = 'released' and s.status = 'released' order by s.id
         limit 1`
    const draft = async (price: string) => {
      const { info } = await vendor.post(path('salesOrder', 'add'), {
        counterparty_sn: org('D01'),
        lines: [{ specification_sn: goods!.id, quantity: '1', price }],
      })
      return info
    }
    const order = async (price: string) => {
      const info = await draft(price)
      const submitted = await vendor.post(path('salesOrder', 'submit'), info)
      expect(submitted.code, submitted.msg).toBe(0)
      return { sn: submitted.info.sn, version: submitted.info.version }
    }
    expect((await vendor.post(path('salesOrder', 'review'), await order('9000'))).code).toBe(0)
    const beyond = await order('1500.00')
    const asked = await vendor.post(path('salesOrder', 'review'), beyond)
    const short = '客户信用额度不足：可用1,000.00元，本单1,500.00元'
    expect(asked).toMatchObject({ code: 2200, info: { questions: [{ rule: 'credit', msg: short }] } })
    const undo = await setRule(sql, org('V01'), 'credit_check', 'refuse')
    expect(await vendor.post(path('salesOrder', 'review'), beyond)).toMatchObject({
      code: 2110,
      msg: short,
    })
    expect(await vendor.post(path('salesOrder', 'submit'), await draft('1500.00'))).toMatchObject({ msg: short })
    await undo()
    const confirm = asked.info.token
    expect((await vendor.post(path('salesOrder', 'review'), { ...beyond, confirm })).code).toBe(0)
  })

  step('end with a reason: no new documents, open ones are finished; and can be resumed', async () => {
    const [row] = await find(vendor, 'dealer', { partner_name: '栎舟' })
    expect((await act(vendor, 'dealer', 'stop', row)).msg).toBe('请填写终止原因')
    expect((await act(vendor, 'dealer', 'stop', row, { reason: '区域调整' })).code).toBe(0)
    const order = { counterparty_sn: org('V01'), lines: [] }
    const refused = await dealer.post(path('purchaseOrder', 'add'), order)
    expect(refused.msg).toMatch(/^与【.*】的合作已终止$/)
    const [theirs] = await find(dealer, 'orgRelation', { name: '澜屿' })
    expect(theirs).toMatchObject({ status: 'ended', opinion: '区域调整' })
    const [ended] = await find(vendor, 'dealer', { partner_name: '栎舟' })
    expect(ended).toMatchObject({ status: 'ended', end_reason: '区域调整' })
    expect((await act(vendor, 'dealer', 'resume', ended)).code).toBe(0)
    expect((await find(dealer, 'orgRelation', { name: '澜屿' }))[0].status).toBe('enabled')
    // Their sales authorisations ended with it and are granted again.
    const stopped = await find(vendor, 'dealerAuthorisation', { dealer_sn: row.dealer_sn })
    expect(stopped.length).toBeGreaterThan(0)
    for (const { authorisation_sn, version, status } of stopped) {
      expect(status).toBe('disabled')
      await vendor.post(path('dealerAuthorisation', 'enable'), { sn: authorisation_sn, version })
    }
  })

  step('with business cannot be deleted', async () => {
    const [row] = await find(vendor, 'dealer', { partner_name: '栎舟' })
    expect((await act(vendor, 'dealer', 'del', row)).msg).toBe('存在业务往来，不能删除')
  })

  const give = async (client: Client, to: string, more: Record<string, unknown>) => {
    const rows = await find(client, 'dealer', {})
    return client.post(path('dealerAuthorisation', 'add'), {
      dealer_sn: rows.find(row => row.partner_code === to)?.dealer_sn,
      authorisation_no: 'SQ-1',
      valid_from: day(-200),
      valid_to: day(40),
      ...more,
    })
  }

  step('is granted by us', async () => {
    expect((await give(vendor, 'D01', { product_sn: await product('V02') })).msg).toBe('授权范围超出上级授权')
    expect((await give(dealer, 'D02', { product_sn: await product('V04') })).msg).toBe('授权范围超出上级授权')
    const [given] = await server.database.owner<{ product: string; until: string }[]>`
      select s.product_id as product, r.valid_to as until from dealer_product p
        join specification s on s.id = p.specification_id
        join org_relation r on r.org_id = p.org_id and r.partner_id = p.supplier_id and r.status = 'enabled'
          and r.relation = 'DV'
       where p.org_id = ${org('D01')} and r.valid_from <= current_date and r.valid_to > current_date order by p.id
         limit 1`
    const days = { product_sn: given!.product, valid_from: day(), valid_to: given!.until }
    expect((await give(dealer, 'D02', { ...days, valid_to: addDays(given!.until as Day, 1) })).msg).toBe(
      '授权范围超出上级授权',
    )
    expect((await give(dealer, 'D02', days)).code).toBe(0)
  })

  step('is exclusive to one dealer for a hospital and period', async () => {
    const product_sn = await product('V01')
    const first = await give(vendor, 'D01', { product_sn, hospital_sn: org('H01'), is_exclusive: true })
    expect(first.code, first.msg).toBe(0)
    const [d03] = await find(vendor, 'dealer', { partner_name: '' })
    expect(d03).toBeDefined()
    const rival = await give(vendor, 'D03', { product_sn, hospital_sn: org('H01') })
    expect(rival.msg).toMatch(/^【澄岚.*】该产品已独家授权给【.*栎舟.*】$/)
    expect((await give(vendor, 'D03', { product_sn })).code).not.toBe(0)
    expect((await give(vendor, 'D03', { product_sn, hospital_sn: org('H02') })).code).toBe(0)
    expect(
      (
        await give(vendor, 'D03', {
          product_sn,
          hospital_sn: org('H01'),
          valid_from: day(50),
          valid_to: day(90),
        })
      ).code,
    ).toBe(0)
    expect((await give(vendor, 'D03', { product_sn, hospital_sn: org('D02') })).msg).toBe('授权医院应为医院')
    const [row] = await find(vendor, 'dealer', { partner_name: '栎舟' })
    expect(row).toMatchObject({ product_count: 2, hospital_count: 1 })
    expect(
      await find(vendor, 'dealer', { product_names: row.product_names, hospital_names: row.hospital_names }),
    ).toHaveLength(1)
    expect(await find(vendor, 'dealer', { product_names: '没有这种产品' })).toEqual([])
  })

  step('is granted for several hospitals at once; price level and credit have their own dialogs', async () => {
    const dealerOf = async () => (await find(vendor, 'dealer', { partner_name: '栎舟' }))[0]
    expect((await act(vendor, 'dealer', 'price', await dealerOf(), { price_level: 'B' })).code).toBe(0)
    expect((await act(vendor, 'dealer', 'credit', await dealerOf(), { credit_limit: '-1' })).code).toBe(2000)
    expect((await act(vendor, 'dealer', 'credit', await dealerOf(), { credit_limit: '8000.00' })).code).toBe(0)
    expect(await dealerOf()).toMatchObject({ price_level: 'B', credit_limit: '8000.00' })
    expect((await act(vendor, 'dealer', 'credit', await dealerOf(), { credit_limit: '' })).code).toBe(0)
    expect((await dealerOf()).credit_limit).toBeNull()
    const asked = {
      hospitals: JSON.stringify([org('H01'), org('H02')]),
      products: JSON.stringify([await product('V01')]),
      authorisation_no: 'SQ-院',
      valid_from: day(0),
      valid_to: day(30),
    }
    expect(
      (await act(vendor, 'dealer', 'hospital', await dealerOf(), { ...asked, hospitals: '[]' })).errors[0].msg,
    ).toBe('请填写授权医院')
    const foreign = JSON.stringify([await product('V02')])
    expect((await act(vendor, 'dealer', 'hospital', await dealerOf(), { ...asked, products: foreign })).msg).toBe(
      '授权范围超出上级授权',
    )
    const before = (await dealerOf()).hospital_count
    const done = await act(vendor, 'dealer', 'hospital', await dealerOf(), asked)
    expect(done.code, done.msg).toBe(0)
    const given = await find(vendor, 'dealerAuthorisation', { authorisation_no: 'SQ-院' })
    expect(given.map(one => one.hospital_sn).sort()).toEqual([org('H01'), org('H02')].sort())
    expect((await dealerOf()).hospital_count).toBeGreaterThanOrEqual(Math.max(2, before))
    expect((await find(dealer, 'heldAuthorisation', { authorisation_no: 'SQ-院' })).length).toBe(2)
  })

  // the address book
  step('shows where a partner is, its licences as filed here, and whether it uses the system', async () => {
    const rows = await find(dealer, 'orgRelation', { status: 'enabled' })
    expect(rows.find(row => row.partner_code === 'H01')).toMatchObject({
      division_name: '江苏省苏州市吴中区',
      partner_state: 'joined',
      licence_state: expect.stringMatching(/valid|expiring|expired|missing/),
    })
  })

  step('refuses new documents with a stopped partner, with a message', async () => {
    const [row] = await find(dealer, 'orgRelation', { name: '澜屿', relation: 'DV' })
    expect((await act(dealer, 'orgRelation', 'disable', row)).code).toBe(0)
    const reply = await dealer.post(path('purchaseOrder', 'add'), { counterparty_sn: org('V01'), lines: [] })
    expect(reply.msg).toMatch(/^相关机构【.*】已停用$/)
    const [again] = await find(dealer, 'orgRelation', { name: '澜屿', relation: 'DV' })
    expect((await act(dealer, 'orgRelation', 'enable', again)).code).toBe(0)
  })

  // partner data
  step('has a dialog for invoice and bank data, and the state of its first approval', async () => {
    const supplier = async () => (await find(dealer, 'orgRelation', { name: '澜屿', relation: 'DV' }))[0]
    const bad = { tax_no: '12', bank_name: '工行', bank_account: '' }
    expect((await act(dealer, 'orgRelation', 'bank', await supplier(), bad)).errors[0].msg).toBe(
      '税号应为15至20位字母或数字',
    )
    const good = { invoice_title: '澜屿', tax_no: '91310000MA1ABCDE0X', bank_name: '工行', bank_account: '6222 0000' }
    expect((await act(dealer, 'orgRelation', 'bank', await supplier(), good)).code).toBe(0)
    expect(await supplier()).toMatchObject({ ...good, first_state: 'none' })
    const added = await dealer.post(path('firstTierOrg', 'add'), { partner_sn: org('V01'), lines: [] })
    expect(added.code, added.msg).toBe(0)
    expect((await supplier()).first_state).toBe('none')
    const stands = (state: string) =>
      server.database.owner`update document set state = ${state} where sn = ${added.info.sn} and org_id = ${org('D01')}`
    await stands('submitted')
    expect((await supplier()).first_state).toBe('waiting')
    await stands('reviewed')
    expect((await supplier()).first_state).toBe('passed')
    expect((await find(dealer, 'orgRelation', { first_state: 'passed' })).map(row => row.partner_sn)).toContain(
      org('V01'),
    )
  })

  step('the platform keeps licences of each organisation apart from its own archive', async () => {
    const licence = { holder_sn: org('D03'), licence_type: '营业执照', licence_no: 'X-1', valid_from: day(-10) }
    expect((await platform.post(path('organisationLicence', 'add'), licence)).msg).toBe(
      '请填写有效期至，或选择长期有效',
    )
    const added = await platform.post(path('organisationLicence', 'add'), { ...licence, valid_to: day(-1) })
    expect(added.code, added.msg).toBe(0)
    const [row] = await find(platform, 'organisation', { code: 'D03' })
    expect(row.licence_state).toBe('expired')
    expect(await find(dealer, 'organisationLicence', {})).toEqual([])
    expect((await dealer.post(path('organisationLicence', 'add'), licence)).code).toBe(403)
  })

  // an application for a relation
  step('can come again after a refusal, and starts for both on the day it is approved', async () => {
    const asker = await server.as('vendor2', 'Spd@2026')
    await server.database
      .owner`delete from org_relation where relation = 'HV' and ${org('V01')} in (org_id, partner_id)`
    const hospital = await server.as('hospital')
    const ask = () =>
      asker.post(path('orgRelation', 'add'), { partner_sn: org('H01'), relation: 'HV', apply_note: '直供' })
    expect((await ask()).code).toBe(0)
    expect((await ask()).msg).toMatch(/已存在/)
    const incoming = async () => (await find(hospital, 'orgRelation', { direction: 'incoming', name: '澜屿' }))[0]
    expect(await incoming()).toMatchObject({ apply_note: '直供', status: 'pending' })
    expect((await act(hospital, 'orgRelation', 'reject', await incoming())).msg).toBe('请填写未通过原因')
    expect((await act(hospital, 'orgRelation', 'reject', await incoming(), { reason: '资料不全' })).code).toBe(0)
    expect((await find(asker, 'orgRelation', { direction: 'outgoing', name: '澄岚' }))[0]).toMatchObject({
      status: 'refused',
      opinion: '资料不全',
    })
    const again = await ask()
    expect(again.code, again.msg).toBe(0)
    expect((await act(hospital, 'orgRelation', 'review', await incoming())).code).toBe(0)
    const both = await server.database.owner<{ valid_from: string; status: string }[]>`
      select valid_from, status from org_relation where relation = 'HV' and ${org('V01')} in (org_id, partner_id)
        and ${org('H01')} in (org_id, partner_id)`
    expect(both.map(row => row.status)).toEqual(['enabled', 'enabled'])
    expect(new Set(both.map(row => row.valid_from)).size).toBe(1)
    expect((await incoming()).decided_by).toBeTruthy()
  })

  step('of an organisation with expired licences is not approved', async () => {
    const hospital = await server.as('hospital')
    const [row] = await find(hospital, 'orgRelation', { direction: 'incoming', status: 'pending' })
    await server.database.owner`
      insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, valid_to)
      values (${org('H01')}, ${row.partner_sn}, '医疗器械生产许可证', 'OLD-1', '2020-01-01', '2021-01-01')`
    await server.database.owner`delete from licence where org_id = ${org('H01')} and holder_id = ${row.partner_sn}
        and licence_no <> 'OLD-1'`
    expect(await act(hospital, 'orgRelation', 'review', row)).toMatchObject({
      code: 2104,
      msg: '申请机构【医疗器械生产许可证】已过期',
    })
    expect((await find(hospital, 'orgRelation', { direction: 'incoming', status: 'pending' }))[0]).toMatchObject({
      permit_no: 'OLD-1',
      licence_state: 'expired',
    })
  })

  // the register of organisations
  const row = async (name: string) => (await find(platform, 'organisation', { q: name }))[0]
  const on = async (action: string, name: string, more = {}) => {
    const { org_sn, version } = await row(name)
    return platform.post(path('organisation', action), { sn: org_sn, version, ...more })
  }

  step('shows who trades with whom; the terms are private, and no one else reads it', async () => {
    const theirs = await find(platform, 'tradeRelation', { org_sn: org('D01') })
    expect(theirs.length).toBeGreaterThan(2)
    expect(theirs.every(one => one.org_sn === org('D01') && parseInteger(one.org_type) === 2)).toBe(true)
    const [hospital] = theirs.filter(one => one.partner_sn === org('H01'))
    expect(hospital).toMatchObject({ relation: 'DH', status: 'enabled' })
    expect(Object.keys(hospital)).not.toEqual(expect.arrayContaining(['credit_limit']))
    expect((await dealer.get(path('tradeRelation', 'list'))).total).toBe(0)
    const [counted] = await find(platform, 'organisation', { q: '栎舟' })
    const live = theirs.filter(one => one.status === 'enabled').map(one => one.partner_sn)
    expect(new Set(live).size).toBe(counted.partner_count)
  })

  step('stops one with a reason: users signed out, no new documents naming it', async () => {
    expect((await on('disable', '栎舟')).msg).toBe('请填写停用原因')
    expect((await on('disable', '栎舟', { reason: '许可证吊销' })).code).toBe(0)
    expect((await dealer.get('/v1/user/user_info')).status).toBe(401)
    const hospital = await server.as('hospital')
    const reply = await hospital.post(path('purchaseOrder', 'add'), { counterparty_sn: org('D01'), lines: [] })
    expect(reply.msg).toContain('机构已停用，不能新增业务单据')
    const [log] = await server.database.owner<{ after: { reason: string } }[]>`
      select after from operation_log where subject = 'organisation' and action = 'disable' order by id desc limit 1`
    expect(log?.after.reason).toBe('许可证吊销')
    expect((await on('enable', '栎舟')).code).toBe(0)
  })

  step('resets an administrator’s password: the next one is sent to his phone', async () => {
    const [admin] = await server.database.owner<{ login: string; phone: string }[]>`
      select login, phone from app_user where org_id = ${org('D01')} and is_administrator order by id limit 1`
    expect((await on('resetPwd', '栎舟')).code).toBe(0)
    const client = await server.as(admin!.login, firstPassword(server, admin!.phone))
    expect((await client.get('/v1/user/user_info')).info.user_info.must_change).toBe(true)
    expect((await on('resetPwd', '演示链桥')).code).toBe(2110)
  })

  step('knows organisations outside the system: the partner writes, no notification or draft is created', async () => {
    const sql = server.database.owner
    await sql`insert into app_user (org_id, login, password_hash, name) values (${org('D02')}, 'd02', 'x', '某人')`
    const { org_sn, version: at } = await row('D02')
    const edited = await platform.post(path('organisation', 'edit'), { sn: org_sn, version: at, uses_system: 'false' })
    expect(edited.code, edited.msg).toBe(0)
    const hospital = await server.as('hospital')
    const partners = await find(hospital, 'orgRelation', { relation: 'HD' })
    expect(partners.find(one => one.partner_code === 'D02')).toMatchObject({ partner_state: 'absent' })
    const [goods] = await sql<{ specification: string; price: string }[]>`
      select p.specification_id as specification, p.price from price_agreement p
        join hospital_product h on h.org_id = ${org('H01')} and h.specification_id = p.specification_id
          and h.admission_state = 'admitted'
        join specification s on s.id = p.specification_id
          join registration_certificate c on c.id = s.registration_certificate_id
          and (c.valid_to is null or c.valid_to > current_date)
       where p.org_id = ${org('H01')} and p.seller_id = ${org('D02')} and p.valid_from <= current_date
         and (p.valid_to is null or p.valid_to > current_date) order by p.id limit 1`
    const added = await hospital.post(path('purchaseOrder', 'add'), {
      counterparty_sn: org('D02'),
      warehouse_model_inner_sn: server.masters.warehouses.get('H01-W01') ?? '',
      lines: [{ specification_sn: goods!.specification, quantity: '1', price: goods!.price }],
    })
    expect(added.code, added.msg).toBe(0)
    // The hospital's archive has no authorisation by its maker: the hospital is warned, and may go on.
    const confirmed = async (call: string, body: Record<string, unknown>) => {
      const asked = await hospital.post(path('purchaseOrder', call), body)
      expect(asked).toMatchObject({ code: 2200, msg: expect.stringMatching(/供应商未获得【.+】的授权，不能下单$/) })
      return hospital.post(path('purchaseOrder', call), { ...body, confirm: asked.info.token })
    }
    const submitted = await confirmed('submit', added.info)
    expect(submitted.code, submitted.msg).toBe(0)
    const { sn, version } = submitted.info
    expect((await confirmed('review', { sn, version })).code).toBe(0)
    expect(await sql`select 1 from document where org_id = ${org('D02')}`).toHaveLength(0)
    expect(await sql`select 1 from message where org_id = ${org('D02')} and uri = 'salesOrder'`).toHaveLength(0)
  })
})
