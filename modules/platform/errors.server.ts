import { type Problem, Refusal } from '#kernel/refusal.ts'
import type { RecordAction, RecordRow, RecordRules } from '#server/engine/records/rules.ts'
import type { Session } from '#server/engine/session.ts'

const noNote = (): Refusal => {
  const problem: Problem = { field: 'note', msg: '请填写处理说明' }
  return new Refusal('invalid', problem.msg, [problem])
}

/** Closes a row with a word on what was done; a closed one stays closed. */
const settle =
  (state: 'done' | 'ignored'): RecordAction =>
  async (_tx, session: Session, row, _reason, answers) => {
    if (row.state === 'done' || row.state === 'ignored') throw new Refusal('wrongState', '该异常已处理')
    if (!answers.note) throw noNote()
    return { state, note: answers.note, handled_by: session.userName, handled_at: new Date().toISOString() }
  }

const byAdapters = (_session: Session, action: string, _row: Readonly<RecordRow> | null): void => {
  if (['add', 'edit', 'del'].includes(action))
    throw new Refusal('rule', '异常由系统记录，只能处理，不能新增、修改或删除')
}

export const interfaceErrorRules: RecordRules = {
  kind: 'interfaceError',
  mayWrite: byAdapters,
  actions: { close: settle('done'), ignore: settle('ignored') },
}

export const errorRecordRules: RecordRules = {
  kind: 'errorRecord',
  mayWrite: byAdapters,
  actions: {
    async assign(_tx, _session, row, _reason, answers) {
      if (row.state === 'done' || row.state === 'ignored') throw new Refusal('wrongState', '该异常已处理')
      return { assigned_sn: answers.user_sn, state: 'working' }
    },
    handle: settle('done'),
    ignore: settle('ignored'),
  },
}
