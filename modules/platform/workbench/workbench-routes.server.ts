import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Measure } from '#kernel/measure/measure.ts'
import { addDays, type Day, today } from '#kernel/values/date.ts'
import { derived, documents, reportOf } from '#kernel/registry.ts'
import { isRestricted, may, documentScopeSql, scopeSql, type Session, WHOLE_ONLY } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'
import { fitsQuery, type Screen, screenAddress } from '#kernel/definition/screen.ts'
import { done, reading } from '#server/public/routes.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { measured } from '#server/public/reports.ts'
import { cardsOf } from '#modules/platform/workbench/waiting.server.ts'

const opens = (session: Session, route: string): boolean => may(session, `page:${route}`)

/** The page on which a user opens documents of a kind. */
function screenOf(session: Session, definition: AnyDocument): Screen | null {
  const mine = definition.screens.filter(
    screen => screen.orgs.includes(session.org.type) && opens(session, screen.route),
  )
  return mine.find(screen => !screen.hidden) ?? mine[0] ?? null
}

async function recent(tx: Tx, session: Session): Promise<unknown[]> {
  const rows = await tx<
    {
      kind: string
      sn: string
      label: string
      actor_name: string
      at: string
      state: string
      counterparty_name: string | null
      taxed_amount: string
    }[]
  >`
    select d.kind, d.sn, h.label, h.actor_name, h.at, d.state, o.name as counterparty_name, d.taxed_amount
      from (select document_id, seq, label, actor_name, at, org_id from document_history
        where org_id = ${session.org.id} and at > now() - interval '14 days' order by at desc limit 60) h
      join document d on d.org_id = h.org_id and d.id = h.document_id left
        join organisation o on o.id = d.counterparty_id
     where d.role = 'own' and d.state <> 'deleted' and ${documentScopeSql(tx, session)} order by h.at desc limit 12`
  return rows.flatMap(row => {
    const definition = documents().find(candidate => candidate.kind === row.kind)
    const screen = definition ? screenOf(session, definition) : null
    return definition && screen ? [{ ...row, title: definition.title, route: screenAddress(screen, row.sn) }] : []
  })
}

const causes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PRODUCTEXPIRY: { expired: '已过期在库批次', urgent: '即将到期批次', soon: '近效期批次' },
  PRODUCTINVENTORY: {
    none: '无库存产品',
    low: '低于下限产品',
    high: '高于上限产品',
    idle: '呆滞产品',
    held: '停售未定货物',
  },
  CERTIFICATIONEARLY: {
    expired: '已过期证照',
    missing: '缺必备证照',
    urgent: '即将到期证照',
    soon: '近期到期证照',
  },
  PRODUCTREGISTRATION: { expired: '已过期注册证', urgent: '即将到期注册证', soon: '近期到期注册证' },
}
const pressing: Readonly<Record<string, string>> = {
  expired: 'danger',
  missing: 'danger',
  none: 'danger',
  urgent: 'warning',
  low: 'warning',
  held: 'warning',
}

/** Open items of the warning centre, by category and level: the same rows that its page lists. */
async function warnings(tx: Tx, session: Session): Promise<unknown[]> {
  const page = '/commonView/warning'
  if (!opens(session, page)) return []
  const rows = await tx<{ category: string; level: string; count: number }[]>`
    select w.category, w.level, count(*)::int as count from warning w
     where w.org_id = ${session.org.id} and w.state = 'open'
       and ${scopeSql(tx, session, { stores: [tx`w.warehouse_id`], department: tx`w.department_id`, people: [] })}
     group by w.category, w.level order by max(w.severity) desc, w.category desc, w.level`
  return rows.map(({ category, level, count }) => ({
    rule: category,
    level: pressing[level] ?? 'info',
    text: causes[category]?.[level] ?? '其他预警',
    count,
    route: `${page}?tab=${encodeURIComponent('全部预警')}&category=${category}&level=${level}&state=open`,
  }))
}

/** Kinds whose goods are in transit until the other side answers. */
const deliveries = derived(() =>
  documents()
    .filter(definition => definition.intercompany.onProgress?.receive)
    .map(definition => definition.kind),
)

