import { BusinessError } from '#kernel/rules/errors.ts'
import { licenceRules } from '#modules/trade/licences/archive/licence.server.ts'
import { passOwnRenewals } from '#modules/trade/licences/sharing/grant-expiry.server.ts'
import { renewLicence } from '#modules/trade/licences/archive/licence-lifecycle.server.ts'
import { licencesChanged, recountLicences } from '#modules/trade/licensing/licences-changed.server.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

/** The licence being renewed: the newest of its kind and number that the holder has in our archive. */
async function licenceOf(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<RecordRow | undefined> {
  const [found] = await tx<RecordRow[]>`
    select l.id::text as licence_sn, l.holder_id::text as holder_sn, l.licence_type, l.licence_no, l.valid_from::text,
      l.valid_to::text, l.audit_state, l.status, l.origin
      from licence l join organisation o on o.id = l.holder_id
     where l.org_id = ${session.org.id} and l.licence_type = ${String(row.licence_type)}
       and l.licence_no = ${String(row.old_no)}
       and ${
         row.holder_code
           ? tx`o.social_credit_code = ${String(row.holder_code)}`
           : tx`l.holder_id =
         ${session.org.id}`
       }
     order by (l.status = 'enabled') desc, l.valid_from desc limit 1`
  return found
}

export const licenceRenewalRules: RecordRules = {
  kind: 'licenceRenewal',
  columns: tx => ({
    audit_state: tx`(select l.audit_state from licence l where l.org_id = t.org_id and l.id = t.licence_id)`,
  }),
  mayWrite(_session, action) {
    if (action === 'edit' || action === 'del')
      throw new BusinessError('rule', '换证记录不能修改，请在证照页面处理新证照')
  },
  async check(tx, session, { after }) {
    const licence = await licenceOf(tx, session, after)
    if (!licence)
      return [
        {
          field: 'old_no',
          msg: `没有找到${String(after.licence_type)}${String(after.old_no)}，请核对类型、编号和持有机构`,
        },
      ]
    try {
      licenceRules.mayWrite?.(session, 'renew', licence)
    } catch (error) {
      if (error instanceof BusinessError) return [{ field: 'old_no', msg: error.message }]
      throw error
    }
    after.holder_sn = licence.holder_sn
    return []
  },
  alsoWrites: async (_tx, session) => ({ renewed_by: session.userName }),
  async saved(tx, session, id, { after }) {
    const licence = await licenceOf(tx, session, after)
    const made = await renewLicence(tx, session, licence!, after)
    await tx`update licence_renewal set licence_id = ${made} where org_id = ${session.org.id} and id = ${id}`
  },
  async imported(tx, session) {
    await recountLicences(tx, session.org.id)
    await passOwnRenewals(tx, session.org.id)
  },
  async afterwards(sql, session) {
    await licencesChanged(sql, session.org.id)
    await inOrganisation(sql, session.org.id, '0', tx => passOwnRenewals(tx, session.org.id))
  },
}
