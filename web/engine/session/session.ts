import { useSyncExternalStore } from 'react'
import { type OrgType, orgTypeOf } from '#kernel/values/organisation-type.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { dropCookie, readCookie, writeCookie } from '#web/engine/session/cookies.ts'
import { get, post } from '#web/engine/http/request.ts'
import { queryClient } from '#web/engine/http/query-client.ts'
import { forgetShellData, loadShellData } from '#web/engine/session/shell-data.ts'
import { listenToOtherTabs, notifyOtherTabs } from '#web/engine/session/browser-tabs.ts'
import { onBehalfOf } from '#web/engine/session/on-behalf.ts'
import { createListeners } from '#web/engine/listeners.ts'

/** The current user, from the sign-in or the restored session. */
export type Session = {
  readonly userId: string
  readonly login: string
  readonly name: string
  readonly position: string
  readonly orgSn: string
  readonly orgName: string
  readonly orgType: OrgType
  readonly mustChange: boolean
  /** The password is the phone number of the registration: changing it requires a code by SMS. */
  readonly mustVerify: boolean
  /** Token of the realtime channel. */
  readonly rId: string
}

type LoginInfo = {
  r_id?: string
  is_use_system?: boolean
  user_info?: {
    belong?: string
    system_type?: number | string
    password_cycle?: number
    user_inner_sn?: string
    user_name?: string
    name?: string
    must_change?: boolean
    must_verify?: boolean
  }
  employee_info?: { name?: string; org_name?: string; position?: string }
}

const FLAG = 'signed-in'
const LAST_LOGIN = 'last-login-user'
const sessionCookies = [
  'loginStatus',
  'isUseSystem',
  'userbelong',
  'userSystemType',
  'passwordCycle',
  'userId',
] as const

let current: Session | null = null
const { subscribe, notify } = createListeners()
function settle(next: Session | null): void {
  current = next
  notify()
}

function sessionFrom(info: LoginInfo, login: string): Session {
  const user = info.user_info ?? {}
  return {
    userId: String(user.user_inner_sn ?? ''),
    login: user.user_name ?? login,
    name: info.employee_info?.name || user.name || login,
    position: info.employee_info?.position ?? '',
    orgSn: String(user.belong ?? ''),
    orgName: info.employee_info?.org_name ?? '',
    orgType: orgTypeOf(parseInteger(user.system_type ?? 0)),
    mustChange: user.must_change === true,
    mustVerify: user.must_verify === true,
    rId: info.r_id ?? '',
  }
}

/**
 * Stores who is signed in, for other windows. On behalf of an organisation the stored user stays the platform's own.
 */
function remember(info: LoginInfo, session: Session): void {
  if (onBehalfOf() !== null) return
  const values: Record<(typeof sessionCookies)[number], string> = {
    loginStatus: '1',
    isUseSystem: String(info.is_use_system ?? true),
    userbelong: session.orgSn,
    userSystemType: String(info.user_info?.system_type ?? ''),
    passwordCycle: String(info.user_info?.password_cycle ?? ''),
    userId: session.userId,
  }
  for (const [name, value] of Object.entries(values)) writeCookie(name, value, 7 * 24 * 3600)
  localStorage.setItem(FLAG, '1')
  localStorage.setItem(LAST_LOGIN, `${session.userId}_${values.userSystemType}`)
}

function begin(info: LoginInfo, login: string): Session {
  const session = sessionFrom(info, login)
  remember(info, session)
  forgetShellData()
  settle(session)
  notifyOtherTabs({ is: 'in', userId: session.userId })
  if (!session.mustChange) void loadShellData()
  return session
}

/** Signs in. `passwordHash` is the MD5 of the password: the plain password never leaves the page. */
export async function signIn(login: string, passwordHash: string): Promise<Session> {
  const { info } = await post<LoginInfo>('/v1/login', { userName: login, password: passwordHash }, { bare: true })
  return begin(info, login)
}

/** Signs in with an SMS code. */
export async function signInByCode(phone: string, code: string): Promise<Session> {
  const { info } = await post<LoginInfo>('/v1/loginByVerifyCode', { UserName: phone, VerifyCode: code }, { bare: true })
  return begin(info, phone)
}

/** Restores the session of the cookie, if the server still knows it. */
export async function restoreSession(): Promise<Session> {
  const { info } = await get<LoginInfo>('/v1/user/user_info', {}, { bare: true })
  const session = sessionFrom(info, current?.login ?? '')
  remember(info, session)
  settle(session)
  if (!session.mustChange) void loadShellData()
  return session
}

/** Forgets the user in this browser: cookies, flag and all cached data, in every tab. */
export function forgetSession(comeBackTo = ''): void {
  leftFor = comeBackTo
  for (const name of sessionCookies) dropCookie(name)
  localStorage.removeItem(FLAG)
  leave()
  notifyOtherTabs({ is: 'out' })
}

/** The user's address when the session ended; '' after a normal sign-out. */
let leftFor = ''
export const signInAddress = (): string =>
  leftFor === '' ? '/Login' : `/Login?redirect=${encodeURIComponent(leftFor)}`

function leave(): void {
  queryClient.clear()
  settle(null)
}

/** The longest wait at sign-out: clearing its cache, as the reply demands, takes a browser a while. */
const LEAVING_MS = 2000

/** Ends the session on the server too; if the server cannot be reached, the session expires there. */
export async function signOut(): Promise<void> {
  const ended = post('/v1/logout', {}, { bare: true }).catch(() => null)
  await Promise.race([ended, new Promise(resolve => setTimeout(resolve, LEAVING_MS))])
  forgetSession()
}

/** Follows sign-ins and sign-outs in other tabs of this browser: they share the cookie, so they share the user. */
export const followOtherTabs = (): (() => void) =>
  listenToOtherTabs(news => {
    if (news.is === 'out') {
      leftFor = ''
      return leave()
    }
    // Another user signed in in another tab: this tab's pages are not for them.
    if (current !== null && current.userId !== news.userId) location.assign('/')
    // The same user again: the realtime token is a new one.
    else if (current !== null) restoreSession().catch(() => undefined)
  })

export const hasFlag = (): boolean => localStorage.getItem(FLAG) === '1'
export const hasLoginCookie = (): boolean => readCookie('loginStatus') === '1'
export const currentSession = (): Session | null => current

export const useSession = (): Session | null => useSyncExternalStore(subscribe, currentSession)
