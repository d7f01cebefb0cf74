import { TraceLink } from '#modules/trace/trace-link.tsx'
import type { Customisation } from '#web/engine/customise.ts'
import type { Row } from '#web/fields/face.ts'

const LotTrace = ({ info }: { info: Row }) =>
  typeof info.lot_no === 'string' && info.lot_no !== '' ? (
    <TraceLink code={info.lot_no} label={`追溯批号 ${info.lot_no}`} />
  ) : null

export const stockBalanceLook: Customisation = { of: 'stockBalance', panels: [LotTrace] }
