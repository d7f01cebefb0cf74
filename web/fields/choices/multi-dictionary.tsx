import { Select } from 'antd'
import { clearable } from '#web/fields/choices/clearable.tsx'
import { typedFilter } from '#web/fields/choices/matches-typed.ts'
import type { FilterProps, InputProps } from '#web/fields/field-renderer.ts'
import { ManyChoices } from '#web/fields/choices/MultiSelect.tsx'
import { useWords } from '#web/fields/choices/dictionary-text.tsx'

const offered = (words: readonly Readonly<Record<string, unknown>>[]) =>
  words.map(row => ({ value: String(row.name), label: `${String(row.code)} ${String(row.name)}` }))

/** Several entries of a platform dictionary (字典); no other text is accepted. */
export function ManyWords(given: InputProps) {
  const { words } = useWords(given.field.dictionary)
  return <ManyChoices {...given} options={offered(words)} chosen="value" />
}

/** Filters rows with one entry of the list. */
export function WordFilter({ name, query, onChange, id, field }: FilterProps) {
  const { words } = useWords(field.dictionary)
  return (
    <Select
      id={id}
      aria-label={field.label}
      allowClear={clearable}
      options={offered(words)}
      value={query[name] ?? null}
      showSearch={typedFilter}
      placeholder="全部"
      style={{ width: '100%' }}
      onChange={(chosen: string | null) => onChange({ [name]: chosen ?? undefined })}
    />
  )
}
