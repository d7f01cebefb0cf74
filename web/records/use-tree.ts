import { useCallback, useMemo, useState } from 'react'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { parentField } from '#web/records/record-field.ts'
import { type Branch, branches, foldedAtFirst } from '#web/records/tree.ts'

export type Tree = {
  readonly branches: readonly Branch[]
  readonly folded: ReadonlySet<string>
  /** Collapses or expands a branch. */
  readonly fold: (key: string) => void
}

/** The rows as a collapsible tree; null if they are a plain list. */
export function useTree(definition: AnyEntity, rows: readonly Row[], wanted: boolean): Tree | null {
  const parent = wanted ? parentField(definition) : null
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const fold = useCallback((key: string) => setTurned(before => before.symmetricDifference(new Set([key]))), [])
  return useMemo(() => {
    if (parent === null) return null
    const folded = foldedAtFirst(rows, parent).symmetricDifference(turned)
    return { branches: branches(rows, definition.key, parent, folded), folded, fold }
  }, [definition, rows, parent, turned, fold])
}
