import type { Customisation } from '#web/engine/customisation.ts'

/** Options of a packaging level show how many units it contains, since 箱 alone may be ten or a hundred. */
export const unitTreeLook: Customisation = {
  of: 'unitTree',
  option: row => String(row.conversion ?? row.name ?? ''),
}
