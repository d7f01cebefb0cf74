import type { Fields, FieldSpec } from '#kernel/definition/field.ts'
import { clock, today } from '#kernel/values/date.ts'

/** The value of a field that nobody filled in: its default, today or now where it says so; null without one. */
export function defaultOf({ default: given }: Pick<FieldSpec, 'default'>): unknown {
  if (given === 'today') return today()
  return given === 'now' ? (clock.at ?? new Date()).toISOString() : (given ?? null)
}

/** Values with the defaults of those fields that were left out or are empty. */
export function withDefaults(fields: Fields, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const filled: Record<string, unknown> = { ...values }
  for (const [name, field] of Object.entries(fields)) {
    if ((filled[name] ?? null) === null && field.default !== undefined) filled[name] = defaultOf(field)
  }
  return filled
}
