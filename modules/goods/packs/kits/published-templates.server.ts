import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { systemType } from '#kernel/values/organisation-type.ts'
import type { ListActionHandler, RecordAction, RecordRules } from '#server/public/records.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import type { Session } from '#server/public/session.ts'

export type TemplateKind = 'operationPath' | 'operationKit'

type Published = {
  readonly id: string
  readonly kind: TemplateKind
  readonly code: string
  readonly name: string
  readonly version_no: number
}

/** The lines of a path or of a kit as everybody may read them: products by their network key, kits and sets by name. */
const contentOf = (tx: Tx, kind: TemplateKind) =>
  kind === 'operationPath'
    ? tx`(select coalesce(jsonb_agg(jsonb_build_object('stage_no', l.stage_no, 'stage', l.stage,
          'item_type', l.item_type, 'specification_id', l.specification_id,
          'item_code', coalesce(k.code, l.item_code), 'item_name', coalesce(k.name, l.item_name),
          'size_range', l.size_range, 'quantity', l.quantity::text, 'max_quantity', l.max_quantity::text,
          'is_required', l.is_required, 'substitute', l.substitute, 'remark', l.remark)
          order by l.stage_no, l.id), '[]')
        from operation_path_line l
        left join operation_kit k on k.org_id = l.org_id and k.id = l.operation_kit_id
       where l.org_id = t.org_id and l.operation_path_id = t.id)`
    : tx`(select coalesce(jsonb_agg(jsonb_build_object('specification_id', l.specification_id,
          'quantity', l.quantity::text, 'is_required', l.is_required, 'substitute_id', l.substitute_id,
          'second_substitute_id', l.second_substitute_id, 'sort_no', l.sort_no, 'tray', l.tray,
          'remark', l.remark) order by l.sort_no, l.id), '[]')
        from operation_kit_line l where l.org_id = t.org_id and l.operation_kit_id = t.id)`

/** Releases a template of the platform, or takes it off again; a version that is read by others is never changed. */
export async function publish(tx: Tx, session: Session, kind: TemplateKind, id: string, isOn: boolean): Promise<void> {
  if (session.org.type !== 'P') return
  if (!isOn) {
    await tx`
      update published_template set status = 'disabled', version = version + 1
       where template_kind = ${kind} and org_id = ${session.org.id} and source_id = ${id}`
    return
  }
  const surgery = kind === 'operationPath' ? tx`t.name` : tx`t.surgery_name`
  const more =
    kind === 'operationPath'
      ? tx`jsonb_build_object('needs_side', t.needs_side, 'lead_hours', t.lead_hours, 'system_brand', t.system_brand,
          'duration_minutes', t.duration_minutes, 'department_name', t.department_name, 'remark', t.remark)`
      : tx`jsonb_build_object('system_brand', t.system_brand, 'remark', t.remark)`
  await tx`
    insert into published_template as p (org_id, template_kind, source_id, code, name, version_no, surgery_name,
      surgery_code, body_site, line_count, content, published_by)
    select t.org_id, ${kind}, t.id, t.code, t.name, t.version_no, ${surgery}, t.surgery_code, t.body_site,
           jsonb_array_length(${contentOf(tx, kind)}),
           jsonb_build_object('header', ${more}, 'lines', ${contentOf(tx, kind)}), ${session.userName}
      from ${tx(kind === 'operationPath' ? 'operation_path' : 'operation_kit')} t
     where t.org_id = ${session.org.id} and t.id = ${id}
    on conflict (template_kind, org_id, source_id) do update set status = 'enabled', name = excluded.name,
      content = excluded.content, line_count = excluded.line_count, surgery_code = excluded.surgery_code,
      surgery_name = excluded.surgery_name, body_site = excluded.body_site, version = p.version + 1`
}

