import { add, type Decimal, divide, isZero, multiply } from '#kernel/values/decimal.ts'
import { chineseMoney } from '#kernel/values/chinese-money.ts'
import { states, type State } from '#kernel/definition/document-state.ts'
import { definePrint, type Printed } from '#kernel/print/print-definition.ts'

const figures = ['base_amount', 'fee_amount', 'adjust_amount', 'taxed_amount', 'paid_amount', 'unpaid_amount'] as const
const of = (bill: Printed, name: string): Decimal => String(bill[name] ?? '0')
const sum = (bills: readonly Printed[], name: string): Decimal =>
  bills.reduce<Decimal>((whole, bill) => add(whole, of(bill, name), 2), '0.00')

/** 平均费率, weighted by the bases, in percent with two to four decimals: 10,000 at 2 % and 30,000 at 3 % are 2.75. */
function averageRate(bills: readonly Printed[]): string | null {
  const base = sum(bills, 'base_amount')
  if (isZero(base)) return null
  return multiply(divide(sum(bills, 'fee_amount'), base, 6), '100', 4).replace(/0{1,2}$/, '')
}

/** A key of the joined numbers, the same for the same bills in any order. */
function keyOf(bills: readonly Printed[]): string {
  let key = 0x811c9dc5
  for (const letter of bills
    .map(({ sn }) => String(sn))
    .toSorted()
    .join(','))
    key = Math.imul(key ^ letter.codePointAt(0)!, 0x01000193) >>> 0
  return `FWHZ${key.toString(16).toUpperCase().padStart(8, '0')}`
}

const invalid: readonly State[] = ['draft', 'submitted', 'rejected', 'cancelled', 'reversed']

/** Several bills of one payee on one sheet, by payer; or the reason why they cannot be gathered. */
export function gatherCharges(bills: readonly Printed[]): Printed | string {
  const payees = new Set(bills.map(({ charging_party }) => charging_party))
  if (payees.size !== 1) return '请选择同一收费方的单据'
  const byPayer = Map.groupBy(bills, ({ paying_party }) => String(paying_party ?? ''))
  const title = (payer: string, own: readonly Printed[]) =>
    `付费方：${payer}　小计：${own.length}张，基数${sum(own, 'base_amount')}，` +
    `服务费${sum(own, 'fee_amount')}，应付${sum(own, 'taxed_amount')}，未付${sum(own, 'unpaid_amount')}`
  const lines = [...byPayer].flatMap(([payer, own]) =>
    own.map(bill => ({
      sn: bill.sn,
      period: `${String(bill.begin_date ?? '')}至${String(bill.end_date ?? '')}`,
      hospital_name: bill.hospital_name,
      paying_party: payer,
      payer_title: title(payer, own),
      rate_percent: averageRate([bill]),
      ...Object.fromEntries(figures.map(name => [name, of(bill, name)])),
      state_name: states[bill.state as State],
    })),
  )
  const days = (name: string) => bills.map(bill => String(bill[name] ?? '')).toSorted()
  const total = Object.fromEntries(figures.map(name => [name, sum(bills, name)]))
  return {
    sn: keyOf(bills),
    title: '服务费汇总结算单',
    org_name: bills[0]!.org_name,
    begin_date: days('begin_date')[0],
    end_date: days('end_date').at(-1),
    charging_party: bills[0]!.charging_party,
    paying_party: byPayer.size === 1 ? [...byPayer.keys()][0] : `${byPayer.size}家`,
    bill_count: String(bills.length),
    ...total,
    average_rate: `${averageRate(bills) ?? '0'}%`,
    unpaid_in_words: chineseMoney(sum(bills, 'unpaid_amount')),
    // A bill that is not in force is invalid: the sheet says so as the bill itself does.
    state: bills.map(({ state }) => state as State).find(state => invalid.includes(state)) ?? 'reviewed',
    lines,
    printed_at: bills[0]!.printed_at,
    printed_by: bills[0]!.printed_by,
  }
}

/** 服务费汇总结算单: several bills of one payee, each payer on separate pages; the bills follow. */
export const serviceChargeSummarySheet = definePrint({
  route: '/newprint/ServiceChargeManagePrintMore',
  title: '服务费汇总结算单',
  kinds: { serviceCharge: '服务费汇总结算单' },
  besides: '批量打印',
  gathers: gatherCharges,
  papers: [{ paper: 'A4L', lines: 24 }],
  header: [
    ['汇总编号', 'sn'],
    ['期间起', 'begin_date'],
    ['期间止', 'end_date'],
    ['收费方', 'charging_party'],
    ['付费方', 'paying_party'],
    ['单据张数', 'bill_count'],
    ['平均费率', 'average_rate'],
  ],
  columns: [
    { name: 'sn', label: '服务费单号', share: 13 },
    { name: 'period', label: '结算期间', share: 19 },
    { name: 'hospital_name', label: '医院', share: 11 },
    { name: 'paying_party', label: '付费方(供应商)', share: 12 },
    { name: 'base_amount', label: '结算金额(基数)', share: 11, as: 'amount' },
    { name: 'rate_percent', label: '平均费率(%)', share: 7, as: 'number' },
    { name: 'fee_amount', label: '服务费', share: 9, as: 'amount' },
    { name: 'adjust_amount', label: '调整额', share: 8, as: 'amount' },
    { name: 'taxed_amount', label: '应付服务费', share: 9, as: 'amount' },
    { name: 'paid_amount', label: '已付', share: 9, as: 'amount' },
    { name: 'unpaid_amount', label: '未付', share: 9, as: 'amount' },
    { name: 'state_name', label: '状态', share: 6 },
  ],
  groupBy: 'payer_title',
  newPages: true,
  totals: [
    ['总计基数', 'base_amount'],
    ['总计服务费', 'fee_amount'],
    ['总计应付', 'taxed_amount'],
    ['总计未付', 'unpaid_amount'],
    ['大写', 'unpaid_in_words'],
  ],
  closings: [],
  signatures: ['制单人', '复核人', '收费方负责人', '付费方确认(盖章)'],
  carrier: 'qrcode',
})
