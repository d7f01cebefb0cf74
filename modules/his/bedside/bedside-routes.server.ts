import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { fieldsOf, findPatient, keepFound } from '#modules/his/bedside/bedside.server.ts'
import { bodyOf, done, reading } from '#server/public/routes.ts'
import { may, maySeePatients, type Session } from '#server/public/session.ts'

const LONGEST = 512
const kinds = ['departmentUse', 'surgeryUse'] as const

function asked(session: Session, body: Readonly<Record<string, unknown>>) {
  const kind = kinds.find(each => each === body.kind)
  const code = typeof body.code === 'string' ? body.code.trim() : ''
  if (!kind || code === '' || code.length > LONGEST)
    throw new BusinessError('invalid', '请扫描腕带，或输入患者编号、住院号')
  if (!maySeePatients(session) || !may(session, `${kind}.add`)) throw new BusinessError('forbidden')
  return { kind, code }
}

/** The patient before the nurse. What is sent is in the body: an address is kept in logs. */
export function addBedside(app: FastifyInstance, { sql }: { readonly sql: Sql }): void {
  app.post('/v1/business/his/bedside', request =>
    reading(sql, request, async (tx, session) => {
      const { kind, code } = asked(session, bodyOf(request))
      const found = await findPatient(tx, session.org.id, code)
      await keepFound(tx, session.org.id, found)
      const fields = await fieldsOf(tx, session.org.id, found, kind === 'surgeryUse')
      return done({ info: { from: found.from, said: found.said, fields } })
    }),
  )
}
