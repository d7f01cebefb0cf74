import { BusinessError } from '#kernel/rules/errors.ts'
import { contentOf, mustBe } from '#server/file-readers/content.ts'
import { decoded, textCells } from '#server/file-readers/csv.ts'
import { type Cells, Grid, MOST_COLUMNS, type RowLimit } from '#server/file-readers/grid.ts'
import { flatOdsCells, openDocumentListener, pageCells, xmlSheetCells } from '#server/file-readers/markup-tables.ts'
import { binaryCells } from '#server/file-readers/xls.ts'
import { xlsxCells } from '#server/file-readers/xlsx.ts'
import { xmlReader } from '#server/file-readers/xml.ts'
import { Zip } from '#server/file-readers/zip.ts'
import { EXAMPLE, REASONS, type Sheet, type SheetRow } from '#server/sheets/sheet.ts'

const MB = 1024 * 1024
/** Maximum unpacked bytes of a workbook; no sheet within our row limit comes near. */
const MOST_UNPACKED = 96 * MB
/** Maximum rows of one import. */
const MOST_ROWS = 5000
/** The rows that a recorder writes in weeks: more than people import. */
const MOST_RECORDED = 50_000

const TABLES = ['xlsx', 'xlsb', 'xls', 'xmlSheet', 'ods', 'flatOds', 'page', 'text'] as const

const unreadable = () => new BusinessError('invalid', '文件无法识别，请使用 .xls、.xlsx 或 .csv 格式')

/** The cells of a table in whatever format it is, whatever its name says. */
function cellsOf(file: Buffer, limit: RowLimit): Cells {
  if (contentOf(file) === 'unknown') throw unreadable()
  const content = mustBe(file, TABLES, ' Excel 或 CSV 文件（.xlsx、.xls、.csv）')
  const cells = readAs(content, file, limit)
  if (cells === null || cells.rows.length === 0) throw unreadable()
  return cells
}

function readAs(content: (typeof TABLES)[number], file: Buffer, limit: RowLimit): Cells | null {
  switch (content) {
    case 'xlsx':
      return xlsxCells(file, MOST_UNPACKED, limit)
    case 'xlsb':
      return binaryCells(new Zip(file, MOST_UNPACKED).repacked(), limit)
    case 'xls':
      return binaryCells(file, limit)
    case 'ods':
      return odsCells(file, limit)
    case 'text':
      return textCells(file, limit)
    default: {
      const text = decoded(file)
      if (text === null) return null
      return content === 'page'
        ? pageCells(text, limit)
        : content === 'xmlSheet'
          ? xmlSheetCells(text, limit)
          : flatOdsCells(text, limit)
    }
  }
}

function odsCells(file: Buffer, limit: RowLimit): Cells {
  const grid = new Grid(limit)
  const reader = xmlReader(openDocumentListener(grid))
  new Zip(file, MOST_UNPACKED).text('content.xml', text => reader.write(text))
  reader.end()
  return grid.cells()
}

/** Reads the first sheet: headings in the first row, then rows; empty rows and examples are skipped. */
export function parseSheet(file: Buffer): Sheet {
  const { rows: all, first } = cellsOf(file, {
    most: MOST_ROWS + 1,
    sentence: `一次最多导入${MOST_ROWS}行，请分批导入`,
  })
  const [head = [], ...body] = all
  const headings = head.slice(0, MOST_COLUMNS + 1).map(withoutStar)
  const rows = body.flatMap((row, at): SheetRow[] => {
    const cells = new Map(headings.map((heading, index) => [heading, row[index] ?? '']))
    const written = [...cells.values()].filter(text => text !== '')
    return written.length > 0 && !written[0]!.startsWith(EXAMPLE) ? [{ number: first + at + 1, cells }] : []
  })
  return { headings: headings.filter(heading => heading !== '' && heading !== REASONS), rows }
}

/** Headings of required columns end with a star. */
const withoutStar = (title: string): string =>
  title.endsWith('*') || title.endsWith('＊') ? title.slice(0, -1).trimEnd() : title

/** The cells of the first sheet as they stand: for files that no template gave. */
export const parseCells = (file: Buffer): readonly (readonly string[])[] =>
  cellsOf(file, { most: MOST_RECORDED, sentence: `文件超过${MOST_RECORDED}行，请分段导出` }).rows
