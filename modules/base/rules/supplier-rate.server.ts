import { addDays, isDay } from '#kernel/values/date.ts'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { multiply } from '#kernel/values/decimal.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const text = (value: unknown): string => String(value ?? '')
/** A rate as text: 2.00%，2026-01-01起. */
const said = (row: Readonly<RecordRow> | null): string =>
  row === null
    ? ''
    : `${multiply(String(row.rate), '100', 4).replace(/0{1,2}$/, '')}%，${text(row.valid_from)}起` +
      `${row.valid_to ? `至${text(row.valid_to)}` : ''}`

type Step = { action: string; before: Readonly<RecordRow> | null; after: Readonly<RecordRow>; reason?: string | null }
const note = (tx: Tx, session: Session, { action, before, after, reason = null }: Step) => tx`
  insert into supplier_rate_step (org_id, supplier_id, fee_class, action, old_value, new_value, reason, by_name)
  values (${session.org.id}, ${text(after.supplier_sn)}, ${text(after.fee_class)}, ${action}, ${said(before)},
    ${said(after)}, ${reason}, ${session.userName})`

type Standing = { id: string; valid_from: string; valid_to: string | null; audit_state: string; rate: string }
/** Rows of the same supplier, class and step that overlap this one's period. */
const beside = (tx: Tx, session: Session, id: string | null, row: Readonly<RecordRow>) => tx<Standing[]>`
  select id, valid_from, valid_to, audit_state, rate from supplier_rate
   where org_id = ${session.org.id} and id is distinct from ${id} and supplier_id = ${text(row.supplier_sn)}
     and fee_class = ${text(row.fee_class)} and base_from = ${text(row.base_from) || '0'}
     and valid_from <= ${(row.valid_to as string | null) ?? '9999-12-31'}
       and (valid_to is null or valid_to >= ${text(row.valid_from)})`

/** A newer row succeeds an open older one: the older one ends the day before, once the new one is reviewed. */
const follows = (older: Standing, row: Readonly<RecordRow>): boolean =>
  older.valid_to === null && older.audit_state === 'passed' && older.valid_from < text(row.valid_from)

async function overlapsOthers(tx: Tx, session: Session, id: string | null, row: Readonly<RecordRow>): Promise<boolean> {
  return (await beside(tx, session, id, row)).some(other => !follows(other, row))
}

/** A rate that a bill was computed from cannot be changed while that bill is in force. */
async function refuseCharged(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<void> {
  const used = await tx`
    select 1 from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
     where l.org_id = ${session.org.id} and d.kind = 'serviceCharge' and d.role = 'own'
       and d.counterparty_id = ${text(row.supplier_sn)} and d.state not in ('cancelled', 'deleted', 'reversed')
       and l.fields->>'rate_no' = ${text(row.supplier_rate_sn)} limit 1`
  if (used.length > 0) throw new BusinessError('blocked', '费率已被服务费单引用，不能修改')
}

async function isSupplier(tx: Tx, session: Session, partner: string): Promise<boolean> {
  const [found] = await tx`
    select 1 from org_relation r join organisation o on o.id = r.partner_id
     where r.org_id = ${session.org.id} and r.partner_id = ${partner} and r.status = 'enabled'
       and o.system_type in (2, 3) limit 1`
  return found !== undefined
}

export const supplierRateRules: RecordRules = {
  kind: 'supplierRate',
  readFlag: 'page:/hospital/supplierManage',
  columns: tx => ({
    supplier_code: tx`${tx('to_supplier_sn.code')}`,
    rate_state: tx`case when t.valid_from > ${today()}::date then 'waiting' when t.valid_to < ${today()}::date
      then 'ended' else 'valid' end`,
  }),
  mayWrite(_session, action, row) {
    const isPassed = row?.audit_state === 'passed'
    if (['edit', 'del', 'review'].includes(action) && isPassed)
      throw new BusinessError('wrongState', '费率已审核；要变更请新增一条新的生效日期，或先反审核')
    if (['unreview', 'stopRate'].includes(action) && !isPassed) throw new BusinessError('wrongState', '费率未审核')
  },
  async check(tx, session, { id, before, after, sent }) {
    if ((!before || sent.supplier_sn) && !(await isSupplier(tx, session, text(after.supplier_sn))))
      return [{ field: 'supplier_sn', msg: '请选择相关机构。' }]
    if (await overlapsOthers(tx, session, id, after))
      return [{ field: 'valid_from', msg: '该供应商在此期间已存在费率' }]
    await note(tx, session, { action: before ? '修改' : '新增', before, after })
    return []
  },
  alsoWrites: async (_tx, session) => ({ changed_by: session.userName, changed_at: new Date().toISOString() }),
  async mayLeave(tx, session, _action, row) {
    await note(tx, session, { action: '删除', before: row, after: row })
  },
  actions: {
    async review(tx, session, row) {
      const others = await beside(tx, session, text(row.supplier_rate_sn), row)
      if (others.some(other => !follows(other, row))) throw new BusinessError('rule', '该供应商在此期间已存在费率')
      const last = addDays(text(row.valid_from), -1)
      for (const older of others) {
        await tx`update supplier_rate set valid_to = ${last}, version = version + 1
          where org_id = ${session.org.id} and id = ${older.id}`
        await note(tx, session, {
          action: '被新费率接替',
          before: { ...row, ...older },
          after: { ...row, ...older, valid_to: last },
        })
      }
      await note(tx, session, { action: '审核', before: row, after: row })
      return { audit_state: 'passed', changed_by: session.userName, changed_at: new Date().toISOString() }
    },
    async unreview(tx, session, row) {
      await refuseCharged(tx, session, row)
      await note(tx, session, { action: '反审核', before: row, after: row })
      return { audit_state: 'pending', changed_by: session.userName, changed_at: new Date().toISOString() }
    },
    async stopRate(tx, session, row, reason, answers) {
      const last = isDay(answers.last_day) ? answers.last_day : today()
      if (last < today()) throw new BusinessError('rule', '最后有效日期不能早于今天')
      if (last < text(row.valid_from)) throw new BusinessError('rule', '费率尚未生效，请反审核后删除')
      if (row.valid_to && text(row.valid_to) <= last) throw new BusinessError('rule', '费率在此之前已经结束')
      await note(tx, session, { action: '终止', before: row, after: { ...row, valid_to: last }, reason })
      return {
        valid_to: last,
        stop_reason: reason,
        changed_by: session.userName,
        changed_at: new Date().toISOString(),
      }
    },
  },
}

export const supplierRateStepRules: RecordRules = {
  kind: 'supplierRateStep',
  readFlag: 'page:/hospital/supplierManage',
}
