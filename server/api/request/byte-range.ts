import { parseInteger } from '#kernel/values/integer.ts'
/** The part of a file requested by a `Range` header; null: the whole; `'none'`: outside the file. */
export type ByteRange = { readonly start: number; readonly end: number }

/** Reads `bytes=a-b`, `bytes=a-` and `bytes=-n`. Several ranges, or an invalid one, mean the whole file. */
export function byteRange(header: string | undefined, size: number): ByteRange | 'none' | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return null
  if (from === '')
    return to === '0' || size === 0 ? 'none' : { start: Math.max(0, size - parseInteger(to)), end: size - 1 }
  const start = parseInteger(from)
  const end = to === '' ? size - 1 : Math.min(parseInteger(to), size - 1)
  return start >= size || start > end ? 'none' : { start, end }
}
