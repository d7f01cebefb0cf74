/** Settings of organisations and hospitals. Modules import the engine through files like this one and no other. */

/** Organisation settings with defaults, place-specific policies. */
export { settingsFor } from '#server/settings/settings.ts'

/** Organisation policies by warehouse, department, item category. */
export { itemCategoriesOf, policyForItems } from '#server/settings/policies.ts'

/** Platform-set configuration values per organisation. */
export { configNumberSql, configValue } from '#server/settings/platform-config.ts'
