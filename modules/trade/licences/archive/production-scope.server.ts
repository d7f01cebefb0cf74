import type { Question } from '#kernel/rules/errors.ts'
import { headOf, outsideProduction, outsideProductions } from '#modules/trade/licensing/business-scope.server.ts'
import type { RecordRow } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const CERTIFICATE = '医疗器械注册证/备案凭证'
const isOwnCertificate = (session: Session, row: Readonly<RecordRow>): boolean =>
  session.org.type === 'V' && row.licence_type === CERTIFICATE && row.holder_sn === session.org.id

/** Device classes by certificate number. */
const classesOf = (tx: Tx, numbers: readonly string[]) => tx<{ certificate_no: string; class_code: string }[]>`
  select distinct on (certificate_no) certificate_no, class_code from registration_certificate
   where certificate_no = any(${[...numbers]}) and class_code is not null order by certificate_no, valid_from desc`

/** A manufacturer may save a certificate for goods that it may not produce only after confirming. */
export async function askProduction(
  tx: Tx,
  session: Session,
  action: string,
  row: Readonly<RecordRow>,
  sent: Readonly<RecordRow>,
): Promise<readonly Question[]> {
  const after = { ...row, ...sent }
  if (!['add', 'edit', 'renew'].includes(action) || !isOwnCertificate(session, after)) return []
  const [found] = await classesOf(tx, [String(after.licence_no)])
  const outside = found ? await outsideProduction(tx, session, found.class_code) : null
  const msg = `分类${outside}不在本企业生产许可证的生产范围内，请核对，是否仍然保存？`
  return outside === null ? [] : [{ rule: 'productionScope', msg }]
}

/** A manufacturer's list shows which of its certificates no licence of its own covers. */
export async function withProduction(
  tx: Tx,
  session: Session,
  rows: readonly RecordRow[],
): Promise<readonly RecordRow[]> {
  const own = rows.filter(row => isOwnCertificate(session, row))
  if (own.length === 0) return rows
  const classes = await classesOf(
    tx,
    own.map(row => String(row.licence_no)),
  )
  const outside = await outsideProductions(
    tx,
    session,
    classes.map(row => row.class_code),
  )
  const codeOf = new Map(classes.map(row => [row.certificate_no, row.class_code]))
  return rows.map(row => {
    const code = isOwnCertificate(session, row) ? codeOf.get(String(row.licence_no)) : undefined
    return code !== undefined && outside.includes(code)
      ? { ...row, production_note: `分类${headOf(code)}不在生产范围内` }
      : row
  })
}
