import { BusinessError } from '#kernel/rules/errors.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { qualityRows, throughDocument, unitNameSql } from '#modules/trade/purchasing/receiving/quality-lines.server.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'

/** The reason why an action is not allowed on an arrival line in its current state; null: it is allowed. */
function againstArrival(action: string, row: Readonly<RecordRow>): string | null {
  if (row.arrival_state !== 'submitted') return '到货单不是待审核状态，不能处理'
  if (action === 'withdraw')
    return row.line_decision === 'pass' || row.line_decision === 'hold'
      ? null
      : '没有可撤销的处理，已拒收的请驳回后由收货员修改'
  return row.handling === 'done' ? '该行已处理，请先撤销处理' : null
}

/** Decided by the current user, even if another user decided on other lines. */
const ofArrival = (action: string) =>
  throughDocument('arrivalOrder', 'arrival_no', action, (row, answers) => ({
    ...answers,
    ...(action === 'withdraw' ? {} : { quality_handler_inner_sn: null }),
    quality_lines: String(row.line_no),
  }))

const mayNotAdd = (action: string): void => {
  if (['add', 'edit', 'del'].includes(action)) throw new BusinessError('rule', '明细随单据产生，请在单据上修改')
}

export const arrivalQualityLineRules: RecordRules = {
  kind: 'arrivalQualityLine',
  ...qualityRows,
  columns: tx => ({ unit_name: unitNameSql(tx) }),
  mayWrite(_session, action, row) {
    mayNotAdd(action)
    const why = row ? againstArrival(action, row) : null
    if (why !== null) throw new BusinessError('wrongState', why)
  },
  actions: {
    qualityPass: ofArrival('qualityPass'),
    qualityRefuse: ofArrival('qualityRefuse'),
    qualityHold: ofArrival('qualityHold'),
    withdraw: ofArrival('withdraw'),
  },
}

/** The reason why an inspection line has nothing to dispose of; null: it has. */
function againstInspection(row: Readonly<RecordRow>): string | null {
  if (row.line_disposal_state === '3') return '该行已处置'
  if (row.line_disposal_state !== null) return null
  return isPositive(String(row.unqualified_quantity ?? '0')) ? '验收单尚未审核，不能处置' : '该行没有不合格品'
}

export const inspectionQualityLineRules: RecordRules = {
  kind: 'inspectionQualityLine',
  ...qualityRows,
  columns: tx => ({
    unit_name: unitNameSql(tx),
    has_unqualified: tx`case when t.unqualified_quantity > 0 then 'yes' else 'no' end`,
  }),
  mayWrite(_session, action, row) {
    mayNotAdd(action)
    const why = row ? againstInspection(row) : null
    if (why !== null) throw new BusinessError('wrongState', why)
  },
  actions: {
    dispose: throughDocument('inspectionOrder', 'inspection_no', 'dispose', (row, answers) => ({
      ...answers,
      disposal_lines: String(row.line_no),
    })),
  },
}
