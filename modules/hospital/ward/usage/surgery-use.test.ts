import { read, utils } from '@e965/xlsx'
import { signingProof, type SigningProof } from '#tests/support/signing.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { attempt, lotOf, openScene, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'
import { connectHis, hisItemOf, matchProduct, sendCalls, type StandIn } from '#tests/support/his.ts'
import { day } from '#tests/support/story.ts'
import { story } from '#tests/support/steps.ts'

/** 手术使用: pieces are used in an operation, charged through the HIS and settled; no patient data leaves the hospital. */
let scene: Scene
let his: StandIn
const onPatient = { patient_no: 'P9', patient_name: '沈知微', admission_no: 'ZY09', implant_site: '左膝' }
const operation = (lines: object[], more: object = {}) => ({
  warehouse_model_inner_sn: scene.ward,
  department_inner_sn: scene.department,
  doctor_inner_sn: scene.surgeon,
  surgery_name: '全膝关节置换术',
  theatre: '3号手术间',
  ...onPatient,
  lines,
  ...more,
})
beforeAll(async () => {
  scene = await openScene()
  const { hospital, ward, stent, inflator, d } = scene
  await scene.shelve(hospital, ward, [
    lotOf(stent, 'SS1', { unit_codes: ['SS-1', 'SS-2', 'SS-3'], owner_org_sn: d }),
    lotOf(inflator, 'SS2', { quantity: '10', price: '20' }),
    lotOf(inflator, 'SS4', { quantity: '2', price: '20', quality_state: 'stopped' }),
  ])
})
afterAll(async () => {
  await his?.end()
  await scene?.close()
})

