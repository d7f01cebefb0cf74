import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { headerField } from '#kernel/definition/common-fields.ts'
import { absentSums } from '#kernel/definition/line-content.ts'
import { screenAddress } from '#kernel/definition/screen.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { Tx } from '#server/public/database.ts'
import { listRecords } from '#server/public/records.ts'
import { done, reading } from '#server/public/routes.ts'
import { maySeeMoney, type Session } from '#server/public/session.ts'
import {
  asked,
  documentRows,
  type Offers,
  offersOf,
  type Waiting,
  waitingFor,
} from '#modules/platform/workbench/waiting.server.ts'

/** Something that waits for this user's decision, as the approval page lists it. */
type Approval = {
  readonly is: 'document' | 'record'
  readonly kind: string
  /** The kind of document, or the page of the record. */
  readonly title: string
  /** Its number, or the key of the record. */
  readonly key: string
  readonly name: string
  readonly version: number
  /** The page on which it is listed. */
  readonly route: string
  /** Its own address. */
  readonly address: string
  readonly approve: string
  /** The action that sends it back; null where the user may not. */
  readonly reject: string | null
  readonly since: string | null
  readonly by: string | null
  readonly partner: string | null
  readonly place: string | null
  /** With tax; left out for users who may not see prices, and of kinds without money. */
  readonly amount?: string | null
  /** 待一审, 待二审 where there are several levels: the level it waits at, and how many there are. */
  readonly level: number
  readonly levels: number
  /** Written or submitted by this user. */
  readonly own: boolean
}

/** Most rows of one kind of record that the page lists. */
const MOST = '200'
const REJECTS = ['reject', 'noPass']
const rejectOf = ({ screen, definition: { kind, actions } }: Waiting, offers: Offers): string | null =>
  REJECTS.find(action => action in (actions ?? {}) && offers(screen, kind, action)) ?? null

type Row = {
  readonly at: number
  readonly sn: string
  readonly version: number
  readonly since: string | null
  readonly by: string | null
  readonly partner: string | null
  readonly place: string | null
  readonly amount: string | null
  readonly level: number
  readonly levels: number
  readonly own: boolean
}

async function documentsOf(tx: Tx, session: Session, all: readonly Waiting[], offers: Offers): Promise<Approval[]> {
  const rows = await documentRows<Row>(
    tx,
    session,
    all,
    (waiting, at) => tx`
      select ${at}::int as at, w.sn, w.version, coalesce(w.submitted_at, w.created_at) as since,
        w.review_level as level,
        w.review_levels as levels, w.taxed_amount as amount,
        coalesce(w.created_by = ${session.userId} or w.submitted_by = ${session.userId}
          or ${session.userId} = any(w.former_authors), false) as own,
        (select u.name from app_user u where u.id = coalesce(w.submitted_by, w.created_by)) as by,
        (select o.name from organisation o where o.id = w.counterparty_id) as partner,
        coalesce((select s.name from warehouse s where s.org_id = w.org_id and s.id = w.warehouse_id),
          (select x.name from department x where x.org_id = w.org_id and x.id = w.department_id)) as place
        from (${waiting}) w`,
  )
  return rows.map(({ at, sn, amount, ...row }) => {
    const one = all[at] as Waiting & { readonly is: 'document' }
    const hasMoney =
      maySeeMoney(session, headerField(one.definition, 'taxed_amount')!) &&
      !absentSums(one.definition).has('taxed_amount')
    return {
      ...row,
      is: 'document',
      kind: one.definition.kind,
      title: one.title,
      key: sn,
      name: sn,
      route: one.screen.route,
      address: screenAddress(one.screen, sn),
      approve: one.action,
      reject: rejectOf(one, offers),
      ...(hasMoney ? { amount } : {}),
    }
  })
}

const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))

async function recordsOf(
  tx: Tx,
  session: Session,
  one: Waiting & { readonly is: 'record' },
  offers: Offers,
): Promise<Approval[]> {
  const { definition, screen } = one
  const { list } = await listRecords(tx, session, definition, { ...asked(one), pageNum: '1', pageSize: MOST })
  return list.map(row => {
    const key = String(row[definition.key])
    return {
      is: 'record',
      kind: definition.kind,
      title: one.title,
      key,
      name: textOf(row[definition.display]) ?? key,
      version: parseInteger(row.version ?? 0),
      route: screen.route,
      address: screenAddress(screen, null, { ...one.where, row: key }),
      approve: one.action,
      reject: rejectOf(one, offers),
      since: textOf(row.submitted_at ?? row.applied_at ?? row.created_at),
      by: textOf(row.submitted_by_name ?? row.registrant),
      partner: textOf(row.product_name ?? row.partner_name ?? row.org_name),
      place: null,
      level: 0,
      levels: 0,
      own: false,
    }
  })
}

/** Everything that waits for this user's decision, what waits longest first. */
async function approvals(tx: Tx, session: Session): Promise<readonly Approval[]> {
  const offers = await offersOf(tx, session)
  const all = waitingFor(session, offers).filter(({ state }) => state === 'submitted')
  const found = await documentsOf(tx, session, all, offers)
  for (const one of all) if (one.is === 'record') found.push(...(await recordsOf(tx, session, one, offers)))
  return found.toSorted((a, b) => (a.since ?? '').localeCompare(b.since ?? '') || a.key.localeCompare(b.key))
}

/** 待我审批: whatever its kind. Deciding is the one path of each kind; nothing is decided here. */
export function addApprovals(app: FastifyInstance, { sql }: { readonly sql: Sql }): void {
  app.get('/v1/business/workbench/approvals', request =>
    reading(sql, request, async (tx, session) => {
      const list = await approvals(tx, session)
      return done({ list, total: list.length })
    }),
  )
}
