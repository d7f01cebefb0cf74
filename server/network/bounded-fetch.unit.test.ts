import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { objectStore } from '#server/files/object-store.ts'
import { boundedFetch, ReplyTooLong } from '#server/network/bounded-fetch.ts'

/** A server that answers `/301` with that status and the address of `/inside`, and notes who came there. */
let reached: string[] = []
const server = createServer((request, reply) => {
  const status = request.url?.match(/30[12378]/)?.[0]
  if (status) return reply.writeHead(Number.parseInt(status, 10), { location: '/inside' }).end()
  reached.push(String(request.url))
  return reply.end('x'.repeat(2000))
})
let address = ''
beforeAll(async () => {
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

describe.each(['301', '302', '303', '307', '308'])('a redirect with status %s', status => {
  it('is refused by every call to another system, also where a caller asks to follow it', async () => {
    reached = []
    await expect(boundedFetch(`${address}/${status}`)).rejects.toThrow()
    await expect(boundedFetch(`${address}/${status}`, { redirect: 'follow' })).rejects.toThrow()
    expect(reached).toEqual([])
  })

  it('is refused by the store of files', async () => {
    reached = []
    const store = objectStore({ address: `${address}/${status}`, region: 'x', keyId: 'id', secret: 'key' })
    await expect(store.open('a.txt')).rejects.toThrow()
    await expect(store.remove('a.txt')).rejects.toThrow()
    expect(reached).toEqual([])
  })
})

it('a reply that is longer than its caller expects fails', async () => {
  const reply = await boundedFetch(address, { mostBytes: 1000 })
  await expect(reply.text()).rejects.toThrow(ReplyTooLong)
})
