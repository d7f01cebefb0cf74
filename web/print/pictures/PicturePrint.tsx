import { App, Button, Checkbox, Result, Select, Spin } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { f } from '#kernel/definition/field.ts'
import { today } from '#kernel/values/date.ts'
import { askAction } from '#web/engine/actions/confirm-action.tsx'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { get } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import type { Row } from '#web/fields/field-renderer.ts'
import { Carrier } from '#web/print/labels/Barcode.tsx'
import {
  addressOfPicture,
  type Arrangement,
  arrangements,
  isOfOthers,
  keyOfPicture,
  markOf,
  MOST_PICTURES,
  namesIn,
  pageByPage,
  pagesOf,
  PATIENCE_MS,
  pdfsAmong,
  type Picture,
  picturesOf,
} from '#web/print/pictures/pictures.ts'
import { PrintShell } from '#web/print/PrintShell.tsx'
import css from '#web/print/pictures/picture-print.module.css'

const asked = { purpose: f.text('用途', { max: 40, unanswered: '请填写用途' }) }
type Known = { readonly pictures: readonly Picture[]; readonly needsPurpose: boolean }
type Stored = { readonly name: string; readonly original_name: string; readonly pages?: number }

const storedFiles = async (names: readonly string[]): Promise<readonly Stored[]> =>
  (await get<unknown, Stored>('/v1/file/info', { names: names.join(','), pages: '1' })).list

/** PDFs page by page. */
async function withPages(known: Known): Promise<Known> {
  const pdfs = pdfsAmong(known.pictures)
  if (pdfs.length === 0) return known
  const pages = new Map((await storedFiles(pdfs)).map(file => [file.name, file.pages ?? 0]))
  return { ...known, pictures: pageByPage(known.pictures, pages) }
}

/** Reads the pictures to print: the named files, or the pictures of a record. */
async function read(query: URLSearchParams, organisation: string): Promise<Known> {
  const [kind, sn] = [query.get('kind'), query.get('sn')]
  if (kind !== null && sn !== null) {
    const of = query.get('of_org_sn')
    const { info } = await get<Row>(`/v1/business/${kind}/info`, { sn, ...(of === null ? {} : { of_org_sn: of }) })
    return withPages({ pictures: picturesOf(kind, info, today()), needsPurpose: isOfOthers(info, organisation) })
  }
  const names = namesIn(query.get('files'))
  const list = await storedFiles(names)
  const titles = new Map(list.map(file => [file.name, file.original_name]))
  const pages = new Map(list.map(file => [file.name, file.pages ?? 0]))
  const plain = { page: null, facts: [], isExpired: false }
  const pictures = pageByPage(
    names.map(name => ({ ...plain, name, title: titles.get(name) ?? name })),
    pages,
  )
  // The owner of the pictures is not known here, so their purpose must always be entered.
  return { pictures, needsPurpose: true }
}

/** Scans and pictures at full size, with what they are for. */
export default function PicturePrint({ query }: { readonly query: URLSearchParams }) {
  const session = useSession()
  const organisation = session?.orgName ?? ''
  const known = useQuery({
    queryKey: ['pictures', query.toString()],
    retry: false,
    queryFn: () => read(query, session?.orgSn ?? ''),
  })
  if (known.isPending) return <Spin fullscreen description="正在准备打印……" />
  if (known.isError) return <Result status="warning" title="文件不存在或无权限" subTitle={sentenceOf(known.error)} />
  const { pictures, needsPurpose } = known.data
  if (pictures.length > MOST_PICTURES) return <Result status="warning" title={`一次最多打印${MOST_PICTURES}张图片`} />
  if (pictures.length === 0) return <Result status="warning" title="没有可以打印的图片" />
  return <Pictures {...{ pictures, needsPurpose, organisation, by: session?.name ?? '' }} />
}

type Props = Known & { readonly organisation: string; readonly by: string }

