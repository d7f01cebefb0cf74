import { isEmpty } from '#web/fields/field-renderer.ts'

/** Codes as a list, also if they arrived as one text. */
export const codesOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : isEmpty(value) ? [] : String(value).split(/[\s,，;；]+/)
