import type { Module } from '#kernel/module.ts'
import { voucherAccount } from '#modules/finance/accounting/voucher-account.entity.ts'

export const accountingModule: Module = {
  entities: [voucherAccount],
}
