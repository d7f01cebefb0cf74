import { addDays, today } from '#kernel/values/date.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { publishVersions } from '#modules/platform/operator/content/published-content.server.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'

/** The data that the platform maintains for all, and the part that each organisation sees. */
let server: TestServer
let platform: Client
let hospital: Client
let dealer: Client
const org = (code: string) => server.masters.organisations.get(code) ?? ''
beforeAll(async () => {
  server = await openTestServer()
  ;[platform, hospital, dealer] = await Promise.all([server.as('platform'), server.as('hospital'), server.as('dealer')])
})
afterAll(() => server.close())

const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`
const rows = async (who: Client, kind: string, query: Record<string, string> = {}) =>
  (await who.get(path(kind, 'list'), query)).list
const add = (who: Client, kind: string, body: Record<string, unknown>) => who.post(path(kind, 'add'), body)
const act = async (who: Client, kind: string, call: string, sn: string, body: Record<string, unknown> = {}) => {
  const { info } = await who.get(path(kind, 'info'), { sn })
  return who.post(path(kind, call), { sn, version: info?.version ?? 1, ...body })
}

describe('service levels', () => {
  it('limit users and warehouses, become read-only on expiry, and show at sign-in', async () => {
    const { info } = await add(platform, 'vipLevel', {
      code: 3,
      name: '试用',
      system_type: '1',
      user_limit: 2,
      warehouse_limit: 1,
      expire_mode: 'readonly',
    })
    expect(
      await act(platform, 'vipLevel', 'grant', info.sn, { org_sn: org('D01'), until: '2099-01-01' }),
    ).toMatchObject({ msg: '机构类型与等级不同，请重新选择' })
    expect(
      await act(platform, 'vipLevel', 'grant', info.sn, { org_sn: org('H01'), until: '2099-01-01' }),
    ).toMatchObject({ code: 0 })
    expect((await hospital.get('/v1/user/user_info')).info.vip_level).toBe(3)
    expect(await add(hospital, 'user', { login: 'one-more', name: '又一位', phone: '13900008888' })).toMatchObject({
      msg: '用户数已达上限(2)，请升级VIP等级',
    })
    expect(await add(hospital, 'warehouse', { code: 'V1', name: '又一库', model: 'central' })).toMatchObject({
      msg: '仓库数已达上限(1)，请升级VIP等级',
    })
    expect(await act(platform, 'vipLevel', 'disable', info.sn)).toMatchObject({ msg: '该等级下存在有效机构，不能停用' })
    await act(platform, 'vipLevel', 'grant', info.sn, { org_sn: org('H01'), until: '2020-01-01' })
    expect(await add(hospital, 'department', { code: 'V', name: '到期科' })).toMatchObject({
      msg: 'VIP已到期，当前仅可查询',
    })
    expect((await hospital.get(path('department', 'list'))).code).toBe(0)
    expect((await hospital.get('/v1/user/user_info')).info.vip_level).toBe(0)
    const [free] = await rows(platform, 'vipLevel', { code: '0', system_type: '1' })
    await act(platform, 'vipLevel', 'grant', free.vip_level_sn, { org_sn: org('H01'), until: '2099-01-01' })
    expect((await add(hospital, 'department', { code: 'V', name: '续期科' })).code).toBe(0)
  })

  it('limit products, files, calls and messages; lowered below current use they block only new entries', async () => {
    const { info } = await add(platform, 'vipLevel', {
      code: 4,
      name: '小额度',
      system_type: '3',
      product_limit: 1,
      sms_limit: 1,
      call_limit: 1,
      storage_gb: '0.001',
      trial_days: 30,
    })
    const vendor = await server.as('vendor')
    const grant = (body: object) => act(platform, 'vipLevel', 'grant', info.sn, { org_sn: org('V01'), ...body })
    expect(await grant({ way: 'paid' })).toMatchObject({ msg: '请填写到期日期' })
    expect(await grant({ way: 'trial', contract_no: 'HT-1' })).toMatchObject({ code: 0 })
    const [given] = await rows(platform, 'vipGrant', { vip_level_sn: info.sn })
    expect(given).toMatchObject({ way: 'trial', contract_no: 'HT-1', granted_org_sn: org('V01') })
    expect(
      await add(vendor, 'product', {
        name: '超额的导管',
        manufacturer_sn: org('V01'),
        device_class: 'II',
        base_unit: '根',
      }),
    ).toMatchObject({ msg: '产品数已达上限(1)，请升级VIP等级' })
    await server.database.owner`
      insert into stored_file (org_id, name, original_name, content_type, size, digest, uploaded_by)
        values (${org('V01')}, 'BBBBBBBBBBBBBBBBBBBBBB.png', 'b.png', 'image/png', 1073742, 'x', 0)`
    const border = 'b'
    const payload =
      `--${border}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: ` +
      `application/pdf\r\n\r\n%PDF-1.4 0123456789\r\n--${border}--\r\n`
    const sent = await vendor.raw({
      method: 'POST',
      url: '/v1/file/upload',
      payload,
      headers: { 'content-type': `multipart/form-data; boundary=${border}` },
    })
    expect(sent.json().msg).toBe('附件空间已用满(0.001GB)，请清理附件或升级VIP等级')
    const { beyondCalls } = await import('#modules/base/settings/plan-limits.server.ts')
    const beyond = (system: string) => server.database.owner.begin(tx => beyondCalls(tx, org('V01'), system))
    expect([await beyond('sms'), await beyond('his')]).toEqual([null, null])
    await server.database.owner`
      insert into outbound_call (org_id, call_key, system, name, state)
        values (${org('V01')}, 'k1', 'sms', 'x', 'succeeded'), (${org('V01')}, 'k2', 'his', 'x', 'succeeded')`
    expect([await beyond('sms'), await beyond('his')]).toEqual([
      '短信额度已用完(1条/月)，请升级VIP等级',
      '接口调用额度已用完(1次/日)，请升级VIP等级',
    ])
  })

  it('notify the administrators 30, 7 and 1 days before expiry, once each', async () => {
    const { remindOfExpiry } = await import('#modules/platform/operator/settings/vip-level.server.ts')
    const vendor = await server.as('vendor')
    const notified = async () => (await vendor.get('/v1/business/message/list', { q: 'VIP等级即将到期' })).total
    const due = (days: number) =>
      server.database.owner`update organisation set vip_until = ${addDays(today(), days)} where id = ${org('V01')}`
    for (const [days, count] of [
      [31, 0],
      [30, 1],
      [30, 1],
      [29, 1],
      [7, 2],
      [1, 3],
    ] as const) {
      await due(days)
      await remindOfExpiry(server.database.owner)
      expect(await notified(), `${days} days before`).toBe(count)
    }
    await server.database.owner`update organisation set vip_until = null, vip_level = 0 where id = ${org('V01')}`
  })
})

describe('the settings of an organisation', () => {
  const item = async (title: string) => (await rows(platform, 'orgBusinessConfig', { holder_sn: org('H01'), title }))[0]

  it('have a type and a range, and apply from their start date on', async () => {
    const cycle = await item('密码周期(天)')
    const write = async (title: string, body: Record<string, unknown>) => {
      const row = await item(title)
      return platform.post(path('orgBusinessConfig', 'edit'), { sn: row.config_sn, version: row.version, ...body })
    }
    expect(cycle).toMatchObject({ value: '90', preset: '90', allowed: '0，或30到365' })
    expect(await write('密码周期(天)', { value: '7' })).toMatchObject({ msg: '密码周期(天)应在30到365之间' })
    expect(await write('允许制单人自审', { value: '也许' })).toMatchObject({ msg: '允许制单人自审只能填写：是、否' })
    await server.database
      .owner`update app_user set password_changed_at = now() - interval '40 days', password_cycle = 90
        where login = 'hospital'`
    expect((await hospital.get(path('department', 'list'))).code).toBe(0)
    expect(await write('密码周期(天)', { value: '30' })).toMatchObject({ code: 0 })
    expect((await hospital.get(path('department', 'list'))).code).toBe(1010)
    expect(await write('密码周期(天)', { value: '0' })).toMatchObject({ code: 0 })
    expect((await hospital.get(path('department', 'list'))).code).toBe(0)
    const row = await item('密码周期(天)')
    expect(
      await platform.post(path('orgBusinessConfig', 'copy'), {
        sn: row.config_sn,
        version: row.version,
        org_sn: org('D01'),
      }),
    ).toMatchObject({ code: 0 })
    expect((await rows(platform, 'orgBusinessConfig', { holder_sn: org('D01'), title: '密码周期' }))[0].value).toBe('0')
    expect(await rows(dealer, 'orgBusinessConfig').catch(() => [])).toEqual([])
  })

  it('reach the engine: the author may review once it is allowed', async () => {
    await server.database.owner`delete from org_config where org_id = ${org('H02')} and name = 'allow_self_review'`
    await server.database.owner`
      insert into org_config (id, org_id, name, value, valid_from)
        values (1, ${org('H02')}, 'allow_self_review', '是', '2020-01-01'),
        (2, ${org('H02')}, 'unreview_days', '3', '2099-01-01')`
    const { settingsFor: settingsOf } = await import('#server/settings/settings.ts')
    const settings = await server.database.owner.begin(tx => settingsOf(tx, org('H02')))
    expect(settings).toMatchObject({ allow_self_review: true, unreview_days: 365 })
  })
})

describe('a course', () => {
  it('can be watched by its audience once published with its video', async () => {
    const { info } = await add(platform, 'videoCourse', { title: '扫码领用', orgs: ['H'] })
    expect(await act(platform, 'videoCourse', 'publish', info.sn)).toMatchObject({ msg: '请先上传视频文件，再发布' })
    const film = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42'), Buffer.alloc(64)])
    const border = 'x-border'
    const payload = Buffer.concat([
      Buffer.from(
        `--${border}\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\nContent-Type: ` +
          'video/mp4\r\n\r\n',
      ),
      film,
      Buffer.from(`\r\n--${border}--\r\n`),
    ])
    const sent = await platform.raw({
      method: 'POST',
      url: '/v1/file/upload',
      payload,
      headers: { 'content-type': `multipart/form-data; boundary=${border}` },
    })
    const file = sent.json().info.name as string
    expect(await act(platform, 'videoCourse', 'edit', info.sn, { video: [file] })).toMatchObject({ code: 0 })
    expect(await rows(hospital, 'videoCourse', { title: '扫码领用' })).toEqual([])
    expect(await act(platform, 'videoCourse', 'publish', info.sn)).toMatchObject({ code: 0 })
    expect(await rows(hospital, 'videoCourse', { title: '扫码领用' })).toHaveLength(1)
    expect(await rows(dealer, 'videoCourse', { title: '扫码领用' })).toEqual([])
    const played = await hospital.raw({ method: 'GET', url: `/file/${file}` })
    expect([played.statusCode, played.headers['content-type']]).toEqual([200, 'video/mp4'])
    for (const _ of [1, 2])
      expect(await hospital.post('/v1/business/videoCourse/watch', { sn: info.sn })).toMatchObject({ code: 0 })
    expect((await rows(hospital, 'videoCourse', { title: '扫码领用' }))[0]).toMatchObject({
      play_count: 1,
      position: 0,
    })
    await hospital.post('/v1/business/videoCourse/watch', { sn: info.sn, position: 37 })
    expect((await rows(hospital, 'videoCourse', { title: '扫码领用' }))[0]).toMatchObject({
      play_count: 1,
      position: 37,
    })
    await server.database.owner`update course_play set day = day - 1`
    const nextDay = await hospital.post('/v1/business/videoCourse/watch', { sn: info.sn })
    expect(nextDay.info.position).toBe(37)
    expect((await rows(platform, 'videoCourse', { title: '扫码领用' }))[0]).toMatchObject({
      play_count: 2,
      position: 0,
    })
    const part = await hospital.raw({ method: 'GET', url: `/file/${file}`, headers: { range: 'bytes=4-11' } })
    expect([part.statusCode, part.headers['content-range'], part.rawPayload.toString()]).toEqual([
      206,
      `bytes 4-11/${film.length}`,
      'ftypmp42',
    ])
    const beyond = await hospital.raw({ method: 'GET', url: `/file/${file}`, headers: { range: 'bytes=9999-' } })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${film.length}`])
    expect((await add(platform, 'videoCourse', { title: 'x', route: '/nowhere' })).msg).toBe('路由不存在：/nowhere')
    expect((await add(platform, 'videoCourse', { title: 'x', cover: [file] })).msg).toBe('封面应为 jpg 或 png 图片')
    expect((await dealer.post('/v1/business/videoCourse/watch', { sn: info.sn })).code).toBe(2106)
    const like = (who: Client) => who.post('/v1/business/videoCourse/like', { sn: info.sn })
    expect((await like(dealer)).code).toBe(2106)
    expect((await like(hospital)).info).toEqual({ sn: info.sn, liked: true, like_count: 1 })
    expect((await rows(hospital, 'videoCourse', { title: '扫码领用' }))[0]).toMatchObject({
      like_count: 1,
      liked: true,
    })
    expect((await rows(platform, 'videoCourse', { title: '扫码领用' }))[0]).toMatchObject({
      like_count: 1,
      liked: false,
    })
    expect((await like(hospital)).info).toEqual({ sn: info.sn, liked: false, like_count: 0 })
  })
})

