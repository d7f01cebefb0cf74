import type { ReactNode } from 'react'
import { pickerOption } from '#web/engine/customisation.ts'
import type { Row } from '#web/fields/field-renderer.ts'

/** One offered row: rendered by the module's `.web.tsx` if it does so, else by name. */
export function optionOf(kind: string, row: Row, label: string): ReactNode {
  const draw = pickerOption(kind)
  return draw === undefined || Object.keys(row).length === 0 ? label : draw(row)
}
