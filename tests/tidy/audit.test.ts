import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'

/** `npm run audit` against a test registry that reports the vulnerabilities a test needs. */
let registry: Server | null = null
afterEach(() => registry?.close())

type Hole = { readonly id: number; readonly title: string; readonly severity: string }

/** A registry that reports these vulnerabilities in a package, for any version. */
async function registryOf(holes: Readonly<Record<string, readonly Hole[]>>): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  registry = createServer((request, reply) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      if (!request.url?.endsWith('/security/advisories/bulk')) return void reply.writeHead(404).end('{}')
      const whole = Buffer.concat(parts)
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole
      const packages = Object.keys(JSON.parse(body.toString()) as object)
      asked.push(...packages)
      const found = Object.entries(holes).filter(([name]) => packages.includes(name))
      const notified = found.map(([name, list]) => [
        name,
        list.map(hole => ({ ...hole, url: 'https://example.invalid/1', vulnerable_versions: '*' })),
      ])
      reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(Object.fromEntries(notified)))
    })
  })
  await new Promise<void>(resolve => registry!.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(registry!.address() as AddressInfo).port}/`, asked }
}

function audit(url: string): Promise<{ code: number | null; said: string }> {
  const root = path.resolve(import.meta.dirname, '../..')
  const env = { ...process.env, npm_config_registry: url, npm_config_fetch_retries: '0' }
  const child = spawn(process.execPath, [path.join(root, 'scripts/audit.mjs')], { env })
  let said = ''
  child.stdout.on('data', (part: Buffer) => (said += part.toString()))
  child.stderr.on('data', (part: Buffer) => (said += part.toString()))
  return new Promise(resolve => child.on('close', code => resolve({ code, said })))
}

test('a severe vulnerability fails; a minor one is counted; an unreachable registry is reported', async () => {
  const grave = await registryOf({ fastify: [{ id: 1, title: 'a hole', severity: 'high' }] })
  const failed = await audit(grave.url)
  expect(grave.asked).toContain('fastify')
  expect(failed.said).toContain('依赖 fastify（high）')
  expect(failed.code).toBe(1)
  registry!.close()
  const small = await registryOf({ fastify: [{ id: 2, title: 'a crack', severity: 'low' }] })
  expect(await audit(small.url)).toMatchObject({ code: 0, said: expect.stringContaining('低 ') })
  registry!.close()
  expect(await audit('http://127.0.0.1:9/')).toEqual({ code: 0, said: '依赖检查：软件源没有应答，本次未检查\n' })
}, 120_000)
