import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { bankOutcomes } from '#modules/finance/payments/bank/bank-words.ts'

/**
 * 回盘用语: the meaning of a word in the state column of a bank's return file, beside the words that are usual everywhere.
 */
export const bankWord = defineEntity({
  kind: 'bankWord',
  title: '回盘用语',
  table: 'bank_word',
  key: 'bank_word_sn',
  scope: 'organisation',
  writers: 'HDV',
  display: 'word',
  sort: 'word',
  fields: {
    bank: f.text('银行', { max: 30, hint: '付款账户中写明的银行，如 工行；留空为所有银行' }),
    column_title: f.text('列名', { max: 20, hint: '回盘文件中状态列的表头；留空为任何状态列' }),
    word: f.text('用语', { required: true, max: 40, hint: '与文件中的文字完全一致，如 处理完毕' }),
    outcome: f.pick('含义', bankOutcomes, { required: true }),
  },
  search: ['bank', 'word'],
  screens: [
    {
      route: '/commonView/paymentAttachment/paymentOrder',
      title: '付款单',
      tab: '回盘用语',
      orgs: 'HDV',
      menu: '财务管理',
      purpose: '银行回盘文件中状态用语的含义；通用的成功、失败、受理、退汇用语已内置，这里登记其余的和本银行另有所指的',
      columns: ['bank', 'column_title', 'word', 'outcome'],
      filters: ['bank', 'word', 'outcome'],
    },
  ],
})
