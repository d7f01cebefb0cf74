import { type BusinessDocument, defineDocument } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import type { Purpose } from '#kernel/definition/progress.ts'
import type { Account, Entry } from '#kernel/ledger/posting.ts'
import { negate } from '#kernel/values/decimal.ts'
import { recording, voucherFields } from '#modules/finance/accounting/voucher-fields.ts'
import { remarked } from '#modules/base/vocabulary/line-fields.ts'
import type { Settled } from '#modules/base/vocabulary/settled-payables.ts'
import {
  everyLine,
  everyLineHasSource,
  hasFiles,
  hasLines,
  needs,
  notRecorded,
  someAmount,
  type Has,
} from '#modules/base/vocabulary/validators.ts'

/** Money in advance on one side: of a supplier, or of a customer. */
export type Side = {
  readonly orgs: 'DV' | 'HDV'
  readonly partner: { readonly label: string; readonly relation: 'customer' | 'supplier' }
  /** 预付 or 预收. */
  readonly word: string
  readonly advance: 'prepayment' | 'prereceipt'
  /** The account of the money in advance, and the account that it settles. */
  readonly balance: Account
  readonly settles: Account
  readonly screen: {
    readonly route: '/commonView/prepaidManage/advancePayment' | '/commonView/prepaidManage/advanceCharge'
    readonly title: string
  }
}

export const supplierSide: Side = {
  orgs: 'HDV',
  partner: { label: '供应商', relation: 'supplier' },
  word: '预付',
  advance: 'prepayment',
  balance: 'prepaid',
  settles: 'payable_invoiced',
  screen: { route: '/commonView/prepaidManage/advancePayment', title: '预付款管理' },
}
export const customerSide: Side = {
  orgs: 'DV',
  partner: { label: '客户', relation: 'customer' },
  word: '预收',
  advance: 'prereceipt',
  balance: 'prereceived',
  settles: 'receivable_invoiced',
  screen: { route: '/commonView/prepaidManage/advanceCharge', title: '预收款管理' },
}

export const head = ({ partner: { label, relation } }: Side) =>
  ({
    counterparty_sn: f.ref(label, 'organisation', { required: true, optionsFilter: { relation } }),
    ...voucherFields,
    handler_inner_sn: f.ref('经办人', 'employee'),
    business_date: f.day('业务日期'),
    remark: f.longText('备注', { max: 500 }),
  }) as const

const actionsOf = <D>(life: ReturnType<typeof postingLifecycle<D>>) => ({
  ...life,
  unreview: { ...life.unreview, label: '反核销', guards: [notRecorded('单据已记账，不能反核销')] },
  redReverse: { ...life.redReverse, guards: [notRecorded('单据已记账，请先取消记账')] },
  record: { ...recording.record, guards: [notRecorded('单据已记账')] },
  unrecord: recording.unrecord,
})

/**
 * 核销单: money in advance is offset against invoices or openings of the same partner. Each line names the settled
 * document (its source) and the advance; it must exceed neither.
 */
