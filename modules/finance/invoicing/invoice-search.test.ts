import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { documentOfRows } from '#web/list/report/document-from-rows.ts'
import { sum } from '#kernel/values/decimal.ts'
import { grnInvoiceSearch } from '#modules/finance/invoicing/grn-invoice-search.report.ts'
import { odoInvoiceSearch } from '#modules/finance/invoicing/odo-invoice-search.report.ts'
import { documentOf } from '#kernel/registry.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 入库发票查询, 出库发票查询: which invoice covers what, and what is received or delivered and not invoiced yet. */
let scene: Scene
const number = (nth: number): string => `26382000000000000${String(nth).padStart(3, '0')}`
const ask = (who: Person, report: string, query: Record<string, string> = {}) =>
  who.client.get(`/v1/report/${report}`, query)

/** Goods at 113, delivered and received; returns both numbers. */
async function traded(quantity: string): Promise<{ odo: string; grn: string }> {
  const { dealer, hospital, shop, inflator, h } = scene
  const lines = [{ specification_sn: inflator, lot_no: 'CX1', quantity, price: '113' }]
  const odo = await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines })
  await dealer.pass('saleOdo', odo)
  const grn = (await hospital.from('purchaseGrn', odo)).sn
  await hospital.pass('purchaseGrn', grn)
  return { odo, grn }
}
async function registered(grn: string, nth: number, quantity: string): Promise<string> {
  const lines = [{ source_line_no: 1, quantity }]
  const body = { source_type: 9, source_sn: grn, invoice_no: number(nth), invoice_date: day(), lines }
  const sn = await scene.hospital.add('inboundInvoice', body)
  await scene.hospital.pass('inboundInvoice', sn)
  return sn
}

let [odo, grn] = ['', '']
beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'CX1', { quantity: '200' })])
  ;({ odo, grn } = await traded('10'))
})
afterAll(() => scene?.close())