function Pictures({ pictures, needsPurpose, organisation, by }: Props) {
  const { modal } = App.useApp()
  const [arrangement, setArrangement] = useState<Arrangement>(1)
  const [isTurned, setTurned] = useState(false)
  const [isOriginal, setOriginal] = useState(false)
  const [purpose, setPurpose] = useState<string | null>(null)
  const loaded = useLoading(pictures)
  const isWide = useWide(pictures[0])
  const paper = isWide && arrangement === 1 ? 'A4L' : 'A4'
  const pages = useMemo(() => pagesOf(pictures, arrangement), [pictures, arrangement])
  const askPurpose = async () => {
    const fields = Object.entries(asked)
    const answer = await askAction(modal, {
      title: '打印用途',
      danger: false,
      fields,
      values: { purpose },
      reason: false,
    })
    if (answer === null) return false
    setPurpose(String(answer.purpose))
    return true
  }
  const onPrint = async () => (purpose !== null || !needsPurpose || (await askPurpose())) && (await loaded.all())
  const mark = purpose === null ? null : markOf(purpose, organisation, today())
  return (
    <PrintShell
      title={`图片打印　共${pictures.length}张`}
      papers={[paper]}
      onPrint={onPrint}
      tools={
        <>
          <Button onClick={() => void askPurpose()}>{purpose === null ? '填写用途' : `用途：${purpose}`}</Button>
          <Select
            aria-label="版式"
            value={arrangement}
            onChange={setArrangement}
            options={([1, 2, 4] as const).map(value => ({ value, label: arrangements[value] }))}
          />
          <Button onClick={() => setTurned(was => !was)}>旋转</Button>
          <Checkbox checked={isOriginal} onChange={event => setOriginal(event.target.checked)}>
            <span style={{ color: '#fff' }}>与原件一致</span>
          </Checkbox>
        </>
      }
    >
      {pages.map((page, at) => (
        <section
          key={keyOfPicture(page[0]!)}
          className={css.page}
          data-count={arrangement}
          style={paper === 'A4' ? { width: '210mm', height: '297mm' } : { width: '297mm', height: '210mm' }}
          aria-label={`第${at + 1}页`}
        >
          {page.map(picture => (
            <figure key={keyOfPicture(picture)} className={css.picture} style={{ margin: 0 }}>
              <div className={css.facts}>
                <strong>{picture.title}</strong>
                {picture.facts.map(([label, value]) => (
                  <span key={label}>
                    {label}：{value}
                  </span>
                ))}
                {purpose !== null && <span>用途：{purpose}</span>}
              </div>
              <div className={css.frame} data-turned={isTurned}>
                <Shown picture={picture} onSettled={loaded.settle} />
                {picture.isExpired && (
                  <div className={css.expired}>
                    <span>已过期</span>
                  </div>
                )}
                {mark !== null && (
                  <div className={css.mark}>
                    <span>{mark}</span>
                  </div>
                )}
              </div>
              <div className={css.foot}>
                <span>
                  打印：{by} {wallTime(new Date().toISOString())}　共{pictures.length}张
                </span>
                {isOriginal && <span className={css.seal}>与原件一致（公章）</span>}
                <Carrier as="qrcode" text={picture.name} height={10} />
              </div>
            </figure>
          ))}
        </section>
      ))}
    </PrintShell>
  )
}

/** The whole picture; one that cannot be read leaves an empty frame with its name, and the others print. */
function Shown({ picture, onSettled }: { readonly picture: Picture; readonly onSettled: (key: string) => void }) {
  const [isMissing, setMissing] = useState(false)
  if (isMissing)
    return (
      <div className={css.missing}>
        图片加载失败
        <br />
        {picture.title === picture.name ? picture.name : `${picture.title} ${picture.name}`}
      </div>
    )
  return (
    <img
      src={addressOfPicture(picture)}
      alt={picture.title}
      onLoad={() => onSettled(keyOfPicture(picture))}
      onError={() => {
        setMissing(true)
        onSettled(keyOfPicture(picture))
      }}
    />
  )
}

/** Waits until every picture is there or has failed, and no longer than half a minute. */
function useLoading(pictures: readonly Picture[]) {
  const settled = useRef(new Set<string>())
  const waiting = useRef<(() => void) | null>(null)
  const isDone = () => settled.current.size >= pictures.length
  return {
    settle: (key: string) => {
      settled.current.add(key)
      if (isDone()) waiting.current?.()
    },
    all: () =>
      new Promise<boolean>(resolve => {
        if (isDone()) return resolve(true)
        const timer = setTimeout(() => resolve(true), PATIENCE_MS)
        waiting.current = () => {
          clearTimeout(timer)
          resolve(true)
        }
      }),
  }
}

/** True if the first picture is wider than high: the paper follows it. */
function useWide(picture: Picture | undefined): boolean {
  const [isWide, setWide] = useState(false)
  useEffect(() => {
    if (picture === undefined) return
    const image = new Image()
    image.addEventListener('load', () => setWide(image.naturalWidth > image.naturalHeight))
    image.src = picture.page === null ? `/file/${picture.name}-200` : addressOfPicture(picture)
  }, [picture])
  return isWide
}
