import { ToCause, WaysOut } from '#modules/warnings/to-cause.tsx'
import { WarningFigures } from '#modules/warnings/warning-figures.tsx'
import type { Customisation } from '#web/engine/customise.ts'

export const warningLook: Customisation = {
  of: 'warning',
  panels: [WaysOut],
  rowLink: row => <ToCause info={row} />,
  above: [WarningFigures],
}