describe('program versions', () => {
  it('are offered once published, newest first, and withdraw the previous one', async () => {
    await server.database.owner`
      insert into stored_file (org_id, name, original_name, content_type, size, digest, uploaded_by, is_shared)
        values (${org('P01')}, 'AAAAAAAAAAAAAAAAAAAAAA.zip', 'a.zip', 'application/zip', 1, 'abc', 0, true)`
    const make = async (version_no: number, more: object = {}) => {
      const { info } = await add(platform, 'appVersion', {
        name: '助手',
        platform: 'windows',
        version_name: `1.${version_no}`,
        version_no,
        ...more,
      })
      await server.database.owner`update app_version set package = '{AAAAAAAAAAAAAAAAAAAAAA.zip}' where id = ${info.sn}`
      expect(await act(platform, 'appVersion', 'publish', info.sn)).toMatchObject({ code: 0 })
      return info.sn as string
    }
    const latest = async (version_no: string) =>
      (await hospital.get('/v1/app/latest', { name: '助手', platform: 'windows', version_no })).info
    await make(5)
    expect(
      await add(platform, 'appVersion', { name: '助手', platform: 'windows', version_name: '0', version_no: 4 }),
    ).toMatchObject({ msg: '版本序号必须大于已发布版本5' })
    const second = await make(6, { least_version_no: 5 })
    expect(await latest('5')).toMatchObject({ update: true, must: false, version_no: 6, checksum: 'abc' })
    expect(await latest('4')).toMatchObject({ must: true })
    expect(await act(platform, 'appVersion', 'del', second)).toMatchObject({
      msg: '已发布的版本不能修改或删除，只能撤回',
    })
    const address = (await latest('4')).address as string
    const fetched = () => server.outsider.raw({ method: 'GET', url: address })
    expect((await fetched()).json()).toMatchObject({ code: 2106, msg: '安装包不存在或已撤回' })
    const border = 'b'
    const upload = (who: Client) =>
      who.raw({
        method: 'POST',
        url: '/v1/file/upload',
        payload:
          `--${border}\r\nContent-Disposition: form-data; name="file"; filename="helper.exe"\r\n\r\nMZ program ` +
          `of 20 bytes\r\n--${border}--\r\n`,
        headers: { 'content-type': `multipart/form-data; boundary=${border}` },
      })
    expect((await upload(hospital)).json().msg).toMatch(/^不支持这种文件/)
    const { name } = (await upload(platform)).json().info
    await server.database.owner`update app_version set package = ${[name]} where id = ${second}`
    const whole = await fetched()
    expect(whole.headers['content-disposition']).toContain('helper.exe')
    expect(whole.payload).toBe('MZ program of 20 bytes')
    await fetched()
    expect((await rows(platform, 'appVersion', { version_name: '1.6' }))[0].downloads).toBe(2)
    await server.database.owner`update app_version set only_orgs = ${[org('D01')]} where id = ${second}`
    expect((await fetched()).json().code).toBe(2106)
    expect((await dealer.raw({ method: 'GET', url: address })).statusCode).toBe(200)
    await server.database.owner`update app_version set only_orgs = '{}' where id = ${second}`
    const due = await add(platform, 'appVersion', {
      name: '助手',
      platform: 'windows',
      version_name: '1.7',
      version_no: 7,
      package: [name],
      publish_at: new Date(Date.now() + 60_000).toISOString(),
    })
    expect(due.code, due.msg).toBe(0)
    await publishVersions(server.database.owner)
    expect((await latest('5')).version_no).toBe(6)
    await server.database.owner`update app_version set publish_at = now() where id = ${due.info.sn}`
    await publishVersions(server.database.owner)
    expect(await latest('5')).toMatchObject({ version_no: 7 })
    await act(platform, 'appVersion', 'unpublish', due.info.sn)
    await act(platform, 'appVersion', 'unpublish', second)
    expect((await fetched()).json().code).toBe(2106)
    expect(await latest('5')).toEqual({ update: false })
  })
})

