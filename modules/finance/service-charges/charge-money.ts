import { defineDocument, type BusinessDocument } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import type { SourceRule } from '#kernel/definition/document-links.ts'
import type { Account, Entry } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import type { OrgTypes } from '#kernel/values/organisation-type.ts'
import { negate } from '#kernel/values/decimal.ts'
import { recording, voucherFields } from '#modules/finance/accounting/voucher-fields.ts'
import { paymentMethods } from '#modules/base/vocabulary/payment-methods.ts'
import { remarked } from '#modules/base/vocabulary/line-fields.ts'
import {
  everyLineHasSource,
  hasLines,
  moreThanNothing,
  needs,
  notInFuture,
  notRecorded,
  type Has,
} from '#modules/base/vocabulary/validators.ts'

/** One side of service fees: the organisations that receive them, or those that pay them. */
type Payer = {
  readonly orgs: 'HP' | 'DV'
  readonly partner: string
  /** Its pages, by organisation. */
  readonly screens: readonly { readonly route: `/${string}`; readonly title: string; readonly orgs: OrgTypes }[]
  readonly account: Account
}
export const collectorSide: Payer = {
  orgs: 'HP',
  partner: '供应商',
  screens: [
    { route: '/hospital/serviceChargeManage', title: '服务费管理', orgs: 'H' },
    { route: '/commonView/bwInvoice', title: '百望电子发票', orgs: 'P' },
  ],
  account: 'receivable_invoiced',
}
export const supplierSide: Payer = {
  orgs: 'DV',
  partner: '收费单位',
  screens: [{ route: '/commonView/serviceChargeManageDEALER', title: '服务费管理', orgs: 'DV' }],
  account: 'payable_invoiced',
}

/** Bills that may be paid or set off: agreed to, by the way they are collected. */
export const chargeSource = (side: Payer, collect: 'alone' | 'deduct') =>
  ({
    from: 'serviceCharge',
    for: 'serviceCharge',
    sourceType: sourceTypes.SERVICE_CHARGE,
    purpose: 'pay',
    basis: 'amount',
    multipleSources: true,
    overdrawnMessage: '金额超过服务费未结金额{n}',
    eligible: {
      header: { confirm_state: ['2', '4'], collect_method: [collect] },
      message: collect === 'alone' ? '只能选择已确认、单独收取的服务费单' : '只能选择已确认、从货款抵扣的服务费单',
    },
    headerMap: { record_state: '', voucher_no: '', accounting_period: '' },
    // The collector counts by its own document what it received; the hospital behind the platform reads it too.
    ...(side.orgs === 'HP'
      ? { rollup: [{ via: 'source', purpose: 'pay' }] }
      : { fromCounterparty: true, localOnly: true }),
  }) as const satisfies SourceRule

const listed = [
  'sn',
  'counterparty_sn',
  'source_sn',
  'taxed_amount',
  'payment_method',
  'paid_on',
  'bank_serial_no',
  'handler_inner_sn',
  'reviewed_by_name',
  'reviewed_at',
  'record_state',
  'state',
] as const
const searched = ['sn', 'counterparty_sn', 'source_sn', 'paid_on', 'bank_serial_no', 'record_state', 'state'] as const

/** 服务费收款单 or 服务费付款单: money for service fees, on the side that receives or pays it. */
export function chargeMoneyOf<K extends 'chargeReceipt' | 'chargePayment'>(
  side: Payer,
  words: {
    readonly kind: K
    readonly prefix: string
    readonly verb: '收款' | '付款'
    readonly creates?: 'chargeReceipt'
  },
) {
  const { kind, prefix, verb } = words
  const life = postingLifecycle<BusinessDocument & Has<'paid_on'>>({
    submit: [
      hasLines,
      needs('counterparty_sn', `请选择${side.partner}`),
      moreThanNothing(`${verb}金额必须大于0`),
      everyLineHasSource('请选择服务费单'),
      notInFuture('paid_on', `${verb}日期不能晚于今天`),
    ],
  })
  return defineDocument({
    kind,
    title: `服务费${verb}单`,
    numberPrefix: prefix,
    category: 'finance',
    ownerTypes: side.orgs,
    header: {
      counterparty_sn: f.ref(side.partner, 'organisation', { required: true }),
      payment_method: f.pick(`${verb}方式`, paymentMethods, { default: 'transfer' }),
      own_account: f.text(`${verb}账户`, { max: 60 }),
      paid_on: f.day(`${verb}日期`),
      bank_serial_no: f.text('银行流水号', { max: 60 }),
      counter_payment_sn: f.text('对方付款单号', { max: 40, readOnly: true }),
      ...voucherFields,
      handler_inner_sn: f.ref('经办人', 'employee'),
      business_date: f.day('业务日期'),
      remark: f.longText('备注', { max: 500 }),
      attachments: f.files('银行回单'),
    },
    lines: {
      source_sn: f.text('服务费单号'),
      taxed_amount: f.amount(`${verb}金额`, { required: true }),
      ...remarked,
    },
    lineRules: { basis: 'amount' },
    actions: {
      ...life,
      unreview: { ...life.unreview, guards: [notRecorded('单据已记账，不能反审核')] },
      redReverse: { ...life.redReverse, guards: [notRecorded('单据已记账，请先取消记账')] },
      record: { ...recording.record, guards: [notRecorded('单据已记账')] },
      unrecord: recording.unrecord,
    },
    lifecycle: { manualEntry: false },
    sourcing: { sources: [chargeSource(side, 'alone')] },
    posting: {
      stockDirection: 'none',
      accountMovement: 'money',
      postings: doc => ({
        entries: doc.lines.map(
          (line): Entry => ({ line_no: line.line_no, account: side.account, amount: negate(line.taxed_amount) }),
        ),
      }),
    },
    ...(words.creates
      ? {
          intercompany: {
            copies: [
              {
                on: 'review' as const,
                creates: {
                  kind: words.creates,
                  state: 'draft' as const,
                  headerMap: { counter_payment_sn: 'sn' },
                },
                header: ['payment_method', 'paid_on', 'bank_serial_no'],
                attachments: true,
                message: { title: '供应商已付服务费，请核对收款', uri: 'serviceChargeManage' },
              },
            ],
          },
        }
      : {}),
    screens: side.screens.map(screen => ({
      ...screen,
      tab: `${verb}记录`,
      menu: '结算管理',
      purpose: side.orgs === 'HP' ? '收到的服务费，审核后冲减应收' : '支付的服务费，审核后冲减应付并通知收费单位',
      columns: [...listed],
      filters: [...searched],
    })),
  })
}
