import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { mustKeepProduct } from '#modules/trade/catalogue/products/specification.server.ts'
import { isTakenIn } from '#modules/trade/catalogue/assortment/catalogue-columns.server.ts'
import type { Change, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Unit = { readonly id: string; readonly parent_unit_id: string | null; readonly base_measure: number }

/** True if a document of any organisation was written in this unit: its ratio can never change afterwards. */
async function isUnitUsed(tx: Tx, session: Session, unit: string): Promise<boolean> {
  const [used] = await tx`select 1 from document_line where org_id = ${session.org.id} and unit_id = ${unit} limit 1`
  return used !== undefined
}

/** The smaller unit contained in a pack, of the same specification and not one of its own packs. */
async function smallerUnit(tx: Tx, change: Change): Promise<Unit | string> {
  const units = await tx<Unit[]>`select id, parent_unit_id, base_measure from unit_tree
    where specification_id = ${String(change.after.specification_sn)}`
  const find = (id: unknown) => units.find(unit => unit.id === id)
  const smaller = find(change.after.parent_unit_inner_sn)
  if (!smaller) return '请选择本规格的单位'
  for (let unit: Unit | undefined = smaller; unit; unit = find(unit.parent_unit_id))
    if (unit.id === change.id) return '单位换算不能循环'
  return smaller
}

export const unitTreeRules: RecordRules = {
  kind: 'unitTree',
  table: 'pack_unit',
  kept: ['parent_unit_inner_sn', 'conversion'],
  columns: tx => ({
    parent_unit_inner_sn: tx`t.parent_unit_id`,
    // Written as by `packLabel`.
    conversion: tx`t.conversion`,
  }),
  mayWrite(_session, action, row) {
    if (action !== 'add' && row?.unit_inner_sn === row?.specification_sn)
      throw new BusinessError('rule', '基本单位在规格上修改')
  },
  async check(tx, session, change) {
    await mustKeep(tx, session, change.after)
    if (change.before && change.after.specification_sn !== change.before.specification_sn)
      return [{ field: 'specification_sn', msg: '单位不能换到另一个规格' }]
    const smaller = await smallerUnit(tx, change)
    if (typeof smaller === 'string') return [{ field: 'parent_unit_inner_sn', msg: smaller }]
    const base = parseInteger(change.after.measure) * smaller.base_measure
    if (base > 100_000_000) return [{ field: 'measure', msg: '换算数过大' }]
    if (change.before && base !== change.before.base_measure) {
      if (await isUnitUsed(tx, session, String(change.id)))
        return [{ field: 'measure', msg: '单位已被业务单据使用，不能修改换算率' }]
      if (await isTakenIn(tx, session, String(change.after.specification_sn)))
        return [{ field: 'measure', msg: '产品已被其他机构引入，不能修改换算率，请另增一个单位' }]
    }
    change.after.base_measure = base
    return []
  },
  alsoWrites: async (_tx, _session, change) => ({
    parent_id:
      change.after.parent_unit_inner_sn === change.after.specification_sn
        ? null
        : String(change.after.parent_unit_inner_sn),
  }),
  /** Packs made of this one follow its new ratio. */
  async saved(tx, _session, id, change) {
    if (!change.before || change.before.base_measure === change.after.base_measure) return
    await tx`
      with recursive above as (
        select p.id, ${parseInteger(change.after.base_measure)} * p.measure as base from pack_unit p
          where p.parent_id = ${id}
        union all
        select p.id, above.base * p.measure from above join pack_unit p on p.parent_id = above.id)
      update pack_unit p set base_measure = above.base, version = version + 1 from above where p.id = above.id`
  },
  async mayLeave(tx, session, _action, row) {
    await mustKeep(tx, session, row)
    if (await isUnitUsed(tx, session, String(row.unit_inner_sn)))
      throw new BusinessError('blocked', '单位已被业务单据使用，不能删除')
    if (await isTakenIn(tx, session, String(row.specification_sn)))
      throw new BusinessError('blocked', '产品已被其他机构引入，单位不能删除')
  },
}

/** Packs belong to the specification: users who may change it may change them. */
async function mustKeep(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<void> {
  const [owner] = await tx<
    { product_sn: string }[]
  >`select product_id as product_sn from specification where id = ${String(row.specification_sn)}`
  if (!owner) throw new BusinessError('notFound', '规格型号不存在或已被删除')
  await mustKeepProduct(tx, session, owner)
}
