import type { Sql } from 'postgres'
import { confirmSilent } from '#modules/finance/accounting/confirm-by-time.server.ts'
import { settingDefaults } from '#modules/base/settings/setting-defaults.server.ts'

/** Settlements that no supplier answered in the days of the hospital's rule. */
export const confirmByTime = (owner: Sql): Promise<number> =>
  confirmSilent(owner, {
    kind: 'settlement',
    state: 'submitted',
    since: 'submitted_at',
    rule: 'settlementConfirm',
    days: settingDefaults.settlement_confirm_days,
  })
