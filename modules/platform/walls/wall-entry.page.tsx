import { CaretRightOutlined, CopyOutlined, ExportOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { App, Button, Checkbox, DatePicker, InputNumber, Select, Skeleton } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import type { WallDefinition } from '#kernel/wall/wall-definition.ts'
import { walls } from '#kernel/registry.ts'
import { minuteOf, today } from '#kernel/values/date.ts'
import css from '#modules/platform/walls/WallEntry.module.css'
import { get } from '#web/engine/http/request.ts'
import { usePage } from '#web/engine/page-context.ts'
import { useSession } from '#web/engine/session/session.ts'
import { Failed } from '#web/list/page/EmptyState.tsx'
import { DWELL, rangeOf } from '#web/wall/wall-address.ts'
import { readEntry, saveEntry, type EntryChoice } from '#modules/platform/walls/entry-choice.web.ts'

type Organisation = { readonly org_sn: string; readonly code: string; readonly name: string }
type Entry = { readonly organisations: readonly Organisation[] }
type Asked = { readonly org: string | undefined; readonly begin: string; readonly end: string }

const EVERYONE = '全平台'
const addressOf = (
  { screen }: WallDefinition,
  { org, begin, end }: Asked,
  more: Readonly<Record<string, string>> = {},
) => `${screen.route}?${new URLSearchParams({ ...(org === undefined ? {} : { org }), begin, end, ...more })}`

/** 大屏入口: every wall that the user may open, alone or in turn with others. */
export default function WallEntryPage() {
  const page = usePage()
  const session = useSession()
  const month = rangeOf('month', today())
  const [asked, setAsked] = useState<Asked>({ org: undefined, ...month })
  const [choice, setChoice] = useState<EntryChoice>(readEntry)
  const entry = useQuery({
    queryKey: ['walls'],
    queryFn: ({ signal }) => get<Entry, { kind: string }>('/v1/business/walls', {}, { signal }),
  })
  const keep = (patch: Partial<EntryChoice>) => setChoice(saveEntry(patch))
  // A wall of one row is opened from the wall above it.
  const open = walls().filter(
    ({ kind, overview }) => overview === undefined && entry.data?.list.some(each => each.kind === kind),
  )
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{page.screen.title}</h1>
        <p>{page.screen.purpose}</p>
      </header>
      {entry.isPending && <Skeleton active />}
      {entry.isError && <Failed thrown={entry.error} onRetry={() => void entry.refetch()} />}
      {entry.data !== undefined && (
        <>
          <Choosing
            asked={asked}
            onAsk={setAsked}
            organisations={session?.orgType === 'P' ? entry.data.info.organisations : null}
          />
          <Turning asked={asked} choice={choice} open={open} onKeep={keep} />
          <ul className={css.tiles}>
            {open.map(wall => (
              <Tile key={wall.kind} wall={wall} asked={asked} choice={choice} onKeep={keep} />
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

type ChoosingProps = {
  readonly asked: Asked
  readonly onAsk: (asked: Asked) => void
  /** Null: one's own figures alone. */
  readonly organisations: readonly Organisation[] | null
}

function Choosing({ asked, onAsk, organisations }: ChoosingProps) {
  return (
    <div className={css.choosing}>
      {organisations !== null && (
        <label>
          机构
          <Select
            aria-label="机构"
            showSearch={{ optionFilterProp: 'label' }}
            style={{ width: 280 }}
            value={asked.org ?? ''}
            onChange={org => onAsk({ ...asked, org: org === '' ? undefined : org })}
            options={[
              { value: '', label: EVERYONE },
              ...organisations.map(({ org_sn, name }) => ({ value: org_sn, label: name })),
            ]}
          />
        </label>
      )}
      <label>
        数据日期范围
        <DatePicker.RangePicker
          aria-label="数据日期范围"
          allowClear={false}
          value={[dayjs(asked.begin), dayjs(asked.end)]}
          onChange={days => {
            const [begin, end] = days ?? []
            if (begin && end) onAsk({ ...asked, begin: begin.format('YYYY-MM-DD'), end: end.format('YYYY-MM-DD') })
          }}
        />
      </label>
    </div>
  )
}

type TurningProps = {
  readonly asked: Asked
  readonly choice: EntryChoice
  readonly open: readonly WallDefinition[]
  readonly onKeep: (patch: Partial<EntryChoice>) => void
}

/** 轮播播放: the ticked walls in turn, each for its seconds. */
function Turning({ asked, choice, open, onKeep }: TurningProps) {
  const { message } = App.useApp()
  const ticked = open.filter(({ kind }) => choice.ticked.includes(kind))
  const start = () => {
    const [first] = ticked
    if (first === undefined) return void message.warning('请勾选参与轮播的大屏')
    if (choice.dwell < DWELL.least || choice.dwell > DWELL.most) return void message.error('停留时间须在10到600秒之间')
    const carousel = ticked.map(({ kind }) => kind).join(',')
    window.open(addressOf(first, asked, { carousel, dwell: String(choice.dwell) }), '_blank', 'noopener')
  }
  return (
    <div className={css.turning}>
      <Button type="primary" icon={<CaretRightOutlined />} onClick={start}>
        轮播播放
      </Button>
      <label>
        轮播停留(秒)
        <InputNumber
          aria-label="轮播停留(秒)"
          value={choice.dwell}
          precision={0}
          onChange={dwell => onKeep({ dwell: dwell ?? DWELL.preset })}
        />
      </label>
      <span className={css.ticked}>已勾选 {ticked.length} 个大屏</span>
    </div>
  )
}

type TileProps = Pick<TurningProps, 'asked' | 'choice' | 'onKeep'> & { readonly wall: WallDefinition }

function Tile({ wall, asked, choice, onKeep }: TileProps) {
  const { message } = App.useApp()
  const { kind, screen, refresh, cards } = wall
  const address = addressOf(wall, asked)
  const opened = choice.opened[kind]
  const isTicked = choice.ticked.includes(kind)
  const openIt = () => {
    onKeep({ opened: { ...choice.opened, [kind]: new Date().toISOString() } })
    window.open(address, '_blank', 'noopener')
  }
  const copy = async () => {
    await navigator.clipboard.writeText(new URL(address, location.origin).href)
    void message.success('链接已复制')
  }
  return (
    <li className={css.tile}>
      <button type="button" className={css.picture} aria-label={`打开${screen.title}`} onClick={openIt}>
        {cards.map(({ name, at: [column, row, width, height] }) => (
          <i key={name} style={{ gridArea: `${row + 1} / ${column + 1} / span ${height} / span ${width}` }} />
        ))}
      </button>
      <h2>{screen.title}</h2>
      <p>{screen.purpose}</p>
      <small>
        每{refresh}秒刷新{opened === undefined ? '' : `，最近打开 ${minuteOf(new Date(opened))}`}
      </small>
      <div className={css.actions}>
        <Button type="primary" icon={<ExportOutlined />} onClick={openIt}>
          打开大屏
        </Button>
        <Button icon={<CopyOutlined />} onClick={() => void copy()}>
          复制链接
        </Button>
        <Checkbox
          checked={isTicked}
          onChange={({ target }) =>
            onKeep({ ticked: target.checked ? [...choice.ticked, kind] : choice.ticked.filter(name => name !== kind) })
          }
        >
          轮播
        </Checkbox>
      </div>
    </li>
  )
}
