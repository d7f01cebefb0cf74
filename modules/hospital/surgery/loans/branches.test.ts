import { multiply, subtract } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliverPending } from '#server/documents/intercompany/deliver.ts'
import { deliverRecalls } from '#modules/goods/quality/recall-delivery.server.ts'
import { markLateCounts } from '#modules/hospital/surgery/plans/late-count.server.ts'
import { attempt, expectMessage, lotOf, openScene, owed, type Scene, shelf } from '#tests/support/fixture.ts'
import { fileLicence } from '#tests/support/local-customers.ts'
import { openTechnician } from '#tests/support/technician.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { proves } from '#tests/support/proves.ts'
import { day, type Person } from '#tests/support/story.ts'

/** The other outcomes of goods on loan for an operation: each branch on pieces of its own. */
let scene: Scene
let technician = ''
let serial = 0
beforeAll(async () => {
  scene = await openScene()
  technician = await openTechnician(scene)
})
afterAll(() => scene?.close())

const loanStore = async () =>
  (await scene.one("select id from warehouse where org_id = $1 and model = 'loan'", scene.h)).id as string
const patient = { patient_no: 'P77', patient_name: '欧阳映雪', admission_no: 'ZY77001' }

/** A plan in force; each at an hour of its own, for one technician attends them all. */
async function planned(more: object = {}): Promise<string> {
  serial += 1
  const { hospital, stent, d, department, surgeon } = scene
  const sn = await hospital.add('bonePlan', {
    counterparty_sn: d,
    department_inner_sn: department,
    doctor_inner_sn: surgeon,
    surgery_at: `${day(2 + serial)}T02:00:00.000Z`,
    procedure_name: '脊柱内固定术',
    ...patient,
    lines: [{ specification_sn: stent, quantity: '2' }],
    ...more,
  })
  await hospital.pass('bonePlan', sn)
  return sn
}
const accepted = async (more: object = {}): Promise<string> => {
  const sn = await planned(more)
  await scene.dealer.done('bonePlan', 'accept', sn, { technician_inner_sn: technician })
  return sn
}
/** Fresh pieces of ours, on our shelf. */
async function piecesOf(count: number): Promise<{ lot: string; codes: string[] }> {
  serial += 1
  const lot = `BR${serial}`
  const codes = Array.from({ length: count }, (_, at) => `BR-${serial}-${at + 1}`)
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.stent, lot, { unit_codes: codes, price: '400' })])
  return { lot, codes }
}
async function presaleOf(plan: string, codes: readonly string[], more: object = {}): Promise<string> {
  const { dealer, h, shop } = scene
  return dealer.add('bonePresale', {
    source_sn: plan,
    source_org_sn: h,
    source_type: 107,
    warehouse_model_inner_sn: shop,
    lines: [{ unit_codes: codes }],
    ...more,
  })
}
/** The hospital counts the announced goods; `found` gives the result for each line. */
async function counted(plan: string, found: (line: Record<string, unknown>) => object = () => ({})): Promise<string> {
  const { hospital } = scene
  await hospital.done('bonePlan', 'toPreAcceptance', plan)
  const { sn } = await hospital.from('bonePreAcceptance', plan)
  const { version, lines } = await hospital.info('bonePreAcceptance', sn)
  const names = ['line_no', 'specification_sn', 'lot_no', 'expiry_date', 'unit_codes', 'listed_quantity', 'goods_kind']
  const asSent = (line: Record<string, unknown>) => Object.fromEntries(names.map(name => [name, line[name]]))
  const saved = await hospital.client.post('/v1/business/bonePreAcceptance/edit', {
    sn,
    version,
    lines: lines.map((line: Record<string, unknown>) => ({
      ...asSent(line),
      quantity: line.listed_quantity,
      ...found(line),
    })),
  })
  expect(saved.msg).toBe('')
  await hospital.pass('bonePreAcceptance', sn)
  return sn
}
/** Goods of ours in the hospital's store for loans. */
async function lent(count: number, more: object = {}) {
  const plan = await accepted(more)
  const { lot, codes } = await piecesOf(count)
  const presale = await presaleOf(plan, codes)
  await scene.dealer.done('bonePresale', 'submit', presale)
  await counted(plan)
  await scene.dealer.done('bonePresale', 'review', presale)
  return { plan, lot, codes, presale }
}
const useOf = async (codes: readonly string[], more: object = {}) => ({
  warehouse_model_inner_sn: await loanStore(),
  department_inner_sn: scene.department,
  doctor_inner_sn: scene.surgeon,
  surgery_name: '脊柱内固定术',
  implant_site: '腰椎',
  ...patient,
  lines: [{ unit_codes: codes }],
  ...more,
})
async function used(codes: readonly string[], more: object = {}): Promise<string> {
  const sn = await scene.hospital.add('surgeryUse', await useOf(codes, more))
  await scene.hospital.pass('surgeryUse', sn)
  return sn
}
/** A return of these pieces; those in `gone` are lost. */
async function returned(presale: string, codes: readonly string[], gone: readonly string[] = []): Promise<string> {
  const { dealer, d, shop } = scene
  const line = (unit_codes: readonly string[], more: object) => ({
    source_line_no: 1,
    unit_codes,
    quantity: String(unit_codes.length),
    ...more,
  })
  return dealer.add('boneBack', {
    source_sn: presale,
    source_org_sn: d,
    source_type: 119,
    warehouse_model_inner_sn: shop,
    lines: [
      ...(codes.length > 0 ? [line(codes, { return_kind: 'returned' })] : []),
      ...(gone.length > 0 ? [line(gone, { return_kind: 'lost', difference_reason: '术后清点缺失' })] : []),
    ],
  })
}
const presaleRow = async (sn: string) => (await scene.dealer.list('bonePresale', { sn }))[0]

test('an urgent operation: the goods go first and are counted afterwards', async () => {
  const plan = await accepted({ surgery_type: 'emergency' })
  const { codes, lot } = await piecesOf(2)
  const presale = await presaleOf(plan, codes)
  await scene.dealer.pass('bonePresale', presale)
  expect((await shelf(scene.hospital, await loanStore(), scene.stent))[lot]).toBe('2.000')
  await counted(plan)
  expect(await scene.hospital.info('bonePlan', plan)).toMatchObject({ pre_state: '2' })
  const back = await returned(presale, codes)
  await scene.dealer.pass('boneBack', back)
})

