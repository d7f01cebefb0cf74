import type { AnyEntity } from '#kernel/definition/entity.ts'
import { entityOf } from '#kernel/registry.ts'

/** The definition of a record that the demo writes. */
export function recordOf(kind: string): AnyEntity {
  const definition = entityOf(kind)
  if (!definition) throw new Error(`there is no ${kind}`)
  return definition
}
