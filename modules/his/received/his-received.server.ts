import type { RecordRules } from '#server/public/records.ts'

/** Of a department its people see what it brought in, and nobody else's. */
export const hisIncomeRules: RecordRules = {
  kind: 'hisIncome',
  readFlag: 'page:/hospital/departStatisticalReport',
  visible: (tx, session) =>
    session.departments === 'all' ? tx`true` : tx`t.department_id = any(${[...session.departments]}::bigint[])`,
}
export const hisMessageRules: RecordRules = { kind: 'hisMessage', readFlag: 'page:/hospital/hisVisits' }
