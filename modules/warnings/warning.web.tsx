import { Link } from 'react-router'
import type { Customisation } from '#web/engine/customise.ts'
import { useSession } from '#web/engine/session.ts'
import type { Row } from '#web/fields/face.ts'
import { listAddressOf } from '#web/shell/screen-index.ts'

/** What narrows the page on which the cause of a warning is removed. */
const narrowed = (info: Row): Record<string, string> => {
  const wanted: Record<string, unknown> =
    info.object_kind === 'stockBalance' && info.category === 'PRODUCTEXPIRY'
      ? { lot_no: info.code, warehouse_model_inner_sn: info.warehouse_model_inner_sn }
      : info.object_kind === 'licence' || info.object_kind === 'registrationCertificate'
        ? { q: info.code }
        : { specification_sn: info.specification_sn, warehouse_model_inner_sn: info.warehouse_model_inner_sn }
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([name, value]) =>
      typeof value === 'string' && value !== '' ? [[name, value]] : [],
    ),
  )
}

/** 前往处理: the page on which the cause can be removed, narrowed to it. */
function ToCause({ info }: { info: Row }) {
  const session = useSession()
  const to = session === null ? null : listAddressOf(String(info.object_kind), session.orgType, narrowed(info))
  return to === null ? null : (
    <p>
      <Link to={to}>前往处理</Link>
    </p>
  )
}

export const warningLook: Customisation = { of: 'warning', panels: [ToCause] }
