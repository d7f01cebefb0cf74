import { LeftOutlined, RightOutlined, SwapOutlined } from '@ant-design/icons'
import { Button, Dropdown, Spin } from 'antd'
import { useState } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { ScreenView } from '#kernel/definition/screen.ts'
import { addDays, type Day, today } from '#kernel/values/date.ts'
import { type Query, usePage } from '#web/engine/page-context.ts'
import { isEmpty, type Row } from '#web/fields/field-renderer.ts'
import { faces } from '#web/fields/field-renderers.ts'
import { StateTag } from '#web/fields/StateTag.tsx'
import { useList } from '#web/list/page/use-list.ts'
import { listField } from '#web/list/table/column.ts'
import { type Lane, useLanes } from '#web/list/views/use-lanes.ts'
import { type Card, type Spot, useMoves } from '#web/list/views/use-moves.ts'
import { askedWeek, dayName, lanesOfRow, weekName } from '#web/list/views/week.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import css from '#web/list/views/WeekView.module.css'

type Props = {
  readonly definition: AnyDocument
  readonly view: ScreenView
  /** The fixed filters of the list. */
  readonly where: Query
  readonly may: (action: string) => boolean
  readonly onOpen: (row: Row) => void
}
type Board = ReturnType<typeof useMoves> & {
  readonly cards: readonly Card[]
  readonly lanes: readonly Lane[]
  readonly days: readonly Day[]
  readonly held: Card | null
  readonly hold: (card: Card | null) => void
}

/** Most rows of one week; a week of more is narrowed by a filter. */
const MOST = 200