/** The number of the newest released version of a template beyond the one that was taken: `t` is the copy. */
export const newerVersion = (tx: Tx, kind: TemplateKind) => tx`(select max(n.version_no) from published_template p
  join published_template n on n.template_kind = p.template_kind and n.org_id = p.org_id and n.code = p.code
    and n.status = 'enabled'
    and n.version_no > t.template_version
 where p.id = t.template_id and p.template_kind = ${kind})`

/** The newest released version of the template that a copy came from. */
export async function newestOf(tx: Tx, kind: TemplateKind, template: unknown): Promise<Published | undefined> {
  const [newest] = await tx<Published[]>`
    select n.id, n.template_kind as kind, n.code, n.name, n.version_no from published_template p
      join published_template n on n.template_kind = p.template_kind and n.org_id = p.org_id and n.code = p.code
     where p.id = ${String(template)} and p.template_kind = ${kind} and n.status = 'enabled'
     order by n.version_no desc limit 1`
  return newest
}

/** A code and a name that are free in the organisation: its own come first. */
async function freeNames(tx: Tx, session: Session, template: Published) {
  const table = tx(template.kind === 'operationPath' ? 'operation_path' : 'operation_kit')
  const [row] = await tx<{ code: boolean; name: boolean }[]>`
    select exists (select from ${table} t where t.org_id = ${session.org.id} and t.code = ${template.code}) as code,
           exists (select from ${table} t where t.org_id = ${session.org.id} and t.name = ${template.name}) as name`
  return {
    code: row?.code ? `PT-${template.code}-${template.version_no}` : template.code,
    name:
      row?.name && template.kind === 'operationKit' ? `${template.name}（平台${template.version_no}）` : template.name,
  }
}

/**
 * Takes a copy of a template, once however often it is given. `as`: the next version of what was taken before. Returns
 * the key of the copy; null where it is there already.
 */
export async function takeTemplate(
  tx: Tx,
  session: Session,
  id: string,
  as: { readonly code: string; readonly name: string; readonly version_no: number } | null = null,
): Promise<string | null> {
  const [template] = await tx<Published[]>`
    select id, template_kind as kind, code, name, version_no from published_template
     where id = ${id} and status = 'enabled'`
  if (!template) throw new BusinessError('notFound', '平台模板不存在或已停用，请刷新后重试')
  const { code, name } = as ?? (await freeNames(tx, session, template))
  const version_no = as?.version_no ?? 1
  return template.kind === 'operationPath'
    ? takePath(tx, session, template, { code, name, version_no, isFirst: as === null })
    : takeKit(tx, session, template, { code, name, version_no })
}

type As = { readonly code: string; readonly name: string; readonly version_no: number; readonly isFirst?: boolean }

async function takePath(tx: Tx, session: Session, template: Published, as: As): Promise<string | null> {
  const [made] = await tx<{ id: string }[]>`
    insert into operation_path (org_id, code, version_no, is_current, name, surgery_code, body_site, needs_side,
      lead_hours, system_brand, duration_minutes, department_name, remark, origin, template_id, template_version,
      written_by, review_state, reviewed_by, reviewed_at)
    select ${session.org.id}, ${as.code}, ${as.version_no}, ${as.isFirst ?? true}, ${as.name}, p.surgery_code,
           p.body_site, (h->>'needs_side')::boolean, (h->>'lead_hours')::int, h->>'system_brand',
           (h->>'duration_minutes')::int, h->>'department_name', h->>'remark', 'platform', p.id, p.version_no,
           '平台', 'reviewed', p.published_by, p.published_at
      from published_template p cross join lateral (select p.content->'header' as h) x
     where p.id = ${template.id}
    on conflict do nothing returning id`
  if (!made) return null
  await tx`
    insert into operation_path_line (org_id, operation_path_id, stage_no, stage, item_type, specification_id,
      item_code, item_name, size_range, quantity, max_quantity, is_required, substitute, remark)
    select t.org_id, t.id, l.stage_no, l.stage, l.item_type, l.specification_id, l.item_code, l.item_name,
           l.size_range, l.quantity, l.max_quantity, l.is_required, l.substitute, l.remark
      from operation_path t join published_template p on p.id = t.template_id
      cross join lateral jsonb_to_recordset(p.content->'lines') as l(stage_no int, stage text, item_type text,
        specification_id bigint, item_code text, item_name text, size_range text, quantity numeric,
        max_quantity numeric, is_required boolean, substitute text, remark text)
     where t.org_id = ${session.org.id} and t.id = ${made.id}
    returning id`
  return made.id
}