story('deleted data', step => {
  step('is really restored: a product with its sizes, a stopped organisation; once and with a reason', async () => {
    const vendor = await server.as('vendor')
    const product = await add(vendor, 'product', {
      name: '误删的导管',
      manufacturer_sn: org('V01'),
      device_class: 'II',
      base_unit: '根',
    })
    expect(product).toMatchObject({ code: 0 })
    const size = await add(vendor, 'specification', { product_sn: product.info.sn, name: '5F', unit_name: '根' })
    expect(size).toMatchObject({ code: 0 })
    expect(await act(vendor, 'product', 'del', product.info.sn)).toMatchObject({ code: 0 })
    const [kept] = await rows(platform, 'dataRestore', { name: '误删的导管' })
    expect(kept).toMatchObject({ restore_type: 'RESTOREPRODUCT', related_count: 1, operation: 'delete' })
    expect(kept).toMatchObject({ related: '规格型号1条：5F', conflict: null })
    expect((await act(platform, 'dataRestore', 'restore', kept.data_restore_sn)).code).toBe(2000)
    expect(await act(platform, 'dataRestore', 'restore', kept.data_restore_sn, { reason: '误删' })).toMatchObject({
      code: 0,
    })
    expect((await vendor.get(path('product', 'info'), { sn: product.info.sn })).info.name).toBe('误删的导管')
    expect(await rows(vendor, 'specification', { product_sn: product.info.sn })).toHaveLength(1)
    expect(await act(platform, 'dataRestore', 'restore', kept.data_restore_sn, { reason: '再来' })).toMatchObject({
      msg: '该数据已恢复',
    })
    expect(await rows(vendor, 'dataRestore').catch(() => [])).toEqual([])
  })

  step('is not restored if replaced meanwhile, nor a size without its product', async () => {
    const vendor = await server.as('vendor')
    const product = await add(vendor, 'product', {
      name: '先后的导管',
      manufacturer_sn: org('V01'),
      device_class: 'II',
      base_unit: '根',
    })
    const size = await add(vendor, 'specification', { product_sn: product.info.sn, name: '6F', unit_name: '根' })
    await act(vendor, 'specification', 'del', size.info.sn)
    await act(vendor, 'product', 'del', product.info.sn)
    const kept = (await rows(platform, 'dataRestore', { restore_type: 'RESTORESPECIFICATION', name: '6F' }))[0]
    expect(kept.conflict).toBe('请先恢复所属产品')
    expect(await act(platform, 'dataRestore', 'restore', kept.data_restore_sn, { reason: '试' })).toMatchObject({
      msg: '请先恢复所属产品',
    })
  })
})