test('a presale whose goods nobody used is taken back, and the hospital has none of it', async () => {
  const { plan, presale, lot, codes } = await lent(2)
  const prepared = async (who: typeof scene.dealer) => {
    const { prepare_state, follow_state, lines } = await who.info('bonePlan', plan)
    return [prepare_state, follow_state, lines[0].prepared_quantity]
  }
  for (const who of [scene.hospital, scene.dealer]) expect(await prepared(who)).toEqual(['3', '3', '2.000'])
  await scene.dealer.done('bonePresale', 'unreview', presale)
  expect(await prepared(scene.dealer)).toEqual(['1', '2', '0.000'])
  expect((await shelf(scene.hospital, await loanStore(), scene.stent))[lot]).toBeUndefined()
  expect((await shelf(scene.dealer, scene.shop, scene.stent))[lot]).toBe('2.000')
  await scene.dealer.done('bonePresale', 'review', presale)
  await used([codes[0]!])
  expectMessage(await scene.dealer.do('bonePresale', 'unreview', presale), '已产生使用或退回记录，不能反审核')
  await scene.dealer.pass('boneBack', await returned(presale, [codes[1]!]))
})

test('a piece that never comes back is the dealer’s loss, and leaves nothing open', async () => {
  const { presale, codes } = await lent(3)
  await used([codes[0]!])
  const back = await returned(presale, [codes[1]!], [codes[2]!])
  await scene.dealer.pass('boneBack', back)
  expect((await scene.dealer.list('boneBack', { sn: back }))[0]).toMatchObject({
    total_quantity: '2.000',
    due_pieces: '2.000',
    difference_pieces: '0.000',
    pieces_to_clean: '0.000',
  })
  expect(await presaleRow(presale)).toMatchObject({
    state: 'completed',
    total_quantity: '3.000',
    used_quantity: '1.000',
    returned_pieces: '1.000',
    lost_pieces: '1.000',
    open_quantity: '0.000',
  })
  const loss = await scene.dealer.from('loss', back)
  expect(loss).toMatchObject({ loss_type: 'missing', total_quantity: '1.000' })
  const { sn } = loss
  await scene.dealer.done('loss', 'submit', sn)
  await scene.dealer2
    .done('loss', 'review', sn)
    .catch(async () => (await scene.colleague('dealer')).done('loss', 'review', sn))
  const chain = await scene.dealer.trace(codes[2]!)
  expect(chain.info.now.status).toBe('lost')
})

test('two people at once: what the hospital uses cannot come back, whoever was faster', async () => {
  const { presale, codes } = await lent(1)
  const { hospital, dealer } = scene
  const use = await hospital.add('surgeryUse', await useOf(codes))
  await hospital.done('surgeryUse', 'submit', use)
  const back = await returned(presale, codes)
  // Reserved for the record of use: the hospital refuses, and the return goes back to its author with the reason.
  await dealer.done('boneBack', 'submit', back)
  expect(await dealer.info('boneBack', back)).toMatchObject({ state: 'rejected' })
  expect((await dealer.info('boneBack', back)).answer_reason).toMatch(/库存不足/)
  await hospital.done('surgeryUse', 'review', use)
  expectMessage(await dealer.do('boneBack', 'submit', back), /该产品已登记使用，不能退回/)
  expect(await presaleRow(presale)).toMatchObject({ state: 'completed' })
  // The other way round: what is on its way home cannot be used.
  const second = await lent(1)
  const home = await returned(second.presale, second.codes)
  await dealer.done('boneBack', 'submit', home)
  expectMessage(await attempt(hospital, 'surgeryUse', await useOf(second.codes)), /不在库|在途/)
  await dealer.done('boneBack', 'review', home)
})

test('a return that was reviewed by mistake is taken back, and given up again', async () => {
  const { presale, codes, lot } = await lent(2)
  const { dealer, hospital, shop, stent } = scene
  const back = await returned(presale, codes)
  await dealer.pass('boneBack', back)
  await dealer.done('boneBack', 'unreview', back)
  expect((await shelf(dealer, shop, stent))[lot]).toBeUndefined()
  expect((await shelf(hospital, await loanStore(), stent))[lot]).toBeUndefined()
  await dealer.done('boneBack', 'unsubmit', back)
  expect((await shelf(hospital, await loanStore(), stent))[lot]).toBe('2.000')
  await dealer.pass('boneBack', back)
  expect((await shelf(dealer, shop, stent))[lot]).toBe('2.000')
  expect(await presaleRow(presale)).toMatchObject({ state: 'completed' })
})

test('a return that is reversed is out again, at both sides and in the plan, and comes home another time', async () => {
  const { plan, presale, codes, lot } = await lent(2)
  const { dealer, hospital, shop, stent } = scene
  const atHome = async () => (await shelf(dealer, shop, stent))[lot]
  const atHospital = async () => (await shelf(hospital, await loanStore(), stent))[lot]
  const back = await returned(presale, codes)
  await dealer.pass('boneBack', back)
  for (const who of [dealer, hospital])
    expect(await who.info('bonePlan', plan)).toMatchObject({ state: 'completed', follow_state: '7' })
  const reverse = (more: object = {}) => dealer.do('boneBack', 'redReverse', back, { reason: '退错手术', ...more })
  expectMessage(
    await reverse({ lines: JSON.stringify([{ line_no: 1, unit_codes: [codes[0]] }]) }),
    '骨科退回单只能整单红冲，请不选明细红冲后，按实际数量重新开单',
  )
  expect([await atHome(), await atHospital()]).toEqual(['2.000', undefined])
  // A piece that left the store again keeps the return as it is.
  const odo = { warehouse_model_inner_sn: shop, counterparty_sn: scene.h }
  const sale = await dealer.add('saleOdo', { ...odo, lines: [{ unit_codes: [codes[0]!] }] })
  await dealer.pass('saleOdo', sale)
  expect((await reverse()).code).not.toBe(0)
  await dealer.done('saleOdo', 'unreview', sale)
  await dealer.done('saleOdo', 'unsubmit', sale)
  await dealer.done('saleOdo', 'del', sale)
  const { info } = await reverse()
  expect(info).toMatchObject({ state: 'reversed' })
  expect([await atHome(), await atHospital()]).toEqual([undefined, '2.000'])
  expect(await presaleRow(presale)).toMatchObject({
    state: 'reviewed',
    returned_pieces: '0.000',
    open_quantity: '2.000',
  })
  for (const who of [dealer, hospital])
    expect(await who.info('bonePlan', plan)).toMatchObject({ state: 'reviewed', follow_state: '3' })
  expect((await hospital.trace(codes[1]!)).info.now).toMatchObject({ status: 'in_stock' })
  expectMessage(await reverse(), '当前单据状态不允许该操作')
  await used([codes[0]!])
  const again = await returned(presale, [codes[1]!])
  await dealer.pass('boneBack', again)
  expect([await atHome(), await atHospital()]).toEqual(['1.000', undefined])
  expect(await presaleRow(presale)).toMatchObject({ state: 'completed', returned_pieces: '1.000' })
  for (const who of [dealer, hospital])
    expect(await who.info('bonePlan', plan)).toMatchObject({ state: 'completed', follow_state: '7' })
})

