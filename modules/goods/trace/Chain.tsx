import { ArrowRightOutlined, WarningFilled } from '@ant-design/icons'
import { useState } from 'react'
import { Link } from 'react-router'
import { plain } from '#kernel/values/decimal.ts'
import { documentOf, entityOf } from '#kernel/registry.ts'
import { type ChainEvent, chainOf, stationsOf } from '#modules/goods/trace/chain-view.ts'
import type { TraceEvent } from '#modules/goods/trace/trace-info.ts'
import css from '#modules/goods/trace/Trace.module.css'
import { useSession } from '#web/engine/session/session.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { Tag } from '#web/fields/Tag.tsx'
import { useDocumentAddress } from '#web/shell/menu/document-address.ts'

/** The path of the goods across organisations, oldest first. */
export function Chain({ events }: { events: readonly TraceEvent[] }) {
  const [showsUndone, setShowsUndone] = useState(false)
  const chain = chainOf(events)
  const undone = chain.filter(event => event.undone).length
  const gaps = chain.filter(event => event.broken).length
  const shown = showsUndone ? chain : chain.filter(event => !event.undone)
  if (events.length === 0) return <p className="faint">没有流向记录</p>
  return (
    <>
      <p className={css.chainNote}>
        {gaps > 0 ? (
          <span className={css.gap}>
            <WarningFilled /> 追溯链有{gaps}处中断
          </span>
        ) : (
          <span className="faint">追溯链完整，共{shown.length}个环节</span>
        )}
        {undone > 0 && (
          <button type="button" className="link" onClick={() => setShowsUndone(!showsUndone)}>
            {showsUndone ? '收起' : '显示'}已撤销的{undone}个环节
          </button>
        )}
      </p>
      <ol className={css.chain}>
        {stationsOf(shown).map((station, at) => (
          <li key={`${station.org}${at}`} className={css.station}>
            <h3 className={css.org}>{station.org}</h3>
            <ol className={css.events}>
              {station.events.map(event => (
                <Event key={event.seq} event={event} at={station.org} />
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </>
  )
}

/** One end of a move; the organisation is not repeated under its own heading. */
const end = (org: string | null, place: string | null, at: string): string =>
  [org === at && place ? null : org, place].filter(Boolean).join(' · ')

function Event({ event, at }: { event: ChainEvent; at: string }) {
  const session = useSession()
  const addressOf = useDocumentAddress()
  const definition = documentOf(event.document_kind)
  const to =
    event.document_sn === null || session === null || definition === undefined || event.org_name !== session.orgName
      ? null
      : addressOf(event.document_kind, event.document_sn)
  const from = end(event.from_org_name, event.from_place, at)
  const target = end(event.to_org_name, event.to_place, at)
  return (
    <li className={css.event} data-step={event.step} data-undone={event.undone} data-broken={event.broken}>
      <time className={css.time} dateTime={event.happened_at ?? event.at}>
        {wallTime(event.happened_at ?? event.at)}
      </time>
      <div className={css.what}>
        <strong className={css.step}>{event.step_name}</strong>
        {event.is_lot && <Tag>批次</Tag>}
        {event.broken && <Tag tone="danger">追溯链中断</Tag>}
        <span className={css.quantity}>{plain(event.quantity)}</span>
      </div>
      <p className={css.way}>
        {from !== '' && <span>{from}</span>}
        {from !== '' && target !== '' && <ArrowRightOutlined className={css.arrow} />}
        {target !== '' && <span>{target}</span>}
      </p>
      <p className={css.document}>
        {definition?.title ?? entityOf(event.document_kind)?.title}{' '}
        {to === null ? (
          <span className="mono">{event.document_sn}</span>
        ) : (
          <Link className="mono" to={to}>
            {event.document_sn}
          </Link>
        )}
        {event.actor && <span> · {event.actor}</span>}
        {event.happened_at && wallTime(event.happened_at) !== wallTime(event.at) && (
          <span className="faint"> · {wallTime(event.at)} 入账</span>
        )}
        {event.patient_name && (
          <span className={css.patient}>
            患者 {event.patient_name} {event.patient_no}
          </span>
        )}
      </p>
    </li>
  )
}