async function takeKit(tx: Tx, session: Session, template: Published, as: As): Promise<string | null> {
  const [made] = await tx<{ id: string }[]>`
    insert into operation_kit (org_id, code, version_no, name, surgery_name, surgery_code, body_site, system_brand,
      remark, is_implant_set, template_id, template_version, changed_by)
    select ${session.org.id}, ${as.code}, ${as.version_no}, ${as.name}, coalesce(p.surgery_name, p.name),
           p.surgery_code, p.body_site, p.content->'header'->>'system_brand', p.content->'header'->>'remark', true,
           p.id, p.version_no, '平台'
      from published_template p where p.id = ${template.id}
    on conflict do nothing returning id`
  if (!made) return null
  await tx`
    insert into operation_kit_line (org_id, operation_kit_id, specification_id, quantity, is_required, substitute_id,
      second_substitute_id, sort_no, tray, remark)
    select t.org_id, t.id, l.specification_id, l.quantity, l.is_required, l.substitute_id, l.second_substitute_id,
           l.sort_no, l.tray, l.remark
      from operation_kit t join published_template p on p.id = t.template_id
      cross join lateral jsonb_to_recordset(p.content->'lines') as l(specification_id bigint, quantity numeric,
        is_required boolean, substitute_id bigint, second_substitute_id bigint, sort_no int, tray text, remark text)
     where t.org_id = ${session.org.id} and t.id = ${made.id}
    returning id`
  return made.id
}

/** Organisation types by the range of a push. */
const ranges = { hospitals: 'H', dealers: 'D', vendors: 'V' } as const

/** 下发机构: notes whom a template is given; each takes its copy in a transaction of its own, after the commit. */
export const pushAction =
  (kind: TemplateKind): RecordAction =>
  async (tx, session, row, _reason, answers) => {
    const id = String(row[kind === 'operationPath' ? 'operation_path_sn' : 'operation_kit_sn'])
    // A list of implants is in force as it is written; a path once it was reviewed and enabled.
    if (kind === 'operationKit' && row.status === 'enabled') await publish(tx, session, kind, id, true)
    const [published] = await tx<{ id: string }[]>`
      select id from published_template
       where template_kind = ${kind} and org_id = ${session.org.id} and source_id = ${id} and status = 'enabled'`
    if (!published) throw new BusinessError('wrongState', '只有已启用的模板可以下发，请先启用')
    const type = ranges[String(answers.scope) as keyof typeof ranges]
    if (!type && !answers.to_org_sn)
      throw new BusinessError('invalid', '请选择下发的机构', [{ field: 'to_org_sn', msg: '请选择下发的机构' }])
    const allowed = kind === 'operationKit' ? ['D', 'V'] : ['H', 'D', 'V']
    const types = allowed.map(each => systemType[each as 'H'])
    const given = await tx`
      insert into template_push (template_id, to_org_id, org_id, pushed_by)
      select ${published.id}, o.id, ${session.org.id}, ${session.userName} from organisation o
       where o.status = 'enabled' and o.system_type = any(${types})
         and ${type ? tx`o.system_type = ${systemType[type]}` : tx`o.id = ${String(answers.to_org_sn)}`}
      on conflict do nothing returning to_org_id`
    if (given.length === 0)
      throw new BusinessError(
        'rule',
        kind === 'operationKit'
          ? '没有可下发的机构：套包模板只下发给经销商和生产厂家，或已下发过'
          : '没有可下发的机构，或已下发过',
      )
  }

