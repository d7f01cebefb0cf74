import { add, type Decimal } from '#kernel/values/decimal.ts'
import { BusinessError, ConfirmationRequired } from '#kernel/rules/errors.ts'
import { createAndReview, readByDevice } from '#server/public/actions.ts'
import { inNameOf, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The patient, as the hospital knows them. These fields stay inside the hospital. */
export type Patient = {
  readonly patient_no?: string | null
  readonly patient_name?: string | null
  readonly admission_no?: string | null
  readonly surgery_name?: string | null
  readonly implant_site?: string | null
  readonly doctor_inner_sn?: string | null
}

export type Taken = {
  readonly specification_id: string
  readonly lot_no: string | null
  readonly unit_code: string | null
  readonly owner_id: string | null
  readonly quantity: string
}

export type Use = {
  readonly warehouse: string
  readonly department: string | null
  readonly handler: string | null
  readonly used_at: string
  /** Null: used by the department. */
  readonly patient: Patient | null
  readonly type: 'patient' | 'cabinet' | 'weighing'
  readonly remark: string
}

/**
 * Pieces of one lot and owner are one line with their codes; goods without codes use the oldest lot if none is
 * named.
 */
function linesOf(taken: readonly Taken[]) {
  const alike = Map.groupBy(taken, row =>
    row.unit_code === null
      ? `${row.specification_id}/${row.lot_no}/`
      : `${row.specification_id}/${row.lot_no}/${row.owner_id}`,
  )
  return [...alike.values()].map(rows => ({
    specification_sn: rows[0]!.specification_id,
    ...(rows[0]!.lot_no === null ? {} : { lot_no: rows[0]!.lot_no }),
    ...(rows[0]!.unit_code === null || rows[0]!.owner_id === null ? {} : { owner_org_sn: rows[0]!.owner_id }),
    unit_codes: rows.flatMap(row => (row.unit_code === null ? [] : [row.unit_code])),
    quantity: rows.reduce<Decimal>((sum, row) => add(sum, row.quantity, 3), '0'),
  }))
}

/**
 * Creates a usage document for the goods that were taken, and books it like any other document. Returns its number;
 * refuses what a user could not use either.
 */
export async function bookUse(tx: Tx, session: Session, use: Use, taken: readonly Taken[]): Promise<string> {
  const header = {
    warehouse_model_inner_sn: use.warehouse,
    department_inner_sn: use.department,
    handler_inner_sn: use.handler,
    use_type: use.type,
    used_at: use.used_at,
    remark: use.remark,
    ...use.patient,
  }
  const sn = await createAndReview(tx, inNameOf(session), 'departmentUse', header, linesOf(taken))
  await readByDevice(tx, session.org.id, 'departmentUse', sn)
  return sn
}

/** Tries something that may be refused without losing the work done before it: returns the answer, or the reason. */
export async function tried<T>(tx: Tx, work: (inner: Tx) => Promise<T>): Promise<{ done: T } | { why: string }> {
  try {
    return { done: (await tx.savepoint(inner => work(inner))) as T }
  } catch (error) {
    if (error instanceof BusinessError || error instanceof ConfirmationRequired) return { why: error.message }
    throw error
  }
}
