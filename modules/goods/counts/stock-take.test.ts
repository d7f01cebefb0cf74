import { minuteOf } from '#kernel/values/date.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { attempt, lotOf, openScene, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'
import { uploadPdf } from '#tests/support/picture.ts'
import { day, type Person } from '#tests/support/story.ts'
import { story } from '#tests/support/steps.ts'

/**
 * 盘点: the ledger is frozen, counted openly or blind, recounted by another user; differences become finds and losses.
 */
let scene: Scene
let keeper: Person
let keeper2: Person
let signer: Person
let store = ''
beforeAll(async () => {
  scene = await openScene()
  // Four users of the organisation with all rights: the counter does not approve.
  await scene.one(
    "update app_user set is_administrator = true where login = any(array['buyer', 'keeper', 'finance']) returning 1",
  )
  ;[keeper, keeper2, signer] = (await Promise.all(['keeper', 'buyer', 'finance'].map(scene.person))) as [
    Person,
    Person,
    Person,
  ]
  store = await scene.warehouse('H01-W01')
  const { hospital, central, inflator, balloon, stent } = scene
  await scene.shelve(hospital, store, [
    lotOf(inflator, 'PD1', { quantity: '10', price: '33.33', location: 'A-01' }),
    lotOf(inflator, 'PD2', { quantity: '6', price: '10' }),
    lotOf(inflator, 'PD3', { quantity: '5', quality_state: 'unqualified' }),
    lotOf(balloon, 'PD4', { unit_codes: ['PD-1', 'PD-2', 'PD-3'] }),
  ])
  await scene.shelve(hospital, central, [lotOf(stent, 'PD5', { unit_codes: ['PD-9'] })])
})
afterAll(() => scene?.close())

type Line = { line_no: number; lot_no: string } & Record<string, string | string[] | null>
const info = (sn: string, who = scene.hospital) => who.info('stockTake', sn)
const lineOf = async (sn: string, lot: string): Promise<Line> =>
  (await info(sn)).lines.find((line: Line) => line.lot_no === lot)
const begin = async (more: object = {}) => {
  const sn = await scene.hospital.add('stockTake', { warehouse_model_inner_sn: store, ...more })
  await scene.hospital.done('stockTake', 'start', sn)
  return sn
}
/** Sends figures the way the grid does: all lines, with typed values on some. */
async function type(who: Person, sn: string, typed: Record<string, object>) {
  const { lines } = await info(sn)
  return who.do('stockTake', 'edit', sn, {
    lines: lines.map((line: Line) => ({ line_no: line.line_no, ...typed[line.lot_no] })),
  })
}
const scan = (who: Person, sn: string, codes: string[]) =>
  who.client.post('/v1/business/stockTake/scan', { sn, codes: JSON.stringify(codes) })
const use = (lot_no: string, quantity: string) => ({
  warehouse_model_inner_sn: store,
  department_inner_sn: scene.department,
  use_type: 'consume',
  lines: [{ specification_sn: scene.inflator, lot_no, quantity }],
})

