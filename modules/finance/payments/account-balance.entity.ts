import { defineEntity } from '#kernel/definition/entity.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { f } from '#kernel/definition/field.ts'

/**
 * 往来余额: the mutual debts with each counterparty. receivable and payable are the totals, of which …_invoiced is a part.
 */
export const accountBalance = defineEntity({
  kind: 'accountBalance',
  title: '往来余额',
  table: 'account_summary',
  key: 'balance_sn',
  scope: 'organisation',
  readOnly: true,
  wholeOnly: 'a balance with a partner is over all stores and departments',
  display: 'counterparty_sn',
  fields: {
    counterparty_sn: f.ref('往来单位', 'organisation'),
    receivable: f.amount('应收', shows(measures.receivable)),
    receivable_invoiced: f.amount('应收已开票'),
    payable: f.amount('应付', shows(measures.payable)),
    payable_invoiced: f.amount('应付已开票', shows(measures.payableBilled)),
    prepaid: f.amount('预付', shows(measures.prepaid)),
    prereceived: f.amount('预收', shows(measures.prereceived)),
  },
  search: ['counterparty_name'],
  sums: ['receivable', 'receivable_invoiced', 'payable', 'payable_invoiced', 'prepaid', 'prereceived'],
  screens: [],
})
