import { plain, subtract } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, today } from '#kernel/values/date.ts'
import { openStage, type Person, type Stage } from '#tests/support/story.ts'

/** The switches that the platform sets for an organisation, and their effect there. */
let stage: Stage
let platform: Person
let hospital: Person
let dealer: Person
let vendor: Person
const org = new Map<string, string>()
beforeAll(async () => {
  stage = await openStage()
  ;[platform, hospital, dealer, vendor] = (await Promise.all(
    ['platform', 'hospital', 'dealer', 'vendor'].map(login => stage.person(login)),
  )) as [Person, Person, Person, Person]
  for (const code of ['H01', 'D01', 'V01']) org.set(code, await stage.org(code))
})
afterAll(() => stage.close())

const set = async (code: string, title: string, value: string) => {
  const [row] = await platform.list('orgBusinessConfig', { holder_sn: org.get(code)!, title })
  const reply = await platform.client.post('/v1/business/orgBusinessConfig/edit', {
    sn: row.config_sn,
    version: row.version,
    value,
  })
  expect(reply.msg).toBe('')
}
const order = async () => ({
  counterparty_sn: org.get('D01'),
  warehouse_model_inner_sn: await stage.store('H01', 'central'),
  lines: [{ specification_sn: await stage.specification('P009-01'), quantity: '2' }],
})

describe('quality', () => {
  it('expired certificates stop an order or give a warning', async () => {
    await stage.one(
      `update registration_certificate set valid_to = '2020-01-01'
        where id = (select registration_certificate_id from specification where code = 'P009-01') returning id`,
    )
    const sn = await hospital.add('purchaseOrder', await order())
    const submit = async () =>
      hospital.client.post('/v1/business/purchaseOrder/submit', {
        sn,
        version: (await hospital.info('purchaseOrder', sn)).version,
      })
    expect((await submit()).msg).toContain('已过期')
    await set('H01', '注册证过期控制', '仅警告')
    expect((await submit()).code).toBe(2200)
    await stage.one(
      `update registration_certificate set valid_to = '2099-01-01'
        where id = (select registration_certificate_id from specification where code = 'P009-01') returning id`,
    )
  })

  it('licences near expiry: as many days before as set, the last day included', async () => {
    const [row] = await hospital.list('licence')
    const state = async (days: number) => {
      await stage.one(
        'update licence set long_term = false, status = $3, valid_to = $2 where id = $1 returning id',
        row.licence_sn,
        addDays(today(), days),
        'enabled',
      )
      return (await hospital.client.get('/v1/business/licence/info', { sn: row.licence_sn })).info.licence_state
    }
    expect([await state(90), await state(91)]).toEqual(['expiring', 'valid'])
    await set('H01', '证照预警天数', '30')
    expect([await state(30), await state(31), await state(-1)]).toEqual(['expiring', 'valid', 'expired'])
    // Afterwards the licence is made valid again, so that the organisation can trade.
    await state(400)
  })

  it('180 days of warning: a lot that expires on the 180th day is near expiry, one a day later is not', async () => {
    const warehouse = await stage.store('D01', 'central')
    const goods = async (lot: string, days: number) => ({
      specification_sn: await stage.specification('P009-01'),
      quantity: '1',
      price: '10',
      lot_no: lot,
      production_date: addDays(today(), -100),
      expiry_date: addDays(today(), days),
    })
    const sn = await dealer.add('openingStock', {
      warehouse_model_inner_sn: warehouse,
      lines: [await goods('NEAR', 180), await goods('FAR', 181)],
    })
    await dealer.pass('openingStock', sn)
    const near = async () =>
      (await dealer.list('stockBalance', { expiry_state: 'near', warehouse_model_inner_sn: warehouse })).map(
        row => row.lot_no,
      )
    expect(await near()).toEqual(['NEAR'])
    await set('D01', '效期预警天数', '181')
    expect((await near()).toSorted()).toEqual(['FAR', 'NEAR'])
  })
})

