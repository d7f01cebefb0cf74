import { afterAll, beforeAll, expect } from 'vitest'
import { sum } from '#kernel/values/decimal.ts'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { story } from '#tests/support/steps.ts'
import { proves } from '#tests/support/proves.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 月末: things that are open before the books are closed, and the vouchers for the ledger program. */
let scene: Scene
const period = day().slice(0, 7)
beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'YM1', { quantity: '500' })])
})
afterAll(() => scene?.close())

const read = async (who: Person, kind: string, more: Record<string, string> = {}) => {
  const asked = 'begin_date' in more ? more : { period, ...more }
  const reply = await who.client.get(`/v1/report/${kind}`, { pageSize: '500', ...asked })
  expect(reply.code, reply.msg).toBe(0)
  return reply.list as Record<string, string>[]
}
const total = (rows: readonly Record<string, string>[], name: 'debit' | 'credit') =>
  sum(
    rows.map(row => row[name]!),
    2,
  )

story('the end of a month', step => {
  step('documents that nobody reviewed, money without an invoice and answers that are missing are rows', async () => {
    const { dealer, shop, inflator, h } = scene
    const lines = [{ specification_sn: inflator, lot_no: 'YM1', quantity: '2' }]
    const odo = await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines })
    await dealer.done('saleOdo', 'submit', odo)
    const receipt = await dealer.add('receipt', {
      counterparty_sn: h,
      paid_on: day(),
      bank_serial_no: 'YM-1',
      lines: [{ taxed_amount: '50' }],
    })
    await dealer.pass('receipt', receipt)
    const statement = await dealer.add('accountStatement', {
      counterparty_sn: h,
      direction: 'receivable',
      begin_date: day(-20),
      end_date: day(),
    })
    await dealer.done('accountStatement', 'submit', statement)
    const rows = await read(dealer, 'monthEnd')
    expect(rows.map(row => [row.category, row.document_no, row.document_name])).toEqual([
      ['difference', statement, '对账函'],
      ['unmatched', receipt, '收款单'],
      ['unreviewed', odo, '销售出库单'],
    ])
    expect(await read(dealer, 'monthEnd', { category: 'unmatched' })).toMatchObject([{ open_amount: '50.00' }])
    await dealer.done('saleOdo', 'review', odo)
    expect(await read(dealer, 'monthEnd', { category: 'unreviewed' })).toEqual([])
    await scene.hospital.pass('purchaseGrn', (await scene.hospital.from('purchaseGrn', odo)).sn)
  })

  step('each document is a voucher whose debits equal its credits, with the usual accounts and tax', async () => {
    const rows = await read(scene.dealer, 'monthVoucher')
    for (const of of Map.groupBy(rows, row => row.document_no).values())
      expect([of[0]!.document_no, total(of, 'debit')]).toEqual([of[0]!.document_no, total(of, 'credit')])
    const sale = rows.filter(row => row.summary!.startsWith('销售出库单'))
    expect(sale.map(row => [row.account_code, row.debit, row.credit])).toEqual([
      ['1122.02', '290.00', '0.00'],
      ['6001', '0.00', '256.64'],
      ['2221.01', '0.00', '33.36'],
      // Two pieces with a book value of 100 with tax.
      ['6401', '176.99', '0.00'],
      ['1405', '0.00', '176.99'],
    ])
    const bought = await read(scene.hospital, 'monthVoucher')
    expect(bought.map(row => [row.account_code, row.debit, row.credit])).toEqual([
      ['2202.02', '0.00', '290.00'],
      ['1405', '290.00', '0.00'],
    ])
  })

  step(
    'what departments used and what was lost is spent at cost, by department, each line with its document',
    async () => {
      const { hospital, ward, department, surgeon, inflator } = scene
      await scene.shelve(hospital, ward, [lotOf(inflator, 'YM2', { quantity: '9', price: '33.33' })])
      const use = await hospital.add('departmentUse', {
        warehouse_model_inner_sn: ward,
        department_inner_sn: department,
        doctor_inner_sn: surgeon,
        lines: [{ specification_sn: inflator, lot_no: 'YM2', quantity: '3' }],
      })
      await hospital.pass('departmentUse', use)
      const loss = await hospital.add('loss', {
        warehouse_model_inner_sn: ward,
        loss_type: 'missing',
        loss_reason: '未找到',
        lines: [{ specification_sn: inflator, lot_no: 'YM2', quantity: '1' }],
      })
      await hospital.done('loss', 'submit', loss)
      await (await scene.person('keeper')).done('loss', 'review', loss)
      const rows = await read(hospital, 'monthVoucher')
      const of = (sn: string) =>
        rows.filter(row => row.document_no === sn).map(row => [row.account_code, row.debit, row.credit])
      expect(of(use)).toEqual([
        ['5001', '99.99', '0.00'],
        ['1405', '0.00', '99.99'],
      ])
      expect(rows.find(row => row.document_no === use)!.department_name).toBeTruthy()
      expect(of(loss)).toEqual([
        ['1901', '33.33', '0.00'],
        ['1405', '0.00', '33.33'],
      ])
      // Taken back within the month it was never spent.
      await hospital.done('departmentUse', 'unreview', use)
      expect((await read(hospital, 'monthVoucher')).filter(row => row.document_no === use)).toEqual([])
    },
  )

  step(
    'at a trader input tax stands apart from stock, found goods are booked in, what came back was never sold',
    async () => {
      const { dealer, vendor, shop, inflator, d, h } = scene
      const of = async (sn: string) =>
        (await read(dealer, 'monthVoucher'))
          .filter(row => row.document_no === sn)
          .map(row => [row.account_code, row.debit, row.credit])
      const made = await scene.store('V01', 'central')
      await scene.shelve(vendor, made, [lotOf(inflator, 'YM3', { quantity: '5' })])
      const lines = [{ specification_sn: inflator, lot_no: 'YM3', quantity: '5', price: '90.4', tax_rate: 13 }]
      const odo = await vendor.add('saleOdo', { counterparty_sn: d, warehouse_model_inner_sn: made, lines })
      await vendor.pass('saleOdo', odo)
      const grn = (await dealer.from('purchaseGrn', odo)).sn
      await dealer.done('purchaseGrn', 'edit', grn, { warehouse_model_inner_sn: shop })
      await dealer.pass('purchaseGrn', grn)
      expect(await of(grn)).toEqual([
        ['2202.02', '0.00', '452.00'],
        ['2221.03', '52.00', '0.00'],
        ['1405', '400.00', '0.00'],
      ])
      const found = await dealer.add('overflow', {
        warehouse_model_inner_sn: shop,
        overflow_reason: '盘点多出',
        lines: [
          { specification_sn: inflator, lot_no: 'YM3', expiry_date: day(700), quantity: '1', line_reason: '多出' },
        ],
      })
      await dealer.done('overflow', 'submit', found)
      await scene.dealer2.done('overflow', 'review', found)
      expect(await of(found)).toEqual([
        ['1405', '80.00', '0.00'],
        ['1901.01', '0.00', '80.00'],
      ])
      // Sold and reversed on the same day: the voucher of each is the other's opposite.
      const sold = await dealer.add('saleOdo', {
        counterparty_sn: h,
        warehouse_model_inner_sn: shop,
        lines: [{ specification_sn: inflator, lot_no: 'YM1', quantity: '3', price: '145', tax_rate: 13 }],
      })
      await dealer.pass('saleOdo', sold)
      expect((await of(sold)).map(([code]) => code)).toEqual(['1122.02', '6001', '2221.01', '6401', '1405'])
      await dealer.done('saleOdo', 'unreview', sold)
      expect(await of(sold)).toEqual([])
      await dealer.done('saleOdo', 'unsubmit', sold)
      const { version } = await dealer.info('saleOdo', sold)
      await dealer.client.post('/v1/business/saleOdo/del', { sn: sold, version })
    },
  )

  step(
    'input tax is deducted once its invoice is certified, in the month of that, and comes back with a red one',
    async () => {
      const { dealer, vendor, shop, inflator, d, v } = scene
      const of = async (sn: string) =>
        (await read(dealer, 'monthVoucher'))
          .filter(row => row.document_no === sn && row.account_code!.startsWith('2221'))
          .map(row => [row.account_code, row.debit, row.credit])
      const made = await scene.store('V01', 'central')
      await scene.shelve(vendor, made, [lotOf(inflator, 'YM5', { quantity: '5' })])
      const lines = [{ specification_sn: inflator, lot_no: 'YM5', quantity: '5', price: '90.4', tax_rate: 13 }]
      const odo = await vendor.add('saleOdo', { counterparty_sn: d, warehouse_model_inner_sn: made, lines })
      await vendor.pass('saleOdo', odo)
      const grn = (await dealer.from('purchaseGrn', odo)).sn
      await dealer.done('purchaseGrn', 'edit', grn, { warehouse_model_inner_sn: shop })
      await dealer.pass('purchaseGrn', grn)
      const sn = await dealer.add('inboundInvoice', {
        source_type: 9,
        source_sn: grn,
        invoice_type: 'e_special',
        invoice_no: '26312000000000000951',
        invoice_date: day(-40),
      })
      await dealer.pass('inboundInvoice', sn)
      expect(await of(sn)).toEqual([])
      const certify = (more: object) =>
        dealer.do('inboundInvoice', 'certify', sn, { certify_state: 'certified', ...more })
      const past = day(-40).slice(0, 7)
      const closed = [d, past.replace('-', '')] as const
      await scene.one(
        `insert into accounting_period (org_id, id, state) values ($1, $2, 'closed') returning 1`,
        ...closed,
      )
      expectMessage(await certify({ certify_period: past }), /已结账/)
      expectMessage(await certify({ certify_period: '2026-13' }), '认证所属期格式为 2026-01')
      expect((await certify({ certify_period: period, certified_on: day() })).msg).toBe('')
      expect(await dealer.info('inboundInvoice', sn)).toMatchObject({
        certify_state: 'certified',
        certified_on: day(),
        certified_by: expect.any(String),
      })
      expect(await of(sn)).toEqual([
        ['2221.02', '52.00', '0.00'],
        ['2221.03', '0.00', '52.00'],
      ])
      expectMessage(
        await dealer.do('inboundInvoice', 'unreview', sn),
        '发票已认证，不能反审核，请先用【勾选认证】改为未认证',
      )
      // Not certified after all, it stays where it was.
      expect((await certify({ certify_state: 'none' })).msg).toBe('')
      expect(await of(sn)).toEqual([])
      expect((await dealer.info('inboundInvoice', sn)).certified_by ?? null).toBe(null)
      expect((await certify({ certify_period: period })).msg).toBe('')
      const { red_sn } = await dealer.done('inboundInvoice', 'redReverse', sn, { reason: '开票有误' })
      expect(await of(sn)).toEqual([
        ['2221.02', '52.00', '0.00'],
        ['2221.03', '0.00', '52.00'],
      ])
      expect(await of(red_sn)).toEqual(
        [
          ['2221.03', '52.00', '0.00'],
          ['2221.02', '0.00', '52.00'],
        ].toSorted((a, b) => (a[0]! < b[0]! ? -1 : 1)),
      )
      await scene.one('delete from accounting_period where org_id = $1 and id = $2 returning 1', ...closed)
      expect(v).not.toBe(d)
    },
  )

  step('the three stock reports of the month have one opening and one closing', async () => {
    const { dealer } = scene
    const days = { begin_date: `${period}-01`, end_date: day() }
    const sums = (rows: readonly Record<string, string>[]) =>
      (['opening_quantity', 'opening_value', 'closing_quantity', 'closing_value'] as const).map(name =>
        sum(
          rows.map(row => row[name]!),
          3,
        ),
      )
    const account = sums(await read(dealer, 'stockFinance'))
    expect(account[2]).not.toBe('0.000')
    for (const kind of ['inventorySummaryReport', 'psiDetail'])
      expect([kind, sums(await read(dealer, kind, days))]).toEqual([kind, account])
  })

  step(
    'closing names what stands open and keeps the reason; what the organisation forbids must be settled',
    async () => {
      proves('period.openReceipts')
      const { dealer, d } = scene
      const act = async (action: string, more: object = {}) => {
        const [row] = await dealer.list('accountingPeriod', { period })
        const path = `/v1/business/accountingPeriod/${action}`
        return dealer.client.post(path, { sn: row.accounting_period_sn, version: row.version, ...more })
      }
      const control = (how: string) => scene.server.database.owner`
      insert into hospital_rule (org_id, name, control) values (${d}, 'closeUnmatched', ${how})
        on conflict on constraint hospital_rule_once do update set control = excluded.control`
      expect((await read(dealer, 'monthEnd')).map(row => [row.category, row.control])).toEqual([
        ['difference', 'warn'],
        ['unmatched', 'warn'],
      ])
      await control('refuse')
      expectMessage(
        await act('closePeriod'),
        `会计期间【${period}】有未核销收款1笔，共50.00元，不能结账，请先在【月末检查】逐笔处理`,
      )
      await control('warn')
      const asked = await act('closePeriod')
      expect(asked.code).toBe(2200)
      expect(asked.msg).toContain('未核销收款1笔，共50.00元，是否仍要结账？请填写原因')
      const { token } = asked.info as { token: string }
      expectMessage(
        await act('closePeriod', { confirm: token }),
        `会计期间【${period}】还有未处理的事项，仍要结账请填写原因`,
      )
      expect(await act('closePeriod', { confirm: token, reason: '下月核销' })).toMatchObject({ code: 0 })
      expect((await dealer.list('accountingPeriod', { period }))[0]).toMatchObject({
        state: 'closed',
        close_reason: '下月核销',
        close_note: expect.stringContaining('未核销收款1笔，共50.00元'),
      })
      expect(await act('reopenPeriod', { reason: '继续' })).toMatchObject({ code: 0 })
    },
  )

  step('an account is mapped once, and the voucher has it', async () => {
    const { dealer } = scene
    const map = (account_code: string) =>
      dealer.client.post('/v1/business/voucherAccount/add', {
        ledger_account: 'bank',
        account_code,
        account_name: '工商银行基本户',
      })
    expect(await map('1002.01')).toMatchObject({ code: 0 })
    expect((await map('1002.02')).code).not.toBe(0)
    const rows = await read(dealer, 'monthVoucher')
    expect(rows.find(row => row.summary!.startsWith('收款单') && row.debit === '50.00')).toMatchObject({
      account_code: '1002.01',
      account_name: '工商银行基本户',
    })
  })
})
