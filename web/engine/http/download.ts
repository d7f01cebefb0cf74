import type { Fetched } from '#web/engine/http/request.ts'

/** Hands a file to the browser, which asks where to put it. */
export function saveFile({ blob, name }: Fetched): void {
  const address = URL.createObjectURL(blob)
  follow(address, name)
  // The browser has begun by then; until then the address must stand.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Follows a link that answers with a file, without leaving the page. */
export function follow(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
