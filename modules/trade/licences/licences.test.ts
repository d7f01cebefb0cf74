import { parseInteger } from '#kernel/values/integer.ts'
import { read, utils } from '@e965/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { remindOfLicences } from '#modules/trade/licences/expiry/expiry-reminders.server.ts'
import { recheckDealers } from '#modules/trade/catalogue/assortment/dealer-product-check.server.ts'
import { recountWhereNeeded } from '#modules/goods/warnings/recount.server.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { afterThisTest, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { sendSheet, workbook } from '#tests/support/sheets.ts'
import { remindBySms } from '#tests/support/records.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 证照: entered, submitted, approved, renewed; monitored by expiry date, and the business that their end blocks. */
let scene: Scene
let platform: Person
beforeAll(async () => {
  scene = await openScene()
  platform = await scene.person('platform')
})
afterAll(() => scene?.close())

const post = (who: Person, action: string, body: Record<string, unknown>, kind = 'licence') =>
  who.client.post(`/v1/business/${kind}/${action}`, body)
const filed = async (who: Person, query: Record<string, string>) =>
  (await who.list('licence', { pageSize: '100', ...query })) as Record<string, never>[]
const found = async (who: Person, licence_no: string) => (await filed(who, { licence_no }))[0]!
const does = async (who: Person, action: string, licence_no: string, body: Record<string, unknown> = {}) => {
  const row = await found(who, licence_no)
  return post(who, action, { sn: row.licence_sn, version: row.version, ...body })
}

story('a partner’s licence', step => {
  const number = '苏药监械经营许2026001号'
  step('is a draft until someone other than its author checks its scan; only then it counts', async () => {
    const { hospital, d } = scene
    const body = { holder_sn: d, licence_type: '质量体系调查表', licence_no: number, valid_from: day(-10) }
    expect((await post(hospital, 'add', { ...body, valid_to: day(300) })).code).toBe(0)
    expect(await found(hospital, number)).toMatchObject({ audit_state: 'draft', origin: 'own' })
    expectMessage(await does(hospital, 'submit', number), '请上传证照扫描件')
    const scan = await uploadPicture(hospital)
    expect((await does(hospital, 'edit', number, { attachments: [scan] })).code).toBe(0)
    expect((await does(hospital, 'submit', number)).code).toBe(0)
    expectMessage(await does(hospital, 'edit', number, { issuer: '某局' }), /不能修改/)
    expectMessage(await does(hospital, 'reject', number), '请填写未通过的原因')
    expect((await does(hospital, 'reject', number, { reason: '公章不清晰' })).code).toBe(0)
    expect(await found(hospital, number)).toMatchObject({ audit_state: 'rejected', audit_reason: '公章不清晰' })
    expect((await does(hospital, 'submit', number)).code).toBe(0)
    expect((await does(hospital, 'review', number)).code).toBe(0)
    expect(await found(hospital, number)).toMatchObject({ audit_state: 'passed', licence_state: 'valid' })
  })

  step(
    '换证 links a new licence to the old one, which keeps its dates and is 已换证 once the new is checked',
    async () => {
      const { hospital } = scene
      const renewal = { licence_no: `${number}-2`, valid_from: day(-1), valid_to: day(-2) }
      expectMessage(await does(hospital, 'renew', number, renewal), '有效期至必须晚于有效期起')
      const scan = await uploadPicture(hospital)
      const good = { ...renewal, valid_to: day(500), attachments: [scan] }
      expect((await does(hospital, 'renew', number, good)).code).toBe(0)
      expect(await found(hospital, number)).toMatchObject({ status: 'enabled' })
      expect(await found(hospital, `${number}-2`)).toMatchObject({ audit_state: 'draft', previous_no: number })
      await does(hospital, 'submit', `${number}-2`)
      await does(hospital, 'review', `${number}-2`)
      const [old] = await filed(hospital, { licence_no: number, licence_state: 'replaced' })
      expect(old).toMatchObject({ licence_no: number, licence_state: 'replaced' })
    },
  )

  step('is requested again once a day, and its owner reads it', async () => {
    const { hospital, dealer } = scene
    expect((await does(hospital, 'remind', `${number}-2`)).code).toBe(0)
    expectMessage(await does(hospital, 'remind', `${number}-2`), '今日已催办，每日限一次，请明日再催')
    const { list } = await dealer.client.get('/v1/business/message/list', { pageSize: '20' })
    expect(list.map((each: { body: string }) => each.body).join()).toContain(`更新质量体系调查表（${number}-2`)
  })
})

