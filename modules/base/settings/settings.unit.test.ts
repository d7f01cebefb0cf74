import { expect, test } from 'vitest'
import { hospitalPolicies } from '#modules/base/settings/hospital-policies.ts'
import { configItems } from '#modules/base/settings/organisation-settings.ts'
import { settingDefaults } from '#modules/base/settings/setting-defaults.server.ts'

test('a setting that no page changes does not exist', () => {
  const onRulePage = hospitalPolicies.flatMap(policy =>
    Object.keys(policy.sets(policy.controls[0] ?? null, policy.figure?.preset ?? '')),
  )
  const changed = new Set([...onRulePage, ...configItems.map(item => item.name)])
  expect(Object.keys(settingDefaults).filter(name => !changed.has(name))).toEqual([])
})
