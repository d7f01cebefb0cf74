import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { askBedside, fieldsOf, findPatient, keepFound, labelOf } from '#modules/hospital/his/bedside/bedside.server.ts'
import { connectedHis } from '#server/public/outbound.ts'
import { bodyOf, done, reading } from '#server/public/routes.ts'
import { may, maySeePatients, type Session } from '#server/public/session.ts'

const LONGEST = 512
const kinds = ['departmentUse', 'surgeryUse', 'requisition'] as const

function asked(session: Session, body: Readonly<Record<string, unknown>>) {
  const kind = kinds.find(each => each === body.kind)
  const code = typeof body.code === 'string' ? body.code.trim() : ''
  if (!kind || code === '' || code.length > LONGEST)
    throw new BusinessError('invalid', '请扫描腕带，或输入患者编号、住院号')
  if (!maySeePatients(session) || !may(session, `${kind}.add`)) throw new BusinessError('forbidden')
  return { kind, code }
}

/**
 * The patient at the bedside. The code is sent in the body, because addresses are logged. The HIS is asked between two
 * transactions, so that no database connection is held while it is slow.
 */
export function addBedside(app: FastifyInstance, { sql }: { readonly sql: Sql }): void {
  app.post('/v1/business/his/bedside', async request => {
    const { kind, code, his } = await reading(sql, request, async (tx, session) => ({
      ...asked(session, bodyOf(request, ['kind', 'code'])),
      his: await connectedHis(tx, session.org.id),
    }))
    // For goods used or requested in an operation, the operation must be one of the patient's.
    const isSurgery = kind !== 'departmentUse'
    const answered = await askBedside(his, code, isSurgery)
    return reading(sql, request, async (tx, session) => {
      const org = session.org.id
      const found = await findPatient(tx, org, { scanned: code, isSurgery }, answered)
      await keepFound(tx, org, found)
      const options = []
      for (const option of found.options)
        options.push({ label: labelOf(option), fields: await fieldsOf(tx, org, option, kind) })
      const [only] = options.length === 1 ? options : []
      const choices = only ? [] : options
      return done({ info: { from: found.from, said: found.said, fields: only?.fields ?? {}, choices } })
    })
  })
}
