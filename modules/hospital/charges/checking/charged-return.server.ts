import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionCheck, ActionContext } from '#server/public/hooks.ts'

/** Refuses to return pieces to the store while the HIS has charged them to a patient and not refunded them. */
async function refuseCharged({ tx, session, doc, definition }: ActionContext): Promise<void> {
  if (definition.kind !== 'grantReturn') return
  const codes = doc.lines.flatMap(line => line.unit_codes)
  if (codes.length === 0) return
  const [charged] = await tx<{ unit_code: string }[]>`
    select unit_code from his_charge_left
     where org_id = ${session.org.id} and unit_code = any(${codes}) and net_quantity > 0 order by unit_code limit 1`
  if (!charged) return
  const line = doc.lines.find(each => each.unit_codes.includes(charged.unit_code))!
  const msg = '该产品已计费，请先在HIS退费'
  throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'unit_codes', msg }])
}

export const chargedReturnCheck: ActionCheck = { check: refuseCharged }
