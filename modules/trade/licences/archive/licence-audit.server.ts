import { BusinessError } from '#kernel/rules/errors.ts'
import { followed, ownPage } from '#modules/trade/licences/archive/licence-lifecycle.server.ts'
import { licencesChanged } from '#modules/trade/licensing/licences-changed.server.ts'
import { passOwnRenewals } from '#modules/trade/licences/sharing/grant-expiry.server.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { RecordAction, RecordRules } from '#server/public/records.ts'
import { inOrganisation } from '#server/public/database.ts'

/**
 * Writes the platform's answer to the organisation's own licence, as that organisation: one transaction with the
 * audit.
 */
const decide =
  (state: 'passed' | 'rejected'): RecordAction =>
  async (tx, session, row, reason) => {
    const org = String(row.organisation_sn)
    await tx`select act_as(${org}, ${session.userId})`
    const rows = await tx`
      update licence set audit_state = ${state}, audit_reason = ${reason}, audited_by = ${session.org.name},
        audited_at = now(), version = version + 1
       where org_id = ${org} and id = (select a.licence_id from licence_audit a where a.id = ${String(row.audit_sn)})
         and audit_state = 'pending' returning id`
    if (rows[0] && state === 'passed') await followed(tx, org, String(rows[0].id))
    await tx`select act_as(${session.org.id}, ${session.userId})`
    if (rows.length === 0) throw new BusinessError('wrongState', '该证照已被撤回或修改，请刷新列表')
    return { state, decided_by: session.userName, decided_at: new Date().toISOString(), reason }
  }

export const licenceAuditRules: RecordRules = {
  kind: 'licenceAudit',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`t.organisation_id = ${session.org.id}`),
  mayWrite(session, action, row) {
    if (session.org.type !== 'P' || !['review', 'reject'].includes(action)) throw new BusinessError('forbidden')
    if (row && row.state !== 'pending') throw new BusinessError('wrongState', '该证照已处理，请刷新列表')
  },
  actions: { review: decide('passed'), reject: decide('rejected') },
  async afterwards(sql, _session, action, row) {
    const to = String(row.organisation_sn)
    await licencesChanged(sql, to)
    await inOrganisation(sql, to, '0', tx => passOwnRenewals(tx, to))
    const said = action === 'review' ? '已通过审核' : `未通过审核：${String(row.reason ?? '')}`
    await inOrganisation(sql, to, '0', async tx =>
      sendMessage(tx, to, {
        title: '证照审核结果',
        body: `${String(row.licence_type)}（${String(row.licence_no)}）${said}`,
        uri: await ownPage(tx, to),
        objectId: String(row.licence_no),
        kind: 'licence',
        type: 'audit',
      }),
    )
  },
}
