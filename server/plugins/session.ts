import { createHash } from 'node:crypto'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { narrowedBy } from '#server/access/campus.ts'
import { onBehalfOf } from '#server/identity/on-behalf.ts'
import { findSession, type SignedIn } from '#server/identity/sessions.ts'
import { SessionEnded } from '#server/http/envelope.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null where no one is signed in. Handlers use `sessionOf`. */
    signedIn: SignedIn | null
  }
  interface FastifyContextConfig {
    /** `open`: public. `changing`: also while the password must be changed. Default: with a session in order. */
    access?: 'open' | 'changing'
  }
}

/** The calls that a read-only user may still make: read messages, arrange tables. */
const harmless = /\/(message|userTableSort)\//

/**
 * Calls that concern the platform's user, also while working in the name of an organisation: own account and messages.
 */
const ownCalls = /^\/v1\/(logout|user\/(change_|sessions|entrusting)|llm)|^\/file\//
const inNameOfOrganisation = (url: string): boolean => !harmless.test(url) && !ownCalls.test(url)

/**
 * The session's cookie. Over https its name binds it to this host alone (`__Host-`: no other host of the domain can set
 * it); over plain http, as in a test installation, browsers refuse that name.
 */
const cookieName = (request: FastifyRequest): string => (request.protocol === 'https' ? '__Host-sid' : 'sid')

/** The signed-in user of a request that needs one. */
export function sessionOf(request: FastifyRequest): SignedIn {
  if (!request.signedIn) throw new SessionEnded()
  return request.signedIn
}

/** Resolves the session of every call, once and before its body is read. */
export async function addSession(app: FastifyInstance, sql: Sql): Promise<void> {
  await app.register(cookie)
  app.decorateRequest('signedIn', null)
  app.addHook('onRequest', async (request, reply) => {
    const { url, config } = request.routeOptions
    if (!url?.startsWith('/v1/') && !url?.startsWith('/file/')) return
    const token = request.cookies[cookieName(request)]
    const found = token ? await findSession(sql, token.slice(0, 100), request.ip) : null
    request.signedIn = found && { ...found, began: Date.now() - reply.elapsedTime }
    if (request.signedIn) reply.header('x-rights', rightsMark(request.signedIn))
    if (config.access === 'open') return
    if (!request.signedIn) throw new SessionEnded()
    if (request.signedIn.mustChange && config.access !== 'changing') throw new BusinessError('mustChangePassword')
    if (
      request.signedIn.readsOnly &&
      request.method === 'POST' &&
      url.startsWith('/v1/business/') &&
      !harmless.test(url)
    )
      throw new BusinessError('rule', 'VIP已到期，当前仅可查询')
    const organisation = request.headers['x-on-behalf-of']
    if (typeof organisation === 'string' && inNameOfOrganisation(url))
      request.signedIn = await onBehalfOf(sql, request.signedIn, organisation, request.method === 'POST' ? url : null)
    const query = request.query as Readonly<Record<string, unknown>>
    if (request.method !== 'GET' || !Object.hasOwn(query, 'of_campus')) return
    const narrowed = await narrowedBy(sql, request.signedIn, query)
    request.signedIn = narrowed.session
    request.query = narrowed.query
  })
}

/** Changes whenever the user's rights do: the page then reloads its menu at the next reply. */
const rightsMark = ({ flags, warehouses, departments }: SignedIn): string =>
  createHash('sha1')
    .update([flags, warehouses, departments].map(part => (part === 'all' ? 'all' : [...part].join(' '))).join('|'))
    .digest('base64url')

const cookieOf = (request: FastifyRequest) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: request.protocol === 'https' }) as const

export const giveCookie = (request: FastifyRequest, reply: FastifyReply, token: string) =>
  reply.setCookie(cookieName(request), token, cookieOf(request))
/** Takes the session's cookie, and what the browser still keeps of this host's pages and files. */
export const takeCookie = (request: FastifyRequest, reply: FastifyReply) =>
  reply.clearCookie(cookieName(request), cookieOf(request)).header('clear-site-data', '"cache"')
