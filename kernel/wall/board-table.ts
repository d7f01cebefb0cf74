import {
  type BoardCard,
  type BoardChoice,
  type BoardDefinition,
  type BoardDrawing,
  type BoardFigure,
  type BoardLevel,
  type BoardPart,
  figuresFor,
  stepsWithin,
} from '#kernel/wall/board-definition.ts'
import { type Answer, MASKED, type Row, STEP } from '#kernel/wall/wall-definition.ts'
import { againstLabels, changeOf, type Range } from '#kernel/values/comparison.ts'
import { shareOf } from '#kernel/values/big-number.ts'
import { type Decimal, isDecimal, subtract, sum } from '#kernel/values/decimal.ts'

/** The kind as which a figure of a board is shown and exported. */
export type BoardKind = BoardFigure['as'] | 'text'
export type BoardColumn = { readonly name: string; readonly label: string; readonly as: BoardKind }

/** A row of a card's table: its name, how filters know it, its figures, and the row it was read from. */
export type BoardRow = {
  readonly label: string
  /** The value of the card's filter; null: nothing to filter by. */
  readonly key: string | null
  readonly cells: Readonly<Record<string, string | null>>
  /** The kind of its figures, where it differs from the column's: a table with a figure in each row. */
  readonly as?: BoardKind
  /** The reading it is of: the list behind it is asked for as that was. */
  readonly of: string
  readonly row: Row
}

/** The content of a card as a table: the picture of the card has the same rows. */
export type BoardTable = {
  readonly head: string
  readonly columns: readonly BoardColumn[]
  readonly rows: readonly BoardRow[]
  /** The filter by which a row narrows the other cards. */
  readonly level: BoardLevel | null
}

type Answers = Readonly<Record<string, Answer>>
export type CardRead = {
  readonly board: BoardDefinition
  readonly card: BoardCard
  readonly choice: BoardChoice
  readonly answers: Answers
  readonly days: Range
  readonly compared: Range | null
  /** The place of the reader's own organisation. */
  readonly place: { readonly name: string; readonly division_name: string } | null
}

const UNNAMED = '未指定'
/** The column of the figure that a picture draws, and of what it is compared with. */
export const NOW = 'now'
export const BEFORE = 'before'
export const CHANGE = 'change'

/** The periods of a chart over time: clicking one narrows the days. */
export const STEP_LEVEL: BoardLevel = { label: '期间', name: STEP, key: STEP, filter: STEP }

const isFigure = (value: string | null | undefined): value is Decimal =>
  typeof value === 'string' && isDecimal(value, 8)
const cellOf = (row: Row | undefined, column: string): string | null => row?.[column] ?? null
const rowsOf = (answers: Answers, of: string): readonly Row[] => answers[of]?.rows ?? []

/** The rows of the comparison that the reader asked for: the earlier values. */
const beforeOf = ({ answers, choice }: CardRead, of: string): readonly Row[] =>
  (choice.against === null ? undefined : answers[of]?.before[choice.against]) ?? []

/** The change of a figure: rates in points, all others as a share of the former value. */
export function changed(now: string | null, before: string | null, as: BoardKind): Decimal | null {
  if (!isFigure(now) || !isFigure(before)) return null
  return changeOf(now, before, as)
}

/** The kind as which a column of a reading is shown. */
function kindOf({ card, choice, board }: CardRead, of: string, column: string): BoardKind {
  const reading = card.reads[of] ?? figuresFor(board, choice.org).find(({ name }) => name === of)?.reading
  const field = reading?.of.columns[column]
  if (reading?.rates && column in reading.rates) return 'rate'
  if (field?.as === 'amount' || field?.as === 'price') return 'amount'
  return field?.as === 'quantity' ? 'quantity' : 'count'
}

const measured = ({ choice: { measure } }: CardRead): BoardColumn => {
  const as = measure.reading.of.columns[measure.column]?.as
  return { name: NOW, label: measure.label, as: as === 'amount' ? 'amount' : as === 'quantity' ? 'quantity' : 'count' }
}

