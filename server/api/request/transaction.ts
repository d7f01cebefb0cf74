import { requestIdOf } from '#server/http/request-id.ts'
import type { FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import { fingerprintOf, runIdempotent } from '#server/access/idempotency.ts'
import { refuseOtherNames } from '#server/access/untrusted-input.ts'
import type { SignedIn } from '#server/identity/sessions.ts'
import { inOrganisation, withRetry, type Tx } from '#server/database/transaction.ts'
import { sessionOf } from '#server/plugins/session.ts'

/** The body of a POST as names and values; no body is an empty one. Other names than `known` are refused. */
export function bodyOf(request: FastifyRequest, known: readonly string[]): Readonly<Record<string, unknown>> {
  const body = declaredBodyOf(request)
  refuseOtherNames(body, known)
  return body
}

/** The body of a call of a definition, which itself refuses names that it does not declare. */
export const declaredBodyOf = (request: FastifyRequest): Readonly<Record<string, unknown>> =>
  (request.body ?? {}) as Record<string, unknown>

/**
 * Runs a changing POST: one transaction as the caller, retried when the database requires it, once per request id
 * and `sent`.
 */
export function changing<Reply>(
  sql: Sql,
  request: FastifyRequest,
  work: (tx: Tx, session: SignedIn) => Promise<Reply>,
  sent: unknown = request.body ?? null,
): Promise<Reply> {
  const session = sessionOf(request)
  const requestId = requestIdOf(request)
  const fingerprint = fingerprintOf(request.url, sent)
  return withRetry(() =>
    inOrganisation(sql, session.org.id, session.userId, tx =>
      runIdempotent(tx, session, requestId, fingerprint, () => work(tx, session)),
    ),
  )
}

/** Runs a GET: one transaction as the caller. */
export function reading<Reply>(
  sql: Sql,
  request: FastifyRequest,
  work: (tx: Tx, session: SignedIn) => Promise<Reply>,
): Promise<Reply> {
  const session = sessionOf(request)
  return inOrganisation(sql, session.org.id, session.userId, tx => work(tx, session))
}
