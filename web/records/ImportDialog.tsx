import { DownloadOutlined, FileExcelOutlined } from '@ant-design/icons'
import { Alert, App, Button, Modal } from 'antd'
import { type DragEvent, useRef, useState } from 'react'
import type { AnyEntity } from '#kernel/entity.ts'
import { CallFailure, type Fault, isSilent, sentenceOf } from '#web/engine/failure.ts'
import { forget } from '#web/engine/query-client.ts'
import { upload } from '#web/engine/request.ts'
import css from '#web/records/Records.module.css'

const SHEETS = /\.xlsx?$/i
/** More than this nobody mends by hand from a list. */
const SHOWN = 200

/** Rows from Excel: all of them, or none and the reasons by row and column. */
export function ImportDialog({ definition, onClose }: { definition: AnyEntity; onClose: () => void }) {
  const { message } = App.useApp()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<{ readonly name: string; readonly faults: readonly Fault[] } | null>(null)
  const path = `/v1/business/${definition.kind}`

  const take = async (file: File | undefined) => {
    if (file === undefined) return
    if (!SHEETS.test(file.name)) return void message.warning('请选择 .xls 或 .xlsx 文件')
    setBusy(true)
    setRefused(null)
    try {
      const { info } = await upload<{ count: number }>(`${path}/import`, file)
      void message.success(`已导入 ${info.count} 行`)
      forget(definition.kind)
      onClose()
    } catch (thrown) {
      if (thrown instanceof CallFailure && thrown.problems.length > 0)
        setRefused({ name: file.name, faults: thrown.problems })
      else if (!isSilent(thrown)) void message.error(sentenceOf(thrown))
    } finally {
      setBusy(false)
    }
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    void take(event.dataTransfer.files[0])
  }
  return (
    <Modal open title={`导入${definition.title}`} width={600} footer={null} onCancel={onClose}>
      <p className={css.importLead}>
        <span className="faint">按模板填写，表头不要改动；有一行有误则全部不写入。</span>
        <Button type="link" icon={<DownloadOutlined />} href={`${path}/template`} download>
          下载模板
        </Button>
      </p>
      <button
        type="button"
        className={css.drop}
        disabled={busy}
        onClick={() => input.current?.click()}
        onDragOver={event => event.preventDefault()}
        onDrop={onDrop}
      >
        <FileExcelOutlined aria-hidden />
        <strong>{busy ? '正在导入…' : '选择或拖入文件'}</strong>
        <span className="faint">.xls、.xlsx</span>
      </button>
      <input
        ref={input}
        type="file"
        accept=".xls,.xlsx"
        hidden
        aria-label="选择要导入的文件"
        onChange={event => {
          void take(event.target.files?.[0])
          // The same file may be chosen again once it is mended.
          event.target.value = ''
        }}
      />
      {refused !== null && <Refused name={refused.name} faults={refused.faults} />}
    </Modal>
  )
}

function Refused({ name, faults }: { name: string; faults: readonly Fault[] }) {
  return (
    <>
      <Alert
        type="error"
        showIcon
        className={css.refused ?? ''}
        title={`${name} 有 ${faults.length} 处有误，没有写入任何数据。修正后请重新选择文件。`}
      />
      <div className={css.faults}>
        <table>
          <thead>
            <tr>
              <th>行</th>
              <th>列</th>
              <th>原因</th>
            </tr>
          </thead>
          <tbody>
            {faults.slice(0, SHOWN).map(fault => (
              <tr key={`${fault.row}${fault.column}${fault.msg}`}>
                <td>{fault.row ?? fault.line ?? '-'}</td>
                <td>{fault.column ?? fault.field ?? '-'}</td>
                <td>{fault.msg}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {faults.length > SHOWN && <p className="faint">另有 {faults.length - SHOWN} 处，未全部列出</p>}
      </div>
    </>
  )
}