test('a wrong piece was recorded: the record is reversed, the right one written', async () => {
  const { plan, presale, codes, lot } = await lent(2)
  const { hospital, dealer } = scene
  const wrong = await used([codes[0]!])
  await hospital.done('surgeryUse', 'redReverse', wrong, { reason: '登记错误' })
  expect((await shelf(hospital, await loanStore(), scene.stent))[lot]).toBe('2.000')
  expect(await presaleRow(presale)).toMatchObject({ used_quantity: '0.000', open_quantity: '2.000' })
  for (const who of [hospital, dealer])
    expect((await who.info('bonePlan', plan)).lines[0]).toMatchObject({
      prepared_quantity: '2.000',
      used_quantity: '0.000',
    })
  await used([codes[1]!])
  await dealer.pass('boneBack', await returned(presale, [codes[0]!]))
  expect(await presaleRow(presale)).toMatchObject({ state: 'completed' })
})

test('two suppliers in one operation each have a plan of their own, and a record of use that names both', async () => {
  const { hospital, d, v, stent, department, surgeon } = scene
  const surgery = await hospital.add('surgeryPlan', {
    department_inner_sn: department,
    doctor_inner_sn: surgeon,
    surgery_at: `${day(30)}T02:00:00.000Z`,
    procedure_name: '翻修术',
    ...patient,
    lines: [
      { specification_sn: stent, quantity: '1', supplier_sn: d },
      { item_name: '翻修工具', category: 'toolsKit', quantity: '1', supplier_sn: v },
    ],
  })
  await hospital.pass('surgeryPlan', surgery)
  await hospital.done('surgeryPlan', 'toBonePlan', surgery)
  const plans = await hospital.list('bonePlan', { source_sn: surgery })
  expect(plans.map(plan => plan.counterparty_sn).sort()).toEqual([d, v].sort())
})

test('one record of use names the goods of two suppliers, and each learns of his own alone', async () => {
  const { hospital, dealer, vendor, one, v, d, balloon } = scene
  const [store, person] = [
    await scene.store('V01', 'central'),
    await one('select id, name from employee where org_id = $1 order by id limit 1', v),
  ]
  await one(
    `insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, valid_to, person_name, audit_state,
       status) values ($1, $1, '法人授权委托书（跟台人员）', 'WT-V', current_date - 30, current_date + 300, $2, 'passed',
       'enabled') returning 1`,
    v,
    person.name,
  )
  await scene.shelve(vendor, store, [lotOf(balloon, 'JOINT', { unit_codes: ['JOINT-1', 'JOINT-2'] })])
  const { plan, codes, presale } = await lent(1)
  const theirs = await planned({ counterparty_sn: v, lines: [{ specification_sn: balloon, quantity: '2' }] })
  await vendor.done('bonePlan', 'accept', theirs, { technician_inner_sn: person.id })
  const other = await vendor.add('bonePresale', {
    source_sn: theirs,
    source_org_sn: scene.h,
    source_type: 107,
    warehouse_model_inner_sn: store,
    lines: [{ unit_codes: ['JOINT-1', 'JOINT-2'] }],
  })
  await vendor.done('bonePresale', 'submit', other)
  await counted(theirs)
  await vendor.done('bonePresale', 'review', other)

  const use = await used([codes[0]!], { lines: [{ unit_codes: codes }, { unit_codes: ['JOINT-1'] }] })
  const { lines } = await hospital.info('surgeryUse', use)
  expect(lines.map((line: Record<string, unknown>) => [line.plan_sn, line.owner_org_sn])).toEqual([
    [plan, d],
    [theirs, v],
  ])
  const seenBy = async (who: Person) =>
    JSON.stringify(await who.client.get('/v1/business/surgeryUse/info', { sn: use }))
  expect(await seenBy(dealer)).not.toContain('JOINT-1')
  // He made what the other lent, and reads that it was used; it is not his to sell.
  expect(await seenBy(vendor)).toContain(codes[0]!)
  for (const [who, sold, mine] of [
    [dealer, plan, codes[0]!],
    [vendor, theirs, 'JOINT-1'],
  ] as const) {
    await who.done('bonePlan', 'toSale', sold)
    const [sale] = await who.list('boneSale', { plan_sn: sold })
    expect((await who.info('boneSale', sale.sn)).lines).toMatchObject([{ unit_codes: [mine], quantity: '1.000' }])
  }
  expect(await hospital.info('bonePlan', plan)).toMatchObject({ use_state: '2' })
  expect((await hospital.list('bonePlan', { sn: theirs }))[0]).toMatchObject({ use_state: '2', open_pieces: '1.000' })
  expect(await presaleRow(presale)).toMatchObject({ state: 'completed' })
  await vendor.done('bonePlan', 'toBack', theirs)
  await vendor.pass('boneBack', (await vendor.from('boneBack', other)).sn)
  expect(await hospital.info('bonePlan', theirs)).toMatchObject({ state: 'completed' })
})

test('what the hospital counted and found good leaves, and no piece more', async () => {
  const { dealer, h } = scene
  const plan = await accepted()
  const { codes } = await piecesOf(3)
  const [good, spoilt] = await Promise.all([piecesOf(1), piecesOf(1)])
  const presale = await presaleOf(plan, [...codes, ...good.codes, ...spoilt.codes])
  await dealer.done('bonePresale', 'submit', presale)
  const { lines } = await dealer.info('bonePresale', presale)
  const at = (lot: string) => lines.find((line: Record<string, unknown>) => line.lot_no === lot).line_no
  const first = String(lines.find((line: { unit_codes: string[] }) => line.unit_codes.includes(codes[0]!)).lot_no)
  await counted(plan, line => {
    if (line.lot_no === spoilt.lot) return { conclusion: 'failed' }
    return line.lot_no === first ? { quantity: '2', unit_codes: codes.slice(0, 2), difference_reason: '少一件' } : {}
  })
  const refused = async () => (await dealer.do('bonePresale', 'review', presale)).msg
  const change = async (pieces: readonly string[]) => {
    await dealer.done('bonePresale', 'unsubmit', presale)
    const { version } = await dealer.info('bonePresale', presale)
    const edited = await dealer.client.post('/v1/business/bonePresale/edit', {
      sn: presale,
      version,
      lines: [{ unit_codes: pieces }],
    })
    expect(edited.msg).toBe('')
    await dealer.done('bonePresale', 'submit', presale)
  }
  expect(await refused()).toMatch(
    new RegExp(`^第${at(first)}行：.+批号${first}医院预验收合格2，出库3，请撤回提交后按预验收结果修改$`),
  )
  await change([...codes.slice(0, 2), ...good.codes, ...spoilt.codes])
  expect(await refused()).toMatch(new RegExp(`批号${spoilt.lot}医院预验收合格0，出库1`))
  await change([codes[0]!, codes[2]!, ...good.codes])
  expect(await refused()).toMatch(new RegExp(`单品码${codes[2]}不在医院预验收合格的物品中`))
  await change([codes[0]!, codes[1]!, ...good.codes])
  await dealer.done('bonePresale', 'review', presale)
  expect(
    await scene.one(
      `select sum(b.quantity)::text as quantity from stock_balance b join warehouse w on w.id = b.warehouse_id
      where b.org_id = $1 and w.model = 'loan' and b.location = $2`,
      h,
      presale,
    ),
  ).toEqual({ quantity: '3.000' })
})

