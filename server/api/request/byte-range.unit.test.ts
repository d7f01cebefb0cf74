import { expect, it } from 'vitest'
import { byteRange } from '#server/api/request/byte-range.ts'

it.each([
  [undefined, null],
  ['bytes=0-99', { start: 0, end: 99 }],
  ['bytes=900-', { start: 900, end: 999 }],
  ['bytes=-100', { start: 900, end: 999 }],
  ['bytes=-5000', { start: 0, end: 999 }],
  ['bytes=500-5000', { start: 500, end: 999 }],
  ['bytes=1000-', 'none'],
  ['bytes=9-3', 'none'],
  ['bytes=-0', 'none'],
  ['bytes=0-1,5-6', null],
  ['pages=1-2', null],
  ['bytes=-', null],
])('of a thousand bytes %s is %j', (header, part) => expect(byteRange(header, 1000)).toEqual(part))
