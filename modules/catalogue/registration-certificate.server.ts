import { addDays, type Day, daysBetween, today } from '#kernel/day.ts'
import { Refusal } from '#kernel/refusal.ts'
import { catalogueOf } from '#modules/catalogue/catalogue.server.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'

/** 国械注准20193130123, 苏械备20210123号, and the older 国食药监械(准)字2014第3461234号. */
const NUMBERS = [
  /^[国\u4e00-\u9fff]{1,3}械注[准进许]\d{4}[23]\d{2}\d{4}$/,
  /^[国\u4e00-\u9fff]{1,3}械备(进)?\d{8}号?$/,
  /^[国\u4e00-\u9fff]{1,3}食药监械[（(][准进许][)）]字\d{4}第\d{7}号$/,
]
/** Five years and the day on which it began. */
const LONGEST_DAYS = 5 * 366

export const registrationCertificateRules: RecordRules = {
  kind: 'registrationCertificate',
  visible(tx, session, parameters) {
    if (session.org.type === 'P' || parameters.one) return tx`true`
    if (session.org.type === 'V') return tx`t.holder_org_id = ${session.org.id}`
    return tx`t.id in (select s.registration_certificate_id from specification s where s.id in (${catalogueOf(tx, session)}))`
  },
  columns: tx => ({
    days_left: tx`t.valid_to - ${today()}::date`,
    specification_count: tx`(select count(*)::int from specification s where s.registration_certificate_id = t.id)`,
  }),
  mayWrite(session, action, row) {
    if (session.org.type === 'V' && action !== 'add' && row?.holder_org_sn !== session.org.id)
      throw new Refusal('forbidden', '只能维护本企业的注册证')
  },
  async check(_tx, session, change) {
    const { certificate_no: number, valid_from: from, valid_to: until } = change.after
    if (session.org.type === 'V' && change.after.holder_org_sn !== session.org.id)
      return [{ field: 'holder_org_sn', msg: '只能维护本企业的注册证' }]
    if (session.org.type !== 'P' && !NUMBERS.some(shape => shape.test(String(number))))
      return [{ field: 'certificate_no', msg: '注册证号格式异常，请核对' }]
    if (change.after.device_class !== 'I' && until && daysBetween(from as Day, until as Day) > LONGEST_DAYS) {
      return [{ field: 'valid_to', msg: `注册证有效期最长5年，不能晚于${addDays(from as Day, LONGEST_DAYS)}` }]
    }
    return []
  },
  async mayLeave(tx, _session, action, row) {
    if (action !== 'del') return
    const [bound] =
      await tx`select 1 from specification where registration_certificate_id = ${String(row.registration_certificate_sn)} limit 1`
    if (bound) throw new Refusal('blocked', '注册证已关联产品，不能删除')
  },
}
