import { chineseMoney } from '#kernel/values/chinese-money.ts'
import { contractVariables, filledClauses } from '#kernel/print/contract-template.ts'
import { add, multiply } from '#kernel/values/decimal.ts'
import type { PrintColumn, PrintSheet } from '#kernel/print/print-definition.ts'
import type { Row } from '#web/fields/field-renderer.ts'

const words: Row = {
  product_name: '一次性使用无菌注射器（带针）',
  specification_name: '5mL 0.7×32mm',
  specification_code: 'P0001-01',
  manufacturer_name: '样例医疗器械股份有限公司',
  manufacturer_licence_no: '样食药监械生产许20260001号',
  registration_no: '国械注准20263140001',
  lot_no: 'LOT20260101',
  production_date: '2026-01-05',
  expiry_date: '2029-01-04',
  unit_name: '支',
  storage_condition: '常温',
  location: 'A-01-02-03',
  udi_di: '06901234567892',
  insurance_code: 'C0101010100000100001',
  tax_rate: '13',
  price: '12.5000',
}
const LINES = 5

const valueOf = ({ name, label, as }: PrintColumn, at: number): unknown => {
  if (as === 'blank') return ''
  if (as === 'code') return ['YANGLI0001']
  if (as === 'amount') return multiply('12.5', String((at + 1) * 10), 2)
  if (as === 'quantity' || as === 'number') return String((at + 1) * 10)
  return words[name] ?? (as === undefined || as === 'text' ? label : '10')
}

/** A made-up document that shows how a sheet looks: texts of the usual length everywhere. */
export function sampleDocument(sheet: PrintSheet, kind: string, orgName: string): Row {
  const lines = Array.from({ length: LINES }, (_, at) => ({
    ...Object.fromEntries(sheet.columns.map(column => [column.name, valueOf(column, at)])),
    ...(sheet.groupBy === undefined ? {} : { [sheet.groupBy]: `第${at < 3 ? 1 : 2}组` }),
  }))
  const total = lines.reduce((sum, _, at) => add(sum, multiply('12.5', String((at + 1) * 10), 2), 2), '0')
  const facts = Object.fromEntries(sheet.header.map(([label, name]) => [name, words[name] ?? label]))
  return {
    kind,
    ...facts,
    ...Object.fromEntries((sheet.totals ?? []).map(([, name]) => [name, '150'])),
    sn: 'YANGLI0001',
    title: sheet.kinds[kind] ?? sheet.title,
    state: 'reviewed',
    business_date: '2026-01-31',
    org_name: orgName,
    taxed_amount: total,
    amount_in_words: chineseMoney(total),
    printed_by: '样例',
    printed_at: '2026-01-31',
    lines,
  }
}

/** The same as a contract, with the clauses currently in the form. */
export function sampleContract(sheet: PrintSheet, doc: Row, clauses: string | null): Row {
  const said = {
    ...Object.fromEntries(Object.entries(contractVariables).map(([label, name]) => [name, label])),
    ...doc,
    contract_number: 'YANGLI0001',
  }
  const party = (role: string) => ({
    role,
    name: `${role}单位名称`,
    facts: [['统一社会信用代码', '91310000MA00000000']],
  })
  return {
    ...said,
    title: '购销合同',
    clauses: filledClauses(clauses || sheet.contract!.clauses, said).clauses,
    parties: [party('甲方'), party('乙方')],
  }
}
