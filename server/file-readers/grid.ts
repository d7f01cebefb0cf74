import { BusinessError } from '#kernel/rules/errors.ts'

/** Columns that are read; what stands to the right of them is left out. */
export const MOST_COLUMNS = 200
const MOST_CELLS = 600_000
const MOST_CHARACTERS = 24 * 1024 * 1024

/** The cells of a file as text, row by row, and the number of the first row in Excel. */
export type Cells = { readonly rows: readonly (readonly string[])[]; readonly first: number }

/** How many rows a file may have, and what its sender reads where it has more. */
export type RowLimit = { readonly most: number; readonly sentence: string }

/** Cells as they are found, within the limits of rows and cells; empty ones cost nothing. */
export class Grid {
  readonly #limit: RowLimit
  readonly #rows = new Map<number, Map<number, string>>()
  #first = Number.POSITIVE_INFINITY
  #last = -1
  #left = Number.POSITIVE_INFINITY
  #right = -1
  #cells = 0
  #characters = 0

  constructor(limit: RowLimit) {
    this.#limit = limit
  }

  /** A cell by its row and column, both from 0. */
  put(row: number, column: number, text: string): void {
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
    if (this.#cells > MOST_CELLS || this.#characters > MOST_CHARACTERS)
      throw new BusinessError('invalid', '文件内容过多，无法读取，请分批导入')
  }

  /** All rows from the first to the last that has a text, each as wide as the widest. */
  cells(): Cells {
    if (this.#last < 0) return { rows: [], first: 1 }
    const width = this.#right - this.#left + 1
    const height = this.#last - this.#first + 1
    if (width * height > MOST_CELLS * 2) throw new BusinessError('invalid', '文件内容过多，无法读取，请分批导入')
    const rows = Array.from({ length: height }, (_row, at) => {
      const cells = this.#rows.get(this.#first + at)
      return Array.from({ length: width }, (_cell, column) => cells?.get(this.#left + column) ?? '')
    })
    return { rows, first: this.#first + 1 }
  }
}
