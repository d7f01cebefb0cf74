import { afterAll, beforeAll, expect } from 'vitest'
import { documents } from '#app/modules.ts'
import { inOrganisation } from '#server/public/database.ts'
import { story } from '#tests/support/steps.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { attempt, expectMessage, openScene, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 授权: a manufacturer's authorisation of its dealers is valid at their hospitals, which file nothing by hand. */
let scene: Scene
let maker: Person
let below: Person
let d2: string
let product: string
let picture: string
const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`

beforeAll(async () => {
  scene = await openScene()
  const { server, one, inflator, h, d } = scene
  const { owner } = server.database
  const made = await one(
    `select p.id, o.id as maker, o.code from specification s join product p on p.id = s.product_id
      join organisation o on o.id = p.manufacturer_id where s.id = $1`,
    inflator,
  )
  product = made.id
  d2 = await scene.org('D02')
  for (const [org, login] of [
    [made.maker, 'boss-maker'],
    [d2, 'boss-D02'],
  ])
    await owner`
      insert into app_user (org_id, login, password_hash, name, is_administrator)
      select ${org}, ${login!}, password_hash, ${login!}, true from app_user where login = 'vendor'`
  ;[maker, below] = [await scene.person('boss-maker'), await scene.person('boss-D02')]
  // No authorisation has been granted yet, and the hospital has none on file.
  await owner`update dealer_authorisation set status = 'disabled', version = version + 1`
  await owner`update granted_authorisation set status = 'disabled'`
  await owner`update licence set status = 'disabled' where licence_type in ('授权书', '产品授权书')`
  await owner`update licence set long_term = true where org_id = ${h}`
  for (const [org, partner, relation] of [
    [made.maker, d, 'DV'],
    [d, d2, 'DD'],
    [h, d2, 'HD'],
  ])
    await owner`
      insert into org_relation (org_id, partner_id, relation, valid_from) values (${org}, ${partner!}, ${relation!},
        ${day(-30)}) on conflict (org_id, partner_id, relation) do update set status = 'enabled'`
  await owner`
    insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, long_term)
    select org_id, ${d2}, licence_type, licence_no || '-2', valid_from, true from licence
     where org_id = ${h} and holder_id = ${d} and licence_type <> '授权书'
    on conflict do nothing`
  await owner`
    insert into licence_setting (org_id, licence_type, control) values (${h}, '授权书', 'refuse')
    on conflict (org_id, licence_type) do update set control = 'refuse', at_order = true, at_arrival = true,
      at_receipt = true, status = 'enabled'`
  await owner`delete from hospital_product where org_id = ${h} and specification_id = ${inflator}`
  await owner`
    insert into price_agreement (org_id, seller_id, buyer_id, specification_id, price, tax_rate, valid_from)
    values (${h}, ${d2}, ${h}, ${inflator}, 100, 13, ${day(-30)})`
  picture = await uploadPicture(scene.hospital)
})
afterAll(() => scene?.close())

/** Grants an authorisation of the product to one of this organisation's dealers; its number. */
async function give(who: Person, to: string, more: object = {}): Promise<string> {
  const dealer_sn = (await who.list('dealer')).find(row => row.partner_sn === to)?.dealer_sn
  const given = await who.client.post(path('dealerAuthorisation', 'add'), {
    dealer_sn,
    product_sn: product,
    authorisation_no: 'SQ-1',
    valid_from: day(-10),
    valid_to: day(100),
    ...more,
  })
  expect(given.code, given.msg).toBe(0)
  return given.info.sn
}

async function change(who: Person, sn: string, call: string, more: object = {}): Promise<void> {
  const row = (await who.list('dealerAuthorisation')).find(one => one.authorisation_sn === sn)
  const changed = await who.client.post(path('dealerAuthorisation', call), { sn, version: row.version, ...more })
  expect(changed.code, changed.msg).toBe(0)
}

/** The goods as a line of a document of any kind. */
const line = () => ({
  specification_sn: scene.inflator,
  quantity: '1',
  price: '100',
  lot_no: 'GC1',
  production_date: day(-60),
  expiry_date: day(700),
})

/** Drafts of each kind that requires the supplier's authorisation, by supplier: written while it was authorised. */
const drafts = new Map<string, Readonly<Record<string, string>>>()

async function write(supplier: string): Promise<void> {
  const { hospital, central } = scene
  const add = (kind: string, more: object = {}) =>
    hospital.add(kind, { counterparty_sn: supplier, warehouse_model_inner_sn: central, lines: [line()], ...more })
  const { specification_sn, price } = line()
  const order = (quantity: string) => add('purchaseOrder', { lines: [{ specification_sn, price, quantity }] })
  const ordered = await order('2')
  await hospital.pass('purchaseOrder', ordered)
  const arrive = () =>
    add('arrivalOrder', { source_type: 3, source_sn: ordered, lines: [{ ...line(), source_line_no: 1 }] })
  const arrived = await arrive()
  await hospital.pass('arrivalOrder', arrived)
  drafts.set(supplier, {
    purchaseOrder: await order('1'),
    arrivalOrder: await arrive(),
    inspectionOrder: (await hospital.from('inspectionOrder', arrived)).sn,
    purchaseGrn: await add('purchaseGrn'),
  })
}

/** True if a product may be bought from this supplier; all kinds must agree at submit. */
async function counts(supplier: string): Promise<boolean> {
  const said: [string, string][] = []
  for (const [kind, sn] of Object.entries(drafts.get(supplier)!)) {
    const reply = await scene.hospital.do(kind, 'submit', sn)
    if (reply.code === 0) await scene.hospital.done(kind, 'unsubmit', sn)
    else expectMessage(reply, /供应商未获得【.+】的授权/)
    said.push([kind, reply.msg])
  }
  expect(new Set(said.map(([, msg]) => msg === '')).size, said.join('；')).toBe(1)
  return said[0]![1] === ''
}

const admissionBody = (supplier: string) => ({
  department_inner_sn: scene.department,
  counterparty_sn: supplier,
  clinical_use: '介入手术充压',
  lines: [{ specification_sn: scene.inflator, offered_price: '120', agreed_price: '100' }],
})
const firstSale = (supplier: string) => ({
  product_sn: product,
  counterparty_sn: supplier,
  apply_reason: '临床需要',
  paper_certificate: [picture],
  paper_manual: [picture],
  paper_label: [picture],
  paper_report: [picture],
  lines: [{ specification_sn: scene.inflator }],
})

story('授权在经销商的医院有效', step => {
  step('without any, nothing is admitted; once the manufacturer granted it, the product is admitted', async () => {
    const { hospital, d, inflator } = scene
    const sn = await hospital.add('admission', admissionBody(d))
    await hospital.done('admission', 'submit', sn)
    expectMessage(await hospital.do('admission', 'certCheck', sn), /^授权链不完整：缺少.+至.+的授权书$/)
    expectMessage(await attempt(hospital, 'firstSellProduct', firstSale(d)), '缺少必备资料：授权书')

    const given = await give(maker, d)
    const first = await hospital.add('firstSellProduct', firstSale(d))
    await hospital.done('firstSellProduct', 'submit', first)
    expect(await hospital.info('firstSellProduct', first)).toMatchObject({ authorised_by: `SQ-1（至${day(100)}）` })
    await hospital.done('firstSellProduct', 'unsubmit', first)
    await change(maker, given, 'disable')
    expectMessage(await hospital.do('firstSellProduct', 'submit', first), '缺少必备资料：授权书')
    expectMessage(await hospital.do('admission', 'certCheck', sn), /^授权链不完整/)
    await change(maker, given, 'enable')

    await hospital.done('admission', 'certCheck', sn, { check_note: '齐全' })
    await hospital.done('admission', 'negotiate', sn, { negotiation: '降至100' })
    const votes = { meeting_on: day(), voters: 3, votes_for: 3, votes_against: 0, votes_none: 0 }
    await hospital.done('admission', 'vote', sn, votes)
    await hospital.done('admission', 'review', sn)
    expect(await hospital.list('hospitalProduct', { specification_sn: inflator })).toMatchObject([
      { admission_state: 'admitted', admission_no: sn, supplier_sn: d },
    ])
    await write(d)
    const asking = documents
      .filter(({ compliance }) => compliance.party === 'supplier')
      .map(({ kind }) => kind as string)
    expect(Object.keys(drafts.get(d)!).toSorted(), 'every kind that asks is tried').toEqual(asking.toSorted())
    expect(await counts(d)).toBe(true)
    const order = await hospital.add('purchaseOrder', {
      counterparty_sn: d,
      warehouse_model_inner_sn: scene.central,
      lines: [{ specification_sn: inflator, quantity: '1', price: '100' }],
    })
    await hospital.pass('purchaseOrder', order)
    expect((await hospital.info('purchaseOrder', order)).relied).toContainEqual(
      expect.objectContaining({ licence_type: '授权书', licence_no: 'SQ-1', valid_to: day(100) }),
    )
    // The hospital filed nothing, and nothing was filed at it.
    const { owner } = scene.server.database
    expect(await owner`select 1 from licence where org_id = ${scene.h} and licence_no = 'SQ-1'`).toHaveLength(0)
    await change(maker, given, 'disable')
  })

  step('it is judged as one on file: by goods, area, hospital and days, until it is disabled or ended', async () => {
    const { d, h } = scene
    const h2 = await scene.org('H02')
    expect(await counts(d)).toBe(false)
    const other = await scene.one(
      `select p.id from product p where p.manufacturer_id = (select manufacturer_id from product where id = $1)
        and p.id <> $1 limit 1`,
      product,
    )
    const given = await give(maker, d)
    const tried: readonly (readonly [string, object, boolean])[] = [
      ['for this hospital', { hospital_sn: h }, true],
      ['for another hospital', { hospital_sn: h2 }, false],
      ['where the hospital is', { hospital_sn: null, area: '江苏省' }, true],
      ['elsewhere', { hospital_sn: null, area: '广东省' }, false],
      ['of all goods of the maker', { hospital_sn: null, area: null, product_sn: null }, true],
      ...(other ? ([['of another product', { product_sn: other.id }, false]] as const) : []),
      ['until yesterday', { product_sn: product, valid_to: day(-1) }, false],
      ['from tomorrow', { valid_from: day(1), valid_to: day(100) }, false],
      ['until today', { valid_from: day(-10), valid_to: day() }, true],
    ]
    for (const [what, more, open] of tried) {
      await change(maker, given, 'edit', more)
      expect(await counts(d), what).toBe(open)
    }
    const { owner } = scene.server.database
    await owner`update licence_setting set is_required = true where org_id = ${h} and licence_type = '授权书'`
    const lacks = async () =>
      (await owner`select 1 from licence_missing(${h}, ${d}) where licence_type = '授权书'`).length === 1
    expect(await lacks()).toBe(false)
    await change(maker, given, 'disable')
    expect(await lacks()).toBe(true)
    expect(await counts(d)).toBe(false)
    await change(maker, given, 'enable')
    expect(await counts(d)).toBe(true)
    const relation = (await maker.list('dealer')).find(row => row.partner_sn === d)
    const act = async (action: string, more: object = {}) => {
      const row = (await maker.list('dealer')).find(one => one.dealer_sn === relation.dealer_sn)
      const reply = await maker.client.post(path('dealer', action), {
        sn: row.dealer_sn,
        version: row.version,
        ...more,
      })
      expect(reply.code, reply.msg).toBe(0)
    }
    await act('stop', { reason: '窜货' })
    expect(await counts(d)).toBe(false)
    await act('resume')
    expect(await counts(d)).toBe(false)
    await change(maker, given, 'enable')
    expect(await counts(d)).toBe(true)
    await change(maker, given, 'disable')
  })

  step('over a sub-dealer it counts as a whole: every link holds, and may be given on', async () => {
    const { d, dealer } = scene
    const first = await give(maker, d, { authorisation_no: 'SQ-A' })
    const second = await give(dealer, d2, { authorisation_no: 'SQ-B' })
    await write(d2)
    expect(await counts(d2)).toBe(true)
    await change(dealer, second, 'disable')
    expect(await counts(d2)).toBe(false)
    await change(dealer, second, 'enable')
    const sn = await scene.hospital.add('admission', admissionBody(d2))
    const { owner } = scene.server.database
    await owner`
      update hospital_product set admission_state = 'not_admitted' where org_id = ${scene.h}
        and specification_id = ${scene.inflator}`
    await scene.hospital.done('admission', 'submit', sn)
    await change(maker, first, 'disable')
    expect((await below.list('heldAuthorisation', { authorisation_no: 'SQ-B' }))[0].held_state).toBe('disabled')
    expectMessage(await scene.hospital.do('admission', 'certCheck', sn), /^授权链不完整/)
    await change(maker, first, 'enable')
    await change(dealer, second, 'enable')
    await scene.hospital.done('admission', 'certCheck', sn, { check_note: '齐全' })
    await owner`
      update hospital_product set admission_state = 'admitted' where org_id = ${scene.h}
        and specification_id = ${scene.inflator}`
    // The lower link does not count while the upper one may not be passed on, is stopped or has expired.
    for (const [set, unset] of [
      [{ may_pass_on: false }, { may_pass_on: true }],
      [{ status: 'disabled' }, { status: 'enabled' }],
      [{ valid_to: day(-1) }, { valid_to: day(100) }],
    ]) {
      await owner`update granted_authorisation set ${owner(set as never)} where authorisation_no = 'SQ-A'`
      expect(await counts(d2), JSON.stringify(set)).toBe(false)
      await owner`update granted_authorisation set ${owner(unset as never)} where authorisation_no = 'SQ-A'`
      expect(await counts(d2), JSON.stringify(unset)).toBe(true)
    }
  })

  step('nobody learns of authorisations that are not of his own suppliers', async () => {
    const { h, d, server } = scene
    const { app, owner } = server.database
    const seen = (org: string, supplier: string) =>
      inOrganisation(
        app,
        org,
        '0',
        tx => tx`select * from granted_chain(${org}, ${product}, ${supplier}, ${day()}::date)`,
      )
    expect(await seen(h, d2)).toHaveLength(1)
    await owner`update org_relation set status = 'ended' where org_id = ${h} and partner_id = ${d2}`
    expect(await seen(h, d2)).toHaveLength(0)
    expect(await seen(h, await scene.org('D03'))).toHaveLength(0)
    expect(await inOrganisation(app, h, '0', tx => tx`select 1 from granted_authorisation`)).toHaveLength(0)
    expect(await scene.hospital.list('heldAuthorisation')).toEqual([])
    expect(
      await inOrganisation(app, d, '0', tx => tx`select 1 from granted_authorisation where org_id <> ${d}`),
    ).toEqual([])
  })
})
