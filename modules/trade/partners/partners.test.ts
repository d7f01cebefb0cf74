import { parseInteger } from '#kernel/values/integer.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { type TestServer, openTestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const org = (code: string) => server.masters.organisations.get(code) ?? ''

story('relations of organisations, and the organisations themselves', step => {
  // relations
  const found: readonly [string, string, string, string][] = [
    ['hospital', '2', 'D01', 'HD'],
    ['dealer', '1', 'H01', 'DH'],
    ['dealer', '3', 'V01', 'DV'],
    ['vendor', '2', 'D01', 'DV'],
    ['dealer', '2', 'D02', 'DD'],
  ]
  for (const [who, type, partner, relation] of found)
    step(`${who} finds partners of type ${type}: ${partner} as ${relation}`, async () => {
      const { list } = await (await server.as(who)).get('/v1/business/orgRelation/list', {
        system_type: type,
        status: 'enabled',
      })
      expect(list).toContainEqual(
        expect.objectContaining({
          org_sn: org(partner),
          relation,
          system_type: parseInteger(type),
          status: 'enabled',
          name: expect.stringContaining('演示'),
        }),
      )
    })

  step('are requested by one side and live for both after the other agreed', async () => {
    const [vendor, hospital] = [await server.as('vendor'), await server.as('hospital')]
    await server.database
      .owner`delete from org_relation where relation = 'HV' and ${org('V01')} in (org_id, partner_id)`
    const asked = await vendor.post('/v1/business/orgRelation/add', {
      partner_sn: org('H01'),
      relation: 'HV',
      payment_days: 30,
    })
    expect(asked.code).toBe(0)
    expect((await vendor.post('/v1/business/orgRelation/review', { sn: asked.info.sn, version: 1 })).code).toBe(2101)
    const crossing = { partner_sn: org('V01'), relation: 'HV' }
    expect((await hospital.post('/v1/business/orgRelation/add', crossing)).errors[0].msg).toBe('已存在待审核的申请')
    const { list } = await hospital.get('/v1/business/orgRelation/list', { direction: 'incoming', name: '澜屿' })
    expect(list).toMatchObject([{ relation: 'HV', status: 'pending' }])
    expect((await hospital.get('/v1/business/orgRelation/info', { sn: list[0].relation_sn })).info.actions).toContain(
      'review',
    )
    expect((await hospital.post('/v1/business/orgRelation/review', { sn: list[0].relation_sn, version: 1 })).code).toBe(
      0,
    )
    expect((await vendor.get('/v1/business/orgRelation/info', { sn: asked.info.sn })).info.status).toBe('enabled')
  })

  step('are refused with a reason that the requester reads', async () => {
    const vendor = await server.as('vendor')
    const [incoming] = (await vendor.get('/v1/business/orgRelation/list', { direction: 'incoming' })).list
    expect(
      (await vendor.post('/v1/business/orgRelation/reject', { sn: incoming.relation_sn, version: incoming.version }))
        .msg,
    ).toBe('请填写未通过原因')
    expect(
      (
        await vendor.post('/v1/business/orgRelation/reject', {
          sn: incoming.relation_sn,
          version: incoming.version,
          reason: '区域已有代理',
        })
      ).code,
    ).toBe(0)
    const [row] = await server.database
      .owner`select status, opinion from org_relation where org_id = ${org('D02')} and partner_id = ${org('V01')}`
    expect(row).toMatchObject({ status: 'refused', opinion: '区域已有代理' })
  })

  step('cannot be of a kind the two do not allow, duplicated, or with oneself', async () => {
    const hospital = await server.as('hospital')
    const add = (partner: string, relation: string) =>
      hospital.post('/v1/business/orgRelation/add', { partner_sn: org(partner), relation })
    expect((await add('V02', 'DV')).msg).toContain('不能建立DV关系')
    expect((await add('H01', 'HH')).msg).toBe('请选择相关机构。')
    const nobody = { partner_sn: '999999999', relation: 'HD' }
    expect((await hospital.post('/v1/business/orgRelation/add', nobody)).errors[0].msg).toBe(
      '被编辑过的相关机构名称不存在。',
    )
    expect((await add('D01', 'HD')).code).not.toBe(0)
    expect((await add('D01', 'DH')).code).not.toBe(0)
  })

  step('with business between them cannot be deleted', async () => {
    const hospital = await server.as('hospital')
    const [row] = (await hospital.get('/v1/business/orgRelation/list', { name: '栎舟' })).list
    expect(
      await hospital.post('/v1/business/orgRelation/del', { sn: row.relation_sn, version: row.version }),
    ).toMatchObject({ code: 2108, msg: '存在业务往来，不能删除' })
  })

  // organisations
  step('are kept by the platform, under codes it assigns', async () => {
    const platform = await server.as('platform')
    const reply = await platform.post('/v1/business/organisation/add', {
      name: '新医院',
      system_type: '1',
      social_credit_code: '12320500DEM0009991',
    })
    expect((await platform.get('/v1/business/organisation/info', { sn: reply.info.sn })).info).toMatchObject({
      code: 'H03',
      system_type: 1,
      address: '',
    })
    expect(
      (
        await platform.post('/v1/business/organisation/add', {
          name: '新*医院',
          system_type: '1',
          social_credit_code: '1',
        })
      ).errors,
    ).toEqual([
      { field: 'name', msg: '机构名称中请不要输入特殊字符' },
      { field: 'social_credit_code', msg: '统一社会信用代码格式为字母或数字组合的18位' },
    ])
    expect(
      (
        await platform.post('/v1/business/organisation/add', {
          name: '重复',
          system_type: '1',
          social_credit_code: '12320500DEM0009991',
        })
      ).code,
    ).toBe(2105)
    expect((await (await server.as('dealer')).post('/v1/business/organisation/add', { name: '越权' })).code).toBe(403)
  })

  step('show outsiders only the public register', async () => {
    const vendor = await server.as('vendor')
    const { list } = await vendor.get('/v1/business/organisation/list', { scope: 'all', pageSize: '50' })
    const find = (code: string) => list.find((row: { code: string }) => row.code === code)
    expect(find('D01').registrant_phone).toBe('13900000004')
    expect(find('D03')).toMatchObject({ name: expect.any(String), registrant_phone: null, bank_account: null })
    expect(
      (await vendor.get('/v1/business/organisation/list')).list.map((row: { code: string }) => row.code),
    ).not.toContain('D03')
  })

  step('offer a buyer its suppliers and a seller its customers', async () => {
    const codes = async (who: string, relation: string) =>
      (await (await server.as(who)).get('/v1/business/organisation/list', { relation })).list.map(
        (row: { code: string }) => row.code,
      )
    expect(await codes('hospital', 'supplier')).toEqual(expect.arrayContaining(['D01', 'D02', 'D03', 'V03']))
    expect(await codes('dealer', 'customer')).toEqual(expect.arrayContaining(['H01', 'H02']))
    expect(await codes('dealer', 'supplier')).toEqual(expect.arrayContaining(['V01', 'V02']))
  })

  step('that are stopped sign everyone out', async () => {
    const [platform, other] = [await server.as('platform'), await server.as('dealer2', 'Spd@2026')]
    const [row] = (await platform.get('/v1/business/organisation/list', { name: '栎舟' })).list
    expect(
      (
        await platform.post('/v1/business/organisation/disable', {
          sn: row.org_sn,
          version: row.version,
          reason: '资质到期',
        })
      ).code,
    ).toBe(0)
    expect((await other.get('/v1/user/user_info')).status).toBe(401)
  })
})