let sn = ''
story('盘点 of one warehouse, from the frozen ledger to its gains and losses', step => {
  step('starting freezes the books by state and code; one unfinished count for the same goods', async () => {
    const { hospital } = scene
    const draft = await hospital.add('stockTake', { warehouse_model_inner_sn: store })
    expectMessage(await hospital.do('stockTake', 'submit', draft), '请先开始盘点')
    expect((await info(draft)).actions).toContain('start')
    await hospital.done('stockTake', 'start', draft)
    sn = draft
    const doc = await info(sn)
    expect(doc).toMatchObject({ state: 'draft', count_state: '2', book_lines: 4 })
    // Once begun it cannot be begun again; filling and recounting are offered from now on.
    expect(doc.actions).toEqual(expect.arrayContaining(['fillBook', 'recount']))
    expect(doc.actions).not.toContain('start')
    expect(doc.lines.map((line: Line) => [line.lot_no, line.book_quantity, line.quality_state])).toEqual(
      expect.arrayContaining([
        ['PD1', '10.000', 'qualified'],
        ['PD3', '5.000', 'unqualified'],
      ]),
    )
    expect((await lineOf(sn, 'PD4')).expected_codes).toEqual(['PD-1', 'PD-2', 'PD-3'])
    const other = await hospital.add('stockTake', { warehouse_model_inner_sn: store, scope_location: 'A-01' })
    const { name } = await scene.one('select name from warehouse where id = $1', store)
    expectMessage(await hospital.do('stockTake', 'start', other), `仓库【${name}】存在未完成的盘点单${sn}`)
    expectMessage(await hospital.do('stockTake', 'edit', sn, { scope_location: 'B' }), '盘点已开始，不能修改盘点范围')
  })

  step('moves between snapshot and count are no difference: book 10, 2 used, 9 counted is one surplus', async () => {
    const { hospital } = scene
    const used = await hospital.add('departmentUse', use('PD1', '2'))
    await hospital.pass('departmentUse', used)
    expect((await type(keeper, sn, { PD1: { first_quantity: '9' } })).code).toBe(0)
    expect(await lineOf(sn, 'PD1')).toMatchObject({
      moved_quantity: '-2.000',
      counted_quantity: '9.000',
      difference: '1.000',
      direction: 'surplus',
      difference_amount: '33.33',
    })
    const later = await hospital.add('departmentUse', use('PD1', '3'))
    await hospital.pass('departmentUse', later)
    expect(await lineOf(sn, 'PD1')).toMatchObject({ difference: '1.000' })
  })

  step('serials are scanned: found, found twice, in another warehouse, unknown', async () => {
    expectMessage(await type(keeper, sn, { PD4: { first_quantity: '3' } }), /一物一码产品请扫码盘点/)
    const reply = await scan(keeper, sn, ['PD-1', 'PD-3', 'PD-1', 'PD-9', 'PD-X'])
    expect(reply.info.results.map((row: { msg: string }) => row.msg)).toEqual([
      '相符',
      '相符',
      '该码已盘点',
      expect.stringMatching(/^错库\(账在.+\)$/),
      '院内码PD-X不存在，请核对后重新扫描',
    ])
    expect(await lineOf(sn, 'PD4')).toMatchObject({ difference: '-1.000', direction: 'short', unit_codes: ['PD-2'] })
    expect((await info(sn)).misplaced).toMatch(/^PD-9\(账在/)
  })

  step('differences are recounted by another person, and need a reason', async () => {
    const { hospital } = scene
    expectMessage(await hospital.do('stockTake', 'submit', sn), '还有2行未录入实盘数量')
    await type(keeper, sn, { PD2: { first_quantity: '4' } })
    const open = (await info(sn)).lines.filter((line: Line) => line.counted_quantity === null)
    expect(open.map((line: Line) => [line.difference ?? null, line.counted_how ?? null])).toEqual([[null, null]])
    const { version } = await info(sn)
    const asked = await hospital.client.post('/v1/business/stockTake/fillBook', { sn, version })
    expect([asked.code, asked.msg]).toEqual([
      2200,
      '将1行未盘的货物按账面数量填入实盘，并标记为“未扫码，按账面”，是否继续？',
    ])
    await hospital.done('stockTake', 'fillBook', sn)
    const how = (await info(sn)).lines.map((line: Line) => [line.lot_no, line.counted_how])
    expect(Object.fromEntries(how)).toMatchObject({ PD1: 'typed', PD2: 'typed', PD3: 'book', PD4: 'scanned' })
    expectMessage(await type(keeper, sn, { PD2: { recount_quantity: '5' } }), /请先点击复盘，再录入复盘数量/)
    await hospital.done('stockTake', 'recount', sn)
    expectMessage(await type(keeper, sn, { PD2: { recount_quantity: '5' } }), /复盘人不能为初盘人本人/)
    expectMessage(await type(keeper2, sn, { PD2: { first_quantity: '6' } }), /已进入复盘，初盘数量不能修改/)
    expect((await type(keeper2, sn, { PD2: { recount_quantity: '5' } })).code).toBe(0)
    expect(await lineOf(sn, 'PD2')).toMatchObject({ counted_quantity: '5.000', difference: '-1.000' })
    expectMessage(await hospital.do('stockTake', 'submit', sn), /有差异，请填写差异原因/)
    await type(hospital, sn, {
      PD1: { line_reason: '多发未退' },
      PD2: { line_reason: '未登记使用' },
      PD4: { line_reason: '未找到' },
    })
    await hospital.done('stockTake', 'submit', sn)
    expect(await info(sn)).toMatchObject({
      gain_quantity: '1.000',
      loss_quantity: '2.000',
      has_difference: '2',
      match_rate: '0.2500',
    })
    expectMessage(await keeper.do('stockTake', 'review', sn), '审核人不能为盘点人本人')
  })

  step(
    'its review creates a gain and a loss of exactly these lots and serials; done when both are approved',
    async () => {
      const { hospital, inflator } = scene
      await signer.done('stockTake', 'review', sn)
      const [found, lost] = [await hospital.from('overflow', sn), await hospital.from('loss', sn)]
      expect([found.overflow_type, lost.loss_type]).toEqual(['counted', 'counted'])
      expect((await hospital.info('overflow', found.sn)).lines).toMatchObject([
        { lot_no: 'PD1', quantity: '1.000', location: 'A-01' },
      ])
      const lines = (await hospital.info('loss', lost.sn)).lines
      expect(lines.map((line: Line) => [line.lot_no, line.quantity, line.unit_codes]).sort()).toEqual([
        ['PD2', '1.000', []],
        ['PD4', '1.000', ['PD-2']],
      ])
      const two = lines.map((line: Line) => ({
        line_no: line.line_no,
        ...(line.lot_no === 'PD2' ? { quantity: '2' } : {}),
      }))
      await hospital.done('loss', 'edit', lost.sn, { lines: two })
      expectMessage(await hospital.do('loss', 'submit', lost.sn), '报损数量不能大于盘亏数量1')
      await hospital.done('loss', 'edit', lost.sn, {
        lines: lines.map((line: Line) => ({ line_no: line.line_no, quantity: '1' })),
      })
      await hospital.done('loss', 'submit', lost.sn)
      await keeper.done('loss', 'review', lost.sn)
      expect((await info(sn)).state).toBe('partial')
      expectMessage(
        await signer.do('stockTake', 'unreview', sn),
        new RegExp(`^盘点差异已处理，不能反审核（.*${lost.sn}`),
      )
      await hospital.done('overflow', 'submit', found.sn)
      await keeper.done('overflow', 'review', found.sn)
      expect((await info(sn)).state).toBe('completed')
      expect(await shelf(hospital, store, inflator)).toMatchObject({ PD1: '6.000', PD2: '5.000' })
      // The sheet says when the ledger was frozen, in local time.
      const printed = (await hospital.client.get('/v1/business/stockTake/print', { sn })).info
      expect(printed.book_moment).toBe(minuteOf(new Date((await info(sn)).frozen_at)))
      const records = await hospital.list('stockTakeLine', { take_no: sn })
      expect(records.find(row => row.lot_no === 'PD2')).toMatchObject({
        handled_by: 'loss',
        handled_no: lost.sn,
        recounted_by: expect.any(String),
        match_rate: '0.2500',
      })
    },
  )

  step(
    'blind: counters see no book stock; locked: no moves meanwhile; without difference it closes at once',
    async () => {
      const { hospital } = scene
      const blind = await begin({ take_method: 'blind', is_locked: true, scope_location: 'A-01' })
      const [line] = (await info(blind, keeper)).lines
      expect([line.book_quantity, line.expected_codes, line.difference]).toEqual([null, null, null])
      expectMessage(await hospital.do('stockTake', 'fillBook', blind), '盲盘不能按账面填充')
      const { name } = await scene.one('select name from warehouse where id = $1', store)
      const used = await hospital.add('departmentUse', use('PD2', '1'))
      await hospital.done('departmentUse', 'submit', used)
      expectMessage(await hospital.do('departmentUse', 'review', used), `仓库【${name}】正在盘点，暂不能出入库`)
      await type(keeper, blind, { PD1: { first_quantity: '6' } })
      expect((await info(blind, keeper)).lines[0]).toMatchObject({ counted_quantity: '6.000', difference: null })
      await hospital.pass('stockTake', blind)
      expect(await info(blind)).toMatchObject({ state: 'completed', match_rate: '1.0000', has_difference: '1' })
      await hospital.done('departmentUse', 'review', used)
      await hospital.done('stockTake', 'unreview', blind)
      await hospital.done('stockTake', 'cancel', blind, { reason: '范围选错' })
    },
  )

  step('a count of what moved since a date; an empty one gives a warning, and accepts what is found', async () => {
    const { hospital } = scene
    const some = await begin({ take_type: 'moving', moved_since: day(0), scope_location: 'A-01' })
    expect((await info(some)).lines.map((line: Line) => line.lot_no)).toEqual(['PD1'])
    await hospital.done('stockTake', 'cancel', some, { reason: '试' })
    expectMessage(
      await attempt(hospital, 'stockTake', { warehouse_model_inner_sn: store, scope_location: 'Z-99' }),
      '请先开始盘点',
    )
    const empty = await hospital.add('stockTake', { warehouse_model_inner_sn: store, scope_location: 'Z-99' })
    const { version } = await info(empty)
    const asked = await hospital.client.post('/v1/business/stockTake/start', { sn: empty, version })
    expect(asked).toMatchObject({ code: 2200, msg: '所选范围账面没有库存，只能录入盘盈，是否仍要开始盘点？' })
    await hospital.done('stockTake', 'start', empty)
    expect(await info(empty)).toMatchObject({ book_lines: 0, lines: [] })
    await keeper.done('stockTake', 'edit', empty, {
      lines: [
        {
          specification_sn: scene.inflator,
          lot_no: 'PD1',
          location: 'Z-99',
          first_quantity: '2',
          line_reason: '账外',
        },
      ],
    })
    await hospital.done('stockTake', 'submit', empty)
    await signer.done('stockTake', 'review', empty)
    expect(await info(empty)).toMatchObject({ state: 'reviewed', gain_quantity: '2.000', match_rate: '0.0000' })
    const find = await hospital.from('overflow', empty)
    expect(await hospital.info('overflow', find.sn)).toMatchObject({
      state: 'draft',
      lines: [{ lot_no: 'PD1', location: 'Z-99', quantity: '2.000' }],
    })
    await hospital.done('stockTake', 'unreview', empty)
    await hospital.done('stockTake', 'cancel', empty, { reason: '试' })
    // Empty in the ledger and on the shelf: counted, and completed.
    const none = await begin({ scope_location: 'Z-98' })
    await hospital.done('stockTake', 'submit', none)
    await signer.done('stockTake', 'review', none)
    expect(await info(none)).toMatchObject({ state: 'completed', has_difference: '1', match_rate: '1.0000' })
  })

  step('a count by area, shelf or class; overlapping ones are refused, separate ones run side by side', async () => {
    const { hospital, inflator, balloon } = scene
    await scene.shelve(hospital, store, [
      lotOf(inflator, 'PD6', { quantity: '2', location: 'K-02-01-03' }),
      lotOf(inflator, 'PD7', { quantity: '2', location: 'K-03-01-01' }),
      lotOf(balloon, 'PD8', { unit_codes: ['PD-8'], location: 'L-01-01-01' }),
    ])
    const lots = async (sn: string) => (await info(sn)).lines.map((line: Line) => line.lot_no).sort()
    const area = await begin({ take_type: 'sample', scope_area: 'K' })
    expect(await lots(area)).toEqual(['PD6', 'PD7'])
    const start = async (more: object) => {
      const sn = await hospital.add('stockTake', { warehouse_model_inner_sn: store, take_type: 'sample', ...more })
      return { sn, reply: await hospital.do('stockTake', 'start', sn) }
    }
    for (const more of [{ scope_shelf: 'K-02' }, { scope_location: 'K-03-01-01' }, {}])
      expectMessage((await start(more)).reply, new RegExp(`存在未完成的盘点单${area}`))
    const apart = await start({ scope_area: 'L' })
    expect([apart.reply.code, await lots(apart.sn)]).toEqual([0, ['PD8']])
    for (const sn of [area, apart.sn]) await hospital.done('stockTake', 'cancel', sn, { reason: '试' })
    const shelf = await begin({ take_type: 'sample', scope_shelf: 'K-02' })
    expect(await lots(shelf)).toEqual(['PD6'])
    await hospital.done('stockTake', 'cancel', shelf, { reason: '试' })
    const post = (kind: string, call: string, body: Record<string, unknown>) =>
      hospital.client.post(`/v1/business/${kind}/${call}`, body)
    const branch = (await post('customType', 'add', { name: '盘点大类' })).info.sn
    const leaf = (await post('customType', 'add', { name: '盘点小类', parent_sn: branch })).info.sn
    await scene.one(
      `insert into typed_product (org_id, tree, custom_type_id, specification_id, valid_from, by_name)
        values ($1, 'own', $2, $3, '2026-01-01', '试') on conflict (org_id, tree, specification_id)
        where valid_to is null do update set custom_type_id = excluded.custom_type_id returning 1`,
      scene.h,
      leaf,
      balloon,
    )
    const classed = await begin({ take_type: 'sample', scope_class_sn: branch })
    expect((await lots(classed)).every((lot: string) => ['PD4', 'PD8'].includes(lot))).toBe(true)
    expect(await lots(classed)).toContain('PD8')
    expectMessage((await start({ scope_class_sn: leaf })).reply, new RegExp(`存在未完成的盘点单${classed}`))
    await hospital.done('stockTake', 'cancel', classed, { reason: '试' })
  })

  step(
    'goods of a never received lot are counted, typed or scanned, and become a gain that needs its origin',
    async () => {
      const { hospital, inflator, balloon } = scene
      await scene.shelve(hospital, store, [lotOf(inflator, 'PF1', { quantity: '3', location: 'F-01-01-01' })])
      const count = await begin({ take_type: 'sample', scope_area: 'F' })
      const { udi_di } = await scene.one('select udi_di from specification where id = $1', balloon)
      const [line] = (await info(count)).lines
      const found = (more: object) => ({
        specification_sn: inflator,
        location: 'F-01-01-01',
        first_quantity: '2',
        ...more,
      })
      const write = (...lines: object[]) =>
        keeper.do('stockTake', 'edit', count, { lines: [{ line_no: line.line_no, first_quantity: '3' }, ...lines] })
      expectMessage(await write(found({})), '第2行：账外货物请填写批号')
      expectMessage(await write(found({ lot_no: 'STRAY' })), '第2行：批号STRAY无入库记录，请填写有效期至')
      expectMessage(await write(found({ lot_no: 'PF1' })), '第2行与第1行是同一批次和货位，请在第1行录入实盘数量')
      expect((await write(found({ lot_no: 'STRAI', expiry_date: day(90) }))).code).toBe(0)
      // A misreading is corrected while counting; a superfluous line is removed.
      expect(
        (
          await write(
            { line_no: 2, ...found({ lot_no: 'STRAY', expiry_date: day(300) }) },
            found({ lot_no: 'MORE', expiry_date: day(9) }),
          )
        ).code,
      ).toBe(0)
      expect((await write({ line_no: 2, ...found({ lot_no: 'STRAY', expiry_date: day(300) }) })).code).toBe(0)
      expectMessage(await keeper.do('stockTake', 'edit', count, { lines: [] }), /盘点已开始，不能删除账面行/)
      const until = day(400)
      const code = `(01)${udi_di}(17)${until.slice(2).replaceAll('-', '')}(10)SCAN(21)F1`
      const { results } = (await scan(keeper, count, [code, `(01)${udi_di}(21)F1(10)SCAN`, '(01)06999999900011(21)F1']))
        .info
      expect(results.map((row: { msg: string }) => row.msg)).toEqual([
        '盘盈(未在账)',
        '该码已盘点',
        expect.stringMatching(/不存在，请核对后重新扫描$/),
      ])
      const bare = results[0].code
      expect(await lineOf(count, 'SCAN')).toMatchObject({
        expiry_date: until,
        counted_codes: [bare],
        difference: '1.000',
        unit_codes: [bare],
      })
      expect(await lineOf(count, 'STRAY')).toMatchObject({
        expiry_date: day(300),
        book_quantity: '0.000',
        difference: '2.000',
        direction: 'surplus',
      })
      expectMessage(await type(keeper, count, { SCAN: { first_quantity: '2' } }), /一物一码产品请扫码盘点/)
      await hospital.done('stockTake', 'recount', count)
      expect((await type(keeper2, count, { STRAY: { recount_quantity: '1' } })).code).toBe(0)
      await type(hospital, count, { STRAY: { line_reason: '柜角发现' }, SCAN: { line_reason: '柜角发现' } })
      await hospital.done('stockTake', 'submit', count)
      await signer.done('stockTake', 'review', count)
      const { sn: find } = await hospital.from('overflow', count)
      const created = (await hospital.info('overflow', find)).lines
      expect(created.map((row: Line) => [row.lot_no, row.quantity, row.expiry_date, row.unit_codes])).toEqual([
        ['STRAY', '1.000', day(300), []],
        ['SCAN', '1.000', until, [bare]],
      ])
      expectMessage(await hospital.do('overflow', 'submit', find), '第2行：成本单价为0，请在备注中说明原因')
      const priced = created.map(({ line_no }: Line) => ({ line_no, price: '10' }))
      await hospital.done('overflow', 'edit', find, { lines: priced })
      expectMessage(await hospital.do('overflow', 'submit', find), /该批次无入库记录，请填写来源说明并上传来源证明/)
      const proved = { origin: '装修清理', attachments: [await uploadPdf(hospital, 1)] }
      const other = [{ ...priced[0], lot_no: 'PF1', production_date: day(-60), expiry_date: day(700) }, priced[1]]
      await hospital.done('overflow', 'edit', find, { ...proved, lines: other })
      expectMessage(await hospital.do('overflow', 'submit', find), '第1行：盘点差异的批号和院内码不能更改')
      await hospital.done('overflow', 'edit', find, {
        lines: [{ ...priced[0], lot_no: 'STRAY', expiry_date: day(300) }, priced[1]],
      })
      await hospital.done('overflow', 'submit', find)
      await keeper.done('overflow', 'review', find)
      expect(await shelf(hospital, store, inflator)).toMatchObject({ STRAY: '1.000', PF1: '3.000' })
      expect((await info(count)).state).toBe('completed')
      expect((await hospital.trace(bare)).list.map((event: { step: string }) => event.step)).toEqual(['overflow'])
    },
  )
})

story('a count of the dealer: pieces that are not his to find, blind differences, and its end', step => {
  let count = ''
  const counter = () => scene.dealer2
  const dealerInfo = async () => scene.dealer.info('stockTake', count)
  const scanned = async (...codes: string[]) => {
    const reply = await counter().client.post('/v1/business/stockTake/scan', {
      sn: count,
      codes: JSON.stringify(codes),
    })
    return reply.info.results.map(({ result, msg }: { result: string; msg: string }) => [result, msg])
  }

  step(
    'a piece that another organisation holds, or that was used up, is told at the scan and never counted',
    async () => {
      const { dealer, vendor, shop, balloon, inflator } = scene
      const works = await scene.store('V01', 'central')
      await scene.shelve(vendor, works, [lotOf(balloon, 'PDV', { unit_codes: ['PDV-1'] })])
      await scene.shelve(dealer, shop, [
        lotOf(balloon, 'PDD', { unit_codes: ['PDD-1', 'PDD-2'] }),
        lotOf(inflator, 'PDI', { quantity: '9' }),
      ])
      const issued = await dealer.add('otherOdo', {
        warehouse_model_inner_sn: shop,
        odo_type: 'other',
        purpose_note: '检验',
        lines: [{ unit_codes: ['PDD-2'] }],
      })
      await dealer.pass('otherOdo', issued)
      count = await dealer.add('stockTake', {
        warehouse_model_inner_sn: shop,
        take_method: 'blind',
        is_locked: true,
      })
      await dealer.done('stockTake', 'start', count)
      const before = (await dealerInfo()).lines.length
      expect(await scanned('PDV-1', 'PDD-2')).toEqual([
        ['foreign', '院内码PDV-1在其他机构账上，不能盘盈，请单独存放并联系对方'],
        ['foreign', '院内码PDD-2不在库，请核对后重新扫描，不能盘盈'],
      ])
      expect((await dealerInfo()).lines).toHaveLength(before)
      expect(await scanned('PDD-1')).toEqual([['counted', '已盘']])
    },
  )

  step('a blind count is handed in without a word of its differences; the reasons are written afterwards', async () => {
    const { dealer } = scene
    const { lines } = await dealerInfo()
    const typed = lines.map((line: Line) => ({
      line_no: line.line_no,
      ...(line.lot_no === 'PDI' ? { first_quantity: '7' } : {}),
    }))
    await counter().done('stockTake', 'edit', count, { lines: typed })
    // The result is not revealed: neither by a refusal to recount, nor by a required reason.
    await counter().done('stockTake', 'submit', count)
    await dealer.done('stockTake', 'reject', count, { reason: '再看一遍' })
    const seen = await counter().info('stockTake', count)
    expect([seen.gain_quantity, seen.loss_quantity, seen.has_difference, seen.match_rate, seen.misplaced]).toEqual([
      null,
      null,
      null,
      null,
      null,
    ])
    await counter().done('stockTake', 'submit', count)
    expectMessage(await dealer.do('stockTake', 'review', count), /：有差异，请填写差异原因$/)
    const short = (await dealerInfo()).lines.find((line: Line) => line.lot_no === 'PDI')
    expect(short).toMatchObject({ difference: '-2.000', direction: 'short' })
    const reason = [{ line_no: short.line_no, line_reason: '破损未报' }]
    await dealer.done('stockTake', 'edit', count, { lines: reason })
    await dealer.done('stockTake', 'review', count)
  })

  step('a count can always be ended: what still waits is void, and the store may be counted again', async () => {
    const { dealer, shop } = scene
    const [waiting] = await dealer.list('loss', { source_sn: count })
    expect(waiting.state).toBe('draft')
    const again = await dealer.add('stockTake', { warehouse_model_inner_sn: shop })
    expectMessage(await dealer.do('stockTake', 'start', again), /存在未完成的盘点单/)
    expectMessage(await dealer.do('stockTake', 'end', count), '请填写结束原因')
    await dealer.done('stockTake', 'end', count, { reason: '差异无法处理' })
    expect((await dealerInfo()).state).toBe('stopped')
    expect((await dealer.info('loss', waiting.sn)).state).toBe('cancelled')
    await dealer.done('stockTake', 'start', again)
    await dealer.done('stockTake', 'cancel', again, { reason: '试' })
  })
})
