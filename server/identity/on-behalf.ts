import type { Sql } from 'postgres'
import { derived, documents, entities } from '#kernel/registry.ts'
import { today } from '#kernel/values/date.ts'
import { type OrgType, orgTypeOf } from '#kernel/values/organisation-type.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type Session, unbound } from '#server/access/session.ts'
import { logOperation } from '#server/audit/operation-log.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import type { SignedIn } from '#server/identity/sessions.ts'
import { allPages } from '#server/menu/menu.ts'

/**
 * The message to a user of the platform who acts for an organisation without its authorisation, or on a document that
 * needs one.
 */
export const NOT_ENTRUSTED = '未获得该机构委托代运营授权，不能操作'

/** An organisation that entrusted the platform, today. */
export type Entrusting = {
  readonly org_sn: string
  readonly name: string
  /** The authorisation includes review. */
  readonly may_review: boolean
}
type Row = Entrusting & { readonly code: string; readonly system_type: number }

const entrusting = (tx: Tx, org: string | null) => tx<Row[]>`
  select o.id as org_sn, o.code, o.name, o.system_type, c.value = '是（含审核）' as may_review
    from org_config c join organisation o on o.id = c.org_id and o.status = 'enabled' and o.audit_state = 'passed'
   where c.name = 'on_behalf' and c.value <> '否' and c.valid_from <= ${today()} and c.valid_to >= ${today()}
     ${org === null ? tx`` : tx`and o.id = ${org}`}
   order by o.code limit 500`

/** The organisations that entrusted the platform, for its users to choose from. */
export const entrustingOrganisations = async (tx: Tx): Promise<Entrusting[]> =>
  (await entrusting(tx, null)).map(({ org_sn, name, may_review }) => ({ org_sn, name, may_review }))

/** Rights on kinds that the platform writes for others, by the type of organisation that has them. */
const rightsOn = derived(() => {
  const named = (definitions: readonly { readonly kind: string; readonly overseen?: true }[]) =>
    new Set(definitions.filter(({ overseen }) => overseen).map(({ kind }) => kind))
  const [documentKinds, recordKinds] = [named(documents()), named(entities())]
  // Documents are on pages that both have; of records the platform has pages of its own, to read them.
  const pages = allPages().filter(
    ({ kind, screen }) => (documentKinds.has(kind) && screen.orgs.includes('P')) || recordKinds.has(kind),
  )
  return (type: OrgType): readonly string[] =>
    pages
      .filter(({ screen }) => screen.orgs.includes(type))
      .flatMap(({ kind, screen, operations }) => [
        `page:${screen.route}`,
        ...operations.filter(({ orgs }) => orgs?.includes(type) ?? true).map(({ flag }) => `${kind}.${flag}`),
      ])
})

/** The rights to pass records that somebody wrote: only for users who are entrusted with review as well. */
const judgements = derived(
  () => new Set(entities().flatMap(({ kind, judged }) => (judged ? [`${kind}.${judged.action}`] : []))),
)

/**
 * The session of the platform's user in the name of an organisation that entrusted it: its rows, its numbers, its
 * rules. The user keeps the own rights to kinds that the platform writes for others, never the right to patients or
 * prices. The history shows 平台代办 and the user's name. `writes`: the call by which the user changes something; the
 * platform's own log has a row of it, whatever becomes of the call.
 */
export async function onBehalfOf(
  sql: Sql,
  session: SignedIn,
  organisation: string,
  writes: string | null,
): Promise<SignedIn> {
  if (session.org.type !== 'P' || !/^\d{1,18}$/.test(organisation)) throw new BusinessError('rule', NOT_ENTRUSTED)
  const row = await inOrganisation(sql, session.org.id, session.userId, async tx => {
    const [found] = await entrusting(tx, organisation)
    if (found && writes !== null)
      await logOperation(
        tx,
        session,
        { subject: 'onBehalf', subjectName: '平台代办', action: 'onBehalf', name: found.name, summary: writes },
        found.org_sn,
      )
    return found
  })
  if (!row) throw new BusinessError('rule', NOT_ENTRUSTED)
  const type = orgTypeOf(row.system_type)
  const rights = rightsOn()(type).filter(flag => row.may_review || !judgements().has(flag))
  const { flags } = session
  return {
    ...unbound(session),
    userName: `平台代办：${session.userName}`,
    isAdministrator: false,
    org: { id: row.org_sn, code: row.code, name: row.name, type },
    flags: new Set(flags === 'all' ? rights : rights.filter(flag => flags.has(flag))),
    onBehalf: { mayReview: row.may_review },
  }
}

/** Refuses a platform's user who writes without having chosen an organisation that entrusted it. */
export function refuseUnentrusted(session: Session, { overseen }: { readonly overseen?: true }): void {
  if (overseen && session.org.type === 'P') throw new BusinessError('rule', NOT_ENTRUSTED)
}
