import { expect, test } from 'vitest'
import { gatherCharges } from '#modules/platform/prints/sheets/charge-summary.ts'

/** 服务费汇总结算单: several bills of one payee on one sheet, each payer on separate pages. */
const bill = (sn: string, payer: string, base: string, fee: string, more: object = {}) => ({
  sn,
  begin_date: '2026-10-01',
  end_date: '2026-10-31',
  charging_party: '澄岚医院',
  hospital_name: '澄岚医院',
  paying_party: payer,
  base_amount: base,
  fee_amount: fee,
  adjust_amount: '0.00',
  taxed_amount: fee,
  paid_amount: '0.00',
  unpaid_amount: fee,
  state: 'reviewed',
  ...more,
})
type Sheet = Record<string, string> & { lines: readonly Record<string, string>[] }
const gathered = (...bills: object[]) => gatherCharges(bills as never) as Sheet

test('sums what the bills say, with an average rate that their bases weigh', () => {
  const sheet = gathered(
    bill('FW1', '甲公司', '10000.00', '200.00'),
    bill('FW2', '甲公司', '30000.00', '900.00', {
      paid_amount: '400.00',
      unpaid_amount: '500.00',
      end_date: '2026-11-30',
    }),
  )
  expect(sheet).toMatchObject({
    base_amount: '40000.00',
    fee_amount: '1100.00',
    average_rate: '2.75%',
    unpaid_amount: '700.00',
    unpaid_in_words: '柒佰元整',
    bill_count: '2',
    begin_date: '2026-10-01',
    end_date: '2026-11-30',
    paying_party: '甲公司',
  })
  expect(sheet.lines.map(line => line.rate_percent)).toEqual(['2.00', '3.00'])
})

test('groups by payer, with what each of them has in sum', () => {
  const { lines, paying_party } = gathered(
    bill('FW1', '甲公司', '100.00', '2.00'),
    bill('FW2', '乙公司', '200.00', '4.00'),
    bill('FW3', '甲公司', '300.00', '6.00'),
  )
  expect(paying_party).toBe('2家')
  expect(lines.map(line => line.sn)).toEqual(['FW1', 'FW3', 'FW2'])
  expect(lines[0]!.payer_title).toBe('付费方：甲公司　小计：2张，基数400.00，服务费8.00，应付8.00，未付8.00')
})

test('bills of several payees are refused; what is not in force is no bill; the key is that of the chosen bills', () => {
  const [one, other] = [bill('FW1', '甲公司', '1.00', '1.00'), bill('FW2', '甲公司', '1.00', '1.00')]
  expect(gatherCharges([one, { ...other, charging_party: '平台' }])).toBe('请选择同一收费方的单据')
  expect(gathered(one, { ...other, state: 'submitted' }).state).toBe('submitted')
  expect(gathered(one, other).state).toBe('reviewed')
  expect(gathered(one, other).sn).toBe(gathered(other, one).sn)
  expect(gathered(one, other).sn).not.toBe(gathered(one).sn)
  expect(gathered(one, other).sn).toMatch(/^FWHZ[0-9A-F]{8}$/)
})
