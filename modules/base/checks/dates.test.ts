import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documents } from '#kernel/registry.ts'
import type { Reply } from '#tests/support/test-server.ts'
import { afterThisTest, attempt, expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { day, type Person } from '#tests/support/story.ts'

/**
 * The dates of documents: an earlier date does not make an expired lot usable, no document may be dated into the
 * future, and the organisation sets how far back a date may be, and for whom.
 */
let scene: Scene
let keeper: Person
const LOT = 'RQ1'
beforeAll(async () => {
  scene = await openScene()
  keeper = await scene.person('keeper')
  const { hospital, dealer, central, ward, shop, inflator } = scene
  const fresh = lotOf(inflator, LOT, { quantity: '50', expiry_date: day(5) })
  await scene.shelve(hospital, central, [fresh])
  await scene.shelve(hospital, ward, [fresh])
  await scene.shelve(dealer, shop, [fresh])
})
afterAll(() => scene?.close())

/** Time passes: the lot's last good day is this many days ago. */
const expiredSince = async (days: number, lot = LOT) => {
  const set = (to: string) =>
    scene.one(
      `update stock_lot s set expiry_date = $1 from lot l where l.id = s.lot_id and l.lot_no = $2 returning 1`,
      to,
      lot,
    )
  await set(day(-days))
  afterThisTest(() => set(day(5)))
}
const goods = (more: object = {}) => ({ specification_sn: scene.inflator, lot_no: LOT, quantity: '1', ...more })

type Leaving = { readonly who: () => Person; readonly body: () => object | Promise<object> }
const fromWard = () => ({ warehouse_model_inner_sn: scene.ward, department_inner_sn: scene.department })
const toCustomer = () => ({ counterparty_sn: scene.h, warehouse_model_inner_sn: scene.shop })
const toWard = () => ({
  warehouse_model_inner_sn: scene.central,
  to_warehouse_model_inner_sn: scene.ward,
  department_inner_sn: scene.department,
})
const intoWard = () => ({
  transfer_type: 'allot',
  warehouse_model_inner_sn: scene.central,
  to_warehouse_model_inner_sn: scene.ward,
})
const asked = async () => {
  const sn = await scene.hospital.add('requisition', { ...toWard(), lines: [{ ...goods(), lot_no: undefined }] })
  await scene.hospital.pass('requisition', sn)
  return { source_type: 104, source_sn: sn, lines: [{ source_line_no: 1, lot_no: LOT, quantity: '1' }] }
}
/** Whole packs of the goods, under a template that is made once. */
const packing = async () => {
  const { hospital, inflator } = scene
  const template = { code: 'RQ', name: '压力泵2支装', specification_sn: inflator, size: '2' }
  await hospital.client.post('/v1/business/packTemplate/add', template)
  const [row] = await hospital.list('packTemplate', { q: 'RQ' })
  return {
    warehouse_model_inner_sn: scene.central,
    pack_template_sn: row!.pack_template_sn,
    lines: [goods({ quantity: '2' })],
  }
}
/** A numbered kit that the goods go into. */
const intoKit = async () => {
  const { client } = scene.dealer
  const list = { code: 'RQT', name: '压力泵套包', surgery_name: '介入' }
  await client.post('/v1/business/operationKit/add', list)
  const [template] = await scene.dealer.list('operationKit', { code: 'RQT' })
  const operation_kit_sn = template!.operation_kit_sn
  const line = { operation_kit_sn, specification_sn: scene.inflator, quantity: '1' }
  await client.post('/v1/business/operationKitLine/add', line)
  const kit = { code: 'RQ-KIT', operation_kit_sn, packed_by: 'scan', warehouse_model_inner_sn: scene.shop }
  await client.post('/v1/business/implantKit/add', kit)
  const [made] = await scene.dealer.list('implantKit', { code: 'RQ-KIT' })
  const lines = [goods({ to_location: 'RQ-KIT' })]
  return { kit_sn: made!.implant_kit_sn, load_type: 'load', warehouse_model_inner_sn: scene.shop, lines }
}
const leaving: Readonly<Record<string, Leaving>> = {
  saleOdo: { who: () => scene.dealer, body: toCustomer },
  advanceSale: { who: () => scene.dealer, body: () => ({ ...toCustomer(), settle_date: day(10) }) },
  giveOdo: { who: () => scene.dealer, body: () => ({ ...toCustomer(), give_type: 'trial', give_reason: '试用' }) },
  otherOdo: {
    who: () => scene.dealer,
    body: () => ({
      warehouse_model_inner_sn: scene.shop,
      odo_type: 'loan',
      purpose_note: '院内试用',
      return_due: day(30),
    }),
  },
  grantOdo: { who: () => scene.hospital, body: toWard },
  transfer: { who: () => scene.hospital, body: intoWard },
  dispatch: { who: () => scene.hospital, body: asked },
  departmentUse: { who: () => scene.hospital, body: () => ({ ...fromWard(), use_type: 'consume' }) },
  pack: { who: () => scene.hospital, body: packing },
  kitLoading: { who: () => scene.dealer, body: intoKit },
  bonePresale: { who: () => scene.dealer, body: toCustomer },
  surgeryUse: {
    who: () => scene.hospital,
    body: () => ({ ...fromWard(), doctor_inner_sn: scene.surgeon, surgery_name: '置换术', theatre: '3号手术间' }),
  },
}
const tried = async (kind: string, more: object): Promise<Reply> => {
  const { who, body } = leaving[kind]!
  return attempt(who(), kind, { lines: [goods()], ...(await body()), ...more })
}

describe('goods past their day', () => {
  it('are named here for every kind that takes goods out and may not take expired ones', () => {
    const kinds = documents().filter(
      ({ posting, compliance }) =>
        posting.stockDirection === 'out' && !compliance.takesUnfit?.some(({ when, into }) => !when && !into),
    )
    expect(kinds.map(({ kind }) => kind).sort()).toEqual(Object.keys(leaving).sort())
  })

  it.each(Object.keys(leaving))('%s: an expired lot does not leave under an earlier date', async kind => {
    await expiredSince(3)
    expectMessage(await tried(kind, { business_date: day(-10) }), /过期/)
    // Entering another expiry date for the lot does not help.
    expectMessage(
      await tried(kind, {
        ...(kind === 'dispatch' ? {} : { lines: [goods({ expiry_date: day(300) })] }),
        business_date: day(-10),
      }),
      /过期/,
    )
  })

  // A picking list takes from a request: `picking-list.test.ts`.
  it.each(Object.keys(leaving).filter(kind => kind !== 'dispatch'))(
    '%s: of goods without a lot is said how many are short, and not to choose one',
    async kind => {
      const { who, body } = leaving[kind]!
      const { lines = [goods()], ...header } = (await body()) as { lines?: object[] }
      const more = { lot_no: undefined, quantity: '9998' }
      const reply = await attempt(who(), kind, { ...header, lines: lines.map(line => ({ ...line, ...more })) })
      expect(JSON.stringify(reply)).toMatch(/库存不足：.* 可用[\d.]+，需要9998/)
      expect(JSON.stringify(reply)).not.toContain('请选择批号')
    },
  )

  it.each(Object.keys(leaving))('%s: a recalled lot does not leave, nor what is stopped or frozen', async kind => {
    const { owner } = scene.server.database
    const lot = owner`select id from lot where lot_no = ${LOT}`
    const recall = await owner`
      insert into lot_recall (lot_id, org_id, document_id, recall_sn) select id, ${scene.v}, 1, 'ZH-RQ' from (${lot}) l
      returning lot_id`
    expect(recall).toHaveLength(1)
    afterThisTest(async () => void (await owner`delete from lot_recall where recall_sn = 'ZH-RQ'`))
    expectMessage(await tried(kind, {}), /批号RQ1已召回，不能出库/)
    await owner`delete from lot_recall where recall_sn = 'ZH-RQ'`
    for (const state of ['stopped', 'frozen']) {
      const block = (from: string, to: string) => owner`
        update stock_balance set quality_state = ${to} where quality_state = ${from} and lot_id in (${lot})`
      await block('qualified', state)
      try {
        const named = { lines: [goods({ quality_state: state })] }
        for (const more of kind === 'dispatch' ? [{}] : [{}, named]) {
          const reply = await tried(kind, more)
          expect(reply.code).not.toBe(0)
          expect(JSON.stringify(reply)).toMatch(/停售|冻结|库存不足|可用0|字段|缺少|跟台计划/)
        }
      } finally {
        await block(state, 'qualified')
      }
    }
  })

  it.each(Object.keys(leaving))('%s: the last good day is still good', async kind => {
    await expiredSince(0)
    const reply = await tried(kind, {})
    expect(reply.msg).not.toMatch(/已?过期/)
  })

  it('a document that waited until its goods expired is not reviewed any more', async () => {
    const { dealer } = scene
    const sn = await dealer.add('saleOdo', { ...toCustomer(), lines: [goods()] })
    await dealer.done('saleOdo', 'submit', sn)
    await expiredSince(1)
    expectMessage(await dealer.do('saleOdo', 'review', sn), /批号RQ1.*过期/)
    await dealer.done('saleOdo', 'unsubmit', sn)
  })

  it('a late record of a use is judged by when it was used', async () => {
    const { hospital } = scene
    await expiredSince(3)
    const use = (days: number) => ({
      ...fromWard(),
      use_type: 'consume',
      used_at: `${day(-days)}T02:00:00Z`,
      lines: [goods()],
    })
    expectMessage(await attempt(hospital, 'departmentUse', use(2)), '第1行：产品已过期，禁止使用')
    expect(await attempt(hospital, 'departmentUse', use(3), 'review')).toMatchObject({ code: 0 })
    // A use far back is governed by the same setting as any date.
    const { info } = await hospital.client.post('/v1/business/departmentUse/add', use(60))
    const body = { sn: info.sn, version: info.version }
    expect(await hospital.client.post('/v1/business/departmentUse/submit', body)).toMatchObject({
      code: 2200,
      msg: `使用时间${day(-60)}早于今天31天以上，是否补录？`,
    })
  })

  it.each(['purchaseGrn', 'otherGrn'])('%s: an expired lot is not received under an earlier date', async kind => {
    const body = {
      ...(kind === 'purchaseGrn' ? { counterparty_sn: scene.d } : { grn_type: 'other' }),
      warehouse_model_inner_sn: scene.central,
      business_date: day(-10),
    }
    const old = lotOf(scene.inflator, 'RQ2', { quantity: '1', production_date: day(-400), expiry_date: day(-1) })
    expectMessage(
      await attempt(scene.hospital, kind, { ...body, lines: [old] }),
      /^第1行：产品已过有效期，不能入库：【.*】批号RQ2$/,
    )
  })

  it('an opening with an earlier date records expired goods only as unqualified', async () => {
    const { hospital, central, inflator } = scene
    const old = lotOf(inflator, 'RQ3', { quantity: '1', production_date: day(-400), expiry_date: day(-1) })
    const opening = (line: object) => ({ warehouse_model_inner_sn: central, business_date: day(-10), lines: [line] })
    expectMessage(
      await attempt(hospital, 'openingStock', opening(old)),
      '第1行：批号RQ3已过有效期，质量状态只能为不合格',
    )
    expect(
      await attempt(hospital, 'openingStock', opening({ ...old, quality_state: 'unqualified' }), 'review'),
    ).toMatchObject({ code: 0 })
  })

  it('a ward does not confirm what expired on the way; it goes home', async () => {
    const { hospital, central } = scene
    const grant = await hospital.add('grantOdo', { ...toWard(), lines: [goods({ quantity: '2' })] })
    await hospital.pass('grantOdo', grant)
    const { sn } = await hospital.from('wardReceipt', grant)
    await expiredSince(1)
    expectMessage(
      await hospital.do('wardReceipt', 'review', sn),
      /批号RQ1已过期，不能收货，实收数量请填0，由发放仓库收回$/,
    )
    const none = [{ line_no: 1, received_quantity: '0', difference_reason: 'expired' }]
    expect((await hospital.done('wardReceipt', 'edit', sn, { lines: none })).sn).toBe(sn)
    await hospital.done('wardReceipt', 'review', sn)
    const back = await hospital.add('grantReturn', { source_type: 123, source_sn: grant, return_reason: '途中过期' })
    await hospital.done('grantReturn', 'submit', back)
    const { lines } = await hospital.info('grantReturn', back)
    const line = { line_no: lines[0].line_no, unqualified_reason: '已过期' }
    expectMessage(await hospital.do('grantReturn', 'inspect', back), /产品已过期，不能验收为合格/)
    await hospital.done('grantReturn', 'edit', back, { lines: [{ ...line, unqualified_quantity: '2' }] })
    await hospital.done('grantReturn', 'inspect', back)
    await hospital.done('grantReturn', 'review', back)
    expect((await hospital.info('grantOdo', grant)).state).toBe('completed')
    const rows = await hospital.list('stockBalance', { warehouse_model_inner_sn: central, lot_no: LOT })
    expect(rows.find(row => row.quality_state === 'unqualified')).toMatchObject({ quantity: '2.000' })
  })

  it.each(['purchaseOrder', 'purchaseGrn', 'otherGrn', 'saleOdo'])(
    '%s: an expired registration certificate is not valid again under an earlier date',
    async kind => {
      const { hospital, dealer, central, shop, inflator, h, d } = scene
      await scene.expire(inflator)
      const [who, counterparty_sn, warehouse_model_inner_sn] =
        kind === 'saleOdo' ? [dealer, h, shop] : [hospital, d, central]
      const line = kind === 'saleOdo' ? goods() : lotOf(inflator, 'RQ5', { quantity: '1', price: '145' })
      const { production_date: _made, expiry_date: _until, lot_no: _lot, ...ordered } = lotOf(inflator, '')
      const body = {
        ...(kind === 'otherGrn' ? { grn_type: 'other' } : { counterparty_sn }),
        warehouse_model_inner_sn,
        business_date: day(-10),
        lines: [kind === 'purchaseOrder' ? { ...ordered, quantity: '1' } : line],
      }
      expectMessage(await attempt(who, kind, body), /注册证.*已过期/)
    },
  )

  it('goods that expired may be destroyed or sent back today, whatever the date says', async () => {
    await expiredSince(1)
    const scrap = {
      warehouse_model_inner_sn: scene.shop,
      scrap_type: 'expired',
      business_date: day(-10),
      lines: [goods()],
    }
    const reply = await attempt(scene.dealer, 'scrap', scrap)
    expect(reply.msg).not.toMatch(/为合格品/)
  })
})

describe('the date of a document', () => {
  const loss = (more: object) => ({
    warehouse_model_inner_sn: scene.shop,
    odo_type: 'loan',
    purpose_note: '院内试用',
    return_due: day(30),
    lines: [goods()],
    ...more,
  })
  const other = async (who: Person, more: object) => {
    const { info } = await who.client.post('/v1/business/otherOdo/add', loss(more) as Record<string, unknown>)
    const reply = await who.client.post('/v1/business/otherOdo/submit', { sn: info.sn, version: info.version })
    return { reply, sn: info.sn as string }
  }

  it('lies in the future for nobody, in any kind', async () => {
    proves('document.dateAhead')
    expectMessage((await other(scene.dealer, { business_date: day(1) })).reply, `出库日期${day(1)}晚于今天，请修改日期`)
    const order = { counterparty_sn: scene.d, business_date: day(1), lines: [{ ...goods(), lot_no: undefined }] }
    expectMessage(await attempt(scene.hospital, 'purchaseOrder', order), `订单日期${day(1)}晚于今天，请修改日期`)
    const use = { ...fromWard(), use_type: 'consume', used_at: `${day(2)}T02:00:00Z`, lines: [goods()] }
    expectMessage(await attempt(scene.hospital, 'departmentUse', use), `使用时间${day(2)}晚于今天，请修改日期`)
  })

  it('may lie as far ahead and back as the organisation sets it', async () => {
    proves('document.dateAhead')
    const { dealer, d } = scene
    await scene.rule(d, 'date_ahead_days', 2)
    await scene.rule(d, 'date_back_days', 0)
    expect((await other(dealer, { business_date: day(2) })).reply.code).toBe(0)
    expectMessage(
      (await other(dealer, { business_date: day(3) })).reply,
      `出库日期${day(3)}晚于今天2天以上，请修改日期`,
    )
    expect((await other(dealer, { business_date: day(-1) })).reply).toMatchObject({
      code: 2200,
      msg: `出库日期${day(-1)}早于今天，是否补录？`,
    })
  })

  it('further back is for those who have the right, who confirm it by name; others are refused', async () => {
    proves('document.dateBack')
    const { dealer } = scene
    expect((await other(dealer, { business_date: day(-31) })).reply.code).toBe(0)
    const { reply, sn } = await other(dealer, { business_date: day(-32) })
    const early = `出库日期${day(-32)}早于今天31天以上`
    expect(reply).toMatchObject({ code: 2200, msg: `${early}，是否补录？` })
    await dealer.done('otherOdo', 'submit', sn)
    expect((await dealer.info('otherOdo', sn)).history.at(-1).confirmed).toEqual([`${early}，是否补录？`])
    // A keeper of the hospital has rights to receive and none for dates further back.
    const found = (business_date: string) =>
      attempt(keeper, 'otherGrn', {
        warehouse_model_inner_sn: scene.central,
        grn_type: 'other',
        business_date,
        lines: [lotOf(scene.inflator, 'RQ4', { quantity: '1' })],
      })
    expect(await found(day(-31))).toMatchObject({ code: 0 })
    expectMessage(
      await found(day(-32)),
      `入库日期${day(-32)}早于今天31天以上，请修改日期，或由有“补录更早日期”权限的人提交`,
    )
  })

  it('is a rule of the hospital, changed on its page', async () => {
    const { hospital } = scene
    const [rule] = await hospital.list('hospitalRule', { title: '业务日期可预填天数' })
    expect(rule).toMatchObject({ figure: '0', unit: '天' })
    const order = { counterparty_sn: scene.d, business_date: day(1), lines: [{ ...goods(), lot_no: undefined }] }
    const change = (figure: string) =>
      hospital.done('hospitalRule', 'edit', rule.hospital_rule_sn, { figure, reason: '节前预填' })
    await change('1')
    afterThisTest(() => change('0'))
    expect(await attempt(hospital, 'purchaseOrder', order)).toMatchObject({ code: 0 })
  })
})
