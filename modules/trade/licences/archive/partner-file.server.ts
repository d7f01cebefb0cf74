import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { applyFor } from '#modules/trade/licences/sharing/licence-application.server.ts'
import { mustBeReached } from '#modules/trade/licences/archive/licence-lifecycle.server.ts'
import type { RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The licences of the row's partner in the archive that count today. */
const filed = (tx: Tx, session: Session, what: ReturnType<Tx>, rest: ReturnType<Tx>) => tx`(
  select ${what} from licence l where l.org_id = ${session.org.id} and l.holder_id = t.holder_id
    and l.status = 'enabled' ${rest})`

export const partnerFileRules: RecordRules = {
  kind: 'partnerFile',
  columns: (tx, session) => {
    const firstEnd = filed(tx, session, tx`min(l.valid_to)`, tx`and l.audit_state = 'passed' and not l.long_term`)
    return {
      social_credit_code: tx`${tx('to_holder_sn.social_credit_code')}`,
      system_type: tx`${tx('to_holder_sn.system_type')}::text`,
      licence_state: tx`licence_standing(${session.org.id}, t.holder_id, ${today()}::date)`,
      missing_papers: tx`(select string_agg(m.licence_type, '、')
        from licence_missing(${session.org.id}, t.holder_id) m)`,
      licence_count: filed(
        tx,
        session,
        tx`count(*)::int`,
        tx`and l.audit_state = 'passed' and (l.long_term or l.valid_to >= ${today()})`,
      ),
      waiting: filed(tx, session, tx`count(*)::int`, tx`and l.audit_state = 'pending'`),
      first_end: firstEnd,
      days_left: tx`${filed(
        tx,
        session,
        tx`min(l.valid_to)`,
        tx`and l.audit_state = 'passed'
        and not l.long_term`,
      )} - ${today()}::date`,
    }
  },
  mayWrite(_session, action, row) {
    if (action !== 'apply') throw new BusinessError('rule', '请在证照页签登记和修改证照')
    if (row && !row.missing_papers) throw new BusinessError('rule', '该机构没有缺少的必备证照')
  },
  actions: {
    async apply(tx, session, row) {
      await mustBeReached(tx, String(row.holder_sn), '提供证照')
      const types = String(row.missing_papers ?? '')
        .split('、')
        .filter(type => type !== '')
      await applyFor(tx, session, String(row.holder_sn), types)
    },
  },
}
