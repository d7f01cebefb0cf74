import { parseInteger } from '#kernel/values/integer.ts'
import { createHash, createHmac } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Bucket {
  readonly address: string
  readonly objects: Map<string, Buffer>
  close(): Promise<void>
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()

/** Emulates single-object S3 operations, as strict about signatures and lengths as real stores. */
export async function openBucket(secret: string): Promise<Bucket> {
  const objects = new Map<string, Buffer>()
  const server = http.createServer(async (request, reply) => {
    const body = Buffer.concat(await request.toArray())
    if (!isSigned(request, secret)) return reply.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>')
    const key = decodeURIComponent(request.url ?? '')
    if (request.method === 'PUT') {
      if (request.headers['content-length'] === undefined)
        return reply.writeHead(411).end('<Code>MissingContentLength</Code>')
      objects.set(key, body)
      return reply.end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return reply.writeHead(204).end()
    }
    return answer(reply, objects.get(key), request.headers.range)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket`,
    objects,
    close: () => new Promise(closed => void server.close(() => closed())),
  }
}

function answer(reply: http.ServerResponse, found: Buffer | undefined, range: string | undefined) {
  if (!found) return reply.writeHead(404).end('<Code>NoSuchKey</Code>')
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  return start === undefined
    ? reply.end(found)
    : reply.writeHead(206).end(found.subarray(parseInteger(start), parseInteger(end) + 1))
}

/** Checks AWS signature version 4 of a request with unsigned payload. */
function isSigned({ method, url, headers }: http.IncomingMessage, secret: string): boolean {
  const [, scope = '', names = '', signature] =
    /Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(headers.authorization ?? '') ?? []
  const [day = '', region = '', service = '', end = ''] = scope.split('/')
  const lines = names.split(';').map(name => `${name}:${String(headers[name])}`)
  const asked = [method, url, '', ...lines, '', names, headers['x-amz-content-sha256']].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(asked)].join('\n')
  const key = [region, service, end].reduce(hmac, hmac(`AWS4${secret}`, day))
  return hmac(key, text).toString('hex') === signature
}
