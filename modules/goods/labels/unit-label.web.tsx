import { FileTextOutlined } from '@ant-design/icons'
import { Button, Typography } from 'antd'
import { useNavigate } from 'react-router'
import { labelSheets } from '#kernel/print/label-formats.ts'
import { TraceLink } from '#modules/goods/trace/trace-link.tsx'
import type { Customisation } from '#web/engine/customisation.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { useMenu } from '#web/shell/menu/menu.ts'

const UnitTrace = ({ info }: { info: Row }) =>
  typeof info.code === 'string' && info.code !== '' ? <TraceLink code={info.code} label={`追溯 ${info.code}`} /> : null

/** Every print of its label, with the reason for reprints. */
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

const TEMPLATES = '/ptm/printManage'

/** A link to the label print templates, for users who have their page. */
function LabelTemplates() {
  const navigate = useNavigate()
  const { menu } = useMenu()
  if (!menu.groups.some(group => group.pages.some(page => page.route === TEMPLATES))) return null
  const query = new URLSearchParams({ sheet: labelSheets.map(({ route }) => route).join(',') })
  return (
    <Button
      icon={<FileTextOutlined />}
      style={{ alignSelf: 'flex-start', marginBlockEnd: 12 }}
      onClick={() => void navigate(`${TEMPLATES}?${query}`)}
    >
      标签模板
    </Button>
  )
}

export const unitLabelLook: Customisation = { of: 'unitLabel', panels: [PrintLog, UnitTrace], above: [LabelTemplates] }
