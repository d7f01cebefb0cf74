import { read, utils } from '@e965/xlsx'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { sendSheet, workbook } from '#tests/support/sheets.ts'

/** 盘点导入: counted quantities come from a workbook, matched to the lines of the count. */
let scene: Scene
let sn = ''
beforeAll(async () => {
  scene = await openScene()
  const { hospital, central, inflator, balloon } = scene
  await scene.shelve(hospital, central, [
    lotOf(inflator, 'IMP1', { quantity: '10', price: '5', location: 'A-01' }),
    lotOf(inflator, 'IMP1', { quantity: '4', price: '5', location: 'A-02' }),
    lotOf(inflator, 'IMP2', { quantity: '6', price: '5' }),
    lotOf(balloon, 'IMP3', { unit_codes: ['IMP-1', 'IMP-2'] }),
  ])
  sn = await hospital.add('stockTake', { warehouse_model_inner_sn: central, take_method: 'blind' })
  await hospital.done('stockTake', 'start', sn)
})
afterAll(() => scene?.close())

const HEAD = ['产品编码', '批号', '货位', '初盘数量', '差异原因']
const path = (call: string) => `/v1/business/stockTake/${call}`
async function send(
  rows: readonly (readonly (string | number)[])[],
  call = 'import',
  more: Record<string, string> = {},
) {
  const { version } = await scene.hospital.info('stockTake', sn)
  const fields = { sn, version: String(version), ...more }
  return sendSheet(scene.hospital.client, path(call), workbook([HEAD, ...rows]), fields)
}
const counted = async () =>
  (await scene.hospital.info('stockTake', sn)).lines.map((line: Record<string, string>) => [
    line.lot_no,
    line.location,
    line.first_quantity ?? null,
  ])

story('import, from one step to the next', step => {
  step('the template has the lines of the count, and no book quantities', async () => {
    const reply = await scene.hospital.client.raw({ method: 'GET', url: path('template'), query: { sn } })
    const book = read(reply.rawPayload, { type: 'buffer' })
    const rows = utils.sheet_to_json<Record<string, string>>(book.Sheets[book.SheetNames[0]!]!)
    expect(rows.map(row => [row.产品编码, row.批号, row.货位 ?? '', row.质量状态])).toEqual(
      expect.arrayContaining([
        ['P009-01', 'IMP1', 'A-01', '合格'],
        ['P009-01', 'IMP2', '', '合格'],
      ]),
    )
    expect(Object.keys(rows[0]!)).not.toContain('账面数量')
  })

  step('errors are listed by row: unknown lot, two locations, duplicates, serials that must be scanned', async () => {
    const wrong = await send([
      ['P009-01', 'NONE', '', 1],
      ['P009-01', 'IMP1', '', 1],
      ['P009-01', 'IMP2', '', 6],
      ['P009-01', 'IMP2', '', 5],
      ['P009-01', 'IMP2', '', '六'],
    ])
    expect(wrong.errors).toEqual([
      { row: 2, column: '产品编码', msg: '盘点单里没有这一行的产品和批号，请核对' },
      { row: 3, column: '产品编码', msg: '盘点单里有2行相同，请再填写批号、货位、货主、质量状态' },
      { row: 5, column: '产品编码', msg: '与第4行重复' },
      expect.objectContaining({ row: 6, column: '初盘数量' }),
    ])
    const coded = await send([
      ['P002-01', 'IMP3', '', 2],
      ['P009-01', 'IMP2', '', 6],
    ])
    expect(coded.errors).toEqual([{ row: 2, column: '', msg: '一物一码产品请扫码盘点' }])
    expect((await counted()).every(([, , figure]: (string | null)[]) => figure === null)).toBe(true)
    expectMessage(
      await sendSheet(scene.hospital.client, path('import'), workbook([HEAD, ['P009-01', 'IMP2', '', 6]]), {}),
      '请在盘点单里导入',
    )
  })

  step('a dry run writes nothing; the import then saves the counts on their lines, for any counter', async () => {
    const rows = [
      ['P009-01', 'IMP1', 'A-01', 9, '散落'],
      ['P009-01', 'IMP1', 'A-02', 4],
      ['P009-01', 'IMP2', '', 6],
    ]
    expect((await send(rows, 'import', { dry: 'true' })).info.count).toBe(3)
    expect((await counted()).every(([, , figure]: (string | null)[]) => figure === null)).toBe(true)
    expect((await send(rows)).info.count).toBe(3)
    expect(await counted()).toEqual(
      expect.arrayContaining([
        ['IMP1', 'A-01', '9.000'],
        ['IMP1', 'A-02', '4.000'],
        ['IMP2', '', '6.000'],
        ['IMP3', '', null],
      ]),
    )
    const [line] = await scene.server.database.owner`
    select l.fields->>'counted_by' as who, l.fields->>'difference' as difference from document_line l
      join document d on d.org_id = l.org_id and d.id = l.document_id
     where d.sn = ${sn} and l.lot_no = 'IMP1' and l.location = 'A-01'`
    expect(line).toMatchObject({ difference: '-1.000', who: expect.any(String) })
  })

  step(
    'a count sheet is filled in by location, blind without book stock; its result adds up once reviewed',
    async () => {
      const { hospital, inflator } = scene
      const onDocument = async (of: string) =>
        (await hospital.client.get('/v1/business/stockTake/print', { sn: of })).info
      const ward = await scene.warehouse('H01-W01')
      await scene.shelve(hospital, ward, [
        lotOf(inflator, 'SHEET1', { quantity: '10', price: '5', location: 'B-01' }),
        lotOf(inflator, 'SHEET2', { quantity: '4', price: '5', location: 'A-01' }),
      ])
      const sn = await hospital.add('stockTake', { warehouse_model_inner_sn: ward, take_method: 'blind' })
      await hospital.done('stockTake', 'start', sn)
      const blind = await onDocument(sn)
      expect(blind).toMatchObject({ take_method: '盲盘', book_total: '-', match_total: '-' })
      expect(blind.lines.map((line: { area_title: string }) => line.area_title).toSorted()).toEqual([
        '库区 A',
        '库区 B',
      ])
      expect(blind.lines[0]).toMatchObject({ book_quantity: null, price: null })
      const { lines } = await hospital.info('stockTake', sn)
      await hospital.done('stockTake', 'edit', sn, {
        lines: lines.map((line: { line_no: number; lot_no: string }) => ({
          line_no: line.line_no,
          first_quantity: line.lot_no === 'SHEET1' ? '8' : '4',
          line_reason: '点数',
        })),
      })
      await hospital.done('stockTake', 'submit', sn)
      const keeper = await scene.person('keeper')
      // The reviewer cannot print a result before the review either.
      const early = (await keeper.client.get('/v1/business/stockTake/print', { sn })).info
      expect(early).toMatchObject({ net_total: '-', match_total: '-' })
      for (const line of early.lines)
        expect(line).toMatchObject({ book_quantity: null, price: null, difference: null, difference_amount: null })
      await keeper.done('stockTake', 'review', sn)
      const result = await onDocument(sn)
      expect(result.lines.find((line: { lot_no: string }) => line.lot_no === 'SHEET1')).toMatchObject({
        book_quantity: '10.000',
        difference: '-2.000',
        difference_amount: '-10.00',
      })
      expect(result).toMatchObject({
        book_total: '14',
        counted_total: '12',
        loss_total: '10.00',
        net_total: '-10.00',
        match_total: '50.00%',
      })
    },
  )
})