describe('an organisation’s own licence', () => {
  test('used for registration counts once the platform approves it; others count at once', async () => {
    const { dealer, d } = scene
    const own = { holder_sn: d, valid_from: day(-3), valid_to: day(900) }
    const permit = '苏苏药监械经营许20269999号'
    await post(dealer, 'add', { ...own, licence_type: '开票信息/开户许可证', licence_no: 'KH-1' })
    expect(await found(dealer, 'KH-1')).toMatchObject({ audit_state: 'passed' })
    const scan = await uploadPicture(dealer)
    await post(dealer, 'add', { ...own, licence_type: '医疗器械经营许可证', licence_no: permit, attachments: [scan] })
    expect((await does(dealer, 'submit', permit)).code).toBe(0)
    expectMessage(await does(dealer, 'review', permit), '本机构的证照由平台审核')
    const [waiting] = await platform.list('licenceAudit', { licence_no: permit, state: 'pending' })
    expect(waiting).toMatchObject({ organisation_sn: d, attachments: [scan] })
    expect((await platform.client.raw({ method: 'GET', url: `/file/${scan}` })).statusCode).toBe(200)
    const decide = (who: Person) =>
      post(who, 'review', { sn: waiting.audit_sn, version: waiting.version }, 'licenceAudit')
    expect((await decide(scene.hospital)).code).not.toBe(0)
    expect((await decide(platform)).code).toBe(0)
    expect(await found(dealer, permit)).toMatchObject({ audit_state: 'passed' })
    expectMessage(await decide(platform), /刷新/)
  })

  test('停用、审核通过、换证、注册证改期：经销商产品核对当即重算，不等整点', async () => {
    const { dealer, d, inflator } = scene
    const { app, owner } = scene.server.database
    await recheckDealers(owner)
    await recountWhereNeeded(app, owner)
    const [goods] = await owner`
      select p.id, p.device_class, s.registration_certificate_id as certificate from specification s
        join product p on p.id = s.product_id where s.id = ${inflator}`
    const licence_type = goods!.device_class === 'III' ? '医疗器械经营许可证' : '第二类医疗器械经营备案凭证'
    const check = async () =>
      (await platform.list('dealerProductCheck', { dealer_sn: d, product_sn: String(goods!.id) }))[0]
    const held = await filed(dealer, { holder_sn: d, licence_type, status: 'enabled' })
    expect(held.length).toBeGreaterThan(0)
    for (const { licence_sn, version } of held)
      expect((await post(dealer, 'disable', { sn: licence_sn, version })).code).toBe(0)
    afterThisTest(async () => {
      const ids = held.map(row => String(row.licence_sn))
      await owner`update licence set status = 'enabled' where org_id = ${d} and id = any(${ids}::bigint[])`
    })
    expect(await check()).toMatchObject({
      scope_light: 'bad',
      problem: expect.stringContaining(`缺少${licence_type}`),
    })

    const number = '苏苏药监械经营许20260088号'
    const scan = await uploadPicture(dealer)
    const body = { holder_sn: d, licence_type, licence_no: number, attachments: [scan] }
    await post(dealer, 'add', { ...body, valid_from: day(-3), valid_to: day(300) })
    await does(dealer, 'submit', number)
    expect(await check()).toMatchObject({ scope_light: 'bad' })
    const pass = async (licence_no: string) => {
      const [waiting] = await platform.list('licenceAudit', { licence_no, state: 'pending' })
      expect(
        (await post(platform, 'review', { sn: waiting.audit_sn, version: waiting.version }, 'licenceAudit')).code,
      ).toBe(0)
    }
    await pass(number)
    expect(await check()).toMatchObject({ scope_light: 'ok' })
    // A renewal that names another scope replaces the permit on its first day.
    const renewed = `${number.slice(0, -1)}-1号`
    const dates = { valid_from: day(-1), valid_to: day(500), attachments: [scan] }
    expect((await does(dealer, 'renew', number, { licence_no: renewed, ...dates })).code).toBe(0)
    expect((await does(dealer, 'edit', renewed, { scope: '22 临床检验器械' })).code).toBe(0)
    await does(dealer, 'submit', renewed)
    await pass(renewed)
    expect(await check()).toMatchObject({
      scope_light: 'bad',
      problem: expect.stringContaining('超出经营范围'),
    })

    // The certificate is the platform's; its last day changes the light of all dealers that trade the product.
    const certificate = String(goods!.certificate)
    const before = await platform.info('registrationCertificate', certificate)
    const until = async (valid_to: string) => {
      const { version } = await platform.info('registrationCertificate', certificate)
      const body = { sn: certificate, version, valid_to }
      const asked = await post(platform, 'edit', body, 'registrationCertificate')
      const confirm = asked.info?.token
      const reply = confirm ? await post(platform, 'edit', { ...body, confirm }, 'registrationCertificate') : asked
      expect(reply.msg).toBe('')
    }
    expect(await check()).toMatchObject({ certificate_light: 'ok' })
    await until(day(-1))
    expect(await check()).toMatchObject({ certificate_light: 'bad' })
    await until(String(before.valid_to))
    expect(await check()).toMatchObject({ certificate_light: 'ok' })
    // Warnings are counted by the next run of their job, seconds later.
    expect((await scene.one('select moved_at from warning_count where org_id = $1', d)).moved_at).toBeNull()
  })
})

