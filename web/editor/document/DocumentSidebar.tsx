import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons'
import { Link } from 'react-router'
import { addDays, dayOf, LOG_DAYS } from '#kernel/values/date.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { documentOf, logKind } from '#kernel/registry.ts'
import { useSession } from '#web/engine/session/session.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { noDefinition, StateTag, stateName } from '#web/fields/StateTag.tsx'
import type { HistoryEntry, DocumentView, Related } from '#web/editor/document/document-view.ts'
import { useMenu } from '#web/shell/menu/menu.ts'
import { useDocumentAddress } from '#web/shell/menu/document-address.ts'
import { listAddressOf, routeOfKind } from '#web/shell/menu/screen-index.ts'
import css from '#web/editor/document/DocumentSidebar.module.css'

/** Beside the document: its sources, its follow-up documents, and its history. */
export function Rail({ definition, info }: { definition: AnyDocument; info: DocumentView }) {
  const related = info.related ?? []
  const sources = related.filter(each => each.direction === 'source')
  const followUps = related.filter(each => each.direction !== 'source')
  return (
    <aside className={css.rail} aria-label="关联单据与历史">
      <section className={css.card}>
        <h2 className={css.title}>关联单据</h2>
        <div className={css.graph}>
          {sources.map(each => (
            <Node key={each.sn} document={each} side="source" />
          ))}
          <div className={css.self}>
            <span className="mono">{info.sn}</span>
            <span className={css.kind}>本单</span>
          </div>
          {followUps.map(each => (
            <Node key={each.sn} document={each} side="followup" />
          ))}
          {related.length === 0 && <p className={css.none}>手工新增，暂无后续单据</p>}
        </div>
      </section>
      {(info.relied ?? []).length > 0 && (
        <section className={css.card}>
          <h2 className={css.title}>审核所依据的证照</h2>
          <ul className={css.relied}>
            {(info.relied ?? []).map(doc => (
              <li key={`${doc.licence_type}${doc.licence_no}`}>
                {doc.licence_type} <span className="mono">{doc.licence_no}</span>
                <span className={css.kind}>
                  {doc.valid_to === null ? '长期' : `至${doc.valid_to}`}
                  {doc.graced && '，宽限期内'}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className={css.card}>
        <h2 className={css.title}>
          操作历史 <LogLink info={info} />
        </h2>
        <ol className={css.history}>
          {(info.history ?? []).toReversed().map((entry, at) => (
            <Entry key={`${entry.at}${at}`} definition={definition} entry={entry} home={String(info.org_name ?? '')} />
          ))}
        </ol>
      </section>
    </aside>
  )
}

/** The log of everything done to the document, for users with log rights: 92 days from its first entry. */
function LogLink({ info }: { info: DocumentView }) {
  const session = useSession()
  const { menu } = useMenu()
  const route = session === null ? null : routeOfKind(logKind(), session.orgType)
  if (session === null || !menu.operations.has(route ?? '')) return null
  const first = typeof info.created_at === 'string' ? dayOf(new Date(info.created_at)) : null
  const range = first === null ? {} : { begin_at: first, end_at: addDays(first, LOG_DAYS - 1) }
  const to = listAddressOf(logKind(), session.orgType, { object_name: info.sn, ...range })
  return to === null ? null : <Link to={to}>操作日志</Link>
}

function Node({ document: doc, side }: { document: Related; side: 'source' | 'followup' }) {
  const definition = documentOf(doc.kind)
  const address = useDocumentAddress()(doc.kind, doc.sn)
  const to = address !== null && doc.role === 'counterparty' ? `${address}?role=counterparty` : address
  const sn = <span className="mono">{doc.sn}</span>
  return (
    <div className={css.node} data-side={side}>
      <span className={css.arrow} aria-hidden>
        {side === 'source' ? <ArrowDownOutlined /> : <ArrowUpOutlined rotate={180} />}
      </span>
      <div className={css.nodeBody}>
        <span className={css.kind}>{doc.title ?? definition?.title ?? doc.kind}</span>
        {to === null || definition === undefined ? sn : <Link to={to}>{sn}</Link>}
        <span className={css.who} title={doc.org_name}>
          {doc.org_name}
        </span>
      </div>
      <StateTag definition={definition ?? noDefinition} state={doc.state} />
    </div>
  )
}

/** The name of the person, with his organisation where it is another than `home`. */
const actorOf = (entry: HistoryEntry, home: string): string =>
  [entry.actor_name, entry.actor_org_name === home ? null : entry.actor_org_name].filter(Boolean).join(' · ')

/** `home`: the document's organisation; only other organisations are named. */
function Entry({ definition, entry, home }: { definition: AnyDocument; entry: HistoryEntry; home: string }) {
  const { from_state: from, to_state: to } = entry
  const moved = from && to && from !== to
  return (
    <li className={css.entry} data-action={entry.action}>
      <div className={css.entryHead}>
        <strong>{entry.label}</strong>
        {moved && (
          <span className={css.moved}>
            {stateName(definition, from)} → {stateName(definition, to)}
          </span>
        )}
      </div>
      <div className={css.entryWho}>
        {actorOf(entry, home)} <time>{wallTime(entry.at)}</time>
      </div>
      {entry.reason && <p className={css.reason}>{entry.reason}</p>}
      {(entry.confirmed ?? []).map(sentence => (
        <p key={sentence} className={css.confirmed}>
          已确认：{sentence}
        </p>
      ))}
    </li>
  )
}
