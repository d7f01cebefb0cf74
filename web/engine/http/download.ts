import type { Fetched } from '#web/engine/http/request.ts'

/** Passes a file to the browser, which asks where to save it. */
export function saveFile({ blob, name }: Fetched): void {
  const address = URL.createObjectURL(blob)
  follow(address, name)
  // The URL must stay valid until the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Opens a link that returns a file, without leaving the page. */
export function follow(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
