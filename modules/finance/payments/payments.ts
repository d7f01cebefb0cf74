import { f } from '#kernel/definition/field.ts'
import { remarked } from '#modules/base/vocabulary/line-fields.ts'

/** The account to which the money goes; if empty, from the partner's master data. */
export const payee = {
  payee_name: f.text('收款单位', { max: 100, partner: 'name' }),
  payee_bank: f.text('收款开户行', { max: 100, partner: 'bank_name' }),
  payee_account: f.text('收款账号', { max: 40, partner: 'bank_account' }),
} as const

/** Lines contain money only: which document it belongs to, and how much, by the word of the kind. */
export const moneyLines = (amount: string) =>
  ({
    source_sn: f.text('来源单号'),
    invoice_no: f.text('发票号码', { max: 20 }),
    taxed_amount: f.amount(amount, { required: true }),
    ...remarked,
  }) as const