test('what is scanned at the door and stands on no list says so, and is counted', async () => {
  const { hospital, dealer } = scene
  const plan = await accepted()
  const { codes } = await piecesOf(2)
  await dealer.done('bonePresale', 'submit', await presaleOf(plan, [codes[0]!]))
  await hospital.done('bonePlan', 'toPreAcceptance', plan)
  const { sn } = await hospital.from('bonePreAcceptance', plan)
  const { version, lines } = await hospital.info('bonePreAcceptance', sn)
  const [first] = lines
  const saved = await hospital.client.post('/v1/business/bonePreAcceptance/edit', {
    sn,
    version,
    lines: [
      {
        line_no: 1,
        specification_sn: first.specification_sn,
        lot_no: first.lot_no,
        expiry_date: first.expiry_date,
        unit_codes: [codes[0]],
        listed_quantity: '1',
        quantity: '1',
        goods_kind: 'implant',
      },
      {
        specification_sn: first.specification_sn,
        lot_no: first.lot_no,
        expiry_date: first.expiry_date,
        unit_codes: [codes[1]],
        quantity: '1',
        goods_kind: 'implant',
      },
    ],
  })
  expect(saved.msg).toBe('')
  const stray = (await hospital.info('bonePreAcceptance', sn)).lines[1]
  expect(stray.difference_reason).toBe(`扫描到清单外的物品：${codes[1]}`)
  await hospital.pass('bonePreAcceptance', sn)
  expect(await hospital.info('bonePreAcceptance', sn)).toMatchObject({
    has_difference: 'yes',
    unlisted_quantity: '1.000',
  })
  expect((await hospital.list('bonePreAcceptance', { sn }))[0]).toMatchObject({
    kit_count: 0,
    implant_pieces: '2.000',
    tool_pieces: '0.000',
    difference_pieces: '1.000',
  })
})

test('refused by one supplier, the plan goes to another', async () => {
  const { hospital, dealer, d } = scene
  const plan = await planned()
  expectMessage(
    await hospital.do('bonePlan', 'reissue', plan, { next_supplier_sn: scene.v }),
    '供应商尚未拒单，不能改派',
  )
  expectMessage(await dealer.do('bonePlan', 'refuse', plan), '请填写拒单原因')
  await dealer.done('bonePlan', 'refuse', plan, { reason: '缺货' })
  expect(await hospital.info('bonePlan', plan)).toMatchObject({ accept_state: '3', answer_reason: '缺货' })
  const other = await scene.org('D02')
  expect(other).not.toBe(d)
  await hospital.done('bonePlan', 'reissue', plan, { next_supplier_sn: other })
  const [next] = await hospital.list('bonePlan', { counterparty_sn: other })
  expect(next).toMatchObject({ state: 'draft', procedure_name: '脊柱内固定术', patient_name: '欧阳映雪' })
  expect(await hospital.info('bonePlan', plan)).toMatchObject({ state: 'cancelled' })
})

test('a technician without a letter for this hospital does not attend, nor two operations at once', async () => {
  const { dealer, one, d } = scene
  const outsider = await one(
    'select id, name from employee where org_id = $1 and id <> $2 order by id limit 1',
    d,
    technician,
  )
  const first = await planned({ surgery_at: `${day(60)}T02:00:00.000Z` })
  expectMessage(
    await dealer.do('bonePlan', 'accept', first, { technician_inner_sn: outsider.id }),
    `跟台人员${outsider.name}未在该医院备案或授权已过期`,
  )
  await dealer.done('bonePlan', 'accept', first, { technician_inner_sn: technician })
  const second = await planned({ surgery_at: `${day(60)}T04:00:00.000Z` })
  expectMessage(
    await dealer.do('bonePlan', 'accept', second, { technician_inner_sn: technician }),
    /^跟台人员.+在该时段已有手术：/,
  )
})

test('called off after the goods went out: they must come back before the plan can end', async () => {
  const { plan, presale, codes } = await lent(1)
  const { hospital, dealer } = scene
  expectMessage(await hospital.do('bonePlan', 'cancel', plan, { reason: '停台' }), '套包未退回，计划不能完结')
  expectMessage(await hospital.do('bonePlan', 'complete', plan), '套包未退回，计划不能完结')
  await hospital.done('bonePlan', 'stop', plan, { reason: '停台' })
  expect((await dealer.list('bonePlan', { sn: plan }))[0]).toMatchObject({ state: 'stopped' })
  const use = await hospital.add('surgeryUse', await useOf(codes))
  expectMessage(
    await hospital.do('surgeryUse', 'submit', use),
    `跟台计划${plan}已终止，货物应退回供应商，不能登记使用；手术仍进行的，请新下达跟台计划`,
  )
  await hospital.done('surgeryUse', 'del', use)
  await dealer.done('bonePlan', 'toBack', plan)
  const back = await dealer.from('boneBack', presale)
  await dealer.pass('boneBack', back.sn)
  expect(await presaleRow(presale)).toMatchObject({ state: 'completed' })
  expect(codes).toHaveLength(1)
  // With the last return it is done on both sides.
  expect((await dealer.list('bonePlan', { sn: plan }))[0]).toMatchObject({ state: 'completed', follow_state: '7' })
  expect(await hospital.info('bonePlan', plan)).toMatchObject({ state: 'completed', follow_state: '7' })
})

