import { defineDocument, type CommonHeader, type CommonLine } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import type { Account, Entry } from '#kernel/ledger/posting.ts'
import { MONTH } from '#kernel/values/date.ts'
import { isZero } from '#kernel/values/decimal.ts'
import { turnedMoney } from '#modules/finance/accounting/turned-money.ts'
import { remarked } from '#modules/base/vocabulary/line-fields.ts'
import { eachLine, everyLine, hasLines, needs, type Has } from '#modules/base/vocabulary/validators.ts'

type OpeningLine = CommonLine & Has<'invoice_no' | 'opened_on' | 'due_date', string | null>
type Opening = CommonHeader & Has<'opening_month', string | null> & { readonly lines: readonly OpeningLine[] }

/** An invoice may appear only once in a document; across documents the database checks it. */
function invoicesOnce(doc: Opening): true | string {
  const seen = new Set<string>()
  for (const line of doc.lines) {
    const no = line.invoice_no
    if (!no) continue
    if (seen.has(no)) return `第${line.line_no}行：发票${no}已录入期初`
    seen.add(no)
  }
  return true
}

type Side = {
  readonly kind: 'openingReceivable' | 'openingPayable'
  readonly title: string
  readonly numberPrefix: string
  readonly orgs: 'DV' | 'HDV'
  readonly partner: { readonly label: string; readonly relation: 'customer' | 'supplier' }
  readonly account: Account
  readonly settled: string
  readonly route: '/commonView/openingAccountsReceivable' | '/commonView/openingPayable'
  readonly purpose: string
}

/**
 * The debts between a partner and us when the program came into use: invoice by invoice or as one sum. Amounts include
 * tax and may be negative, a credit of the partner's. Each line is an open item of its own due date.
 */
export function openingOf<K extends Side['kind']>(side: Side & { readonly kind: K }) {
  const { label, relation } = side.partner
  const life = postingLifecycle<Opening>({
    submit: [
      hasLines,
      needs('counterparty_sn', `请选择${label}`),
      everyLine('期初金额不能为0', line => !isZero(line.taxed_amount)),
      everyLine('业务日期须早于启用期间', (line, doc) => (line.opened_on ?? '') < `${doc.opening_month ?? ''}-01`),
      eachLine(line => !line.due_date || line.due_date >= (line.opened_on ?? '') || '到期日不能早于业务日期'),
      invoicesOnce,
    ],
    blockedMessage: '期初已被核销，不能反审核',
  })
  return defineDocument({
    kind: side.kind,
    title: side.title,
    numberPrefix: side.numberPrefix,
    category: 'finance',
    ownerTypes: side.orgs,
    header: {
      counterparty_sn: f.ref(label, 'organisation', { required: true, optionsFilter: { relation } }),
      opening_month: f.text('启用期间', {
        required: true,
        max: 7,
        match: MONTH,
        matchMsg: '启用期间格式为 2026-01',
        hint: '从这个月起用本系统记账，如 2026-01',
      }),
      handler_inner_sn: f.ref('经办人', 'employee'),
      business_date: f.day('录入日期'),
      remark: f.longText('备注', { max: 500 }),
      attachments: f.files('对账函'),
      turned_line: f.count('转出行号', { dialogOnly: true, hint: '留空为全部已结的行' }),
    },
    lines: {
      invoice_no: f.text('发票号码', { max: 20, hint: '按一笔总额录入的留空' }),
      opened_on: f.day('业务日期', { required: true }),
      due_date: f.day('到期日', { hint: '留空为业务日期加账期' }),
      summary_text: f.text('业务摘要', { max: 100 }),
      taxed_amount: f.amount('期初金额（含税）', { required: true, hint: '对方的贷项填负数' }),
      ...remarked,
    },
    lineRules: { basis: 'amount', import: true },
    actions: {
      ...life,
      redReverse: { ...life.redReverse, blockedMessage: '期初已被核销，不能红冲' },
      ...turnedMoney(side.kind === 'openingPayable' ? '预付' : '预收', ['turned_line']),
    },
    lifecycle: {
      stateLabels: { partial: '部分结清', completed: '已结清' },
      listActions: { close: { label: '期初关账', inputs: {} } },
    },
    progress: {
      main: 'pay',
      statuses: { pay_state: 'pay' },
      statusLabels: { pay_state: { label: '是否结清', choices: { 1: '未结', 2: '部分结清', 3: '已结清' } } },
      columns: {
        paid_amount: { label: side.settled, purpose: 'pay' },
        unpaid_amount: { label: '未结金额', purpose: 'pay', rest: true },
      },
    },
    posting: {
      stockDirection: 'none',
      accountMovement: 'opening',
      opens: [side.account],
      opensByLine: true,
      postings: doc => ({
        entries: doc.lines.map(
          (line): Entry => ({ line_no: line.line_no, account: side.account, amount: line.taxed_amount }),
        ),
      }),
    },
    screens: [
      {
        route: side.route,
        title: side.title,
        tab: '单据',
        orgs: side.orgs,
        menu: '财务管理',
        purpose: side.purpose,
        columns: [
          'sn',
          'counterparty_sn',
          'opening_month',
          'line_count',
          'taxed_amount',
          'paid_amount',
          'unpaid_amount',
          'pay_state',
          'handler_inner_sn',
          'created_at',
          'reviewed_by_name',
          'reviewed_at',
          'state',
          'remark',
        ],
        filters: ['sn', 'counterparty_sn', 'opening_month', 'pay_state', 'business_date', 'state'],
      },
    ],
  })
}
