import { type Shown, showsKind } from '#kernel/rules/page-access.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { BusinessError } from '#kernel/rules/errors.ts'

/**
 * The acting user: resolved once per request from the session cookie, or created by the engine for deliveries and
 * the demo.
 */
export type Session = {
  readonly userId: string
  readonly userName: string
  readonly org: { readonly id: string; readonly code: string; readonly name: string; readonly type: OrgType }
  /**
   * Operation flags granted by the user's roles: `purchaseGrn.review`, `page:/hospital/purchaseGrn`, `patient`.
   * Administrators have all.
   */
  readonly flags: ReadonlySet<string> | 'all'
  /**
   * Stores whose goods and documents the user sees: those to which the user is bound, and never those of other
   * departments; administrators and unbound users have all.
   */
  readonly warehouses: ReadonlySet<string> | 'all'
  /** Those of `warehouses` in which the user may act, where that is not all of them. */
  readonly actsIn?: ReadonlySet<string>
  /** The user is bound to no store by name: `warehouses` follows from the departments. */
  readonly storesOfDepartments?: true
  /** Departments whose documents and figures the user sees. */
  readonly departments: ReadonlySet<string> | 'all'
  /** Sees only documents that the user wrote or submitted. */
  readonly ownOnly: boolean
  /** May do in the organisation whatever the platform permits it. */
  readonly isAdministrator?: boolean
  /** The platform's user works in the name of `org`, which entrusted the platform (委托代运营). */
  readonly onBehalf?: { readonly mayReview: boolean }
  /** The platform's user reads documents of all organisations, or of `org`, as far as the platform may. */
  readonly oversees?: 'all' | 'one'
  readonly mustChange: boolean
  readonly address: string
  /** The login name; empty when the engine acts. */
  readonly login?: string
  readonly agent?: string
  /** The time at which the call began, to measure its duration. */
  readonly began?: number
}

/** The same user, bound to no store, department or authorship: for what follows from an action that was allowed. */
export const unbound = <Of extends Session>({ actsIn: _stores, ...session }: Of) => ({
  ...session,
  warehouses: 'all' as const,
  departments: 'all' as const,
  ownOnly: false as const,
})

const has = ({ flags }: Session, flag: string): boolean => flags === 'all' || flags.has(flag)
const used = new WeakMap<Session, Set<string>>()

export function may(session: Session, flag: string): boolean {
  if (!has(session, flag)) return false
  const flags = used.get(session) ?? new Set()
  used.set(session, flags.add(flag))
  return true
}

/**
 * The rights of the caller that a call used: the flags that were asked for and granted, and the stores and departments
 * to which the caller was bound.
 */
export type UsedRights = {
  readonly flags: readonly string[]
  readonly warehouses: readonly string[] | 'all'
  readonly departments: readonly string[] | 'all'
}

const listed = (some: ReadonlySet<string> | 'all') => (some === 'all' ? some : [...some])
const within = (own: ReadonlySet<string> | 'all', then: readonly string[] | 'all') =>
  own === 'all' || (then !== 'all' && then.every(one => own.has(one)))

export const usedRights = (session: Session): UsedRights => ({
  flags: [...(used.get(session) ?? [])],
  warehouses: listed(session.actsIn ?? session.warehouses),
  departments: listed(session.departments),
})

/** True if the caller still has every right that an earlier call of the same user used. */
export const stillHas = (session: Session, { flags, warehouses, departments }: UsedRights): boolean =>
  flags.every(flag => has(session, flag)) &&
  within(session.actsIn ?? session.warehouses, warehouses) &&
  within(session.departments, departments)

/** Refuses with 没有操作权限 unless one of the user's roles grants the flag. */
export function requirePermission(session: Session, flag: string): void {
  if (!may(session, flag)) throw new BusinessError('forbidden')
}

/** The engine acting for an organisation when an intercompany message arrives. Shown in histories as 系统. */
export const systemSession = (org: Session['org']): Session => ({
  userId: '0',
  userName: '系统',
  org,
  flags: 'all',
  warehouses: 'all',
  departments: 'all',
  ownOnly: false,
  mustChange: false,
  address: 'system',
})

/**
 * The organisation acting for somebody, whom the history shows: what follows from an action needs no right of its own.
 */
export const inNameOf = ({ org, userName }: Pick<Session, 'org' | 'userName'>): Session => ({
  ...systemSession(org),
  userName,
})

/** True if a user may open the pages of a kind. */
export const hasPageAccess = (session: Session, shown: Shown): boolean =>
  session.flags === 'all' || showsKind(shown, route => may(session, `page:${route}`), session.flags)

/** Reading requires it. */
export function requirePageAccess(session: Session, definition: Shown): void {
  if (!hasPageAccess(session, definition)) throw new BusinessError('forbidden')
}
