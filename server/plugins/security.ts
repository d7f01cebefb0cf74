import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { CrossSite } from '#server/api/reply/envelope.ts'

const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Scripts come only from this server, including the program that reads bar codes from a camera. Styles too; `nonce`
 * permits a page's own style elements, which the component library writes at run time.
 */
export const contentPolicy = (nonce?: string): string =>
  [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`,
    "img-src 'self' data: blob:",
    "connect-src 'self' ws: wss:",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** For one reply that has style elements. */
export const newNonce = (): string => randomBytes(16).toString('base64')

/** On every reply; replies sent before a hook runs add them themselves. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'geolocation=(), microphone=(), payment=()',
  'content-security-policy': contentPolicy(),
} as const

/** Headers on every reply, and refusal of calls that another site makes in a signed-in user's browser. */
export function addSecurity(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders)
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
    if (request.url.startsWith('/v1/')) reply.header('cache-control', 'no-store')
    if (CHANGING.has(request.method) && isCrossSite(request)) throw new CrossSite()
  })
}

/** A browser states where a call comes from; a call without either header is not from a browser and is accepted. */
export function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return false
  if (site === 'cross-site') return true
  const { origin } = request.headers
  if (origin === undefined) return site !== undefined
  return !URL.canParse(origin) || new URL(origin).host !== request.host
}
