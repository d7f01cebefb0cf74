import { CloseOutlined, UploadOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { useRef, useState } from 'react'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { upload } from '#web/engine/http/request.ts'
import fileCss from '#web/fields/kinds/files.module.css'

/** Scans uploaded before the form: their draft, and the original file names. */
export type Scans = {
  readonly draft: string
  readonly files: readonly { readonly name: string; readonly title: string }[]
}

const ACCEPTED = '.png,.jpg,.jpeg,.webp,.pdf'
const MOST = 5
const none: Scans = { draft: '', files: [] }

type Props = { readonly id?: string; readonly value?: Scans; readonly onChange?: (scans: Scans) => void }

/**
 * Scans of the licence, uploaded one by one as they are chosen; afterwards only the platform's auditor can see them.
 */
export function ScansField({ id, value = none, onChange }: Props) {
  const { message } = App.useApp()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const take = async (chosen: readonly File[]) => {
    setBusy(true)
    let now = value
    try {
      for (const file of chosen.slice(0, MOST - value.files.length)) {
        const path = `/v1/register/upload${now.draft === '' ? '' : `?draft=${now.draft}`}`
        const { info } = await upload<{ draft: string; name: string }>(path, file, { bare: true })
        now = { draft: info.draft, files: [...now.files, { name: info.name, title: file.name }] }
        onChange?.(now)
      }
      if (chosen.length > MOST - value.files.length) void message.warning(`证照扫描件最多${MOST}个`)
    } catch (thrown) {
      if (!isSilent(thrown)) void message.error(sentenceOf(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <span className={fileCss.files}>
      {value.files.map(({ name, title }) => (
        <span key={name} className={fileCss.chip} title={title}>
          <span>{title}</span>
          <button
            type="button"
            aria-label={`移除${title}`}
            onClick={() => onChange?.({ ...value, files: value.files.filter(each => each.name !== name) })}
          >
            <CloseOutlined />
          </button>
        </span>
      ))}
      {value.files.length < MOST && (
        <Button
          id={id ?? ''}
          size="small"
          icon={<UploadOutlined />}
          loading={busy}
          onClick={() => input.current?.click()}
        >
          上传
        </Button>
      )}
      <span className="faint">PDF或图片，每个不超过5MB</span>
      <input
        ref={input}
        type="file"
        multiple
        // The form's styles would show it despite `hidden`.
        style={{ display: 'none' }}
        accept={ACCEPTED}
        aria-label="上传证照扫描件"
        onChange={event => {
          void take([...(event.target.files ?? [])])
          // Allows choosing the same file again after removal.
          event.target.value = ''
        }}
      />
    </span>
  )
}