describe('a hospital’s licence', () => {
  const add = (who: Person, more: object) =>
    post(who, 'add', {
      licence_type: '医疗机构执业许可证',
      licence_no: 'DEM-YQ',
      valid_from: day(-5),
      valid_to: day(900),
      ...more,
    })
  test('names departments of the national list, and has a copy for each campus', async () => {
    const { hospital, h } = scene
    const own = (more: object) => add(hospital, { holder_sn: h, ...more })
    expectMessage(await own({ subjects: ['眼科', '魔法科'] }), '诊疗科目名录中没有【魔法科】，请从名录选择')
    expect((await own({ subjects: ['眼科', '口腔科'], campus: '东院区', copy_no: '1-1' })).code).toBe(0)
    expect((await own({ subjects: ['眼科', '口腔颌面医学影像专业'], campus: '西院区', copy_no: '1-2' })).code).toBe(0)
    expectMessage(await own({ subjects: ['眼科'], copy_no: '1-2' }), '医疗机构执业许可证DEM-YQ已存在')
    expect(await filed(hospital, { subjects: '口腔科', licence_no: 'DEM-YQ' })).toMatchObject([
      { subjects: ['眼科', '口腔科'], campus: '东院区', copy_no: '1-1' },
    ])
  })

  test('shows level and departments in sellers’ archives; a mandate its person, a manufacturer its sites', async () => {
    const { dealer, hospital, h, v } = scene
    expect((await add(dealer, { holder_sn: h, subjects: ['眼科'] })).code).toBe(0)
    const mandate = { licence_type: '采购人员委托书', licence_no: 'WT-1', person_name: '孙采购' }
    expect((await add(dealer, { holder_sn: h, ...mandate })).code).toBe(0)
    const archive = (query: Record<string, string>) => filed(dealer, { holder_type: '1', ...query })
    const { hospital_level } = (await hospital.client.get('/v1/business/organisation/info', { sn: h })).info
    expect(hospital_level).toBeTruthy()
    const [licence] = await archive({ licence_no: 'DEM-YQ', hospital_level })
    expect(licence).toMatchObject({ subjects: ['眼科'], hospital_level })
    expect(await archive({ person_name: '孙采购' })).toMatchObject([{ licence_no: 'WT-1' }])
    expect((await filed(hospital, { holder_sn: v, made_in: 'home' })).length).toBeGreaterThan(0)
    expect(await filed(hospital, { holder_sn: v, made_in: 'abroad' })).toEqual([])
    const { certificate_no, product_name } = await scene.one(
      'select certificate_no, product_name from registration_certificate where holder_org_id = $1 limit 1',
      v,
    )
    const registered = { holder_sn: v, licence_type: '医疗器械注册证/备案凭证', licence_no: certificate_no }
    expect((await add(hospital, registered)).code).toBe(0)
    expect(await found(hospital, certificate_no)).toMatchObject({ certificate_product: product_name })
  })
})

