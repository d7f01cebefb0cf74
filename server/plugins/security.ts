import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { CrossSite, OtherHost } from '#server/http/envelope.ts'
import type { Config } from '#server/config.ts'

const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Scripts come only from this server, including the program that reads bar codes from a camera. Styles too; `nonce`
 * permits a page's own style elements, which the component library writes at run time. Calls and sockets go to this
 * host alone; not every browser counts sockets of the same host to 'self', so they are named.
 */
export const contentPolicy = ({ host, nonce }: { host?: string; nonce?: string } = {}): string =>
  [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`,
    "img-src 'self' data: blob:",
    `connect-src 'self'${host && HOST.test(host) ? ` ws://${host} wss://${host}` : ''}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** A name or address with an optional port; any other host header is not repeated. */
const HOST = /^[\w.-]{1,253}(:\d{1,5})?$|^\[[0-9a-fA-F:.]{2,45}\](:\d{1,5})?$/

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

/**
 * True if a request is addressed to this installation: to its PUBLIC_URL, to the address it listens on, or to this
 * machine. Other names that resolve to it (DNS rebinding, a forged Host) are refused. Without a PUBLIC_URL every name
 * is accepted.
 */
export function isOwnHost(hostname: string, { publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>): boolean {
  if (publicUrl === null) return true
  const name = hostname.toLowerCase().replace(/^\[|\]$/g, '')
  if (name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)) return true
  return name === host.toLowerCase() || name === new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
}

/**
 * Headers on every reply; refusal of requests sent to another host, and of calls that another site makes in a
 * signed-in user's browser.
 */
export function addSecurity(app: FastifyInstance, config: Pick<Config, 'publicUrl' | 'host'>): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders).header('content-security-policy', contentPolicy({ host: request.host }))
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
    if (request.url.startsWith('/v1/')) reply.header('cache-control', 'no-store')
    if (!isOwnHost(request.hostname, config)) throw new OtherHost()
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
