import { DownOutlined, UpOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { type FieldSpec, nameKeyOf } from '#kernel/definition/field.ts'
import type { Query } from '#web/engine/page-context.ts'
import type { FilterProps } from '#web/fields/field-renderer.ts'
import { askAgain } from '#web/engine/http/query-client.ts'
import { faces } from '#web/fields/field-renderers.ts'
import { isFilter } from '#web/list/page/list-query.ts'
import css from '#web/list/page/FilterBar.module.css'

/** `single`: one value of the field instead of a range or several. */
export type Filter = { readonly name: string; readonly field: FieldSpec; readonly single?: boolean }
type Props = {
  readonly filters: readonly Filter[]
  readonly query: Query
  readonly onChange: (patch: Readonly<Record<string, string | undefined>>) => void
  readonly storeKey: string
  /** The kind whose rows are shown: 查询 reads them anew, also when no filter changed. */
  readonly kind: string
}

/** Width of one filter including label and gap. */
const FILTER_WIDTH = 268
const BUTTONS_WIDTH = 210

/** The number of filters that fit beside the buttons. */
function useFitting() {
  const bar = useRef<HTMLFormElement>(null)
  const [fitting, setFitting] = useState(4)
  useLayoutEffect(() => {
    const element = bar.current
    if (element === null) return
    const watch = new ResizeObserver(
      ([entry]) =>
        entry &&
        entry.contentRect.width > 0 &&
        setFitting(Math.max(1, Math.floor((entry.contentRect.width - BUTTONS_WIDTH) / FILTER_WIDTH))),
    )
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return { bar, fitting }
}

/** One row open, the rest collapsed; choices apply at once, texts on Enter. All filters are in the address. */
export function FilterBar({ filters, query, onChange, storeKey, kind }: Props) {
  const id = useId()
  const { bar, fitting } = useFitting()
  const [open, setOpen] = useState(() => localStorage.getItem(`filters-open:${storeKey}`) === '1')
  const shown = open ? filters : filters.slice(0, fitting)
  const hiddenInUse = filters
    .slice(shown.length)
    .filter(filter => Object.keys(query).some(name => name === filter.name || name.endsWith(`_${filter.name}`))).length
  const inUse = Object.keys(query).filter(name => isFilter(name) && name !== 'state' && name !== 'tab')
  const fold = () => {
    localStorage.setItem(`filters-open:${storeKey}`, open ? '0' : '1')
    setOpen(!open)
  }
  const hasChanged = useRef(false)
  const apply = (patch: Readonly<Record<string, string | undefined>>) => {
    hasChanged.current = true
    onChange({ ...patch, pageNum: undefined })
  }
  if (filters.length === 0) return null
  return (
    <form
      ref={bar}
      className={css.bar}
      role="search"
      aria-label="筛选"
      style={{ '--across': fitting } as Record<string, number>}
      onSubmit={event => {
        event.preventDefault()
        hasChanged.current = false
        // Texts apply on blur.
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
        askAgain(kind, hasChanged.current)
      }}
    >
      {shown.map(({ name, field, single }) => {
        const Filter = single && field.as !== 'text' ? SingleFilter : faces[field.as].Filter
        return (
          <div key={name} className={css.filter} data-range={field.as === 'day' && !single}>
            <label htmlFor={`${id}-${name}`} className={css.label} title={field.label}>
              {field.label}
            </label>
            <div className={css.control}>
              <Filter id={`${id}-${name}`} field={field} name={name} query={query} onChange={apply} />
            </div>
          </div>
        )
      })}
      <div className={css.buttons}>
        <Button htmlType="submit">查询</Button>
        <Button
          disabled={inUse.length === 0}
          onClick={() =>
            apply(
              Object.fromEntries(
                Object.keys(query)
                  .filter(name => isFilter(name) || name.endsWith('~'))
                  .filter(name => name !== 'state')
                  .map(name => [name, undefined]),
              ),
            )
          }
        >
          重置
        </Button>
        {filters.length > fitting && (
          <Button type="link" onClick={fold} aria-expanded={open} className={css.fold ?? ''}>
            {open ? '收起' : `展开${hiddenInUse > 0 ? `(${hiddenInUse})` : ''}`}{' '}
            {open ? <UpOutlined /> : <DownOutlined />}
          </Button>
        )}
      </div>
    </form>
  )
}

/** A field's own input as a filter. */
function SingleFilter({ field, name, query, onChange, id }: FilterProps) {
  const { Input } = faces[field.as]
  return (
    <Input
      id={id}
      field={{ ...field, hint: '全部' }}
      name={name}
      value={query[name] ?? null}
      row={{ [nameKeyOf(name)]: query[`${name}~`] }}
      disabled={false}
      invalid={false}
      onChange={(value, also) =>
        onChange({
          [name]: value === null ? undefined : String(value),
          [`${name}~`]: (also?.[nameKeyOf(name)] as string | null) ?? undefined,
        })
      }
    />
  )
}
