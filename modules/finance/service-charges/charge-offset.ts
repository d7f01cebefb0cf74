import { defineDocument } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import type { Account, Entry } from '#kernel/ledger/posting.ts'
import { negate } from '#kernel/values/decimal.ts'
import { recording, voucherFields } from '#modules/finance/accounting/voucher-fields.ts'
import { remarked } from '#modules/base/vocabulary/line-fields.ts'
import type { Settled } from '#modules/base/vocabulary/settled-payables.ts'
import {
  everyLineHasSource,
  hasLines,
  moreThanNothing,
  needs,
  notRecorded,
} from '#modules/base/vocabulary/validators.ts'

type Side = {
  readonly orgs: 'H' | 'DV'
  readonly partner: { readonly label: string; readonly relation: 'customer' | 'supplier' }
  /** The account of the fee, and the account that it is set off against. */
  readonly fee: Account
  readonly settles: Account
  readonly screen: { readonly route: `/${string}`; readonly title: string }
  readonly purpose: string
}

/**
 * 抵扣: a service fee is set off against what is owed for goods: both fall by the same amount. Each line names the
 * invoice that it settles (its source) and the line of the bill that it uses up; neither is exceeded.
 */
export function chargeOffsetOf<K extends 'chargeDeduction' | 'chargeSetOff'>(
  side: Side,
  words: {
    readonly kind: K
    readonly title: string
    readonly prefix: string
    readonly settled: readonly Settled[]
    readonly open: string
  },
) {
  const life = postingLifecycle({
    submit: [
      hasLines,
      needs('counterparty_sn', `请选择${side.partner.label}`),
      moreThanNothing('抵扣金额必须大于0'),
      everyLineHasSource('请选择要抵扣的发票'),
    ],
  })
  return defineDocument({
    kind: words.kind,
    title: words.title,
    numberPrefix: words.prefix,
    category: 'finance',
    ownerTypes: side.orgs,
    header: {
      counterparty_sn: f.ref(side.partner.label, 'organisation', {
        required: true,
        optionsFilter: { relation: side.partner.relation },
      }),
      ...voucherFields,
      handler_inner_sn: f.ref('经办人', 'employee'),
      business_date: f.day('业务日期'),
      remark: f.longText('备注', { max: 500 }),
    },
    lines: {
      source_sn: f.text('抵扣的单据'),
      invoice_no: f.text('发票号码', { max: 20 }),
      charge_sn: f.text('服务费单号', { required: true, max: 40 }),
      charge_line_no: f.count('服务费行号', { default: 1 }),
      taxed_amount: f.amount('抵扣金额', { required: true }),
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
    sourcing: {
      sources: words.settled.map(rule => ({
        ...rule,
        purpose: 'pay' as const,
        basis: 'amount' as const,
        overdrawnMessage: words.open,
        multipleSources: true,
        headerMap: { record_state: '', voucher_no: '', accounting_period: '' },
      })),
      secondaryTarget: {
        kind: 'serviceCharge',
        ...(side.orgs === 'H' ? {} : { fromCounterparty: true as const }),
        sn: 'charge_sn',
        line: 'charge_line_no',
        purpose: 'pay',
        basis: 'amount',
        overdrawnMessage: '抵扣金额超过服务费未结金额{n}',
      },
    },
    posting: {
      stockDirection: 'none',
      accountMovement: 'offset',
      postings: doc => ({
        entries: doc.lines.flatMap((line): Entry[] => [
          { line_no: line.line_no, account: side.fee, amount: negate(line.taxed_amount) },
          // The bill that the line names opens the fee alone; what it is set off against is the line's source.
          { line_no: line.line_no, account: side.settles, amount: negate(line.taxed_amount), item: 'source' },
        ]),
      }),
    },
    screens: [
      {
        ...side.screen,
        tab: '抵扣记录',
        orgs: side.orgs,
        menu: '结算管理',
        purpose: side.purpose,
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
