import { DownloadOutlined, FileExcelOutlined } from '@ant-design/icons'
import { Alert, App, Button, Modal } from 'antd'
import { useRefusal } from '#web/engine/actions/use-refusal.tsx'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { CallFailure, type Fault } from '#web/engine/http/request-error.ts'
import { exchangeFile, fetchFile, upload } from '#web/engine/http/request.ts'
import { saveFile } from '#web/engine/http/download.ts'
import css from '#web/sheets/ImportDialog.module.css'

const SHEETS = /\.(xlsx?|csv)$/i
/** No one fixes more than this by hand from a list; the marked file has all of them. */
const SHOWN = 200

type Props<Info extends { readonly count: number }> = {
  readonly title: string
  /** The definition's calls: `…/template`, `…/import`, `…/importMarked`. */
  readonly path: string
  /** Fields sent with the file. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Location of its template, if not the kind's own. */
  readonly template?: string
  /** Preview of what a valid file would import. */
  readonly notified: (info: Info) => ReactNode
  /** Imports the file that was found valid. */
  readonly onTake: (file: File, info: Info) => Promise<void>
  readonly onClose: () => void
}
type RefusedFile = { readonly file: File; readonly faults: readonly Fault[] }
type Passed<Info> = { readonly file: File; readonly info: Info }

/** Rows from Excel: checked first, then either all imported, or none, with the reasons by row and column. */
export function ImportDialog<Info extends { readonly count: number }>(props: Props<Info>) {
  const { title, path, fields = {}, template = `${path}/template`, notified, onTake, onClose } = props
  const { message } = App.useApp()
  const refuse = useRefusal()
  const [busy, setBusy] = useState<string | null>(null)
  const [refused, setRefused] = useState<RefusedFile | null>(null)
  const [passed, setPassed] = useState<Passed<Info> | null>(null)
  const during = async (what: string, work: () => Promise<void>) => {
    setBusy(what)
    try {
      await work()
    } catch (thrown) {
      refuse(thrown)
    } finally {
      setBusy(null)
    }
  }
  const look = (file: File | undefined) => {
    if (file === undefined) return
    if (!SHEETS.test(file.name)) return void message.warning('请选择 .xls、.xlsx 或 .csv 文件')
    setRefused(null)
    setPassed(null)
    void during('正在检查…', async () => {
      try {
        const { info } = await upload<Info>(`${path}/import`, file, { fields: { ...fields, dry: true } })
        setPassed({ file, info })
      } catch (thrown) {
        if (!(thrown instanceof CallFailure) || thrown.problems.length === 0) throw thrown
        setRefused({ file, faults: thrown.problems })
      }
    })
  }
  return (
    <Modal open title={title} width={640} footer={null} onCancel={onClose}>
      <p className={css.importLead}>
        <span className="faint">按模板填写，表头不要改动；先逐行检查，有一行有误则全部不写入。</span>
        <Button
          type="link"
          icon={<DownloadOutlined />}
          onClick={() => void during('正在下载模板…', async () => saveFile(await fetchFile(template)))}
        >
          下载模板
        </Button>
      </p>
      <DropZone busy={busy} onFile={look} />
      {refused !== null && (
        <Faults
          {...refused}
          onMarked={() =>
            void during('正在标记…', async () =>
              saveFile(await exchangeFile(`${path}/importMarked`, refused.file, fields)),
            )
          }
        />
      )}
      {passed !== null && (
        <>
          <Alert
            type="success"
            showIcon
            className={css.passed ?? ''}
            title={`${passed.file.name} 检查通过`}
            description={notified(passed.info)}
          />
          <div className={css.foot}>
            <Button
              type="primary"
              loading={busy !== null}
              onClick={() =>
                void during('正在导入…', async () => {
                  await onTake(passed.file, passed.info)
                  onClose()
                })
              }
            >
              导入 {passed.info.count} 行
            </Button>
          </div>
        </>
      )}
    </Modal>
  )
}

function DropZone({ busy, onFile }: { busy: string | null; onFile: (file: File | undefined) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    onFile(event.dataTransfer.files[0])
  }
  return (
    <>
      <button
        type="button"
        className={css.drop}
        disabled={busy !== null}
        onClick={() => input.current?.click()}
        onDragOver={event => event.preventDefault()}
        onDrop={onDrop}
      >
        <FileExcelOutlined aria-hidden />
        <strong>{busy ?? '选择或拖入文件'}</strong>
        <span className="faint">.xls、.xlsx、.csv，最多 5000 行</span>
      </button>
      <input
        ref={input}
        type="file"
        accept=".xls,.xlsx,.csv"
        hidden
        aria-label="选择要导入的文件"
        onChange={event => {
          onFile(event.target.files?.[0])
          // Allows choosing the same file again after it was fixed.
          event.target.value = ''
        }}
      />
    </>
  )
}

function Faults({ file, faults, onMarked }: RefusedFile & { onMarked: () => void }) {
  return (
    <>
      <Alert
        type="error"
        showIcon
        className={css.refused ?? ''}
        title={`${file.name} 有 ${faults.length} 处有误，没有写入任何数据。修正后请重新选择文件。`}
        action={
          <Button size="small" icon={<DownloadOutlined />} onClick={onMarked}>
            下载标记错误的文件
          </Button>
        }
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
                <td>{fault.row === undefined ? '-' : `第${fault.row}行`}</td>
                <td>{fault.column || fault.field || '-'}</td>
                <td>{fault.msg}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {faults.length > SHOWN && <p className="faint">另有 {faults.length - SHOWN} 处，见标记错误的文件</p>}
      </div>
    </>
  )
}
