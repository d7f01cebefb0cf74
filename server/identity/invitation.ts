import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'

/** Registration fields filled in by an invitation link. */
export type Invited = {
  readonly inviter: string
  readonly name: string
  readonly social_credit_code: string
  readonly registrant: string
  readonly registrant_phone: string
  readonly expires_on: string
}
/** The invitation used by a registration. */
export type Claimed = { readonly org: string; readonly id: string }

const spent = () => new BusinessError('rule', '邀请链接已使用或已过期，请联系邀请方重新生成')
const FORM = /^(\d{1,18})-([\w-]{20,60})$/

/** The link names its organisation, so that the invitation is searched among that organisation's rows. */
const partsOf = (link: string): { org: string; token: string } => {
  const [, org, token] = FORM.exec(link) ?? []
  if (org === undefined || token === undefined) throw spent()
  return { org, token }
}

const live = (tx: Tx, org: string, token: string) =>
  tx`i.org_id = ${org} and i.token = ${token} and i.state = 'open' and i.expires_on >= ${today()}`

/** The data of a valid invitation; refused once it was used, withdrawn, or expired. */
export async function readInvitation(sql: Sql, link: string): Promise<Invited> {
  const { org, token } = partsOf(link)
  const [found] = await inOrganisation(
    sql,
    org,
    '0',
    tx => tx<Invited[]>`
    select o.name as inviter, i.name, coalesce(i.social_credit_code, '') as social_credit_code,
      coalesce(i.registrant, '') as registrant,
           coalesce(i.registrant_phone, '') as registrant_phone, i.expires_on
      from dealer_invitation i join organisation o on o.id = i.org_id and o.status = 'enabled'
        where ${live(tx, org, token)}`,
  )
  if (!found) throw spent()
  return found
}

/** Claims an invitation for one registration: of two at once, only one succeeds. */
export async function claimInvitation(sql: Sql, link: string): Promise<Claimed> {
  const { org, token } = partsOf(link)
  const [taken] = await inOrganisation(
    sql,
    org,
    '0',
    tx => tx<{ id: string }[]>`
    update dealer_invitation i set state = 'used', reason = null, version = version + 1 where ${live(tx, org, token)}
      returning id`,
  )
  if (!taken) throw spent()
  return { org, id: taken.id }
}

/** The registration failed: the link is valid again. */
export const releaseInvitation = (sql: Sql, { org, id }: Claimed, reason: string | null = null) =>
  inOrganisation(
    sql,
    org,
    '0',
    tx => tx`
    update dealer_invitation set state = 'open', reason = ${reason}, version = version + 1
      where org_id = ${org} and id = ${id} and state = 'used'`,
  )
