import type { Sql } from 'postgres'
import { compactDay, today } from '#kernel/values/date.ts'
import { orgTypeName, orgTypeOf } from '#kernel/values/organisation-type.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { entities } from '#kernel/registry.ts'
import { divisionPath } from '#server/reference/divisions.ts'
import { type Claimed, claimInvitation, releaseInvitation } from '#server/identity/invitation.ts'
import { platformId } from '#server/identity/registrant.ts'
import { keepScans, takeScans } from '#server/identity/scans.ts'
import { mustBeCode, useCode } from '#server/identity/sms/sms-code.ts'
import { sendMessage } from '#server/messages/messages.ts'
import { inOrganisation, withRetry, type Tx } from '#server/database/transaction.ts'

/** A registration as entered, already checked by section 5 of the specification. */
export type Registration = {
  readonly systemType: number
  readonly name: string
  readonly alias: string
  readonly creditCode: string
  readonly division: string
  readonly address: string
  readonly registrant: string
  readonly phone: string
  readonly email: string
  readonly description: string
  readonly code: string
  /** The invitation link; empty without an invitation. */
  readonly invitation: string
  /** The draft name of the uploaded licence scans, and which of them the registration keeps. */
  readonly draft: string
  readonly scans: readonly string[]
}

const TABLE = 'registration'
/** The record definition that shows registrations; messages use it to find who may see them. */
const auditKind = () => entities().find(definition => definition.table === TABLE)?.kind ?? null

/**
 * Stores a registration for the platform's audit and notifies the platform. The code is used up together with it, or
 * not at all.
 */
export async function register(sql: Sql, form: Registration): Promise<void> {
  await mustBeCode(sql, form.phone, form.code, 'register')
  const platform = await platformId(sql)
  if (platform === null) throw new BusinessError('rule', '平台尚未开通，暂不能注册，请联系平台运营方')
  await refuseKnown(sql, form)
  const invitation = form.invitation === '' ? null : await claimInvitation(sql, form.invitation)
  try {
    await withRetry(() =>
      inOrganisation(sql, platform, '0', async tx => {
        await refuseOpen(tx, platform, form)
        await useCode(tx, form.phone, form.code)
        const scans = await takeScans(tx, form.draft, form.scans)
        await keepScans(tx, platform, scans)
        const id = await keep(tx, platform, form, invitation)
        await notifyPlatform(tx, platform, id, form)
      }),
    )
  } catch (error) {
    if (invitation !== null) await releaseInvitation(sql, invitation)
    throw error
  }
}

const typeName = (type: number) => orgTypeName[orgTypeOf(type)]

/**
 * Refuses what the network already has: an account of this phone, or an organisation with this credit code that has
 * users.
 */
async function refuseKnown(sql: Sql, form: Registration): Promise<void> {
  const [account] =
    await sql`select 1 from account_at_door where login = ${form.phone} or phone = ${form.phone} limit 1`
  if (account) taken('phoneTaken', 'registrant_phone', `手机号码${form.phone}已注册账号，请直接登录或重置密码`)
  const [org] = await sql<{ name: string }[]>`
    select o.name from organisation o
     where o.system_type = ${form.systemType} and upper(o.social_credit_code) = ${form.creditCode}
       and exists (select 1 from organisation_in_use u where u.org_id = o.id) limit 1`
  if (org)
    taken(
      'organisationTaken',
      'social_credit_code',
      `统一社会信用代码${form.creditCode}已注册为${typeName(form.systemType)}【${org.name}】，请联系该机构的管理员开通账号`,
    )
}

/** Refuses what already waits for its audit. */
async function refuseOpen(tx: Tx, platform: string, form: Registration): Promise<void> {
  const [open] = await tx<{ registrant_phone: string; name: string }[]>`
    select registrant_phone, name from registration
     where org_id = ${platform} and state = 'pending'
       and (registrant_phone = ${form.phone}
         or (system_type = ${form.systemType} and social_credit_code = ${form.creditCode}))
     order by (registrant_phone = ${form.phone}) desc limit 1`
  if (!open) return
  if (open.registrant_phone === form.phone)
    taken('phoneTaken', 'registrant_phone', `手机号码${form.phone}已为【${open.name}】提交注册申请，请等待平台审核`)
  taken(
    'organisationTaken',
    'social_credit_code',
    `统一社会信用代码${form.creditCode}已有注册申请正在审核，请等待平台审核`,
  )
}

function taken(reason: 'phoneTaken' | 'organisationTaken', field: string, msg: string): never {
  throw new BusinessError(reason, msg, [{ field, msg }])
}

async function keep(tx: Tx, platform: string, form: Registration, invitation: Claimed | null): Promise<string> {
  const [next] = await tx<{ last: string }[]>`
    insert into numbering as n (org_id, kind, day, last) values (${platform}, ${TABLE}, ${today()}, 1)
    on conflict (org_id, kind, day) do update set last = n.last + 1 returning last`
  const code = `ZC${compactDay(today())}${(next?.last ?? '1').padStart(4, '0')}`
  const [row] = await tx<{ id: string }[]>`
    insert into registration (org_id, code, system_type, name, alias, social_credit_code, administrative_division_sn,
      division_name, address,
                              registrant, registrant_phone, registrant_email, description, inviter_id,
                                invitation_id, attachments)
    values (${platform}, ${code}, ${form.systemType}, ${form.name}, ${form.alias || null}, ${form.creditCode},
      ${form.division || null}, ${divisionPath(form.division || null)}, ${form.address},
            ${form.registrant}, ${form.phone}, ${form.email || null}, ${form.description || null},
            ${invitation?.org ?? null}, ${invitation?.id ?? null}, ${[...form.scans]}::text[])
    on conflict do nothing returning id`
  // Two at once: the second finds the first and reports it.
  if (!row) {
    await refuseOpen(tx, platform, form)
    throw new BusinessError('duplicate')
  }
  return row.id
}

const notifyPlatform = (tx: Tx, platform: string, id: string, form: Registration) =>
  sendMessage(tx, platform, {
    title: '机构注册申请',
    body: `${typeName(form.systemType)}【${form.name}】提交了注册申请，请审核`,
    uri: 'registration',
    objectId: id,
    kind: auditKind(),
    type: 'audit',
    extra: { name: form.name, org_name: form.name, system_type: form.systemType },
  })
