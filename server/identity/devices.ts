import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { endEverySession, endOtherSessions, endSession, type SignedIn } from '#server/identity/sessions.ts'

/** One sign-in of a user. Its sn gives no access: it is the hash of what the browser holds. */
export type Device = {
  readonly session_sn: string
  readonly device: string
  readonly address: string
  readonly created_at: string
  readonly seen_at: string
  readonly is_current: boolean
}

type Row = Omit<Device, 'device' | 'is_current'> & { readonly agent: string | null }

/** The devices on which the user is signed in now; the current session comes first. */
export async function devicesOf(sql: Sql, session: SignedIn): Promise<Device[]> {
  const rows = await sql<Row[]>`
    select token_hash as session_sn, coalesce(address, '') as address, agent, created_at, seen_at from session
     where user_id = ${session.userId} and expires_at > now()
     order by (token_hash = ${session.tokenHash}) desc, seen_at desc limit 200`
  return rows.map(({ agent, ...row }) => ({
    ...row,
    device: deviceName(agent ?? ''),
    is_current: row.session_sn === session.tokenHash,
  }))
}

/** Ends one sign-in, all others, or all. Another user's answers like one that does not exist. */
export async function endDevices(sql: Sql, session: SignedIn, which: { sn: string; scope: string }): Promise<void> {
  if (which.sn !== '') {
    const [own] = await sql`select 1 from session where token_hash = ${which.sn} and user_id = ${session.userId}`
    if (!own) throw new BusinessError('notFound', '该登录设备不存在或已退出')
    return endSession(sql, which.sn)
  }
  if (which.scope === 'others') return endOtherSessions(sql, session.userId, session.tokenHash)
  if (which.scope === 'all') return endEverySession(sql, session.userId)
  throw new BusinessError('invalid', undefined, [{ field: 'scope', msg: '请选择要退出的设备' }])
}

const browsers = [
  [/MicroMessenger\//, '微信'],
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const systems = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** Chrome · Windows: the readable name of a device. */
export function deviceName(agent: string): string {
  const named = (known: readonly (readonly [RegExp, string])[]) => known.find(([is]) => is.test(agent))?.[1]
  return [named(browsers), named(systems)].filter(Boolean).join(' · ') || '其他客户端'
}
