import { addDays, instant, today } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { draftsOf } from '#modules/goods/packs/pack.server.ts'
import { fullSets } from '#modules/goods/packs/kits/full-sets.server.ts'
import { isOpened } from '#modules/goods/packs/kits/made-kit.server.ts'
import { kitRecipeOf } from '#modules/goods/packs/kits/kit-recipe.server.ts'
import {
  deliverAtOnce,
  newerVersion,
  newestOf,
  publish,
  pushAction,
  takeTemplate,
} from '#modules/goods/packs/kits/published-templates.server.ts'
import type { Tx } from '#server/public/database.ts'
import {
  type Change,
  type Fragment,
  isPlatformReading,
  type ListActionHandler,
  type RecordAction,
  type RecordRules,
} from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'

/**
 * The days of settled kits that the analysis covers, and the usage rate below which it proposes to remove a product.
 */
const ANALYSED = 90
const FEW = '0.3'
const NOTHING_NEWER = '平台没有更新的版本'
const MADE_UP = '套包已配包，请新建版本'
const PACKED = '套包模板已组包，请新建版本'
const GIVEN = '套包模板已下发，请新建版本'

async function refuseMadeUp(tx: Tx, session: Session, kit: unknown): Promise<void> {
  const [made] = await tx<{ said: string }[]>`
    select ${MADE_UP} as said from made_kit where org_id = ${session.org.id} and operation_kit_id = ${String(kit)}
    union all
    select ${PACKED} from implant_kit where org_id = ${session.org.id} and operation_kit_id = ${String(kit)}
    union all
    select ${GIVEN} from published_template where org_id = ${session.org.id} and template_kind = 'operationKit'
      and source_id = ${String(kit)} limit 1`
  if (made) throw new BusinessError('rule', made.said)
}

/** True for organisations whose kits are of implants: those that lend them, and the platform that proposes them. */
const isOfImplants = (session: Session): boolean => session.org.type !== 'H'

