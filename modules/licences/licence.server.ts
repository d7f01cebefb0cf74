import { today } from '#kernel/day.ts'
import { Refusal } from '#kernel/refusal.ts'
import { configFigure } from '#server/engine/config-value.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'

export const licenceRules: RecordRules = {
  kind: 'licence',
  columns: (tx, session) => ({
    holder_type: tx`case when t.holder_id = ${session.org.id} then 'own' else ${tx('to_holder_sn.system_type')}::text end`,
    days_left: tx`case when not t.long_term then t.valid_to - ${today()}::date end`,
    licence_state: tx`case when t.status <> 'enabled' then t.status when t.long_term or t.valid_to is null then 'valid'
      when t.valid_to < ${today()} then 'expired' when t.valid_to <= ${today()}::date + ${configFigure(tx, session.org.id, 'licence_warning_days')} then 'expiring' else 'valid' end`,
  }),
  async check(tx, session, change) {
    if (change.after.long_term === true) change.after.valid_to = null
    const holder = String(change.after.holder_sn)
    if (change.before && change.before.holder_sn !== holder) return [{ field: 'holder_sn', msg: '持有机构不能修改' }]
    if (holder !== session.org.id) {
      const [partner] =
        await tx`select 1 from org_relation where org_id = ${session.org.id} and partner_id = ${holder} limit 1`
      return partner ? [] : [{ field: 'holder_sn', msg: '请选择相关机构。' }]
    }
    if (change.after.licence_type !== '营业执照') return []
    const [mine] = await tx<
      { code: string }[]
    >`select social_credit_code as code from organisation where id = ${session.org.id}`
    return mine?.code === change.after.licence_no
      ? []
      : [{ field: 'licence_no', msg: '证照的统一社会信用代码与机构不一致' }]
  },
  mayWrite(_session, action, row) {
    if (row?.status === 'replaced' && action !== 'add') throw new Refusal('wrongState', '证照已换证，不能修改')
  },
}
