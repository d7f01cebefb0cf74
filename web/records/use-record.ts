import { defaultOf } from '#kernel/values/defaults.ts'
import { App } from 'antd'
import { useRefusal } from '#web/engine/actions/use-refusal.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { without } from '#kernel/values/without.ts'
import { CallFailure } from '#web/engine/http/request-error.ts'
import { forget } from '#web/engine/http/query-client.ts'
import { get, post } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'

export type RecordInfo = Row & {
  readonly version?: number
  readonly actions?: readonly string[]
  readonly org_name?: string
}

const defaultsOf = (definition: AnyEntity): Row =>
  Object.fromEntries(
    Object.entries(definition.fields)
      .filter(([, field]) => !field.readOnly)
      .map(([name, field]) => [name, defaultOf(field) ?? (field.as === 'flag' ? false : null)]),
  )

/**
 * One record being viewed or edited; `row`: data the list already has of a read-only one. `given`: values of a new
 * one fixed by the context.
 */
export function useRecord(definition: AnyEntity, key: string | null, given: Row, row: Row | null) {
  const { message } = App.useApp()
  const refuse = useRefusal()
  const path = `/v1/business/${definition.kind}`
  const asked = useQuery({
    queryKey: [definition.kind, 'info', key],
    staleTime: 0,
    // A row of a ledger view is already complete.
    enabled: key !== null && row === null,
    queryFn: async () => (await get<RecordInfo>(`${path}/info`, { sn: key })).info,
  })
  const info: RecordInfo | null = row ?? asked.data ?? null
  const begun = (): Row => (key === null ? { ...defaultsOf(definition), ...given } : {})
  const [changes, setChanges] = useState<Row>(begun)
  const [dirty, setDirty] = useState(false)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const discard = () => {
    setChanges(begun())
    setDirty(false)
    setProblems({})
  }
  // The drawer stays while one goes from row to row; what was typed belongs to the row it was typed for.
  const [shown, setShown] = useState(key)
  if (shown !== key) {
    setShown(key)
    discard()
  }
  const [saving, setSaving] = useState(false)

  const write = (name: string, value: unknown, also: Row = {}) => {
    setChanges(before => ({ ...before, ...also, [name]: value }))
    setDirty(true)
    setProblems(before => without(before, [name]))
  }
  /** Resolves to the row's key, or to null if it could not be saved. */
  async function save(): Promise<string | null> {
    const written = Object.fromEntries(
      Object.entries(changes).filter(
        ([name, value]) =>
          definition.fields[name] !== undefined &&
          definition.fields[name].readOnly !== true &&
          (key !== null || value !== null),
      ),
    )
    setSaving(true)
    try {
      const reply =
        key === null
          ? await post<{ sn: string }>(`${path}/add`, written)
          : await post<{ sn: string }>(`${path}/edit`, { sn: key, version: info?.version, ...written })
      setDirty(false)
      setChanges({})
      setProblems({})
      forget(definition.kind)
      void message.success('已保存')
      return reply.info.sn
    } catch (thrown) {
      if (thrown instanceof CallFailure)
        setProblems(Object.fromEntries(thrown.problems.map(problem => [problem.field ?? '', problem.msg])))
      refuse(thrown)
      return null
    } finally {
      setSaving(false)
    }
  }
  return { asked, info, values: { ...info, ...changes }, problems, dirty, saving, write, save, discard }
}
