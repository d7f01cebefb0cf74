import type { Sql } from 'postgres'
import { type OrgType, orgTypeOf } from '#kernel/values/organisation-type.ts'
import { derived, documents, entities } from '#kernel/registry.ts'
import { dataScopeOf } from '#server/identity/sessions.ts'
import type { Session } from '#server/access/session.ts'

type Reader = Pick<Session, 'flags'>
const shown = derived(() => [...documents(), ...entities()])

/** The kinds a user may be notified of: those of the user's pages and operations. */
export function kindsOf(reader: Reader): readonly string[] {
  const { flags } = reader
  if (flags === 'all') return shown().map(definition => definition.kind)
  const acted = new Set([...flags].map(flag => flag.split('.')[0]))
  return shown()
    .filter(({ kind, screens }) => acted.has(kind) || screens.some(screen => flags.has(`page:${screen.route}`)))
    .map(definition => definition.kind)
}

/**
 * The first of some kinds that users of this organisation type have a page for; null where all of them may be
 * notified.
 */
export const kindShownTo = (type: OrgType, kinds: readonly (string | null | undefined)[]): string | null =>
  kinds.find(kind =>
    shown().some(definition => definition.kind === kind && definition.screens.some(({ orgs }) => orgs.includes(type))),
  ) ?? null

/** The user of a socket, with the current session. */
export type Listener = {
  readonly rId: string
  readonly userId: string
  readonly orgId: string
  readonly type: OrgType
  readonly kinds: readonly string[]
  /** While the password must be changed, no business data is shown. */
  readonly mustChange: boolean
  /** The visible stores and departments; null: all. */
  /** The wanted message types; none: all. */
  readonly wants: readonly string[]
  readonly bound: { readonly store_scope: string; readonly data_scope: string } | null
}

/** The stores and the department that a message concerns. */
export type Place = { readonly stores: readonly string[]; readonly department_id: string | null }

type Row = {
  r_id: string
  user_id: string
  org_id: string
  system_type: number
  must_change: boolean
  is_administrator: boolean
  store_scope: string
  data_scope: string
  message_types: string[]
  flags: string[] | null
}

/**
 * The users of some realtime tokens; tokens of ended sessions are left out. A token opens nothing else and extends
 * no session.
 */
export async function listenersOf(sql: Sql, tokens: readonly string[]): Promise<ReadonlyMap<string, Listener>> {
  if (tokens.length === 0) return new Map()
  const rows = await sql<Row[]>`
    select s.r_id, s.user_id, s.org_id, o.system_type, u.is_administrator, u.store_scope, u.data_scope, u.message_types,
           u.must_change or u.password_changed_at < now() - make_interval(days => u.password_days) as must_change,
           case when not u.is_administrator then (
             select coalesce(array_agg(distinct g.flag), '{}') from right_at_door g where g.user_id = u.id) end as flags
      from session s
      join account_at_door u on u.id = s.user_id and u.status = 'enabled'
      join organisation o on o.id = s.org_id and o.status = 'enabled' and o.audit_state = 'passed'
     where s.r_id = any(${[...tokens]}::text[]) and s.expires_at > now()`
  return new Map(
    rows.map(row => [
      row.r_id,
      {
        rId: row.r_id,
        userId: row.user_id,
        orgId: row.org_id,
        type: orgTypeOf(row.system_type),
        kinds: kindsOf({ flags: row.flags === null ? 'all' : new Set(row.flags) }),
        mustChange: row.must_change,
        wants: row.message_types,
        bound: row.is_administrator ? null : { store_scope: row.store_scope, data_scope: row.data_scope },
      },
    ]),
  )
}

/** True if a listener sees messages about some stores and a department; read once per user for each message. */
export function seesPlace(sql: Sql): (listener: Listener, place: Place) => Promise<boolean> {
  const known = new Map<string, ReturnType<typeof dataScopeOf>>()
  return async ({ userId, orgId, bound }, { stores, department_id: department }) => {
    if (bound === null || (stores.length === 0 && department === null)) return true
    const asked = known.get(userId) ?? dataScopeOf(sql, { user_id: userId, org_id: orgId, ...bound })
    known.set(userId, asked)
    const { warehouses, departments } = await asked
    return (
      (stores.length === 0 || warehouses === 'all' || stores.some(store => warehouses.has(store))) &&
      (department === null || departments === 'all' || departments.has(department))
    )
  }
}