describe('documents and products', () => {
  it('the price of a source can be changed, until the setting forbids it', async () => {
    const sn = await hospital.add('purchaseOrder', await order())
    await hospital.pass('purchaseOrder', sn)
    const { lines } = await hospital.info('purchaseOrder', sn)
    const line = {
      source_line_no: lines[0].line_no,
      quantity: '1',
      price: subtract(lines[0].price, '1', 4),
      lot_no: 'LX1',
      production_date: addDays(today(), -10),
      expiry_date: addDays(today(), 900),
    }
    const receipt = await hospital.add('purchaseGrn', { source_type: 3, source_sn: sn, lines: [line] })
    await set('H01', '允许修改单价', '否')
    const refused = `第1行：本机构不允许修改单价，应为来源单的${plain(lines[0].price)}`
    expect((await hospital.do('purchaseGrn', 'submit', receipt)).msg).toBe(refused)
    await set('H01', '允许修改单价', '是')
    expect((await hospital.do('purchaseGrn', 'submit', receipt)).msg).not.toBe(refused)
  })

  it('a new product takes the tax rate and coding from the settings if it has none', async () => {
    await set('V01', '默认税率', '9')
    await set('V01', '是否一物一码', '是')
    const base = { manufacturer_sn: org.get('V01'), device_class: 'II', base_unit: '根' }
    const add = async (more: object) => {
      const reply = await vendor.client.post('/v1/business/product/add', { ...base, ...more })
      return (await vendor.client.get('/v1/business/product/info', { sn: reply.info.sn })).info
    }
    expect(await add({ name: '默认的导丝' })).toMatchObject({ tax_rate: 9, is_unit_coded: true })
    expect(await add({ name: '写明的导丝', tax_rate: 13, is_unit_coded: false })).toMatchObject({
      tax_rate: 13,
      is_unit_coded: false,
    })
  })
})

describe('services', () => {
  it('the assistant answers until it is switched off', async () => {
    const ask = () => dealer.client.raw({ method: 'GET', url: '/v1/llm/streamChatWithWeb?content=%E5%B8%AE%E5%8A%A9' })
    expect((await ask()).body).toContain('data:')
    await set('D01', 'AI助手开关', '否')
    expect((await ask()).json().msg).toBe('本机构未开通AI助手，请联系平台')
  })

  it('the monthly message limit is the one set, before that of the service level', async () => {
    const { beyondCalls } = await import('#modules/base/settings/plan-limits.server.ts')
    const beyond = () => stage.server.database.owner.begin(tx => beyondCalls(tx, org.get('D01')!, 'sms'))
    expect(await beyond()).toBeNull()
    await set('D01', '短信额度(条/月)', '1')
    await stage.one(
      `insert into outbound_call (org_id, call_key, system, name, state) values ($1, 'k', 'sms', 'x', 'succeeded')
        returning id`,
      org.get('D01'),
    )
    expect(await beyond()).toBe('短信额度已用完(1条/月)，请升级VIP等级')
  })

  it('charges go to the HIS until its switch is off', async () => {
    const { settingsFor: settingsOf } = await import('#server/settings/settings.ts')
    const { surgeryUseRules } = await import('#modules/hospital/ward/usage/surgery-use.server.ts')
    const { inOrganisation } = await import('#server/database/transaction.ts')
    const { systemSessionOf } = await import('#server/organisations/organisations.ts')
    const hospitalId = org.get('H01')!
    const said = () =>
      inOrganisation(stage.server.database.app, hospitalId, '0', async tx => {
        const [session, settings] = [await systemSessionOf(tx, hospitalId), await settingsOf(tx, hospitalId)]
        const charge = surgeryUseRules.validate!.charge as (ctx: never) => Promise<void>
        return charge({ tx, session, settings } as never).then(
          () => '',
          (refusal: Error) => refusal.message,
        )
      })
    expect(await said()).toContain('HIS接口未接通')
    await set('H01', 'HIS接口开关', '否')
    expect(await said()).toBe('本机构未开通HIS接口，不能计费或退费，请联系平台')
  })

  it('the sign-in shows how long a password is valid', async () => {
    await set('D01', '密码周期(天)', '60')
    expect((await dealer.client.get('/v1/user/user_info')).info.user_info.password_cycle).toBe(60)
  })
})