story('expiry', step => {
  const set = async (who: Person, licence_type: string, body: Record<string, unknown>) => {
    const [row] = await who.list('licenceExpirySetting', { licence_type })
    return post(who, 'edit', { sn: row.setting_sn, version: row.version, ...body }, 'licenceExpirySetting')
  }
  const expire = (org: string, holder: string, type: string, offset: number) =>
    scene.one(
      `update licence set valid_to = $4, long_term = false where org_id = $1 and holder_id = $2
        and licence_type = $3 returning 1`,
      org,
      holder,
      type,
      day(offset),
    )
  const order = () =>
    scene.hospital.add('purchaseOrder', {
      counterparty_sn: scene.d,
      warehouse_model_inner_sn: scene.central,
      lines: [{ specification_sn: scene.inflator, quantity: '1', price: '145' }],
    })

  step('is watched by kind; what the law requires cannot be watched less', async () => {
    const { hospital } = scene
    expect((await hospital.list('licenceExpirySetting', { pageSize: '100' })).length).toBe(29)
    expectMessage(await set(hospital, '营业执照', { control: 'none' }), '该证照为法定必备证照，不能设为不控制')
    expectMessage(await set(hospital, '营业执照', { control: 'warn' }), /只能更严/)
    expectMessage(await set(hospital, '质量保证协议', { first_days: 20, second_days: 30 }), '预警天数必须逐级递减')
    expect((await set(hospital, '质量保证协议', { first_days: 120 })).code).toBe(0)
    const rows = await hospital.list('licenceExpirySetting', { pageSize: '100' })
    const chosen = rows.filter(row => ['其他', '授权书'].includes(row.licence_type)).map(row => row.setting_sn)
    const batch = { sns: chosen, first_days: 200, grace_days: 5 }
    expect((await post(hospital, 'batch', batch, 'licenceExpirySetting')).code).toBe(0)
    const [other] = await hospital.list('licenceExpirySetting', { licence_type: '其他' })
    expect(other).toMatchObject({ first_now: 200, grace_days: 5, updated_by: expect.any(String) })
    expect((await post(hospital, 'restore', { sns: chosen }, 'licenceExpirySetting')).code).toBe(0)
    expect(await hospital.list('licenceExpirySetting', { licence_type: '其他' })).toMatchObject([{ grace_days: 0 }])
  })

  step('refuses or warns and names the failing licence; the grace period only delays blocking', async () => {
    const { hospital, h, d } = scene
    await expire(h, d, '质量保证协议', -2)
    const sn = await order()
    const asked = await hospital.client.post('/v1/business/purchaseOrder/submit', { sn, version: 1 })
    expect(JSON.stringify(asked)).toMatch(/供应商【[^】]+】的质量保证协议已过期，不能下单/)
    await set(hospital, '质量保证协议', { control: 'refuse' })
    // The monitoring of class I does not concern goods of another class.
    expectMessage(await set(hospital, '质量保证协议', { device_classes: ['IV'] }), '【适用管理类别】没有“IV”这个选项')
    await set(hospital, '质量保证协议', { device_classes: ['I'] })
    await hospital.done('purchaseOrder', 'submit', await order())
    await set(hospital, '质量保证协议', { device_classes: ['II', 'III'] })
    expectMessage(await hospital.do('purchaseOrder', 'submit', sn), /的质量保证协议已过期，不能下单/)
    await set(hospital, '质量保证协议', { grace_days: 3 })
    await hospital.pass('purchaseOrder', sn)
    const info = await hospital.info('purchaseOrder', sn)
    expect(info.relied).toContainEqual(expect.objectContaining({ licence_type: '质量保证协议', graced: true }))
    expect(info.relied).toContainEqual(expect.objectContaining({ licence_type: '营业执照', graced: false }))
    const relied = await found(hospital, info.relied[0].licence_no)
    expect(relied).toBeTruthy()
    await set(hospital, '质量保证协议', { grace_days: 0, control: 'none' })
    const other = await order()
    await hospital.done('purchaseOrder', 'submit', other)
  })

  step('is one list with what it will block; handled, requested and ignored from there', async () => {
    const { hospital, h, d } = scene
    await expire(h, d, '质量保证协议', 29)
    await set(hospital, '质量保证协议', { control: 'refuse' })
    const { owner } = scene.server.database
    await owner`update warning_count set moved_at = null where org_id = ${h}`
    await recountWhereNeeded(owner, owner, 0)
    const rows = await hospital.list('licenceValidityWarning', { whose: 'partner', licence_type: '质量保证协议' })
    const row = rows.find(each => each.partner_sn === d)
    expect(row).toMatchObject({ level: 'orange', days_left: 29, state: 'open', partner_type: '2' })
    expect(row.affected_papers).toBeGreaterThan(0)
    const call = (action: string, body: Record<string, unknown> = {}) =>
      post(hospital, action, { sn: row.warning_sn, version: row.version, ...body }, 'licenceValidityWarning')
    expectMessage(await call('ignore'), '请填写忽略原因')
    expect((await call('remind')).code).toBe(0)
    const [after] = await hospital.list('licenceValidityWarning', { code: row.code, whose: 'partner' })
    expect(after).toMatchObject({ reminded_on: day() })
    const handled = { sn: row.warning_sn, version: after.version, note: '已联系', responsible: '张三' }
    expect((await post(hospital, 'handle', handled, 'licenceValidityWarning')).code).toBe(0)
    const found = await hospital.list('licenceValidityWarning', { code: row.code, whose: 'partner' })
    expect(found).toMatchObject([{ state: 'handled', responsible: '张三' }])
  })

  step('notifies once on the first and second day, then daily, the people of the role set for the kind', async () => {
    const { hospital, h, d } = scene
    const { owner } = scene.server.database
    const role = await scene.one(
      "select g.role_id from user_role g join app_user u on u.id = g.user_id where u.login = 'nurse' limit 1",
    )
    await set(hospital, '质量保证协议', {
      control: 'warn',
      reminded_role_sn: String(role.role_id),
      second_days: 30,
      daily_days: 7,
    })
    // The others of this kind give no warning.
    await owner`update licence set long_term = true, valid_to = null where org_id = ${h} and holder_id <> ${d}
      and licence_type = '质量保证协议'`
    const notified = async () =>
      parseInteger(
        (
          await scene.one(
            `select count(distinct m.at)::int as n from message m join app_user u on u.id = m.user_id
              and u.login = 'nurse' where m.org_id = $1 and m.title = '证照到期提醒' and m.body like '%质量保证协议%'`,
            h,
          )
        ).n,
      )
    const at = async (offset: number) => {
      await expire(h, d, '质量保证协议', offset)
      await owner`update warning_count set moved_at = null where org_id = ${h}`
      await recountWhereNeeded(owner, owner, 0)
      await owner`update warning set state = 'open' where org_id = ${h}`
      await remindOfLicences(owner)
      await remindOfLicences(owner)
      return notified()
    }
    expect([await at(60), await at(50), await at(30), await at(7)]).toEqual([1, 1, 2, 3])
    await owner`update licence_reminder set reminded_on = reminded_on - 1 where org_id = ${h}`
    const sent = await remindBySms(scene, h, '质量保证协议')
    expect(await at(6)).toBe(4)
    expect(await sent()).toEqual([expect.stringMatching(/的质量保证协议将于[\d-]{10}到期，剩余6天$/)])
    await owner`update warning set state = 'handled' where org_id = ${h}`
    await owner`update licence_reminder set reminded_on = reminded_on - 1 where org_id = ${h}`
    await remindOfLicences(owner)
    expect(await notified()).toBe(4)
  })
})