/** The columns of a comparison, where one was asked for. */
function comparison({ choice }: CardRead, as: BoardKind): readonly BoardColumn[] {
  if (choice.against === null) return []
  return [
    { name: BEFORE, label: choice.against === 'previous' ? '上期' : '去年同期', as },
    { name: CHANGE, label: againstLabels[choice.against], as: 'rate' },
  ]
}

const compare = (now: string | null, before: string | null, as: BoardKind) => ({
  [NOW]: now,
  [BEFORE]: before,
  [CHANGE]: now === MASKED ? MASKED : changed(now, before, as),
})

function figureTable(read: CardRead): BoardTable {
  const rows = figuresFor(read.board, read.choice.org).map((figure): BoardRow => {
    const { name, label, column = '', as, isNow } = figure
    const now = cellOf(rowsOf(read.answers, name)[0], column)
    const before = isNow ? null : cellOf(beforeOf(read, name)[0], column)
    return { label, key: null, cells: compare(now, before, as), as, of: name, row: {} }
  })
  return {
    head: '指标',
    columns: [{ name: NOW, label: '数值', as: 'count' }, ...comparison(read, 'count')],
    rows,
    level: null,
  }
}

function trendTable(read: CardRead, grain: BoardChoice['grain']): BoardTable {
  const measure = measured(read)
  const { column } = read.choice.measure
  const byStep = (rows: readonly Row[]) => new Map(rows.map(row => [row[STEP], row]))
  const [now, before] = [byStep(rowsOf(read.answers, 'all')), byStep(beforeOf(read, 'all'))]
  const earlier = read.compared === null ? [] : stepsWithin(read.compared, grain)
  // A sum of nothing is nothing, and no gap; money that is hidden stays hidden.
  const nothing = [...now.values(), ...before.values()].some(row => row[column] === MASKED) ? MASKED : '0'
  const rows = stepsWithin(read.days, grain).map((step, at): BoardRow => {
    const known = now.get(step)
    const was = earlier[at] === undefined ? null : (cellOf(before.get(earlier[at]), column) ?? nothing)
    const cells = compare(cellOf(known, column) ?? nothing, was, measure.as)
    return { label: step, key: step, cells, of: 'all', row: { ...known, [STEP]: step } }
  })
  return { head: '期间', columns: [measure, ...comparison(read, measure.as)], rows, level: STEP_LEVEL }
}

const nameOf = (row: Row, { name }: BoardLevel): string => row[name] || UNNAMED

function levelTable(read: CardRead, level: BoardLevel, isRanking: boolean): BoardTable {
  const measure = measured(read)
  const { column } = read.choice.measure
  const before = new Map(beforeOf(read, 'all').map(row => [row[level.key] ?? row[level.name], row]))
  const all = rowsOf(read.answers, 'all')
  const whole = sum(
    all.flatMap(row => (isFigure(row[column]) ? [row[column] as Decimal] : [])),
    4,
  )
  const rows = all.map((row): BoardRow => {
    const now = cellOf(row, column)
    const share = isFigure(now) ? shareOf(now, whole) : now
    const cells = isRanking
      ? compare(now, cellOf(before.get(row[level.key] ?? row[level.name]), column), measure.as)
      : { [NOW]: now, share }
    return { label: nameOf(row, level), key: row[level.key] || null, cells, of: 'all', row }
  })
  const beside: readonly BoardColumn[] = isRanking
    ? comparison(read, measure.as)
    : [{ name: 'share', label: '占比', as: 'rate' }]
  return { head: level.label, columns: [measure, ...beside], rows, level }
}

const PROVINCE =
  /^(北京|天津|上海|重庆|河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州|云南|陕西|甘肃|青海|台湾|内蒙古|广西|西藏|宁夏|新疆|香港|澳门)/
