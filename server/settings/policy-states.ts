import { type Control, controls } from '#kernel/definition/setting.ts'
import type { Tx } from '#server/database/transaction.ts'

/** `state` in words: `提醒 180天`. */
export type PolicyState = { readonly state: string; readonly changed_by?: string; readonly changed_on?: string | null }

type SetRow = {
  readonly name: string
  readonly control: Control | null
  readonly figure: string | null
  readonly unit: string | null
  readonly status: string
  readonly changed_by: string | null
  readonly changed_on: string | null
}

/** How an organisation has set its policies, by name, with who changed each and when. */
export async function policyStates(tx: Tx, org: string): Promise<ReadonlyMap<string, PolicyState>> {
  const rows = await tx<SetRow[]>`
    select t.name, t.control, t.figure, t.unit, t.status, t.changed_by,
      to_char(t.changed_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as changed_on
      from hospital_rule_item t
     where t.org_id = ${org} and t.warehouse_id is null and t.department_id is null and t.custom_type_id is null`
  return new Map(
    rows.map(({ name, control, figure, unit, status, changed_by, changed_on }) => {
      const strictness = status === 'disabled' ? controls.off : control === null ? '' : controls[control]
      const said = [strictness, figure ? `${figure}${unit ?? ''}` : ''].filter(Boolean).join(' ')
      return [name, { state: said, ...(changed_by ? { changed_by, changed_on } : {}) }]
    }),
  )
}
