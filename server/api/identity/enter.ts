import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import { provisionOrganisation } from '#server/identity/provision-organisation.ts'
import { profileOf } from '#server/identity/profile.ts'
import { endSession, findSession, openSession } from '#server/identity/sessions.ts'
import type { Account } from '#server/identity/sign-in.ts'
import { giveCookie } from '#server/plugins/session.ts'
import { done, type Envelope, SessionEnded } from '#server/http/envelope.ts'

/** Signs in a user whose identity is proven, by any method: session, cookie, login result. */
export async function enter(
  sql: Sql,
  request: FastifyRequest,
  reply: FastifyReply,
  account: Account,
): Promise<Envelope> {
  const agent = (request.headers['user-agent'] ?? '').slice(0, 200)
  const opened = await openSession(sql, { userId: account.id, orgId: account.orgId, address: request.ip, agent })
  const session = await findSession(sql, opened.token, request.ip)
  if (!session) throw new SessionEnded()
  // The session that the same browser still carried: nobody could end it any more.
  if (request.signedIn) await endSession(sql, request.signedIn.tokenHash)
  await provisionOrganisation(sql, session)
  giveCookie(request, reply, opened.token)
  return done({ info: await profileOf(sql, session, false) })
}
