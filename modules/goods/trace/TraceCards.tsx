import { Link } from 'react-router'
import { daysBetween, isDay, today } from '#kernel/values/date.ts'
import type { TraceInfo } from '#modules/goods/trace/trace-info.ts'
import { traceScreen } from '#modules/goods/trace/trace.screen.ts'
import css from '#modules/goods/trace/Trace.module.css'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { Tag, type Tone } from '#web/fields/Tag.tsx'

const SOON_DAYS = 180
const tones: Readonly<Record<string, Tone>> = {
  in_stock: 'success',
  in_transit: 'info',
  used: 'brand',
  scrapped: 'danger',
  lost: 'danger',
  returned: 'neutral',
  issued: 'neutral',
  void: 'neutral',
  gone: 'neutral',
}

/** Where it is now. */
export function NowCard({
  now,
  patient,
}: {
  now: NonNullable<TraceInfo['now']>
  patient?: NonNullable<TraceInfo['patient']>
}) {
  return (
    <section className={css.now} aria-label="现在" data-status={now.status}>
      <div className={css.nowHead}>
        <span className="faint">现在</span>
        <Tag tone={tones[now.status] ?? 'neutral'}>{now.status_name}</Tag>
      </div>
      <p className={css.holder}>{now.holder_name ?? '—'}</p>
      <p className={css.place}>{[now.place, now.location].filter(Boolean).join(' · ')}</p>
      {patient && (
        <dl className={css.facts}>
          <dt>患者</dt>
          <dd>{[patient.patient_name, patient.patient_no].filter(Boolean).join(' ') || '-'}</dd>
          {patient.department_name && (
            <>
              <dt>科室</dt>
              <dd>{patient.department_name}</dd>
            </>
          )}
          {patient.surgery_name && (
            <>
              <dt>手术</dt>
              <dd>{patient.surgery_name}</dd>
            </>
          )}
          {patient.implant_site && (
            <>
              <dt>部位</dt>
              <dd>{patient.implant_site}</dd>
            </>
          )}
          {patient.used_at && (
            <>
              <dt>使用时间</dt>
              <dd>{wallTime(patient.used_at)}</dd>
            </>
          )}
        </dl>
      )}
    </section>
  )
}

const PackLink = ({ code }: { code: string }) => (
  <Link to={`${traceScreen.route}?code=${encodeURIComponent(code)}`}>{code}</Link>
)

function expiryOf(expiry: string | null | undefined): { readonly tone: Tone; readonly text: string } | null {
  if (!isDay(expiry)) return null
  const left = daysBetween(today(), expiry)
  if (left < 0) return { tone: 'danger', text: `过期${-left}天` }
  return left <= SOON_DAYS ? { tone: 'warning', text: `剩${left}天` } : { tone: 'success', text: '有效' }
}

/** The parsed code, and what it identifies. */
export function CodeCard({ info }: { info: TraceInfo }) {
  const { specification, lot, unit, parsed } = info
  const expiry = expiryOf(lot?.expiry_date)
  return (
    <section className={css.code} aria-label="产品与条码">
      {specification && (
        <>
          <h2 className={css.product}>{specification.product_name}</h2>
          <p className={css.size}>
            {specification.specification_name} {specification.is_implant && <Tag tone="warning">植入</Tag>}
          </p>
        </>
      )}
      <dl className={css.facts}>
        {specification && (
          <>
            <dt>生产厂家</dt>
            <dd>{specification.manufacturer_name}</dd>
          </>
        )}
        {specification?.registration_no && (
          <>
            <dt>注册证</dt>
            <dd>{specification.registration_no}</dd>
          </>
        )}
        {lot && (
          <>
            <dt>批号</dt>
            <dd className="mono">{lot.lot_no || '无批号'}</dd>
          </>
        )}
        {lot?.production_date && (
          <>
            <dt>生产日期</dt>
            <dd>{lot.production_date}</dd>
          </>
        )}
        {lot?.expiry_date && (
          <>
            <dt>有效期至</dt>
            <dd>
              {lot.expiry_date} {expiry && <Tag tone={expiry.tone}>{expiry.text}</Tag>}
            </dd>
          </>
        )}
        {specification?.udi_di && (
          <>
            <dt>UDI-DI</dt>
            <dd className="mono">{specification.udi_di}</dd>
          </>
        )}
        {unit?.pack && (
          <>
            <dt>所属组合包</dt>
            <dd className={`mono ${css.codes}`}>
              <PackLink code={unit.pack.code} />
            </dd>
            <dt>同包产品</dt>
            <dd className={`mono ${css.codes}`}>
              {unit.pack.parts
                .filter(each => each !== unit.code)
                .map(each => (
                  <PackLink key={each} code={each} />
                ))}
            </dd>
          </>
        )}
        {unit && unit.codes.length > 0 && (
          <>
            <dt>单件码</dt>
            <dd className={`mono ${css.codes}`}>
              {unit.codes.map(each => (
                <span key={each}>{each}</span>
              ))}
            </dd>
          </>
        )}
      </dl>
      {parsed.ok && parsed.elements.length > 1 && (
        <ul className={css.elements} aria-label="条码内容">
          {parsed.elements.map(element => (
            <li key={element.ai}>
              <span className="mono">({element.ai})</span>
              <span className="faint">{element.label}</span>
              <span className="mono">{element.value}</span>
            </li>
          ))}
        </ul>
      )}
      {parsed.ok &&
        parsed.warnings.map(sentence => (
          <p key={sentence} className={css.warning}>
            {sentence}
          </p>
        ))}
    </section>
  )
}
