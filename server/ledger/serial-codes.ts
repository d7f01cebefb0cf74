import { BusinessError } from '#kernel/rules/errors.ts'
import { codeKey } from '#server/ledger/trace.ts'
import type { Tx } from '#server/database/transaction.ts'

/**
 * Binds an additional code to a piece of the organisation: a tag attached to it. A code names one piece and stays
 * with it.
 */
export async function bindCode(
  tx: Tx,
  org: string,
  bound: { readonly bare: string; readonly lot_id: string; readonly unit_id: string },
): Promise<void> {
  const code = codeKey({ bare: bound.bare, kind: 'inhouse' }, org)
  const made = await tx`
    insert into unit_code (code, bare, lot_id, unit_id, kind, issuer_org_id)
      values (${code}, ${bound.bare}, ${bound.lot_id}, ${bound.unit_id}, 'inhouse', ${org})
    on conflict (code) do nothing returning code`
  if (made.length === 0) throw new BusinessError('duplicate', `标签${bound.bare}已绑定其他产品`)
}
