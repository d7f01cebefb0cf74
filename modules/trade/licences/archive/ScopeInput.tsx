import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { permits, practice } from '#modules/trade/licensing/licence-types.ts'
import { classesIn, withClass, withoutClass } from '#modules/trade/licensing/scope-text.ts'
import { get } from '#web/engine/http/request.ts'
import type { InputProps } from '#web/fields/field-renderer.ts'
import { longTextFace } from '#web/fields/kinds/long-text.tsx'

type DeviceClass = {
  readonly code: string
  readonly name: string
  readonly catalogue: string
  readonly parent_sn: string | null
}
const catalogues = [
  ['2002', '2002版（68分类）'],
  ['2017', '2017版'],
] as const

/** The classes a licence may name: the top-level classes of both catalogues. */
const useTopClasses = (isAsked: boolean) =>
  useQuery({
    queryKey: ['deviceClass', 'top'],
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { list } = await get<unknown, DeviceClass>(
        '/v1/business/deviceClass/list',
        { status: 'enabled' },
        { signal },
      )
      return (list ?? []).filter(each => each.parent_sn === null)
    },
  }).data ?? []

/** 经营范围: the text of the licence, in which classes are ticked; classes named in the text are ticked automatically. */
export default function ScopeInput(props: InputProps) {
  const { value, row, disabled, onChange, field } = props
  const type = String(row.licence_type ?? '')
  const namesClasses = permits.includes(type) && !practice.some(each => each === type)
  const classes = useTopClasses(namesClasses)
  const scope = typeof value === 'string' ? value : ''
  const named = classesIn(scope)
  const tick = (codes: readonly string[]) => {
    const more = classes.filter(({ code }) => codes.includes(code) && !named.has(code))
    const less = classes.filter(({ code }) => named.has(code) && !codes.includes(code))
    const without = less.reduce((text, { code, name }) => withoutClass(text, code, name), scope)
    const next = more.reduce((text, { code, name }) => withClass(text, code, name), without)
    onChange(next === '' ? null : next)
  }
  return (
    <>
      {namesClasses && (
        <Select
          mode="multiple"
          aria-label={`${field.label}的分类`}
          placeholder="勾选分类，写入范围"
          style={{ width: '100%', marginBottom: 4 }}
          maxTagCount={3}
          disabled={disabled}
          optionFilterProp="label"
          value={classes.filter(({ code }) => named.has(code)).map(({ code }) => code)}
          options={catalogues.map(([catalogue, label]) => ({
            label,
            options: classes
              .filter(each => each.catalogue === catalogue)
              .map(({ code, name }) => ({ value: code, label: `${code} ${name}` })),
          }))}
          onChange={tick}
        />
      )}
      <longTextFace.Input {...props} />
    </>
  )
}
