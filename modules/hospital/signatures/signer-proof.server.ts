import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { pinProblem } from '#modules/hospital/signatures/signature-field.ts'
import { isPassword, signIn, storedForm } from '#server/public/accounts.ts'
import { logOperation } from '#server/public/audit.ts'
import type { Tx } from '#server/public/database.ts'
import { giveBackAllowance, useAllowance } from '#server/public/routes.ts'
import type { Session } from '#server/public/session.ts'

/** The proven identity of a signer. */
export type Proven = { readonly employee: string | null; readonly name: string }

/** The session and the address from which a signer tries to prove himself. */
export type At = { readonly session: Session; readonly address: string }

type Limit = { readonly name: string; readonly most: number; readonly seconds: number }
const QUARTER = 15 * 60
const DAY = 24 * 60 * 60

const refuse = (msg: string) => new BusinessError('rule', msg, [{ field: 'signature_sn', msg }])

/** Wrong proofs of one caller and from one device; those of one signer are counted beside them. */
const limitsAt = ({ session, address }: At): readonly Limit[] => [
  { name: `signing by ${session.org.id} ${session.userId}`, most: 10, seconds: QUARTER },
  { name: `signing at ${address}`, most: 60, seconds: QUARTER },
]
const limitsOf = (org: string, signer: string): readonly Limit[] => [
  { name: `signing as ${org} ${signer}`, most: 5, seconds: QUARTER },
  { name: `signing as ${org} ${signer} today`, most: 20, seconds: DAY },
]

/**
 * Counts an attempt before it is judged, so that simultaneous ones all count; what was right is given back. Beyond a
 * limit nothing is judged, also not what would be right.
 */
async function counted<T>(sql: Sql, limits: readonly Limit[], judge: () => Promise<T>): Promise<T> {
  for (const limit of limits) {
    const { isAllowed, wait } = await useAllowance(sql, limit)
    if (!isAllowed) throw new BusinessError('tooMany', `签名验证失败次数过多，请${Math.ceil(wait / 60)}分钟后再试`)
  }
  const proven = await judge()
  for (const { name } of limits) await giveBackAllowance(sql, name)
  return proven
}

type Holder = {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly pins: readonly string[]
}

/** The employee of a badge, with the PINs of his accounts that are in use. */
const holderOf = (sql: Sql, org: string, badge: string) => sql<Holder[]>`
  select e.id, e.name, e.status, array(
           select p.pin_hash from app_user u join signing_pin p on p.org_id = u.org_id and p.user_id = u.id
            where u.org_id = e.org_id and u.employee_id = e.id and u.status = 'enabled') as pins
    from employee e where e.org_id = ${org} and e.badge_no = ${badge}`

/** A badge identifies its owner, and the PIN proves it: a person who found the badge does not know the PIN. */
export function provenByPin(
  { sql, read }: { readonly sql: Sql; readonly read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T> },
  at: At,
  { badge, pin }: { readonly badge: string; readonly pin: string },
): Promise<Proven> {
  const { org } = at.session
  return counted(sql, limitsAt(at), async () => {
    const [holder] = await read(tx => holderOf(tx as unknown as Sql, org.id, badge.trim()))
    if (!holder) throw refuse('工牌号未登记，请在人力资源中登记后再扫描')
    if (holder.status !== 'enabled') throw refuse(`员工【${holder.name}】已离职，不能签名`)
    if (pin === '') throw refuse('请输入签名PIN：仅有工牌不能签名')
    if (holder.pins.length === 0)
      throw refuse(`【${holder.name}】还没有签名PIN，请本人登录后在右上角的菜单中设置，或由本人用登录账号和密码签名`)
    return counted(sql, limitsOf(org.id, holder.id), async () => {
      for (const stored of holder.pins)
        if (await isPassword(stored, pin)) return { employee: holder.id, name: holder.name }
      throw refuse('签名PIN不正确，请重新输入')
    })
  })
}

/** A password proves its account; a wrong one counts here and as a sign-in. */
export function provenByPassword(
  sql: Sql,
  at: At,
  { login, password }: { readonly login: string; readonly password: string },
): Promise<string> {
  return counted(sql, limitsAt(at), async () => (await signIn(sql, login, password, at.address)).id)
}

/** The account of this organisation that a password proved; a password that somebody else gave him proves nothing. */
export async function accountHolder(tx: Tx, org: string, account: string): Promise<Proven> {
  const [user] = await tx<{ employee_id: string | null; name: string; must_change: boolean }[]>`
    select employee_id, name, must_change from app_user where org_id = ${org} and id = ${account}`
  if (!user) throw refuse('该账号不属于本机构，不能签名')
  if (user.must_change) throw refuse('该账号还在使用初始密码，请本人登录修改密码后再签名')
  return { employee: user.employee_id, name: user.name }
}

/** Sets the PIN of the signed-in user; his password was checked. */
export async function setPin(tx: Tx, session: Session, pin: string): Promise<void> {
  const msg = pinProblem(pin)
  if (msg !== null) throw new BusinessError('invalid', msg, [{ field: 'pin', msg }])
  await tx`
    insert into signing_pin (org_id, user_id, pin_hash)
    values (${session.org.id}, ${session.userId}, ${await storedForm(pin)})
    on conflict (org_id, user_id) do update set pin_hash = excluded.pin_hash, set_at = now()`
  await logOperation(tx, session, {
    subject: 'user',
    action: 'signingPin',
    actionName: '设置签名PIN',
    key: session.userId,
    summary: '签名PIN已设置',
  })
}
