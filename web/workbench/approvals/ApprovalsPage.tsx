import { Select, Skeleton } from 'antd'
import { useEffect, useRef } from 'react'
import { documentOf, entityOf } from '#kernel/registry.ts'
import { usePage } from '#web/engine/page-context.ts'
import { groupDigits } from '#web/fields/kinds/number-input.tsx'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { Tag } from '#web/fields/Tag.tsx'
import { Blank, Failed } from '#web/list/page/EmptyState.tsx'
import { neighboursIn } from '#web/list/page/neighbours.ts'
import { type Approval, idOf, useApprovals } from '#web/workbench/approvals/approval.ts'
import { DocumentApproval } from '#web/workbench/approvals/DocumentApproval.tsx'
import { RecordApproval } from '#web/workbench/approvals/RecordApproval.tsx'
import css from '#web/workbench/approvals/Approvals.module.css'

const NONE: readonly Approval[] = []

/** Kinds that wait, the most frequent first. */
const kindsOf = (list: readonly Approval[]) =>
  [...Map.groupBy(list, each => each.title)]
    .map(([title, of]) => ({ title, count: of.length }))
    .toSorted((a, b) => b.count - a.count)

/**
 * 待我审批: everything that waits for this user's decision, whatever its kind. The address names the chosen one; on a phone
 * it is in front of the list.
 */
export default function ApprovalsPage() {
  const { screen, query, setQuery } = usePage()
  const asked = useApprovals()
  const all = asked.data ?? NONE
  const kinds = kindsOf(all)
  const only = kinds.some(({ title }) => title === query.only) ? query.only : undefined
  const list = only === undefined ? all : all.filter(({ title }) => title === only)
  const chosen = list.find(each => idOf(each) === query.at)
  // Beside the list the first one is open; on a phone the list is read first.
  const shown = chosen ?? list[0]
  const { at, previous, next } = neighboursIn(list, each => each === shown)
  const open = (approval: Approval | undefined) => setQuery({ at: approval && idOf(approval) })
  const detail = useRef<HTMLElement>(null)
  const shownId = shown && idOf(shown)
  useEffect(() => void detail.current?.scrollTo?.({ top: 0 }), [shownId])
  return (
    <div className={css.page}>
      <header className={css.head} data-behind={chosen !== undefined}>
        <h1 className={css.title}>
          {screen.title} <small>{asked.data === undefined ? '' : all.length}</small>
        </h1>
        <p className={css.purpose}>{screen.purpose}</p>
      </header>
      {asked.isError && asked.data === undefined ? (
        <div className={css.sheet}>
          <Failed thrown={asked.error} onRetry={() => void asked.refetch()} />
        </div>
      ) : asked.data === undefined ? (
        <div className={css.sheet}>
          <Skeleton active paragraph={{ rows: 8 }} />
        </div>
      ) : shown === undefined ? (
        <div className={css.sheet}>
          <Blank title="暂无待审批事项" />
        </div>
      ) : (
        <div className={css.body} data-chosen={chosen !== undefined}>
          <nav className={css.side} aria-label="待审批事项">
            {kinds.length > 1 && (
              <Select
                className={css.kinds ?? ''}
                aria-label="事项类型"
                value={only ?? ''}
                onChange={title => setQuery({ only: title || undefined, at: undefined })}
                options={[
                  { value: '', label: `全部 ${all.length}` },
                  ...kinds.map(({ title, count }) => ({ value: title, label: `${title} ${count}` })),
                ]}
              />
            )}
            <ol className={css.list}>
              {list.map(each => (
                <Entry key={idOf(each)} approval={each} current={each === shown} onOpen={() => open(each)} />
              ))}
            </ol>
          </nav>
          <section ref={detail} className={css.detail} aria-label={`${shown.title} ${shown.name}`}>
            <Decided
              key={idOf(shown)}
              approval={shown}
              place={`${at + 1}/${list.length}`}
              onBack={() => open(undefined)}
              onPrevious={previous && (() => open(previous))}
              onNext={next && (() => open(next))}
              onDone={() => open(next ?? previous)}
            />
          </section>
        </div>
      )}
    </div>
  )
}

export type DetailProps = {
  readonly approval: Approval
  /** The number of the approval in the list, and the length of the list. */
  readonly place: string
  readonly onBack: () => void
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
  readonly onDone: () => void
}

function Decided(props: DetailProps) {
  const { is, kind } = props.approval
  const [document, record] = [documentOf(kind), entityOf(kind)]
  if (is === 'document' && document !== undefined) return <DocumentApproval definition={document} {...props} />
  if (is === 'record' && record !== undefined) return <RecordApproval definition={record} {...props} />
  return <Blank title="当前版本没有此类事项，请刷新页面" />
}

/** One of them in the list: what it is, from whom, how much, and since when it waits. */
function Entry({ approval, current, onOpen }: { approval: Approval; current: boolean; onOpen: () => void }) {
  const { title, name, partner, place, by, since, amount, own, level, levels } = approval
  return (
    <li>
      <button type="button" className={css.entry} aria-current={current} onClick={onOpen}>
        <span className={css.line}>
          <b>{title}</b>
          {levels > 1 && (
            <Tag tone="info">
              第{level}级，共{levels}级
            </Tag>
          )}
          {own && <Tag>本人制单</Tag>}
          {amount != null && <span className={css.amount}>{groupDigits(amount)}</span>}
        </span>
        <span className={css.line}>
          <span className={css.name}>{[name, partner ?? place].filter(Boolean).join(' ')}</span>
        </span>
        <span className={css.quiet}>{[by, since && wallTime(since).slice(5, 16)].filter(Boolean).join(' ')}</span>
      </button>
    </li>
  )
}
