import { rulesOf } from '#server/registry/hooks.ts'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { type OrgType, orgTypeOf, systemType } from '#kernel/values/organisation-type.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type Session, unbound } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

type Org = { readonly id: string; readonly code: string; readonly name: string; readonly system_type: number }

/**
 * The session a record is read with. The platform views one organisation at a time where the definition's rules
 * permit it: the transaction then runs as that organisation, the row policies apply, and nothing can be written.
 */
export async function readerOf(tx: Tx, session: Session, definition: AnyEntity, chosen: unknown): Promise<Session> {
  const reads = rulesOf(definition.kind).platformReads
  if (chosen !== undefined && chosen !== '' && !(reads && session.org.type === 'P'))
    throw new BusinessError('forbidden')
  if (!reads || session.org.type !== 'P') return session
  const org = chosen === undefined || chosen === '' ? await usual(tx, reads) : await named(tx, chosen)
  if (!org || org.id === session.org.id) return session
  await tx`select act_as(${org.id}, ${session.userId})`
  return {
    ...unbound(session),
    org: { id: org.id, code: org.code, name: org.name, type: orgTypeOf(org.system_type) },
    reading: true,
  } as Session
}

/** True if this is the platform viewing another organisation. */
export const isPlatformReading = (session: Session): boolean => 'reading' in session

async function named(tx: Tx, id: unknown): Promise<Org> {
  const [org] =
    typeof id === 'string' && /^\d{1,18}$/.test(id)
      ? await tx<Org[]>`select id, code, name, system_type from organisation where id = ${id}`
      : []
  if (!org) throw new BusinessError('notFound', '机构不存在')
  return org
}

/** The organisation shown when none was chosen: the platform itself, or the first of the type that has such records. */
async function usual(tx: Tx, reads: OrgType): Promise<Org | undefined> {
  if (reads === 'P') return undefined
  const [org] = await tx<
    Org[]
  >`select id, code, name, system_type from organisation where system_type = ${systemType[reads]}
    and status = 'enabled' order by id limit 1`
  return org
}
