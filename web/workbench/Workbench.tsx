import { isZero } from '#kernel/values/decimal.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { Link } from 'react-router'
import { get } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import { Explained, ExplainedControl } from '#web/fields/Explained.tsx'
import { groupDigits } from '#web/fields/kinds/number-input.tsx'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { noDefinition, StateTag } from '#web/fields/StateTag.tsx'
import { documentOf, documents } from '#kernel/registry.ts'
import { Blank, Failed } from '#web/list/page/EmptyState.tsx'
import { APPROVALS } from '#web/shell/menu/screen-index.ts'
import css from '#web/workbench/Workbench.module.css'

type Todo = {
  readonly kind: string
  readonly title: string
  readonly name: string
  readonly state: string
  readonly count: number
  readonly oldest_at?: string
  readonly route: string
}
type Recent = {
  readonly kind: string
  readonly sn: string
  readonly label: string
  readonly actor_name: string
  readonly at: string
  readonly state: string
  readonly counterparty_name: string | null
  /** Omitted for users without price permission. */
  readonly taxed_amount?: string
  readonly title: string
  readonly route: string
}
type Warning = {
  readonly rule: string
  readonly level: 'danger' | 'warning' | 'info'
  readonly text: string
  readonly count: number
  readonly route: string | null
}
type Figure = {
  readonly title: string
  readonly value: string
  readonly as: 'amount' | 'count'
  readonly route: string | null
  /** The tooltip: a sentence that explains what the figure counts. */
  readonly hint?: string | null
}
type Work = {
  readonly todo: readonly Todo[]
  readonly recent: readonly Recent[]
  readonly warnings: readonly Warning[]
  readonly figures: readonly Figure[]
  /** The reason why a user who is bound to a part of the organisation sees no figures. */
  readonly withheld?: string
}

const REREAD_MS = 60_000

/**
 * The start page: what is waiting for the user, what is at risk, what just happened. Everything links to the list
 * behind it.
 */
export default function Workbench() {
  const session = useSession()
  const work = useQuery({
    queryKey: ['workbench'],
    queryFn: async ({ signal }) => (await get<Work>('/v1/business/workbench', {}, { signal })).info,
    refetchInterval: REREAD_MS,
  })
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1 className={css.title}>工作台</h1>
        <p className={css.greeting}>
          {session?.name}，{session?.orgName}
        </p>
      </header>
      {work.isError && work.data === undefined && (
        <div className={css.sheet}>
          <Failed thrown={work.error} onRetry={() => void work.refetch()} />
        </div>
      )}
      {work.isPending && (
        <div className={css.sheet}>
          <Skeleton active paragraph={{ rows: 10 }} />
        </div>
      )}
      {work.data !== undefined && <Board work={work.data} />}
    </div>
  )
}

function Board({ work }: { work: Work }) {
  // The last event of a document shows its state; the earlier ones are its history.
  const latest = work.recent.filter(
    (each, at) => work.recent.findIndex(other => other.kind === each.kind && other.sn === each.sn) === at,
  )
  // Organisations without documents and stock (the platform operator) have no history to show.
  const hasDocuments = useKeepsDocuments()
  return (
    <>
      {work.figures.length > 0 && <Figures figures={work.figures} />}
      {work.withheld !== undefined && <p className="quiet">{work.withheld}</p>}
      <div className={hasDocuments ? css.columns : ''}>
        <section className={css.sheet} aria-labelledby="todo">
          <h2 id="todo" className={css.part}>
            待办 <small>{work.todo.reduce((sum, each) => sum + each.count, 0)}</small>
          </h2>
          {work.todo.length === 0 ? <Blank title="暂无待办事项" /> : <Todos todo={work.todo} />}
        </section>
        {hasDocuments && (
          <section className={css.sheet} aria-labelledby="warnings">
            <h2 id="warnings" className={css.part}>
              预警
            </h2>
            {work.warnings.length === 0 ? (
              <Blank title="没有待处理的预警" />
            ) : (
              <ul className={css.list}>
                {work.warnings.map(each => (
                  <WarningRow key={each.text} warning={each} />
                ))}
              </ul>
            )}
          </section>
        )}
      </div>
      {hasDocuments && (
        <section className={css.sheet} aria-labelledby="recent">
          <h2 id="recent" className={css.part}>
            最近动态
          </h2>
          {latest.length === 0 ? <Blank title="近14天没有单据动态" /> : <Recents recent={latest} />}
        </section>
      )}
    </>
  )
}

