/** What organisations and hospitals set. Modules import the engine through files like this one and no other. */

/** Organisation settings with defaults, place-specific policies. */
export { settingsOf } from '#server/engine/documents/settings.ts'

/** Organisation policies by warehouse, department, item category. */
export { classesOf, rulesOfGoods } from '#server/engine/documents/house-rules.ts'

/** Platform-set configuration values per organisation. */
export { configFigure, configValue } from '#server/engine/config-value.ts'