/** The short name of the province that a division is in; null where it says none. */
export const provinceOf = (division: string | null | undefined): string | null =>
  PROVINCE.exec(division ?? '')?.[1] ?? null

function mapTable(read: CardRead, { flows, value }: Extract<BoardDrawing, { form: 'map' }>): BoardTable {
  const own = provinceOf(read.place?.division_name)
  const rows = flows.flatMap(({ of, from, to, other, pair }) =>
    rowsOf(read.answers, of).map((row): BoardRow => {
      const name = nameOf(row, other)
      const home = read.place?.name ?? ''
      const [giver, taker] = pair
        ? [row[pair[0]] ?? UNNAMED, row[pair[1]] ?? UNNAMED]
        : from === null
          ? [home, name]
          : [name, home]
      return {
        label: `${giver} → ${taker}`,
        key: row[other.key] || null,
        cells: {
          [NOW]: cellOf(row, value),
          from: from === null ? own : provinceOf(row[from]),
          to: to === null ? own : provinceOf(row[to]),
        },
        of,
        row,
      }
    }),
  )
  return {
    head: '流向',
    columns: [
      { name: 'from', label: '发出地区', as: 'text' },
      { name: 'to', label: '收货地区', as: 'text' },
      { name: NOW, label: '件数', as: 'quantity' },
    ],
    rows,
    level: flows[0]!.other,
  }
}

function scatterTable(read: CardRead, draws: Extract<BoardDrawing, { form: 'scatter' }>): BoardTable {
  const { of, level, across, up, expiry } = draws
  const all = rowsOf(read.answers, of)
  const seen = up.find(name => all.every(row => row[name] !== MASKED)) ?? up.at(-1)!
  const report = read.card.reads[of]!.of
  const rows = all.map((row): BoardRow => {
    const band = row[expiry] ?? ''
    return {
      label: nameOf(row, level),
      key: row[level.key] || null,
      cells: {
        across: cellOf(row, across),
        [NOW]: cellOf(row, seen),
        band: report.columns[expiry]?.choices?.[band] ?? band,
      },
      of,
      row,
    }
  })
  return {
    head: level.label,
    columns: [
      { name: 'across', label: '可用天数', as: 'days' },
      { name: NOW, label: report.columns[seen]!.label, as: kindOf(read, of, seen) },
      { name: 'band', label: report.columns[expiry]!.label, as: 'text' },
    ],
    rows,
    level,
  }
}

function funnelTable(read: CardRead, draws: Extract<BoardDrawing, { form: 'funnel' }>): BoardTable {
  const { of, values, level, bands } = draws
  const all = rowsOf(read.answers, of)
  const report = read.card.reads[of]!.of
  const added = (held: readonly string[], column: string): string | null => {
    const own = all.filter(row => held.includes(row[level.name] ?? '')).map(row => row[column] ?? null)
    return own.includes(MASKED) ? MASKED : sum(own.filter(isFigure), 3)
  }
  const rows = bands.map(({ label, of: held }): BoardRow => {
    const cells = Object.fromEntries(values.map((column, at) => [at === 0 ? NOW : column, added(held, column)]))
    return { label, key: held.length === 1 ? held[0]! : null, cells, of, row: { [level.name]: held[0] ?? null } }
  })
  const columns = values.map((column, at) => ({
    name: at === 0 ? NOW : column,
    label: report.columns[column]!.label,
    as: kindOf(read, of, column),
  }))
  return { head: level.label, columns, rows, level }
}

function barsTable(read: CardRead, { of, level, value, as }: Extract<BoardDrawing, { form: 'bars' }>): BoardTable {
  const { sums = [], of: report } = read.card.reads[of]!
  const beside = sums.filter(name => !name.endsWith('_days'))
  const rows = rowsOf(read.answers, of).map(
    (row): BoardRow => ({
      label: nameOf(row, level),
      key: row[level.key] || null,
      cells: { [NOW]: cellOf(row, value), ...Object.fromEntries(beside.map(name => [name, cellOf(row, name)])) },
      of,
      row,
    }),
  )
  const columns = [
    { name: NOW, label: '周转天数', as },
    ...beside.map(name => ({ name, label: report.columns[name]!.label, as: kindOf(read, of, name) })),
  ]
  return { head: level.label, columns, rows, level }
}