story('a licence the organisation requires', step => {
  const kind = '质量体系认证证书'
  const partner = async () => (await scene.hospital.list('orgRelation', { partner_sn: scene.d }))[0]

  step('and a partner lacks is shown at the partner and among the warnings, and can be requested', async () => {
    const { hospital, dealer, h, d } = scene
    const { owner } = scene.server.database
    expect((await partner()).missing_papers ?? '').not.toContain(kind)
    const [row] = await hospital.list('licenceExpirySetting', { licence_type: kind })
    expect(row.holders).toBe('经销商、厂商')
    await post(
      hospital,
      'edit',
      { sn: row.setting_sn, version: row.version, is_required: true },
      'licenceExpirySetting',
    )
    expect((await partner()).missing_papers).toContain(kind)
    const [file] = await hospital.list('partnerFile', { holder_sn: d })
    expect(file.missing_papers).toContain(kind)
    await recountWhereNeeded(owner, owner, 0)
    const [missing] = await hospital.list('licenceValidityWarning', {
      whose: 'partner',
      partner_sn: d,
      level: 'missing',
      licence_type: kind,
    })
    expect(missing).toMatchObject({ days_left: null, state: 'open' })
    const remind = async () => {
      const [now] = await hospital.list('licenceValidityWarning', {
        whose: 'partner',
        partner_sn: d,
        level: 'missing',
        licence_type: kind,
      })
      return post(hospital, 'remind', { sn: now.warning_sn, version: now.version }, 'licenceValidityWarning')
    }
    expect((await remind()).code).toBe(0)
    expectMessage(await remind(), '今日已催办，每日限一次，请明日再催')
    const { list } = await dealer.client.get('/v1/business/message/list', { pageSize: '20' })
    expect(list.map((each: { body: string }) => each.body).join()).toContain(`没有贵机构有效的${kind}`)
    // An unapproved copy does not count; an approved one does.
    await post(hospital, 'add', {
      holder_sn: d,
      licence_type: kind,
      licence_no: 'ZL-1',
      valid_from: day(-9),
      valid_to: day(20),
    })
    expect((await partner()).missing_papers).toContain(kind)
    await owner`update licence set audit_state = 'passed' where org_id = ${h} and licence_no = 'ZL-1'`
    expect((await partner()).missing_papers ?? '').not.toContain(kind)
    // A manufacturer whose goods are all imported needs its agent's licences and its sole agency authorisation, and
    // no production licence.
    const maker = async () => (await dealer.list('partnerFile', { holder_sn: scene.v }))[0].missing_papers ?? ''
    expect(await maker()).not.toContain('进口代理人授权')
    const numbers = await owner<{ id: string; certificate_no: string }[]>`
      select id, certificate_no from registration_certificate where holder_org_id = ${scene.v}`
    await owner`update registration_certificate set certificate_no = replace(certificate_no, '械注准', '械注进')
      where holder_org_id = ${scene.v}`
    expect(await maker()).toMatch(/进口代理人授权|进口总代理授权书/)
    expect(await maker()).not.toContain('医疗器械生产许可证')
    for (const { id, certificate_no } of numbers)
      await owner`update registration_certificate set certificate_no = ${certificate_no} where id = ${id}`
  })

  step('counts in a partner’s state only once checked, by the days of its kind', async () => {
    const { owner } = scene.server.database
    const state = async () => (await partner()).licence_state
    await owner`update licence set valid_to = ${day(400)}, long_term = false
      where org_id = ${scene.h} and holder_id = ${scene.d}`
    expect(await state()).toBe('valid')
    await owner`update licence set valid_to = ${day(150)} where org_id = ${scene.h} and licence_no = 'ZL-1'`
    expect(await state()).toBe('valid')
    await owner`update licence_setting set first_days = 200 where org_id = ${scene.h} and licence_type = ${kind}`
    expect(await state()).toBe('expiring')
    await owner`update licence set audit_state = 'draft' where org_id = ${scene.h} and licence_no = 'ZL-1'`
    expect(await state()).toBe('valid')
  })
})

