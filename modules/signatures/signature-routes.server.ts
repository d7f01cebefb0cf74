import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { capture, type Given } from '#modules/signatures/signature.server.ts'
import { signIn } from '#server/public/accounts.ts'
import { parseList } from '#server/public/session.ts'
import { bodyOf, changing, done } from '#server/public/routes.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** How somebody signs, as sent; a password is checked, and counted as a sign-in is when it is wrong. */
async function givenIn(sql: Sql, body: Readonly<Record<string, unknown>>, address: string): Promise<Given> {
  switch (body.method) {
    case 'drawn':
      return { method: 'drawn', strokes: parseList(body.strokes) }
    case 'badge':
      return { method: 'badge', badge: text(body.badge) }
    case 'password': {
      const account = await signIn(sql, text(body.userName), text(body.password), address)
      return { method: 'password', account: account.id }
    }
    default:
      throw new BusinessError('invalid', '请选择签名方式')
  }
}

/** A signature is captured before the action it is for: a wrong badge or password loses nothing of its dialog. */
export function addSignatures(app: FastifyInstance, { sql }: { readonly sql: Sql }): void {
  app.post('/v1/business/signature/capture', async request => {
    const given = await givenIn(sql, bodyOf(request), request.ip)
    return changing(sql, request, async (tx, session) => {
      const { sn, name } = await capture(tx, session, given)
      return done({ info: { signature_sn: sn, signer_name: name } })
    })
  })
}
