import type { Sql } from 'postgres'
import { type ConfigItem, type Control, type HospitalPolicy, settingOf } from '#kernel/definition/setting.ts'
import { orgTypeOf } from '#kernel/values/organisation-type.ts'
import { hospitalPolicies } from '#modules/base/settings/hospital-policies.ts'
import { configItems } from '#modules/base/settings/organisation-settings.ts'

type Words = { readonly control: Control | null; readonly figure: string | null }

/**
 * Sets what people set on 规则配置 of the organisation, else on the platform's 业务配置, so that the engine's setting of
 * this name has this value; returns what undoes it. Throws where no page changes the setting.
 */
export async function setRule(owner: Sql, org: string, name: string, value: unknown): Promise<() => Promise<unknown>> {
  const [found] = await owner<{ system_type: number }[]>`select system_type from organisation where id = ${org}`
  const type = orgTypeOf(found!.system_type)
  const policy = hospitalPolicies.find(
    each => (each.orgs ?? 'H').includes(type) && name in each.sets(each.controls[0] ?? null, each.figure?.preset ?? ''),
  )
  if (policy) return setPolicy(owner, org, policy, name, value)
  const item = configItems.find(each => each.name === name)
  if (!item) throw new Error(`no page changes ${name} of an organisation of type ${type}`)
  return setItem(owner, org, item, wordOf(item, value))
}

async function setPolicy(owner: Sql, org: string, policy: HospitalPolicy, name: string, value: unknown) {
  const of = owner`org_id = ${org} and name = ${policy.name} and warehouse_id is null and department_id is null
    and custom_type_id is null`
  const [before] = await owner<Words[]>`select control, figure from hospital_rule where ${of}`
  const now: Words = before ?? { control: policy.controls[0] ?? null, figure: policy.figure?.preset ?? null }
  const { control, figure } = wordsFor(policy, now, name, value)
  await owner`
    insert into hospital_rule (org_id, id, name, control, figure, reason, changed_by)
    select ${org}, 900000000000000000 + place, name, ${control}, ${figure}, '测试', '测试' from rule_item
     where name = ${policy.name}
    on conflict (org_id, name, warehouse_id, department_id, custom_type_id)
      do update set control = excluded.control, figure = excluded.figure`
  return () =>
    before
      ? owner`update hospital_rule set control = ${before.control}, figure = ${before.figure} where ${of}`
      : owner`delete from hospital_rule where ${of}`
}

/** What is chosen and written on the page for a setting to have a value: one of the two is changed. */
function wordsFor(policy: HospitalPolicy, now: Words, name: string, value: unknown): Words {
  const written = typeof value === 'boolean' ? (value ? '是' : '否') : String(value)
  const tried: Words[] = [
    ...policy.controls.map(control => ({ ...now, control })),
    { ...now, figure: written },
    ...(policy.figure?.choices ?? []).map(figure => ({ ...now, figure })),
    // The highest figure of a tolerance says that nothing is compared.
    ...(value === '' && policy.figure?.max !== undefined ? [{ ...now, figure: String(policy.figure.max) }] : []),
    ...(value === 31 ? [{ ...now, figure: '月末' }] : []),
  ]
  const right = tried.find(words => String(policy.sets(words.control, words.figure ?? '')[name]) === String(value))
  if (!right) throw new Error(`【${policy.title}】 cannot make ${name} ${String(value)}`)
  return right
}

const wordOf = (item: ConfigItem, value: unknown): string => {
  const words = item.kind === 'switch' ? ['是', '否'] : Object.values(item.choices ?? { value: String(value) })
  const right = words.find(word => String(settingOf(item, word)) === String(value))
  if (right === undefined) throw new Error(`【${item.title}】 cannot be ${String(value)}`)
  return right
}

async function setItem(owner: Sql, org: string, item: ConfigItem, word: string) {
  const [before] = await owner<{ value: string }[]>`
    select value from org_config where org_id = ${org} and name = ${item.name}`
  await owner`
    insert into org_config (id, org_id, name, value, valid_from)
    select ${org}::bigint * 1000 + place, ${org}, name, ${word}, '2000-01-01' from config_item where name = ${item.name}
    on conflict (org_id, name) do update set value = excluded.value, valid_from = excluded.valid_from`
  return () =>
    before
      ? owner`update org_config set value = ${before.value} where org_id = ${org} and name = ${item.name}`
      : owner`delete from org_config where org_id = ${org} and name = ${item.name}`
}
