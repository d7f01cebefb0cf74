import { type MoneyRight, rightsToRead } from '#kernel/definition/field.ts'
import { type OrgType, type OrgTypes, orgTypeOf, systemType } from '#kernel/values/organisation-type.ts'
import { type Reading, rightsOf, type WallDefinition } from '#kernel/wall/wall-definition.ts'
import { entityOf, walls } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { maySeePrices } from '#server/access/sensitive-fields.ts'
import { may, type Session, systemSession } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Whose figures are read, with whose rights, and whether they include money. */
export type Looking = {
  /** Reads the rows of its organisation alone. */
  readonly as: Session
  readonly seesMoney: boolean
  /** True if they include profits. */
  readonly seesProfit: boolean
}
/** An organisation whose wall somebody may look at. */
export type Shown = { readonly id: string; readonly code: string; readonly name: string }

/** Most hospitals that the platform adds up. */
const MOST = 500

/** Organisations of these types that work here, or the one of them that is asked for. */
const organisationsOf = (tx: Tx, types: OrgTypes, id: string | null) =>
  tx<(Shown & { system_type: number })[]>`
    select id, code, name, system_type from organisation
     where system_type = any(${[...types].map(type => systemType[type as OrgType])}::smallint[])
       and status = 'enabled' and audit_state = 'passed' and ${id === null ? tx`true` : tx`id = ${id}`}
     order by code, id limit ${MOST}`

/** The hospitals that the platform may look at, or the one of them that it asks for. */
export const hospitalsOf = async (tx: Tx, id: string | null): Promise<readonly Shown[]> =>
  (await organisationsOf(tx, 'H', id)).map(({ system_type: _type, ...shown }) => shown)

/** The organisations that gave 大屏金额授权: the platform reads amounts between two of them. */
export const grantingOrganisations = async (tx: Tx): Promise<ReadonlySet<string>> =>
  new Set((await tx<{ org_id: string }[]>`select org_id from wall_amount_grant`).map(({ org_id }) => String(org_id)))

/** True if a user has the page of the wall, or of the one that it is opened from. */
export function hasWall(session: Session, { screen, overview }: WallDefinition): boolean {
  const above = walls().find(({ kind }) => kind === overview)
  return screen.orgs.includes(session.org.type) && may(session, `page:${(above?.screen ?? screen).route}`)
}

export function requireWall(session: Session, wall: WallDefinition): void {
  if (!hasWall(session, wall)) throw new BusinessError('forbidden')
}

/** A user who reads the rows of the own organisation. */
export const reader = (session: Session): Looking => ({
  as: session,
  seesMoney: maySeePrices(session),
  seesProfit: maySeePrices(session) && may(session, 'profit'),
})

const knows = ({ seesMoney, seesProfit }: Looking, rights: readonly MoneyRight[]): boolean =>
  rights.every(right => (right === 'profit' ? seesProfit : seesMoney))

/** True if somebody may know what goods cost. */
export const seesCosts = (looking: Looking): boolean =>
  knows(looking, rightsToRead({ as: 'amount', worth: 'cost' }, looking.as.org.type))

/** True if a figure of a reading leaves the server for somebody. */
export const seesColumn = (looking: Looking, reading: Reading, column: string): boolean =>
  knows(looking, rightsOf(reading, column, looking.as.org.type))

/** Every organisation of these types, or the one that is asked for, as the platform counts its goods: without money. */
export async function eachOf(
  tx: Tx,
  session: Session,
  types: OrgTypes,
  id: string | null,
): Promise<readonly Looking[]> {
  return (await organisationsOf(tx, types, id)).map(({ system_type, ...org }) => ({
    as: {
      ...systemSession({ ...org, type: orgTypeOf(system_type) }),
      userId: session.userId,
      userName: session.userName,
    },
    seesMoney: false,
    seesProfit: false,
  }))
}

/**
 * As whom a wall is read. An organisation reads its own rows as its user sees them, and may ask for no other; the
 * platform reads those of a hospital, or of every one, without money where it was not let.
 */
export async function lookers(tx: Tx, session: Session, asked: string | null): Promise<readonly Looking[]> {
  if (session.org.type !== 'P') {
    if (asked !== null && asked !== session.org.id) throw new BusinessError('forbidden')
    return [reader(session)]
  }
  const hospitals = await eachOf(tx, session, 'H', asked)
  if (asked !== null && hospitals.length === 0) throw new BusinessError('forbidden')
  const granting = await grantingOrganisations(tx)
  return hospitals.map(one => ({ ...one, seesMoney: maySeePrices(session) && granting.has(one.as.org.id) }))
}

/** Refuses a wall that is narrowed to a row of another organisation: a department, a store. */
export async function requireOwnRows(
  tx: Tx,
  { filters, narrows = {} }: Pick<WallDefinition, 'filters' | 'narrows'>,
  asked: Readonly<Record<string, string>>,
  org: string,
): Promise<void> {
  for (const [name, { as, target }] of Object.entries(filters)) {
    const id = asked[narrows[name] ?? name]
    const record = as === 'ref' && target !== undefined ? entityOf(target) : undefined
    if (id === undefined || record === undefined || record.scope !== 'organisation') continue
    const found = await tx`select 1 from ${tx(record.table)} where org_id = ${org} and id = ${id}`
    if (found.length === 0) throw new BusinessError('forbidden')
  }
}
