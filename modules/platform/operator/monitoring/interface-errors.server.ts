import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import type { Sql } from 'postgres'
import { performOutbound } from '#server/public/outbound.ts'
import { type RecordAction, type RecordRow, type RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

const noNote = (): BusinessError => {
  const problem: Problem = { field: 'note', msg: '请填写处理说明' }
  return new BusinessError('invalid', problem.msg, [problem])
}

/** Closes a row with a note on the solution; a closed one cannot be opened again. */
const settle =
  (state: 'done' | 'ignored'): RecordAction =>
  async (_tx, session: Session, row, _reason, answers) => {
    if (['done', 'ignored', 'succeeded'].includes(String(row.state)))
      throw new BusinessError('wrongState', '该异常已处理')
    if (!answers.note) throw noNote()
    return { state, note: answers.note, handled_by: session.userName, handled_at: new Date().toISOString() }
  }

const byAdapters = (_session: Session, action: string, _row: Readonly<RecordRow> | null): void => {
  if (['add', 'edit', 'del'].includes(action))
    throw new BusinessError('rule', '异常由系统记录，只能处理，不能新增、修改或删除')
}

/** True if there is something to send again. */
const isOpen = (row: Readonly<RecordRow>): boolean => row.state === 'waiting' || row.state === 'retrying'

/** Makes a call due now, under its own key; the call itself follows after the commit. */
async function makeDue(tx: Tx, org: string, call: string): Promise<void> {
  const made = await tx<{ id: string }[]>`
    update outbound_call set state = 'retrying', next_at = now()
     where org_id = ${org} and id = ${call} and state in ('waiting', 'retrying') and payload is not null
       and (expires_at is null or expires_at > now()) returning id`
  if (made.length === 0)
    throw new BusinessError('rule', '该消息没有保留报文或已失效（如短信验证码），不能重新发送，请重新发起业务')
}

export const interfaceErrorRules: RecordRules = {
  kind: 'interfaceError',
  platformReads: 'P',
  visible: tx => tx`t.failed_at is not null`,
  // The stored value is the name under which the program knows the error.
  columns: tx => ({
    error_kind: tx`case when t.error_kind in ('TimeoutError', 'AbortError') then 'timeout'
      when t.error_kind in ('TypeError', 'NetworkError') then 'connection'
      when t.http_status is not null or t.error_kind = 'HisError' then 'answer' else 'other' end`,
  }),
  mayWrite(session, action, row) {
    byAdapters(session, action, row)
    if (action === 'retry' && row !== null && !isOpen(row)) throw new BusinessError('wrongState', '该异常已处理')
  },
  actions: {
    async retry(tx, session, row) {
      await makeDue(tx, session.org.id, String(row.interface_error_sn))
    },
    close: settle('done'),
    ignore: settle('ignored'),
  },
  async afterwards(sql, session, action, row) {
    if (action === 'retry') await performOutbound(sql, session.org.id, String(row.interface_error_sn), session.userName)
  },
}

export const interfaceAttemptRules: RecordRules = {
  kind: 'interfaceAttempt',
  readFlag: ['page:/ptm/monitorInterface', 'page:/commonView/errorRecord'],
}

/** The call or intercompany message behind an incident. */
const causeOf = (sql: Sql | Tx, org: string, incident: unknown) => sql<
  { outbound_call_id: string | null; intercompany_message_id: string | null; cabinet_event_id: string | null }[]
>`
  select outbound_call_id, intercompany_message_id, cabinet_event_id from error_record
    where org_id = ${org} and id = ${String(incident)}`

export const errorRecordRules: RecordRules = {
  kind: 'errorRecord',
  columns: tx => ({ record_no: tx`'YC' || t.id` }),
  mayWrite(session, action, row) {
    byAdapters(session, action, row)
    if (action === 'retry' && row !== null && !['interface', 'push', 'device'].includes(String(row.error_kind)))
      throw new BusinessError('rule', '只有接口调用、单据推送和设备数据可以重试')
    if (action === 'retry' && row !== null && !['waiting', 'working'].includes(String(row.state)))
      throw new BusinessError('wrongState', '该异常已处理')
  },
  actions: {
    async retry(tx, session, row) {
      const [cause] = await causeOf(tx, session.org.id, row.error_record_sn)
      if (cause?.outbound_call_id) await makeDue(tx, session.org.id, cause.outbound_call_id)
      else if (cause?.intercompany_message_id)
        await tx`update intercompany_message set next_at = now()
          where org_id = ${session.org.id} and id = ${cause.intercompany_message_id} and delivered_at is null`
      else if (cause?.cabinet_event_id)
        await tx`update cabinet_event set state = 'waiting'
          where org_id = ${session.org.id} and id = ${cause.cabinet_event_id} and state = 'failed'`
      else throw new BusinessError('rule', '没有可以重发的内容，请登记处理')
      return { state: 'working' }
    },
    async assign(_tx, _session, row, _reason, answers) {
      if (row.state === 'done' || row.state === 'ignored') throw new BusinessError('wrongState', '该异常已处理')
      return { assigned_sn: answers.user_sn, state: 'working' }
    },
    handle: settle('done'),
    ignore: settle('ignored'),
  },
  async afterwards(sql, session, action, row) {
    if (action !== 'retry') return
    const org = session.org.id
    const [cause] = await inOrganisation(sql, org, '0', tx => causeOf(tx, org, row.error_record_sn))
    if (cause?.outbound_call_id) await performOutbound(sql, org, cause.outbound_call_id, session.userName)
    // An intercompany message is sent with the next run, every few seconds.
  },
}
