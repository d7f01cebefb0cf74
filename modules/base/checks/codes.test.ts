import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lotForm } from '#kernel/values/lot-no.ts'
import { deliverRecalls } from '#modules/goods/quality/recall-delivery.server.ts'
import { attempt, expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { day, type Person } from '#tests/support/story.ts'

/**
 * Codes, lots and quantities of incoming goods: a code must match its line, a lot is read in any width, a recalled one
 * cannot be received, and pieces are whole.
 */
let scene: Scene
let works = ''
const STENT = '06999900100016'
const yymmdd = (date: string) => date.slice(2).replaceAll('-', '')
const label = (serial: string, more: string = '') => `(01)${STENT}${more}(21)${serial}`
beforeAll(async () => {
  scene = await openScene()
  works = await scene.store('V01', 'central')
})
afterAll(() => scene?.close())

/** Every kind by which goods with codes come in without another organisation's document. */
const doors: Readonly<Record<string, () => { who: Person; body: object }>> = {
  purchaseGrn: () => ({
    who: scene.hospital,
    body: { counterparty_sn: scene.d, warehouse_model_inner_sn: scene.central },
  }),
  openingStock: () => ({ who: scene.dealer, body: { warehouse_model_inner_sn: scene.shop } }),
  otherGrn: () => ({ who: scene.dealer, body: { warehouse_model_inner_sn: scene.shop, grn_type: 'other' } }),
}
const tried = (kind: string, lot: string, codes: readonly string[], more: object = {}) => {
  const { who, body } = doors[kind]!()
  return attempt(who, kind, { ...body, lines: [lotOf(scene.stent, lot, { unit_codes: codes, price: '1', ...more })] })
}

describe.each(Object.keys(doors))('a code on a line of %s', kind => {
  it('of another product is refused, with whose it is', async () => {
    const { who, body } = doors[kind]!()
    const line = lotOf(scene.balloon, 'TM1', { unit_codes: [label('X1')], price: '1' })
    expectMessage(
      await attempt(who, kind, { ...body, lines: [line] }),
      `第1行：条码${label('X1')}与明细不符：产品标识${STENT}属于【冠状动脉药物洗脱支架系统 2.50×15mm】`,
    )
  })

  it('with another lot, expiry or production date on its label is refused, with what differs', async () => {
    const printed = `(17)${yymmdd(day(300))}(11)${yymmdd(day(-90))}(10)TM2`
    expectMessage(
      await tried(kind, 'TM3', [label('X2', printed)]),
      `第1行：条码${label('X2')}与明细不符：批号为TM2，明细为TM3；有效期至为${day(300)}，明细为${day(700)}；` +
        `生产日期为${day(-90)}，明细为${day(-60)}`,
    )
  })

  it('is held against its line however often the line is edited', async () => {
    const { who, body } = doors[kind]!()
    const code = label('X3', '(10)TM4')
    const sn = await who.add(kind, { ...body, lines: [lotOf(scene.stent, 'TM4', { unit_codes: [code], price: '1' })] })
    await who.done(kind, 'edit', sn, { lines: [{ line_no: 1, lot_no: 'TM5' }] })
    expectMessage(await who.do(kind, 'submit', sn), `第1行：条码${label('X3')}与明细不符：批号为TM4，明细为TM5`)
  })

  it('without a serial, or with a device identifier alone, names no piece', async () => {
    const sentence = '没有序列号，不是单品码，请扫描单品上的条码，或不填院内码'
    for (const code of [STENT, `(01)${STENT}`, `(01)${STENT}(10)TM6`])
      expectMessage(await tried(kind, 'TM6', [code]), `第1行：条码${code}${sentence}`)
  })

  it('that agrees with its line comes in, written in any width', async () => {
    const printed = `(17)${yymmdd(day(700))}(10)tm7${kind}`
    expect(await tried(kind, ` ｔm７ ${kind} `, [label(`OK${kind}`, printed)])).toMatchObject({ code: 0 })
    const { who } = doors[kind]!()
    const [listed] = await who.list(kind, {})
    expect((await who.info(kind, listed.sn)).lines[0].lot_no).toBe(`tm7${kind}`)
  })

  it('with the lot of its line in the other case names another lot', async () => {
    expectMessage(
      await tried(kind, 'TM7A', [label(`NO${kind}`, '(10)tm7a')]),
      `第1行：条码${label(`NO${kind}`)}与明细不符：批号为tm7a，明细为TM7A`,
    )
  })
})

describe('a maker’s serial', () => {
  it('is registered by nobody else in a lot whose pieces the maker made here', async () => {
    const { vendor, stent } = scene
    const made = await vendor.add('otherGrn', {
      warehouse_model_inner_sn: works,
      grn_type: 'produce',
      release_no: 'FX1',
      lines: [lotOf(stent, 'TM8', { unit_codes: [label('M1')], price: '400' })],
    })
    await vendor.pass('otherGrn', made)
    for (const kind of Object.keys(doors))
      expectMessage(
        await tried(kind, 'TM8', [label('FALSE')]),
        `第1行：条码${label('FALSE')}不是生产厂家在该批号下生产的序列号，请核对实物`,
      )
  })

  it('means the maker’s product, whatever else an organisation keeps it for', async () => {
    const { dealer, balloon } = scene
    const reply = await dealer.client.post('/v1/business/productBarcode/add', {
      specification_sn: balloon,
      code: STENT,
      code_type: 'udi_di',
      issuer: 'GS1',
      level: 'sale',
    })
    expect(reply.code).not.toBe(0)
  })
})

describe('a lot number', () => {
  it('keeps its case; the database knows the capitals in which older programs kept it', async () => {
    const odd = [' ａbc-1２３ ', 'l o\u3000t　7', 'Ab\u200bC', 'x\u00a0y\tz', "q'w\\e{r}~", '批号Ａ', 'éß']
    for (const text of odd) {
      const { form } = await scene.one('select lot_form($1) as form', text)
      expect(form).toBe(lotForm(text).replaceAll(/[a-z]/g, letter => letter.toUpperCase()))
    }
    expect(odd.map(lotForm).slice(0, 4)).toEqual(['abc-123', 'lot7', 'AbC', 'xyz'])
  })

  it('is the same lot in every width: its dates are held, and its stock is found', async () => {
    const { hospital, central, inflator } = scene
    await scene.shelve(hospital, central, [lotOf(inflator, 'Tm9', { quantity: '5' })])
    expect(
      await scene.one(
        'select count(*)::int as n from lot where specification_id = $1 and lot_no = $2',
        inflator,
        'Tm9',
      ),
    ).toEqual({ n: 1 })
    const other = { grn_type: 'other', warehouse_model_inner_sn: central }
    expectMessage(
      await attempt(
        hospital,
        'otherGrn',
        { ...other, lines: [lotOf(inflator, 'Ｔｍ９', { quantity: '1', expiry_date: day(500) })] },
        'review',
      ),
      /批号Tm9的有效期至应为/,
    )
    const grant = {
      warehouse_model_inner_sn: central,
      to_warehouse_model_inner_sn: scene.ward,
      department_inner_sn: scene.department,
      lines: [{ specification_sn: inflator, lot_no: 'T m 9', quantity: '1' }],
    }
    expect(await attempt(hospital, 'grantOdo', grant)).toMatchObject({ code: 0 })
  })
})

describe('a recalled lot', () => {
  it('is received by none of those whom it is on its way to, in no width of its number, until the recall ends', async () => {
    const { dealer, hospital, shop, central, inflator, d, h } = scene
    await scene.shelve(dealer, shop, [lotOf(inflator, 'TMR', { quantity: '5' })])
    const odo = await dealer.add('saleOdo', {
      counterparty_sn: h,
      warehouse_model_inner_sn: shop,
      lines: [{ specification_sn: inflator, lot_no: 'TMR', quantity: '2' }],
    })
    await dealer.pass('saleOdo', odo)
    const under = await hospital.from('purchaseGrn', odo)
    const letter = await uploadPicture(dealer)
    const sn = await dealer.add('recall', {
      heading: '召回',
      recall_level: 'first',
      recall_reason: '渗漏',
      due_date: day(3),
      attachments: [letter],
      lines: [{ specification_sn: inflator, lot_no: 'ＴＭＲ', requirement: '退回' }],
    })
    await dealer.pass('recall', sn)
    await dealer.done('recall', 'publish', sn)
    await deliverRecalls(scene.server.database.app, scene.server.database.owner)
    const receipt = (kind: string, lot: string) => ({
      ...(kind === 'purchaseGrn' ? { counterparty_sn: d } : { grn_type: 'other' }),
      warehouse_model_inner_sn: central,
      lines: [lotOf(inflator, lot, { quantity: '1', price: '145' })],
    })
    for (const kind of ['purchaseGrn', 'otherGrn'])
      for (const lot of ['TMR', 'Ｔ MR'])
        expectMessage(await attempt(hospital, kind, receipt(kind, lot)), '批号TMR已召回，不能入库')
    expectMessage(await hospital.do('purchaseGrn', 'submit', under.sn), '批号TMR已召回，不能入库')
    await deliverRecalls(scene.server.database.app, scene.server.database.owner)
    await dealer.done('recall', 'withdraw', sn, { reason: '误报' })
    await deliverRecalls(scene.server.database.app, scene.server.database.owner)
    expect(await attempt(hospital, 'purchaseGrn', receipt('purchaseGrn', 'TMR'))).toMatchObject({ code: 0 })
  })
})

describe('units that count', () => {
  it('take whole pieces, in whatever pack the line is written', async () => {
    const { hospital, dealer, d, central, inflator, shop } = scene
    const { id: box } = await scene.one(
      `insert into pack_unit (specification_id, name, measure, base_measure) values ($1, '大箱', 20, 20) returning id`,
      inflator,
    )
    const { unit_name } = await scene.one('select unit_name from specification where id = $1', inflator)
    const line = (quantity: string) => lotOf(inflator, 'TMW', { quantity, unit_inner_sn: box, price: '10' })
    const receipt = (quantity: string) => ({
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [line(quantity)],
    })
    const { production_date: _made, expiry_date: _until, lot_no: _lot, ...ordered } = line('0.333')
    const order = { counterparty_sn: d, warehouse_model_inner_sn: central, lines: [{ ...ordered, price: undefined }] }
    const sentence = new RegExp(`数量须为整数，0.333大箱折合6.66${unit_name}$`)
    expectMessage(await attempt(hospital, 'purchaseGrn', receipt('0.333')), sentence)
    expectMessage(await attempt(hospital, 'purchaseOrder', order), sentence)
    expectMessage(
      await attempt(dealer, 'openingStock', {
        warehouse_model_inner_sn: shop,
        lines: [lotOf(inflator, 'TMW', { quantity: '1.5' })],
      }),
      new RegExp(`按${unit_name}计数，数量须为整数$`),
    )
    expect(await attempt(hospital, 'purchaseGrn', receipt('0.5'))).toMatchObject({ code: 0 })
  })
})
