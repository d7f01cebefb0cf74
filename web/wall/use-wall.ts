import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Day } from '#kernel/values/date.ts'
import { isMoney, MASKED, type Reading, type Row, type WallDefinition } from '#kernel/wall/wall-definition.ts'
import { get } from '#web/engine/http/request.ts'
import type { CardAnswers } from '#web/wall/wall-figures.ts'

/** A wall as the server answered it. */
export type WallInfo = {
  readonly kind: string
  /** The time at which its figures were read. */
  readonly at: string
  /** The organisation of the figures; null: every hospital. */
  readonly organisation: { readonly org_sn: string; readonly name: string } | null
  readonly begin_date: Day
  readonly end_date: Day
  readonly cards: Readonly<Record<string, CardAnswers>>
}

/** The parameters of a wall's request: everything of its address that the server knows. */
export function askedOf(wall: WallDefinition, query: URLSearchParams): Readonly<Record<string, string>> {
  const renamed = { org: 'org', begin: 'begin_date', end: 'end_date' } as const
  const days = Object.entries(renamed).flatMap(([name, asked]) => {
    const value = query.get(name)
    return value ? [[asked, value] as const] : []
  })
  // An unknown choice in an address that was typed is ignored.
  const filters = Object.entries(wall.filters).flatMap(([name, { as, choices }]) => {
    const value = query.get(name)
    return value && (as !== 'pick' || value in (choices ?? {})) ? [[name, value] as const] : []
  })
  return Object.fromEntries([...days, ...filters])
}

/** Money that the server kept from a user without prices reads as masked, and not as nothing. */
export function withMasks(wall: WallDefinition, info: WallInfo): WallInfo {
  const masked = (reading: Reading) => {
    const money = [...(reading.sums ?? []), ...(reading.rows ?? [])].filter(name => isMoney(reading, name))
    return (row: Row): Row => ({ ...Object.fromEntries(money.map(name => [name, MASKED])), ...row })
  }
  const cards = wall.cards.map(({ name: card, reads }) => [
    card,
    Object.fromEntries(
      Object.entries(info.cards[card] ?? {}).map(([name, answer]) => {
        const mask = masked(reads[name]!)
        const before = Object.entries(answer.before).map(([against, rows]) => [against, rows.map(mask)])
        return [name, { ...answer, rows: answer.rows.map(mask), before: Object.fromEntries(before) }]
      }),
    ),
  ])
  return { ...info, cards: Object.fromEntries(cards) }
}

/**
 * The figures of a wall, read again by its clock whether it is in view or not. The last ones stay when a reading fails;
 * no error pops up.
 */
export function useWall(wall: WallDefinition, query: URLSearchParams) {
  const asked = askedOf(wall, query)
  return useQuery({
    queryKey: ['wall', wall.kind, asked],
    queryFn: async ({ signal }) =>
      withMasks(wall, (await get<WallInfo>(`/v1/business/wall/${wall.kind}`, asked, { signal })).info),
    refetchInterval: wall.refresh * 1000,
    refetchIntervalInBackground: true,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** The moment, once a second. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
