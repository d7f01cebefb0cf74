/** Cookies the page itself manages. The session cookie is the server's and cannot be read here. */
const YEAR = 365 * 24 * 3600

export function readCookie(name: string): string | null {
  const found = document.cookie.split('; ').find(part => part.startsWith(`${name}=`))
  return found === undefined ? null : decodeURIComponent(found.slice(name.length + 1))
}

export function writeCookie(name: string, value: string, maxAge = YEAR): void {
  // the Cookie Store API is not available over plain http, which hospitals use
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${maxAge}; samesite=lax`
}

export const dropCookie = (name: string): void => writeCookie(name, '', 0)
