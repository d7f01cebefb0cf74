import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useNavigate } from 'react-router'
import type { WallDefinition } from '#kernel/wall/wall-definition.ts'
import { get } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import css from '#web/wall/Wall.module.css'

type Props = { readonly wall: WallDefinition; readonly query: URLSearchParams }
type Organisation = { readonly org_sn: string; readonly name: string }

const EVERYONE = '全平台'

/**
 * What a wall is narrowed by: whose figures, for the platform; texts, as a lot. Rows of other walls narrow the rest.
 */
export function WallFilters({ wall, query }: Props) {
  const navigate = useNavigate()
  const session = useSession()
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(query)
    if (value === '') next.delete(name)
    else next.set(name, value)
    void navigate(`?${next}`, { replace: true })
  }
  const texts = wall.follows ? [] : Object.entries(wall.filters).filter(([, { as }]) => as === 'text')
  return (
    <div className={css.filters}>
      {session?.orgType === 'P' && <Whose chosen={query.get('org') ?? ''} onChoose={org => set('org', org)} />}
      {texts.map(([name, { label }]) => (
        <form
          key={name + (query.get(name) ?? '')}
          onSubmit={(event: FormEvent<HTMLFormElement>) => {
            event.preventDefault()
            set(name, String(new FormData(event.currentTarget).get(name) ?? '').trim())
          }}
        >
          <input
            name={name}
            aria-label={label}
            placeholder={label}
            defaultValue={query.get(name) ?? ''}
            maxLength={60}
          />
        </form>
      ))}
    </div>
  )
}

type WhoseProps = { readonly chosen: string; readonly onChoose: (org: string) => void }

function Whose({ chosen, onChoose }: WhoseProps) {
  const { data = [] } = useQuery({
    queryKey: ['walls', 'organisations'],
    queryFn: async ({ signal }) =>
      (await get<{ organisations: readonly Organisation[] }>('/v1/business/walls', {}, { signal })).info.organisations,
  })
  return (
    <select aria-label="机构" value={chosen} onChange={({ target }) => onChoose(target.value)}>
      <option value="">{EVERYONE}</option>
      {data.map(({ org_sn, name }) => (
        <option key={org_sn} value={org_sn}>
          {name}
        </option>
      ))}
    </select>
  )
}