test('the sale is red reversed until it is invoiced; then invoice and payment follow as for any sale', async () => {
  const { plan, presale, codes } = await lent(1)
  const { hospital, dealer, d } = scene
  await used(codes)
  await dealer.done('bonePlan', 'toSale', plan)
  const [draft] = await dealer.list('boneSale', { plan_sn: plan })
  await dealer.pass('boneSale', draft.sn)
  await dealer.done('boneSale', 'redReverse', draft.sn, { reason: '价格有误' })
  expect(await presaleRow(presale)).toMatchObject({ state: 'completed' })
  await dealer.done('bonePlan', 'toSale', plan)
  const again = (await dealer.list('boneSale', { plan_sn: plan })).find(row => row.state === 'draft')
  await dealer.pass('boneSale', again.sn)
  const before = (await owed(hospital, d)).payable_invoiced
  const grn = await hospital.from('purchaseGrn', again.sn)
  expect(grn).toMatchObject({ patient_name: '欧阳映雪', use_sn: expect.stringMatching(/^SSSY/) })
  await hospital.pass('purchaseGrn', grn.sn)
  expectMessage(await dealer.do('boneSale', 'unreview', again.sn), /入库|已处理|收货/)
  const invoice = await dealer.add('outboundInvoice', {
    source_sn: again.sn,
    source_org_sn: d,
    source_type: 5,
    invoice_no: '25372000000000000001',
    invoice_date: day(),
    buyer_name: '医院',
    buyer_tax_no: '12330000470051547Y',
  })
  await dealer.pass('outboundInvoice', invoice)
  expectMessage(await dealer.do('boneSale', 'redReverse', again.sn, { reason: '退' }), '已开票，不能红冲，请先红冲发票')
  expect(before).toBe('0.00')
})

test('before it is invoiced, the hospital reverses its receipt and the dealer his sale', async () => {
  const { plan, codes } = await lent(1)
  const { hospital, dealer, d, h } = scene
  await used(codes)
  await dealer.done('bonePlan', 'toSale', plan)
  const [sale] = await dealer.list('boneSale', { plan_sn: plan })
  const [mine, theirs] = [(await owed(hospital, d)).payable, (await owed(dealer, h)).receivable]
  await dealer.pass('boneSale', sale.sn)
  const grn = await hospital.from('purchaseGrn', sale.sn)
  await hospital.pass('purchaseGrn', grn.sn)
  expectMessage(
    await dealer.do('boneSale', 'redReverse', sale.sn, { reason: '退' }),
    '医院已入库，不能红冲，请医院先红冲骨科采购入库',
  )
  await hospital.done('purchaseGrn', 'redReverse', grn.sn, { reason: '价格有误' })
  await dealer.done('boneSale', 'redReverse', sale.sn, { reason: '价格有误' })
  expect((await owed(hospital, d)).payable).toBe(mine)
  expect((await owed(dealer, h)).receivable).toBe(theirs)
})

test('where loans are settled by the month, they are owed by the settlement and not by a receipt as well', async () => {
  proves('settlement.loans')
  const { hospital, dealer, d, h, stent } = scene
  const { plan, codes } = await lent(2)
  await scene.rule(h, 'loan_settle', 'month')
  const [mine, theirs] = [(await owed(hospital, d)).payable, (await owed(dealer, h)).receivable]
  const wrong = await used([codes[0]!])
  expect((await hospital.info('surgeryUse', wrong)).lines[0]).toMatchObject({ stock_source: 'monthly' })
  await hospital.done('surgeryUse', 'redReverse', wrong, { reason: '登记错误' })
  expect(states(await hospital.list('settlementLine', { unit_code: codes[0]! }))).toEqual(['netted', 'netted'])
  const use = await used(codes)
  expect(await hospital.list('settlementLine', { unit_code: codes[1]! })).toMatchObject([
    { state: 'waiting', source_no: use, specification_sn: stent, owner_org_sn: d },
  ])
  expectMessage(
    await dealer.do('bonePlan', 'toSale', plan),
    '该医院按月结算跟台货物，不用生成销售单，请等待医院的结算单',
  )
  const foreign = { source_sn: use, source_org_sn: h, source_type: 5 }
  expectMessage(await dealer.client.post('/v1/business/boneSale/add', foreign), /只能选择该手术已登记使用的产品|没有/)
  const receipt = { source_sn: use, source_type: 5, counterparty_sn: d }
  expectMessage(await hospital.client.post('/v1/business/purchaseGrn/add', receipt), /请选择跟台货物的使用行|没有/)
  const [report] = await dealer.list('surgeryUse', { sn: use, role: 'counterparty' })
  expect(report).toMatchObject({ settled_stage: 'open' })
  const period = { counterparty_sn: d, begin_date: day(-30), end_date: day(1) }
  const { info } = await hospital.client.post('/v1/business/settlement/generate', period)
  const made = (info.settlements as Record<string, string>[]).find(row => row.settlement_type === 'surgery')!
  await hospital.done('settlement', 'submit', made.sn!)
  await dealer.done('settlement', 'confirm', made.sn!)
  await hospital.done('settlement', 'review', made.sn!)
  const grn = await hospital.add('settlementGrn', { source_type: 101, source_sn: made.sn })
  await hospital.pass('settlementGrn', grn)
  const { taxed_amount } = await hospital.info('settlementGrn', grn)
  expect(taxed_amount).toBe(
    multiply((await hospital.list('settlementLine', { unit_code: codes[1]! }))[0].price, '2', 2),
  )
  expect(subtract((await owed(hospital, d)).payable, mine, 2)).toBe(taxed_amount)
  expect(subtract((await owed(dealer, h)).receivable, theirs, 2)).toBe(taxed_amount)
})
const states = (rows: readonly { state: string }[]): string[] => rows.map(row => row.state)

test('what was used is sold, received and owed at once; the rest stays open and in sight until it is back', async () => {
  const { plan, presale, codes } = await lent(3)
  const { hospital, dealer, d, h } = scene
  const [mine, theirs] = [(await owed(hospital, d)).payable, (await owed(dealer, h)).receivable]
  await used([codes[0]!])
  await dealer.done('bonePlan', 'toSale', plan)
  const [sale] = await dealer.list('boneSale', { plan_sn: plan })
  await dealer.pass('boneSale', sale.sn)
  await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', sale.sn)).sn)
  expect(subtract((await owed(hospital, d)).payable, mine, 2)).toBe('798.00')
  expect(subtract((await owed(dealer, h)).receivable, theirs, 2)).toBe('798.00')
  for (const who of [hospital, dealer])
    expect((await who.list('bonePlan', { sn: plan }))[0]).toMatchObject({ open_pieces: '2.000' })
  expect(await presaleRow(presale)).toMatchObject({ used_quantity: '1.000', open_quantity: '2.000', state: 'partial' })
  // A second record of the operation follows, with its own sale and receipt.
  await used([codes[1]!])
  await dealer.done('bonePlan', 'toSale', plan)
  const next = (await dealer.list('boneSale', { plan_sn: plan, state: 'draft' }))[0]
  await dealer.pass('boneSale', next.sn)
  await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', next.sn)).sn)
  await dealer.pass('boneBack', await returned(presale, [codes[2]!]))
  expect(await presaleRow(presale)).toMatchObject({ open_quantity: '0.000', state: 'completed' })
})

