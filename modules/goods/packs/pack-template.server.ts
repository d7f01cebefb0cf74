import { addDays, type Day, today } from '#kernel/values/date.ts'
import { plain } from '#kernel/values/decimal.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { needOf, recipesOf } from '#modules/goods/packs/recipe.server.ts'
import { standingUses } from '#modules/goods/packs/standing-uses.server.ts'
import type { Tx } from '#server/public/database.ts'
import { createDraft, definitionOf } from '#server/public/drafts.ts'
import type { ListActionHandler, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'

/** The days of use that the list shows. */
const LOOK_BACK = 30

/** Implants cannot be used up automatically on receipt, because each use on a patient must be recorded. */
async function refuseUnseen(tx: Tx, session: Session, row: Readonly<Record<string, unknown>>): Promise<Problem[]> {
  if (row.used_on_receipt !== true) return []
  const [implant] = await tx`
    select 1 from specification s join product p on p.id = s.product_id and p.is_implant
     where s.id = ${(row.specification_sn as string | null | undefined) ?? null}::bigint
        or s.id in (select l.specification_id from pack_template_line l where l.org_id = ${session.org.id}
                    and l.pack_template_id = ${(row.pack_template_sn as string | null | undefined) ?? null}::bigint)
     limit 1`
  return implant ? [{ field: 'used_on_receipt', msg: '植入产品须逐件登记使用，不能领用即消耗' }] : []
}

async function isPacked(tx: Tx, session: Session, template: unknown): Promise<boolean> {
  const [packed] = await tx`
    select 1 from pack where org_id = ${session.org.id} and template_id = ${String(template)} limit 1`
  return packed !== undefined
}

type Used = { readonly template_id: string; readonly packs: number }

/** Packs of these templates that stores of a department used since a day. */
const usedPacks = (tx: Tx, session: Session, templates: readonly string[], department: string, since: Day) =>
  tx<Used[]>`
    select k.template_id, count(distinct coalesce(k.pack_code, k.code))::int as packs
      from pack k ${standingUses(tx, since)}
      join warehouse w on w.org_id = k.org_id and w.id = e.from_warehouse_id and w.department_id = ${department}
     where k.org_id = ${session.org.id} and k.template_id = any(${templates as string[]}::bigint[])
     group by 1`

/** 按用量申领: requests again the quantity of the ticked packs that a department used, in whole packs. */
const refill: ListActionHandler = async ({ tx, session, asked, ids }) => {
  const department = String(asked.department_inner_sn)
  const days = parseInteger(asked.days)
  const recipes = await recipesOf(tx, session.org.id, ids)
  const used = await usedPacks(tx, session, ids, department, addDays(today(), -days))
  const wanted = recipes.flatMap(recipe => {
    const packs = used.find(row => row.template_id === recipe.id)?.packs ?? 0
    return packs === 0 ? [] : recipe.parts.map(part => ({ part, packs, combined: recipe.combined }))
  })
  if (wanted.length === 0) throw new BusinessError('rule', `该科室最近${days}天没有用掉所选的定数包，不需要申领`)
  const made = await createDraft(tx, session, definitionOf('requisition'), {
    department_inner_sn: department,
    warehouse_model_inner_sn: String(asked.warehouse_model_inner_sn),
    // Parts of combined packs are not whole packs of one product.
    claim_type: wanted.some(({ combined }) => combined) ? 'refill' : 'pack',
    remark: `按最近${days}天用掉的定数包申领`,
    lines: wanted.map(({ part, packs }) => ({
      specification_sn: part.specification_id,
      quantity: needOf(part, packs),
      remark: `${packs}包×${plain(part.quantity)}`,
    })),
  })
  return { said: `已生成申领单${made.sn}，请核对后提交` }
}

export const packTemplateRules: RecordRules = {
  kind: 'packTemplate',
  calls: { refill },
  columns: (tx, session) => {
    const packs = tx`from pack k join unit u on u.lot_id = k.lot_id and u.id = k.unit_id
      join warehouse w on w.org_id = k.org_id and w.id = u.warehouse_id
      where k.org_id = ${session.org.id} and k.template_id = t.id and u.status = 'in_stock' and k.opened_at is null`
    const all = tx`count(distinct coalesce(k.pack_code, k.code))::int`
    return {
      product_name: tx`case when t.pack_type = 'single' then (select p.name from specification s
          join product p on p.id = s.product_id where s.id = t.specification_id)
        else (select string_agg(p.name || '×' || trim_scale(l.quantity), '、' order by l.sort_no, l.id)
          from pack_template_line l join specification s on s.id = l.specification_id
          join product p on p.id = s.product_id
         where l.org_id = ${session.org.id} and l.pack_template_id = t.id) end`,
      pack_quantity: tx`case when t.pack_type = 'single' then t.size else (select sum(l.quantity)
        from pack_template_line l where l.org_id = ${session.org.id} and l.pack_template_id = t.id) end`,
      packs_in_stores: tx`(select ${all} ${packs} and w.model <> 'ward')`,
      packs_in_wards: tx`(select ${all} ${packs} and w.model = 'ward')`,
      packs_used: tx`(select ${all} from pack k ${standingUses(tx, addDays(today(), -LOOK_BACK))}
         where k.org_id = ${session.org.id} and k.template_id = t.id)`,
    }
  },
  async check(tx, session, { id, after, before }) {
    const problems = await refuseUnseen(tx, session, { ...after, pack_template_sn: id })
    if (problems.length > 0) return problems
    const isChanged = ['pack_type', 'specification_sn', 'size'].some(
      name => before !== null && String(before[name] ?? '') !== String(after[name] ?? ''),
    )
    if (isChanged && (await isPacked(tx, session, id)))
      throw new BusinessError('rule', '已按该模板组包，规格和定数不能修改，请另建模板')
    return []
  },
}

export const packTemplateLineRules: RecordRules = {
  kind: 'packTemplateLine',
  columns: tx => ({
    product_name: tx`(select p.name from specification s join product p on p.id = s.product_id
      where s.id = t.specification_id)`,
  }),
  async check(tx, session, { after }) {
    await refuseChanged(tx, session, after.pack_template_sn)
    const [unseen] = await tx`
      select 1 from pack_template t join specification s on s.id = ${String(after.specification_sn)}
        join product p on p.id = s.product_id and p.is_implant
       where t.org_id = ${session.org.id} and t.id = ${String(after.pack_template_sn)} and t.used_on_receipt`
    return unseen ? [{ field: 'specification_sn', msg: '领用即消耗的组合包不能放入植入产品' }] : []
  },
  mayLeave: async (tx, session, _action, row) => refuseChanged(tx, session, row.pack_template_sn),
}

async function refuseChanged(tx: Tx, session: Session, template: unknown): Promise<void> {
  const [row] = await tx<{ pack_type: string }[]>`
    select pack_type from pack_template where org_id = ${session.org.id} and id = ${String(template)}`
  if (row?.pack_type !== 'combined') throw new BusinessError('rule', '单品定数包没有明细，请在模板里维护规格和定数')
  if (await isPacked(tx, session, template)) throw new BusinessError('rule', '已按该模板组包，明细不能修改，请另建模板')
}
