import type { Fields } from '#kernel/definition/field.ts'
import { clock, today } from '#kernel/values/date.ts'

/** Values with the defaults of those fields that were left out or are empty. */
export function withDefaults(fields: Fields, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const filled: Record<string, unknown> = { ...values }
  for (const [name, field] of Object.entries(fields)) {
    if ((filled[name] !== null && filled[name] !== undefined) || field.default === undefined) continue
    filled[name] =
      field.default === 'today'
        ? today()
        : field.default === 'now'
          ? (clock.at ?? new Date()).toISOString()
          : field.default
  }
  return filled
}