/** Figures for the platform operator: counted over the whole network, without any organisation's business data. */
async function network(tx: Tx): Promise<unknown[]> {
  const orgs = await tx<{ system_type: number; n: number }[]>`
    select system_type, count(*)::int as n from organisation where system_type between 1 and 3 and status = 'enabled'
      and audit_state = 'passed' group by 1`
  const [goods] = await tx<{ released: number; certificates: number }[]>`
    select (select count(*) from product where status = 'released')::int as released,
           (select count(*) from registration_certificate
             where valid_to between ${today()} and ${addDays(today(), 90)})::int as certificates`
  const count = (type: number) => String(orgs.find(row => row.system_type === type)?.n ?? 0)
  return [
    { title: '医院', value: count(1), as: 'count', route: null },
    { title: '经销商', value: count(2), as: 'count', route: null },
    { title: '厂商', value: count(3), as: 'count', route: null },
    { title: '已发布产品', value: String(goods!.released), as: 'count', route: null },
    { title: '90天内到期注册证', value: String(goods!.certificates), as: 'count', route: null },
  ]
}

/** The measures of the month so far, in this order; each organisation has those that are its own. */
const ofMonth = [
  measures.stock,
  measures.purchased,
  measures.madeOrOther,
  measures.granted,
  measures.sold,
  measures.used,
  measures.settled,
] as const

/** The page of a report under these parameters; null where the reader has none. */
function pageOf(session: Session, kind: string, asked: Readonly<Record<string, string>> = {}): string | null {
  const screen = reportOf(kind)?.screens.find(
    each => each.orgs.includes(session.org.type) && opens(session, each.route) && fitsQuery(each, asked),
  )
  return screen === undefined ? null : screenAddress(screen, null, asked)
}

/** The measures of debts as they are now. */
const owed = [measures.payable, measures.overduePayable] as const
const owedToUs = [measures.receivable, measures.overdueReceivable] as const

/** Figures of the month so far and what is owed, from the measures, and what is awaited now. */
async function figures(tx: Tx, session: Session): Promise<unknown[]> {
  if (session.org.type === 'P') return network(tx)
  const days = { begin_date: `${today().slice(0, 7)}-01` as Day, end_date: today() }
  const seller = session.org.type === 'D' || session.org.type === 'V'
  const shown = [...ofMonth, ...owed, ...(seller ? owedToUs : [])]
  const values = await measured(tx, session, shown, days)
  const [row] = await tx<{ in_transit: string }[]>`
    select count(*)::text as in_transit from document where org_id = ${session.org.id} and role = 'counterparty'
       and kind = any(${deliveries()}) and state in ('reviewed', 'partial')`
  return [
    ...shown.flatMap(measure => {
      const value = values.get(measure.name) ?? null
      return value === null ? [] : [{ title: titleOf(measure), value, as: 'amount', ...behind(session, measure, days) }]
    }),
    { title: '待收货', value: row!.in_transit, as: 'count', route: null },
  ]
}

/** Balances are those of today. */
const balances: readonly Measure[] = [measures.stock, ...owed, ...owedToUs]
const titleOf = (measure: Measure): string => (balances.includes(measure) ? measure.label : `本月${measure.label}`)

/** The sentence of a figure, and the page with its rows where the reader has that. */
const behind = (session: Session, { of, says, where }: Measure, days: Readonly<Record<string, string>>) => ({
  hint: says,
  route: pageOf(session, of, { ...days, ...where }),
})

/** The figures of the organisation, for users who see all of it. */
async function overview(tx: Tx, session: Session) {
  if (!may(session, 'figures') && session.flags !== 'all') return { figures: [] }
  if (isRestricted(session)) return { figures: [], withheld: `概览${WHOLE_ONLY}` }
  return { figures: await figures(tx, session) }
}

/** The home page of each role: waiting tasks, events, warnings and values. */
export function addWorkbench(app: FastifyInstance, { sql }: { readonly sql: Sql }): void {
  app.get('/v1/business/workbench', request =>
    reading(sql, request, async (tx, session) =>
      done({
        info: {
          todo: await cardsOf(tx, session),
          recent: await recent(tx, session),
          warnings: await warnings(tx, session),
          ...(await overview(tx, session)),
        },
      }),
    ),
  )
}
