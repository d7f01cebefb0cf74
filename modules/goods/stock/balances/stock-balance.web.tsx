import { Link } from 'react-router'
import { today } from '#kernel/values/date.ts'
import { TraceLink } from '#modules/goods/trace/trace-link.tsx'
import type { Customisation } from '#web/engine/customisation.ts'
import { useSession } from '#web/engine/session/session.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { listAddressOf } from '#web/shell/menu/screen-index.ts'

const LotTrace = ({ info }: { info: Row }) =>
  typeof info.lot_no === 'string' && info.lot_no !== '' ? (
    <TraceLink code={info.lot_no} label={`追溯批号 ${info.lot_no}`} />
  ) : null

/** 库存流水: the moves of this year that made the balance. */
function Flow({ info }: { info: Row }) {
  const session = useSession()
  if (session === null || !info.specification_sn || !info.warehouse_model_inner_sn) return null
  const to = listAddressOf('stockFlow', session.orgType, {
    specification_sn: String(info.specification_sn),
    warehouse_model_inner_sn: String(info.warehouse_model_inner_sn),
    lot_no: String(info.lot_no ?? ''),
    begin_date: `${today().slice(0, 4)}-01-01`,
    end_date: today(),
  })
  return to === null ? null : (
    <p>
      <Link to={to}>库存流水</Link>
    </p>
  )
}

/** 院内码: the single pieces of the lot in this warehouse. */
function Pieces({ info }: { info: Row }) {
  const session = useSession()
  if (session === null || !info.lot_no || !info.warehouse_model_inner_sn) return null
  const to = listAddressOf('unitLabel', session.orgType, {
    warehouse_model_inner_sn: String(info.warehouse_model_inner_sn),
    specification_sn: String(info.specification_sn),
    lot_no: String(info.lot_no),
    status: 'in_stock',
  })
  return to === null ? null : (
    <p>
      <Link to={to}>查看院内码</Link>
    </p>
  )
}

export const stockBalanceLook: Customisation = { of: 'stockBalance', panels: [LotTrace, Flow, Pieces] }
