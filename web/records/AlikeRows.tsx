import { App, Button } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import type { Alike, AnyEntity } from '#kernel/definition/entity.ts'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { forget } from '#web/engine/http/query-client.ts'
import { get, post } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { useMay } from '#web/shell/menu/menu.ts'
import css from '#web/records/Records.module.css'

const SHOWN = 3
const LEAST = 2
/** Typing pause in milliseconds before similar rows are searched. */
const PAUSE = 350

/** The typed text, after a pause. */
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
  readonly alike: Alike
  /** The row being edited, excluded from the results. */
  readonly self: string | null
}

/** 疑似重复: existing similar rows, shown while typing; one of them can be used instead. */
export function AlikeRows({ definition, value, alike, self }: Props) {
  const settled = useSettled(value.trim())
  const asked = useQuery({
    queryKey: [definition.kind, 'alike', settled, alike.among],
    enabled: settled.length >= LEAST,
    staleTime: 30_000,
    queryFn: async () =>
      (
        await get<unknown, Row>(`/v1/business/${definition.kind}/list`, {
          ...alike.among,
          [alike.by ?? 'q']: settled,
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
        <span key={String(row[definition.key])} className={css.alikeRow}>
          {[row.code, row.product_name, row[definition.display], row.manufacturer_name].filter(Boolean).join(' ')}
          {alike.does && <TakeInstead definition={definition} does={alike.does} row={row} />}
        </span>
      ))}
    </span>
  )
}

type Taking = { readonly definition: AnyEntity; readonly does: NonNullable<Alike['does']>; readonly row: Row }

/** The action that uses the existing row instead, for users who may. */
function TakeInstead({ definition, does, row }: Taking) {
  const { message } = App.useApp()
  const may = useMay(does.at, definition.kind)
  const [taken, setTaken] = useState(row[does.unless] === true)
  const [busy, setBusy] = useState(false)
  const label = definition.actions?.[does.action]?.label ?? ''
  if (taken) return <span className={css.alikeTaken}>已{label}</span>
  if (!may(does.action)) return null
  const take = async () => {
    setBusy(true)
    try {
      await post(`/v1/business/${definition.kind}/${does.action}`, { sn: row[definition.key], version: row.version })
      setTaken(true)
      forget(definition.kind)
      message.success(`已${label}【${String(row[definition.display])}】，不必再新增`)
    } catch (error) {
      message.error(sentenceOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button type="link" size="small" loading={busy} onClick={() => void take()}>
      {label}
    </Button>
  )
}
