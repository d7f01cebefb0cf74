import { type BoardCard, type BoardDefinition, filtersFor } from '#kernel/wall/board-definition.ts'
import { type BoardKind, type BoardRow, boardTable, CHANGE, NOW } from '#kernel/wall/board-table.ts'
import { type Answer, MASKED } from '#kernel/wall/wall-definition.ts'
import { type Against, againstLabels, changeText, comparedWords, isFarBeyond } from '#kernel/values/comparison.ts'
import { today } from '#kernel/values/date.ts'
import { type Decimal, isDecimal, round } from '#kernel/values/decimal.ts'
import type { Session } from '#server/access/session.ts'
import type { ListExport } from '#server/exports/export-stream.ts'
import { nameOfKey } from '#server/reports/report-heading.ts'
import type { CellKind } from '#server/sheets/write.ts'
import { type BoardAsked, comparedDays } from '#server/walls/board.ts'

type Row = Readonly<Record<string, string | null>>
type Answered = {
  readonly card: BoardCard
  readonly answers: Readonly<Record<string, Answer>>
  readonly place: { readonly name: string; readonly division_name: string } | null
}

/** The columns of the workbook: every figure is in the one of its kind, with the format of that kind. */
const columns = {
  card: { title: '卡片', kind: 'text' },
  item: { title: '项目', kind: 'text' },
  figure: { title: '指标', kind: 'text' },
  quantity: { title: '数量', kind: 'quantity' },
  amount: { title: '金额', kind: 'amount' },
  count: { title: '个数', kind: 'whole' },
  rate: { title: '比率', kind: 'percent' },
  days: { title: '天数', kind: 'amount' },
  text: { title: '文字', kind: 'text' },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly kind: CellKind }>>

/** Places of a figure in a workbook: three of pieces, two of money and days, four of a fraction. */
const places: Partial<Record<BoardKind, number>> = { quantity: 3, amount: 2, days: 2, rate: 4, count: 0 }

/** All figures of a board as they were read, a row a figure. A masked figure is written as text. */
export function boardExport(
  board: BoardDefinition,
  session: Session,
  asked: BoardAsked,
  answered: readonly Answered[],
  query: Readonly<Record<string, unknown>>,
): ListExport {
  const rows = answered.flatMap(({ card, answers, place }) => {
    const read = { board, card, choice: asked.choice, answers, days: asked.days, compared: comparedDays(asked), place }
    const table = boardTable(read)
    return table.rows.flatMap(row =>
      table.columns.flatMap(({ name, label, as }) =>
        lineOf(card, row, { name, label, as: row.as ?? as, column: as }, asked.choice.against),
      ),
    )
  })
  return {
    title: board.screen.title,
    subject: board.kind,
    path: `/v1/business/board/${board.kind}/export`,
    query,
    columns: Object.entries(columns).map(([name, column]) => ({
      ...column,
      cell: (row: object) => (row as Row)[name]!,
    })),
    heading: async tx => {
      const said: string[] = [`日期：${asked.days.begin} 至 ${asked.days.end}`]
      if (asked.choice.against)
        said.push(`对比期：${againstLabels[asked.choice.against]}，${wordsOf(asked, asked.choice.against)}`)
      for (const [name, { field }] of Object.entries(filtersFor(board, asked.choice.org))) {
        const value = asked.filters[name]
        if (value !== undefined)
          said.push(`${field.label}：${field.choices?.[value] ?? (await nameOfKey(tx, session, field, value))}`)
      }
      const at = new Date().toLocaleString('sv-SE', { timeZone: 'Asia/Shanghai' })
      return [
        `${session.org.name} ${board.screen.title}`,
        `查询条件：${said.join('；')}`,
        `导出时间：${at}　导出人：${session.userName}`,
      ]
    },
    batches: async function* () {
      yield rows
    },
    count: async () => rows.length,
  }
}

const wordsOf = ({ days }: BoardAsked, against: Against) => comparedWords(days, null, against, today())

type Cell = { readonly name: string; readonly label: string; readonly as: BoardKind; readonly column: BoardKind }

/** A change is written as a number where it is a percentage that says something, else in words. */
const isInWords = (change: string | null, as: BoardKind): boolean =>
  change === null || as === 'rate' || isFarBeyond(change as Decimal)

function lineOf(
  { title }: BoardCard,
  { label, cells }: BoardRow,
  { name, label: figure, as, column }: Cell,
  against: Against | null,
): Row[] {
  const said = cells[name] ?? null
  const isChange = name === CHANGE && against !== null && said !== MASKED && isDecimal(cells[NOW], 8)
  const inWords = isChange && isInWords(said, as)
  const value = inWords ? changeText(said as Decimal | null, against, as) : said
  if (value === null) return []
  // A change is a rate whatever it is of; a row of one figure says its own name.
  const kind = inWords ? 'text' : column === 'rate' || column === 'text' ? column : as
  const shown = value === MASKED ? MASKED : places[kind] === undefined ? value : round(value as Decimal, places[kind])
  const none = Object.fromEntries(Object.keys(columns).map(each => [each, null]))
  return [{ ...none, card: title, item: label, figure, [value === MASKED ? 'text' : kind]: shown }]
}
