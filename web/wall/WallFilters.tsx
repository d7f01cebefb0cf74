import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useNavigate } from 'react-router'
import type { FieldSpec } from '#kernel/definition/field.ts'
import type { WallDefinition } from '#kernel/wall/wall-definition.ts'
import { entityOf } from '#kernel/registry.ts'
import { get } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { narrowOf } from '#web/fields/reference/options-filter.ts'
import { targetOf } from '#web/fields/reference/reference-target.ts'
import css from '#web/wall/Wall.module.css'

type Props = { readonly wall: WallDefinition; readonly query: URLSearchParams }
type Organisation = { readonly org_sn: string; readonly name: string }

const EVERYONE = '全平台'

/**
 * The filters of a wall: the organisation, for the platform; texts, such as a lot; rows of one's own organisation, such
 * as a store or a class. The other filters are set by clicks on rows of other walls.
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
  // The platform has no rows of its own to choose from: it chooses whose figures it sees.
  const own = session?.orgType === 'P' ? [] : Object.entries(wall.filters).filter(([, field]) => isOwn(field))
  return (
    <div className={css.filters}>
      {session?.orgType === 'P' && <Whose chosen={query.get('org') ?? ''} onChoose={org => set('org', org)} />}
      {own.map(([name, field]) => (
        <Own key={name} field={field} chosen={query.get(name) ?? ''} onChoose={value => set(name, value)} />
      ))}
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

/** Rows of one's own organisation may be chosen; what a wall cannot be without comes from the row it is opened by. */
const isOwn = ({ as, target, required }: FieldSpec): boolean =>
  as === 'ref' && !required && entityOf(target ?? '')?.scope === 'organisation'

const MOST_OFFERED = '200'
type OwnProps = {
  readonly field: FieldSpec
  readonly chosen: string
  readonly onChoose: (value: string) => void
}

/** A store or a class of goods. A list of the browser's own: it is as large as the stage. */
function Own({ field, chosen, onChoose }: OwnProps) {
  const { path, key, display } = targetOf(field.target ?? '')
  const narrow = narrowOf(field, {})
  const { data = [] } = useQuery({
    queryKey: ['walls', path, narrow],
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (await get<unknown, Row>(path, { pageSize: MOST_OFFERED, ...narrow }, { signal })).list,
  })
  return (
    <select aria-label={field.label} value={chosen} onChange={({ target }) => onChoose(target.value)}>
      <option value="">全部{field.label}</option>
      {data.map(row => (
        <option key={String(row[key])} value={String(row[key])}>
          {String(row[display])}
        </option>
      ))}
    </select>
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
