import type { FastifyRequest } from 'fastify'
import { BusinessError } from '#kernel/rules/errors.ts'

/** The caller's `X-Request-Id`: any visible token of at most 64 characters. */
export function requestIdOf(request: FastifyRequest): string | null {
  const id = request.headers['x-request-id']
  if (id === undefined) return null
  if (typeof id !== 'string' || !/^[\x21-\x7e]{1,64}$/.test(id))
    throw new BusinessError('invalid', 'X-Request-Id应为不超过64个字符的标记')
  return id
}
