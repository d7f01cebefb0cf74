import type { ReactNode } from 'react'
import { pickerOption } from '#web/engine/customisation.ts'
import type { Row } from '#web/fields/field-renderer.ts'

/** One offered row: the room's own drawing of it where it has one (its `.web.tsx`), else its name. */
export function optionOf(kind: string, row: Row, label: string): ReactNode {
  const draw = pickerOption(kind)
  return draw === undefined || Object.keys(row).length === 0 ? label : draw(row)
}
