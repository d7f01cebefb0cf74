import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { transferResults } from '#modules/finance/payments/bank/transfer-results.ts'
import { hasFiles, hasLines, needs } from '#modules/base/vocabulary/validators.ts'

const header = {
  pay_account: f.text('付款账户', { max: 60 }),
  return_file: f.files('银行回盘文件', { dialogOnly: true }),
  handler_inner_sn: f.ref('出纳', 'employee'),
  business_date: f.day('制单日期'),
  remark: f.longText('备注', { max: 500 }),
}
const lines = {
  payment_no: f.text('付款单号', { readOnly: true, width: 150 }),
  payee_name: f.text('收款户名', { readOnly: true, width: 180 }),
  payee_bank: f.text('收款开户行', { readOnly: true, width: 180 }),
  payee_account: f.text('收款账号', { readOnly: true, width: 180 }),
  taxed_amount: f.amount('金额', { readOnly: true }),
  transfer_result: f.pick('回盘结果', transferResults, {
    readOnly: true,
    tones: {
      paid: 'success',
      failed: 'danger',
      returned: 'danger',
      part: 'warning',
      asked: 'warning',
      accepted: 'info',
    },
  }),
  bank_serial_no: f.text('银行流水号', { readOnly: true }),
  fail_reason: f.text('原因', { readOnly: true, width: 180 }),
}
type Doc = DocOf<typeof header, typeof lines>

const life = lifecycle<Doc>({ submit: [hasLines, needs('pay_account', '请填写付款账户')], notByAuthor: true })
/** Results after which a payment may not be in another batch: the bank may still pay it, or has paid it. */
export const heldResults: readonly (keyof typeof transferResults)[] = ['waiting', 'accepted', 'asked', 'paid']

/**
 * 付款批次: reviewed payments that go to the bank in one file, and the bank's answer to each. It books nothing: a completed
 * transfer is noted on the payment, a failed one may go into another batch.
 */
export const paymentBatch = defineDocument({
  kind: 'paymentBatch',
  title: '付款批次',
  numberPrefix: 'FKPC',
  category: 'finance',
  ownerTypes: 'HDV',
  header,
  lines,
  lineRules: { basis: 'amount', given: '由【生成批次】列出已审核、待付款的付款单' },
  actions: {
    ...life,
    readReturn: {
      label: '读取回盘',
      from: ['reviewed', 'completed'],
      to: null,
      reaches: ['reviewed', 'completed'],
      tone: 'primary',
      inputs: ['return_file'],
      guards: [doc => hasFiles(doc, 'return_file') || '请选择银行回盘文件'],
    },
  },
  lifecycle: {
    stateLabels: { reviewed: '已审核(待回盘)', completed: '已回盘' },
    listActions: {
      generate: {
        label: '生成批次',
        inputs: {
          pay_account: f.text('付款账户', { required: true, max: 60 }),
          due_until: f.day('付款单业务日期止', { hint: '留空为全部已审核、未付款的电汇和网银付款单' }),
        },
      },
    },
  },
  posting: { stockDirection: 'none' },
  screens: [
    {
      route: '/commonView/paymentAttachment/paymentOrder',
      title: '付款单',
      tab: '付款批次',
      orgs: 'HDV',
      menu: '财务管理',
      purpose: '把待付款的付款单合成一个银行批量转账文件，读取银行回盘后逐笔登记成功与失败',
      columns: [
        'sn',
        'pay_account',
        'line_count',
        'taxed_amount',
        'handler_inner_sn',
        'business_date',
        'reviewed_by_name',
        'reviewed_at',
        'state',
        'remark',
      ],
      filters: ['sn', 'pay_account', 'business_date', 'state'],
      actions: ['submit', 'unsubmit', 'review', 'reject', 'unreview', 'cancel', 'readReturn', 'del', 'add', 'edit'],
    },
  ],
})
