import type { ModuleHooks } from '#server/public/hooks.ts'
import { voucherAccountRules } from '#modules/finance/accounting/voucher-account.server.ts'

export const accountingHooks: ModuleHooks = {
  records: [voucherAccountRules],
}
