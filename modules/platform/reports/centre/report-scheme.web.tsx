import { Button, Select } from 'antd'
import { Link } from 'react-router'
import { reportOf, reports } from '#kernel/registry.ts'
import { conditionsOf } from '#modules/platform/reports/centre/filter-text.ts'
import type { Customisation } from '#web/engine/customisation.ts'
import { follow } from '#web/engine/http/download.ts'
import { useSession } from '#web/engine/session/session.ts'
import type { InputProps, Row } from '#web/fields/field-renderer.ts'
import { listAddressOf } from '#web/shell/menu/screen-index.ts'

/** The report of a scheme by name; a scheme created here chooses among all of them. */
function ReportInput({ id, value, onChange, disabled, field }: InputProps) {
  const org = useSession()?.orgType ?? 'P'
  const mine = reports().filter(report => report.screens.some(screen => screen.orgs.includes(org)))
  return (
    <Select
      id={id}
      aria-label={field.label}
      disabled={disabled}
      showSearch={{ optionFilterProp: 'label' }}
      style={{ width: '100%' }}
      value={typeof value === 'string' ? value : null}
      options={mine.map(({ kind, title }) => ({ value: kind, label: title }))}
      onChange={(kind: string) => onChange(kind, { query: null })}
    />
  )
}

/** The conditions in words; they are set on the report's page. */
function Conditions({ id, value, row }: InputProps) {
  const report = reportOf(String(row.report ?? ''))
  const words = report === undefined ? '' : conditionsOf(report, typeof value === 'string' ? value : null)
  return <span id={id}>{words === '' ? '没有条件' : words}</span>
}

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
  inputs: { report: ReportInput, query: Conditions },
  panels: [OpenReport],
  keepsQueries: {
    label: '保存查询方案',
    begin: (report, query) => ({ report, query, name: reportOf(report)?.title ?? '' }),
  },
}
export const exportTaskLook: Customisation = { of: 'exportTask', panels: [Download] }