test('what is used twice, or returned beyond what was lent, is refused, by the ledgers of both sides too', async () => {
  const { presale, plan, lot, codes } = await lent(3)
  const { hospital, dealer, one, h, d, stent } = scene
  // Even for a program without checks, neither the hospital's store nor the dealer's memo gives more than was lent.
  await expect(
    one(
      `update stock_balance b set quantity = quantity - 4 from warehouse w, lot t
        where b.org_id = $1 and w.org_id = b.org_id and w.id = b.warehouse_id and w.model = 'loan' and t.id = b.lot_id
          and t.lot_no = $2 and t.specification_id = $3 returning 1`,
      h,
      lot,
      stent,
    ),
  ).rejects.toThrow(/never_negative/)
  await expect(
    one(
      `update consigned_out c set quantity = quantity - 4 from lot t
        where c.org_id = $1 and c.customer_id = $2 and t.id = c.lot_id and t.lot_no = $3 returning 1`,
      d,
      h,
      lot,
    ),
  ).rejects.toThrow(/never_negative/)
  await used([codes[0]!])
  expect((await attempt(hospital, 'surgeryUse', await useOf([codes[0]!]))).code).not.toBe(0)
  const gone = await returned(presale, [codes[0]!])
  expectMessage(await dealer.do('boneBack', 'submit', gone), `${codes[0]}：该产品已登记使用，不能退回`)
  await dealer.done('boneBack', 'del', gone)
  await dealer.pass('boneBack', await returned(presale, [codes[1]!]))
  const again = await returned(presale, [codes[1]!])
  expectMessage(await dealer.do('boneBack', 'submit', again), `${codes[1]}：该产品已退回，不能再次退回`)
  const both = await returned(presale, [codes[1]!, codes[2]!])
  expectMessage(await dealer.do('boneBack', 'submit', both), /已退回|退回数量超出应退数量/)
  expect((await dealer.list('bonePlan', { sn: plan }))[0]).toMatchObject({ open_pieces: '1.000' })
})

test('the price is the one agreed with the hospital; another needs the switch', async () => {
  const { plan, codes } = await lent(1)
  const { dealer, d } = scene
  await used(codes)
  await dealer.done('bonePlan', 'toSale', plan)
  const [draft] = await dealer.list('boneSale', { plan_sn: plan })
  const { version, lines } = await dealer.info('boneSale', draft.sn)
  expect(lines[0].price).toBe('798.0000')
  const [line] = lines
  await dealer.client.post('/v1/business/boneSale/edit', {
    sn: draft.sn,
    version,
    lines: [
      { line_no: 1, source_line_no: line.source_line_no, unit_codes: line.unit_codes, quantity: '1', price: '700' },
    ],
  })
  await scene.rule(d, 'price_editable', false)
  expectMessage(await dealer.do('boneSale', 'submit', draft.sn), /本机构不允许修改单价，应为约定价798/)
  await scene.rule(d, 'price_editable', true)
  await dealer.done('boneSale', 'submit', draft.sn)
})

test('an expired piece is neither lent nor used', async () => {
  const { dealer, shop, stent } = scene
  const plan = await accepted()
  serial += 1
  await scene.shelve(dealer, shop, [
    lotOf(stent, 'EXPB', { unit_codes: ['EXPB-1'], expiry_date: day(-1), quality_state: 'unqualified' }),
  ])
  const sn = await presaleOf(plan, ['EXPB-1'])
  expectMessage(await dealer.do('bonePresale', 'submit', sn), /不可跟台/)
})

test('what did not go out for an operation is not used in it, nor brought home from it, nor more than is due', async () => {
  const { hospital, dealer, shop, inflator, h } = scene
  const { presale } = await lent(2)
  expectMessage(
    await attempt(
      hospital,
      'surgeryUse',
      await useOf([], { lines: [{ specification_sn: inflator, lot_no: 'STRAY', quantity: '1' }] }),
    ),
    /^第1行【.*】该产品不在本次跟台\/库存清单内$/,
  )
  const [foreign] = (await piecesOf(1)).codes
  const back = await returned(presale, [foreign!])
  expectMessage(await dealer.do('boneBack', 'submit', back), `${foreign}：该产品不属于本次手术出库`)
  await dealer.done('boneBack', 'del', back)
  // Goods without codes are counted.
  const plan = await accepted({ lines: [{ specification_sn: inflator, quantity: '2' }] })
  await scene.shelve(dealer, shop, [lotOf(inflator, 'DUE1', { quantity: '2' })])
  const lots = await dealer.add('bonePresale', {
    source_sn: plan,
    source_org_sn: h,
    source_type: 107,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: inflator, lot_no: 'DUE1', quantity: '2' }],
  })
  await dealer.done('bonePresale', 'submit', lots)
  await counted(plan)
  await dealer.done('bonePresale', 'review', lots)
  const much = await dealer.add('boneBack', {
    source_sn: lots,
    source_org_sn: scene.d,
    source_type: 119,
    warehouse_model_inner_sn: shop,
    lines: [{ source_line_no: 1, quantity: '3', return_kind: 'returned' }],
  })
  expectMessage(await dealer.do('boneBack', 'submit', much), /退回数量超出应退数量/)
})

test('tools from outside are counted with the lot they were sterilised in', async () => {
  const { hospital } = scene
  const plan = await accepted()
  const { codes } = await piecesOf(1)
  await scene.dealer.done('bonePresale', 'submit', await presaleOf(plan, codes))
  await hospital.done('bonePlan', 'toPreAcceptance', plan)
  const { sn } = await hospital.from('bonePreAcceptance', plan)
  const { version } = await hospital.info('bonePreAcceptance', sn)
  const tool = { item_name: '骨科电钻', goods_kind: 'tool', quantity: '1', difference_reason: '清单未列' }
  const write = (at: number, line: object) =>
    hospital.client.post('/v1/business/bonePreAcceptance/edit', { sn, version: at, lines: [line] })
  const saved = await write(version, tool)
  expect(saved.msg).toBe('')
  expectMessage(await hospital.do('bonePreAcceptance', 'submit', sn), '外来器械未登记灭菌批次')
  expect((await write(saved.info.version, { ...tool, sterilisation_lot_no: 'MJ-77' })).msg).toBe('')
  expect((await hospital.do('bonePreAcceptance', 'submit', sn)).msg).not.toMatch(/灭菌批次/)
})

