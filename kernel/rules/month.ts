import type { AnyDocument } from '#kernel/definition/document.ts'

/** Whether documents of a kind belong to the month of their date: they book, or open an item that is paid later. */
export const belongsToMonth = ({ posting }: Pick<AnyDocument, 'posting'>): boolean =>
  posting.postings !== undefined || (posting.opens ?? []).length > 0
