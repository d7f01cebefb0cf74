import type { Customisation } from '#web/engine/customisation.ts'

/** Where a unit is chosen, a packaging level says what it contains: 箱 alone may be ten or a hundred. */
export const unitTreeLook: Customisation = {
  of: 'unitTree',
  option: row => String(row.conversion ?? row.name ?? ''),
}
