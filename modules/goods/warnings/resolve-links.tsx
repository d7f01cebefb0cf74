import { Link } from 'react-router'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { useSession } from '#web/engine/session/session.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { useMenu } from '#web/shell/menu/menu.ts'
import { addressOf, listAddressOf, NEW } from '#web/shell/menu/screen-index.ts'

type Way = { readonly label: string; readonly to: string | null }
const filled = (wanted: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(wanted).flatMap(([name, value]) =>
      typeof value === 'string' && value !== '' ? [[name, value]] : [],
    ),
  )

/** Pages where the cause of a warning can be removed, the most likely one first, filtered to it. */
function waysOf(info: Row, org: OrgType): readonly Way[] {
  const store = { warehouse_model_inner_sn: info.warehouse_model_inner_sn }
  const model = filled({ specification_sn: info.specification_sn, ...store })
  const stock: Way = { label: '查看库存', to: listAddressOf('stockBalance', org, model) }
  const lot: Way = {
    label: '查看库存',
    to: listAddressOf('stockBalance', org, filled({ lot_no: info.code, ...store })),
  }
  const limits: Way = { label: '调整上下限', to: listAddressOf('warehouseProduct', org, model) }
  if (info.object_kind === 'reagentTrace')
    return [{ label: '查看试剂', to: listAddressOf('reagentTrace', org, filled({ code: info.code })) }]
  if (info.category === 'PRODUCTEXPIRY')
    return info.level === 'expired' ? [{ label: '新建报废单', to: addressOf('scrap', NEW, org) }, lot] : [lot]
  if (info.level === 'low' || info.level === 'none')
    return [
      // A ward requests from its warehouse; a warehouse orders from its suppliers.
      info.department_inner_sn
        ? { label: '新建申领单', to: addressOf('requisition', NEW, org) }
        : { label: '采购计划', to: listAddressOf('purchasePlan', org, {}) },
      limits,
      stock,
    ]
  if (info.level === 'high') return [limits, stock]
  if (info.level === 'idle') return [stock]
  if (info.level === 'held')
    return [{ label: '停售单', to: addressOf(String(info.object_kind), String(info.code), org) }]
  return [{ label: '查看证件', to: listAddressOf(String(info.object_kind), org, filled({ q: info.code })) }]
}

/** The links to resolve a warning that lead to pages in the reader's menu. */
function useWays(info: Row): readonly { readonly label: string; readonly to: string }[] {
  const session = useSession()
  const { menu } = useMenu()
  if (session === null || info.state === 'closed') return []
  const pages = [...menu.operations.keys()]
  return waysOf(info, session.orgType).flatMap(({ label, to }) =>
    to !== null && pages.some(route => to === route || to.startsWith(`${route}/`) || to.startsWith(`${route}?`))
      ? [{ label, to }]
      : [],
  )
}

/** 前往处理, in the row: the most likely page. */
export function ToCause({ info }: { readonly info: Row }) {
  const way = useWays(info)[0]
  return way === undefined ? null : (
    <Link to={way.to} title={way.label}>
      前往处理
    </Link>
  )
}

/** 前往处理, in the drawer: every page. */
export function WaysOut({ info }: { readonly info: Row }) {
  const ways = useWays(info)
  return ways.length === 0 ? null : (
    <p>
      前往处理：
      {ways.map(({ label, to }, at) => (
        <span key={label}>
          {at > 0 && '　'}
          <Link to={to}>{label}</Link>
        </span>
      ))}
    </p>
  )
}
