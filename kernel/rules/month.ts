import type { AnyDocument } from '#kernel/definition/document.ts'

/** True if documents of a kind belong to the month of their date: they book, or open an item that is paid later. */
export const belongsToMonth = ({ posting }: Pick<AnyDocument, 'posting'>): boolean =>
  posting.postings !== undefined || (posting.opens ?? []).length > 0

const countsTo = (month: string): string => `计入会计期间【${month}】`

/** The sentence that names the month to which a posting of a closed month counts. Months are written `2026-11`. */
export const countsLate = (closed: string, month: string): string => `会计期间【${closed}】已结账，${countsTo(month)}`

/**
 * Why nothing is dated into a month (`2026-11`) when the months up to `until` are closed, and into which month what is
 * still to be booked counts instead: the first that is open.
 */
export const monthClosed = (
  month: string,
  { until, open }: { readonly until: string; readonly open: string },
): string =>
  `会计期间【${until}】已结账：${
    month === until ? '该期间已月结，不能再发生业务' : `更早的期间【${month}】也不能再发生业务`
  }；需要补记的，业务日期填【${open}】的日期，${countsTo(open)}`
