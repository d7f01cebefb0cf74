import { addDays, instant, today } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { draftsOf } from '#modules/packs/pack.server.ts'
import { kitRecipeOf } from '#modules/packs/kits/kit-recipe.server.ts'
import type { Tx } from '#server/public/database.ts'
import type { Fragment, ListActionHandler, RecordAction, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'

/** Days of settled kits that the analysis looks at, and the use below which a product is proposed for removal. */
const ANALYSED = 90
const FEW = '0.3'
const MADE_UP = '套包已配包，请新建版本'

async function refuseMadeUp(tx: Tx, session: Session, kit: unknown): Promise<void> {
  const [made] = await tx`
    select 1 from made_kit where org_id = ${session.org.id} and operation_kit_id = ${String(kit)} limit 1`
  if (made) throw new BusinessError('rule', MADE_UP)
}

/** A new row with the lines of another: its next version, or a copy under another code. */
async function copyKit(
  tx: Tx,
  session: Session,
  from: string,
  as: { readonly code: string; readonly name: string; readonly version_no: number },
): Promise<void> {
  const [made] = await tx<{ id: string }[]>`
    insert into operation_kit (org_id, code, version_no, name, surgery_name, surgery_code, department_id, doctor,
      kit_type, is_splittable, pictures, remark, changed_by, changed_at)
    select org_id, ${as.code}, ${as.version_no}, ${as.name}, surgery_name, surgery_code, department_id, doctor,
           kit_type, is_splittable, pictures, remark, ${session.userName}, ${instant()}
      from operation_kit where org_id = ${session.org.id} and id = ${from}
    on conflict do nothing returning id`
  if (!made) throw new BusinessError('duplicate', `套包编码${as.code}已存在，请换一个`)
  await tx`
    insert into operation_kit_line (org_id, operation_kit_id, specification_id, quantity, is_required, substitute_id,
      second_substitute_id, sort_no)
    select org_id, ${made.id}, specification_id, quantity, is_required, substitute_id, second_substitute_id, sort_no
      from operation_kit_line where org_id = ${session.org.id} and operation_kit_id = ${from}`
}

/** 新版本: the one before is made up no more; kits that stand keep it. */
const newVersion: RecordAction = async (tx, session, row) => {
  const last = await tx<{ version_no: number }[]>`
    select max(version_no) as version_no from operation_kit
     where org_id = ${session.org.id} and code = ${String(row.code)}`
  const version_no = (last[0]?.version_no ?? 1) + 1
  await tx`
    update operation_kit set is_current = false, version = version + 1
     where org_id = ${session.org.id} and code = ${String(row.code)} and is_current
       and id <> ${String(row.operation_kit_sn)}`
  await copyKit(tx, session, String(row.operation_kit_sn), {
    code: String(row.code),
    name: String(row.name),
    version_no,
  })
  return { is_current: false }
}

const copy: RecordAction = async (tx, session, row, _reason, answers) =>
  copyKit(tx, session, String(row.operation_kit_sn), {
    code: String(answers.new_code),
    name: String(answers.new_name),
    version_no: 1,
  })

/** 配包: packing documents for as many kits as were asked for, by the lots that expire first. */
const makeUp: ListActionHandler = async (tx, session, asked, keys) => {
  const wanted = parseInteger(asked.kit_count)
  const sns: string[] = []
  for (const key of keys) {
    const recipe = await kitRecipeOf(tx, session.org.id, key)
    if (!recipe.enabled) throw new BusinessError('rule', `手术套包【${recipe.name}】已停用或不是当前版本，不能配包`)
    if (recipe.parts.length === 0) throw new BusinessError('rule', `手术套包【${recipe.name}】没有产品，请先维护明细`)
    const made = await draftsOf(tx, session, asked.warehouse_model_inner_sn, recipe, wanted, key)
    if (made.packs < wanted)
      throw new BusinessError(
        'stockShort',
        made.short ? `必备产品【${made.short}】库存不足` : `手术套包【${recipe.name}】没有可配的库存`,
      )
    sns.push(...made.sns)
  }
  return { said: `已生成组包单${sns.join('、')}，审核后得到套包码` }
}

/** What was settled of a kit lately, of all its products or of one line. */
const settledLines = (tx: Tx, session: Session, kit: Fragment, such: Fragment) => tx`
  from made_kit m join made_kit_line x on x.org_id = m.org_id and x.made_kit_id = m.id
   where m.org_id = ${session.org.id} and m.operation_kit_id = ${kit} and ${such}
     and m.settled_at >= ${addDays(today(), -ANALYSED)}::date`

export const operationKitRules: RecordRules = {
  kind: 'operationKit',
  columns: (tx, session) => {
    const lines = tx`from operation_kit_line l where l.org_id = ${session.org.id} and l.operation_kit_id = t.id`
    const kits = tx`from made_kit m join unit u on u.lot_id = m.lot_id and u.id = m.id
      join warehouse w on w.org_id = m.org_id and w.id = u.warehouse_id
     where m.org_id = ${session.org.id} and m.operation_kit_id = t.id and m.settled_at is null
       and u.status = 'in_stock'`
    return {
      product_count: tx`(select count(*)::int ${lines})`,
      piece_count: tx`(select coalesce(sum(l.quantity), 0) ${lines})`,
      reference_amount: tx`(select coalesce(sum(round(l.quantity * coalesce(h.purchase_price, 0), 2)), 0)
        from operation_kit_line l left join hospital_product h on h.org_id = l.org_id
          and h.specification_id = l.specification_id
       where l.org_id = ${session.org.id} and l.operation_kit_id = t.id)`,
      kits_ready: tx`(select count(*)::int ${kits} and w.model <> 'ward')`,
      kits_issued: tx`(select count(*)::int ${kits} and w.model = 'ward')`,
      usage_rate: tx`(select round(sum(x.used_quantity) / nullif(sum(x.quantity), 0), 4)
        ${settledLines(tx, session, tx`t.id`, tx`true`)})`,
      product_name: tx`(select string_agg(p.name, '、' order by l.sort_no, l.id) from operation_kit_line l
        join specification s on s.id = l.specification_id join product p on p.id = s.product_id
       where l.org_id = ${session.org.id} and l.operation_kit_id = t.id)`,
    }
  },
  async check(tx, session, { id, before, after, sent }) {
    // Whether it is in use says nothing of what it holds.
    const isChanged = id !== null && Object.keys(sent).some(name => name !== 'status' && before?.[name] !== after[name])
    if (isChanged) await refuseMadeUp(tx, session, id)
    after.changed_by = session.userName
    after.changed_at = instant()
  },
  mayLeave: async (tx, session, action, row) => {
    if (action === 'del') await refuseMadeUp(tx, session, row.operation_kit_sn)
  },
  actions: { newVersion, copy },
  calls: { makeUp },
}

async function refuseCoded(tx: Tx, session: Session, specifications: readonly unknown[]): Promise<Problem[]> {
  const asked = specifications.filter(id => id !== null && id !== undefined).map(String)
  const [coded] = await tx<{ name: string }[]>`
    select p.name from specification s join product p on p.id = s.product_id
      left join hospital_product h on h.org_id = ${session.org.id} and h.specification_id = s.id
     where s.id = any(${asked}::bigint[]) and coalesce(h.is_unit_coded, p.is_unit_coded) limit 1`
  return coded
    ? [{ field: 'specification_sn', msg: `【${coded.name}】为一物一码产品，按院内码单独发放，不放入套包` }]
    : []
}

export const operationKitLineRules: RecordRules = {
  kind: 'operationKitLine',
  columns: (tx, session) => {
    const product = (column: Fragment) => tx`(select ${column} from specification s
      join product p on p.id = s.product_id join organisation o on o.id = p.manufacturer_id
     where s.id = t.specification_id)`
    const kept = (column: Fragment) => tx`(select ${column} from hospital_product h
      where h.org_id = ${session.org.id} and h.specification_id = t.specification_id)`
    const settled = settledLines(
      tx,
      session,
      tx`t.operation_kit_id`,
      tx`x.specification_id in (t.specification_id, t.substitute_id, t.second_substitute_id)`,
    )
    const rate = tx`(select round(sum(x.used_quantity) / nullif(sum(x.quantity), 0), 4) ${settled})`
    return {
      product_code: product(tx`p.code`),
      product_name: product(tx`p.name`),
      manufacturer_name: product(tx`o.name`),
      is_chargeable: tx`coalesce(${kept(tx`h.is_chargeable`)}, false)`,
      price: kept(tx`h.purchase_price`),
      amount: kept(tx`round(h.purchase_price * t.quantity, 2)`),
      kits_settled: tx`(select count(distinct m.id)::int ${settled})`,
      standard_total: tx`(select sum(x.quantity) ${settled})`,
      used_total: tx`(select sum(x.used_quantity) ${settled})`,
      usage_rate: rate,
      proposal: tx`case when ${rate} < ${FEW}::numeric then 'remove' end`,
    }
  },
  async check(tx, session, { after }) {
    await refuseMadeUp(tx, session, after.operation_kit_sn)
    return refuseCoded(tx, session, [after.specification_sn, after.substitute_sn, after.second_substitute_sn])
  },
  mayLeave: (tx, session, _action, row) => refuseMadeUp(tx, session, row.operation_kit_sn),
}
