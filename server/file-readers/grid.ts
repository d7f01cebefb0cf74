import { BusinessError } from '#kernel/rules/errors.ts'

/** Columns that are read; cells to the right of them are left out. */
export const MOST_COLUMNS = 200
/** Sheets of a workbook beyond this number are not read. */
export const MOST_SHEETS = 20
const MOST_CELLS = 600_000
const MOST_MERGED = 10_000
const MOST_CHARACTERS = 24 * 1024 * 1024

const GARBLED = '含有无法识别的字符，请用 Excel 打开核对，另存为 .xlsx 后再导入'

/** Notes on a cell beside its text. */
export type CellNote = {
  /** The value as a person sees it, where that is the same value: 00000123 of 123. */
  readonly shown?: string
  /** A day of which only its month is shown (2027-06), only its year, or anything but its year (06-30). */
  readonly only?: 'month' | 'year' | 'yearless' | undefined
  /** Why it is no name of anything: it is shown as another number, or it is a day. */
  readonly inexact?: string
  /** Why it is neither a name nor a figure: its last digits are lost. */
  readonly lost?: string
  /** Why nothing can be taken from it: an error, a formula without its result. */
  readonly wrong?: string
}

/** Cells from one place to another that were merged into one, by the indexes of `Cells.rows`. */
export type Merged = { readonly from: readonly [row: number, column: number]; readonly to: readonly [number, number] }

/** The cells of a table as text, row by row, and the number of the first row in Excel. */
export type Cells = {
  readonly rows: readonly (readonly string[])[]
  readonly first: number
  /** By `row/column`, both indexes of `rows`. */
  readonly notes: ReadonlyMap<string, CellNote>
  /** Indexes of rows that a filter or a person hid. */
  readonly hidden: ReadonlySet<number>
  readonly merged: readonly Merged[]
}

export const noCells: Cells = { rows: [], first: 1, notes: new Map(), hidden: new Set(), merged: [] }

/** The limit of rows in a file, and the message where it has more. */
export type RowLimit = { readonly most: number; readonly sentence: string }

/** Cells as they are found, within the limits of rows and cells; empty ones cost nothing. */
export class Grid {
  readonly #limit: RowLimit
  readonly #rows = new Map<number, Map<number, string>>()
  #first = Number.POSITIVE_INFINITY
  #last = -1
  #left = Number.POSITIVE_INFINITY
  #right = -1
  readonly #notes = new Map<number, Map<number, CellNote>>()
  readonly #hidden = new Set<number>()
  readonly #merged: Merged[] = []
  #cells = 0
  #characters = 0

  constructor(limit: RowLimit) {
    this.#limit = limit
  }

  /** A cell by its row and column, both from 0. */
  put(row: number, column: number, text: string, note?: CellNote): void {
    if (text === '' || column < 0 || row < 0 || column > MOST_COLUMNS) return
    this.#first = Math.min(this.#first, row)
    this.#last = Math.max(this.#last, row)
    if (this.#last - this.#first >= this.#limit.most) throw new BusinessError('invalid', this.#limit.sentence)
    this.#left = Math.min(this.#left, column)
    this.#right = Math.max(this.#right, column)
    this.#characters += text.length
    const cells = this.#rows.get(row) ?? new Map<number, string>()
    this.#rows.set(row, cells)
    if (!cells.has(column)) this.#cells += 1
    cells.set(column, text)
    const said = text.includes('\uFFFD') ? { wrong: GARBLED } : note
    if (said !== undefined) {
      const notes = this.#notes.get(row) ?? new Map<number, CellNote>()
      this.#notes.set(row, notes)
      notes.set(column, said)
    }
    if (this.#cells > MOST_CELLS || this.#characters > MOST_CHARACTERS)
      throw new BusinessError('invalid', '文件内容过多，无法读取，请分批导入')
  }

  /** A row that nobody sees. */
  hide(row: number): void {
    if (this.#hidden.size < MOST_CELLS) this.#hidden.add(row)
  }

  /** Cells that were merged into one; rows and columns from 0. */
  merge(from: Merged['from'], to: Merged['to']): void {
    if (this.#merged.length < MOST_MERGED) this.#merged.push({ from, to })
  }

  /** All rows from the first to the last that has a text, each as wide as the widest. */
  cells(): Cells {
    if (this.#last < 0) return noCells
    const width = this.#right - this.#left + 1
    const height = this.#last - this.#first + 1
    if (width * height > MOST_CELLS * 2) throw new BusinessError('invalid', '文件内容过多，无法读取，请分批导入')
    const rows = Array.from({ length: height }, (_row, at) => {
      const cells = this.#rows.get(this.#first + at)
      return Array.from({ length: width }, (_cell, column) => cells?.get(this.#left + column) ?? '')
    })
    const notes = [...this.#notes].flatMap(([row, cells]) =>
      [...cells].map(([column, note]) => [`${row - this.#first}/${column - this.#left}`, note] as const),
    )
    const moved = ([row, column]: Merged['from']) => [row - this.#first, column - this.#left] as const
    return {
      rows,
      first: this.#first + 1,
      notes: new Map(notes),
      hidden: new Set([...this.#hidden].map(row => row - this.#first)),
      merged: this.#merged.map(({ from, to }) => ({ from: moved(from), to: moved(to) })),
    }
  }
}
