import type { AnyDocument } from '#kernel/definition/document.ts'

/**
 * The field in whose words every document of a kind stands, where it has one: lists count and filter by it, as their
 * rows say it. A field without a first value leaves some of them to their state, and is none.
 */
export const standingField = ({ header, lifecycle }: AnyDocument): string | undefined =>
  header[lifecycle.stateField ?? '']?.default === undefined ? undefined : lifecycle.stateField
