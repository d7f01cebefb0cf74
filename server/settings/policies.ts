import { policyOf } from '#server/registry/hooks.ts'
import type { Control } from '#kernel/definition/setting.ts'
import { cachedInTx, type Tx } from '#server/database/transaction.ts'

/** A hospital's own setting of one of its rules, for the organisation or part of it. */
export type PolicyOverride = {
  readonly name: string
  readonly control: Control | null
  readonly figure: string | null
  readonly warehouse_id: string | null
  readonly department_id: string | null
  readonly custom_type_id: string | null
  readonly status: string
}

/** An organisation's own rule settings; read once per transaction. A disabled narrower rule has no effect. */
export const policyOverrides = (tx: Tx, org: string): Promise<PolicyOverride[]> =>
  cachedInTx(
    tx,
    JSON.stringify(['rules', org]),
    async () =>
      await tx<PolicyOverride[]>`
      select name, control, figure, warehouse_id, department_id, custom_type_id, status from hospital_rule
       where org_id = ${org}
         and (status = 'enabled' or (warehouse_id is null and department_id is null and custom_type_id is null))`,
  )

/** 产品分类+仓库 over 仓库 over 全院: the more specific rule is applied later. */
export const specificity = (rule: PolicyOverride): number =>
  (rule.warehouse_id === null ? 0 : 1) + (rule.department_id === null ? 0 : 1) + (rule.custom_type_id === null ? 0 : 2)

/** A rule as engine settings; one disabled for the whole organisation switches its check off. */
export function policySettings(rule: PolicyOverride): Readonly<Record<string, boolean | number | string>> {
  const item = policyOf(rule.name)
  const control = rule.status === 'disabled' && item?.controls.includes('off') ? 'off' : rule.control
  return item?.sets(control, rule.figure ?? item.figure?.preset ?? '') ?? {}
}

type Asked = { readonly org: string; readonly warehouse: string | null; readonly department: string | null }

/**
 * An organisation's rule settings for product classes, by specification: they override those of the place. Nothing
 * is read where it names no class.
 */
export async function policyForItems(
  tx: Tx,
  asked: Asked,
  name: string,
  specifications: readonly string[],
): Promise<(specification: string) => Readonly<Record<string, boolean | number | string>>> {
  const rules = (await policyOverrides(tx, asked.org)).filter(
    rule =>
      rule.name === name &&
      rule.custom_type_id !== null &&
      (rule.warehouse_id === null || rule.warehouse_id === asked.warehouse) &&
      (rule.department_id === null || rule.department_id === asked.department),
  )
  if (rules.length === 0) return () => ({})
  const hung = await itemCategoriesOf(tx, asked.org, specifications)
  return specification => {
    const classes = hung.filter(row => row.specification_id === specification)
    const near = (rule: PolicyOverride) => classes.find(row => row.id === rule.custom_type_id)?.distance
    return rules
      .filter(rule => near(rule) !== undefined)
      .toSorted((a, b) => near(b)! - near(a)! || specificity(a) - specificity(b))
      .reduce((settings, rule) => ({ ...settings, ...policySettings(rule) }), {})
  }
}

/** The classes of an organisation's own tree for specifications, from the leaf (0) up. */
export const itemCategoriesOf = (tx: Tx, org: string, specifications: readonly string[]) => tx<
  { specification_id: string; id: string; distance: number }[]
>`
  with recursive up as (
    select k.specification_id, c.id, c.parent_id, 0 as distance from typed_product k
      join custom_type c on c.org_id = k.org_id and c.id = k.custom_type_id
     where k.org_id = ${org} and k.tree = 'own' and k.valid_to is null
       and k.specification_id = any(${specifications as string[]}::bigint[])
    union all
    select u.specification_id, c.id, c.parent_id, u.distance + 1 from up u join custom_type c on c.org_id = ${org}
      and c.id = u.parent_id where u.distance < 20)
  select specification_id, id, distance from up`
