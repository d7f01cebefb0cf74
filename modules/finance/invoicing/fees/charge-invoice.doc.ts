import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { isNegative, isPositive } from '#kernel/values/decimal.ts'
import {
  askedAlready,
  buyerFields,
  invoiceFields,
  issueAction,
  issueFields,
} from '#modules/finance/invoicing/invoices.ts'
import { remarked } from '#modules/base/vocabulary/line-fields.ts'
import { everyLineHasSource, hasLines, needs, redNamesBlue } from '#modules/base/vocabulary/validators.ts'

const { invoice_type, invoice_no, invoice_date, is_red, blue_invoice_no } = invoiceFields

const header = {
  counterparty_sn: f.ref('付款单位', 'organisation', { required: true, copyLabel: '收费单位' }),
  ...buyerFields,
  invoice_type,
  invoice_no: { ...invoice_no, readOnly: true },
  invoice_date: { ...invoice_date, readOnly: true },
  is_red,
  blue_invoice_no,
  ...issueFields,
  charge_nos: f.text('服务费单号', { readOnly: true }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('申请日期'),
  remark: f.longText('发票备注', { max: 500 }),
  attachments: f.files('发票原件'),
}
const lines = {
  source_sn: f.text('服务费单号'),
  item_name: f.text('项目名称', { max: 60, hint: '留空为通道设置中的服务费项目' }),
  tax_code: f.text('税收分类编码', {
    match: /^\d{19}$/,
    matchMsg: '税收分类编码应为19位数字',
    hint: '留空为通道设置中的服务费编码和税率',
  }),
  tax_rate: f.taxRate('税率'),
  taxed_amount: f.amount('开票金额', { required: true }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

const life = lifecycle<Doc>({
  submit: [
    hasLines,
    needs('counterparty_sn', '请选择付款单位'),
    needs('buyer_name', '请填写购方名称'),
    needs('buyer_tax_no', '请填写购方税号'),
    everyLineHasSource('请从服务费单生成服务费发票'),
    (doc: Doc) =>
      doc.is_red === true
        ? isNegative(doc.taxed_amount) || '红字发票的金额应小于0'
        : isPositive(doc.taxed_amount) || '开票金额必须大于0',
    redNamesBlue,
  ],
})

const columns = [
  'sn',
  'counterparty_sn',
  'charge_nos',
  'invoice_type',
  'invoice_no',
  'invoice_date',
  'untaxed_amount',
  'tax_amount',
  'taxed_amount',
  'is_red',
  'blue_invoice_no',
  'issue_state',
  'issue_error',
  'handler_inner_sn',
  'reviewed_by_name',
  'reviewed_at',
  'state',
] as const
const filters = [
  'sn',
  'counterparty_sn',
  'charge_nos',
  'invoice_no',
  'invoice_date',
  'is_red',
  'issue_state',
  'state',
] as const

/**
 * 服务费发票: the electronic invoice of the collector of a service fee, over bills that their payer agreed to, each yuan
 * once. It books nothing: the fee is owed by its bill. The payer gets it with its number and its files.
 */
export const chargeInvoice = defineDocument({
  kind: 'chargeInvoice',
  title: '服务费发票',
  numberPrefix: 'FWFP',
  category: 'finance',
  ownerTypes: 'HP',
  header,
  lines,
  lineRules: { basis: 'amount' },
  actions: {
    ...life,
    cancel: { ...life.cancel, from: ['draft', 'rejected', 'submitted'] },
    issue: { ...issueAction, unavailableWhen: { issue_state: askedAlready } },
  },
  lifecycle: { manualEntry: false },
  sourcing: {
    sources: [
      {
        from: 'serviceCharge',
        for: 'serviceCharge',
        sourceType: sourceTypes.SERVICE_CHARGE,
        purpose: 'invoice',
        basis: 'amount',
        multipleSources: true,
        newestFirst: true,
        overdrawnMessage: '开票金额超过服务费未开票金额{n}',
        eligible: {
          header: { confirm_state: ['2', '4'], collector: ['own', ''] },
          message: '只能对供应商已确认、由本单位收取的服务费开票',
        },
        headerMap: { invoice_no: '', invoice_date: '' },
      },
    ],
  },
  posting: { stockDirection: 'none' },
  intercompany: {
    copies: [
      {
        on: 'review',
        // It is sent once it has its number.
        recipient: doc => (doc.invoice_no ? doc.counterparty_sn : null),
        attachments: true,
        header: [
          'buyer_name',
          'buyer_tax_no',
          'invoice_type',
          'invoice_no',
          'invoice_date',
          'is_red',
          'blue_invoice_no',
          'charge_nos',
        ],
        lines: ['item_name', 'tax_code'],
        message: { title: '收到服务费发票', uri: 'serviceChargeManageDEALER' },
      },
    ],
  },
  screens: [
    {
      route: '/hospital/serviceChargeManage',
      title: '服务费管理',
      tab: '服务费发票',
      orgs: 'H',
      menu: '结算管理',
      purpose: '对已确认的服务费电子开票，号码和版式文件写回服务费单并交付供应商',
      columns,
      filters,
    },
    {
      route: '/commonView/bwInvoice',
      title: '百望电子发票',
      tab: '服务费发票',
      orgs: 'P',
      menu: '结算管理',
      purpose: '对平台收取的服务费电子开票，号码和版式文件写回服务费单并交付供应商',
      columns,
      filters,
    },
    {
      route: '/commonView/serviceChargeManageDEALER',
      title: '服务费管理',
      tab: '服务费发票',
      orgs: 'DV',
      menu: '结算管理',
      purpose: '收费单位就服务费开出的电子发票，附版式文件',
      columns: columns.filter(name => !['issue_state', 'issue_error', 'handler_inner_sn'].includes(name)),
      filters: filters.filter(name => name !== 'issue_state'),
    },
  ],
})
