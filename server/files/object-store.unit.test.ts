import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bucket, openBucket } from '#tests/support/bucket.ts'
import { objectStore } from './object-store.ts'
import type { FileStore } from './store.ts'

let bucket: Bucket
let store: FileStore
beforeAll(async () => {
  bucket = await openBucket('a secret')
  store = storeWith('a secret')
})
afterAll(() => bucket.close())

const storeWith = (secret: string) =>
  objectStore({ address: `${bucket.address}/files`, region: 'cn-north-1', keyId: 'id', secret })
const read = async (file: Readable | null) => file && Buffer.concat(await file.toArray()).toString()
const bytes = (...chunks: string[]) => Readable.from(chunks.map(chunk => Buffer.from(chunk)))

describe('a file in a bucket', () => {
  it('is returned whole, in parts, and not at all once it is removed', async () => {
    await store.put('a b.txt', bytes('one ', 'two ', 'three'))
    expect([...bucket.objects.keys()]).toEqual(['/bucket/files/a b.txt'])
    expect(await read(await store.open('a b.txt'))).toBe('one two three')
    expect(await read(await store.open('a b.txt', { start: 4, end: 6 }))).toBe('two')
    await store.remove('a b.txt')
    expect(await store.open('a b.txt')).toBeNull()
    await store.remove('a b.txt')
  })

  it('does not exist when its upload broke off', async () => {
    const broken = (async function* () {
      yield Buffer.from('half')
      throw new Error('hung up')
    })()
    await expect(store.put('half.txt', broken)).rejects.toThrow('hung up')
    expect(await store.open('half.txt')).toBeNull()
  })

  it('is refused to users of another secret, and the refusal says why', async () => {
    const outsider = storeWith('another')
    await expect(outsider.put('x.txt', bytes('x'))).rejects.toThrow('403: <Code>SignatureDoesNotMatch')
    await expect(outsider.open('x.txt')).rejects.toThrow('403')
    expect(bucket.objects.size).toBe(0)
  })
})
