import type { ModuleHooks } from '#server/public/hooks.ts'
import { hospitalPolicies } from '#modules/base/settings/hospital-policies.ts'
import { configItems } from '#modules/base/settings/organisation-settings.ts'
import { beyondCalls, refuseFullStore } from '#modules/base/settings/plan-limits.server.ts'
import { settingDefaults } from '#modules/base/settings/setting-defaults.server.ts'
import { seedSettings } from '#modules/base/settings/startup-seeds.server.ts'

export const settingsHooks: ModuleHooks = {
  startupSeeds: [seedSettings],
  settings: { items: configItems, policies: hospitalPolicies, defaults: settingDefaults },
  quotas: { storage: refuseFullStore, outboundCalls: beyondCalls },
}
