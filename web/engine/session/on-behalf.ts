/**
 * 平台代办: the organisation in whose name a user of the platform works in this window. It belongs to the window: other
 * windows of the same user stay the platform's.
 */
export type OnBehalfOf = { readonly org_sn: string; readonly name: string; readonly may_review: boolean }

const KEY = 'on-behalf-of'

export function onBehalfOf(): OnBehalfOf | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as OnBehalfOf | null
  } catch {
    return null
  }
}

/** Begins or ends it and starts the window anew, so that nothing of the other side stays on screen. */
export function actFor(chosen: OnBehalfOf | null): void {
  if (chosen === null) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, JSON.stringify(chosen))
  location.assign('/')
}

/** The header that names the organisation on whose behalf the user works. */
export const onBehalfHeader = (): Readonly<Record<string, string>> => {
  const onBehalf = onBehalfOf()
  return onBehalf === null ? {} : { 'X-On-Behalf-Of': onBehalf.org_sn }
}
