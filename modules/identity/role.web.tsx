import { parseInteger } from '#kernel/values/integer.ts'
import { Checkbox, Input, Skeleton } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import css from '#modules/identity/role.module.css'
import type { Customisation } from '#web/engine/customisation.ts'
import { get } from '#web/engine/http/request.ts'
import { codesOf } from '#web/fields/parse-codes.ts'
import type { InputProps } from '#web/fields/field-renderer.ts'
import type { MenuItem } from '#web/shell/menu/menu.ts'

const OPERATION = 2
const operationsOf = (page: MenuItem) => (page.children ?? []).filter(each => each.type === OPERATION)
const flagsUnder = (item: MenuItem): readonly string[] => [
  ...(item.flag === '' ? [] : [item.flag]),
  ...(item.children ?? []).flatMap(flagsUnder),
]

/** The whole menu as rows: a page and its operations. Ticking an operation ticks its page. */
function FlagTable({ value, onChange, disabled, id, row }: InputProps) {
  const [sought, setSought] = useState('')
  // The platform also makes roles for other kinds of organisations: the row says for which.
  const type = 'PHDV'[parseInteger(row.system_type ?? Number.NaN)]
  const asked = useQuery({
    queryKey: ['menu', 'all', type],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await get<unknown, MenuItem>('/v1/user/get_user_menu/yrtweb', { all: 1, type })).list,
  })
  const granted = new Set(codesOf(value))
  const put = (flags: readonly string[], on: boolean) => {
    const next = new Set(granted)
    for (const flag of flags.filter(each => each !== '')) {
      if (on) next.add(flag)
      else next.delete(flag)
    }
    onChange([...next])
  }
  if (asked.isPending) return <Skeleton active />
  const groups = (asked.data ?? [])
    .map(group => ({
      ...group,
      children: (group.children ?? []).filter(page => sought === '' || page.title.includes(sought)),
    }))
    .filter(group => group.children.length > 0)
  return (
    <div className={css.table} id={id}>
      <Input.Search placeholder="查找页面" allowClear onChange={event => setSought(event.target.value.trim())} />
      {groups.map(group => {
        const all = flagsUnder(group)
        const count = all.filter(flag => granted.has(flag)).length
        return (
          <section key={group.title} className={css.group}>
            <Checkbox
              disabled={disabled}
              checked={count === all.length}
              indeterminate={count > 0 && count < all.length}
              onChange={event => put(all, event.target.checked)}
            >
              <strong>{group.title}</strong> {count > 0 && <span className="faint">已选 {count}</span>}
            </Checkbox>
            {group.children.map(page => (
              <PageRow key={page.uri || page.flag} page={page} granted={granted} disabled={disabled} onPut={put} />
            ))}
          </section>
        )
      })}
    </div>
  )
}

type RowProps = {
  readonly page: MenuItem
  readonly granted: ReadonlySet<string>
  readonly disabled: boolean
  readonly onPut: (flags: readonly string[], on: boolean) => void
}

function PageRow({ page, granted, disabled, onPut }: RowProps) {
  return (
    <div className={css.row}>
      <Checkbox
        disabled={disabled}
        checked={granted.has(page.flag)}
        onChange={event => onPut(event.target.checked ? [page.flag] : flagsUnder(page), event.target.checked)}
      >
        {page.title}
      </Checkbox>
      <span className={css.operations}>
        {operationsOf(page).map(operation => (
          <Checkbox
            key={operation.flag}
            disabled={disabled}
            checked={granted.has(operation.flag)}
            onChange={event =>
              onPut(event.target.checked ? [operation.flag, page.flag] : [operation.flag], event.target.checked)
            }
          >
            {operation.title}
          </Checkbox>
        ))}
      </span>
    </div>
  )
}

export const roleLook: Customisation = { of: 'role', inputs: { flags: FlagTable } }
export const systemRoleLook: Customisation = { of: 'systemRole', inputs: { flags: FlagTable } }
export const templateRoleLook: Customisation = { of: 'templateRole', inputs: { flags: FlagTable } }