test('a hospital without an account: the dealer writes the plan, notes the use and takes the rest home', async () => {
  const { dealer, one, d, shop, stent } = scene
  const clinic = await offlineHospital()
  const plan = await dealer.add('bonePlan', {
    counterparty_sn: clinic,
    surgery_at: `${day(40)}T02:00:00.000Z`,
    procedure_name: '桡骨内固定术',
    lines: [{ specification_sn: stent, quantity: '2' }],
  })
  await dealer.pass('bonePlan', plan)
  const { codes, lot } = await piecesOf(2)
  const presale = await dealer.add('bonePresale', {
    source_sn: plan,
    source_type: 107,
    warehouse_model_inner_sn: shop,
    lines: [{ unit_codes: codes }],
  })
  await dealer.pass('bonePresale', presale)
  const [place] = await dealer.list('stockBalance', { specification_sn: stent, lot_no: lot })
  expect(place).toMatchObject({ quantity: '2.000' })
  const sale = await dealer.add('boneSale', {
    source_sn: presale,
    source_org_sn: d,
    source_type: 119,
    lines: [{ source_line_no: 1, unit_codes: [codes[0]], quantity: '1', price: '500' }],
  })
  await dealer.pass('boneSale', sale)
  await dealer.pass('boneBack', await returned(presale, [codes[1]!]))
  expect(await presaleRow(presale)).toMatchObject({ state: 'completed' })
  const own = await one("select state from document where org_id = $1 and sn = $2 and role = 'own'", d, plan)
  expect(own.state).toBe('completed')
})

test('a lot that is recalled while it waits in the theatre is used by nobody, and goes home', async () => {
  const { hospital, dealer, vendor, stent } = scene
  const { presale, codes, lot } = await lent(2)
  const sn = await vendor.add('recall', {
    heading: '支架召回',
    recall_level: 'first',
    recall_reason: '涂层可能脱落',
    due_date: day(3),
    lines: [{ specification_sn: stent, lot_no: lot, requirement: '停用并退回' }],
    attachments: [await uploadPicture(vendor)],
  })
  await vendor.pass('recall', sn)
  await vendor.done('recall', 'publish', sn)
  const { app, owner } = scene.server.database
  await deliverRecalls(app, owner)
  const [feedback] = await hospital.list('recallFeedback', { recall_sn: sn })
  expect(feedback).toMatchObject({ received: '2.000', on_hand: '2.000', used: '0.000', passed_on: '0.000' })
  expectMessage(await attempt(hospital, 'surgeryUse', await useOf([codes[0]!])), `批号${lot}已召回，不能出库`)
  expect(await hospital.list('stopSale', { lot_no: lot })).toEqual([])
  for (const who of [hospital, dealer]) {
    const text = await answer(who, `批号 ${lot} 用在了哪些手术`)
    expect(text).toContain(`${presale}有2件未使用`)
    expect(text).toContain('正在召回')
  }
  expect((await hospital.trace(codes[0]!)).info.recall).toMatchObject({ recall_sn: sn })
  await dealer.pass('boneBack', await returned(presale, codes))
  expect(await presaleRow(presale)).toMatchObject({ state: 'completed' })
  await vendor.done('recall', 'withdraw', sn, { reason: '批号写错' })
  await deliverRecalls(app, owner)
})

test('a supplier on file without an account: the hospital takes in, uses, books in and gives back by itself', async () => {
  const { hospital, stent } = scene
  const supplier = await offlineSupplier()
  const plan = await planned({ counterparty_sn: supplier })
  expect(await hospital.info('bonePlan', plan)).toMatchObject({ accept_state: '2' })
  expectMessage(await hospital.do('bonePlan', 'toLoan', plan), /请先预验收/)
  serial += 1
  const [lot, codes] = [`OFF${serial}`, [`OFF-${serial}-1`, `OFF-${serial}-2`]]
  await hospital.done('bonePlan', 'toPreAcceptance', plan)
  const { sn } = await hospital.from('bonePreAcceptance', plan)
  const { version } = await hospital.info('bonePreAcceptance', sn)
  const goods = { specification_sn: stent, lot_no: lot, expiry_date: day(700), goods_kind: 'implant' }
  const saved = await hospital.client.post('/v1/business/bonePreAcceptance/edit', {
    sn,
    version,
    lines: [{ ...goods, unit_codes: codes, quantity: '2' }],
  })
  expect(saved.msg).toBe('')
  await hospital.pass('bonePreAcceptance', sn)
  await hospital.done('bonePlan', 'toLoan', plan)
  const [intake] = await hospital.list('purchaseGrn', { counterparty_sn: supplier, state: 'draft' })
  expect(intake).toMatchObject({ regime: 'consigned', warehouse_model_inner_sn: await loanStore() })
  await hospital.pass('purchaseGrn', intake.sn)
  expectMessage(await hospital.do('bonePlan', 'toLoan', plan), `该计划的货物已记入跟台库（${intake.sn}）`)
  expect((await hospital.list('bonePlan', { sn: plan }))[0]).toMatchObject({ open_pieces: '2.000' })
  expect(await owed(hospital, supplier)).toMatchObject({ payable: '0.00' })

  const use = await used([codes[0]!])
  expect((await hospital.info('surgeryUse', use)).lines[0]).toMatchObject({
    stock_source: 'loan',
    plan_sn: plan,
    owner_org_sn: supplier,
  })
  expect(await hospital.list('settlementLine', { unit_code: codes[0]! })).toEqual([])
  const make = (use_no: string) => hospital.client.post('/v1/business/purchaseGrn/fromUse', { use_no })
  expectMessage(await make('SSSY0'), /使用记录SSSY0没有待入库的跟台货物/)
  const made = await make(use)
  expect(made.msg).toBe('')
  const [receipt] = made.info.sns as string[]
  expectMessage(await make(use), /没有待入库的跟台货物/)
  const lines = (await hospital.info('purchaseGrn', receipt!)).lines
  expect(lines).toMatchObject([{ unit_codes: [codes[0]], quantity: '1.000', price: '798.0000' }])
  // The used piece is owed at once; the other one stays open.
  await hospital.pass('purchaseGrn', receipt!)
  expect(await owed(hospital, supplier)).toMatchObject({ payable: '798.00' })
  expect((await hospital.list('bonePlan', { sn: plan }))[0]).toMatchObject({ open_pieces: '1.000' })
  const back = await hospital.add('purchaseReturn', {
    source_sn: intake.sn,
    source_type: 9,
    return_type: 'other',
    return_reason: '跟台未使用',
    lines: [{ source_line_no: 1, unit_codes: [codes[1]], quantity: '1' }],
  })
  await hospital.pass('purchaseReturn', back)
  expect(await owed(hospital, supplier)).toMatchObject({ payable: '798.00' })
  await hospital.done('bonePlan', 'complete', plan)
})

