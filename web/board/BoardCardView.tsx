import { TableOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { Button, Segmented, Skeleton, Tooltip } from 'antd'
import { lazy, Suspense, useId, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { type BoardCard, type BoardDefinition, type BoardMeasure, boardGrains } from '#kernel/wall/board-definition.ts'
import { type BoardRow, NOW } from '#kernel/wall/board-table.ts'
import { MASKED } from '#kernel/wall/wall-definition.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { toDecimal } from '#web/board/board-length.ts'
import { listBehind } from '#web/board/board-lists.ts'
import { cardAsked, crossed, crossesOf, down, pathOf, up } from '#web/board/board-state.ts'
import { changeIn, exactText, shortText } from '#web/board/board-text.ts'
import { chosenRow, pictureOf, type TrendShape } from '#web/board/card-picture.ts'
import { CardTable } from '#web/board/CardTable.tsx'
import { Figures } from '#web/board/Figures.tsx'
import { type CardTable as Known, grainOf, useCard } from '#web/board/use-card.ts'
import css from '#web/board/Board.module.css'
import { loadChunk } from '#web/engine/http/load-chunk.ts'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { type Query, usePage } from '#web/engine/page-context.ts'

const PictureChart = lazy(() => loadChunk(() => import('#web/charts/pictures/PictureChart.tsx')))

type Props = {
  readonly board: BoardDefinition
  readonly card: BoardCard
  readonly org: OrgType
  readonly measures: readonly BoardMeasure[]
}

/** A card of a board: its picture or its table, what it may be switched to, and the way down and up. */
export function BoardCardView({ board, card, org, measures }: Props) {
  const id = useId()
  const { query, setQuery } = usePage()
  const [shape, setShape] = useState<TrendShape>('line')
  const own = cardAsked(board, org, card, query)
  // Squares of a calendar are days.
  const asked = card.draws.form === 'trend' && shape === 'days' ? { ...own, grain: 'day' } : own
  const { known, data, error, isFetching, refetch } = useCard(board, card, org, asked, measures)
  const [asTable, setAsTable] = useState(false)
  const isFigures = card.draws.form === 'figures'
  const answers = Object.values(data?.answers ?? {})
  const withheld = answers.flatMap(answer => answer.withheld ?? [])
  const isNone = withheld.length > 0 && withheld.length === answers.length
  return (
    <section
      className={css.card}
      style={{ '--width': card.width } as Record<string, number>}
      aria-labelledby={id}
      data-card={card.name}
    >
      <header className={css.cardHead}>
        <Tooltip title={card.hint}>
          <h2 id={id}>{card.title}</h2>
        </Tooltip>
        {card.draws.form === 'trend' && !asTable && (
          <TrendChoices shape={shape} onShape={setShape} asked={asked} onChange={setQuery} />
        )}
        <CardLinks known={known} />
        <Button
          size="small"
          type="text"
          aria-pressed={asTable}
          aria-label={`${card.title}${asTable ? '图形' : '表格'}`}
          title={asTable ? '图形' : '表格'}
          icon={<TableOutlined />}
          onClick={() => setAsTable(was => !was)}
        />
      </header>
      {card.draws.form === 'tree' && <Trail query={query} onUp={levels => setQuery(up(pathOf(query), levels))} />}
      <div className={isFigures ? css.numbers : css.body} aria-busy={isFetching}>
        {error !== null && !isFetching ? (
          <p className={css.failed} role="alert">
            {sentenceOf(error)}
            <Button size="small" onClick={() => void refetch()}>
              重试
            </Button>
          </p>
        ) : known === null ? (
          <Skeleton active paragraph={{ rows: isFigures ? 1 : 5 }} title={false} />
        ) : isNone ? (
          <p className="quiet">{withheld[0]}</p>
        ) : isFigures && !asTable ? (
          <Figures
            read={known.read}
            table={known.table}
            ignored={data?.ignored ?? {}}
            listOf={row => listBehind(known.read, known.table, row)}
          />
        ) : (
          <CardBody board={board} card={card} known={known} query={query} asTable={asTable} shape={shape} />
        )}
      </div>
      {!isNone && withheld[0] !== undefined && <p className={css.partly}>{withheld[0]}</p>}
      {!isFigures && known !== null && known.ignored.length > 0 && (
        <p className={css.partly}>不受{known.ignored.join('、')}筛选</p>
      )}
    </section>
  )
}

function CardLinks({ known }: { readonly known: Known | null }) {
  const navigate = useNavigate()
  if (known === null || known.read.card.draws.form === 'figures') return null
  const list = listBehind(known.read, known.table, null)
  return list === null ? null : (
    <Button
      size="small"
      type="text"
      aria-label={`${known.read.card.title}明细`}
      title="明细"
      icon={<UnorderedListOutlined />}
      onClick={() => void navigate(list)}
    />
  )
}

const shapes = { line: '折线', bars: '柱形', days: '日历' } as const

type TrendProps = {
  readonly shape: TrendShape
  readonly onShape: (shape: TrendShape) => void
  readonly asked: Query
  readonly onChange: (patch: Readonly<Record<string, string | undefined>>) => void
}

/** The switches of the trend: its periods, and how it is drawn. */
function TrendChoices({ shape, onShape, asked, onChange }: TrendProps) {
  return (
    <>
      {shape !== 'days' && (
        <Segmented
          size="small"
          aria-label="周期"
          value={grainOf(asked)}
          options={Object.entries(boardGrains).map(([value, label]) => ({ value, label }))}
          onChange={grain => onChange({ grain: String(grain) })}
        />
      )}
      <Segmented
        size="small"
        aria-label="图形"
        value={shape}
        options={Object.entries(shapes).map(([value, label]) => ({ value, label }))}
        onChange={chosen => onShape(chosen as TrendShape)}
      />
    </>
  )
}

/** 返回: the way up from a level of the tree. */
function Trail({ query, onUp }: { readonly query: Query; readonly onUp: (levels: number) => void }) {
  const path = pathOf(query)
  if (path.length === 0) return null
  return (
    <nav className={css.trail} aria-label="层级">
      <Button size="small" onClick={() => onUp(path.length - 1)}>
        返回
      </Button>
      <button type="button" onClick={() => onUp(0)}>
        全部
      </button>
      {path.map(({ value, text }, at) => (
        <button key={value} type="button" disabled={at === path.length - 1} onClick={() => onUp(at + 1)}>
          {text}
        </button>
      ))}
    </nav>
  )
}

type BodyProps = {
  readonly board: BoardDefinition
  readonly card: BoardCard
  readonly known: Known
  readonly query: Query
  readonly asTable: boolean
  readonly shape: TrendShape
}

function CardBody({ board, card, known, query, asTable, shape }: BodyProps) {
  const navigate = useNavigate()
  const { setQuery } = usePage()
  const { read, table } = known
  const picture = useMemo(() => pictureOf(card, table, shape), [card, table, shape])
  const own = crossesOf(board, query).find(cross => cross.card === card.name)
  const chosen = chosenRow(table, own?.value)
  const filterOf = (row: BoardRow): string | null => {
    if (row.key === null || table.level === null) return null
    // The counterparty of a sale is a customer, that of a purchase a supplier.
    if (card.draws.form === 'map') return card.draws.flows.find(({ of }) => of === row.of)?.other.filter ?? null
    return table.level.filter
  }
  const pick = (at: number) => {
    const row = table.rows[at]
    const filter = row === undefined ? null : filterOf(row)
    if (row === undefined || filter === null) return
    const text = card.draws.form === 'map' ? (row.label.split(' → ')[row.of === 'in' ? 0 : 1] ?? row.label) : row.label
    setQuery(crossed(query, { card: card.name, filter, value: row.key!, text }))
  }
  const drill = (at: number) => {
    const row = table.rows[at]
    if (row === undefined) return
    const { levels } = read.choice.measure
    if (card.draws.form === 'tree' && read.choice.level < levels.length - 1 && row.key !== null)
      return setQuery(down(pathOf(query), { filter: table.level!.filter, value: row.key, text: row.label }))
    const list = listBehind(read, table, row)
    if (list !== null) void navigate(list)
  }
  const [first] = table.columns
  const measure = table.columns.find(({ name }) => name === NOW) ?? first!
  if (table.rows.some(({ cells }) => cells[measure.name] === MASKED) && !asTable)
    return <p className={css.nothing}>{MASKED} 没有查看金额的权限</p>
  const canPick = table.level !== null
  if (asTable)
    return (
      <CardTable
        label={`${card.title}表格`}
        table={table}
        against={read.choice.against}
        chosen={chosen}
        onPick={canPick ? pick : null}
        listOf={row => listBehind(read, table, row)}
      />
    )
  if (picture === null) return <p className={css.nothing}>所选范围没有数据</p>
  const sayRow = (at: number): string => {
    const row = table.rows[at]
    if (row === undefined) return ''
    const said = table.columns.map(({ name, label, as }) =>
      name === 'change'
        ? `${label} ${changeIn(row, read.choice.against, measure.as)}`
        : `${label} ${exactText(row.cells[name], as)}`,
    )
    return [row.label, ...said].join('\n')
  }
  const keys = `方向键选择${canPick ? '，回车筛选其他卡片' : ''}，Ctrl+回车${card.draws.form === 'tree' ? '下钻' : '打开明细'}`
  return (
    <Suspense fallback={<Skeleton active />}>
      <PictureChart
        picture={picture}
        label={`${card.title}图：${keys}；数字见表格`}
        say={value => shortText(toDecimal(value), measure.as)}
        sayRow={sayRow}
        chosen={chosen}
        onPick={canPick ? pick : undefined}
        onDrill={drill}
      />
    </Suspense>
  )
}
