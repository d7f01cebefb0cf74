import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { get } from '#web/engine/http/request.ts'
import { isInShell, shellList } from '#web/engine/session/shell-data.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { targetOf } from '#web/fields/reference/reference-target.ts'

const PAUSE_MS = 180
const SHOWN = 50

/** The typed text, after a pause in typing. */
export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}

/** Earlier results still shown that match the current text: Enter must never take a row that does not. */
const fitting = (rows: readonly Row[], typed: string): readonly Row[] =>
  rows.filter(row => Object.values(row).some(value => typeof value === 'string' && value.includes(typed)))

/** Rows of a target that match the typed text; cached for a minute, so that reopening a picker is instant. */
export function useTargetRows(
  kind: string,
  typed: string,
  narrow: Readonly<Record<string, string>>,
  enabled: boolean,
): { rows: readonly Row[]; busy: boolean } {
  const wanted = typed.trim()
  const paused = usePaused(wanted)
  const asked = useQuery({
    queryKey: [kind, 'choices', narrow, paused],
    queryFn: async ({ signal }) => {
      const kept = paused === '' ? shellList(kind, narrow) : null
      if (kept !== null) return { list: await kept }
      const asked = { ...narrow, q: paused, pageNum: 1, pageSize: SHOWN }
      return { list: (await get<unknown, Row>(targetOf(kind).path, asked, { signal })).list }
    },
    // A form has its lists of the shell at hand before one of them is opened.
    enabled: kind !== '' && (enabled || (Object.keys(narrow).length > 0 && isInShell(kind))),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
  const rows = asked.data?.list ?? []
  const isStale = paused !== wanted || asked.isPlaceholderData
  return { rows: isStale ? fitting(rows, wanted) : rows, busy: asked.isFetching || isStale }
}
