import type { Customisation } from '#web/engine/customisation.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { CorrectCode } from '#web/scan/CorrectCode.tsx'

const scans: ReadonlySet<unknown> = new Set(['unmatched', 'unreadable'])
const open: ReadonlySet<unknown> = new Set(['waiting', 'working'])

/** 维护条码: from an unknown scan to the page where its code is registered. */
function ToBarcode({ info }: { info: Row }) {
  return scans.has(info.error_kind) && open.has(info.state) ? (
    <p>
      <CorrectCode code={String(info.object ?? '')} />
    </p>
  ) : null
}

export const errorRecordLook: Customisation = { of: 'errorRecord', panels: [ToBarcode] }
