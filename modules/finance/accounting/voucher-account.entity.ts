import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { ledgerAccounts } from '#modules/finance/accounting/ledger-accounts.ts'

/** 凭证科目: the account of the organisation's ledger program for one of ours; without a row the usual one is written. */
export const voucherAccount = defineEntity({
  kind: 'voucherAccount',
  title: '凭证科目对照',
  table: 'voucher_account',
  key: 'voucher_account_sn',
  scope: 'organisation',
  writers: 'HDV',
  display: 'account_code',
  sort: 'ledger_account',
  fields: {
    ledger_account: f.pick('系统科目', ledgerAccounts, { required: true }),
    account_code: f.text('科目编码', {
      required: true,
      max: 30,
      match: /^[0-9A-Za-z.-]+$/,
      matchMsg: '科目编码只能是数字、字母、点和横线',
    }),
    account_name: f.text('科目名称', { required: true, max: 60 }),
  },
  search: ['account_code', 'account_name'],
  screens: [
    {
      route: '/commonView/stockFinance',
      title: '库存财务报表',
      tab: '凭证科目',
      orgs: 'HDV',
      menu: '财务管理',
      purpose: '导出凭证时系统科目对应的财务软件科目；没有对照的按会计准则的常用科目',
      columns: ['ledger_account', 'account_code', 'account_name'],
      filters: ['ledger_account', 'account_code'],
    },
  ],
})
