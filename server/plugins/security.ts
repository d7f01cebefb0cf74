import type { FastifyInstance, FastifyRequest } from 'fastify'
import { CrossSite } from '#server/wire/envelope.ts'

const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

const headers = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'geolocation=(), microphone=(), payment=()',
  // Ant Design writes its styles at run time; scripts come from us alone, and so does the program that reads bar codes from a camera.
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ws: wss:; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
} as const

/** Headers on every reply, and the refusal of calls that another site makes in a signed-in person's browser. */
export function addSecurity(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
    if (request.url.startsWith('/v1/')) reply.header('cache-control', 'no-store')
    if (CHANGING.has(request.method) && isCrossSite(request)) throw new CrossSite()
  })
}

/** A browser says where a call comes from; a call without either header comes from no browser and passes. */
export function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return false
  if (site === 'cross-site') return true
  const { origin } = request.headers
  if (origin === undefined) return site !== undefined
  return !URL.canParse(origin) || new URL(origin).host !== request.host
}
