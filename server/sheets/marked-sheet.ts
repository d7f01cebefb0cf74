import type { SheetProblem } from '#server/records/import-failed.ts'
import { REASONS, type Sheet } from '#server/sheets/sheet.ts'
import type { Cell, SheetColumn } from '#server/sheets/write.ts'

/**
 * The uploaded file as a sheet in which every wrong cell is coloured and a last column gives the reasons, row by
 * row.
 */
export function markedSheet(
  { headings, rows }: Sheet,
  problems: readonly SheetProblem[],
): { readonly columns: readonly SheetColumn[]; readonly rows: readonly (readonly Cell[])[] } {
  const byRow = Map.groupBy(problems, problem => problem.row)
  const unknown = new Set(problems.filter(problem => problem.row === 1).map(problem => problem.column))
  return {
    columns: [...headings.map((title): SheetColumn => ({ title, kind: 'text' })), { title: REASONS, kind: 'text' }],
    rows: rows.map(({ number, cells }) => {
      const own = byRow.get(number) ?? []
      const wrong = new Set([...unknown, ...own.map(problem => problem.column)])
      const reason = own.map(({ column, msg }) => (column === '' ? msg : `【${column}】${msg}`)).join('；')
      return [
        ...headings.map((title): Cell => {
          const text = cells.get(title) ?? ''
          return wrong.has(title) ? { wrong: text } : text
        }),
        reason === '' ? null : { wrong: `第${number}行：${reason}` },
      ]
    }),
  }
}
