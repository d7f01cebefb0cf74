import { ToCause, WaysOut } from '#modules/warnings/resolve-links.tsx'
import { WarningFigures } from '#modules/warnings/warning-figures.tsx'
import type { Customisation } from '#web/engine/customisation.ts'

export const warningLook: Customisation = {
  of: 'warning',
  panels: [WaysOut],
  rowLink: row => <ToCause info={row} />,
  above: [WarningFigures],
}
