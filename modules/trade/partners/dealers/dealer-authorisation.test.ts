import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** From manufacturer to dealer to sub-dealer: no one grants more than they have, and no one sells beyond it. */
let scene: Scene
let maker: Person
let below: Person
let product: string
let h2: string
let makerCode: string
const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`
const HERE = '江苏省苏州市吴中区'

beforeAll(async () => {
  scene = await openScene()
  const { one, inflator, server } = scene
  const made = await one(
    `select p.id, o.code from specification s join product p on p.id = s.product_id
      join organisation o on o.id = p.manufacturer_id where s.id = $1`,
    inflator,
  )
  product = made.id
  makerCode = made.code
  for (const code of [made.code as string, 'D02'])
    await server.database.owner`
      insert into app_user (org_id, login, password_hash, name, is_administrator)
      select ${await scene.org(code)}, ${`boss-${code}`}, password_hash, ${code}, true from app_user
        where login = 'vendor'`
  ;[maker, below] = [await scene.person(`boss-${made.code as string}`), await scene.person('boss-D02')]
  h2 = await scene.org('H02')
  await one(
    `insert into org_relation (org_id, partner_id, relation, valid_from) values ($1, $2, 'DV', $3) on conflict
      do nothing returning 1`,
    await scene.org(made.code),
    scene.d,
    day(-30),
  )
  await scene.shelve(scene.dealer, scene.shop, [lotOf(inflator, 'AU1', { quantity: '50' })])
})
afterAll(() => scene?.close())

/** Grants an authorisation to this organisation's dealer. */
async function give(who: Person, to: string, more: object) {
  const dealers = await who.list('dealer')
  return who.client.post(path('dealerAuthorisation', 'add'), {
    dealer_sn: dealers.find(row => row.partner_sn === to)?.dealer_sn,
    product_sn: product,
    authorisation_no: 'SQ-1',
    valid_from: day(-10),
    valid_to: day(100),
    ...more,
  })
}
const held = (who: Person) => who.list('heldAuthorisation', { product_sn: product })
const sell = (customer: string, kind = 'saleOdo', more: object = {}) =>
  attempt(scene.dealer, kind, {
    counterparty_sn: customer,
    warehouse_model_inner_sn: scene.shop,
    lines: [{ specification_sn: scene.inflator, lot_no: 'AU1', quantity: '1' }],
    ...more,
  })

story('授权链', step => {
  step('is not checked while no authorisation was given', async () => {
    expect((await sell(h2)).code).toBe(0)
  })

  step('names divisions, and a hospital inside them; it reaches the dealer at once', async () => {
    expectMessage(await give(maker, scene.d, { area: '江南' }), '没有找到行政区划【江南】，请填写省、市或县的全称')
    expectMessage(await give(maker, scene.d, { area: '广东省', hospital_sn: scene.h }), '授权医院不在授权区域内')
    const given = await give(maker, scene.d, { area: '吴中区' })
    expect(given.code, given.msg).toBe(0)
    expect(await held(scene.dealer)).toMatchObject([
      { area: HERE, hospital_sn: null, authorisation_no: 'SQ-1', held_state: 'valid', valid_to: day(100) },
    ])
    const [notified] = await scene.server.database.owner`
      select body from message where org_id = ${scene.d} and title = '经销授权' order by id desc limit 1`
    expect(notified!.body).toContain('（SQ-1）')
    expect((await maker.client.post(path('dealerAuthorisation', 'del'), { sn: given.info.sn, version: 1 })).msg).toBe(
      '授权已发给经销商，不能删除，请停用',
    )
  })

  step('links to a licence of either archive, which has its dates and is changed where it was granted', async () => {
    const licenceOf = async (who: Person, licence_type: string) => {
      const [licence] = await who.list('licence', { licence_no: 'SQ-1', licence_type })
      const lines = await who.list('authorisationLine', { licence_sn: licence.licence_sn })
      const act = (kind: string, action: string, more: object = {}) => {
        const row = kind === 'licence' ? licence : lines[0]
        const sn = kind === 'licence' ? licence.licence_sn : lines[0].authorisation_line_sn
        return who.client.post(path(kind, action), { sn, version: row.version, ...more })
      }
      return { licence, lines, act }
    }
    const given = await licenceOf(maker, '产品授权书')
    expect(given.licence).toMatchObject({
      holder_type: 'own',
      grantee_sn: scene.d,
      valid_from: day(-10),
      valid_to: day(100),
    })
    expect(given.lines).toMatchObject([{ line_origin: 'given', area: HERE, product_sn: product, grant_level: '1' }])
    const there = '在【证照授权】的【产品授权书】中'
    expectMessage(
      await given.act('licence', 'edit', { valid_to: day(200) }),
      `给经销商的产品授权书，编号、期限、被授权方和启停请${there}修改`,
    )
    const renewed = { licence_no: 'SQ-1A', valid_from: day(), valid_to: day(300) }
    expectMessage(await given.act('licence', 'renew', renewed), `给经销商的产品授权书${there}续期`)
    expectMessage(await given.act('authorisationLine', 'edit', { area: null }), `给经销商的授权请${there}修改`)
    expectMessage(await given.act('licence', 'del'), '证照已被授权或引用，不能删除')
    const attachments = [await uploadPicture(maker)]
    const scanned = await given.act('licence', 'edit', { attachments })
    expect(scanned.msg).toBe('')
    const got = await licenceOf(scene.dealer, '授权书')
    expect(got.licence.attachments).toEqual(attachments)
    expect((await scene.dealer.client.raw({ method: 'GET', url: `/file/${attachments[0]!}` })).statusCode).toBe(200)
    expect(got.licence).toMatchObject({
      origin: 'granted',
      holder_type: 'own',
      audit_state: 'passed',
      valid_to: day(100),
    })
    expect(got.lines).toMatchObject([{ line_origin: 'received', area: HERE, product_sn: product }])
    expectMessage(await got.act('licence', 'edit', { remark: '改' }), '对方授权的证照由对方维护，不能修改')
    expectMessage(await got.act('licence', 'del'), '授权书由授权方发来，不能删除，可以停用')
    expectMessage(await got.act('authorisationLine', 'edit', { area: null }), '由授权方发来的授权明细不能修改')
  })

  const bounds: readonly [string, Record<string, unknown>, number][] = [
    ['product', {}, 0],
    ['area', { area: '江苏省' }, 1],
    ['everywhere', { area: null }, 1],
    ['hospital', { area: null, hospital: 'H02' }, 1],
    ['a day too many', { area: HERE, valid_to: day(101) }, 1],
    ['a day too early', { area: HERE, valid_from: day(-11) }, 1],
    ['a hospital within', { area: null, hospital: 'H01' }, 0],
  ]
  for (const [what, more, refused] of bounds)
    step(`is given on no wider than it was given: ${what}`, async () => {
      const { hospital, ...rest } = more
      const reply = await give(scene.dealer, await scene.org('D02'), {
        area: HERE,
        authorisation_no: 'SQ-2',
        ...rest,
        ...(hospital ? { hospital_sn: await scene.org(String(hospital)) } : {}),
      })
      if (refused) expect(reply.errors[0].msg).toBe('授权范围超出上级授权')
      else expect(reply.code, reply.msg).toBe(0)
    })

  step('limits every sale, gift and application; it only gives a warning if set so', async () => {
    expect((await sell(scene.h)).code).toBe(0)
    const refused = /^【.*】对【云栎演示人民医院】没有有效的销售授权（医院、区域或期限不符）$/
    expectMessage(await sell(h2), refused)
    expectMessage(await sell(h2, 'giveOdo', { give_type: 'support' }), refused)
    const order = { lines: [{ specification_sn: scene.inflator, quantity: '1', price: '145' }] }
    expectMessage(await attempt(scene.dealer, 'salesOrder', { ...order, counterparty_sn: h2 }, 'review'), refused)
    // A submitted gift is checked again when it leaves, and names the authorisation.
    const gift = await scene.dealer.add('giveOdo', {
      counterparty_sn: scene.h,
      warehouse_model_inner_sn: scene.shop,
      give_type: 'support',
      lines: [{ specification_sn: scene.inflator, lot_no: 'AU1', quantity: '1' }],
    })
    await scene.dealer.done('giveOdo', 'submit', gift)
    const { owner } = scene.server.database
    await owner`update licence_line set status = 'disabled' where org_id = ${scene.d} and product_id = ${product}`
    expectMessage(await scene.dealer.do('giveOdo', 'review', gift), /没有有效的销售授权/)
    await owner`update licence_line set status = 'enabled' where org_id = ${scene.d} and product_id = ${product}`
    await scene.dealer.done('giveOdo', 'review', gift)
    expect((await scene.dealer.info('giveOdo', gift)).relied).toContainEqual(
      expect.objectContaining({ licence_type: '授权书', licence_no: 'SQ-1', valid_to: day(100) }),
    )
    await scene.rule(scene.d, 'certificate_check', 'warn')
    const sn = await scene.dealer.add('saleOdo', {
      counterparty_sn: h2,
      warehouse_model_inner_sn: scene.shop,
      lines: [{ specification_sn: scene.inflator, lot_no: 'AU1', quantity: '1' }],
    })
    const { version } = await scene.dealer.info('saleOdo', sn)
    const asked = await scene.dealer.client.post(path('saleOdo', 'submit'), { sn, version })
    expect(asked).toMatchObject({ code: 2200, info: { questions: [{ rule: 'authorisation' }] } })
    await scene.rule(scene.d, 'certificate_check', 'refuse')
  })

  step('falls with the one above it, down to the last', async () => {
    expect((await held(below)).map(row => row.held_state)).toEqual(['valid', 'valid'])
    const [mine] = await maker.list('dealerAuthorisation', { product_sn: product })
    const narrowed = await maker.client.post(path('dealerAuthorisation', 'edit'), {
      sn: mine.authorisation_sn,
      version: mine.version,
      hospital_sn: h2,
      area: null,
    })
    expect(narrowed.code, narrowed.msg).toBe(0)
    expect(await held(scene.dealer)).toMatchObject([{ hospital_sn: h2, area: null }])
    const given = await scene.dealer.list('dealerAuthorisation', { product_sn: product })
    expect(given.map(row => [row.status, row.remark])).toEqual([
      ['disabled', '上级授权变更，已超出其范围'],
      ['disabled', '上级授权变更，已超出其范围'],
    ])
    expect((await held(below)).map(row => row.held_state)).toEqual(['disabled', 'disabled'])
    expectMessage(await sell(scene.h), /没有有效的销售授权/)
    expect((await sell(h2)).code).toBe(0)
    const [stopped] = given
    expectMessage(
      await scene.dealer.client.post(path('dealerAuthorisation', 'enable'), {
        sn: stopped.authorisation_sn,
        version: stopped.version,
      }),
      '授权范围超出上级授权',
    )
  })

  step(
    'ends with the cooperation, down the chain, whichever side ends it; must be granted again if resumed',
    async () => {
      const given = await give(scene.dealer, await scene.org('D02'), { hospital_sn: h2, authorisation_no: 'SQ-3' })
      expect(given.code, given.msg).toBe(0)
      const third = async () => (await held(below)).find(row => row.authorisation_no === 'SQ-3')?.held_state
      expect(await third()).toBe('valid')
      const row = async () => (await maker.list('dealer', {})).find(one => one.partner_sn === scene.d)
      const act = async (action: string, more: object = {}) => {
        const { dealer_sn, version } = await row()
        return maker.client.post(path('dealer', action), { sn: dealer_sn, version, ...more })
      }
      expect((await act('stop', { reason: '窜货' })).code).toBe(0)
      expect(
        (await maker.list('dealerAuthorisation', { product_sn: product })).map(one => [one.status, one.remark]),
      ).toEqual([['disabled', '合作已终止']])
      expect((await held(scene.dealer)).map(one => one.held_state)).toEqual(['disabled'])
      expect(await third()).toBe('disabled')
      const notified = async (org: string) =>
        (
          await scene.server.database.owner`select body from message where org_id = ${org} order by id desc limit 2`
        ).map(({ body }) => body as string)
      expect((await notified(scene.d)).join()).toMatch(/已终止合作，相关授权随之停用/)
      expect((await notified(scene.d)).join()).toMatch(/停用了【.*】等2项的授权（.*等）/)
      expect((await notified(await scene.org('D02'))).join()).toMatch(/停用了【.*】等2项的授权/)
      expectMessage(await sell(h2), /没有有效的销售授权/)
      const [mine] = await maker.list('dealerAuthorisation', { product_sn: product })
      const again = () =>
        maker.client.post(path('dealerAuthorisation', 'enable'), { sn: mine.authorisation_sn, version: mine.version })
      expectMessage(await again(), /^与【.*】的合作已终止，请先恢复合作$/)
      expect((await act('resume')).code).toBe(0)
      expect((await held(scene.dealer)).map(one => one.held_state)).toEqual(['disabled'])
      expect((await again()).code).toBe(0)
      expect((await held(scene.dealer)).map(one => one.held_state)).toEqual(['valid'])
      const theirs = (await scene.dealer.list('orgRelation', {})).find(one => one.partner_code === makerCode)
      const revoked = await scene.dealer.client.post(path('orgRelation', 'revoke'), {
        sn: theirs.relation_sn,
        version: theirs.version,
        reason: '不再代理',
      })
      expect(revoked.code, revoked.msg).toBe(0)
      expect((await held(scene.dealer)).map(one => one.held_state)).toEqual(['disabled'])
      expect((await maker.list('dealerAuthorisation', { product_sn: product }))[0].status).toBe('disabled')
    },
  )

  step('entered by hand in the own archive it applies equally; sub-grants end when it is stopped', async () => {
    const { dealer, d, h, balloon } = scene
    const post = (call: string, more: object) => dealer.client.post(`/v1/business/${call}`, { ...more })
    const goods = await scene.one(
      `select p.id, p.manufacturer_id as maker from specification s join product p on p.id = s.product_id
        where s.id = $1`,
      balloon,
    )
    const licence = await post('licence/add', {
      holder_sn: d,
      licence_type: '授权书',
      licence_no: 'SQ-P',
      grantor_sn: goods.maker,
      grantee_sn: d,
      valid_from: day(-5),
      valid_to: day(60),
    })
    const order = (customer: string) =>
      attempt(
        dealer,
        'salesOrder',
        { counterparty_sn: customer, lines: [{ specification_sn: balloon, quantity: '1', price: '900' }] },
        'review',
      )
    expect((await order(h)).code).toBe(0)
    const line = await post('authorisationLine/add', {
      licence_sn: licence.info.sn,
      product_sn: goods.id,
      hospital_sn: h2,
      may_pass_on: false,
    })
    expect(line.msg).toBe('')
    expectMessage(await order(h), /没有有效的销售授权/)
    expect((await order(h2)).code).toBe(0)
    const onward = {
      product_sn: goods.id,
      hospital_sn: h2,
      authorisation_no: 'SQ-P2',
      valid_from: day(),
      valid_to: day(60),
    }
    expectMessage(await give(dealer, await scene.org('D02'), onward), '上级授权书不允许转授权')
    // Its own authorisation to a hospital stays within that as well.
    const onLicence = await post('licence/add', {
      holder_sn: d,
      licence_type: '授权书',
      licence_no: 'SQ-H',
      grantor_sn: d,
      grantee_sn: h,
      valid_from: day(),
      valid_to: day(30),
    })
    const there = { licence_sn: onLicence.info.sn, product_sn: goods.id, hospital_sn: h }
    expectMessage(await post('authorisationLine/add', there), '授权范围超出本机构获得的授权')
    const [row] = await dealer.list('authorisationLine', { licence_sn: licence.info.sn })
    const edited = await post('authorisationLine/edit', {
      sn: row.authorisation_line_sn,
      version: row.version,
      may_pass_on: true,
    })
    expect(edited.code, edited.msg).toBe(0)
    expect((await give(dealer, await scene.org('D02'), onward)).code).toBe(0)
    const [now] = await dealer.list('licence', { licence_no: 'SQ-P' })
    expect((await post('licence/disable', { sn: now.licence_sn, version: now.version })).code).toBe(0)
    expect((await below.list('heldAuthorisation', { authorisation_no: 'SQ-P2' }))[0].held_state).toBe('disabled')
    expectMessage(await order(h2), /没有有效的销售授权/)
  })

  step('can name all goods of a manufacturer or class, and be sub-granted within that', async () => {
    const { d, dealer, one, server } = scene
    const wide = { product_sn: null, authorisation_no: 'SQ-W' }
    const { code } = await one('select coalesce(class_code, class_code_2002) code from product where id = $1', product)
    const id = (name: string) => scene.org(name)
    await server.database.owner`
      update org_relation set status = 'enabled' where partner_id = ${d} and org_id = ${await id(makerCode)}
        and relation = 'DV'`
    expectMessage(await give(maker, d, { ...wide, manufacturer_sn: d }), '授权范围超出上级授权')
    expectMessage(await give(maker, d, { ...wide, class_code: '6899' }), '分类目录中没有【6899】')
    expectMessage(
      await give(dealer, await id('D02'), wide),
      /^请选择授权产品；授权全部产品时选择生产厂家，或填写产品类别$/,
    )
    const classed = await give(maker, d, { ...wide, class_code: code, area: HERE })
    expect(classed.code, classed.msg).toBe(0)
    const makerId = await id(makerCode)
    const all = async (who: Person) => who.list('heldAuthorisation', { authorisation_no: 'SQ-W' })
    expect(await all(dealer)).toMatchObject([
      { product_sn: null, manufacturer_sn: makerId, class_code: code, held_state: 'valid' },
    ])
    const [notified] = await server.database.owner`
      select body from message where org_id = ${d} and title = '经销授权' order by id desc limit 1`
    expect(notified!.body).toContain(`的${code}类产品】（SQ-W）`)
    expect((await sell(scene.h)).code).toBe(0)
    // The grant is for a class: not everything of the manufacturer, but any product of the class.
    const onward = { manufacturer_sn: makerId, authorisation_no: 'SQ-W2', area: HERE }
    expectMessage(await give(dealer, await id('D02'), { ...onward, product_sn: null }), '授权范围超出上级授权')
    for (const more of [{}, { product_sn: null, class_code: code }]) {
      const given = await give(dealer, await id('D02'), { ...onward, ...more })
      expect(given.code, given.msg).toBe(0)
    }
    // An exclusive authorisation of one product conflicts with one for everything the manufacturer makes.
    await one(
      `insert into org_relation (org_id, partner_id, relation, valid_from)
        values ($1, $2, 'DV', $3) on conflict (org_id, partner_id, relation) do update set status = 'enabled'
        returning 1`,
      makerId,
      await id('D02'),
      day(-30),
    )
    expectMessage(
      await give(maker, await id('D02'), { is_exclusive: true, area: HERE, authorisation_no: 'SQ-X' }),
      /^【全部医院】【.*类产品】已独家授权给【.*】$/,
    )
    const [row] = await maker.list('dealerAuthorisation', { authorisation_no: 'SQ-W' })
    const off = { sn: row.authorisation_sn, version: row.version }
    expect((await maker.client.post(path('dealerAuthorisation', 'disable'), off)).code).toBe(0)
    expect((await below.list('heldAuthorisation', { authorisation_no: 'SQ-W2' })).map(got => got.held_state)).toEqual([
      'disabled',
      'disabled',
    ])
  })

  step('is visible only to its recipients', async () => {
    expect(await held(scene.hospital)).toEqual([])
    expect((await held(maker)).length).toBe(0)
  })

  step('granted before the other side agreed, it arrives when it does', async () => {
    const third = await scene.org('D03')
    await scene.one(
      `delete from org_relation where (org_id = $1 and partner_id = $2) or (org_id = $2 and partner_id = $1)
        returning 1`,
      await scene.org('V01'),
      third,
    )
    await scene.server.database.owner`
      insert into app_user (org_id, login, password_hash, name, is_administrator)
      select ${third}, 'boss-D03', password_hash, 'D03', true from app_user where login = 'vendor'`
    const newcomer = await scene.person('boss-D03')
    const asked = await maker.client.post(path('dealer', 'add'), { partner_sn: third })
    expect(asked.code, asked.msg).toBe(0)
    expect((await give(maker, third, { authorisation_no: 'SQ-9' })).code).toBe(0)
    expect(await held(newcomer)).toEqual([])
    const [waiting] = await newcomer.list('orgRelation', { direction: 'incoming', status: 'pending' })
    const agreed = await newcomer.client.post(path('orgRelation', 'review'), {
      sn: waiting.relation_sn,
      version: waiting.version,
    })
    expect(agreed.code, agreed.msg).toBe(0)
    expect(await held(newcomer)).toMatchObject([{ authorisation_no: 'SQ-9', held_state: 'valid' }])
  })
})
