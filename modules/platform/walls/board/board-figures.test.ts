import { afterAll, beforeAll, expect, it } from 'vitest'
import { MASKED } from '#kernel/wall/wall-definition.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { story } from '#tests/support/steps.ts'
import { day } from '#tests/support/story.ts'

/** Figures of the board out of documents, and who may read them. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const PATH = '/v1/business/board/biScreen'
const PAGE = 'page:/bi1'
const month = { begin_date: day(-29), end_date: day() }

/** 100 pieces were there before the thirty days, 130 came and 90 were used in them. */
async function turnOver(lot_no: string): Promise<void> {
  const { hospital, central, department, inflator, h, d } = scene
  const first = await scene.shelve(hospital, central, [lotOf(inflator, lot_no, { quantity: '100' })])
  await scene.one(
    `update stock_move set at = at - interval '40 days' where org_id = $1
       and document_id = (select id from document where org_id = $1 and sn = $2) returning 1`,
    h,
    first,
  )
  const receipt = await hospital.add('purchaseGrn', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: [lotOf(inflator, lot_no, { quantity: '130' })],
  })
  await hospital.pass('purchaseGrn', receipt)
  const use = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: central,
    department_inner_sn: department,
    use_type: 'consume',
    lines: [{ specification_sn: inflator, lot_no, quantity: '90' }],
  })
  await hospital.pass('departmentUse', use)
}

story('turnover and health of the stock', step => {
  step('stock of 100 and 140 and 90 out in 30 days are 40.0 days', async () => {
    await turnOver('BOARD1')
    const { hospital, inflator } = scene
    const asked = { ...month, specification_sn: inflator }
    const { info } = await hospital.client.get(PATH, { ...asked, card: 'figures' })
    expect(info.answers.turnover.rows[0]).toMatchObject({
      opening_quantity: '100.000',
      closing_quantity: '140.000',
      out_quantity: '90.000',
      turnover: '40.0000',
    })
    const { info: bars } = await hospital.client.get(PATH, { ...asked, card: 'turnover' })
    expect(bars.answers.all.rows).toMatchObject([{ turnover: '40.0000' }])
  })

  step('a size lasts as long as what is left of it at what left a day', async () => {
    const { hospital, inflator } = scene
    const { info } = await hospital.client.get(PATH, { ...month, specification_sn: inflator, card: 'health' })
    // 140 pieces at three a day.
    expect(info.answers.all.rows).toMatchObject([{ supply_days: '46.6667', closing_quantity: '140.000' }])
  })

  step('a filter that a card does not obey is said with it', async () => {
    const { hospital, department, inflator } = scene
    const { info } = await hospital.client.get(PATH, {
      ...month,
      card: 'figures',
      department_inner_sn: department,
      specification_sn: inflator,
    })
    expect(info.ignored.payable).toEqual(['科室', '规格'])
    expect(info.ignored.used).toEqual([])
    expect(info.answers.used.rows[0].quantity).toBe('90.000')
  })
})

it('whoever has the page and no prices reads pieces, and money is no measure of his', async () => {
  const { inflator } = scene
  const clerk = await scene.clerk('hospital', 'board.clerk', [PAGE])
  const ask = (query: Record<string, string>) =>
    clerk.client.get(PATH, { ...month, specification_sn: inflator, ...query })
  const { info } = await ask({ card: 'figures' })
  expect(info.answers.used.rows[0].amount ?? MASKED).toBe(MASKED)
  expect(info.answers.used.rows[0].quantity).toMatch(/^\d+\.000$/)
  expect((await ask({ card: 'trend' })).info.measure).toBe('usedPieces')
  expect((await ask({ card: 'trend', measure: 'used' })).msg).toBe('没有这个指标，或没有查看它的权限')
  const priced = await scene.clerk('dealer', 'board.seller', [PAGE, 'price'])
  const { info: sold } = await priced.client.get(PATH, { ...month, card: 'figures' })
  expect(sold.answers.profit.rows[0].profit ?? MASKED).toBe(MASKED)
  expect((await priced.client.get(PATH, { ...month, card: 'trend', measure: 'profit' })).code).not.toBe(0)
  const whole = await scene.clerk('dealer', 'board.owner', [PAGE, 'price', 'profit'])
  expect((await whole.client.get(PATH, { ...month, card: 'trend', measure: 'profit' })).code).toBe(0)
})

it('the board is for whoever has its page, its data for whoever may export them', async () => {
  const outsider = await scene.clerk('hospital', 'board.none', ['price'])
  expect(await outsider.client.get(PATH, { ...month, card: 'trend' })).toMatchObject({ code: 403 })
  const viewer = await scene.clerk('hospital', 'board.viewer', [PAGE, 'price'])
  expect(await viewer.client.get(PATH, { ...month, card: 'trend' })).toMatchObject({ code: 0 })
  expect(await viewer.client.get(`${PATH}/export`, month)).toMatchObject({ code: 403 })
})

it('a view that somebody shares is seen by colleagues who have the board, and by nobody else', async () => {
  const table = { projectName: 'yrtweb', tableId: '/bi1:schemes' }
  const save = (who: typeof scene.hospital, columns: object[]) =>
    who.client.post('/v1/business/userTableSort/save', { ...table, columns: JSON.stringify(columns) })
  const shared = (who: typeof scene.hospital) => who.client.get('/v1/business/userTableSort/shared', table)
  const view = (title: string, more: object) => ({
    field: title,
    title,
    query: { measure: 'used' },
    columns: [],
    ...more,
  })
  const writer = await scene.clerk('hospital', 'view.writer', [PAGE])
  expect((await save(writer, [view('月报', { isShared: true }), view('自用', {})])).code).toBe(0)
  const colleague = await scene.clerk('hospital', 'view.reader', [PAGE])
  expect((await shared(colleague)).list).toMatchObject([
    { title: '月报', by: 'view.writer', query: { measure: 'used' } },
  ])
  expect((await shared(writer)).list).toEqual([])
  expect((await shared(scene.dealer)).list).toEqual([])
  const outsider = await scene.clerk('hospital', 'view.none', ['price'])
  expect(await shared(outsider)).toMatchObject({ code: 403 })
  // Filters of lists may name a patient: they are shared with nobody.
  const list = { ...table, tableId: '/commonView/usageDetailsReport:schemes' }
  expect(await colleague.client.get('/v1/business/userTableSort/shared', list)).toMatchObject({ code: 403 })
})
