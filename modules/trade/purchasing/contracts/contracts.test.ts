import { afterAll, beforeAll, expect } from 'vitest'
import { contractsWall } from '#modules/platform/walls/contracts/contracts.wall.ts'
import { attempt, expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { story } from '#tests/support/steps.ts'
import { day } from '#tests/support/story.ts'

/** Contracts with suppliers: their subjects, and how far they are executed. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

/** A contract with the dealer about the inflator at 100 yuan, of a kind of price that orders use first. */
const contract = (no: string | null, more: object = {}) => ({
  counterparty_sn: scene.d,
  price_side: 'buy',
  price_type: 'volume',
  contract_no: no,
  change_reason: '集采',
  valid_from: day(),
  valid_to: day(100),
  lines: [{ specification_sn: scene.inflator, quantity: '1', price: '100', tax_rate: 13 }],
  ...more,
})
async function sign(no: string | null, more: object = {}): Promise<string> {
  const sn = await scene.hospital.add('priceRegistration', contract(no, more))
  await scene.hospital.pass('priceRegistration', sn)
  return sn
}
async function received(lot_no: string, quantity: string, line: object = {}, header: object = {}): Promise<string> {
  const { hospital, central, d, inflator } = scene
  const sn = await hospital.add('purchaseGrn', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: [lotOf(inflator, lot_no, { quantity, price: '100', tax_rate: 13, ...line })],
    ...header,
  })
  await hospital.pass('purchaseGrn', sn)
  return sn
}
async function returned(source_sn: string, quantity: string): Promise<void> {
  const sn = await scene.hospital.add('purchaseReturn', {
    source_sn,
    source_type: 9,
    return_reason: '包装破损',
    lines: [{ source_line_no: 1, quantity }],
  })
  await scene.hospital.pass('purchaseReturn', sn)
}
const listed = async (query: Record<string, string>) =>
  (await scene.hospital.client.get('/v1/report/contractExecution', query)) as unknown as {
    list: Record<string, string | null>[]
    summary: Record<string, string>
  }
const lines = async (query: Record<string, string> = {}) =>
  (await scene.hospital.client.get('/v1/report/contractReceipts', {
    begin_date: day(-30),
    end_date: day(),
    ...query,
  })) as unknown as { list: Record<string, string | null>[]; summary: Record<string, string> }

/** The days of the wall are part of its cache key, so each look uses other days and is read again. */
let looks = 0
const wall = async () => {
  looks += 1
  const query = { begin_date: day(-looks), end_date: day() }
  return (await scene.hospital.client.get(`/v1/business/wall/${contractsWall.kind}`, query)).info.cards
}