story('invoice search, from one step to the next', step => {
  step('received 10 at 113, invoiced 6: 4 and 452.00 are not yet invoiced', async () => {
    const { hospital } = scene
    await registered(grn, 1, '6')
    const { list, summary } = await ask(hospital, 'grnInvoiceSearch', { source_sn: grn })
    expect(list).toMatchObject([
      {
        source_sn: grn,
        source_kind: 'purchaseGrn',
        invoice_no: number(1),
        quantity: '10.000',
        invoiced_quantity: '6.000',
        uninvoiced_quantity: '4.000',
        taxed_amount: '1130.00',
        invoiced_amount: '678.00',
        uninvoiced_amount: '452.00',
        invoice_state: 'part',
      },
    ])
    expect(summary).toMatchObject({ taxed_amount: '1130.00', invoiced_amount: '678.00', uninvoiced_amount: '452.00' })
  })

  step('a line on several invoices names them all; fully invoiced, it is no longer open', async () => {
    const { hospital } = scene
    const open = async () =>
      (await ask(hospital, 'grnInvoiceSearch', { invoice_state: 'open' })).list.map(row => row.source_sn)
    expect(await open()).toEqual([grn])
    await registered(grn, 2, '4')
    const [row] = (await ask(hospital, 'grnInvoiceSearch', { source_sn: grn })).list
    expect(row).toMatchObject({
      invoice_no: `${number(1)}、${number(2)}`,
      invoice_state: 'whole',
      uninvoiced_amount: '0.00',
    })
    expect(await open()).toEqual([])
    expect((await ask(hospital, 'grnInvoiceSearch', { invoice_no: number(2).slice(-6) })).list).toHaveLength(1)
    // 付款状态: payment is applied for one of its two invoices.
    const paid = async (report: string, pay_state: string) =>
      (await ask(hospital, report, { pay_state })).list.map(row => row.source_sn)
    expect([await paid('grnInvoiceSearch', '1'), await paid('grnInvoiceSearch', '2')]).toEqual([[grn], []])
    const [{ sn: invoice }] = await hospital.list('inboundInvoice', { invoice_no: number(1) })
    const application = await hospital.add('paymentApplication', { source_type: 10, source_sn: invoice })
    await hospital.pass('paymentApplication', application)
    expect([await paid('grnInvoiceSearch', '1'), await paid('grnInvoiceSearch', '2')]).toEqual([[], [grn]])
    expect([await paid('grnInvoices', '1'), await paid('grnInvoices', '2'), await paid('grnInvoices', '3')]).toEqual([
      [grn],
      [grn],
      [],
    ])
  })

  step('returns show as negative; only their previously invoiced part awaits a red invoice', async () => {
    const { hospital, dealer } = scene
    const { odo: sent, grn: came } = await traded('10')
    await registered(came, 7, '6')
    const back = {
      source_type: 9,
      source_sn: came,
      return_reason: '破损',
      lines: [{ source_line_no: 1, quantity: '7' }],
    }
    const sn = await hospital.add('purchaseReturn', back)
    await hospital.pass('purchaseReturn', sn)
    const rows = async (source_sn: string) => (await ask(hospital, 'grnInvoiceSearch', { source_sn })).list
    expect(await rows(came)).toMatchObject([
      { quantity: '10.000', invoiced_quantity: '6.000', uninvoiced_quantity: '0.000' },
    ])
    expect(await rows(sn)).toMatchObject([
      {
        source_kind: 'purchaseReturn',
        quantity: '-7.000',
        taxed_amount: '-791.00',
        uninvoiced_quantity: '-3.000',
        uninvoiced_amount: '-339.00',
      },
    ])
    const home = await dealer.from('saleReturn', sn)
    for (const step of ['submit', 'inspect', 'review']) await dealer.done('saleReturn', step, home.sn)
    const theirs = async (source_sn: string) => (await ask(dealer, 'odoInvoiceSearch', { source_sn })).list
    expect(await theirs(sent)).toMatchObject([{ quantity: '10.000', uninvoiced_quantity: '3.000' }])
    expect(await theirs(home.sn)).toMatchObject([{ quantity: '-7.000', uninvoiced_quantity: '0.000' }])
  })

  step('a receipt reversed in red and its reversal are hidden unless requested', async () => {
    const { hospital } = scene
    const back = (await traded('3')).grn
    const { red_sn } = await hospital.done('purchaseGrn', 'redReverse', back, { reason: '录错' })
    const shown = async (query: Record<string, string>) =>
      (await ask(hospital, 'grnInvoiceSearch', query)).list.map(row => row.source_sn)
    expect(await shown({})).not.toContain(back)
    const all = await shown({ with_red: 'true' })
    expect(all).toEqual(expect.arrayContaining([back, red_sn]))
  })

  step('by invoice: products by the receipt behind them, newest first, and the 尾差 where it applies', async () => {
    const { hospital } = scene
    const [one, two] = [(await traded('1')).grn, (await traded('2')).grn]
    const lines = [one, two].map(source_sn => ({ source_sn, source_line_no: 1 }))
    const body = {
      counterparty_sn: scene.d,
      invoice_no: number(3),
      invoice_date: day(),
      invoice_amount: '339.02',
      lines,
    }
    const sn = await hospital.add('inboundInvoice', body)
    await hospital.pass('inboundInvoice', sn)
    const { list, summary } = await ask(hospital, 'grnInvoices', { invoice_no: number(3) })
    expect(list.map(row => [row.source_sn, row.taxed_amount, row.rounding])).toEqual([
      [two, '226.00', '0.02'],
      [one, '113.00', '0.00'],
    ])
    expect(summary).toMatchObject({
      untaxed_amount: '300.00',
      tax_amount: '39.00',
      taxed_amount: '339.00',
      rounding: '0.02',
    })
  })

  step('the seller sees the same from its side: delivered 5 at 113, invoiced 3', async () => {
    const { dealer } = scene
    const { odo: sn } = await traded('5')
    const bill = { source_type: 7, source_sn: sn, invoice_no: number(4), invoice_date: day() }
    const invoice = await dealer.add('outboundInvoice', { ...bill, lines: [{ source_line_no: 1, quantity: '3' }] })
    await dealer.pass('outboundInvoice', invoice)
    const [row] = (await ask(dealer, 'odoInvoiceSearch', { source_sn: sn })).list
    expect(row).toMatchObject({ invoice_no: number(4), uninvoiced_quantity: '2.000', uninvoiced_amount: '226.00' })
    const [line] = (await ask(dealer, 'odoInvoices', { invoice_no: number(4) })).list
    expect(line).toMatchObject({ sn: invoice, source_sn: sn, quantity: '3.000', taxed_amount: '339.00' })
    // 收款状态 and 业务员: 339 of 339 were received, and the author is the salesperson.
    const money = { counterparty_sn: scene.h, lines: [{ source_sn: invoice, source_line_no: 1, taxed_amount: '339' }] }
    await dealer.pass('receipt', await dealer.add('receipt', money))
    const found = async (report: string, query: Record<string, string>) =>
      (await ask(dealer, report, { source_sn: sn, ...query })).list.length
    const { handler_inner_sn } = await dealer.info('saleOdo', sn)
    const { handler_inner_sn: biller } = await dealer.info('outboundInvoice', invoice)
    const { id: colleague } = await scene.one(
      'select id from employee where org_id = $1 and id <> all($2::bigint[]) limit 1',
      scene.d,
      [handler_inner_sn, biller],
    )
    for (const [report, handler] of [
      ['odoInvoiceSearch', handler_inner_sn],
      ['odoInvoices', biller],
    ] as const) {
      expect([await found(report, { pay_state: '3' }), await found(report, { pay_state: '1' })]).toEqual([1, 0])
      expect([
        await found(report, { handler_inner_sn: handler }),
        await found(report, { handler_inner_sn: colleague }),
      ]).toEqual([1, 0])
    }
    // 开票日期 and 出库日期 are filtered separately: the invoice is of today, the delivery was yesterday.
    await scene.one(
      'update document set business_date = business_date - 1 where sn = $1 and org_id = $2 returning 1',
      sn,
      scene.d,
    )
    const days = ([first, last]: readonly [string, string], of: number) => ({ [first]: day(of), [last]: day(of) })
    for (const [report, delivered, billed] of [
      ['odoInvoiceSearch', ['begin_date', 'end_date'], ['begin_invoice_date', 'end_invoice_date']],
      ['odoInvoices', ['begin_paper_date', 'end_paper_date'], ['begin_date', 'end_date']],
    ] as const) {
      const of = (at: number, names: readonly [string, string]) => found(report, days(names, at))
      expect([await of(-1, delivered), await of(0, delivered)], report).toEqual([1, 0])
      expect([await of(0, billed), await of(-1, billed)], report).toEqual([1, 0])
      expect(await found(report, { ...days(delivered, -1), ...days(billed, 0) }), report).toBe(1)
    }
    await scene.one(
      'update document set business_date = business_date + 1 where sn = $1 and org_id = $2 returning 1',
      sn,
      scene.d,
    )
    const open = (await ask(dealer, 'odoInvoiceSearch', { invoice_state: 'open' })).list.map(other => other.source_sn)
    expect(open).toEqual(expect.arrayContaining([sn, odo]))
  })

  step('a hospital has no deliveries to search, and no one sees another organisation’s lines', async () => {
    const { hospital, vendor } = scene
    expectMessage(await ask(hospital, 'odoInvoiceSearch'), '没有操作权限')
    expect((await ask(vendor, 'grnInvoiceSearch')).list).toEqual([])
    expect((await ask(vendor, 'odoInvoiceSearch')).list).toEqual([])
  })

  step(
    '登记发票: selected open lines of one supplier go on one draft with what is left; groups sum the same',
    async () => {
      const { hospital, dealer } = scene
      const [one, two] = [await traded('4'), await traded('5')]
      await registered(one.grn, 21, '1')
      const begins = grnInvoiceSearch.createsDocument!
      const takes = documentOf('inboundInvoice')!.sourcing.sources!
      const open = (await ask(hospital, 'grnInvoiceSearch', { invoice_state: 'open', pageSize: '200' })).list
      const mine = open.filter(row => [one.grn, two.grn].includes(row.source_sn))
      expect(mine.map(row => row.uninvoiced_quantity).sort()).toEqual(['3.000', '5.000'])
      const doc = documentOfRows(begins, takes, mine)
      if (!('body' in doc)) throw new Error(doc.why)
      const draft = await hospital.info('inboundInvoice', await hospital.add('inboundInvoice', doc.body))
      expect(draft).toMatchObject({ state: 'draft', counterparty_sn: scene.d })
      expect(draft.lines.map((line: { quantity: string }) => line.quantity).sort()).toEqual(['3.000', '5.000'])
      const mixed = [mine[0]!, { ...mine[1]!, counterparty_sn: '0' }]
      expect(documentOfRows(begins, takes, mixed)).toEqual({ why: '请选择同一供应商的入库明细' })
      expect(documentOfRows(begins, takes, [{ ...mine[0]!, uninvoiced_quantity: '0.000' }])).toMatchObject({
        why: expect.stringContaining('没有剩余'),
      })
      // The seller searches for the invoice on its own version of the page.
      const [theirs] = (await ask(dealer, 'odoInvoiceSearch', { source_sn: two.odo })).list
      const asked = documentOfRows(
        odoInvoiceSearch.createsDocument!,
        documentOf('outboundInvoice')!.sourcing.sources!,
        [theirs!],
      )
      if (!('body' in asked)) throw new Error(asked.why)
      const sn = await dealer.add('outboundInvoice', asked.body)
      expect((await dealer.info('outboundInvoice', sn)).lines).toMatchObject([
        { source_sn: two.odo, quantity: '5.000' },
      ])
      const rows = await ask(hospital, 'grnInvoiceSearch', { pageSize: '200' })
      for (const group_by of ['counterparty_name', 'invoice_no', 'source_sn', 'month,tax_rate']) {
        const { list, summary } = await ask(hospital, 'grnInvoiceSearch', { pageSize: '200', group_by })
        expect(summary).toEqual(rows.summary)
        const amounts = list.map(row => String(row.taxed_amount))
        expect(sum(amounts, 2), group_by).toBe(rows.summary!.taxed_amount)
      }
      const months = (await ask(hospital, 'grnInvoices', { group_by: 'month' })).list
      expect(months.map(row => row.month)).toEqual([day().slice(0, 7)])
    },
  )
})
