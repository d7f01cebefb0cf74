import type { ModuleHooks } from '#server/public/hooks.ts'
import { accountRules, userRoleRules } from '#modules/base/rights/accounts.server.ts'
import { roleTemplateRules, systemRoleRules, templateRoleRules } from '#modules/base/rights/bounds.server.ts'
import { menuNodeRules, motherTreeRules } from '#modules/base/rights/menu.server.ts'

export const rightsHooks: ModuleHooks = {
  records: [
    userRoleRules,
    accountRules,
    menuNodeRules,
    motherTreeRules,
    systemRoleRules,
    roleTemplateRules,
    templateRoleRules,
  ],
}
