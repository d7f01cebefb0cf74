import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AwsClient } from 'aws4fetch'
import { bounded } from '#server/network/bounded-fetch.ts'
import type { FileStore } from '#server/files/store.ts'

/** A bucket of any S3-compatible store. */
export type ObjectStoreAddress = {
  /** With the bucket, and a folder in it if wanted: https://host/bucket/folder */
  readonly address: string
  readonly region: string
  readonly keyId: string
  readonly secret: string
}

/**
 * Files in a bucket, so that processes on several machines see the same ones. An object is complete or does not
 * exist.
 */
export function objectStore({ address, region, keyId, secret }: ObjectStoreAddress): FileStore {
  const client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secret, service: 's3', region, retries: 3 })
  const placeOf = (name: string) => `${address}/${encodeURIComponent(name)}`
  return {
    put: async (name, bytes) => {
      // S3 requires the length before the first byte, but an upload's length is only known at its end.
      const folder = await mkdtemp(path.join(os.tmpdir(), 'medtrace-upload-'))
      const draft = path.join(folder, 'draft')
      try {
        await pipeline(bytes, createWriteStream(draft))
        await send(client, placeOf(name), draft)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    open: async (name, part) => {
      const range = part ? { range: `bytes=${part.start}-${part.end}` } : {}
      const reply = await client.fetch(placeOf(name), { headers: range, redirect: 'error' })
      if (reply.status === 404) {
        await reply.body?.cancel()
        return null
      }
      if (!reply.ok || !reply.body) throw await failure(reply.status, bounded(reply).text())
      return Readable.fromWeb(reply.body as Parameters<typeof Readable.fromWeb>[0])
    },
    remove: async name => {
      const reply = await client.fetch(placeOf(name), { method: 'DELETE', redirect: 'error' })
      if (!reply.ok && reply.status !== 404) throw await failure(reply.status, bounded(reply).text())
      await reply.body?.cancel()
    },
  }
}

/** fetch would send a stream in chunks of unknown number, which S3 refuses: the request is signed and sent manually. */
async function send(client: AwsClient, place: string, file: string): Promise<void> {
  const signed = await client.sign(place, { method: 'PUT' })
  const headers = { ...Object.fromEntries(signed.headers), 'content-length': String((await stat(file)).size) }
  const request = (place.startsWith('https:') ? https : http).request(place, { method: 'PUT', headers })
  const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.on('response', resolve).on('error', reject)
  })
  // Errors on the way reach `answered`; a server that refuses may close the connection before the last byte.
  void pipeline(createReadStream(file), request).catch(() => null)
  const reply = await answered
  const body = new Response(Readable.toWeb(reply) as ReadableStream<Uint8Array>)
  const text = await bounded(body).text()
  if (reply.statusCode !== 200) throw await failure(reply.statusCode ?? 0, text)
}

const failure = async (status: number, text: string | Promise<string>) =>
  new Error(`the object store answered ${status}: ${(await text).slice(0, 500)}`)
