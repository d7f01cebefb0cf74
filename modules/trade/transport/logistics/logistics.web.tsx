import { Timeline, Typography } from 'antd'
import { boundsText } from '#modules/trade/transport/cold-chain/temperature-curve.ts'
import { TemperatureCurve } from '#modules/trade/transport/cold-chain/TemperatureCurve.tsx'
import { signatureInputOf } from '#modules/hospital/signatures/SignatureInput.tsx'
import { Signatures } from '#modules/hospital/signatures/signatures.web.tsx'
import type { CurvePoint } from '#modules/trade/transport/cold-chain/temperature-curve.ts'
import type { TemperatureBounds } from '#modules/base/vocabulary/storage-conditions.ts'
import type { Customisation } from '#web/engine/customisation.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'

type Event = { readonly at: string; readonly place: string | null; readonly text: string; readonly by: string }

/** The events of the shipment, the latest first. */
function Way({ info }: { readonly info: Row }) {
  const events = (info.tracking ?? []) as readonly Event[]
  if (events.length === 0) return null
  return (
    <section aria-label="物流轨迹" style={{ marginTop: 16 }}>
      <Typography.Title level={5}>物流轨迹</Typography.Title>
      <Timeline
        items={events.toReversed().map(event => ({
          key: `${event.at}${event.text}`,
          content: (
            <>
              <span className="num">{wallTime(event.at)}</span> {event.place === null ? '' : `【${event.place}】`}
              {event.text} <span className="quiet">{event.by}</span>
            </>
          ),
        }))}
      />
    </section>
  )
}

/** The temperatures that the recorder measured on the way, against the bounds of the goods. */
function Temperatures({ info }: { readonly info: Row }) {
  const curve = (info.temperature_curve ?? []) as readonly CurvePoint[]
  const bounds = (info.temperature_bounds ?? null) as TemperatureBounds | null
  if (curve.length === 0) return null
  return (
    <section aria-label="在途温度" style={{ marginTop: 16 }}>
      <Typography.Title level={5}>
        在途温度{' '}
        <span className="quiet">
          {String(info.temperature_range ?? '')}
          {bounds === null ? '' : `，储运条件${boundsText(bounds)}`}
        </span>
      </Typography.Title>
      <TemperatureCurve curve={curve} bounds={bounds} />
    </section>
  )
}

export const logisticsLook: Customisation = {
  of: 'logistics',
  inputs: { signature_sn: signatureInputOf('logistics') },
  panels: [Way, Temperatures, Signatures],
}
