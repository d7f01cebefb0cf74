import { nullIfAbsent } from '#server/files/absent.ts'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import serveStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contentPolicy, newNonce } from '#server/plugins/security.ts'
import { notFound } from '#server/http/envelope.ts'

const OURS = /^\/(v1|file|ws|docs|healthz|readyz|metrics|assets|static|media)(\/|$|\?)/

/** The placeholder in the build for a reply's nonce; `html.cspNonce` of vite.config.ts. */
const PLACE_OF_NONCE = /NONCE_OF_THE_REPLY/g

/** The built web app; every page address unknown to the server belongs to the app and gets its one page. */
export async function addWeb(app: FastifyInstance, webDir: string): Promise<void> {
  if (existsSync(path.join(webDir, 'index.html'))) {
    await app.register(serveStatic, {
      root: webDir,
      wildcard: false,
      index: false,
      globIgnore: ['index.html', '.vite/**'],
      setHeaders: (reply, file) => {
        // Built files have their hash in the name; the page itself must never be cached.
        reply.header(
          'cache-control',
          file.includes(`${path.sep}assets${path.sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
        )
      },
    })
  }
  app.setNotFoundHandler((request, reply) => answerUnknown(webDir, request, reply))
}

/** An address that no route knows, or that cannot be parsed: the one page for a browser, the envelope for calls. */
export async function answerUnknown(
  webDir: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const text = wantsPage(request) ? await readFile(path.join(webDir, 'index.html'), 'utf8').catch(nullIfAbsent) : null
  if (text === null) return reply.code(404).send(notFound)
  const nonce = newNonce()
  return reply
    .type('text/html; charset=utf-8')
    .headers({ 'cache-control': 'no-cache', 'content-security-policy': contentPolicy({ host: request.host, nonce }) })
    .send(text.replace(PLACE_OF_NONCE, nonce))
}

/** A file, of the built app or that somebody looks for, or no readable address: only a browser gets the page for it. */
const FILE = /\.[a-z][a-z0-9]{0,5}(\?|$)/i

/** Page addresses are pages for monitors and link previews too, which do not ask for html. */
const wantsPage = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  !OURS.test(url) &&
  ((!FILE.test(url) && isReadable(url)) || (headers.accept ?? '').includes('text/html'))

function isReadable(url: string): boolean {
  try {
    return decodeURI(url) !== ''
  } catch {
    return false
  }
}
