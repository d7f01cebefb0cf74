import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'
import { enterRegistrant, registerCode } from '#tests/support/outbox.ts'
import { day } from '#tests/support/story.ts'

/**
 * A manufacturer invites a dealer by a link: it works once, and the agreed terms take effect when the platform has
 * passed the registration.
 */
let server: TestServer
let vendor: Client
let platform: Client
let product: string
const CODE = '91320506MA1INVIT0X'
const NAME = '苏州受邀医疗器械有限公司'
const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`

beforeAll(async () => {
  server = await openTestServer()
  ;[vendor, platform] = [await server.as('vendor'), await server.as('platform')]
  const [made] = await server.database.owner<{ id: string }[]>`
    select id from product where manufacturer_id = ${server.masters.organisations.get('V01')!} order by id limit 1`
  product = made!.id
})
afterAll(() => server.close())

const invite = (more: object = {}) =>
  vendor.post(path('dealerInvitation', 'add'), {
    name: NAME,
    social_credit_code: CODE,
    registrant: '邵安之',
    registrant_phone: '13900007001',
    payment_days: '45',
    products: [product],
    area: '江苏省',
    authorisation_no: 'YQ-1',
    valid_from: day(),
    valid_to: day(200),
    ...more,
  })
const info = async (sn: string) => (await vendor.get(path('dealerInvitation', 'info'), { sn })).info
const act = async (sn: string, action: string) =>
  vendor.post(path('dealerInvitation', action), { sn, version: (await info(sn)).version })
const read = (token: string) => server.outsider.get('/v1/register/invitation', { token })
const register = async (token: string, phone: string, more: object = {}) =>
  server.outsider.post('/v1/register/org', {
    system_type: '2',
    name: NAME,
    social_credit_code: CODE,
    address: '吴中区样例路9号',
    registrant: '邵安之',
    registrant_phone: phone,
    verifyCode: await registerCode(server, phone),
    invitation: token,
    ...more,
  })
const decide = async (action: string, more: object = {}) => {
  const [row] = (await platform.get(path('registrationAudit', 'list'), { name: NAME, state: 'pending' })).list
  return platform.post(path('registrationAudit', action), { sn: row.sn, version: row.version, ...more })
}
const spent = '邀请链接已使用或已过期，请联系邀请方重新生成'

story('邀请加入', step => {
  let sn: string
  let token: string

  step('grants only what we have, and needs dates for it', async () => {
    expect((await invite({ authorisation_no: null })).msg).toBe('选择了授权产品，请填写授权书编号和授权起止日期')
    const [foreign] = await server.database.owner<{ id: string }[]>`
      select id from product where manufacturer_id = ${server.masters.organisations.get('V02')!} limit 1`
    expect((await invite({ products: [foreign!.id] })).errors[0].msg).toBe('授权范围超出上级授权')
    expect((await invite({ expires_on: day(31) })).errors[0].msg).toBe('链接有效期应在今天到30天内')
    const [known] = await server.database.owner<{ name: string; code: string }[]>`
      select name, social_credit_code as code from organisation where code = 'D02'`
    await server.database.owner`
      insert into app_user (org_id, login, password_hash, name)
        values (${server.masters.organisations.get('D02')!}, 'd02', 'x', '某人')`
    expect((await invite({ social_credit_code: known!.code })).errors[0].msg).toBe(
      `【${known!.name}】已入驻平台，请在经销商中直接新增`,
    )
  })

  // an invitation from its link to the live relation
  step('gives a link that pre-fills the registration; a wrong, renewed or withdrawn link does not', async () => {
    const added = await invite()
    expect(added.code, added.msg).toBe(0)
    sn = added.info.sn
    expect(await info(sn)).toMatchObject({ state: 'open', link_state: 'valid', expires_on: day(7) })
    const first = (await info(sn)).token
    expect((await read(first)).info).toEqual({
      inviter: expect.stringContaining('澜屿'),
      name: NAME,
      social_credit_code: CODE,
      registrant: '邵安之',
      registrant_phone: '13900007001',
      expires_on: day(7),
    })
    expect((await read('7-x')).msg).toBe(spent)
    expect((await read(`${first}x`)).msg).toBe(spent)
    expect((await act(sn, 'renew')).code).toBe(0)
    expect((await read(first)).msg).toBe(spent)
    expect((await act(sn, 'revoke')).code).toBe(0)
    expect(await info(sn)).toMatchObject({ state: 'revoked', token: null })
    expect((await act(sn, 'renew')).code).toBe(0)
    token = (await info(sn)).token
    await server.database.owner`update dealer_invitation set expires_on = current_date - 2 where id = ${sn}`
    expect((await read(token)).msg).toBe(spent)
    expect(await info(sn)).toMatchObject({ link_state: 'expired', token: null })
    expect((await act(sn, 'renew')).code).toBe(0)
    token = (await info(sn)).token
  })

  step('is valid once; a refused form or a registration refused by the platform leaves it open', async () => {
    expect((await register(token, '13900007002', { verifyCode: '000000' })).code).not.toBe(0)
    expect((await info(sn)).state).toBe('open')
    const sent = await register(token, '13900007001')
    expect(sent.code, sent.msg).toBe(0)
    expect(await info(sn)).toMatchObject({ state: 'used', token: null })
    expect((await register(token, '13900007003', { social_credit_code: '91320506MA1INVIT1X' })).msg).toBe(spent)
    expect((await act(sn, 'revoke')).msg).toBe('对方已注册，请等待平台审核')
    expect((await decide('noPass', { reason: '地址不符' })).code).toBe(0)
    expect(await info(sn)).toMatchObject({ state: 'open', reason: '平台未通过：地址不符' })
    await server.database.owner`delete from sms_code`
    const again = await register(token, '13900007001')
    expect(again.code, again.msg).toBe(0)
  })

  step('on platform approval the relation is live on both sides and the authorisation exists', async () => {
    expect((await decide('pass')).code).toBe(0)
    const done = await info(sn)
    expect(done).toMatchObject({ state: 'joined', partner_name: NAME })
    const [mine] = (await vendor.get(path('dealer', 'list'), { partner_name: '受邀' })).list
    expect(mine).toMatchObject({
      status: 'enabled',
      relation: 'DV',
      payment_days: 45,
      sales_area: '江苏省',
      product_count: 1,
      valid_from: day(),
    })
    const newcomer = await enterRegistrant(server, '13900007001')
    const [theirs] = (await newcomer.get(path('orgRelation', 'list'), { status: 'enabled' })).list
    expect(theirs).toMatchObject({ relation: 'DV', name: expect.stringContaining('澜屿') })
    expect((await newcomer.get(path('heldAuthorisation', 'list'))).list).toMatchObject([
      { product_sn: product, area: '江苏省', authorisation_no: 'YQ-1', held_state: 'valid' },
    ])
    const notified = await server.database.owner`select body from message where title = '经销商已加入'`
    expect(notified).toMatchObject([{ body: `【${NAME}】已通过邀请链接入驻，合作关系已生效` }])
    expect((await act(sn, 'renew')).msg).toBe('对方已加入，邀请不能再修改')
  })

  step('is visible to the inviter only', async () => {
    expect((await (await server.as('dealer')).get(path('dealerInvitation', 'info'), { sn })).code).toBe(2106)
    const guest = await server.as('hospital')
    expect((await guest.get(path('dealerInvitation', 'list'))).list).toEqual([])
  })
})
