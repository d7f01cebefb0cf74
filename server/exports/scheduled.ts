import type { Sql } from 'postgres'
import { type Day, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { lastPeriod, nextDue, type Schedule } from '#kernel/values/schedule.ts'
import type { AnyReport } from '#kernel/definition/report.ts'
import { reportOf } from '#kernel/registry.ts'
import { beginExport } from '#server/exports/jobs.ts'
import type { FileStore } from '#server/files/store.ts'
import { sessionNow } from '#server/identity/sessions.ts'
import { sendMessage } from '#server/messages/messages.ts'
import { exportReport } from '#server/reports/report.ts'
import { inOrganisation } from '#server/database/transaction.ts'

type Due = {
  readonly org_id: string
  readonly id: string
  readonly user_id: string
  readonly report: string
  readonly name: string
  readonly query: string | null
  readonly schedule: Schedule
  readonly due_on: Day
}
const AT_ONCE = 20

/** A scheme's conditions without the names stored beside their keys. */
export const askedBy = (query: string | null): Readonly<Record<string, string>> =>
  Object.fromEntries([...new URLSearchParams(query ?? '')].filter(([name]) => !name.endsWith('~')))

/**
 * 定时导出: starts everything due by today, each once, with the rights of the user who scheduled it; for data no longer
 * permitted, that user is notified.
 */
export async function runSchemes(app: Sql, owner: Sql, store: FileStore): Promise<void> {
  const day = today()
  const all = await owner<Due[]>`
    select org_id, id, user_id, report, name, query, schedule, due_on from report_scheme
     where due_on <= ${day} and schedule is not null order by due_on, id limit ${AT_ONCE}`
  for (const due of all) {
    const taken = await owner`
      update report_scheme set due_on = ${nextDue(due.schedule, day)} where org_id = ${due.org_id} and id = ${due.id}
        and due_on = ${due.due_on} returning id`
    if (taken.length > 0) await runOne(app, store, due)
  }
}

/**
 * The conditions of a scheme, about the last whole period before the day it is due: a subscription that repeated the
 * days it was kept with would say the same for ever.
 */
function inLastPeriod(
  { parameters }: AnyReport,
  query: Readonly<Record<string, string>>,
  { schedule, due_on }: Due,
): Readonly<Record<string, string>> {
  const { begin, end } = lastPeriod(schedule, due_on)
  const moved = {
    begin_date: begin,
    end_date: end,
    ...(parameters.period?.as === 'text' ? { period: end.slice(0, 7) } : {}),
  }
  const isAsked = (name: string) => name in parameters && (name in query || parameters[name]?.required === true)
  return { ...query, ...Object.fromEntries(Object.entries(moved).filter(([name]) => isAsked(name))) }
}

async function runOne(app: Sql, store: FileStore, due: Due): Promise<void> {
  const session = await sessionNow(app, { userId: due.user_id, orgId: due.org_id, agent: '定时导出' })
  if (session === null) return
  const definition = reportOf(due.report)
  try {
    if (!definition) throw new BusinessError('notFound', '报表已不存在')
    const query = inLastPeriod(definition, askedBy(due.query), due)
    await beginExport(app, store, session, exportReport(session, definition, query), null)
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error
    await inOrganisation(app, session.org.id, session.userId, tx =>
      sendMessage(tx, session.org.id, {
        title: `定时导出【${due.name}】没有执行`,
        body: error.message || '没有操作权限',
        uri: '',
        objectId: '',
        kind: null,
        userId: session.userId,
      }),
    )
  }
}
