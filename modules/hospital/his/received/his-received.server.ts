import type { RecordRules } from '#server/public/records.ts'

/** Users of a department, and of its stores, see only that department's income. */
export const hisIncomeRules: RecordRules = {
  kind: 'hisIncome',
  readFlag: 'page:/hospital/departStatisticalReport',
  visible: (tx, { org, departments, warehouses }) => {
    const own = departments === 'all' ? tx`true` : tx`t.department_id = any(${[...departments]}::bigint[])`
    return warehouses === 'all'
      ? own
      : tx`${own} and t.department_id in (select w.department_id from warehouse w
          where w.org_id = ${org.id} and w.id = any(${[...warehouses]}::bigint[]))`
  },
}
export const hisMessageRules: RecordRules = { kind: 'hisMessage', readFlag: 'page:/hospital/hisVisits' }
