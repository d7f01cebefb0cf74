import { replyCodes } from '#kernel/rules/errors.ts'

/** A problem in an imported sheet. `row` is Excel's own number, `column` the heading. */
export type SheetProblem = { readonly row: number; readonly column: string; readonly msg: string }

/** Nothing of the file was imported: all rows or none. */
export class ImportFailed extends Error {
  readonly errors: readonly SheetProblem[]
  constructor(errors: readonly SheetProblem[]) {
    const [first] = errors
    super(
      first
        ? `${replyCodes.importFailed[1]}：第${first.row}行${first.column ? `【${first.column}】` : ''}${first.msg}`
        : replyCodes.importFailed[1],
    )
    this.errors = errors
  }
}