/** A supplier of implants that the hospital has on file, with its licences and authorisation. */
async function offlineSupplier(): Promise<string> {
  const { one, h } = scene
  const made = await one(
    `insert into organisation (code, name, system_type, social_credit_code, audit_state, uses_system, kept_by_id)
     values ('SOFF', '临江骨科器械经营部', 2, '91330000470051549X', 'passed', false, $1) returning id`,
    h,
  )
  await one(
    `insert into org_relation (org_id, partner_id, relation, status) values ($1, $2, 'HD', 'enabled') returning 1`,
    h,
    made.id,
  )
  for (const type of ['营业执照', '医疗器械经营许可证'])
    await one(
      `insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, valid_to, audit_state, status)
       values ($1, $2, $3, 'OFF-' || $3, current_date - 30, current_date + 300, 'passed', 'enabled') returning 1`,
      h,
      made.id,
      type,
    )
  return made.id
}

/** The answer of the assistant, in one text. */
async function answer(who: Person, content: string): Promise<string> {
  const reply = await who.client.raw({ method: 'GET', url: '/v1/llm/streamChatWithWeb', query: { content } })
  return reply.body
}

test('the assistant says which operations lack their goods, and in which a lot was used, never on whom', async () => {
  const { hospital, dealer } = scene
  const plan = await planned({ surgery_at: `${day()}T14:00:00.000Z`, surgery_type: 'emergency' })
  const lacking = await answer(hospital, '哪些手术今天还缺器械')
  expect(lacking).toContain(plan)
  expect(lacking).toContain('待接单')
  expect(lacking).not.toMatch(/欧阳映雪|ZY77001/)
  expect(await answer(dealer, '哪些手术今天还缺器械')).toContain(plan)
  const { codes, lot, presale } = await lent(2)
  const use = await used([codes[0]!])
  for (const who of [hospital, dealer]) {
    const text = await answer(who, `批号 ${lot} 用在了哪些手术`)
    expect(text).toContain(use)
    expect(text).not.toMatch(/欧阳映雪|ZY77001/)
  }
  expect(await answer(scene.vendor, `批号 ${lot} 用在了哪些手术`)).not.toContain('欧阳映雪')
  await dealer.pass('boneBack', await returned(presale, [codes[1]!]))
})

test('urgent goods that nobody counted within a day are marked late on both sides', async () => {
  const plan = await accepted({ surgery_type: 'emergency' })
  const { codes } = await piecesOf(1)
  const presale = await presaleOf(plan, codes)
  await scene.dealer.pass('bonePresale', presale)
  const { app, owner } = scene.server.database
  await markLateCounts(app, owner)
  expect(await scene.hospital.info('bonePlan', plan)).toMatchObject({ pre_state: '1' })
  await scene.one(
    `update document set reviewed_at = now() - interval '25 hours' where org_id = $1 and sn = $2 returning 1`,
    scene.h,
    presale,
  )
  await markLateCounts(app, owner)
  await deliverPending(app, owner)
  expect(await scene.hospital.info('bonePlan', plan)).toMatchObject({ pre_state: '3' })
  expect((await scene.dealer.list('bonePlan', { sn: plan }))[0]).toMatchObject({ pre_state: '3' })
  await counted(plan)
  expect(await scene.hospital.info('bonePlan', plan)).toMatchObject({ pre_state: '2' })
  await scene.dealer.pass('boneBack', await returned(presale, codes))
})

/** A hospital that is on file only as a partner of the dealer's. */
async function offlineHospital(): Promise<string> {
  const { one, d } = scene
  const found = await one(
    `select o.id from org_relation r join organisation o on o.id = r.partner_id and o.system_type = 1
      where r.org_id = $1 and r.status = 'enabled' and not o.uses_system limit 1`,
    d,
  )
  if (found) return fileLicence(scene.one, scene.d, found.id)
  const made = await one(
    `insert into organisation (code, name, system_type, social_credit_code, audit_state, uses_system, kept_by_id)
     values ('HOFF', '滨海骨科医院', 1, '12330000470051548X', 'passed', false, $1) returning id`,
    d,
  )
  await one(
    `insert into org_relation (org_id, partner_id, relation, status) values ($1, $2, 'DH', 'enabled') returning 1`,
    d,
    made.id,
  )
  return fileLicence(one, d, made.id)
}

/** A person without access to these pages reads nothing, and no call shows the patient to another organisation. */
test('nobody outside the hospital reads the patient, on any of these routes', async () => {
  const { plan, presale, codes } = await lent(1)
  const use = await used(codes)
  const people: Person[] = [scene.dealer, scene.vendor]
  const kinds = [
    'surgeryPlan',
    'bonePlan',
    'bonePreAcceptance',
    'bonePresale',
    'boneSale',
    'boneBack',
    'surgeryUse',
    'purchaseGrn',
  ]
  for (const who of people)
    for (const kind of kinds) {
      const answers = [
        await who.client.get(`/v1/business/${kind}/list`, { pageSize: '500' }),
        await who.client.get(`/v1/business/${kind}/list`, { role: 'counterparty', pageSize: '500' }),
        ...(await Promise.all([plan, presale, use].map(sn => who.client.get(`/v1/business/${kind}/info`, { sn })))),
      ]
      expect(JSON.stringify(answers), kind).not.toMatch(/欧阳映雪|P77|ZY77001/)
    }
  const messages = await scene.one(
    `select count(*)::int as n from intercompany_message where payload::text ~ '欧阳映雪|ZY77001'`,
  )
  expect(messages.n).toBe(0)
  const chain = await scene.dealer.trace(codes[0]!)
  expect(JSON.stringify(chain)).not.toMatch(/欧阳映雪|P77|ZY77001/)
  const inside = await scene.hospital.trace(codes[0]!)
  expect(JSON.stringify(inside)).toMatch(/欧阳映雪/)
  expect(inside.list.map((event: { step: string }) => event.step)).toEqual(
    expect.arrayContaining(['ship', 'receive', 'use']),
  )
})
