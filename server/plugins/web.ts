import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import serveStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { contentPolicy, newNonce } from '#server/plugins/security.ts'
import { notFound } from '#server/wire/envelope.ts'

const OURS = /^\/(v1|file|ws|docs|healthz|readyz|metrics|assets|static|media)(\/|$|\?)/

/** What the build left where the nonce of a reply goes; `html.cspNonce` of vite.config.ts. */
const PLACE_OF_NONCE = /NONCE_OF_THE_REPLY/g

/** The built web app; every page address that the server does not know is the app's own and gets its one page. */
export async function addWeb(app: FastifyInstance, webDir: string): Promise<void> {
  const page = path.join(webDir, 'index.html')
  const isBuilt = existsSync(page)
  if (isBuilt) {
    await app.register(serveStatic, {
      root: webDir,
      wildcard: false,
      index: false,
      globIgnore: ['index.html', '.vite/**'],
      setHeaders: (reply, file) => {
        // Built files bear their hash in the name; the page itself must always be asked for.
        reply.header(
          'cache-control',
          file.includes(`${path.sep}assets${path.sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
        )
      },
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (!isBuilt || !wantsPage(request)) return reply.code(404).send(notFound)
    const nonce = newNonce()
    return reply
      .type('text/html; charset=utf-8')
      .headers({ 'cache-control': 'no-cache', 'content-security-policy': contentPolicy(nonce) })
      .send((await readFile(page, 'utf8')).replace(PLACE_OF_NONCE, nonce))
  })
}

const wantsPage = (request: FastifyRequest): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  (request.url === '/' || (!OURS.test(request.url) && (request.headers.accept ?? '').includes('text/html')))
