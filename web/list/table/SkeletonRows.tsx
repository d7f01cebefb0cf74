import css from '#web/list/table/DataTable.module.css'

/** As many as a page shows on a small screen. */
const ROWS = 12

/** Where rows will stand, while the first are being asked for: the table has its height, and nothing moves. */
export function SkeletonRows({ columns, beside }: { readonly columns: number; readonly beside: number }) {
  const cells = Math.max(1, columns + beside)
  return Array.from({ length: ROWS }, (_, row) => (
    <tr key={row} aria-hidden className={css.skeleton}>
      {Array.from({ length: cells }, (__, cell) => (
        <td key={cell}>
          <span />
        </td>
      ))}
    </tr>
  ))
}
