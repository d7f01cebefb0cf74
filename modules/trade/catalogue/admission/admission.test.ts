import { afterAll, beforeAll, expect } from 'vitest'
import { attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'
import { endAdmissions } from './admission.server.ts'
import { story } from '#tests/support/steps.ts'
import { proves } from '#tests/support/proves.ts'
import { sendSheet, workbook } from '#tests/support/sheets.ts'

/** 产品准入: requested by a department, checked, negotiated, voted, approved into the hospital's catalogue. */
let scene: Scene
let fresh = ''
beforeAll(async () => {
  scene = await openScene()
  fresh = scene.inflator
  await scene.one(
    'delete from hospital_product where org_id = $1 and specification_id = $2 returning 1',
    scene.h,
    fresh,
  )
  await scene.one(
    'update licence set valid_to = current_date + 300, long_term = false where org_id = $1 and not long_term',
    scene.h,
  )
})
afterAll(() => scene?.close())

const body = (more: object = {}, line: object = {}) => ({
  department_inner_sn: scene.department,
  counterparty_sn: scene.d,
  clinical_use: '介入手术充压',
  lines: [{ specification_sn: fresh, offered_price: '120', ...line }],
  ...more,
})
const list = async () => (await scene.hospital.list('hospitalProduct', { specification_sn: fresh }))[0]

/**
 * Supplier and price that the committee approved cannot be changed by an edit, a workbook or a bulk call; another
 * supplier needs a new admission.
 */
async function changesNothingJudged(): Promise<void> {
  const { hospital, h, v } = scene
  const judged = /^供应商和价格由准入单核定，不能直接修改/
  const row = await list()
  const edit = (more: object) =>
    hospital.client.post('/v1/business/hospitalProduct/edit', {
      sn: row.hospital_product_sn,
      version: row.version,
      ...more,
    })
  expectMessage(await edit({ supplier_sn: v }), judged)
  expectMessage(await edit({ tax_rate: 6 }), judged)
  expect((await edit({ supplier_sn: scene.d, tax_rate: row.tax_rate, minimum: '1' })).msg).toBe('')
  const { code, name } = await scene.one(
    'select s.code, o.name from specification s, organisation o where s.id = $1 and o.id = $2',
    fresh,
    v,
  )
  const sheet = workbook([
    ['规格型号', '供应商'],
    [code, name],
  ])
  const imported = await sendSheet(hospital.client, '/v1/business/hospitalProduct/import', sheet)
  expect(imported.code).not.toBe(0)
  expect(JSON.stringify(imported)).toContain('供应商和价格由准入单核定')
  const sns = JSON.stringify([row.hospital_product_sn])
  expectMessage(
    await hospital.client.post('/v1/business/hospitalProduct/setSupplier', { sns, supplier_sn: v }),
    /没有协议价，请先在询价登记或准入申请中议定价格$/,
  )
  expect(await list()).toMatchObject({ supplier_sn: scene.d, tax_rate: row.tax_rate, minimum: '1.000' })
  expectMessage(await attempt(hospital, 'admission', body()), '该产品已在院内目录，请直接申领')
  const d2 = await scene.org('D02')
  await scene.one(
    `insert into org_relation (org_id, partner_id, relation) values ($1, $2, 'HD')
      on conflict (org_id, partner_id, relation) do update set status = 'enabled' returning 1`,
    h,
    d2,
  )
  const other = await hospital.add('admission', body({ counterparty_sn: d2 }))
  await hospital.done('admission', 'submit', other)
  await hospital.done('admission', 'cancel', other, { reason: '试' })
}

story('准入 of one product, refused, provisional and regular', step => {
  step(
    'an application passes its nodes in order; votes must add up, and more than half must be in favour',
    async () => {
      proves('admission.insuranceCode', 'admission.votes')
      const { hospital } = scene
      expectMessage(await attempt(hospital, 'admission', body({ clinical_use: '' })), '请填写临床用途')
      expectMessage(await attempt(hospital, 'admission', body({ access_type: 'once' })), '临时采购请填写住院号')
      expectMessage(
        await attempt(hospital, 'admission', body({}, { specification_sn: scene.stent })),
        '该产品已在院内目录，请直接申领',
      )
      const sn = await hospital.add('admission', body({ is_chargeable: true }))
      await hospital.done('admission', 'submit', sn)
      expectMessage(await attempt(hospital, 'admission', body()), `该产品已有在途准入申请（${sn}）`)
      expectMessage(await hospital.do('admission', 'review', sn), '请先完成资质核验、议价与委员会表决')
      expectMessage(await hospital.do('admission', 'negotiate', sn, { negotiation: '降价' }), '请先完成资质核验')
      await scene.one(
        `update licence set status = 'disabled' where org_id = $1 and holder_id = $2 and licence_type like '%经营%'
          returning 1`,
        scene.h,
        scene.d,
      )
      expectMessage(await hospital.do('admission', 'certCheck', sn), /没有有效的经营许可或备案/)
      await scene.one(
        "update licence set status = 'enabled' where org_id = $1 and holder_id = $2 returning 1",
        scene.h,
        scene.d,
      )
      await scene.one(
        "update licence set status = 'disabled' where org_id = $1 and licence_type = '授权书' returning 1",
        scene.h,
      )
      const chain = await hospital.do('admission', 'certCheck', sn)
      if (chain.code !== 0) expectMessage(chain, /^授权链不完整：缺少.+至.+的授权书$/)
      await scene.one(
        `insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, valid_to, grantor_id,
          grantee_id) values ($1, $2, '授权书', 'SQ-ZR', current_date - 9, current_date + 300, $3, $2) returning 1`,
        scene.h,
        scene.d,
        scene.v,
      )
      if (chain.code !== 0) await hospital.done('admission', 'certCheck', sn, { check_note: '齐全' })
      expectMessage(await hospital.do('admission', 'unsubmit', sn), '已开始资质核验，不能撤回')
      expectMessage(await hospital.do('admission', 'negotiate', sn, { negotiation: '降至100' }), /请填写议定价/)
      const { version } = await hospital.info('admission', sn)
      const edited = await hospital.client.post('/v1/business/admission/edit', {
        sn,
        version,
        lines: [{ line_no: 1, agreed_price: '100', listed_price: '110' }],
      })
      expect(edited.code).toBe(0)
      await hospital.done('admission', 'negotiate', sn, { negotiation: '降至100' })
      const votes = { meeting_on: day(), voters: 9, votes_for: 4, votes_against: 4, votes_none: 0 }
      expectMessage(await hospital.do('admission', 'vote', sn, votes), '表决人数与参会人数不符')
      await hospital.done('admission', 'vote', sn, { ...votes, votes_none: 1 })
      expectMessage(await hospital.do('admission', 'review', sn), '同意票未超过半数，不能批准')
      const later = await hospital.client.post('/v1/business/admission/edit', {
        sn,
        version: (await hospital.info('admission', sn)).version,
        lines: [{ line_no: 1, agreed_price: '130' }],
      })
      expectMessage(later, '第1行：已表决，不能修改议定价；价格有变请驳回后重新议价、表决')
      await hospital.done('admission', 'vote', sn, { ...votes, votes_for: 6, votes_against: 3, votes_none: 0 })
      expect((await hospital.list('admission', { sn }))[0]).toMatchObject({
        product_summary: '一次性使用球囊充压装置',
        specification_summary: '30atm 20ml',
        certificate_summary: expect.stringContaining('械注准'),
        maker_summary: expect.stringMatching(/.+/),
        shown_offered: '120.0000',
        shown_agreed: '100.0000',
        shown_listed: '110.0000',
        vote_result: '同意6，反对3，弃权0',
      })
      const { info: sheet } = await hospital.client.get('/v1/business/admission/print', { sn })
      expect(sheet).toMatchObject({ vote_result: '同意6，反对3，弃权0', lines: [{ agreed_price: '100.0000' }] })
      // Chargeable high-value goods need their national code if the organisation's setting says so.
      await scene.one(
        `update product set is_high_value = true where id = (select product_id from specification where id = $1)
          returning 1`,
        fresh,
      )
      await scene.rule(scene.h, 'admission_insurance', 'refuse')
      expectMessage(await hospital.do('admission', 'review', sn), /^第1行【.+】：产品未维护国家医保编码，不能准入$/)
      const coded = await hospital.client.post('/v1/business/admission/edit', {
        sn,
        version: (await hospital.info('admission', sn)).version,
        lines: [{ line_no: 1, insurance_code: 'C0901010100000006626' }],
      })
      expect(coded.code, coded.msg).toBe(0)
      await hospital.done('admission', 'review', sn)
      expect(await list()).toMatchObject({
        admission_state: 'admitted',
        insurance_code: 'C0901010100000006626',
        admission_no: sn,
        purchase_price: '100.0000',
        supplier_sn: scene.d,
      })
      await changesNothingJudged()
      const order = await hospital.add('purchaseOrder', {
        counterparty_sn: scene.d,
        warehouse_model_inner_sn: scene.central,
        lines: [{ specification_sn: fresh, quantity: '1' }],
      })
      await hospital.pass('purchaseOrder', order)
      expectMessage(
        await hospital.do('admission', 'stopAdmit', sn, { reason: '换代' }),
        `存在未完成的采购订单（${order}）`,
      )
      await hospital.done('purchaseOrder', 'stop', order, { reason: '换代' })
      await hospital.done('admission', 'stopAdmit', sn, { reason: '换代' })
      expect(await list()).toMatchObject({ admission_state: 'not_admitted' })
    },
  )

  step('wards cannot request unadmitted goods; if so configured, picking them starts an application', async () => {
    const { hospital, central, department } = scene
    const claim = {
      department_inner_sn: department,
      warehouse_model_inner_sn: central,
      lines: [{ specification_sn: fresh, quantity: '1' }],
    }
    expectMessage(await attempt(hospital, 'requisition', claim), /未准入/)
    await scene.one(
      `insert into org_config (id, org_id, name, value, valid_from)
        values (77, $1, 'admission_required', '是', current_date - 1) returning 1`,
      scene.h,
    )
    for (const { sn } of await hospital.list('admission', { state: 'draft' }))
      await hospital.done('admission', 'del', sn)
    const product = (await scene.one('select product_id as id from specification where id = $1', fresh)).id
    const offered = await hospital.info('product', product)
    const picked = await hospital.client.post('/v1/business/product/pick', {
      sn: offered.product_sn,
      version: offered.version,
    })
    expect(picked.code).toBe(0)
    const [created] = await hospital.list('admission', { state: 'draft' })
    expect(created.product_summary).toBe('一次性使用球囊充压装置')
    expect((await hospital.info('admission', created.sn)).lines.length).toBeGreaterThan(0)
    expect(await list()).toMatchObject({ admission_state: 'not_admitted' })
  })

  step('临时采购: admitted for a quantity; no order or receipt beyond it; once all is received, it ends', async () => {
    const { hospital, d, h, central } = scene
    const once = { access_type: 'once', patient_no: 'ZY1', diagnosis: '冠心病', valid_to: day(30) }
    for (const { sn } of await hospital.list('admission', { state: 'draft' }))
      await hospital.done('admission', 'del', sn)
    expectMessage(await attempt(hospital, 'admission', body(once)), '第1行：临时采购请填写采购数量')
    const sn = await hospital.add('admission', body(once, { limit_quantity: '10', agreed_price: '100' }))
    await hospital.done('admission', 'submit', sn)
    await hospital.done('admission', 'certCheck', sn, { check_note: '齐全' })
    await hospital.done('admission', 'negotiate', sn, { negotiation: '按申报价' })
    await hospital.done('admission', 'vote', sn, {
      meeting_on: day(),
      voters: 3,
      votes_for: 3,
      votes_against: 0,
      votes_none: 0,
    })
    await hospital.done('admission', 'review', sn)
    const order = (quantity: string) => ({
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [{ specification_sn: fresh, quantity, price: '100' }],
    })
    const po = await hospital.add('purchaseOrder', order('8'))
    await hospital.pass('purchaseOrder', po)
    const beyond = /^第1行：【.+】为临时采购，限量10，还可采购2$/
    expectMessage(await attempt(hospital, 'purchaseOrder', order('3')), beyond)
    const goods = (quantity: string) => [lotOf(fresh, 'LS1', { quantity, price: '100' })]
    const byHand = (quantity: string) => ({
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: goods(quantity),
    })
    expectMessage(await attempt(hospital, 'purchaseGrn', byHand('3')), beyond)
    const grn = await hospital.add('purchaseGrn', {
      source_type: 3,
      source_sn: po,
      warehouse_model_inner_sn: central,
      lines: goods('8').map(line => ({ ...line, source_line_no: 1 })),
    })
    await hospital.pass('purchaseGrn', grn)
    const { owner } = scene.server.database
    await endAdmissions(owner)
    expect(await list()).toMatchObject({ admission_state: 'admitted' })
    const rest = await hospital.add('purchaseGrn', byHand('2'))
    await hospital.pass('purchaseGrn', rest)
    await endAdmissions(owner)
    expect(await list()).toMatchObject({ admission_state: 'not_admitted' })
    expect(h).toBeTruthy()
  })

  step(
    'a foreign manufacturer has no production licence: its agent’s licences and sole agency are required',
    async () => {
      const { hospital } = scene
      await scene.one(
        `update registration_certificate set certificate_no = '国械注进20252149999'
          where id = (select registration_certificate_id from specification where id = $1) returning 1`,
        fresh,
      )
      await scene.server.database.owner`
    update licence set status = 'disabled' where org_id = ${scene.h} and holder_id = ${scene.v}
      and (licence_type like '%生产%' or licence_type = '医疗器械经营许可证')`
      for (const { sn } of await hospital.list('admission', { state: 'draft' }))
        await hospital.done('admission', 'del', sn)
      const sn = await hospital.add('admission', body())
      await hospital.done('admission', 'submit', sn)
      expectMessage(await hospital.do('admission', 'certCheck', sn), /^进口厂商须登记境内代理人及授权书：/)
      for (const kind of ['进口总代理授权书', '进口代理人授权'])
        await scene.server.database.owner`
      insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, valid_to)
        values (${scene.h}, ${scene.v}, ${kind}, ${kind}, current_date - 9, current_date + 300)`
      // The first dealer authorises a second; one link alone is not a chain.
      await scene.server.database.owner`
    update licence set status = 'disabled' where org_id = ${scene.h} and licence_type in ('授权书', '产品授权书')`
      const link = (no: string, from: string, to: string) => scene.server.database.owner`
    insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, valid_to, grantor_id, grantee_id)
      values (${scene.h}, ${to}, '授权书', ${no}, current_date - 9, current_date + 300, ${from}, ${to})`
      const between = await scene.one("select id from organisation where code = 'D02'")
      await link('SQ-L2', between.id, scene.d)
      expectMessage(await hospital.do('admission', 'certCheck', sn), /^授权链不完整：缺少.+至.+的授权书$/)
      // A licence of a maker that the platform passed counts as if the hospital had it on file.
      await scene.server.database.owner`
        update licence set status = 'disabled' where org_id = ${scene.h} and licence_type like '进口%'`
      const audited = (state: string) => scene.server.database.owner`
        insert into licence_audit (organisation_id, licence_id, licence_type, licence_no, valid_from, state)
        values (${scene.v}, 1, '医疗器械生产许可证', 'SC-V', '2020-01-01', ${state})`
      await audited('pending')
      expectMessage(await hospital.do('admission', 'certCheck', sn), /^进口厂商须登记境内代理人及授权书：/)
      await audited('passed')
      expectMessage(await hospital.do('admission', 'certCheck', sn), /^授权链不完整：缺少.+至.+的授权书$/)
      await link('SQ-L1', scene.v, between.id)
      await hospital.done('admission', 'certCheck', sn, { check_note: '代理齐全' })
      await hospital.done('admission', 'cancel', sn, { reason: '试' })
    },
  )

  step('a one-off purchase ends on its last day', async () => {
    await scene.one(
      `update hospital_product set admission_state = 'admitted', admitted_until = $3
        where org_id = $1 and specification_id = $2 returning 1`,
      scene.h,
      fresh,
      day(-1),
    )
    await endAdmissions(scene.server.database.owner)
    expect(await list()).toMatchObject({ admission_state: 'not_admitted' })
  })
})
