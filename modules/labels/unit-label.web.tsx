import { Typography } from 'antd'
import { TraceLink } from '#modules/trace/trace-link.tsx'
import type { Customisation } from '#web/engine/customise.ts'
import type { Row } from '#web/fields/face.ts'

const UnitTrace = ({ info }: { info: Row }) =>
  typeof info.code === 'string' && info.code !== '' ? <TraceLink code={info.code} label={`追溯 ${info.code}`} /> : null

/** Every print of its label, and why it was printed again. */
function PrintLog({ info }: { info: Row }) {
  const log = (info.print_log ?? []) as readonly string[]
  return log.length === 0 ? null : (
    <section aria-label="打印记录" style={{ marginTop: 20 }}>
      <Typography.Title level={5}>打印记录</Typography.Title>
      <ol style={{ paddingInlineStart: 20 }}>
        {log.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ol>
    </section>
  )
}

export const unitLabelLook: Customisation = { of: 'unitLabel', panels: [PrintLog, UnitTrace] }
