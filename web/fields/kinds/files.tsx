import { CloseOutlined, FileOutlined, PaperClipOutlined, UploadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useRefusal } from '#web/engine/actions/use-refusal.tsx'
import { useRef, useState } from 'react'
import { codesOf } from '#web/fields/parse-codes.ts'
import { type CellProps, type FieldFace, type InputProps, isEmpty, NOTHING } from '#web/fields/field-renderer.ts'
import { TextFilter } from '#web/fields/kinds/text.tsx'
import { currentSession } from '#web/engine/session/session.ts'
import { get, upload } from '#web/engine/http/request.ts'
import css from '#web/fields/kinds/files.module.css'

type Stored = { readonly name: string; readonly original_name: string; readonly size: number }
/** File types the server accepts, for the browser's file dialog. */
const ACCEPTED = '.png,.jpg,.jpeg,.gif,.webp,.pdf,.mp4,.xlsx,.xls,.csv,.docx,.doc'
/** Program packages, which only the platform offers. */
const PROGRAMS = ',.apk,.ipa,.exe,.msi'
const THUMBNAIL = 64
const isPicture = (name: string) => /\.(png|jpg|gif|webp)$/.test(name)

const text = ({ value }: CellProps): string => (isEmpty(value) ? NOTHING : `${codesOf(value).length}个文件`)

/** The original file names at upload. */
function useOriginalNames(names: readonly string[]): ReadonlyMap<string, string> {
  const asked = useQuery({
    queryKey: ['file', 'info', names],
    enabled: names.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await get<unknown, Stored>('/v1/file/info', { names: names.join(',') })).list,
  })
  return new Map((asked.data ?? []).map(file => [file.name, file.original_name]))
}

function FileChip({ name, title, onRemove }: { name: string; title: string; onRemove: (() => void) | null }) {
  return (
    <span className={css.chip} title={title}>
      <a href={`/file/${name}`} target="_blank" rel="noreferrer">
        {isPicture(name) ? (
          <img src={`/file/${name}-${THUMBNAIL}`} alt="" width={20} height={20} />
        ) : (
          <FileOutlined aria-hidden />
        )}
        <span>{title}</span>
      </a>
      {onRemove && (
        <button type="button" aria-label={`移除${title}`} onClick={onRemove}>
          <CloseOutlined />
        </button>
      )}
    </span>
  )
}

/** Files of a row: chosen or dropped, each uploaded at once; the row stores their names when saved. */
function FilesInput({ id, field, value, disabled, invalid, onChange }: InputProps) {
  const refuse = useRefusal()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const names = codesOf(value)
  const titles = useOriginalNames(names)
  const take = async (files: readonly File[]) => {
    setBusy(true)
    let all = [...names]
    try {
      for (const file of files) {
        const { info } = await upload<Stored>('/v1/file/upload', file)
        all = [...all, info.name]
        onChange(all)
      }
    } catch (thrown) {
      refuse(thrown)
    } finally {
      setBusy(false)
    }
  }
  return (
    <span
      className={css.files}
      data-invalid={invalid || undefined}
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault()
        if (!disabled) void take([...event.dataTransfer.files])
      }}
    >
      {names.map(name => (
        <FileChip
          key={name}
          name={name}
          title={titles.get(name) ?? name}
          onRemove={disabled ? null : () => onChange(names.filter(other => other !== name))}
        />
      ))}
      {disabled && names.length === 0 && <span className="faint">无附件</span>}
      {!disabled && (
        <Button id={id} size="small" icon={<UploadOutlined />} loading={busy} onClick={() => input.current?.click()}>
          上传
        </Button>
      )}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={currentSession()?.orgType === 'P' ? ACCEPTED + PROGRAMS : ACCEPTED}
        aria-label={`上传${field.label}`}
        onChange={event => {
          void take([...(event.target.files ?? [])])
          // Allows choosing the same file again after removal.
          event.target.value = ''
        }}
      />
    </span>
  )
}

/** In a list: the first picture as a thumbnail, so that goods are recognised by sight; other files as a count. */
function ListedFiles({ names }: { names: readonly string[] }) {
  const [first] = names
  const isSeen = first !== undefined && isPicture(first)
  return (
    <a className={css.listed} href={`/file/${first}`} target="_blank" rel="noreferrer" title={`${names.length}个文件`}>
      {isSeen ? (
        <img src={`/file/${first}-${THUMBNAIL}`} alt="" width={28} height={28} loading="lazy" />
      ) : (
        <PaperClipOutlined aria-hidden />
      )}
      {(!isSeen || names.length > 1) && <span>{names.length}个文件</span>}
    </a>
  )
}

export const filesFace: FieldFace = {
  text,
  width: 100,
  Cell: props => (isEmpty(props.value) ? <span>{NOTHING}</span> : <ListedFiles names={codesOf(props.value)} />),
  Input: FilesInput,
  Filter: TextFilter,
}