const partOf = ({ answers }: CardRead, { of, column }: BoardPart) => cellOf(rowsOf(answers, of)[0], column)

function waterfallTable(read: CardRead, { parts }: Extract<BoardDrawing, { form: 'waterfall' }>): BoardTable {
  const as = kindOf(read, parts[0]!.of, parts[0]!.column)
  const rows = parts.map((part, at): BoardRow => {
    const now = partOf(read, part)
    const last = at === 0 ? null : partOf(read, parts[at - 1]!)
    const gap = at === 0 ? null : now === MASKED || last === MASKED ? MASKED : gapOf(last, now)
    const before = cellOf(beforeOf(read, part.of)[0], part.column)
    return { label: part.label, key: null, cells: { ...compare(now, before, as), gap }, of: part.of, row: {} }
  })
  const label = as === 'amount' ? '金额' : '件数'
  return {
    head: '环节',
    columns: [{ name: NOW, label, as }, { name: 'gap', label: '与上一环节差额', as }, ...comparison(read, as)],
    rows,
    level: null,
  }
}

const gapOf = (last: string | null, now: string | null): Decimal | null =>
  isFigure(last) && isFigure(now) ? subtract(now, last, 4) : null

function comboTable(read: CardRead, { bars, line }: Extract<BoardDrawing, { form: 'combo' }>): BoardTable {
  const known = new Map(rowsOf(read.answers, line.of).map(row => [row[STEP], row]))
  const parts = [...bars, line]
  const rows = stepsWithin(read.days, 'month').map(
    (step): BoardRow => ({
      label: step,
      key: step,
      cells: Object.fromEntries(
        parts.map(({ column }) => [column, cellOf(known.get(step), column) ?? (column === line.column ? null : '0')]),
      ),
      of: line.of,
      row: { [STEP]: step },
    }),
  )
  const columns = parts.map(({ label, column }) => ({ name: column, label, as: kindOf(read, line.of, column) }))
  return { head: '月份', columns, rows, level: STEP_LEVEL }
}

function flowTable(read: CardRead, { of, stations, value }: Extract<BoardDrawing, { form: 'sankey' }>): BoardTable {
  const rows = rowsOf(read.answers, of).map(
    (row): BoardRow => ({
      label: stations.map(station => nameOf(row, station)).join(' → '),
      key: row[stations[0]!.key] || null,
      cells: { [NOW]: cellOf(row, value) },
      of,
      row,
    }),
  )
  return {
    head: stations.map(({ label }) => label).join(' → '),
    columns: [{ name: NOW, label: '件数', as: kindOf(read, of, value) }],
    rows,
    level: stations[0]!,
  }
}

/** The content of a card under a choice, as a table. */
export function boardTable(read: CardRead): BoardTable {
  const { card, choice } = read
  const { draws } = card
  switch (draws.form) {
    case 'figures':
      return figureTable(read)
    case 'trend':
      return trendTable(read, choice.grain)
    case 'calendar':
      return trendTable(read, 'day')
    case 'tree':
      return levelTable(read, choice.measure.levels[Math.min(choice.level, choice.measure.levels.length - 1)]!, false)
    case 'ranking':
      return levelTable(read, choice.measure.ranks, true)
    case 'map':
      return mapTable(read, draws)
    case 'scatter':
      return scatterTable(read, draws)
    case 'funnel':
      return funnelTable(read, draws)
    case 'bars':
      return barsTable(read, draws)
    case 'waterfall':
      return waterfallTable(read, draws)
    case 'combo':
      return comboTable(read, draws)
    case 'sankey':
      return flowTable(read, draws)
  }
}
