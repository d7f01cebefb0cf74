import { CloseOutlined, PlusOutlined } from '@ant-design/icons'
import { typedFilter } from '#web/fields/choices/matches-typed.ts'
import { AutoComplete, Button } from 'antd'
import { useRefusal } from '#web/engine/actions/use-refusal.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { get, post } from '#web/engine/http/request.ts'
import { type InputProps, isEmpty, type Row } from '#web/fields/field-renderer.ts'
import css from '#web/fields/choices/dictionary-text.module.css'

const MOST = 200
const KEY = 'offered words'

/** The dictionary entries of a list, and what may be done to our own ones. */
export function useWords(list: string | undefined) {
  const refuse = useRefusal()
  const queries = useQueryClient()
  const asked = useQuery({
    queryKey: [KEY, list],
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (
        await get<unknown, Row>(
          '/v1/business/dictionaryItem/list',
          { dictionary_code: list, status: 'enabled', pageNum: 1, pageSize: MOST },
          { signal },
        )
      ).list.filter(row => row.dictionary_code === list),
  })
  const notify = (call: 'add' | 'del', body: Row) =>
    post(`/v1/business/ownWord/${call}`, body).then(
      () => queries.invalidateQueries({ queryKey: [KEY, list] }),
      (thrown: unknown) => {
        refuse(thrown)
      },
    )
  return { words: asked.data ?? [], notify }
}

/**
 * A text with suggestions from a platform dictionary (字典): other text can be typed; if the list allows it, it can be
 * saved for the organisation.
 */
export function ListedInput({ field, id, value, disabled, invalid, onChange }: InputProps) {
  const { words, notify } = useWords(field.dictionary)
  const typed = isEmpty(value) ? '' : String(value).trim()
  const isNew = typed !== '' && !words.some(row => row.name === typed)
  const mayKeep = words.some(row => row.allows_own === true)
  return (
    <AutoComplete
      id={id}
      options={words.map(row => ({ value: String(row.name), row }))}
      optionRender={({ data }) =>
        data.row.is_own === true ? (
          <span className={css.own}>
            {String(data.row.name)}
            <button
              type="button"
              aria-label={`删除${String(data.row.name)}`}
              title="本机构新增的字典项，点击删除"
              onClick={event => {
                event.stopPropagation()
                void notify('del', { sn: data.row.dictionary_item_sn })
              }}
            >
              <CloseOutlined />
            </button>
          </span>
        ) : (
          String(data.row.name)
        )
      }
      popupRender={menu => (
        <>
          {menu}
          {mayKeep && isNew && (
            <Button
              type="link"
              size="small"
              icon={<PlusOutlined />}
              onMouseDown={event => event.preventDefault()}
              onClick={() => void notify('add', { dictionary_code: field.dictionary, name: typed })}
            >
              将“{typed}”加入本机构的常用词
            </Button>
          )}
        </>
      )}
      {...(mayKeep && isNew ? { notFoundContent: <span className="faint">没有这个词</span> } : {})}
      value={isEmpty(value) ? '' : String(value)}
      disabled={disabled}
      status={invalid ? 'error' : ''}
      showSearch={typedFilter}
      placeholder={field.hint ?? '可选择或直接填写'}
      style={{ width: '100%' }}
      onChange={text => onChange(isEmpty(text) ? null : text)}
    />
  )
}
