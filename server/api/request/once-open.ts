import type { FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import { runOnceOpen } from '#server/database/open-idempotency.ts'
import { fingerprintOf } from '#server/access/idempotency.ts'
import { hashOf } from '#server/identity/sessions.ts'
import { requestIdOf } from '#server/http/request-id.ts'

/**
 * `X-Request-Id` for callers who are not signed in: the same id from the same address does the work once and gets the
 * first reply again. Signing in is left out: a session is given to one reply.
 */
export async function onceOpen<Reply>(sql: Sql, request: FastifyRequest, work: () => Promise<Reply>): Promise<Reply> {
  const id = requestIdOf(request)
  if (id === null) return work()
  const token = hashOf(`request ${request.ip} ${id}`)
  return runOnceOpen(sql, token, fingerprintOf(request.url, request.body ?? null), work)
}
