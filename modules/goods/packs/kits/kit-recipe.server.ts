import { sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Part } from '#modules/goods/packs/compose.ts'
import type { Recipe } from '#modules/goods/packs/recipe.server.ts'
import type { Tx } from '#server/public/database.ts'

type Row = {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly is_current: boolean
  readonly coded: boolean
  readonly parts: readonly Part[]
}

/** The contents of a version of a kit: its required products with their substitutes, and the optional ones. */
export async function kitRecipeOf(tx: Tx, org: string, id: unknown): Promise<Recipe> {
  const [row] = await tx<Row[]>`
    select t.id, t.name, t.status, t.is_current, exists (
      select 1 from operation_kit_line l
        join specification s on s.id in (l.specification_id, l.substitute_id, l.second_substitute_id)
        join product p on p.id = s.product_id
        left join hospital_product h on h.org_id = l.org_id and h.specification_id = s.id
       where l.org_id = t.org_id and l.operation_kit_id = t.id
         and coalesce(h.is_unit_coded, p.is_unit_coded)) as coded, coalesce((
      select jsonb_agg(jsonb_build_object('specification_id', l.specification_id::text, 'name', p.name,
               'quantity', l.quantity::text, 'required', l.is_required, 'instead',
               to_jsonb(array_remove(array[l.substitute_id::text, l.second_substitute_id::text], null)))
               order by l.sort_no, l.id)
        from operation_kit_line l join specification s on s.id = l.specification_id
        join product p on p.id = s.product_id
       where l.org_id = t.org_id and l.operation_kit_id = t.id), '[]') as parts
      from operation_kit t where t.org_id = ${org} and t.id = ${String(id)}`
  if (!row) throw new BusinessError('notFound', '手术套包不存在或已被删除')
  return {
    of: 'operationKit',
    id: row.id,
    name: row.name,
    combined: true,
    coded: row.coded,
    enabled: row.status === 'enabled' && row.is_current,
    parts: row.parts,
    size: sum(
      row.parts.map(part => part.quantity),
      3,
    ),
  }
}