describe('many licences', () => {
  const HEAD = ['证照类型', '原证照编号', '新证照编号', '有效期起', '有效期至', '发证日期', '持有机构信用代码']
  const book = (...rows: string[][]): Buffer => workbook([HEAD, ...rows])
  const path = '/v1/business/licenceRenewal'

  test('are renewed by workbook: dry run first, all or none, errors by row and column', async () => {
    const { hospital, h, d } = scene
    const { code } = await scene.one('select social_credit_code as code from organisation where id = $1', d)
    for (const [no, holder] of [
      ['PX-1', h],
      ['PX-2', d],
    ] as const)
      await post(hospital, 'add', {
        holder_sn: holder,
        licence_type: '其他',
        licence_no: no,
        valid_from: day(-90),
        valid_to: day(9),
      })
    await scene.server.database
      .owner`update licence set audit_state = 'passed' where org_id = ${h} and licence_no like 'PX-%'`
    const good = [
      ['其他', 'PX-1', 'PX-1a', day(-1), day(400), day(-3), ''],
      ['其他', 'PX-2', 'PX-2a', day(10), '', '', code],
    ]
    const bad = book(
      good[0]!,
      ['其他', 'PX-9', 'PX-9a', day(1), day(400), '', ''],
      ['其他', 'PX-2', 'PX-2a', day(10), day(9), '', code],
    )
    const reply = await sendSheet(hospital.client, `${path}/import`, bad)
    expect(reply.errors).toEqual([
      { row: 3, column: '原证照编号', msg: '没有找到其他PX-9，请核对类型、编号和持有机构' },
      { row: 4, column: '有效期至', msg: '有效期至必须晚于有效期起' },
    ])
    expect(await hospital.list('licenceRenewal')).toEqual([])
    const marked = await sendSheet(hospital.client, `${path}/importMarked`, bad, {}, 'raw')
    const sheet = read(marked.rawPayload, { type: 'buffer' }).Sheets.错误标记!
    expect(utils.sheet_to_json<Record<string, string>>(sheet)[1]!.错误原因).toContain('PX-9')
    const dry = await sendSheet(hospital.client, `${path}/import`, book(...good), { dry: 'true' })
    expect(dry.info).toEqual({ count: 2 })
    expect(await hospital.list('licenceRenewal')).toEqual([])
    expect((await sendSheet(hospital.client, `${path}/import`, book(...good))).code).toBe(0)
    // A renewal of our own licence is valid at once and replaces it; a partner's waits for its scan and an approval.
    expect(await filed(hospital, { licence_no: 'PX-1', licence_state: 'replaced' })).toHaveLength(1)
    expect(await found(hospital, 'PX-1a')).toMatchObject({
      audit_state: 'passed',
      previous_no: 'PX-1',
      issued_on: day(-3),
    })
    expect(await found(hospital, 'PX-2a')).toMatchObject({ audit_state: 'draft', long_term: true, holder_sn: d })
    expect(await hospital.list('licenceRenewal')).toHaveLength(2)
  })
})