let sn = ''
story('operations from their implants to their signed reports', step => {
  step(
    'implants are bound to the patient and due for settlement; owners see no patient, surgeon or theatre',
    async () => {
      const { hospital, dealer, ward, stent, d } = scene
      expectMessage(
        await attempt(
          hospital,
          'surgeryUse',
          operation([{ unit_codes: ['SS-1'] }], { patient_name: null, admission_no: null }),
        ),
        /^植入类产品必须录入患者信息，请填写【.+】$/,
      )
      sn = await hospital.add('surgeryUse', operation([{ unit_codes: ['SS-1', 'SS-2'] }]))
      await hospital.pass('surgeryUse', sn)
      expect(await shelf(hospital, ward, stent)).toEqual({ SS1: '1.000' })
      const due = await hospital.list('settlementLine', { lot_no: 'SS1' })
      expect(due.map(line => [line.owner_org_sn, line.quantity])).toEqual([
        [d, '1.000'],
        [d, '1.000'],
      ])
      const copy = await dealer.client.get('/v1/business/surgeryUse/info', { sn })
      expect(copy.info).toMatchObject({ counterparty_sn: scene.h, total_quantity: '2.000' })
      expect(JSON.stringify(copy)).not.toMatch(/沈知微|ZY09|左膝|置换|3号手术间/)
      expect(copy.info.doctor_inner_sn).toBeNull()
      expect((await hospital.trace('SS-1')).list.at(-1)).toMatchObject({ step: 'use', patient_name: '沈知微' })
      expectMessage(await attempt(hospital, 'surgeryUse', operation([{ unit_codes: ['SS-1'] }])), '院内码SS-1已使用')
      // Kept permanently: what was reviewed can be neither deleted nor cancelled.
      for (const action of ['del', 'cancel'])
        expect((await hospital.do('surgeryUse', action, sn, { reason: '录错' })).code).toBe(2101)
      const { info } = await hospital.client.post('/v1/business/settlement/generate', {
        counterparty_sn: d,
        begin_date: day(-1),
        end_date: day(1),
      })
      expect((await hospital.info('settlement', info.sn)).lines).toMatchObject([{ quantity: '2.000', source_sn: sn }])
      await hospital.done('settlement', 'submit', info.sn)
      expectMessage(await hospital.do('surgeryUse', 'unreview', sn), /^使用记录已进入结算，不能反审核/)
      await hospital.done('settlement', 'unsubmit', info.sn)
      await hospital.done('settlement', 'del', info.sn)
    },
  )

  step('a charge goes to the HIS once connected, is retried, and is refunded before anything is undone', async () => {
    const { hospital, server, h, stent, inflator } = scene
    expectMessage(await hospital.do('surgeryUse', 'charge', sn), 'HIS接口未接通，不能计费或退费，请联系管理员配置')
    his = await connectHis(server, 'H01')
    his.admit('ZY09', 'P9')
    await matchProduct(server, his, h, stent, hisItemOf('SU-ST'))
    await matchProduct(server, his, h, inflator, hisItemOf('SU-IN'))
    his.down = true
    await hospital.done('surgeryUse', 'charge', sn)
    await sendCalls(server)
    const [waiting] = await server.database
      .owner`select state, error, request from outbound_call where object_no = ${sn}`
    expect(waiting).toMatchObject({ state: 'retrying', error: expect.stringMatching(/^HIS返回503/) })
    expect(String(waiting!.request)).not.toMatch(/ZY09|P9/)
    his.down = false
    await sendCalls(server)
    const booked = () => his.charges.map(({ charge_kind, unit_code, visit_no }) => [charge_kind, unit_code, visit_no])
    expect(booked()).toEqual([
      ['charge', 'SS-1', 'ZY09'],
      ['charge', 'SS-2', 'ZY09'],
    ])
    expectMessage(await hospital.do('surgeryUse', 'charge', sn), '已推送计费，请勿重复推送')
    expectMessage(await hospital.do('surgeryUse', 'unreview', sn), '请先在HIS退费')
    expectMessage(await hospital.do('surgeryUse', 'redReverse', sn, { reason: '未用' }), '请先在HIS退费')
    await hospital.done('surgeryUse', 'refund', sn, { reason: '未使用' })
    await sendCalls(server)
    expect(booked().map(([kind]) => kind)).toEqual(['charge', 'charge', 'refund', 'refund'])
    await hospital.done('surgeryUse', 'redReverse', sn, {
      reason: '未使用',
      lines: [{ line_no: 1, unit_codes: ['SS-2'] }],
    })
    expect(await shelf(hospital, scene.ward, scene.stent)).toEqual({ SS1: '2.000' })
  })

  step('a surgery report is signed, then locked; one per operation, and its counts add up', async () => {
    const { hospital, inflator } = scene
    const line = { specification_sn: inflator, lot_no: 'SS2', quantity: '3' }
    const nurse = await scene.one(
      'select id from employee where org_id = $1 and not is_surgeon order by id limit 1',
      scene.h,
    )
    const report = { form_type: 'report', surgery_no: 'OP-77', nurse_inner_sn: nurse.id }
    const proofs: Record<string, SigningProof> = {
      nurse: await signingProof(scene.server, nurse.id),
      surgeon: await signingProof(scene.server, scene.surgeon),
    }
    const sign = async (sn: string, signer: string) => {
      const signature_sn = await hospital.sign('surgeryUse', sn, proofs[signer])
      await hospital.done('surgeryUse', 'sign', sn, { signer, signature_sn })
    }
    const form = await hospital.add(
      'surgeryUse',
      operation([{ ...line, brought_quantity: '10', returned_quantity: '6' }], report),
    )
    expectMessage(await hospital.do('surgeryUse', 'submit', form), '第1行：请说明差异原因')
    await hospital.done('surgeryUse', 'edit', form, {
      lines: [
        { line_no: 1, ...line, quantity: '4', brought_quantity: '10', returned_quantity: '6', wasted_quantity: '1' },
      ],
    })
    expectMessage(await hospital.do('surgeryUse', 'submit', form), '巡回护士未签字，不能提交')
    await sign(form, 'nurse')
    expectMessage(await hospital.do('surgeryUse', 'edit', form, { theatre: '4号' }), '已签字，不能修改，请先撤销签字')
    await hospital.done('surgeryUse', 'submit', form)
    expectMessage(await hospital.do('surgeryUse', 'review', form), '主刀医生未签字，不能审核')
    await sign(form, 'surgeon')
    await hospital.done('surgeryUse', 'review', form)
    const again = await hospital.add('surgeryUse', operation([line], report))
    await sign(again, 'nurse')
    expectMessage(await hospital.do('surgeryUse', 'submit', again), `该手术已存在报告单（${form}）`)
    // Its review charged what was used, less what was opened and not used.
    await sendCalls(scene.server)
    expect((await hospital.info('surgeryUse', form)).charge_state).toBe('4')
    expect(his.charges.at(-1)).toMatchObject({ item_code: 'SU-IN', quantity: '3.0000' })
    const late = { surgery_no: 'OP-78', used_at: `${day(800)}T02:00:00Z` }
    const second = await hospital.add('surgeryUse', operation([line], late))
    expectMessage(
      await hospital.do('surgeryUse', 'submit', second),
      /^第1行：产品已过有效期，禁止使用：产品【.*】在手术日期已过期$/,
    )
    const blocked = { ...line, lot_no: 'SS4', quantity: '1', quality_state: 'stopped' }
    expectMessage(
      await attempt(hospital, 'surgeryUse', operation([blocked], { surgery_no: 'OP-80' })),
      '第1行：批号SS4为停售状态，产品已停售/召回，禁止使用',
    )
  })

  step('the owner replenishes use in an operation once, and ticks off what agrees with its ledger', async () => {
    const { hospital, dealer, stent, h } = scene
    const used = await hospital.add('surgeryUse', operation([{ unit_codes: ['SS-3'] }], { surgery_no: 'OP-79' }))
    await hospital.pass('surgeryUse', used)
    // The hospital finds the operation by the supplier of the goods used; the supplier sees no other.
    const [found] = await hospital.list('surgeryUse', { supplier_sn: scene.d, unit_code: 'SS-3' })
    const { name } = await scene.one('select name from organisation where id = $1', scene.d)
    expect(found).toMatchObject({ sn: used, supplier_names: name })
    expect(await hospital.list('surgeryUse', { supplier_sn: scene.v, unit_code: 'SS-3' })).toEqual([])
    expect((await dealer.info('surgeryUse', used)).lines[0].supplier_sn ?? null).toBe(null)
    await dealer.done('surgeryUse', 'replenish', used)
    expectMessage(await dealer.do('surgeryUse', 'replenish', used), '所选记录已生成补货')
    const [notified] = await dealer.list('surgeryUse', { role: 'counterparty', replenish_state: '2' })
    expect(notified!.sn).toBe(used)
    const order = await dealer.info('salesOrder', notified!.replenish_sn)
    expect(order).toMatchObject({ state: 'draft', order_type: 'refill', regime: 'consigned', counterparty_sn: h })
    expect(order.lines).toMatchObject([{ specification_sn: stent, quantity: '1.000' }])
    expect(JSON.stringify(order)).not.toMatch(/沈知微|ZY09|置换|OP-79/)
    await dealer.done('surgeryUse', 'compare', used)
    expectMessage(await dealer.do('surgeryUse', 'compare', used), '该使用记录已对账')
    expectMessage(await hospital.do('surgeryUse', 'replenish', used), `手术使用记录${used}不存在或已被删除`)
  })

  step('patient columns are absent for users without the right, not even empty', async () => {
    const headOf = async (who: { client: typeof scene.hospital.client }) => {
      const reply = await who.client.raw({ method: 'GET', url: '/v1/business/surgeryUse/export' })
      expect(reply.statusCode).toBe(200)
      const [sheet] = Object.values(read(reply.rawPayload, { type: 'buffer' }).Sheets)
      return (utils.sheet_to_json(sheet!, { header: 1 }) as string[][])[0]!
    }
    expect(await headOf(scene.hospital)).toEqual(expect.arrayContaining(['患者姓名', '住院号', '手术日期']))
    const dealers = await headOf(scene.dealer)
    expect(dealers).toContain('手术日期')
    for (const name of ['患者姓名', '住院号', '手术名称']) expect(dealers).not.toContain(name)
  })
})
