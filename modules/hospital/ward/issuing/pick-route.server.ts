import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Info = Readonly<Record<string, unknown>>

/** Lines of an issue in picking order: by area, by the order of its shelves, by location. */
export async function pickOrder(tx: Tx, session: Session, info: Info): Promise<Info> {
  const shelves = await tx<{ area: string; code: string; pick_order: number }[]>`
    select area, code, pick_order from shelf
     where org_id = ${session.org.id} and warehouse_id = ${(info.warehouse_model_inner_sn as string | null) ?? null}`
  const lines = (info.lines ?? []) as readonly Info[]
  const keyOf = (location: string): string => {
    const [area = '', code = ''] = location.split('-')
    const order = shelves.find(shelf => shelf.area === area && shelf.code === code)?.pick_order ?? 9999
    return location === '' ? '~' : `${area}/${String(order).padStart(5, '0')}/${location}`
  }
  return { lines: lines.map(line => ({ ...line, pick_key: keyOf(String(line.location ?? '')) })) }
}
