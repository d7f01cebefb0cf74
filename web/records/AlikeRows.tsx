import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import type { AnyEntity } from '#kernel/entity.ts'
import { get } from '#web/engine/request.ts'
import type { Row } from '#web/fields/face.ts'
import css from '#web/records/Records.module.css'

const SHOWN = 3
const LEAST = 2
/** How long a person pauses before it is looked for what he wrote. */
const PAUSE = 350

/** What was written, once the writer pauses. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE)
    return () => clearTimeout(timer)
  }, [value])
  return useDeferredValue(settled)
}

type Props = {
  readonly definition: AnyEntity
  readonly value: string
  readonly query: Readonly<Record<string, string>>
  /** The row that is being written: it is not like itself. */
  readonly self: string | null
}

/** 疑似重复: rows that are there already and say much the same, shown while one writes. */
export function AlikeRows({ definition, value, query, self }: Props) {
  const settled = useSettled(value.trim())
  const asked = useQuery({
    queryKey: [definition.kind, 'alike', settled, query],
    enabled: settled.length >= LEAST,
    staleTime: 30_000,
    queryFn: async () =>
      (
        await get<unknown, Row>(`/v1/business/${definition.kind}/list`, {
          ...query,
          q: settled,
          pageNum: '1',
          pageSize: String(SHOWN + 1),
        })
      ).list,
  })
  const rows = (asked.data ?? []).filter(row => String(row[definition.key]) !== self).slice(0, SHOWN)
  if (rows.length === 0 || settled.length < LEAST) return null
  return (
    <span className={css.alike} role="status">
      疑似重复：
      {rows.map(row => (
        <span key={String(row[definition.key])}>
          {[row.code, row.product_name, row[definition.display], row.manufacturer_name].filter(Boolean).join(' ')}
        </span>
      ))}
    </span>
  )
}
