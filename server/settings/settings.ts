import { today } from '#kernel/values/date.ts'
import type { Settings } from '#kernel/definition/setting.ts'
import { settingOf } from '#kernel/definition/setting.ts'
import { configItemOf, hooks } from '#server/registry/hooks.ts'
import { policySettings, specificity, type PolicyOverride, policyOverrides } from '#server/settings/policies.ts'
import { pipelined, type Tx } from '#server/database/transaction.ts'

/** Defaults of the built-in rules for a hospital that changed none. */
const hospitalPresets = (): Partial<Settings> =>
  Object.assign(
    {},
    ...hooks().settings.policies.map(rule => rule.sets(rule.controls[0] ?? null, rule.figure?.preset ?? '')),
  ) as Partial<Settings>

type Place = { readonly warehouse: string | null; readonly department: string | null }

/**
 * The defaults, overridden by what the platform set for the organisation from today on, then by its own settings;
 * for a place, with the organisation's rules for it.
 */
export async function settingsFor(tx: Tx, org: string, place?: Place): Promise<Settings> {
  return settingsAt(await loadSettings(tx, org), place ?? { warehouse: null, department: null })
}

/** An organisation's settings, before the place is known. */
export type ReadSettings = { readonly base: Settings; readonly rules: readonly PolicyOverride[] }

export async function loadSettings(tx: Tx, org: string): Promise<ReadSettings> {
  const [rows, rules] = await pipelined([
    tx<{ name: string; value: unknown; rank: number }[]>`
    select name, to_jsonb(value) as value, 0 as rank from org_config where org_id = ${org} and valid_from <= ${today()}
     union all select name, value, 1 from setting where org_id = ${org}
     union all select 'hospital', to_jsonb(system_type = 1), 2 from organisation where id = ${org} order by rank`,
    policyOverrides(tx, org),
  ])
  const written = rows.map(row => {
    const item = row.rank === 0 ? configItemOf(row.name) : undefined
    return [row.name, item ? settingOf(item, String(row.value)) : row.value] as const
  })
  const isHospital = rows.some(row => row.rank === 2 && row.value === true)
  const presets = isHospital ? hospitalPresets() : {}
  return { base: { ...hooks().settings.defaults, ...presets, ...Object.fromEntries(written) } as Settings, rules }
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
