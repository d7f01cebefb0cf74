import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { type FieldSpec, nameKeyOf } from '#kernel/definition/field.ts'
import { instant, today } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { without } from '#kernel/values/without.ts'
import type { Query } from '#web/engine/page-context.ts'
import { get } from '#web/engine/http/request.ts'
import { CallFailure, sentenceOf } from '#web/engine/http/request-error.ts'
import { asListed } from '#web/fields/line-order.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { completer } from '#web/editor/lines/line-columns.ts'
import { rowNumbers } from '#web/editor/lines/row-numbers.ts'
import type { DocumentView } from '#web/editor/document/document-view.ts'
import { createLines, isBlank } from '#web/grid/lines.ts'
import { useSettledLines } from '#web/grid/settled-lines.ts'

/** `whose`: another organisation's document may have the same number as one of ours. */
export const infoQuery = (kind: string, sn: string, whose: Query = {}) => ({
  queryKey: [kind, 'info', sn, whose],
  staleTime: 0,
  queryFn: async () => (await get<DocumentView>(`/v1/business/${kind}/info`, { sn, ...whose })).info,
})

/** A default is a value, or the moment and the day on which the page is opened. */
function firstValue({ default: preset, as }: FieldSpec): unknown {
  if (preset === 'now') return instant()
  if (preset === 'today') return today()
  return preset ?? (as === 'flag' ? false : null)
}

/** A header field, or the name that one of them shows. */
const isOfHeader = ({ header }: AnyDocument, name: string): boolean =>
  name in header || Object.entries(header).some(([own, { as }]) => as === 'ref' && nameKeyOf(own) === name)

/** A new document starts with the definition's defaults and today's date, as one of the kind its page shows. */
export function blankHeader(definition: AnyDocument, where: Query): Row {
  const defaults = Object.entries(definition.header).map(([name, field]) => [name, firstValue(field)] as const)
  return {
    ...Object.fromEntries(defaults),
    ...Object.fromEntries(Object.entries(where).filter(([name]) => isOfHeader(definition, name))),
    ...('business_date' in definition.header ? { business_date: today() } : {}),
  }
}

/** The document being viewed or edited: the server's version, the changes since, and the errors. */
export function useDocument(definition: AnyDocument, sn: string | null, whose: Query, where: Query = {}) {
  const asked = useQuery({ ...infoQuery(definition.kind, sn ?? '', whose), enabled: sn !== null })
  const info = asked.data ?? null
  const [header, setHeader] = useState<Row>(() => (sn === null ? blankHeader(definition, where) : {}))
  const [touched, setTouched] = useState(false)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const lines = useMemo(() => createLines([], completer(definition)), [definition])
  const linesChanged = useSyncExternalStore(lines.subscribe, lines.isChanged)
  const all = useSettledLines(lines)
  const dirty = touched || linesChanged

  const taken = useRef<DocumentView | null>(null)
  /** The reason why the document can be neither saved nor acted on now. */
  const held = useRef<string | null>(null)
  const hold = useCallback((because: string | null) => void (held.current = because), [])
  /**
   * The document as the server has it, also in the moment when a new one has its number but the page not yet its
   * address.
   */
  const standing = useCallback(
    () => info ?? (sn === null || taken.current?.sn === sn ? taken.current : null),
    [info, sn],
  )
  const takeUp = useCallback(
    (fresh: DocumentView) => {
      taken.current = fresh
      setHeader(fresh)
      setTouched(false)
      setProblems({})
      lines.reset(asListed(definition, fresh.lines ?? []))
    },
    [lines, definition],
  )
  useEffect(() => {
    // A later read does not overwrite unsaved input.
    if (info === null || info === taken.current || dirty) return
    // oxlint-disable-next-line react/set-state-in-effect -- the server's document arrives from outside React's state
    takeUp(info)
  }, [info, dirty, takeUp])

  const write = useCallback((name: string, value: unknown, also: Row = {}) => {
    setHeader(before => ({ ...before, ...also, [name]: value }))
    setTouched(true)
    setProblems(before => without(before, [name]))
  }, [])
  /** Counts what was marked: each time the page scrolls to the first mark. */
  const [revealed, setRevealed] = useState(0)
  const reveal = useCallback(() => setRevealed(times => times + 1), [])
  const numbered = definition.lineRules.newestFirst === true
  /** Marks fields, cells and rows of a refusal, and answers its sentence with the numbers that the rows show. */
  const refused = useCallback(
    (thrown: unknown): string => {
      const sentence = sentenceOf(thrown)
      const found = thrown instanceof CallFailure ? thrown.problems : []
      const numbers = rowNumbers(lines.all(), numbered)
      setProblems(
        Object.fromEntries(
          found
            .filter(problem => problem.line === undefined && problem.field !== undefined)
            .map(problem => [problem.field ?? '', problem.msg]),
        ),
      )
      lines.mark(numbers.marks(found, sentence))
      reveal()
      return numbers.seen(sentence)
    },
    [lines, numbered, reveal],
  )
  /** Marks the row that a sentence of the page itself names. */
  const refusedHere = useCallback(
    (sentence: string) => {
      const row = /^第(\d+)行/.exec(sentence)?.[1]
      if (row === undefined) return
      const number = parseInteger(row)
      const at = numbered ? rowNumbers(lines.all(), numbered).rowOf(number) : number - 1
      if (at === null) return
      lines.mark([{ at, field: '', msg: sentence }])
      reveal()
    },
    [lines, numbered, reveal],
  )
  /** The lines to save: the current non-blank ones. */
  const written = useCallback(() => lines.all().filter(line => !isBlank(line)), [lines])
  return {
    asked,
    info,
    standing,
    header,
    lines,
    all,
    written,
    problems,
    dirty,
    held,
    hold,
    write,
    takeUp,
    refused,
    refusedHere,
    reveal,
    revealed,
  }
}
export type OpenDocument = ReturnType<typeof useDocument>