story('合同: what is agreed with suppliers, and how far it is executed', step => {
  step('a contract of 100,000 with receipts of 64,000 and a return of 4,000 is executed by 60.00%', async () => {
    await sign('HT-A', { contract_amount: '100000' })
    await received('CT1', '600')
    const second = await received('CT2', '40')
    await returned(second, '40')
    expect((await listed({ contract_no: 'HT-A' })).list).toMatchObject([
      {
        contract_type: 'purchase',
        contract_state: 'in_force',
        contract_amount: '100000.00',
        executed_amount: '60000.00',
        execution_rate: '0.6000',
        valid_to: day(100),
        band: 'half',
      },
    ])
    // The lines of the contract: both receipts and the return.
    const behind = await lines({ contract_no: 'HT-A', scope: 'executed' })
    expect(behind.list).toHaveLength(3)
    expect(behind.summary).toMatchObject({ amount: '60000.00', uncovered_amount: '0.00' })
    // A receipt that was reversed does not count as executed.
    const third = await received('CT3', '50')
    expect((await listed({ contract_no: 'HT-A' })).list).toMatchObject([{ executed_amount: '65000.00' }])
    await scene.hospital.done('purchaseGrn', 'redReverse', third, { reason: '录入错误' })
    expect((await listed({ contract_no: 'HT-A' })).list).toMatchObject([{ executed_amount: '60000.00' }])
  })

  step('a framework contract counts as in force, and has neither amount nor rate', async () => {
    const before = (await wall()).inForce
    await sign('HT-F', { contract_type: 'delivery', lines: [] })
    const { inForce, executed, rows } = await wall()
    const figure = ({ rows: [row] }: { rows: Record<string, string>[] }, name: string) => BigInt(row![name]!)
    expect(figure(inForce.standing, 'contracts') - figure(before.standing, 'contracts')).toBe(1n)
    expect(figure(inForce.standing, 'frames') - figure(before.standing, 'frames')).toBe(1n)
    expect(executed.standing.rows).toMatchObject([{ contract_amount: '100000.00', measured_amount: '60000.00' }])
    expect(rows.rows.rows.find((row: { contract_no: string }) => row.contract_no === 'HT-F')).toMatchObject({
      contract_amount: null,
      execution_rate: null,
    })
    // The list behind the card has the same sum.
    const { summary } = await listed(executed.standing.asked)
    expect(summary).toMatchObject({ contract_amount: '100000.00', measured_amount: '60000.00' })
  })

  step('a supplement adds to the amount, and what is beyond it is more than 100%', async () => {
    const supplement = contract('HT-A', { contract_type: 'delivery', contract_amount: '10000', lines: [] })
    expectMessage(
      await attempt(scene.hospital, 'priceRegistration', supplement),
      '合同HT-A已登记为购销，请选择相同的合同类型或另填合同编号',
    )
    await sign('HT-A', {
      contract_amount: '10000',
      price_type: 'temporary',
      lines: [{ specification_sn: scene.balloon, quantity: '1', price: '200', tax_rate: 13 }],
    })
    await received('CT4', '605')
    const { list } = await listed({ contract_no: 'HT-A' })
    expect(list).toMatchObject([
      { contract_amount: '110000.00', executed_amount: '120500.00', execution_rate: '1.0955', contracts: 1 },
    ])
    const { suppliers } = await wall()
    expect(suppliers.suppliers.rows[0]).toMatchObject({ execution_rate: '1.0955', contract_amount: '110000.00' })
  })

  step('refuses an amount of nothing, prices of quality, and a number of another supplier', async () => {
    const refuse = async (more: object, sentence: string | RegExp) =>
      expectMessage(await attempt(scene.hospital, 'priceRegistration', contract('HT-R', more)), sentence)
    await refuse({ contract_amount: '0' }, '合同金额必须大于0，框架合同请留空')
    await refuse({ contract_amount: '-1' }, '合同金额必须大于0，框架合同请留空')
    await refuse({ contract_type: 'quality' }, '质量保证协议不登记价格，请删除产品明细或改选合同类型')
    await refuse(
      { contract_type: 'quality', lines: [], contract_amount: '5' },
      '质量保证协议没有合同金额，请清空合同金额',
    )
    await refuse({ lines: [] }, '请至少添加一行明细')
    const d3 = await scene.org('D03')
    const foreign = contract('HT-A', { counterparty_sn: d3, contract_amount: '5' })
    expectMessage(await attempt(scene.hospital, 'priceRegistration', foreign), /^合同编号HT-A已用于.+，请另填合同编号$/)
    // Leaving the number out does not help either: the number of a registration counts as one.
    const sn = await sign(null, { price_type: 'awarded', valid_from: day(30), valid_to: day(40) })
    expectMessage(await attempt(scene.hospital, 'priceRegistration', contract(sn, { counterparty_sn: d3 })), /已用于/)
  })

  step('receipts above the price of their contract, and those that none covers, are listed', async () => {
    // A price that was agreed afterwards: valid receipts are above it, reversed ones do not count.
    const agree = (price: string) =>
      scene.one(
        `update price_agreement set price = $1
          where org_id = $2 and contract_no = $3 and specification_id = $4 returning 1`,
        price,
        scene.h,
        'HT-A',
        scene.inflator,
      )
    await agree('99.99')
    const dear = await lines({ above: 'true' })
    expect(dear.list).toHaveLength(3)
    expect(dear.list[0]).toMatchObject({ price: '100.0000', contract_price: '99.9900', contract_no: 'HT-A', dear: 1 })
    expect((await wall()).dear.rows.total).toBe(3)
    await agree('100')
    expect((await wall()).dear.rows.total).toBe(0)
    const before = (await wall()).uncovered.lines.rows[0]
    expect(before.uncovered_amount).toBe('0.00')
    // A day before the contract began, once no other price was agreed either.
    await scene.one(
      `update price_agreement set status = 'disabled'
        where org_id = $1 and price_type = 'agreed' and specification_id = $2 returning 1`,
      scene.h,
      scene.inflator,
    )
    await scene.one(
      "update document set reviewed_at = reviewed_at - interval '2 days' where org_id = $1 and sn = $2 returning 1",
      scene.h,
      await received('CT6', '20'),
    )
    const { uncovered } = await wall()
    expect(uncovered.lines.rows[0]).toMatchObject({ uncovered_amount: '2000.00', uncovered: '1' })
    const behind = await lines({ ...uncovered.lines.asked, covered: 'uncovered' })
    expect(behind.summary).toMatchObject({ uncovered_amount: '2000.00', amount: '2000.00' })
  })

  step('the order that names a contract keeps its receipt under it', async () => {
    const { hospital, d, central, inflator } = scene
    await sign('HT-N', { contract_type: 'delivery', contract_amount: '5000', lines: [] })
    const order = await hospital.add('purchaseOrder', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      contract_no: 'HT-N',
      lines: [{ specification_sn: inflator, quantity: '10', tax_rate: 13 }],
    })
    await hospital.pass('purchaseOrder', order)
    const sn = await hospital.add('purchaseGrn', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      source_sn: order,
      source_type: 3,
      lines: [{ source_line_no: 1, ...lotOf(inflator, 'CT7', { quantity: '10' }) }],
    })
    await hospital.pass('purchaseGrn', sn)
    expect((await listed({ contract_no: 'HT-N' })).list).toMatchObject([
      { executed_amount: '1000.00', execution_rate: '0.2000' },
    ])
    await returned(sn, '4')
    expect((await listed({ contract_no: 'HT-N' })).list).toMatchObject([{ executed_amount: '600.00' }])
  })

  step('a stopped contract is not in force, and no amount of the total', async () => {
    const sn = await sign('HT-S', { contract_type: 'delivery', contract_amount: '7000', lines: [] })
    const total = async () => (await wall()).executed.standing.rows[0].contract_amount
    const before = await total()
    await scene.hospital.done('priceRegistration', 'stop', sn, { reason: '合同终止' })
    expect((await listed({ contract_no: 'HT-S' })).list).toMatchObject([
      { contract_state: 'stopped', band: 'expired', in_force: 0 },
    ])
    expect(BigInt(before.replace('.', '')) - BigInt((await total()).replace('.', ''))).toBe(700_000n)
  })

  step('the printed contract says its amount in words and the name of its type', async () => {
    const print = async (sn: string) =>
      (
        await scene.hospital.client.get('/v1/business/priceRegistration/print', {
          sn,
          sheet: '/newprint/contractPrint',
        })
      ).info
    const sn = await scene.hospital.add('priceRegistration', contract('HT-P', { contract_amount: '120000' }))
    expect(await print(sn)).toMatchObject({
      title: '购销合同',
      contract_number: 'HT-P',
      taxed_amount: '120000.00',
      amount_in_words: '壹拾贰万元整',
    })
    const promise = await scene.hospital.add(
      'priceRegistration',
      contract(null, { contract_type: 'quality', lines: [] }),
    )
    const text = await print(promise)
    expect(text).toMatchObject({ title: '质量保证协议', contract_number: promise, taxed_amount: '' })
    expect(text.clauses[0]).toMatchObject({ text: '第一条 质量责任' })
  })

  step('who may not see prices reads neither amounts nor what is executed', async () => {
    const clerk = await scene.clerk('hospital', 'contract-clerk', ['page:/commonView/inquiryRegistration'])
    const reply = await clerk.client.get('/v1/report/contractExecution', { contract_no: 'HT-A' })
    for (const row of (reply.list ?? []) as Record<string, unknown>[])
      expect(Object.keys(row)).not.toContain('contract_amount')
    expect(JSON.stringify(reply)).not.toContain('110000')
  })
})
