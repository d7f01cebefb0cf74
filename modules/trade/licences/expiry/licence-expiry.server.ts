import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import {
  mustBeReached,
  ownPage,
  renewLicence,
  actions as steps,
} from '#modules/trade/licences/archive/licence-lifecycle.server.ts'
import { licenceRules } from '#modules/trade/licences/archive/licence.server.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { RecordAction, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import { refuseSecondReminder } from '#modules/base/vocabulary/reminders.ts'

const settled = (session: Session, row: Readonly<RecordRow>, state: string, note: unknown): RecordRow => ({
  state,
  settled_severity: row.severity,
  handled_by: session.userName,
  handled_at: new Date().toISOString(),
  note: note ?? null,
})

/** The archived licence behind a warning. */
async function licenceOf(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<RecordRow> {
  const [found] = await tx<RecordRow[]>`
    select l.id::text as licence_sn, l.holder_id::text as holder_sn, l.licence_type, l.licence_no, l.valid_from::text,
      l.valid_to::text, l.audit_state, l.status, l.origin
      from licence l where l.org_id = ${session.org.id} and l.id = ${String(row.licence_sn ?? 0)}`
  if (!found) throw new BusinessError('rule', '产品注册证请在产品注册证页面更新')
  return found
}

/**
 * Asks the owner for a new one, as on the archive's page: once a day per licence; for a missing one without that
 * limit.
 */
const remind: RecordAction = async (tx, session, row, reason, answers) => {
  if (row.whose !== 'partner') throw new BusinessError('rule', '只能催办合作机构的证照')
  if (row.level === 'missing') {
    refuseSecondReminder(row)
    await mustBeReached(tx, String(row.partner_sn), '提供证照')
    return { reminded_on: today() }
  }
  await steps.remind(tx, session, await licenceOf(tx, session, row), reason, answers)
  return { reminded_on: today() }
}

const renew: RecordAction = async (tx, session, row, _reason, answers) => {
  const licence = await licenceOf(tx, session, row)
  licenceRules.mayWrite?.(session, 'renew', licence)
  await renewLicence(tx, session, licence, answers)
  await tx`update warning_count set moved_at = null where org_id = ${session.org.id}`
  return settled(session, row, 'handled', '已登记新证照')
}

/** The partner sees which of its own licences is requested. */
const askForMissing = (sql: Sql, session: Session, row: Readonly<RecordRow>): Promise<void> => {
  const to = String(row.partner_sn)
  return inOrganisation(sql, to, '0', async tx =>
    sendMessage(tx, to, {
      title: '请提供证照',
      body: `${session.org.name}没有贵机构有效的${String(row.licence_type)}，请提供`,
      uri: await ownPage(tx, to),
      objectId: String(row.licence_type),
      kind: 'licence',
      type: 'notice',
    }),
  )
}

export const licenceValidityRules: RecordRules = {
  kind: 'licenceValidityWarning',
  table: 'warning',
  columns: tx => ({
    days_left: tx`t.valid_to - ${today()}::date`,
    partner_type: tx`${tx('to_partner_sn.system_type')}::text`,
    affected_goods: tx`(select count(*)::int from licence_validity_goods g where g.org_id = t.org_id and g.id = t.id)`,
    affected_papers: tx`(select count(*)::int from licence_validity_document p
      where p.org_id = t.org_id and p.id = t.id)`,
  }),
  mayWrite(_session, action, row) {
    if (['add', 'edit', 'del'].includes(action)) throw new BusinessError('rule', '预警由系统按证照计算，不能手工修改')
    if (row && action === 'remind' && row.whose !== 'partner') throw new BusinessError('rule', '只能催办合作机构的证照')
    if (row && action === 'renew' && row.level === 'missing')
      throw new BusinessError('rule', '该证照尚未登记，请在证照档案新增')
    if (row && action === 'renew' && row.whose === 'product')
      throw new BusinessError('rule', '产品注册证请在产品注册证页面更新')
  },
  actions: {
    handle: async (_tx, session, row, _reason, { note, responsible }) => ({
      ...settled(session, row, 'handled', note),
      responsible: responsible ?? row.responsible ?? null,
    }),
    ignore: async (_tx, session, row, reason) => settled(session, row, 'ignored', reason),
    remind,
    renew,
  },
  async afterwards(sql, session, action, row) {
    if (action !== 'remind') return
    if (row.level === 'missing') return askForMissing(sql, session, row)
    const licence = {
      holder_sn: row.partner_sn,
      licence_type: row.licence_type,
      licence_no: row.code,
      valid_to: row.valid_to,
    }
    await licenceRules.afterwards?.(sql, session, action, licence)
  },
}
