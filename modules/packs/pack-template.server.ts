import { addDays, today } from '#kernel/values/date.ts'
import { multiply } from '#kernel/values/decimal.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { needOf, recipesOf } from '#modules/packs/recipe.server.ts'
import type { Tx } from '#server/public/database.ts'
import { createDraft, definitionOf } from '#server/public/drafts.ts'
import type { ListActionHandler, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'

/** Days whose use the list shows. */
const LOOK_BACK = 30

type Fact = { readonly is_unit_coded: boolean; readonly packed: boolean }

async function factOf(tx: Tx, session: Session, specification: unknown, template: unknown): Promise<Fact> {
  const [fact] = await tx<Fact[]>`
    select coalesce((select p.is_unit_coded or coalesce(h.is_unit_coded, false)
                       from specification s join product p on p.id = s.product_id
                       left join hospital_product h on h.org_id = ${session.org.id} and h.specification_id = s.id
                      where s.id = ${specification === null ? null : String(specification)}), false) as is_unit_coded,
           exists (select 1 from pack k where k.org_id = ${session.org.id}
             and k.template_id = ${template === null ? null : String(template)}) as packed`
  return fact!
}

const CODED = '一物一码产品逐件发放，不按定数包管理，请另选规格'

async function refuseCoded(tx: Tx, session: Session, specification: unknown): Promise<Problem[]> {
  const fact = await factOf(tx, session, specification, null)
  return fact.is_unit_coded ? [{ field: 'specification_sn', msg: CODED }] : []
}

type Used = { readonly template_id: string; readonly packs: number }

/** Packs of these templates that stores of a department used since a day. */
const usedPacks = (tx: Tx, session: Session, templates: readonly string[], department: string, since: string) =>
  tx<Used[]>`
    select k.template_id, count(distinct coalesce(k.pack_code, k.code))::int as packs
      from pack k
      join trace_event e on e.lot_id = k.lot_id and e.unit_id = k.unit_id and e.step = 'use' and e.at >= ${since}::date
      join warehouse w on w.org_id = k.org_id and w.id = e.from_warehouse_id and w.department_id = ${department}
     where k.org_id = ${session.org.id} and k.template_id = any(${templates as string[]}::bigint[])
       and not exists (select 1 from trace_event x where x.lot_id = e.lot_id and x.unit_id = e.unit_id
         and x.undo_of = e.seq)
     group by 1`

/** 按用量申领: what a department used of the ticked packs it asks for again, whole packs each. */
const refill: ListActionHandler = async (tx, session, asked, keys) => {
  const department = String(asked.department_inner_sn)
  const days = parseInteger(asked.days ?? 7)
  const recipes = await recipesOf(tx, session.org.id, keys)
  const used = await usedPacks(tx, session, keys, department, addDays(today(), -days))
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
      remark: `${packs}包×${multiply(part.quantity, '1', 0)}`,
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
      where k.org_id = ${session.org.id} and k.template_id = t.id and u.status = 'in_stock'`
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
      packs_used: tx`(select ${all} from pack k
        join trace_event e on e.lot_id = k.lot_id and e.unit_id = k.unit_id and e.step = 'use'
         where k.org_id = ${session.org.id} and k.template_id = t.id
           and e.at >= ${addDays(today(), -LOOK_BACK)}::date)`,
    }
  },
  async check(tx, session, { id, after, before }) {
    const fact = await factOf(tx, session, after.specification_sn ?? null, id)
    if (fact.is_unit_coded) return [{ field: 'specification_sn', msg: CODED }]
    const isSame = ['pack_type', 'specification_sn', 'size'].every(
      name => before === null || String(before[name] ?? '') === String(after[name] ?? ''),
    )
    if (fact.packed && !isSame) throw new BusinessError('rule', '已按该模板组包，规格和定数不能修改，请另建模板')
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
    return refuseCoded(tx, session, after.specification_sn)
  },
  mayLeave: async (tx, session, _action, row) => refuseChanged(tx, session, row.pack_template_sn),
}

async function refuseChanged(tx: Tx, session: Session, template: unknown): Promise<void> {
  const [row] = await tx<{ pack_type: string }[]>`
    select pack_type from pack_template where org_id = ${session.org.id} and id = ${String(template)}`
  if (row?.pack_type !== 'combined') throw new BusinessError('rule', '单品定数包没有明细，请在模板里维护规格和定数')
  if ((await factOf(tx, session, null, template)).packed)
    throw new BusinessError('rule', '已按该模板组包，明细不能修改，请另建模板')
}
