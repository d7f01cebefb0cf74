import { ToCause, WaysOut } from '#modules/goods/warnings/resolve-links.tsx'
import { WarningFigures } from '#modules/goods/warnings/warning-figures.tsx'
import type { Customisation } from '#web/engine/customisation.ts'

export const warningLook: Customisation = {
  of: 'warning',
  panels: [WaysOut],
  rowLink: row => <ToCause info={row} />,
  above: [WarningFigures],
}
