import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { capture, type Given, signedDocument } from '#modules/hospital/signatures/signature.server.ts'
import { provenByPassword, provenByPin, setPin } from '#modules/hospital/signatures/signer-proof.server.ts'
import { signIn } from '#server/public/accounts.ts'
import { parseList } from '#server/public/session.ts'
import { bodyOf, changing, done, reading, sessionOf } from '#server/public/routes.ts'

/** The document that is signed, and the inputs of any way of signing. */
const CAPTURED = ['kind', 'sn', 'method', 'strokes', 'badge', 'pin', 'userName', 'password']

type Body = Readonly<Record<string, unknown>>
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The way of signing, as sent. A signer who is not signed in proves himself, and wrong proofs are counted. */
async function givenIn(sql: Sql, request: FastifyRequest, body: Body): Promise<Given> {
  const at = { session: sessionOf(request), address: request.ip }
  const byPin = () =>
    provenByPin({ sql, read: work => reading(sql, request, work) }, at, {
      badge: text(body.badge),
      pin: text(body.pin),
    })
  switch (body.method) {
    case 'drawn':
      return {
        method: 'drawn',
        strokes: parseList(body.strokes),
        ...(text(body.badge) === '' ? {} : { by: await byPin() }),
      }
    case 'badge':
      return { method: 'badge', by: await byPin() }
    case 'password': {
      const proof = { login: text(body.userName), password: text(body.password) }
      return { method: 'password', account: await provenByPassword(sql, at, proof) }
    }
    default:
      throw new BusinessError('invalid', '请选择签名方式')
  }
}

/**
 * A signature is captured before the action it is for, so that a wrong PIN or password loses nothing of its dialog. It
 * is given for one document in its current content, by a user who may take its action.
 */
export function addSignatures(app: FastifyInstance, { sql }: { readonly sql: Sql }): void {
  app.post('/v1/business/signature/capture', async request => {
    const body = bodyOf(request, CAPTURED)
    const of = { kind: text(body.kind), sn: text(body.sn) }
    await reading(sql, request, (tx, session) => signedDocument(tx, session, of))
    const given = await givenIn(sql, request, body)
    return changing(sql, request, async (tx, session) => {
      const { sn, name } = await capture(tx, session, of, given)
      return done({ info: { signature_sn: sn, signer_name: name } })
    })
  })

  app.post('/v1/business/signature/pin', async request => {
    const { password, pin } = bodyOf(request, ['password', 'pin'])
    const { login = '', onBehalf } = sessionOf(request)
    if (onBehalf) throw new BusinessError('forbidden', '签名PIN只能由本人在本机构设置')
    await signIn(sql, login, text(password), request.ip)
    return changing(sql, request, async (tx, session) => {
      await setPin(tx, session, text(pin))
      return done({}, '签名PIN已设置')
    })
  })
}
