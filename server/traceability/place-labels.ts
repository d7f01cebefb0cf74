import type { Label } from '#kernel/print/label-data.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type Asker, labelOf } from '#server/traceability/label-of.ts'
import { keysOf } from '#server/traceability/units-on-hand.ts'
import type { Sign } from '#server/records/hooks.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import type { Tx } from '#server/database/transaction.ts'

const noGoods = {
  product_name: '',
  specification_name: '',
  unit_name: '',
  manufacturer_name: '',
  registration_no: null,
  charge_code: null,
  is_high_value: false,
  is_cold_chain: false,
}
const keysAsked = (text: unknown) => keysOf(text, /^\d{1,18}$/)

/** In the order of the keys; a missing one is refused. */
function signsOf(asker: Asker, keys: readonly string[], signs: readonly Sign[], type: Label['type']): Label[] {
  const known = new Map(signs.map(sign => [sign.key, sign]))
  if (keys.some(key => !known.has(key))) throw new BusinessError('notFound', '有记录不存在或已变化，请刷新后重新勾选')
  return keys.map(key => {
    const { code, facts } = known.get(key)!
    const said = facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []))
    return { ...labelOf(asker, { key, type, code, di: null }, noGoods), facts: said }
  })
}

const conditionIn = (tx: Tx, of: 'a' | 's') =>
  tx`case ${tx(of)}.storage_condition when 'cool' then '阴凉' when 'cold' then '冷藏' when 'frozen' then '冷冻' else '常温' end`

/**
 * Labels of locations: the code, where it is and what may be stored there. Scanning its code at a counter gives the
 * location of goods.
 */
export async function placeLabels(tx: Tx, asker: Asker, text: unknown): Promise<Label[]> {
  const keys = keysAsked(text)
  const rows = await tx<{ key: string; code: string; store: string; area: string; goods: string | null }[]>`
    select k.id as key, k.code, w.name as store,
      coalesce(a.name, s.area) || '（' || ${conditionIn(tx, 's')} || '）' as area, p.name || ' ' || f.name as goods
      from shelf_place k join shelf s on s.org_id = k.org_id and s.id = k.shelf_id
        join warehouse w on w.org_id = k.org_id and w.id = k.warehouse_id
      left join store_area a on a.org_id = s.org_id and a.warehouse_id = s.warehouse_id and a.code = s.area
      left join specification f on f.id = k.specification_id left join product p on p.id = f.product_id
     where k.org_id = ${asker.org.id} and k.id = any(${keys}::bigint[])`
  const signs = rows.map(
    ({ key, code, store, area, goods }): Sign => ({
      key,
      code,
      facts: [
        ['仓库', store],
        ['库区', area],
        ['存放', goods],
      ],
    }),
  )
  return signsOf(asker, keys, signs, 'place')
}

/** Labels of areas: the code with that of the store, as areas of two stores may have the same name. */
export async function areaLabels(tx: Tx, asker: Asker, text: unknown): Promise<Label[]> {
  const keys = keysAsked(text)
  const rows = await tx<{ key: string; code: string; store: string; area: string; condition: string }[]>`
    select a.id as key, w.code || '-' || a.code as code, w.name as store, a.name as area,
      ${conditionIn(tx, 'a')} as condition
      from store_area a join warehouse w on w.org_id = a.org_id and w.id = a.warehouse_id
        where a.org_id = ${asker.org.id} and a.id = any(${keys}::bigint[])`
  const signs = rows.map(
    ({ key, code, store, area, condition }): Sign => ({
      key,
      code,
      facts: [
        ['仓库', store],
        ['库区', area],
        ['贮存条件', condition],
      ],
    }),
  )
  return signsOf(asker, keys, signs, 'area')
}

/** Labels of departments: code and name, for phones and hand-held scanners at the entrance. */
export async function departmentLabels(tx: Tx, asker: Asker, text: unknown): Promise<Label[]> {
  const keys = keysAsked(text)
  const rows = await tx<{ key: string; code: string; name: string; above: string | null }[]>`
    select d.id as key, d.code, d.name, u.name as above from department d left join department u on u.org_id = d.org_id
      and u.id = d.parent_id
     where d.org_id = ${asker.org.id} and d.id = any(${keys}::bigint[])`
  const signs = rows.map(
    ({ key, code, name, above }): Sign => ({
      key,
      code,
      facts: [
        ['科室', name],
        ['上级', above],
      ],
    }),
  )
  return signsOf(asker, keys, signs, 'department')
}

/** Labels of rows that a module describes itself: a numbered kit, an instrument. */
export async function signLabels(tx: Tx, asker: Asker, text: unknown, kind: string): Promise<Label[]> {
  const keys = keysAsked(text)
  const signs = await rulesOf(kind).signs?.(tx, asker, keys)
  if (!signs) throw new BusinessError('invalid', '这类记录没有标签')
  return signsOf(asker, keys, signs, 'sign')
}
