import { afterAll, beforeAll, expect } from 'vitest'
import { announceRegistered } from '#modules/trade/partners/relations/local-partner.server.ts'
import { sendAllAuthorisations } from '#modules/trade/licensing/authorisation-sync.server.ts'
import { checkLedgers } from '#server/ledger/check/check.ts'
import { day, openStage, type Person, type Stage } from '#tests/support/story.ts'
import { story } from '#tests/support/steps.ts'

/** A hospital records a supplier outside the platform, trades with it internally, and joins it when it registers. */
let stage: Stage
let hospital: Person
let other: Person
let dealer: Person
let local: string
let goods: string
let receipt: string
const CODE = '91320594MA1LOCAL0X'
const NAME = '苏州临溪医疗器械有限公司'
const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`

beforeAll(async () => {
  stage = await openStage()
  ;[hospital, dealer] = [await stage.person('hospital'), await stage.person('dealer')]
  await stage.server.database.owner`
    insert into app_user (org_id, login, password_hash, name, is_administrator)
    select ${await stage.org('H02')}, 'hospital-two', password_hash, '二院', true from app_user where login = 'hospital'`
  other = await stage.person('hospital-two')
})
afterAll(() => stage?.close())

const add = (body: object, who = hospital) => who.client.post(path('localPartner', 'add'), body as never)
const row = async (kind: string, query: Record<string, string>, who = hospital) => (await who.list(kind, query))[0]
const act = (who: Person, kind: string, action: string, sn: string, version: number, more = {}) =>
  who.client.post(path(kind, action), { sn, version, ...more })

story('a partner that is not on the platform, until it is', step => {
  step(
    'a partner not on the platform is recorded with its credit code, once, and only if it is not on the platform',
    async () => {
      const body = { name: NAME, system_type: '2', social_credit_code: CODE.toLowerCase(), registrant: '林溪' }
      expect((await add({ ...body, name: '坏*名' })).errors[0].msg).toBe('不能输入特殊字符')
      expect((await add({ ...body, social_credit_code: '123' })).errors[0].msg).toBe(
        '统一社会信用代码格式为字母或数字组合的18位',
      )
      const added = await add(body)
      expect(added.code, added.msg).toBe(0)
      local = added.info.sn
      expect((await add(body)).errors[0].msg).toBe(`统一社会信用代码已登记为未入驻机构【${NAME}】`)
      const { social_credit_code: known, name } = await stage.one(
        `select social_credit_code, name from organisation where code = 'D03'`,
      )
      expect((await add({ ...body, social_credit_code: known })).errors[0].msg).toBe(
        `【${name}】已入驻平台，请在往来机构中申请建立关系`,
      )
      const vendor = await stage.person('vendor')
      expect((await add({ ...body, system_type: '3' }, vendor)).errors[0].msg).toBe('与厂商不能建立往来关系')
      expect(await row('localPartner', { name: '临溪' })).toMatchObject({
        code: 'W0002',
        relation: 'HD',
        social_credit_code: CODE,
        match_state: 'absent',
      })
      expect(await row('orgRelation', { name: '临溪' })).toMatchObject({
        relation: 'HD',
        status: 'enabled',
        partner_state: 'absent',
        contact: '林溪',
      })
    },
  )

  step(
    'a partner not on the platform is private: not found by name, code, picker or key; others keep their own',
    async () => {
      for (const who of [other, dealer, await stage.person('platform')])
        for (const [kind, query] of [
          ['organisation', { q: '临溪' }],
          ['organisation', { q: '临溪', scope: 'all' }],
          ['localPartner', { q: '临溪' }],
        ] as const) {
          const reply = await who.client.get(path(kind, 'list'), query)
          expect(JSON.stringify(reply.list ?? [])).not.toContain('临溪')
        }
      expect((await other.client.get(path('organisation', 'info'), { sn: local })).code).toBe(2106)
      const outsider = await other.client.post(path('purchaseOrder', 'add'), { counterparty_sn: local, lines: [] })
      expect(outsider.msg).toContain('不存在')
      expect((await add({ name: NAME, system_type: '2', social_credit_code: CODE }, other)).code).toBe(0)
    },
  )

  step('a partner not on the platform has its licences filed and checked like those of any partner', async () => {
    const licence = await hospital.client.post(path('licence', 'add'), {
      holder_sn: local,
      licence_type: '医疗器械经营许可证',
      licence_no: '苏苏药监械经营许20250001号',
      valid_from: '2025-01-01',
      valid_to: '2030-01-01',
    })
    expect(licence.code, licence.msg).toBe(0)
    const filed = () => row('orgRelation', { name: '临溪' })
    expect(await filed()).toMatchObject({ licence_state: 'missing' })
    await stage.server.database.owner`update licence set audit_state = 'passed' where holder_id = ${local}`
    expect(await filed()).toMatchObject({ licence_state: 'valid', missing_papers: '营业执照' })
    expect(await row('localPartner', { name: '临溪' })).toMatchObject({ licence_count: 1 })
  })

  step(
    'a partner not on the platform is bought from, invoiced and paid; nothing is sent outside the organisation',
    async () => {
      goods = await stage.specification('P009-01')
      const registered = await hospital.add('priceRegistration', {
        price_side: 'buy',
        counterparty_sn: local,
        valid_from: day(),
        change_reason: '首次采购',
        lines: [{ specification_sn: goods, quantity: '1', price: '20' }],
      })
      await hospital.pass('priceRegistration', registered)
      const order = await hospital.add('purchaseOrder', {
        counterparty_sn: local,
        warehouse_model_inner_sn: await stage.warehouse('H01-W01'),
        lines: [{ specification_sn: goods, quantity: '10' }],
      })
      // An organisation that filed no licences of a partner cannot buy from it.
      expect(await hospital.do('purchaseOrder', 'submit', order)).toMatchObject({
        code: 2104,
        msg: `供应商【${NAME}】没有有效的营业执照，不能下单`,
      })
      for (const [licence_type, licence_no] of [
        ['营业执照', CODE],
        ['医疗器械经营许可证', 'LX-JY-1'],
      ])
        await stage.server.database.owner`
          insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, valid_to, audit_state)
          values (${await stage.org('H01')}, ${local}, ${licence_type!}, ${licence_no!}, ${day(-90)}, ${day(900)},
            'passed')`
      await hospital.pass('purchaseOrder', order)
      receipt = await hospital.add('purchaseGrn', {
        source_type: 3,
        source_sn: order,
        lines: [{ source_line_no: 1, quantity: '4', lot_no: 'LX01', production_date: day(-30), expiry_date: day(700) }],
      })
      await hospital.pass('purchaseGrn', receipt)
      expect(await row('accountBalance', { counterparty_sn: local })).toMatchObject({ payable: '80.00' })
      const sent = await stage.one('select count(*)::int as n from intercompany_message where to_org_id = $1', local)
      expect(sent.n).toBe(0)
      expect((await stage.one('select count(*)::int as n from document where org_id = $1', local)).n).toBe(0)
      const [kept] = await hospital.list('localPartner', { name: '临溪' })
      expect((await act(hospital, 'localPartner', 'del', local, kept.version)).msg).toBe('存在业务往来，不能删除')
    },
  )

  step('a partner not on the platform cannot be matched before it registers', async () => {
    const [kept] = await hospital.list('localPartner', { name: '临溪' })
    expect((await act(hospital, 'localPartner', 'merge', local, kept.version)).msg).toBe(
      `平台上还没有统一社会信用代码为${CODE}的机构，待其注册通过后再匹配`,
    )
  })

  {
    let newcomer: Person
    let target: string

    step('when it registers organisations that keep a record of it are notified once', async () => {
      const { owner, app } = stage.server.database
      target = (
        await stage.one(
          `insert into organisation (code, name, system_type, social_credit_code) values ('D90', $1, 2, $2)
            returning id`,
          NAME,
          CODE,
        )
      ).id
      await owner`
      insert into app_user (org_id, login, password_hash, name, is_administrator)
      select ${target}, 'newcomer', password_hash, '林溪', true from app_user where login = 'dealer'`
      newcomer = await stage.person('newcomer')
      await announceRegistered(app, owner)
      await announceRegistered(app, owner)
      const notified = await owner`select org_id, body from message where title = '机构已入驻' order by id`
      expect(notified.map(one => one.org_id)).toEqual([await stage.org('H01'), await stage.org('H02')])
      expect(await row('localPartner', { name: '临溪' })).toMatchObject({ match_state: 'joined' })
    })

    step(
      'when it registers matching requests the relation; on agreement all documents, accounts and licences follow',
      async () => {
        const [kept] = await hospital.list('localPartner', { name: '临溪' })
        const asked = await act(hospital, 'localPartner', 'merge', local, kept.version)
        expect(asked.code, asked.msg).toBe(0)
        const [waiting] = await hospital.list('localPartner', { name: '临溪' })
        expect(waiting.match_state).toBe('asked')
        expect((await act(hospital, 'localPartner', 'merge', local, waiting.version)).msg).toBe(
          `已向【${NAME}】申请建立关系，对方通过后自动匹配`,
        )
        const incoming = await row('orgRelation', { direction: 'incoming', status: 'pending' }, newcomer)
        expect(incoming).toMatchObject({ relation: 'DH' })
        const agreed = await act(newcomer, 'orgRelation', 'review', incoming.relation_sn, incoming.version)
        expect(agreed.code, agreed.msg).toBe(0)

        expect(await hospital.list('localPartner', { name: '临溪' })).toEqual([])
        expect(await hospital.list('orgRelation', { name: '临溪' })).toMatchObject([
          { org_sn: target, status: 'enabled', contact: '林溪', partner_state: 'joined' },
        ])
        expect(await hospital.list('purchaseGrn', { counterparty_sn: target })).toMatchObject([{ sn: receipt }])
        expect(await row('accountBalance', { counterparty_sn: target })).toMatchObject({ payable: '80.00' })
        expect(await hospital.list('accountBalance', { counterparty_sn: local })).toEqual([])
        expect(await row('licence', { holder_name: '临溪' })).toMatchObject({ holder_sn: target })
        expect(await checkLedgers(stage.server.database.owner)).toEqual([])
      },
    )

    step(
      'when it registers open documents are finished and undone under the new name, and new ones are sent',
      async () => {
        await hospital.done('purchaseGrn', 'unreview', receipt)
        expect(await hospital.list('accountBalance', { counterparty_sn: target })).toEqual([])
        await hospital.done('purchaseGrn', 'review', receipt)
        expect(await row('accountBalance', { counterparty_sn: target })).toMatchObject({ payable: '80.00' })
        const order = await hospital.add('purchaseOrder', {
          counterparty_sn: target,
          warehouse_model_inner_sn: await stage.warehouse('H01-W01'),
          lines: [{ specification_sn: goods, quantity: '2' }],
        })
        await hospital.pass('purchaseOrder', order)
        expect(await newcomer.from('salesOrder', order)).toMatchObject({ state: 'submitted' })
        expect(await checkLedgers(stage.server.database.owner)).toEqual([])
      },
    )

    step('when it registers an organisation it asks first matches, then agrees', async () => {
      const asked = await newcomer.client.post(path('orgRelation', 'add'), {
        partner_sn: await stage.org('H02'),
        relation: 'DH',
        apply_note: '供货',
      })
      expect(asked.code, asked.msg).toBe(0)
      const waiting = () => row('orgRelation', { direction: 'incoming', name: '临溪' }, other)
      expect(await waiting()).toMatchObject({ twin_name: NAME, status: 'pending' })
      const { relation_sn, version } = await waiting()
      expect((await act(other, 'orgRelation', 'review', relation_sn, version)).msg).toBe(
        '已存在相同统一社会信用代码的机构，请先匹配',
      )
      const matched = await act(other, 'orgRelation', 'match', relation_sn, version)
      expect(matched.code, matched.msg).toBe(0)
      const again = await waiting()
      expect(again.twin_name).toBeNull()
      expect((await act(other, 'orgRelation', 'match', relation_sn, again.version)).msg).toBe(
        '没有统一社会信用代码相同的未入驻机构，可以直接审核',
      )
      expect((await act(other, 'orgRelation', 'review', relation_sn, again.version)).code).toBe(0)
      expect(await other.list('orgRelation', { name: '临溪' })).toMatchObject([{ org_sn: target, status: 'enabled' }])
    })

    step('when it registers a dealer’s locally entered authorisation is passed on when it joins', async () => {
      const vendor = await stage.person('vendor')
      const code = '91320594MA1LOCAL2Z'
      const kept = (await add({ name: '授权在先', system_type: '2', social_credit_code: code }, vendor)).info.sn
      const [led] = await vendor.list('dealer', { partner_name: '授权在先' })
      const product = await stage.one(
        `select id from product where manufacturer_id = $1 order by id limit 1`,
        await stage.org('V01'),
      )
      const given = await vendor.client.post(path('dealerAuthorisation', 'add'), {
        dealer_sn: led.dealer_sn,
        product_sn: product.id,
        authorisation_no: 'SQ-L',
        valid_from: day(),
        valid_to: day(90),
      })
      expect(given.code, given.msg).toBe(0)
      const held = async () =>
        stage.one(
          'select count(*)::int as n, min(org_id) as org from authorisation_held where authorisation_no = $1',
          'SQ-L',
        )
      expect((await held()).n).toBe(0)
      const { owner } = stage.server.database
      const { id } = await stage.one(
        `insert into organisation (code, name, system_type, social_credit_code) values ('D92', '授权在先', 2, $1)
        returning id`,
        code,
      )
      await owner`insert into org_relation (org_id, partner_id, relation)
        values (${await stage.org('V01')}, ${id}, 'DV')`
      const [record] = await vendor.list('localPartner', { name: '授权在先' })
      const joined = await act(vendor, 'localPartner', 'merge', kept, record.version)
      expect(joined.code, joined.msg).toBe(0)
      await sendAllAuthorisations(owner)
      expect(await held()).toMatchObject({ n: 1, org: id })
      expect((await stage.one('select count(*)::int as n from message where org_id = $1', kept)).n).toBe(0)
    })

    step('when it registers cannot be matched while its goods are here on consignment', async () => {
      const code = '91320594MA1LOCAL1Y'
      const kept = (await add({ name: '寄售小厂', system_type: '2', social_credit_code: code })).info.sn
      const { owner } = stage.server.database
      const [lot] = await owner<{ id: string }[]>`
      insert into lot (specification_id, lot_no) values (${goods}, 'JS-1') returning id`
      await owner`
      insert into stock_balance (org_id, warehouse_id, location, specification_id, lot_id, owner_id, quality_state,
        quantity, value)
      values (${await stage.org('H01')}, ${await stage.warehouse('H01-W01')}, '', ${goods}, ${lot!.id}, ${kept},
        'qualified', 1, 0)`
      await owner`insert into organisation (code, name, system_type, social_credit_code)
      values ('D91', '寄售小厂', 2, ${code})`
      const [d91] = await owner<{ id: string }[]>`select id from organisation where code = 'D91'`
      await owner`insert into org_relation (org_id, partner_id, relation)
      values (${await stage.org('H01')}, ${d91!.id}, 'HD')`
      const [record] = await hospital.list('localPartner', { name: '寄售' })
      expect((await act(hospital, 'localPartner', 'merge', kept, record.version)).msg).toBe(
        '库存中还有该机构的寄售货物，请先退回或使用并结算，再匹配',
      )
    })
  }
})
