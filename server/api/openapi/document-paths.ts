import type { AnyDocument } from '#kernel/definition/document.ts'
import { commonFields, commonLineFields } from '#kernel/definition/common-fields.ts'
import type { Fields } from '#kernel/definition/field.ts'
import { absentLineFields } from '#kernel/definition/line-content.ts'
import { documents } from '#kernel/registry.ts'
import { canBeCopied } from '#kernel/rules/action-availability.ts'
import type { Describer, PathItem, Paths } from '#server/api/openapi/components.ts'
import { namesBeside, objectOf, propertiesOf, refTo, requiredOf, type Schema } from '#server/api/openapi/schemas.ts'
import { canProposeLots } from '#server/documents/action/propose-lots.ts'

/** The common line fields that lines of a kind have. */
const commonLinesOf = (definition: AnyDocument): Fields => {
  const absent = absentLineFields(definition)
  return Object.fromEntries(Object.entries(commonLineFields).filter(([name]) => !absent.includes(name)))
}

const text: Schema = { type: 'string' }
/** A part of a multipart form. */
const file: Schema = { type: 'string', format: 'binary' }

/** The properties that every document has on the wire beside its fields. */
const stateOf: Readonly<Record<string, Schema>> = {
  sn: { type: 'string', title: '单号' },
  version: { type: 'integer', title: '版本号' },
  state: { type: 'string', title: '状态' },
  role: { type: 'string', title: '本方或对方单据', enum: ['own', 'counterparty'] },
  org_sn: { type: 'string', title: '机构' },
}

const headerOf = (definition: AnyDocument): Fields =>
  Object.fromEntries(
    Object.entries(definition.header).map(([name, field]) => [name, { ...commonFields[name], ...field }]),
  ) as Fields

/** The schemas of a kind: its lines, its header with them, and what a list is filtered by. */
function describeKind(describer: Describer, definition: AnyDocument): Schema {
  const { shared } = describer
  const { kind } = definition
  const header = headerOf(definition)
  const lines = { ...commonLinesOf(definition), ...definition.lines } as Fields
  shared.schema('document', objectOf(stateOf))
  const line = shared.schema(`${kind}.line`, {
    allOf: [commonPart(describer, definition), objectOf(propertiesOf(definition.lines), required(lines))],
  })
  shared.schema(`${kind}.header`, objectOf(propertiesOf(header)))
  return shared.schema(kind, {
    allOf: [
      refTo('schemas', 'document'),
      refTo('schemas', `${kind}.header`),
      objectOf({ lines: { type: 'array', items: line, title: '明细' }, ...namesBeside(header) }),
    ],
  })
}
/** The common fields that lines of a kind have and it does not say itself, in a part that kinds share. */
function commonPart({ shared }: Describer, definition: AnyDocument): Schema {
  const common = commonLinesOf(definition)
  const absent = absentLineFields(definition)
  return shared.schema(
    ['line', ...absent].join('-'),
    objectOf({ line_no: { type: 'integer' }, ...propertiesOf(common) }),
  )
}
const required = (fields: Fields): Schema => {
  const names = requiredOf(fields)
  return names.length > 0 ? { required: names } : {}
}

/** Calls of every kind of document, from its definition. */
export function documentPaths(describer: Describer): Paths {
  const paths: Paths = {}
  const { shared } = describer
  for (const definition of documents()) {
    const at = (call: string) => `/v1/business/${definition.kind}/${call}`
    const { kind, title: tag } = definition
    const whole = describeKind(describer, definition)
    const filter = shared.filter(kind, refTo('schemas', 'document'), refTo('schemas', `${kind}.header`))
    const reply = shared.replyOf(kind, whole)
    paths[at('list')] = describer.get(tag, '列表', [filter], reply)
    paths[at('info')] = describer.get(tag, '详情', shared.one, reply)
    paths[at('add')] = describer.post(tag, '新增', shared.body(kind))
    paths[at('edit')] = describer.post(tag, '编辑', shared.body(kind))
    describer.common(kind, 'del', '删除', 'action')
    Object.assign(paths, optionalCalls(describer, definition, at))
    for (const [action, spec] of Object.entries(definition.actions))
      describer.common(kind, action, spec.label, 'action')
  }
  return paths
}

/** Calls that not every kind has. */
function optionalCalls(
  describer: Describer,
  definition: AnyDocument,
  at: (call: string) => string,
): Record<string, PathItem> {
  const { shared } = describer
  const { kind, title: tag } = definition
  const paths: Record<string, PathItem> = {}
  if (definition.lineRules.import) {
    const sheet = shared.body(
      `${kind}.sheet`,
      {
        allOf: [
          refTo('schemas', `${kind}.header`),
          shared.schema('sheet', objectOf({ sn: text, version: text, dry: text, file }, { required: ['file'] })),
        ],
      },
      true,
    )
    const workbook = shared.responses('workbook')
    paths[at('template')] = describer.get(tag, '明细导入模板', [], workbook)
    paths[at('import')] = describer.post(
      tag,
      '导入明细：.xls、.xlsx 或 .csv，全部写入或全部不写；dry=true 只检查',
      sheet,
    )
    paths[at('importMarked')] = describer.post(tag, '标记错误的导入文件', sheet, workbook)
  }
  if (canProposeLots(definition))
    paths[at('propose')] = describer.post(tag, '按有效期分配批号，不写入', shared.body(kind))
  if (canBeCopied(definition)) describer.common(kind, 'copy', '复制', 'one')
  return paths
}