export function offsetOf<K extends 'prepaymentOffset' | 'prereceiptOffset'>(
  side: Side,
  {
    kind,
    numberPrefix,
    settled,
    open,
  }: {
    readonly kind: K
    readonly numberPrefix: string
    /** The documents that an advance settles: an invoice or an opening of the same partner, up to its open amount. */
    readonly settled: readonly Settled[]
    /** The sentence that refuses more than the open amount. */
    readonly open: string
  },
) {
  return defineDocument({
    kind,
    title: `${side.word}核销单`,
    numberPrefix,
    category: 'finance',
    ownerTypes: side.orgs,
    header: head(side),
    lines: {
      source_sn: f.text('核销的单据'),
      invoice_no: f.text('发票号码', { max: 20 }),
      advance_sn: f.text(`${side.word}款单号`, { required: true, max: 40 }),
      advance_line_no: f.count(`${side.word}款行号`, { default: 1 }),
      taxed_amount: f.amount('核销金额', { required: true }),
      ...remarked,
    },
    lineRules: { basis: 'amount' },
    actions: actionsOf(
      postingLifecycle({
        submit: [
          hasLines,
          needs('counterparty_sn', `请选择${side.partner.label}`),
          someAmount,
          everyLineHasSource('请选择要核销的发票'),
        ],
      }),
    ),
    sourcing: {
      sources: settled.map(rule => ({
        ...rule,
        purpose: 'pay' as Purpose,
        basis: 'amount' as const,
        overdrawnMessage: open,
        multipleSources: true,
        headerMap: { record_state: '', voucher_no: '', accounting_period: '' },
      })),
      secondaryTarget: {
        kind: side.advance,
        sn: 'advance_sn',
        line: 'advance_line_no',
        purpose: 'offset',
        basis: 'amount',
        sharesLimitWith: ['refund'],
        overdrawnMessage: `核销金额超过${side.word}余额{n}`,
      },
    },
    posting: {
      stockDirection: 'none',
      accountMovement: 'offset',
      postings: doc => ({
        entries: doc.lines.flatMap((line): Entry[] => [
          { line_no: line.line_no, account: side.balance, amount: negate(line.taxed_amount) },
          { line_no: line.line_no, account: side.settles, amount: negate(line.taxed_amount) },
        ]),
      }),
    },
    screens: [
      {
        ...side.screen,
        tab: '核销记录',
        orgs: side.orgs,
        menu: '财务管理',
        purpose: `${side.word}款核销发票的记录，每行写明核销的发票和所用的${side.word}款`,
        columns: [
          'sn',
          'counterparty_sn',
          'business_date',
          'line_count',
          'taxed_amount',
          'source_sn',
          'handler_inner_sn',
          'reviewed_by_name',
          'reviewed_at',
          'record_state',
          'state',
          'remark',
        ],
        filters: ['sn', 'counterparty_sn', 'source_sn', 'business_date', 'record_state', 'state'],
      },
    ],
  })
}

/** 退款单: money in advance is refunded, by the supplier or to the customer; the bank's slip and number prove it. */
export function refundOf<K extends 'prepaymentRefund' | 'prereceiptRefund'>(
  side: Side,
  { kind, numberPrefix, sourceType }: { readonly kind: K; readonly numberPrefix: string; readonly sourceType: number },
) {
  const proven = [
    hasLines,
    needs('counterparty_sn', `请选择${side.partner.label}`),
    someAmount,
    everyLine(`请从${side.word}款单生成`, line => line.source_sn !== null),
    needs('bank_serial_no', '请填写银行流水号'),
    (doc: BusinessDocument) => hasFiles(doc, 'attachments') || '请上传银行回单',
  ]
  return defineDocument({
    kind,
    title: `${side.word}退款单`,
    numberPrefix,
    category: 'finance',
    ownerTypes: side.orgs,
    header: {
      ...head(side),
      paid_on: f.day('退款日期'),
      bank_serial_no: f.text('银行流水号', { max: 60 }),
      attachments: f.files('银行回单'),
    },
    lines: {
      source_sn: f.text(`${side.word}款单号`),
      taxed_amount: f.amount('退款金额', { required: true }),
      ...remarked,
    },
    lineRules: { basis: 'amount' },
    actions: actionsOf(postingLifecycle<BusinessDocument & Has<'bank_serial_no'>>({ submit: proven })),
    lifecycle: { manualEntry: false },
    sourcing: {
      sources: [
        {
          from: side.advance,
          for: side.advance,
          sourceType,
          purpose: 'refund',
          basis: 'amount',
          sharesLimitWith: ['offset'],
          overdrawnMessage: `退款金额超过${side.word}余额{n}`,
          states: side.advance === 'prepayment' ? ['completed'] : ['reviewed'],
          headerMap: { record_state: '', voucher_no: '', accounting_period: '', bank_serial_no: '', paid_on: '' },
        },
      ],
    },
    posting: {
      stockDirection: 'none',
      accountMovement: 'money',
      postings: doc => ({
        entries: doc.lines.map(
          (line): Entry => ({ line_no: line.line_no, account: side.balance, amount: negate(line.taxed_amount) }),
        ),
      }),
    },
    screens: [
      {
        ...side.screen,
        tab: '退款记录',
        orgs: side.orgs,
        menu: '财务管理',
        purpose: `退回的${side.word}款，凭银行回单和流水号登记`,
        columns: [
          'sn',
          'counterparty_sn',
          'source_sn',
          'taxed_amount',
          'paid_on',
          'bank_serial_no',
          'handler_inner_sn',
          'reviewed_by_name',
          'reviewed_at',
          'record_state',
          'state',
        ],
        filters: ['sn', 'counterparty_sn', 'source_sn', 'paid_on', 'bank_serial_no', 'record_state', 'state'],
      },
    ],
  })
}
