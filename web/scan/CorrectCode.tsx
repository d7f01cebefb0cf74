import { Link } from 'react-router'
import { codeKeeper } from '#web/engine/customisation.ts'
import { useSession } from '#web/engine/session/session.ts'
import { NEW_VALUE } from '#web/list/page/list-query.ts'
import { useMay } from '#web/shell/menu/menu.ts'
import { listAddressOf, NEW, routeOfKind } from '#web/shell/menu/screen-index.ts'

/** Link from an unknown code to where it is registered; the scan is read again on return. */
export function CorrectCode({ code }: { readonly code: string }) {
  const org = useSession()?.orgType ?? 'P'
  const { of = '', unknownCode } = codeKeeper() ?? {}
  const may = useMay(routeOfKind(of, org) ?? '', of)
  if (unknownCode === undefined || !may('add')) return null
  const values = Object.entries(unknownCode.begin(code)).map(([name, value]) => [`${NEW_VALUE}${name}`, value])
  const to = listAddressOf(of, org, { row: NEW, ...Object.fromEntries(values) })
  return to === null ? null : <Link to={to}>{unknownCode.label}</Link>
}
