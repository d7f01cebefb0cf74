import { DownloadOutlined } from '@ant-design/icons'
import { App, Button, Progress } from 'antd'
import { useRefusal } from '#web/engine/actions/use-refusal.tsx'
import { useEffect, useState } from 'react'
import { fetchFile, get, post } from '#web/engine/http/request.ts'
import { follow, saveFile } from '#web/engine/http/download.ts'
import { onBehalfOf } from '#web/engine/session/on-behalf.ts'

type Begun = { readonly address?: string; readonly job?: string; readonly rows_total?: number | null }
type Job = {
  readonly state: 'running' | 'done' | 'failed'
  readonly title: string
  readonly rows_done: number
  readonly rows_total: number | null
  readonly file_name: string | null
}
const LOOK_AGAIN_MS = 1_000

/**
 * Exports the list as filtered: a short one at once, a long one in the background. An expired session is renewed
 * before downloading.
 */
export function ExportButton({ address }: { address: string }) {
  const { notification } = App.useApp()
  const refuse = useRefusal()
  const [busy, setBusy] = useState(false)
  const begin = async () => {
    setBusy(true)
    try {
      const { info } = await post<Begun>('/v1/export', { address })
      // A link carries no header, so on behalf of an organisation the file is fetched by a call.
      if (info.job === undefined)
        return onBehalfOf() === null
          ? follow(info.address ?? address)
          : saveFile(await fetchFile(info.address ?? address))
      const key = `export-${info.job}`
      notification.info({
        key,
        title: '数据较多，正在后台导出',
        description: <ExportProgress job={info.job} />,
        duration: 0,
        placement: 'bottomRight',
      })
    } catch (thrown) {
      refuse(thrown)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={<DownloadOutlined />} loading={busy} onClick={() => void begin()}>
      导出
    </Button>
  )
}

/** Progress of the export, then the file. It continues when this is closed. */
function ExportProgress({ job }: { job: string }) {
  const [known, setKnown] = useState<Job | null>(null)
  const ended = known !== null && known.state !== 'running'
  useEffect(() => {
    if (ended) return
    const look = () =>
      void get<Job>('/v1/export/info', { sn: job }).then(
        ({ info }) => setKnown(info),
        () => null,
      )
    look()
    const timer = setInterval(look, LOOK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [job, ended])
  if (known?.state === 'failed') return <span>导出没有完成，请稍后重新导出。</span>
  if (known?.state === 'done')
    return (
      <span>
        {known.title}共 {known.rows_done} 行，已放入消息中心。
        <button type="button" className="link" onClick={() => follow(`/file/${known.file_name}`)}>
          下载
        </button>
      </span>
    )
  const total = known?.rows_total ?? null
  return (
    <span>
      {total !== null && known !== null && (
        <Progress percent={Math.floor((known.rows_done / total) * 100)} size="small" />
      )}
      已导出 {known?.rows_done ?? 0}
      {total === null ? '' : ` / ${total}`} 行，可继续其他工作，完成后在消息中心下载。
    </span>
  )
}
