import { type Decimal, multiply, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Part } from '#modules/goods/packs/compose.ts'
import type { Tx } from '#server/public/database.ts'

/** The contents of a pack, by a template or by a version of an operation's kit. */
export type Recipe = {
  readonly of: 'packTemplate' | 'operationKit'
  readonly id: string
  readonly name: string
  readonly combined: boolean
  readonly enabled: boolean
  /** True if it contains goods managed piece by piece: people scan which pieces. */
  readonly coded: boolean
  /** Base units in one pack. */
  readonly size: Decimal
  readonly parts: readonly Part[]
}

type Row = {
  readonly id: string
  readonly name: string
  readonly pack_type: string
  readonly status: string
  readonly size: Decimal | null
  readonly coded: boolean
  readonly parts: readonly { specification_id: string; name: string; quantity: string }[]
}

/** Templates with what they hold, in one statement. */
export async function recipesOf(tx: Tx, org: string, ids: readonly string[]): Promise<Recipe[]> {
  const rows = await tx<Row[]>`
    select t.id, t.name, t.pack_type, t.status, t.size, exists (
      select 1 from specification s join product p on p.id = s.product_id
        left join hospital_product h on h.org_id = t.org_id and h.specification_id = s.id
       where (s.id = t.specification_id or s.id in (select l.specification_id from pack_template_line l
               where l.org_id = t.org_id and l.pack_template_id = t.id))
         and coalesce(h.is_unit_coded, p.is_unit_coded)) as coded, coalesce((
      select jsonb_agg(jsonb_build_object('specification_id', x.specification_id::text, 'name', p.name,
               'quantity', x.quantity::text) order by x.sort_no, x.id)
        from (select 0 as sort_no, t.id, t.specification_id, t.size as quantity where t.pack_type = 'single'
              union all
              select l.sort_no, l.id, l.specification_id, l.quantity from pack_template_line l
               where l.org_id = t.org_id and l.pack_template_id = t.id and t.pack_type = 'combined') x
        join specification s on s.id = x.specification_id join product p on p.id = s.product_id), '[]') as parts
      from pack_template t
     where t.org_id = ${org} and t.id = any(${ids as string[]}::bigint[])
     order by t.id`
  return rows.map(row => ({
    of: 'packTemplate',
    id: row.id,
    name: row.name,
    combined: row.pack_type === 'combined',
    enabled: row.status === 'enabled',
    coded: row.coded,
    parts: row.parts.map(part => ({ ...part, required: true, instead: [] })),
    size: sum(
      row.parts.map(part => part.quantity),
      3,
    ),
  }))
}

export async function recipeOf(tx: Tx, org: string, id: unknown): Promise<Recipe> {
  const [recipe] = await recipesOf(tx, org, [String(id)])
  if (!recipe)
    throw new BusinessError('invalid', undefined, [{ field: 'pack_template_sn', msg: '定数包模板不存在，请重新选择' }])
  return recipe
}

/** A template by which packs may still be made. */
export async function enabledRecipeOf(tx: Tx, org: string, id: unknown): Promise<Recipe> {
  const recipe = await recipeOf(tx, org, id)
  if (!recipe.enabled) throw new BusinessError('rule', `定数包模板【${recipe.name}】已停用，请重新选择`)
  if (recipe.parts.length === 0) throw new BusinessError('rule', `组合包模板【${recipe.name}】没有产品，请先维护明细`)
  return recipe
}

/** The part of the pack to which a product belongs, itself or as a substitute. */
export const partOf = ({ parts }: Recipe, specification: string | null): Part | undefined =>
  parts.find(part => part.specification_id === specification) ??
  parts.find(part => specification !== null && part.instead.includes(specification))

/** All products that may be in the pack. */
export const specificationsOf = ({ parts }: Recipe): string[] =>
  parts.flatMap(part => [part.specification_id, ...part.instead])

export const needOf = (part: Part, packs: number): Decimal => multiply(part.quantity, String(packs), 3)
