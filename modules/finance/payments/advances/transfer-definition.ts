import { defineDocument } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import type { SourceRule } from '#kernel/definition/document-links.ts'
import type { Entry } from '#kernel/ledger/posting.ts'
import { negate } from '#kernel/values/decimal.ts'
import { recording } from '#modules/finance/accounting/voucher-fields.ts'
import { head, type Side } from '#modules/finance/payments/advances/offset-definition.ts'
import { remarked } from '#modules/base/vocabulary/line-fields.ts'
import { everyLineHasSource, hasLines, moreThanNothing, notRecorded } from '#modules/base/vocabulary/validators.ts'

const fixed = { basis: 'amount', multipleSources: true } as const
const bare = { headerMap: { record_state: '', voucher_no: '', accounting_period: '' } } as const

const origins = { invoice: '发票', opening: '期初', receipt: '收款单余额' } as const

/** Takes a settlement off an invoice or an opening: the amount is owed again, and may be applied for again. */
export const unsettled = (rule: Pick<SourceRule, 'from' | 'for' | 'sourceType' | 'alsoCounts'>): SourceRule => ({
  ...rule,
  ...fixed,
  ...bare,
  purpose: 'pay',
  negates: true,
})

/** The rest of money received that is matched with no invoice. */
export const leftOver = (rule: Pick<SourceRule, 'from' | 'for' | 'sourceType'>): SourceRule => ({
  ...rule,
  ...fixed,
  ...bare,
  purpose: 'offset',
  overdrawnMessage: '转出金额超过未核销余额{n}',
})

/**
 * 转预付单, 转预收单: money that settled an invoice or an opening becomes money in advance, so that the invoice may be
 * reversed: the settled amount is owed again, and the advance that each line names has a balance. Lines have the signs
 * of the amounts they settled. Created by the document's own action and reviewed at once; if it is taken back, the
 * advance is void.
 */
export function transferOf<K extends 'prepaymentTransfer' | 'prereceiptTransfer'>(
  side: Side,
  says: {
    readonly kind: K
    readonly numberPrefix: string
    readonly sources: readonly SourceRule[]
  },
) {
  const { submit, review, unreview, redReverse } = postingLifecycle({
    submit: [hasLines, moreThanNothing('转出金额必须大于0'), everyLineHasSource('请从发票、期初或收款单办理')],
  })
  return defineDocument({
    kind: says.kind,
    title: `转${side.word}单`,
    numberPrefix: says.numberPrefix,
    category: 'finance',
    ownerTypes: side.orgs,
    header: { ...head(side), origin: f.pick('款项来源', origins, { readOnly: true }) },
    lines: {
      source_sn: f.text('转出的单据'),
      invoice_no: f.text('发票号码', { max: 20 }),
      advance_sn: f.text(`${side.word}款单号`, { required: true, max: 40 }),
      advance_line_no: f.count(`${side.word}款行号`, { default: 1 }),
      taxed_amount: f.amount('转出金额', { required: true }),
      ...remarked,
    },
    lineRules: { basis: 'amount' },
    actions: {
      submit,
      review,
      unreview: {
        ...unreview,
        label: '撤销转入',
        to: 'cancelled',
        requiresReason: '请填写撤销转入的原因',
        guards: [notRecorded('单据已记账，请先取消记账')],
      },
      redReverse: { ...redReverse, from: ['reviewed'], guards: [notRecorded('单据已记账，请先取消记账')] },
      record: { ...recording.record, guards: [notRecorded('单据已记账')] },
      unrecord: recording.unrecord,
    },
    lifecycle: { manualEntry: false },
    sourcing: {
      sources: says.sources,
      secondaryTarget: {
        kind: side.advance,
        sn: 'advance_sn',
        line: 'advance_line_no',
        purpose: 'pay',
        basis: 'amount',
        overdrawnMessage: `转出金额超过${side.word}款单的金额{n}`,
      },
    },
    posting: {
      stockDirection: 'none',
      accountMovement: 'offset',
      postings: doc => ({
        entries: doc.lines.flatMap(({ line_no, taxed_amount: amount }): Entry[] => [
          doc.origin === 'receipt'
            ? // The money was in advance already: it is taken from the receipt's rest.
              { line_no, account: side.balance, amount: negate(amount), item: 'source' }
            : { line_no, account: side.settles, amount },
          { line_no, account: side.balance, amount, item: 'target' },
        ]),
      }),
    },
    screens: [
      {
        ...side.screen,
        tab: '转入记录',
        orgs: side.orgs,
        menu: '财务管理',
        purpose: `已结的发票款、期初款转为${side.word}的记录，每行写明原来的单据和转成的${side.word}款`,
        columns: [
          'sn',
          'counterparty_sn',
          'business_date',
          'taxed_amount',
          'source_sn',
          'reviewed_by_name',
          'reviewed_at',
          'record_state',
          'state',
          'remark',
        ],
        filters: ['sn', 'counterparty_sn', 'source_sn', 'business_date', 'record_state', 'state'],
        actions: ['unreview', 'redReverse', 'record', 'unrecord'],
      },
    ],
  })
}