type Given = { readonly template_id: string; readonly to_org_id: string }

/** Copies that were given and not taken yet: by the organisation itself, each in a transaction of its own. */
export async function deliverPushes(sql: Sql, owner: Sql): Promise<number> {
  const waiting = await owner<Given[]>`
    select g.template_id, g.to_org_id from template_push g
      join published_template p on p.id = g.template_id and p.status = 'enabled'
     where g.taken_at is null order by g.pushed_at, g.to_org_id limit 500`
  for (const given of waiting) await deliverPush(sql, given)
  return waiting.length
}

/** The same right after the platform gave one, as far as the others answer; the job brings the rest. */
export async function deliverAtOnce(sql: Sql, session: Session, kind: TemplateKind, source: string): Promise<void> {
  const waiting = await inOrganisation(
    sql,
    session.org.id,
    '0',
    tx => tx<Given[]>`
      select g.template_id, g.to_org_id from template_push g join published_template p on p.id = g.template_id
       where p.template_kind = ${kind} and p.org_id = ${session.org.id} and p.source_id = ${source}
         and g.taken_at is null
       order by g.to_org_id`,
  )
  for (const given of waiting) await deliverPush(sql, given)
}

/** Delivers one copy: a second delivery adds none, and an organisation that deletes it does not get it again. */
async function deliverPush(sql: Sql, { template_id, to_org_id }: Given): Promise<void> {
  await inOrganisation(sql, to_org_id, '0', async tx => {
    const taken = await tx`
      update template_push set taken_at = posting_now()
       where template_id = ${template_id} and to_org_id = ${to_org_id} and taken_at is null returning template_id`
    if (taken.length === 0) return
    // An organisation that has a version of the template is offered this one; it is not created there by itself.
    const [had] = await tx`
      select 1 from published_template g
        join published_template p on p.template_kind = g.template_kind and p.org_id = g.org_id
        and p.code = g.code
       where g.id = ${template_id}
         and (exists (select from operation_path t where t.org_id = ${to_org_id} and t.template_id = p.id)
           or exists (select from operation_kit t where t.org_id = ${to_org_id} and t.template_id = p.id))
       limit 1`
    if (!had) await takeTemplate(tx, await systemSessionOf(tx, to_org_id), template_id)
  })
}

/** 复制到本机构: a copy of each ticked template, to be changed as one likes; once each. */
const take: ListActionHandler = async ({ tx, session, ids }) => {
  const found = await tx<Published[]>`
    select id, template_kind as kind, code, name, version_no from published_template
     where id::text = any(${ids as string[]}) and status = 'enabled'`
  if (found.length < ids.length) throw new BusinessError('notFound', '平台模板不存在或已停用，请刷新后重试')
  for (const { id, kind, name } of found) {
    if (kind === 'operationKit' && session.org.type === 'H') throw new BusinessError('forbidden')
    if ((await takeTemplate(tx, session, id)) === null)
      throw new BusinessError('wrongState', `平台模板【${name}】已复制到本机构`)
  }
  return { said: `已复制${found.length}个模板到本机构` }
}

export const publishedTemplateRules: RecordRules = {
  kind: 'publishedTemplate',
  visible: tx => tx`t.status = 'enabled'`,
  columns: (tx, session) => ({
    is_taken: tx`(exists (select from operation_path c where c.org_id = ${session.org.id} and c.template_id = t.id)
      or exists (select from operation_kit c where c.org_id = ${session.org.id} and c.template_id = t.id))`,
  }),
  mayWrite(_session, action) {
    if (['add', 'edit', 'del'].includes(action)) throw new BusinessError('rule', '平台模板由平台发布，不能修改')
  },
  calls: { take },
}
