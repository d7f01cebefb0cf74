import { BusinessError } from '#kernel/rules/errors.ts'
import { hospitalPolicyOf, hospitalPolicies, wrongFigure } from '#modules/base/settings/hospital-policies.ts'
import { type Control, controls } from '#kernel/definition/setting.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { setClaimLevels } from '#modules/base/rules/claim-levels.server.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'
import type { Sql } from 'postgres'

/**
 * Organisation-wide rows have keys from here on, by the position of their rule; they are written when first changed.
 */
const ORGANISATION = 900_000_000_000_000_000n
const ofOrganisation = (row: Readonly<RecordRow>): boolean => BigInt(String(row.hospital_rule_sn)) >= ORGANISATION

const ruleOf = (row: Readonly<RecordRow>) => {
  const rule = hospitalPolicyOf(String(row.name))
  if (!rule) throw new BusinessError('notFound', '没有这条规则')
  return rule
}
const text = (value: unknown): string => String(value ?? '')
/** A row in the words of the page. */
const said = (row: Readonly<RecordRow>): string =>
  [
    row.control ? controls[row.control as Control] : '',
    row.figure ? `${text(row.figure)}${text(row.unit)}` : '',
    row.status === 'disabled' ? '停用' : '',
  ]
    .filter(Boolean)
    .join(' ')

/**
 * The only control that a policy allows, as the preset of a field that cannot be changed; null if there is no policy.
 */
const onlyWay = (row: Readonly<RecordRow>): string | null => {
  const [control] = hospitalPolicyOf(String(row.name))?.controls ?? []
  return control ? controls[control] : null
}

const allowed = (row: Readonly<RecordRow>): string => {
  const rule = hospitalPolicyOf(String(row.name))
  if (!rule) return ''
  const { figure } = rule
  const figures = {
    number: `${figure?.min}至${figure?.max}${figure?.unit ?? ''}`,
    switch: '是、否',
    hours: '周一至周五 08:00-17:00',
    settleDay: '1至28或月末',
    choice: figure?.choices?.join('、') ?? '',
    weights: `${figure?.choices?.join('/') ?? ''}，合计100`,
  }
  const how = rule.controls.map(control => controls[control])
  return (
    [...(how.length > 1 ? [how.join('、')] : []), ...(figure ? [figures[figure.kind]] : [])].join('；') || '不可修改'
  )
}

