import { afterAll, beforeAll, expect } from 'vitest'
import { proposeCodes } from './proposed-codes.server.ts'
import { lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'
import { sendSheet, workbook } from '#tests/support/sheets.ts'
import { story } from '#tests/support/steps.ts'

/** 国家医保编码: published as sheets, matched by certificate and model, valid once confirmed by a person. */
let scene: Scene
let certificate = ''
let model = ''
let maker = ''
beforeAll(async () => {
  scene = await openScene()
  const row = await scene.one(
    `select s.name, c.certificate_no, o.name as maker from specification s join product p on p.id = s.product_id
      join organisation o on o.id = p.manufacturer_id
       join registration_certificate c on c.id = s.registration_certificate_id where s.id = $1`,
    scene.inflator,
  )
  ;[model, certificate, maker] = [row.name, row.certificate_no, row.maker]
})
afterAll(() => scene?.close())

const CODE = 'C090101010000000662600000'
const full = (n: number) => `${CODE}0${n}`
const HEAD = ['国家医保编码', '注册证号', '生产厂家', '医保规格型号', '医保通用名']
const path = (call: string) => `/v1/business/insuranceCode/${call}`
const send = (rows: readonly string[][], fields: Record<string, string> = {}) =>
  sendSheet(scene.hospital.client, path('import'), workbook([HEAD, ...rows]), fields)
const list = (query: Record<string, string> = {}) => scene.hospital.list('insuranceCode', { sort: 'code', ...query })
const call = (name: string, codes: readonly { insurance_code_sn: string }[]) =>
  scene.hospital.client.post(path(name), { sns: JSON.stringify(codes.map(row => row.insurance_code_sn)) })
const mine = async () => (await scene.hospital.list('hospitalProduct', { specification_sn: scene.inflator }))[0]

story('国家医保编码 from a published sheet to the stock it concerns', step => {
  step('a sheet is recognised by the form of its codes; a dry run writes nothing', async () => {
    expect((await send([['C123', certificate, maker, model, '充压装置']])).errors).toEqual([
      { row: 2, column: '国家医保编码', msg: '国家医保编码格式错误，应为C开头的20位编码，或到注册规格的27位编码' },
    ])
    const rows = [
      [full(1), certificate, maker, model, '充压装置'],
      [full(2), certificate, maker, '没有这个型号', '充压装置'],
      [full(3), 'NONE', maker, model, '充压装置'],
    ]
    expect((await send(rows, { dry: 'true' })).info.count).toBe(3)
    expect(await list()).toEqual([])
    expect((await send(rows)).info.count).toBe(3)
    expect((await list()).map(row => row.match_state)).toEqual(['none', 'none', 'none'])
    expect((await send([rows[0]!, rows[0]!])).errors).toEqual([{ row: 3, column: '国家医保编码', msg: '与第2行重复' }])
    expect(await list()).toHaveLength(3)
  })

  step('matching only proposes; a confirmed code belongs to the specification, which has one', async () => {
    const { hospital, inflator } = scene
    await send([
      [full(1), certificate, maker, model, '充压装置'],
      [full(2), certificate, maker, '没有这个型号', '充压装置'],
      [full(3), 'NONE', maker, model, '充压装置'],
    ])
    expect((await hospital.client.post(path('match'), {})).info.said).toBe('找到待确认1条，多个候选0条')
    const [first, second] = await list()
    expect(first).toMatchObject({ match_state: 'waiting', specification_sn: inflator })
    expectMessage(await call('confirm', [second]), `编码${full(2)}还没有对应的规格，请先在编辑中选择规格型号`)
    expect((await call('confirm', [first])).code).toBe(0)
    expect((await mine()).insurance_code).toBe(full(1).slice(0, 20))
    const [matched] = await list({ code: full(1) })
    expect(matched).toMatchObject({ match_state: 'matched', matched_by: expect.any(String) })
    const edit = (row: { insurance_code_sn: string; version: number }, body: object) =>
      hospital.client.post(path('edit'), { sn: row.insurance_code_sn, version: row.version, ...body })
    expectMessage(await edit(matched, { code: full(8) }), '已匹配的编码不能修改，请先解除匹配')
    expectMessage(
      await hospital.client.post(path('del'), { sn: matched.insurance_code_sn, version: matched.version }),
      '已匹配的编码不能删除，请先解除匹配',
    )
    // Another code of the same specification replaces it; the previous one keeps its dates.
    expect((await edit(second, { specification_sn: inflator })).code).toBe(0)
    expect((await list({ code: full(2) }))[0]).toMatchObject({ match_state: 'waiting' })
    expect((await call('confirm', [second])).code).toBe(0)
    expect((await list({ code: full(1) }))[0]).toMatchObject({ match_state: 'past', valid_to: expect.any(String) })
    // Documents print the code of their date: an earlier day has the code valid then, a day before both has none.
    const [{ valid_from: since }] = (await list({ code: full(2) })) as [{ valid_from: string }]
    await scene.one(
      "update insurance_code set valid_from = '2026-01-01', valid_to = '2026-06-30' where code = $1 returning id",
      full(1),
    )
    const printedOn = async (business_date: string) => {
      const lines = [{ specification_sn: inflator, quantity: '1', price: '10', tax_rate: 13 }]
      const sn = await hospital.add('purchaseOrder', { counterparty_sn: scene.d, lines })
      await scene.one('update document set business_date = $1 where sn = $2 returning id', business_date, sn)
      const { info } = await hospital.client.get('/v1/business/purchaseOrder/print', { sn })
      return info.lines[0].insurance_code
    }
    expect(await printedOn('2026-03-01')).toBe(full(1))
    expect(await printedOn(since)).toBe(full(2))
    expect(await printedOn('2025-12-31')).toBeNull()
    // A code belongs to one certificate.
    const [third] = await list({ code: full(3) })
    await edit(third, { specification_sn: scene.stent })
    expect((await call('confirm', await list({ code: full(3) }))).code).toBe(0)
    // 解除匹配 keeps its dates as history; the code is free, and may be matched to the same specification again.
    expect((await call('unmatch', await list({ code: full(3) }))).info.said).toBe('已解除1条匹配')
    const states = async () =>
      (await list({ code: full(3) })).map(row => [row.match_state, row.specification_sn, row.valid_to]).toSorted()
    expect(await states()).toEqual([
      ['none', null, null],
      ['past', scene.stent, day()],
    ])
    const [past] = await list({ code: full(3), match_state: 'past' })
    expectMessage(await edit(past!, { specification_sn: inflator }), '以前的编码留作历史，不能修改')
    const gone = { sn: past!.insurance_code_sn, version: past!.version }
    expectMessage(await hospital.client.post(path('del'), gone), '以前的编码留作历史，不能删除')
    await edit((await list({ code: full(3), match_state: 'none' }))[0]!, { specification_sn: scene.stent })
    expect((await call('confirm', await list({ code: full(3), match_state: 'waiting' }))).code).toBe(0)
    expect((await states()).map(([state]) => state)).toEqual(['matched', 'past'])
  })

  step('what a newer batch omits is no longer valid, and is reported with the stock concerned', async () => {
    const { hospital, central, inflator } = scene
    await scene.shelve(hospital, central, [lotOf(inflator, 'YB1', { quantity: '4' })])
    expect(await send([[full(3), 'NONE', maker, model, '充压装置']])).toMatchObject({ code: 0 })
    const gone = await list({ match_state: 'gone' })
    expect(gone.find(row => row.code === full(2))).toMatchObject({ stock: '4.000' })
    expect((await mine()).insurance_code).toBeNull()
    expectMessage(
      await call(
        'confirm',
        gone.filter(row => row.code === full(2)),
      ),
      `编码${full(2)}已失效，不能匹配`,
    )
    const gaps = await hospital.client.get('/v1/report/insuranceGaps', { in_stock: 'true' })
    expect(gaps.list).toMatchObject([{ product_code: 'P009', quantity: '4.000' }])
    // A later batch brings it back, to be confirmed again.
    await send([
      [full(2), certificate, maker, model, '充压装置'],
      [full(3), 'NONE', maker, model, '充压装置'],
    ])
    expect((await list({ code: full(2) }))[0]).toMatchObject({ match_state: 'waiting' })
  })

  step('a supplier’s mapping waits for its hospitals to confirm; prices show beside invalid codes', async () => {
    const { hospital, dealer, inflator, stent } = scene
    const { app, owner } = scene.server.database
    const [price] = (await list({ match_state: 'past,gone' })).filter(row => row.specification_sn === inflator)
    const own = await mine()
    expect(price).toMatchObject({
      purchase_price: own.purchase_price,
      charge_price: own.charge_price,
      sale_price: null,
    })
    await owner`delete from insurance_code
    where org_id = ${scene.h} and specification_id = any(${[inflator, stent]}::bigint[])`
    const add = (specification_sn: string, n: number) =>
      dealer.add('insuranceCode', { code: full(n), specification_sn, certificate_no: certificate, model })
    const sns = [await add(inflator, 4), await add(stent, 5)]
    const confirm = async (which: string[]) =>
      (await dealer.client.post(path('confirm'), { sns: JSON.stringify(which) })).code
    expect(await confirm([sns[0]!])).toBe(0)
    for (let twice = 0; twice < 2; twice++) await proposeCodes(app, owner)
    const waiting = await list({ match_state: 'waiting', specification_sn: inflator })
    expect(waiting).toMatchObject([{ code: full(4), proposed_by_sn: scene.d, matched_by: null }])
    expect((await mine()).insurance_code).toBeNull()
    const notified = await owner`select body from message where org_id = ${scene.h} and title = '供应商提出医保编码'`
    expect(notified.map(row => row.body)).toEqual([expect.stringMatching(/提出了1个规格的国家医保编码/)])
    expect((await call('confirm', waiting as never)).code).toBe(0)
    expect((await mine()).insurance_code).toBe(full(4).slice(0, 20))
    // If discarded there, it is not proposed again; codes that a hospital confirmed itself are not changed.
    expect(await confirm([sns[1]!])).toBe(0)
    await proposeCodes(app, owner)
    const [second] = await list({ code: full(5) })
    await hospital.client.post(path('del'), { sn: second.insurance_code_sn, version: second.version })
    await proposeCodes(app, owner)
    expect(await list({ code: full(5) })).toEqual([])
  })

  step('is each organisation’s own', async () => {
    expect((await scene.dealer.list('insuranceCode')).map(row => row.code).toSorted()).toEqual([full(4), full(5)])
    expect((await scene.dealer.client.get('/v1/report/insuranceGaps', {})).list.length).toBeGreaterThan(0)
  })
})
