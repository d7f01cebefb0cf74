import { byName, patchDocument } from '#server/public/documents.ts'
import { inexact } from '#kernel/values/inexact.ts'
import { boundsOfGoods, notifyQuality } from '#modules/trade/transport/cold-chain/temperature.server.ts'
import { boundsText } from '#modules/trade/transport/cold-chain/temperature-curve.ts'
import { updateCustomer } from '#modules/trade/transport/logistics/tracking-events.server.ts'
import { isOutside } from '#modules/base/vocabulary/storage-conditions.ts'
import type { ActionContext } from '#server/public/hooks.ts'

/** The first reading of a cold shipment is judged as every later one: outside the bounds it is abnormal at once. */
export async function departureReading({ tx, session, doc }: ActionContext): Promise<void> {
  const degrees = /-?\d+(\.\d+)?/.exec(String(byName(doc).departure_temperature ?? ''))?.[0]
  if (byName(doc).is_cold_chain !== true || degrees === undefined) return
  const bounds = await boundsOfGoods(tx, doc.lines)
  if (bounds === null || !isOutside(bounds, inexact(degrees))) return
  const said = `启运温度${degrees}℃超出${boundsText(bounds)}`
  const found = {
    is_abnormal: true,
    abnormal_type: 'temperature',
    abnormal_note: said,
    transport_state: 'abnormal',
  }
  await patchDocument(tx, session, doc, found, 'withAction')
  await updateCustomer(tx, session, doc, { label: '异常登记', text: said }, found)
  await notifyQuality(tx, session, doc, said)
}