/** The rows of a list as cards on the days of a week, in lanes where the view has them. */
export function WeekView({ definition, view, where, may, onOpen }: Props) {
  const { query } = usePage()
  const days = askedWeek(query.week)
  const asked = {
    ...query,
    [`begin_${view.at}`]: days[0]!,
    [`end_${view.at}`]: days.at(-1)!,
    pageNum: '1',
    pageSize: String(MOST),
    sort: view.at,
  }
  const list = useList(definition.kind, `/v1/business/${definition.kind}/list`, asked, where)
  const rows = list.data?.list ?? none
  const lanes = useLanes(view, rows)
  const moves = useMoves(definition, view, rows, may)
  const [held, hold] = useState<Card | null>(null)
  const cards = rows.flatMap(row =>
    lanesOfRow(view, row).flatMap(lane => {
      const spot = moves.placed(row, lane)
      return spot === null ? [] : [{ row, spot }]
    }),
  )
  const total = Number.isFinite(list.data?.total) ? list.data!.total! : rows.length
  const board = { ...moves, cards, lanes, days, held, hold }
  return (
    <div className={css.week}>
      <WeekBar days={days} total={total} busy={list.isFetching} />
      <div className={css.scroll}>
        <table className={css.table} aria-label={`${view.label}：${weekName(days)}`}>
          <thead>
            <tr>
              {view.lanes && <th className={css.lane} scope="col" aria-label={view.label} />}
              {days.map(day => (
                <th key={day} scope="col" data-today={day === today()}>
                  {dayName(day)}
                  <span className="faint">{new Set(onDayOf(cards, day)).size || ''}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lanes.map(lane => (
              <LaneRow key={lane.key} {...{ board, lane, view, definition, onOpen }} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
const none: readonly Row[] = []
const onDayOf = (cards: readonly Card[], day: Day) =>
  cards.filter(card => card.spot.day === day).map(card => String(card.row.id ?? card.row.sn))

function WeekBar({ days, total, busy }: { days: readonly Day[]; total: number; busy: boolean }) {
  const { setQuery } = usePage()
  const go = (day: Day) => setQuery({ week: day })
  return (
    <div className={css.bar}>
      <Button aria-label="上一周" icon={<LeftOutlined />} onClick={() => go(addDays(days[0]!, -7))} />
      <Button onClick={() => setQuery({ week: undefined })}>本周</Button>
      <Button aria-label="下一周" icon={<RightOutlined />} onClick={() => go(addDays(days[0]!, 7))} />
      <b>{weekName(days)}</b>
      <span className="faint">共{total}张</span>
      {total > MOST && <span className={css.more}>只显示前{MOST}张，请用筛选缩小范围</span>}
      {busy && <Spin size="small" />}
    </div>
  )
}

type InLane = Omit<Props, 'where' | 'may'> & { readonly board: Board; readonly lane: Lane }

function LaneRow({ board, lane, ...rest }: InLane) {
  const { cards, days, held, hold, accepts, move } = board
  const isEmptyLane = !cards.some(card => card.spot.lane === lane.key)
  return (
    <tr data-empty={isEmptyLane}>
      {rest.view.lanes && (
        <th className={css.lane} scope="row" data-nobody={lane.key === ''}>
          {lane.name}
        </th>
      )}
      {days.map(day => {
        const spot: Spot = { lane: lane.key, day }
        const takes = held !== null && accepts(held, spot)
        return (
          <td
            key={day}
            data-takes={takes}
            onDragOver={event => takes && event.preventDefault()}
            onDrop={event => {
              event.preventDefault()
              hold(null)
              if (takes) void move(held, spot)
            }}
          >
            {cards
              .filter(card => card.spot.lane === lane.key && card.spot.day === day)
              .map(card => (
                <CardFace key={String(card.row.id ?? card.row.sn)} {...{ board, card, ...rest }} />
              ))}
          </td>
        )
      })}
    </tr>
  )
}

type FaceProps = Omit<InLane, 'lane'> & { readonly card: Card }

function CardFace({ board, card, view, definition, onOpen }: FaceProps) {
  const { row } = card
  const isMovable = board.isMovable(row)
  return (
    <article
      className={css.card}
      data-state={String(row.state)}
      data-moving={board.isMoving(row)}
      draggable={isMovable}
      onDragStart={event => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', String(row.sn))
        board.hold(card)
      }}
      onDragEnd={() => board.hold(null)}
    >
      <header>
        <b>{wallTime(row[view.at]).slice(11)}</b>
        <StateTag definition={definition} state={String(row.state)} named={row.state_name} row={row} />
        {isMovable && <MoveTo {...{ board, card, view }} />}
      </header>
      <button type="button" className={css.open} onClick={() => onOpen(row)}>
        {view.shows
          .map(name => ({ name, field: listField(definition, name) }))
          .filter(({ name }) => !isEmpty(row[name]))
          .map(({ name, field }) => (
            <span key={name} title={field.label}>
              {faces[field.as].text({ field, name, value: row[name], row })}
            </span>
          ))}
        <span className="mono faint">{String(row.sn)}</span>
      </button>
    </article>
  )
}

/** Every place to which a card may be moved, for users without a mouse. */
function MoveTo({ board, card, view }: Pick<FaceProps, 'board' | 'card' | 'view'>) {
  const spots = board.lanes
    .flatMap(lane => board.days.map(day => ({ lane, day })))
    .filter(({ lane, day }) => board.accepts(card, { lane: lane.key, day }))
  const nameOf = ({ lane, day }: (typeof spots)[number]) => (lane.key === card.spot.lane ? dayName(day) : lane.name)
  const items = spots.map((spot, at) => ({ key: String(at), label: nameOf(spot) }))
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: items.length > 0 ? items : [{ key: 'none', label: '没有可改到的地方', disabled: true }],
        onClick: ({ key }) => {
          const spot = spots[Number.parseInt(key, 10)]
          if (spot) void board.move(card, { lane: spot.lane.key, day: spot.day })
        },
      }}
    >
      <button
        type="button"
        className={css.move}
        aria-label={`${view.lanes ? '改派' : '改期'}${String(card.row.sn)}`}
        title={view.lanes ? '改派（也可以拖动）' : '改期（也可以拖动）'}
      >
        <SwapOutlined />
      </button>
    </Dropdown>
  )
}