describe('an incident', () => {
  it('is one row per day and cause, and is closed with a comment', async () => {
    for (const _ of [1, 2, 3]) await dealer.post('/v1/code/parse', { code: '(01)06999999999990' })
    const [row] = await rows(dealer, 'errorRecord', { object: '06999999999990' })
    expect(row).toMatchObject({ times: 3, state: 'waiting' })
    expect(await rows(hospital, 'errorRecord', { object: '06999999999990' })).toEqual([])
    expect(await act(dealer, 'errorRecord', 'handle', row.error_record_sn)).toMatchObject({ msg: '请填写处理说明' })
    expect(await act(dealer, 'errorRecord', 'handle', row.error_record_sn, { note: '已补录条码' })).toMatchObject({
      code: 0,
    })
    await dealer.post('/v1/code/parse', { code: '(01)06999999999990' })
    expect(await rows(dealer, 'errorRecord', { object: '06999999999990' })).toHaveLength(2)
  })

  it('of calls to other systems is shown to the platform, without the code that was sent', async () => {
    const { watchedSender } = await import('#server/identity/sms/sender.ts')
    const send = watchedSender(server.database.app, () => Promise.reject(new Error('isv.BUSINESS_LIMIT_CONTROL')))
    await expect(send({ phone: '13900000001', template: 'login', code: '123456' })).rejects.toThrow()
    const [row] = await rows(platform, 'interfaceError', { error: 'BUSINESS_LIMIT' })
    expect(row).toMatchObject({
      system: 'sms',
      state: 'waiting',
      request: '{"phone":"139****0001","template":"login"}',
    })
    expect(await act(platform, 'interfaceError', 'retry', row.interface_error_sn)).toMatchObject({
      msg: expect.stringContaining('如短信验证码'),
    })
    expect(
      await act(platform, 'interfaceError', 'ignore', row.interface_error_sn, { note: '供应商限流' }),
    ).toMatchObject({ code: 0 })
    expect(await act(platform, 'interfaceError', 'close', row.interface_error_sn, { note: '再处理' })).toMatchObject({
      msg: '该异常已处理',
    })
  })
})