/** The organisation-wide rule has no row before its first change. */
async function ensure(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<void> {
  if (!ofOrganisation(row)) return
  await tx`
    insert into hospital_rule (org_id, id, name, control, figure, changed_by)
    values (${session.org.id}, ${text(row.hospital_rule_sn)}, ${text(row.name)}, ${row.control as string},
      ${row.figure as string}, ${session.userName}) on conflict (org_id, id) do nothing`
}

async function noteChange(
  tx: Tx,
  session: Session,
  row: Readonly<RecordRow>,
  before: string,
  after: string,
  reason: string | null,
): Promise<void> {
  await tx`
    insert into hospital_rule_change (org_id, name, title, scope_name, old_value, new_value, reason, changed_by)
    values (${session.org.id}, ${text(row.name)}, ${text(row.title)},
      ${text(row.scope_name) || everywhere(session)}, ${before}, ${after}, ${reason}, ${session.userName})`
}

const now = () => new Date().toISOString()
/** The scope shown for a rule that is not narrowed to a store, department or class. */
const everywhere = ({ org }: Session): string => (org.type === 'H' ? '全院' : '全公司')
const scopeName = (tx: Tx, session: Session) => tx`
  coalesce(nullif(concat_ws('、', (select w.name from warehouse w where w.org_id = t.org_id and w.id = t.warehouse_id),
    (select d.name from department d where d.org_id = t.org_id and d.id = t.department_id),
    (select c.name from custom_type c where c.org_id = t.org_id and c.id = t.custom_type_id)), ''),
    ${everywhere(session)})`

/**
 * A different setting of the rule for a warehouse, a department, a class: starts with the current value, to be
 * changed then.
 */
async function narrow(
  tx: Tx,
  session: Session,
  row: Readonly<RecordRow>,
  _reason: string | null,
  answers: Readonly<RecordRow>,
): Promise<void> {
  const rule = ruleOf(row)
  const asked = {
    warehouse: answers.warehouse_model_inner_sn,
    department: answers.department_inner_sn,
    class: answers.custom_type_sn,
  }
  const words = { warehouse: '仓库', department: '科室', class: '产品分类' }
  const named = (Object.keys(asked) as (keyof typeof asked)[]).filter(name => asked[name])
  if (named.length === 0) throw new BusinessError('invalid', '请选择适用的仓库、科室或产品分类')
  const foreign = named.find(name => !rule.scopes?.includes(name))
  if (foreign) throw new BusinessError('rule', `【${rule.title}】不能按${words[foreign]}设置`)
  const [made] = await tx`
    insert into hospital_rule (org_id, name, control, figure, warehouse_id, department_id, custom_type_id, changed_by)
    values (${session.org.id}, ${rule.name}, ${row.control as string}, ${row.figure as string},
      ${(asked.warehouse ?? null) as string}, ${(asked.department ?? null) as string},
      ${(asked.class ?? null) as string}, ${session.userName})
    on conflict (org_id, name, warehouse_id, department_id, custom_type_id) do nothing returning id`
  if (!made) throw new BusinessError('duplicate', '该范围已有这条规则，请直接编辑')
  await ensure(tx, session, row)
}

export const hospitalRuleRules: RecordRules = {
  kind: 'hospitalRule',
  table: 'hospital_rule',
  kept: ['place', 'title', 'category', 'unit', 'note', 'preset', 'changed_at'],
  readFlag: 'page:/hospital/ruleConfiguration',
  columns: (tx, session) => ({
    place: tx`t.place`,
    title: tx`t.title`,
    category: tx`t.category`,
    unit: tx`t.unit`,
    note: tx`t.note`,
    preset: tx`t.preset`,
    changed_at: tx`t.changed_at`,
    scope_name: scopeName(tx, session),
    allowed: tx`null::text`,
  }),
  complete: async (_tx, _session, rows) =>
    rows.map(row => ({ ...row, allowed: allowed(row), preset: row.preset || onlyWay(row) })),
  mayWrite(session, action, row) {
    if (action === 'add' || action === 'del') throw new BusinessError('rule', '规则由程序提供，只能调整或恢复默认')
    if (!row) return
    const rule = ruleOf(row)
    if (rule.name === 'expiredUse') throw new BusinessError('rule', '过期产品使用控制不可改为不控制')
    if (action === 'narrow' && (!rule.scopes || !ofOrganisation(row)))
      throw new BusinessError('rule', `【${rule.title}】只能按${everywhere(session)}设置`)
    if (['enable', 'disable'].includes(action) && ofOrganisation(row) && !rule.controls.includes('off'))
      throw new BusinessError('rule', `【${rule.title}】不能停用，请修改参数值`)
  },
  async check(tx, session, { before, after, sent }) {
    const rule = ruleOf(after)
    const control = (after.control ?? null) as Control | null
    if (rule.controls.length > 0 ? !control || !rule.controls.includes(control) : control !== null)
      return [
        {
          field: 'control',
          msg:
            rule.controls.length === 0
              ? `【${rule.title}】没有控制方式`
              : `控制方式只能选择：${rule.controls.map(one => controls[one]).join('、')}`,
        },
      ]
    const wrong = wrongFigure(rule, text(after.figure))
    if (wrong !== null) return [{ field: 'figure', msg: wrong }]
    if (rule.name === 'claimLevels') await setClaimLevels(tx, session, parseInteger(after.figure))
    const isSwitch = before?.status !== after.status
    if (!isSwitch && !sent.reason) return [{ field: 'reason', msg: '请填写变更原因' }]
    await ensure(tx, session, before ?? after)
    await noteChange(tx, session, after, said(before ?? {}), said(after), isSwitch ? null : text(sent.reason))
    return []
  },
  alsoWrites: async (_tx, session) => ({ changed_by: session.userName, changed_at: now() }),
  actions: {
    narrow,
    /** The organisation-wide row returns to the preset; a narrower one is removed, and the organisation's applies. */
    async reset(tx, session, row, reason) {
      const rule = ruleOf(row)
      await ensure(tx, session, row)
      if (!ofOrganisation(row)) {
        await noteChange(tx, session, row, said(row), `同${everywhere(session)}`, reason)
        return { status: 'disabled' }
      }
      const control = rule.controls[0] ?? null
      const figure = rule.figure?.preset ?? null
      if (rule.name === 'claimLevels') await setClaimLevels(tx, session, parseInteger(figure))
      await noteChange(tx, session, row, said(row), said({ ...row, control, figure, status: 'enabled' }), reason)
      return { control, figure, status: 'enabled', reason, changed_by: session.userName }
    },
  },
}

export const hospitalRuleChangeRules: RecordRules = {
  kind: 'hospitalRuleChange',
  readFlag: 'page:/hospital/ruleConfiguration',
}

/** Built-in rules exist before any user is let in. */
export const seedHospitalPolicies = (owner: Sql): Promise<unknown> => owner`
  insert into rule_item (place, name, orgs, title, category, control, controls, figure, unit, note, control_from,
    figure_from)
  select n.place, n.name, n.orgs, n.title, n.category, n.control, n.controls, n.figure, n.unit, n.note, n.control_from,
    n.figure_from
    from jsonb_to_recordset(${owner.json(
      hospitalPolicies.map((rule, at) => ({
        place: at + 1,
        name: rule.name,
        orgs: rule.orgs ?? 'H',
        title: rule.title,
        category: rule.category,
        control: rule.controls[0] ?? null,
        controls: rule.controls,
        figure: rule.figure?.preset ?? null,
        unit: rule.figure?.unit ?? null,
        note: rule.note,
        control_from: rule.from?.control ?? null,
        figure_from: rule.from?.figure ?? null,
      })) as never,
    )}::jsonb) n(place int, name text, orgs text, title text, category text, control text, controls text[], figure text,
      unit text, note text, control_from text, figure_from text)
  on conflict (place) do update set name = excluded.name, orgs = excluded.orgs, title = excluded.title,
    category = excluded.category,
    control = excluded.control, controls = excluded.controls,
    figure = excluded.figure, unit = excluded.unit, note = excluded.note, control_from = excluded.control_from,
      figure_from = excluded.figure_from`
