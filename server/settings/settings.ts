import { today } from '#kernel/values/date.ts'
import type { Settings } from '#kernel/definition/setting.ts'
import { settingOf } from '#kernel/definition/setting.ts'
import { type OrgType, orgTypeOf } from '#kernel/values/organisation-type.ts'
import { configItemOf, hooks } from '#server/registry/hooks.ts'
import { policySettings, specificity, type PolicyOverride, policyOverrides } from '#server/settings/policies.ts'
import { pipelined, type Tx } from '#server/database/transaction.ts'

/** Defaults of the built-in rules for an organisation that changed none. */
const presetsFor = (type: OrgType): Partial<Settings> =>
  Object.assign(
    {},
    ...hooks()
      .settings.policies.filter(({ orgs = 'H' }) => orgs.includes(type))
      .map(rule => rule.sets(rule.controls[0] ?? null, rule.figure?.preset ?? '')),
  ) as Partial<Settings>

type Place = { readonly warehouse: string | null; readonly department: string | null }

/**
 * The presets, overridden by what the platform set for the organisation (业务配置), then by the organisation's own rules
 * (规则配置); for a place, with those for it. There are no other sources: these pages show what holds.
 */
export async function settingsFor(tx: Tx, org: string, place?: Place): Promise<Settings> {
  return settingsAt(await loadSettings(tx, org), place ?? { warehouse: null, department: null })
}

/** An organisation's settings, before the place is known. */
export type ReadSettings = { readonly base: Settings; readonly rules: readonly PolicyOverride[] }

export async function loadSettings(tx: Tx, org: string): Promise<ReadSettings> {
  const [rows, rules] = await pipelined([
    tx<{ system_type: number; name: string | null; value: string | null }[]>`
    select o.system_type, c.name, c.value from organisation o
      left join org_config c on c.org_id = o.id and c.valid_from <= ${today()} where o.id = ${org}`,
    policyOverrides(tx, org),
  ])
  const platform = rows.flatMap(({ name, value }) => {
    const item = name === null ? undefined : configItemOf(name)
    return item ? [[item.name, settingOf(item, String(value))] as const] : []
  })
  const presets = rows[0] ? presetsFor(orgTypeOf(rows[0].system_type)) : {}
  return { base: { ...hooks().settings.defaults, ...presets, ...Object.fromEntries(platform) } as Settings, rules }
}

/**
 * The settings with the organisation's rules for a store and a department; rules for product classes are applied
 * line by line.
 */
export function settingsAt({ base, rules }: ReadSettings, place: Place): Settings {
  const fit = rules.filter(
    rule =>
      rule.custom_type_id === null &&
      (rule.warehouse_id === null || rule.warehouse_id === place.warehouse) &&
      (rule.department_id === null || rule.department_id === place.department),
  )
  // Narrower rules come later and override.
  const ordered = fit.toSorted((a, b) => specificity(a) - specificity(b))
  return ordered.reduce<Settings>((settings, rule) => ({ ...settings, ...policySettings(rule) }), base)
}
