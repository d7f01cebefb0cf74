import { useEffect, useRef } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { systemType } from '#kernel/values/organisation-type.ts'
import { asks } from '#web/engine/actions/prompts.ts'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { get, post } from '#web/engine/http/request.ts'
import { type Query, usePage } from '#web/engine/page-context.ts'
import { useSession } from '#web/engine/session/session.ts'
import { isFilter } from '#web/list/page/list-query.ts'
import type { Column } from '#web/list/table/column.ts'
import { type Kept, keep } from '#web/list/table/saved-columns.ts'

/** Filters, order and columns of a list under a name. `field` and `title` are those of every kept layout. */
export type Scheme = {
  readonly field: string
  readonly title: string
  readonly query: Query
  readonly columns: readonly Kept[]
  /** Chosen when the list is opened without filters. */
  readonly isDefault?: boolean
  /** Colleagues of the same organisation see it as well. */
  readonly isShared?: boolean
}
/** A scheme of a colleague. */
export type SharedScheme = Scheme & { readonly by: string }

/** Maximum number of schemes of a list that is still useful. */
const MOST = 20
const NONE: readonly Scheme[] = []
const NONE_SHARED: readonly SharedScheme[] = []

/** The part of an address that a scheme keeps: filters with their readable names, and the order; no page, no row. */
const keptOf = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).filter(([name]) => isFilter(name) || name === 'sort' || name.endsWith('~')))
const isSame = (one: Query, other: Query): boolean => {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every(name => one[name] === other[name])
}

type Layout = {
  readonly columns: readonly Column[]
  readonly apply: (kept: readonly Kept[]) => void
}
export type Schemes = ReturnType<typeof useSchemes>

/**
 * A person's own schemes of a list, stored on the server beside the layout of its columns; where a page `shares` them,
 * with those that colleagues let others see.
 */
export function useSchemes(tableId: string, layout: Layout, shares = false) {
  const page = usePage()
  const session = useSession()
  const client = useQueryClient()
  const place = {
    userId: session?.userId ?? '',
    projectName: 'yrtweb',
    systemType: systemType[session?.orgType ?? 'P'],
    tableId: `${tableId}:schemes`,
  }
  const queryKey = ['userTableSort', place.tableId]
  const read = async (): Promise<readonly Scheme[]> => {
    const { info } = await get<{ columns?: readonly Scheme[] } | null>('/v1/business/userTableSort/info', place)
    return Array.isArray(info?.columns) ? info.columns : NONE
  }
  const asked = useQuery({ queryKey, staleTime: Number.POSITIVE_INFINITY, retry: false, queryFn: read })
  const schemes = asked.data ?? NONE
  const ofOthers = useQuery({
    queryKey: [...queryKey, 'shared'],
    enabled: shares,
    retry: false,
    queryFn: async () =>
      (
        await get<unknown, SharedScheme>('/v1/business/userTableSort/shared', {
          projectName: place.projectName,
          tableId: place.tableId,
        })
      ).list,
  })

  /** Changes what is kept now, also what another window kept meanwhile; resolves to whether it was stored. */
  const write = async (change: (kept: readonly Scheme[]) => readonly Scheme[]): Promise<boolean> => {
    try {
      const next = change(await read())
      await post('/v1/business/userTableSort/save', { ...place, columns: JSON.stringify(next) })
      client.setQueryData(queryKey, next)
      return true
    } catch (thrown) {
      if (!isSilent(thrown)) asks.notify(sentenceOf(thrown))
      return false
    }
  }
  const choose = ({ query, columns }: Scheme) => {
    const gone = Object.keys(keptOf(page.query)).map(name => [name, undefined])
    page.setQuery({ ...Object.fromEntries(gone), ...query, pageNum: undefined })
    layout.apply(columns)
  }
  const save = async (name: string): Promise<boolean> => {
    const isNew = schemes.every(each => each.title !== name)
    if (isNew && schemes.length >= MOST) {
      asks.notify(`最多保存${MOST}个方案，请先删除不常用的`)
      return false
    }
    const scheme: Scheme = { field: name, title: name, query: keptOf(page.query), columns: layout.columns.map(keep) }
    return write(kept =>
      kept.some(each => each.title === name)
        ? kept.map(each =>
            each.title === name
              ? { ...scheme, isDefault: each.isDefault === true, isShared: each.isShared === true }
              : each,
          )
        : [...kept, scheme],
    )
  }
  useDefault(asked.data, choose)
  return {
    shares,
    schemes,
    shared: ofOthers.data ?? NONE_SHARED,
    active: schemes.find(each => isSame(each.query, keptOf(page.query))) ?? null,
    choose,
    save,
    remove: (name: string) => write(kept => kept.filter(each => each.title !== name)),
    /** Shows one to colleagues, or to nobody any more. */
    turnShared: (name: string) =>
      write(kept => kept.map(each => (each.title === name ? { ...each, isShared: each.isShared !== true } : each))),
    /** Makes one the default, or none if it was. */
    turnDefault: (name: string) =>
      write(kept => kept.map(each => ({ ...each, isDefault: each.title === name && each.isDefault !== true }))),
  }
}

/** A list that is opened without filters begins with its default scheme; once, so that 重置 leaves it empty. */
function useDefault(schemes: readonly Scheme[] | undefined, choose: (scheme: Scheme) => void): void {
  const { query, key, pointedAt } = usePage()
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current || schemes === undefined) return
    isDone.current = true
    const first = schemes.find(each => each.isDefault)
    if (first !== undefined && Object.keys(query).length === 0 && key === null && pointedAt === null) choose(first)
  }, [schemes, query, key, pointedAt, choose])
}
