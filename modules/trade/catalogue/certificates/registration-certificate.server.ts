import { addYears, type Day, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { catalogueOf } from '#modules/trade/catalogue/assortment/own-catalogue.server.ts'
import { outsideProduction } from '#modules/trade/licensing/business-scope.server.ts'
import { certificateChanged } from '#modules/trade/licensing/licences-changed.server.ts'
import { shareFiles } from '#server/public/files.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { RecordAction, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import type { Sql } from 'postgres'

/** 国械注准20193130123, 苏械备20210123号, and the older 国食药监械(准)字2014第3461234号. */
const NUMBERS = [
  /^[国\u4e00-\u9fff]{1,3}械注[准进许]\d{4}[23]\d{2}\d{4}$/,
  /^[国\u4e00-\u9fff]{1,3}械备(进)?\d{8}号?$/,
  /^[国\u4e00-\u9fff]{1,3}食药监械[（(][准进许][)）]字\d{4}第\d{7}号$/,
]
const isNumber = (text: unknown): boolean => NUMBERS.some(shape => shape.test(String(text)))
/** A certificate is valid for at most this many years. */
const LONGEST_YEARS = 5

/** 延续注册: the new certificate, and the sizes that move to it on its first day. */
const renew: RecordAction = async (tx, session, row, _reason, answers) => {
  const old = String(row.registration_certificate_sn)
  const [from, until] = [String(answers.new_from) as Day, String(answers.new_to) as Day]
  if (until <= from)
    throw new BusinessError('invalid', '有效期至必须晚于生效日期', [
      { field: 'new_to', msg: '有效期至必须晚于生效日期' },
    ])
  if (until > addYears(from, LONGEST_YEARS))
    throw new BusinessError('invalid', '注册证有效期最长5年', [
      { field: 'new_to', msg: `注册证有效期最长5年，不能晚于${addYears(from, LONGEST_YEARS)}` },
    ])
  if (session.org.type !== 'P' && !isNumber(answers.new_no))
    throw new BusinessError('invalid', '注册证号格式异常，请核对', [
      { field: 'new_no', msg: '注册证号格式异常，请核对' },
    ])
  const [next] = await tx<
    { no: string }[]
  >`select certificate_no as no from registration_certificate where previous_id = ${old} limit 1`
  if (next) throw new BusinessError('duplicate', `该注册证已延续为${next.no}`)
  const made = await tx<{ id: string }[]>`
    insert into registration_certificate (certificate_no, certificate_kind, product_name, holder_org_id,
      registrant_name, agent_name, country, production_address, device_class, class_code,
           approval_department, approved_on, valid_from, valid_to, previous_certificate_no, previous_id, structure,
             scope, attachments, audit_state)
    select ${String(answers.new_no)}, certificate_kind, product_name, holder_org_id, registrant_name, agent_name,
      country, production_address, device_class, class_code,
           approval_department, ${(answers.new_approved_on as string | null) ?? null}, ${from}, ${until},
             certificate_no, id, structure, scope, ${(answers.new_scan as string[] | null) ?? []},
             ${session.org.type === 'P' ? 'passed' : 'pending'}
      from registration_certificate where id = ${old}
    on conflict (certificate_no, valid_from) do nothing returning id`
  if (made.length === 0) throw new BusinessError('duplicate', `注册证号【${String(answers.new_no)}】同一生效日期已存在`)
  await shareFiles(tx, session, (answers.new_scan as string[] | null) ?? [])
  await moveSizes(tx)
  return { renewal_state: '已延续' }
}

/** Sizes move to the renewed certificate once it was passed and its first day has come. */
const moveSizes = (sql: Tx | Sql) => (sql as Tx)`
  with due as (
    update registration_certificate n set moved_on = ${today()} where n.previous_id is not null
    and n.moved_on is null and n.audit_state = 'passed' and n.valid_from <= ${today()}
    returning n.id, n.previous_id)
  update specification s set registration_certificate_id = due.id, version = s.version + 1 from due
    where s.registration_certificate_id = due.previous_id`

/** Every hour: certificates whose first day has come take over. */
export const followRenewals = (owner: Sql): Promise<unknown> => moveSizes(owner)

const change: RecordAction = async (tx, session, row, _reason, answers) => {
  const made = await tx`
    insert into certificate_change (registration_certificate_id, changed_on, document_no, item, before_text,
      after_text, by_name)
    values (${String(row.registration_certificate_sn)}, ${String(answers.changed_on)}, ${String(answers.document_no)},
      ${String(answers.item)}, ${(answers.before_text as string | null) ?? null},
            ${String(answers.after_text)}, ${session.userName})
    on conflict do nothing returning id`
  if (made.length === 0)
    throw new BusinessError('duplicate', `变更文件号【${String(answers.document_no)}】的该事项已登记`)
}

/**
 * The certificate of a submitted product was reviewed together with it, so only a certificate that has passed may
 * replace it.
 */
async function refuseUnjudged(tx: Tx, session: Session, row: Readonly<RecordRow>, size: string): Promise<void> {
  if (session.org.type === 'P' || row.audit_state === 'passed') return
  const [judged] = await tx`
    select 1 from specification s join product p on p.id = s.product_id
     where s.id = ${size} and p.status <> 'self_built' limit 1`
  if (judged) throw new BusinessError('rule', '注册证尚未审核通过，不能关联已提交的产品')
}

const bindSpec: RecordAction = async (tx, session, row, _reason, answers) => {
  await refuseUnjudged(tx, session, row, String(answers.specification_sn))
  const bound = await tx`
    update specification s set registration_certificate_id = ${String(row.registration_certificate_sn)},
      version = s.version + 1
      from product p where s.id = ${String(answers.specification_sn)} and p.id = s.product_id
        and p.device_class = ${String(row.device_class)}
       and (${session.org.type === 'P'} or p.manufacturer_id = ${session.org.id}) returning s.id`
  if (bound.length === 0)
    throw new BusinessError('rule', '只能关联本企业、管理类别相同的规格', [
      { field: 'specification_sn', msg: '只能关联本企业、管理类别相同的规格' },
    ])
}

/** Organisations that only use goods: they enter certificates of products they created themselves. */
const isUser = (session: Session): boolean => session.org.type === 'H' || session.org.type === 'D'

async function mustBeEntered(tx: Tx, session: Session, id: string | null): Promise<void> {
  if (id === null) return
  const [row] = await tx<{ audit_state: string }[]>`
    select audit_state from registration_certificate where id = ${id} and entered_by_id = ${session.org.id}`
  if (!row) throw new BusinessError('forbidden', '该注册证由厂商或平台维护，只能查看')
  if (row.audit_state === 'passed') throw new BusinessError('wrongState', '注册证已审核通过，不能修改，请联系平台')
}

/** The organisation that entered a certificate is notified of the platform's decision. */
async function notifyKeeper(sql: Sql, session: Session, row: Readonly<RecordRow>, passed: boolean): Promise<void> {
  const [kept] = await sql<{ id: string | null }[]>`
    select coalesce(entered_by_id, holder_org_id) as id from registration_certificate
      where id = ${String(row.registration_certificate_sn)}`
  const to = kept?.id
  if (!to || to === session.org.id) return
  const no = String(row.certificate_no)
  await inOrganisation(sql, to, '0', tx =>
    sendMessage(tx, to, {
      title: passed ? '注册证审核通过' : '注册证被驳回',
      body: passed ? `${no}已通过平台审核` : `${no}被驳回：${String(row.audit_reason ?? '')}`,
      uri: '/ptm/productCert',
      objectId: String(row.registration_certificate_sn),
      kind: 'registrationCertificate',
      type: 'audit',
      extra: { org_name: session.org.name },
    }),
  )
}

export const registrationCertificateRules: RecordRules = {
  kind: 'registrationCertificate',
  visible(tx, session, parameters) {
    if (session.org.type === 'P' || parameters.one) return tx`true`
    if (session.org.type === 'V') return tx`t.holder_org_id = ${session.org.id}`
    if (parameters.scope === 'passed') return tx`(t.audit_state = 'passed' or t.entered_by_id = ${session.org.id})`
    return tx`(t.entered_by_id = ${session.org.id} or t.id in (
      select s.registration_certificate_id from specification s where s.id in (${catalogueOf(tx, session)})
       union all select s.registration_certificate_id from specification s join product p on p.id = s.product_id
         where p.built_by_id = ${session.org.id}))`
  },
  columns: (tx, session) => ({
    entered_here: tx`(t.entered_by_id is not distinct from ${session.org.id})`,
    days_left: tx`t.valid_to - ${today()}::date`,
    change_count: tx`(select count(*)::int from certificate_change k where k.registration_certificate_id = t.id)`,
    successor_no: tx`(select n.certificate_no from registration_certificate n where n.previous_id = t.id
      order by n.valid_from desc limit 1)`,
    is_renewal: tx`(t.previous_certificate_no is not null)`,
    has_scan: tx`(t.attachments <> '{}')`,
    certificate_state: tx`case
      when exists (select 1 from registration_certificate n where n.previous_id = t.id and n.audit_state = 'passed'
      and n.valid_from <= ${today()}) then 'replaced'
      when t.valid_to < ${today()} then 'expired' when t.valid_to <= ${today()}::date + 90 then 'soon'
        else 'valid' end`,
    specification_count: tx`(select count(*)::int from specification s where s.registration_certificate_id = t.id)`,
  }),
  mayWrite(session, action, row) {
    if (session.org.type === 'V' && action !== 'add' && row?.holder_org_sn !== session.org.id)
      throw new BusinessError('forbidden', '只能维护本企业的注册证')
    if (isUser(session) && (!['add', 'edit', 'del'].includes(action) || row?.entered_here === false))
      throw new BusinessError('forbidden', '该注册证由厂商或平台维护，只能查看')
    if (action !== 'review' && action !== 'reject') return
    if (session.org.type !== 'P') throw new BusinessError('forbidden')
    if (row?.audit_state !== 'pending') throw new BusinessError('wrongState', '该注册证已审核')
  },
  async check(tx, session, change) {
    if (isUser(session)) await mustBeEntered(tx, session, change.id)
    // A manufacturer's certificate is reviewed by the platform; until then it may be used, and can be withdrawn.
    if (session.org.type !== 'P' && (!change.before || change.before.audit_state === 'refused'))
      change.after.audit_state = 'pending'
    const { certificate_no: number, valid_from: from, valid_to: until } = change.after
    if (session.org.type === 'V' && change.after.holder_org_sn !== session.org.id)
      return [{ field: 'holder_org_sn', msg: '只能维护本企业的注册证' }]
    if (session.org.type !== 'P' && !isNumber(number))
      return [{ field: 'certificate_no', msg: '注册证号格式异常，请核对' }]
    if (change.after.device_class === 'I' && change.sent.valid_to)
      return [{ field: 'valid_to', msg: '第一类备案凭证没有有效期，请清空有效期至' }]
    if (change.after.device_class !== 'I' && until && String(until) > addYears(from as Day, LONGEST_YEARS))
      return [{ field: 'valid_to', msg: `注册证有效期最长5年，不能晚于${addYears(from as Day, LONGEST_YEARS)}` }]
    return []
  },
  /**
   * The platform may save a number of another format, and a manufacturer a certificate for what it may not produce
   * yet, after confirming.
   */
  async asks(tx, session, action, row, sent) {
    if (!['add', 'edit'].includes(action)) return []
    if (session.org.type === 'P')
      return sent.certificate_no && !isNumber(sent.certificate_no)
        ? [{ rule: 'number', msg: '注册证号格式异常，请核对，是否仍然保存？' }]
        : []
    const classCode = sent.class_code ?? row.class_code
    const outside =
      session.org.type === 'V' && classCode ? await outsideProduction(tx, session, String(classCode)) : null
    const msg = `分类${outside}不在本企业生产许可证的生产范围内，请核对，是否仍然保存？`
    return outside === null ? [] : [{ rule: 'productionScope', msg }]
  },
  alsoWrites: async (_tx, session, change) =>
    change.before || !isUser(session) ? {} : { entered_by_id: session.org.id },
  async mayLeave(tx, session, action, row) {
    if (isUser(session)) await mustBeEntered(tx, session, String(row.registration_certificate_sn))
    if (action !== 'del') return
    const [bound] = await tx`select 1 from specification
        where registration_certificate_id = ${String(row.registration_certificate_sn)} limit 1`
    if (bound) throw new BusinessError('blocked', '注册证已关联产品，不能删除')
  },
  actions: {
    async review(tx, session, row) {
      await tx`update registration_certificate set audit_state = 'passed'
        where id = ${String(row.registration_certificate_sn)}`
      await moveSizes(tx)
      return { audit_state: 'passed', audited_by: session.userName, audit_reason: null }
    },
    reject: async (_tx, session, _row, reason) => ({
      audit_state: 'refused',
      audited_by: session.userName,
      audit_reason: reason,
    }),
    renew,
    change,
    bindSpec,
  },
  async afterwards(sql, session, action, row) {
    if (action === 'review' || action === 'reject') await notifyKeeper(sql, session, row, action === 'review')
    await certificateChanged(sql, String(row.registration_certificate_sn))
  },
}