/** The name of a list of implants is unique in the organisation; its versions have it in common. */
async function refuseSameName(tx: Tx, session: Session, { after, id }: Change): Promise<Problem[]> {
  if (!isOfImplants(session)) return []
  const [same] = await tx`
    select 1 from operation_kit where org_id = ${session.org.id} and name = ${String(after.name)} and is_current
      and is_implant_set and id is distinct from ${id}::bigint limit 1`
  return same ? [{ field: 'name', msg: '套包名称已存在' }] : []
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
      kit_type, is_splittable, pictures, remark, is_implant_set, system_brand, body_site, tools_template_id,
      changed_by, changed_at)
    select org_id, ${as.code}, ${as.version_no}, ${as.name}, surgery_name, surgery_code, department_id, doctor,
           kit_type, is_splittable, pictures, remark, is_implant_set, system_brand, body_site, tools_template_id,
           ${session.userName}, ${instant()}
      from operation_kit where org_id = ${session.org.id} and id = ${from}
    on conflict do nothing returning id`
  if (!made) {
    const [same] = await tx`
      select 1 from operation_kit where org_id = ${session.org.id} and code = ${as.code}
        and version_no = ${as.version_no}`
    throw new BusinessError('duplicate', same ? `套包编码${as.code}已存在，请换一个` : '套包名称已存在')
  }
  await tx`
    insert into operation_kit_line (org_id, operation_kit_id, specification_id, quantity, is_required, substitute_id,
      second_substitute_id, sort_no, tray, remark)
    select org_id, ${made.id}, specification_id, quantity, is_required, substitute_id, second_substitute_id, sort_no,
           tray, remark
      from operation_kit_line where org_id = ${session.org.id} and operation_kit_id = ${from}`
}

/** 新版本: the previous version is not made up any more; existing kits keep it. */
const newVersion: RecordAction = async (tx, session, row) => {
  const last = await tx<{ version_no: number }[]>`
    select max(version_no) as version_no from operation_kit
     where org_id = ${session.org.id} and code = ${String(row.code)}`
  const version_no = (last[0]?.version_no ?? 1) + 1
  await tx`
    update operation_kit set is_current = false,
           version = version + case when id = ${String(row.operation_kit_sn)} then 0 else 1 end
     where org_id = ${session.org.id} and code = ${String(row.code)} and is_current`
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

/** 采用平台新版本: the next version of a kit taken from the platform; existing kits keep theirs. */
const takeNewer: RecordAction = async (tx, session, row) => {
  const [own] = await tx<{ template_id: string }[]>`
    select template_id from operation_kit
     where org_id = ${session.org.id} and id = ${String(row.operation_kit_sn)} for update`
  const newest = await newestOf(tx, 'operationKit', own?.template_id)
  if (!newest) throw new BusinessError('rule', NOTHING_NEWER)
  const [last] = await tx<{ version_no: number }[]>`
    update operation_kit set is_current = false,
           version = version + case when id = ${String(row.operation_kit_sn)} then 0 else 1 end
     where org_id = ${session.org.id} and code = ${String(row.code)}
    returning (select max(x.version_no) from operation_kit x
      where x.org_id = ${session.org.id} and x.code = ${String(row.code)}) as version_no`
  const as = { code: String(row.code), name: String(row.name), version_no: (last?.version_no ?? 1) + 1 }
  if ((await takeTemplate(tx, session, newest.id, as)) === null)
    throw new BusinessError('wrongState', '平台的新版本已采用')
}

/** 配包: creates packing documents for the requested number of kits, from the lots that expire first. */
const makeUp: ListActionHandler = async ({ tx, session, asked, ids }) => {
  const wanted = parseInteger(asked.kit_count)
  const sns: string[] = []
  for (const key of ids) {
    const recipe = await kitRecipeOf(tx, session.org.id, key)
    if (!recipe.enabled) throw new BusinessError('rule', `手术套包【${recipe.name}】已停用或不是当前版本，不能配包`)
    if (recipe.parts.length === 0) throw new BusinessError('rule', `手术套包【${recipe.name}】没有产品，请先维护明细`)
    const made = await draftsOf(tx, session, asked.warehouse_model_inner_sn, recipe, wanted)
    if (made.packs < wanted)
      throw new BusinessError(
        'stockShort',
        made.short ? `必备产品【${made.short}】库存不足` : `手术套包【${recipe.name}】没有可配的库存`,
      )
    sns.push(...made.sns)
  }
  return { said: `已生成组包单${sns.join('、')}，审核后得到套包码` }
}

/** The recently settled lines of a kit: those of all its products or of one line. */
const settledLines = (tx: Tx, session: Session, kit: Fragment, such: Fragment) => tx`
  from made_kit m join made_kit_line x on x.org_id = m.org_id and x.made_kit_id = m.id
   where m.org_id = ${session.org.id} and m.operation_kit_id = ${kit} and ${such}
     and m.settled_at >= ${addDays(today(), -ANALYSED)}::timestamp at time zone 'Asia/Shanghai'`

const usageRate = (tx: Tx, settled: Fragment) =>
  tx`(select round(sum(x.used_quantity) / nullif(sum(x.quantity), 0), 4) ${settled})`

/**
 * The price of a product on a list: the purchase price for a hospital, the sale price for other organisations. `l` is
 * the line.
 */
const priceOf = (tx: Tx, session: Session): Fragment =>
  isOfImplants(session)
    ? tx`(select coalesce(nullif(h.sale_price, 0), s.price) from specification s
        left join dealer_product h on h.org_id = ${session.org.id} and h.specification_id = s.id
       where s.id = l.specification_id)`
    : tx`(select h.purchase_price from hospital_product h
       where h.org_id = ${session.org.id} and h.specification_id = l.specification_id)`

export const operationKitRules: RecordRules = {
  kind: 'operationKit',
  platformReads: 'P',
  columns: (tx, session) => {
    const lines = tx`from operation_kit_line l where l.org_id = ${session.org.id} and l.operation_kit_id = t.id`
    const kits = tx`from made_kit m join unit u on u.lot_id = m.lot_id and u.id = m.unit_id
      join warehouse w on w.org_id = m.org_id and w.id = u.warehouse_id
     where m.org_id = ${session.org.id} and m.operation_kit_id = t.id and m.settled_at is null
       and u.status = 'in_stock' and not ${isOpened(tx, session, tx`m.code`)}`
    return {
      product_count: tx`(select count(*)::int ${lines})`,
      piece_count: tx`(select coalesce(sum(l.quantity), 0) ${lines})`,
      // The platform may not see amounts of other organisations.
      reference_amount: isPlatformReading(session)
        ? tx`null::numeric(18,2)`
        : tx`(select coalesce(sum(round(l.quantity * coalesce(${priceOf(tx, session)}, 0), 2)), 0) ${lines})`,
      is_platform: tx`(t.template_id is not null or ${session.org.type === 'P'})`,
      newer_version: newerVersion(tx, 'operationKit'),
      full_sets: isOfImplants(session) ? fullSets(tx, session, tx`t.id`) : tx`null::int`,
      real_kits: tx`(select count(*)::int from implant_kit k
        where k.org_id = ${session.org.id} and k.operation_kit_id = t.id)`,
      kits_ready: tx`(select count(*)::int ${kits} and w.model <> 'ward')`,
      kits_issued: tx`(select count(*)::int ${kits} and w.model = 'ward')`,
      usage_rate: usageRate(tx, settledLines(tx, session, tx`t.id`, tx`true`)),
      product_name: tx`(select string_agg(p.name, '、' order by l.sort_no, l.id) from operation_kit_line l
        join specification s on s.id = l.specification_id join product p on p.id = s.product_id
       where l.org_id = ${session.org.id} and l.operation_kit_id = t.id)`,
    }
  },
  async check(tx, session, change) {
    const { id, before, after, sent } = change
    // Enabling or disabling a kit does not change its contents.
    const isChanged = id !== null && Object.keys(sent).some(name => name !== 'status' && before?.[name] !== after[name])
    if (isChanged) await refuseMadeUp(tx, session, id)
    after.changed_by = session.userName
    after.changed_at = instant()
    return refuseSameName(tx, session, change)
  },
  alsoWrites: async (_tx, session) => ({ is_implant_set: isOfImplants(session) }),
  mayLeave: async (tx, session, action, row) => {
    if (action === 'del') await refuseMadeUp(tx, session, row.operation_kit_sn)
  },
  mayWrite(session, action, row) {
    if (row === null) return
    if (action === 'push' && session.org.type !== 'P') throw new BusinessError('forbidden')
    if (action === 'takeNewer' && row.newer_version === null) throw new BusinessError('rule', NOTHING_NEWER)
  },
  async saved(tx, session, id, { before, after }) {
    if (before !== null && before.status !== after.status)
      await publish(tx, session, 'operationKit', id, after.status === 'enabled')
  },
  actions: { newVersion, copy, takeNewer, push: pushAction('operationKit') },
  calls: { makeUp },
  async afterwards(sql, session, action, row) {
    if (action === 'push') await deliverAtOnce(sql, session, 'operationKit', String(row.operation_kit_sn))
  },
}

/** Products on lists of implants must be released. */
async function refuseUnreleased(tx: Tx, specifications: readonly unknown[]): Promise<Problem[]> {
  const asked = specifications.filter(id => id !== null && id !== undefined).map(String)
  const [stopped] = await tx<{ name: string; size: string }[]>`
    select p.name, s.name as size from specification s join product p on p.id = s.product_id
     where s.id = any(${asked}::bigint[]) and s.status <> 'released' limit 1`
  return stopped
    ? [{ field: 'specification_sn', msg: `${stopped.name} ${stopped.size}未发布或已停用，不能放入套包` }]
    : []
}

export const operationKitLineRules: RecordRules = {
  kind: 'operationKitLine',
  columns: (tx, session) => {
    const product = (column: Fragment) => tx`(select ${column} from specification s
      join product p on p.id = s.product_id join organisation o on o.id = p.manufacturer_id
     where s.id = t.specification_id)`
    const price = priceOf(tx, session)
    const kept = (column: Fragment) => tx`(select ${column} from hospital_product h
      where h.org_id = ${session.org.id} and h.specification_id = t.specification_id)`
    const settled = settledLines(
      tx,
      session,
      tx`t.operation_kit_id`,
      tx`x.specification_id in (t.specification_id, t.substitute_id, t.second_substitute_id)`,
    )
    const rate = usageRate(tx, settled)
    return {
      product_code: product(tx`p.code`),
      product_name: product(tx`p.name`),
      manufacturer_name: product(tx`o.name`),
      is_chargeable: tx`coalesce(${kept(tx`h.is_chargeable`)}, false)`,
      registration_no: tx`(select c.certificate_no from specification s
        join registration_certificate c on c.id = s.registration_certificate_id where s.id = t.specification_id)`,
      price: tx`(select ${price} from (select t.specification_id) l)`,
      amount: tx`(select round(${price} * t.quantity, 2) from (select t.specification_id) l)`,
      kits_settled: tx`(select count(distinct m.id)::int ${settled})`,
      standard_total: tx`(select sum(x.quantity) ${settled})`,
      used_total: tx`(select sum(x.used_quantity) ${settled})`,
      usage_rate: rate,
      proposal: tx`case when ${rate} < ${FEW}::numeric then 'remove' end`,
    }
  },
  async check(tx, session, { after }) {
    await refuseMadeUp(tx, session, after.operation_kit_sn)
    const asked = [after.specification_sn, after.substitute_sn, after.second_substitute_sn]
    return isOfImplants(session) ? refuseUnreleased(tx, asked) : []
  },
  mayLeave: (tx, session, _action, row) => refuseMadeUp(tx, session, row.operation_kit_sn),
}
