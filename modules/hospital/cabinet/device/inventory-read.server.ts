import { compareReading } from '#modules/hospital/cabinet/stock-check/compare-reading.server.ts'
import { weighOnly } from '#modules/hospital/cabinet/device/weight-readings.server.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { codesIn, said, payloadText, type Working } from '#modules/hospital/cabinet/device/event-context.server.ts'

/** 清点: everything the device reads inside with all doors closed; compared with the ledger and with what was taken. */
export async function inventoryRead(working: Working): Promise<string> {
  const { tx, device, event } = working
  const [open] = await tx<{ door_no: string }[]>`
    select door_no from cabinet_door where org_id = ${device.org.id} and cabinet_id = ${device.id} and is_open
      order by door_no limit 1`
  if (open) throw new BusinessError('rule', `柜门【${open.door_no}】未关，不能清点`)
  const codes = await codesIn(working, 'codes')
  await weighOnly(working)
  return compareReading(working, codes, said(event.payload, 'command', 20))
}

/** 指令完成: lights that were switched on, or a door that could not be opened. */
export async function commandDone({ tx, device, event }: Working): Promise<string> {
  const id = payloadText(event.payload, 'command', 20)
  await tx`
    update cabinet_command set done_at = now(), said = ${said(event.payload, 'said', 200) ?? '已执行'}
     where org_id = ${device.org.id} and cabinet_id = ${device.id} and id = ${/^\d{1,18}$/.test(id) ? id : '0'}
       and done_at is null`
  return '已登记'
}
