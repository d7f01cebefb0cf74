import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliverPending } from '#server/documents/intercompany/deliver.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { expectMessage, openScene, type Scene } from '#tests/support/fixture.ts'
import { passAllLinesOn } from '#modules/trade/licences/sharing/granted-lines.server.ts'
import { day } from '#tests/support/story.ts'

/** 授权明细 of licences granted to partners. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

test('授权书: what it authorises is copied to the partner’s archive and follows its renewal', async () => {
  const { hospital, dealer, h, d, server, inflator } = scene
  const scan = await uploadPicture(dealer)
  const post = (call: string, body: object) => dealer.client.post(`/v1/business/${call}`, { ...body })
  const { product, maker } = await scene.one(
    `select p.id as product, p.manufacturer_id as maker from specification s
      join product p on p.id = s.product_id where s.id = $1`,
    inflator,
  )
  const added = await post('licence/add', {
    holder_sn: d,
    licence_type: '授权书',
    licence_no: 'SQ-随',
    grantor_sn: maker,
    grantee_sn: d,
    valid_from: day(-30),
    valid_to: day(90),
    attachments: [scan],
  })
  expect(added.code, added.msg).toBe(0)
  const named = { product_sn: product, hospital_sn: h }
  expect((await post('authorisationLine/add', { licence_sn: added.info.sn, ...named })).code).toBe(0)
  const sn = await dealer.add('licenceEmpower', {
    partner_sn: h,
    valid_to: day(60),
    lines: [{ paper_sn: added.info.sn, result: 'agree' }],
  })
  await dealer.pass('licenceEmpower', sn)
  await hospital.done('licenceEmpower', 'toRecord', sn)
  const filed = async (licence_no: string) => {
    const [licence] = await hospital.list('licence', { licence_no })
    return { licence, lines: await hospital.list('authorisationLine', { licence_sn: licence.licence_sn }) }
  }
  const first = await filed('SQ-随')
  expect(first.licence).toMatchObject({ origin: 'granted', grantor_sn: maker, grantee_sn: d, audit_state: 'pending' })
  expect(first.lines).toMatchObject([{ ...named, valid_to: null, line_state: 'enabled' }])
  const line = { licence_sn: first.licence.licence_sn, ...named }
  expectMessage(
    await hospital.client.post('/v1/business/authorisationLine/add', line),
    '对方授权的证照由对方维护，不能修改',
  )
  // Approved here, its lines are what was approved: what its owner changes arrives at once and waits for approval.
  const passed = async (licence_no: string) => {
    const { licence } = await filed(licence_no)
    const body = { sn: licence.licence_sn, version: licence.version }
    expect((await hospital.client.post('/v1/business/licence/review', body)).msg).toBe('')
  }
  await passed('SQ-随')
  const [own] = await dealer.list('authorisationLine', { licence_sn: added.info.sn })
  const edit = { sn: own.authorisation_line_sn, version: own.version, valid_to: day(45) }
  expect((await post('authorisationLine/edit', edit)).msg).toBe('')
  const narrowed = await filed('SQ-随')
  expect(narrowed.lines).toMatchObject([{ ...named, valid_to: day(45) }])
  expect(narrowed.licence).toMatchObject({ audit_state: 'pending', updated_by: '对方变更授权明细' })
  expect((await hospital.info('licenceEmpower', sn)).state).toBe('reviewed')
  await passed('SQ-随')
  // Written again as it was, it says nothing new.
  const [same] = await dealer.list('authorisationLine', { licence_sn: added.info.sn })
  expect(
    (await post('authorisationLine/edit', { sn: same.authorisation_line_sn, version: same.version, remark: '内部' }))
      .msg,
  ).toBe('')
  expect((await filed('SQ-随')).licence).toMatchObject({ audit_state: 'passed' })
  const more = await post('authorisationLine/add', { licence_sn: added.info.sn, product_sn: product, area: '浙江省' })
  expect(more.msg).toBe('')
  expect((await filed('SQ-随')).lines).toHaveLength(2)
  const second = (await dealer.list('authorisationLine', { licence_sn: added.info.sn })).find(
    row => row.area === '浙江省',
  )
  expect(
    (await post('authorisationLine/del', { sn: second!.authorisation_line_sn, version: second!.version })).msg,
  ).toBe('')
  expect((await filed('SQ-随')).lines).toHaveLength(1)
  expect(await passAllLinesOn(server.database.owner)).toBe(0)
  const renewal = { licence_no: 'SQ-随2', valid_from: day(), valid_to: day(400) }
  const mine = (await dealer.list('licence', { licence_no: 'SQ-随' }))[0]
  expect((await post('licence/renew', { sn: mine.licence_sn, version: mine.version, ...renewal })).code).toBe(0)
  await deliverPending(server.database.app, server.database.owner)
  expect((await filed('SQ-随2')).lines).toMatchObject([named])
})
