import type { AnyEntity } from '#kernel/definition/entity.ts'
import { type Fields, nameKeyOf } from '#kernel/definition/field.ts'
import { entities } from '#kernel/registry.ts'
import type { Describer, Paths } from '#server/api/openapi/components.ts'
import { objectOf, propertiesOf, refTo, requiredOf, type Schema, schemaOf } from '#server/api/openapi/schemas.ts'
import { listColumnsOf } from '#server/lists/query.ts'
import { actionsOf } from '#server/records/row-actions.ts'

/** Actions of records that need no definition. */
const ownActions: Readonly<Record<string, string>> = { del: '删除', enable: '启用', disable: '停用' }
const text: Schema = { type: 'string' }

/** The fields that a call writes of a record; together with those the server adds, the whole row as lists show it. */
function rowOf({ shared }: Describer, definition: AnyEntity): Schema {
  const { kind, fields } = definition
  const { columns } = listColumnsOf(definition)
  const written = (name: string) => Object.hasOwn(fields, name) && !fields[name]?.readOnly
  const part = (keep: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(columns).filter(([name]) => keep(name)))
  const names = Object.entries(columns).flatMap(([name, field]) => (field.as === 'ref' ? [nameKeyOf(name)] : []))
  // Columns that are only read are bound by no condition of a field.
  const added = Object.entries(part(name => !written(name))).map(([name, { as, label, target, choices }]) => [
    name,
    names.includes(name)
      ? { type: 'string' }
      : schemaOf({ as, label, ...(target ? { target } : {}), ...(choices ? { choices } : {}) }),
  ])
  const own = objectOf(Object.fromEntries(added))
  if (definition.readOnly) return shared.schema(kind, own)
  // `sn` and `version` are sent with an edit.
  shared.schema(kind, objectOf({ sn: text, version: { type: 'integer' }, ...propertiesOf(part(written) as Fields) }))
  return shared.schema(`${kind}.row`, { allOf: [refTo('schemas', kind), own] })
}

/** Calls of every kind of record, from its definition. */
export function recordPaths(describer: Describer): Paths {
  const paths: Paths = {}
  const { shared } = describer
  for (const definition of entities()) {
    const { kind, title } = definition
    const at = (call: string) => `/v1/business/${kind}/${call}`
    const row = rowOf(describer, definition)
    const { parameters } = listColumnsOf(definition)
    const filter = shared.filter(
      kind,
      row,
      ...(Object.keys(parameters).length === 0 ? [] : [objectOf(propertiesOf(parameters))]),
    )
    const reply = shared.replyOf(kind, row)
    paths[at('list')] = describer.get(title, '列表', [filter], reply)
    paths[at('info')] = describer.get(title, '详情', shared.one, reply)
    paths[at('export')] = describer.get(title, '导出', [filter], shared.responses('workbook'))
    for (const [name, { label, asks, rows }] of Object.entries(definition.calls ?? {}))
      paths[at(name)] = describer.post(title, label, callBody(describer, `${kind}.${name}`, asks, rows))
    if (!definition.readOnly) Object.assign(paths, writing(describer, definition, at))
  }
  return paths
}

/** The body of a call over rows: the answers to its dialog, and the keys of the ticked rows. */
export function callBody({ shared }: Describer, name: string, asks: Fields, rows: unknown): Schema {
  const properties = {
    ...propertiesOf(asks),
    ...(rows ? { sns: { type: 'array', items: text, title: '勾选行的编号' } } : {}),
  }
  const names = requiredOf(asks)
  return shared.body(name, objectOf(properties, names.length > 0 ? { required: names } : {}))
}

function writing(describer: Describer, definition: AnyEntity, at: (call: string) => string): Paths {
  const { shared } = describer
  const { kind, title } = definition
  const row = refTo('schemas', kind)
  const names = requiredOf(definition.fields)
  const paths: Paths = {
    [at('add')]: describer.post(
      title,
      '新增',
      names.length === 0 ? shared.body(kind) : shared.body(`${kind}.new`, { allOf: [row], required: names }),
    ),
    [at('edit')]: describer.post(title, '编辑', shared.body(kind)),
  }
  for (const action of actionsOf(definition).filter(name => name !== 'edit')) {
    const spec = definition.actions?.[action]
    const asks = propertiesOf(spec?.asks ?? {})
    const label = spec?.label ?? ownActions[action] ?? action
    if (Object.keys(asks).length === 0) describer.common(kind, action, label, 'action')
    else
      paths[at(action)] = describer.post(
        title,
        label,
        shared.body(`${kind}.${action}`, { allOf: [refTo('schemas', 'action'), objectOf(asks)] }),
      )
  }
  return paths
}
