import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { receiptKindNames } from '#modules/hospital/his/receipts/grn-check.entity.ts'

/** HIS入库核对 by kind of document: our receipts and those of the HIS on the chosen days. */
export const hisGrnSummary = defineReport({
  kind: 'hisGrnSummary',
  title: 'HIS入库核对汇总',
  sqlFile: 'hospital/his/receipts/his-grn-summary.sql',
  parameters: {
    begin_date: f.day('开始日期', { required: true }),
    end_date: f.day('结束日期', { required: true }),
  },
  validate: ({ begin_date, end_date }) => (String(begin_date) > String(end_date) ? '开始日期不能大于结束日期' : null),
  columns: {
    receipt_kind: f.pick('单据类型', receiptKindNames),
    documents: f.count('SPD单据数'),
    amount: f.amount('SPD金额'),
    his_documents: f.count('HIS单据数'),
    his_amount: f.amount('HIS金额'),
    difference: f.amount('金额差异'),
    different: f.count('有差异单据数'),
  },
  totals: ['documents', 'amount', 'his_documents', 'his_amount', 'difference', 'different'],
  drillDown: { different: { to: 'hisGrnCheck', with: { receipt_kind: 'receipt_kind' } } },
  screens: [
    {
      route: '/hospital/tcHisGrnCheck',
      tab: '汇总',
      title: 'HIS入库核对',
      orgs: 'H',
      menu: 'HIS对接',
      purpose: '所选日期内各类单据在本系统与HIS的单据数、金额及差异',
      columns: ['receipt_kind', 'documents', 'amount', 'his_documents', 'his_amount', 'difference', 'different'],
      filters: [],
    },
  ],
})
