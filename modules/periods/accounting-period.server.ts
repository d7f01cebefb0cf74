import { instant } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { documents } from '#kernel/registry.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { lockPeriods, periodId } from '#server/public/actions.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const booking = () =>
  documents()
    .filter(definition => definition.posting.postings)
    .map(definition => definition.kind)

/** The first and the last day of a month, for a range over dates. */
const boundsOf = (period: string): readonly [string, string] => {
  const [year = 0, month = 0] = period.split('-').map(parseInteger)
  return [`${period}-01`, new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)]
}

/** Months are closed in order, so that the closed ones are contiguous from the beginning. */
async function refuseGap(tx: Tx, session: Session, period: string): Promise<void> {
  const [open] = await tx<{ period: string }[]>`
    select period from accounting_month where org_id = ${session.org.id} and id < ${periodId(period)}
      and state = 'open' order by id limit 1`
  if (open) throw new BusinessError('rule', `请先结账会计期间【${open.period}】`)
}

async function refuseWaiting(tx: Tx, session: Session, period: string): Promise<void> {
  const [from, to] = boundsOf(period)
  const [row] = await tx<{ n: number }[]>`
    select count(*)::int as n from document
     where org_id = ${session.org.id} and kind = any(${booking()}) and role = 'own' and state = 'submitted'
       and business_date between ${from} and ${to}`
  if (row!.n > 0) throw new BusinessError('rule', `本期存在${row!.n}张未审核单据，不能结账`)
}

/** The computed list row is stored from the first action on it. */
const keep = (tx: Tx, session: Session, row: Readonly<RecordRow>) => tx`
  insert into accounting_period (org_id, id) values (${session.org.id}, ${String(row.accounting_period_sn)})
    on conflict (org_id, id) do nothing`

export const accountingPeriodRules: RecordRules = {
  kind: 'accountingPeriod',
  table: 'accounting_period',
  mayWrite(_session, action) {
    if (['add', 'edit', 'del'].includes(action))
      throw new BusinessError('rule', '会计期间按月自动产生，只能结账或反结账')
  },
  actions: {
    async closePeriod(tx, session, row) {
      const period = String(row.period)
      if (row.state === 'closed') throw new BusinessError('wrongState', `会计期间【${period}】已结账`)
      await refuseGap(tx, session, period)
      await lockPeriods(tx, session.org.id)
      await keep(tx, session, row)
      await refuseWaiting(tx, session, period)
      return { state: 'closed', closed_by: session.userName, closed_at: instant() }
    },
    async reopenPeriod(tx, session, row, reason) {
      const period = String(row.period)
      if (row.state !== 'closed') throw new BusinessError('wrongState', `会计期间【${period}】未结账，不需要反结账`)
      const [later] = await tx<{ period: string }[]>`
        select period from accounting_month where org_id = ${session.org.id} and id > ${periodId(period)}
          and state = 'closed' order by id desc limit 1`
      if (later) throw new BusinessError('rule', `只能反结账最近一个已结账期间，请先反结账【${later.period}】`)
      return {
        state: 'open',
        reopened_by: session.userName,
        reopened_at: instant(),
        reopen_reason: reason,
      }
    },
  },
}
