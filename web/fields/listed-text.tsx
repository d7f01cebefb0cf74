import { AutoComplete } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { get } from '#web/engine/request.ts'
import { type InputProps, isEmpty, type Row } from '#web/fields/face.ts'

const MOST = 200

/** A text for which the platform keeps a list of usual words (字典): they are offered, and others may be written. */
export function ListedInput({ field, id, value, disabled, invalid, onChange }: InputProps) {
  const asked = useQuery({
    queryKey: ['offered words', field.dictionary],
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (
        await get<unknown, Row>(
          '/v1/business/dictionaryItem/list',
          { dictionary_code: field.dictionary, status: 'enabled', pageNum: 1, pageSize: MOST },
          { signal },
        )
      ).list.filter(row => row.dictionary_code === field.dictionary),
  })
  return (
    <AutoComplete
      id={id}
      options={(asked.data ?? []).map(row => ({ value: String(row.name) }))}
      value={isEmpty(value) ? '' : String(value)}
      disabled={disabled}
      status={invalid ? 'error' : ''}
      showSearch={{ filterOption: (typed, option) => option?.value.includes(typed) ?? false }}
      placeholder={field.hint ?? '可选择或直接填写'}
      style={{ width: '100%' }}
      onChange={text => onChange(isEmpty(text) ? null : text)}
    />
  )
}
