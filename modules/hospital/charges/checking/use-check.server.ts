import {
  approveFree,
  charge,
  free,
  refund,
  reopen,
  toDeptCost,
} from '#modules/hospital/charges/checking/decide-checks.server.ts'
import { matchRound } from '#modules/hospital/charges/checking/match-job.server.ts'
import type { ListActionHandler, RecordRules } from '#server/public/records.ts'
import { settingsFor } from '#server/public/settings.ts'

const MS_OF_AN_HOUR = 3_600_000

/** 立即核对. */
const check: ListActionHandler = async ({ tx, session }) => ({
  said: `核对完成，${await matchRound(tx, session.org.id)}条的状态有变化`,
})

/** Whole hours since the window of an open use ended. */
function hoursLate(row: Readonly<Record<string, unknown>>, window: number): number | null {
  if (row.state !== 'missed') return null
  const since = Date.now() - new Date(String(row.used_at)).getTime()
  return Math.max(0, Math.floor(since / MS_OF_AN_HOUR) - window)
}

export const useCheckRules: RecordRules = {
  kind: 'useCheck',
  readFlag: 'page:/hospital/useChargeableCheck',
  columns: tx => ({
    overdue_hours: tx`null::int`,
    match_note: tx`case when t.item_code is null then '未对照' end`,
  }),
  async complete(tx, session, rows) {
    const { charge_window_hours: window } = await settingsFor(tx, session.org.id)
    return rows.map(row => ({ ...row, overdue_hours: hoursLate(row, window) }))
  },
  calls: { check, charge, free, approveFree, refund, toDeptCost, reopen },
}
