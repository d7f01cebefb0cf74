import { Button } from 'antd'
import { Link } from 'react-router'
import { reportOf } from '#modules/registry.ts'
import type { Customisation } from '#web/engine/customise.ts'
import { follow } from '#web/engine/save-file.ts'
import { useSession } from '#web/engine/session.ts'
import type { Row } from '#web/fields/face.ts'
import { listAddressOf } from '#web/shell/screen-index.ts'

/** 打开报表: the report under the conditions of the scheme. */
function OpenReport({ info }: { info: Row }) {
  const org = useSession()?.orgType ?? 'P'
  const report = String(info.report)
  const query = Object.fromEntries(new URLSearchParams(String(info.query ?? '')))
  const to = reportOf(report) === undefined ? null : listAddressOf(report, org, query)
  return to === null ? null : (
    <p>
      <Link to={to}>打开报表</Link>
    </p>
  )
}

function Download({ info }: { info: Row }) {
  const file = typeof info.file_name === 'string' ? info.file_name : null
  return file === null ? null : (
    <p>
      <Button type="primary" onClick={() => follow(`/file/${file}`)}>
        下载文件
      </Button>
    </p>
  )
}

export const reportSchemeLook: Customisation = {
  of: 'reportScheme',
  panels: [OpenReport],
  keepsQueries: {
    label: '保存查询方案',
    begin: (report, query) => ({ report, query, name: reportOf(report)?.title ?? '' }),
  },
}
export const exportTaskLook: Customisation = { of: 'exportTask', panels: [Download] }