function useKeepsDocuments(): boolean {
  const type = useSession()?.orgType
  return (
    type !== undefined && documents().some(definition => definition.screens.some(screen => screen.orgs.includes(type)))
  )
}

const shownFigure = ({ value, as }: Figure): string => groupDigits(as === 'count' ? value.split('.', 1)[0]! : value)

function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <ul className={css.figures} aria-label="概览">
      {figures.map(figure => {
        const body = (
          <>
            <span className={css.figureTitle}>{figure.title}</span>
            <span className={css.figureValue} data-negative={figure.value.startsWith('-')}>
              {shownFigure(figure)}
              <small>{figure.as === 'amount' ? '元' : ''}</small>
            </span>
          </>
        )
        return (
          <li key={figure.title} className={css.figure}>
            {figure.route === null ? (
              <Explained says={[figure.hint]}>{body}</Explained>
            ) : (
              <ExplainedControl says={[figure.hint]} of={figure.title}>
                <Link to={figure.route}>{body}</Link>
              </ExplainedControl>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const duties: Readonly<Record<string, string>> = {
  rejected: '已驳回，待修改',
  submitted: '待审核',
  waiting: '待办理',
  draft: '待提交',
}

/** Pending work by type of task; the oldest date shows how long it has waited. */
function Todos({ todo }: { todo: readonly Todo[] }) {
  const groups = Object.keys(duties)
    .map(state => ({ state, documents: todo.filter(each => each.state === state) }))
    .filter(group => group.documents.length > 0)
  return groups.map(({ state, documents }) => (
    <section key={state} className={css.duty} data-state={state} aria-label={duties[state]}>
      <h3 className={css.dutyTitle}>
        {duties[state]} <strong>{documents.reduce((sum, each) => sum + each.count, 0)}</strong>
        {state === 'submitted' && (
          <Link className={css.oneByOne} to={APPROVALS.route}>
            逐项审批
          </Link>
        )}
      </h3>
      <ul className={css.todos}>
        {documents.map(each => (
          <li key={each.route}>
            <Link
              className={css.todo}
              to={each.route}
              title={[each.name, each.oldest_at && `最早 ${wallTime(each.oldest_at)}`].filter(Boolean).join('，')}
            >
              <span className={css.what}>{each.name}</span>
              {each.oldest_at && <small className={css.oldest}>{wallTime(each.oldest_at).slice(5, 10)}</small>}
              <strong className={css.count}>{each.count}</strong>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  ))
}

function WarningRow({ warning }: { warning: Warning }) {
  const body = (
    <>
      <span className={css.level} data-level={warning.level} aria-hidden />
      <span className={css.warningText}>{warning.text}</span>
      <strong className={css.warningCount} data-level={warning.level}>
        {warning.count}
      </strong>
    </>
  )
  return (
    <li>
      {warning.route === null ? (
        <span className={css.warning}>{body}</span>
      ) : (
        <Link className={css.warning} to={warning.route}>
          {body}
        </Link>
      )}
    </li>
  )
}

function Recents({ recent }: { recent: readonly Recent[] }) {
  return (
    <table className={css.recent}>
      <thead>
        <tr>
          <th>时间</th>
          <th>单据</th>
          <th>单号</th>
          <th>往来单位</th>
          <th className="num">价税合计</th>
          <th>操作</th>
          <th>状态</th>
        </tr>
      </thead>
      <tbody>
        {recent.map(each => (
          <tr key={`${each.sn}${each.at}`}>
            <td>{wallTime(each.at).slice(5)}</td>
            <td>{each.title}</td>
            <td>
              <Link className="mono" to={each.route}>
                {each.sn}
              </Link>
            </td>
            <td>{each.counterparty_name ?? '-'}</td>
            <td className="num">
              {isZero(String(each.taxed_amount ?? 0)) ? '-' : groupDigits(each.taxed_amount ?? '')}
            </td>
            <td>
              {each.actor_name} {each.label}
            </td>
            <td>
              <StateTag definition={documentOf(each.kind) ?? noDefinition} state={each.state} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
