import { TraceLink } from '#modules/trace/trace-link.tsx'
import type { Customisation } from '#web/engine/customise.ts'
import type { Row } from '#web/fields/face.ts'

const UnitTrace = ({ info }: { info: Row }) =>
  typeof info.code === 'string' && info.code !== '' ? <TraceLink code={info.code} label={`追溯 ${info.code}`} /> : null

export const unitLabelLook: Customisation = { of: 'unitLabel', panels: [UnitTrace] }
