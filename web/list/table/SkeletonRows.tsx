import css from '#web/list/table/DataTable.module.css'

/** As many as a page shows on a small screen. */
const ROWS = 12
/** The number of cells in a row whose columns are still being loaded. */
const UNKNOWN = 6

/** Placeholders for rows while the first are loaded: the table has its height, and nothing moves. */
export function SkeletonRows({ cells }: { readonly cells: number }) {
  return Array.from({ length: ROWS }, (_, row) => (
    <tr key={row} aria-hidden className={css.skeleton}>
      {Array.from({ length: cells || UNKNOWN }, (__, cell) => (
        <td key={cell}>
          <span />
        </td>
      ))}
    </tr>
  ))
}
