import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import serveStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notFound } from '#server/wire/envelope.ts'

const OURS = /^\/(v1|file|ws|docs|healthz|readyz|metrics|assets|static|media)(\/|$|\?)/

/** The built web app; every page address that the server does not know is the app's own and gets its one page. */
export async function addWeb(app: FastifyInstance, webDir: string): Promise<void> {
  const page = path.join(webDir, 'index.html')
  const isBuilt = existsSync(page)
  if (isBuilt) {
    await app.register(serveStatic, {
      root: webDir,
      wildcard: false,
      index: ['index.html'],
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
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await readFile(page))
  })
}

const wantsPage = (request: FastifyRequest): boolean =>
  request.method === 'GET' && !OURS.test(request.url) && (request.headers.accept ?? '').includes('text/html')
