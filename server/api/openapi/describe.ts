import type { AnyDocument } from '#kernel/definition/document.ts'
import { f, type FieldSpec, type Fields } from '#kernel/definition/field.ts'
import { absentLineFields } from '#kernel/definition/line-content.ts'
import { places } from '#kernel/values/decimal.ts'
import { canBeCopied } from '#kernel/rules/action-availability.ts'
import { commonFields, commonLineFields } from '#kernel/definition/common-fields.ts'
import { replyCodes } from '#kernel/rules/errors.ts'
import { derived, documents, entities, reports } from '#kernel/registry.ts'
import { fixedPaths } from '#server/api/openapi/fixed-paths.ts'
import { canProposeLots } from '#server/documents/action/propose-lots.ts'
import { listColumnsOf } from '#server/lists/query.ts'
import { actionsOf } from '#server/records/row-actions.ts'

export type Schema = Readonly<Record<string, unknown>>
type Call = {
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Schema[]
  readonly requestBody?: Schema
  readonly responses: Schema
}
export type Description = {
  readonly openapi: '3.1.0'
  readonly info: Schema
  readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>
  readonly components: Schema
}

const decimal = (decimals: number): Schema => ({ type: 'string', pattern: `^-?\\d{1,14}(\\.\\d{1,${decimals}})?$` })

/** A wire field as a JSON schema. */
export function schemaOf(field: FieldSpec): Schema {
  const title = {
    title: field.label,
    ...(field.hint ? { description: field.hint } : {}),
    ...(field.readOnly ? { readOnly: true } : {}),
  }
  switch (field.as) {
    case 'quantity':
      return { ...title, ...decimal(places.quantity) }
    case 'price':
      return { ...title, ...decimal(places.price) }
    case 'amount':
      return { ...title, ...decimal(places.amount) }
    case 'rate':
      return { ...title, ...decimal(4) }
    case 'count':
      return { ...title, type: 'integer' }
    case 'taxRate':
      return { ...title, type: 'integer', enum: [0, 1, 3, 6, 9, 13] }
    case 'flag':
      return { ...title, type: 'boolean' }
    case 'day':
      return { ...title, type: 'string', format: 'date' }
    case 'instant':
      return { ...title, type: 'string', format: 'date-time' }
    case 'pick':
      return {
        ...title,
        type: 'string',
        enum: Object.keys(field.choices ?? {}),
        description: Object.entries(field.choices ?? {})
          .map(([value, label]) => `${value} ${label}`)
          .join('，'),
      }
    case 'files':
    case 'codes':
      return { ...title, type: 'array', items: { type: 'string' } }
    case 'ref':
      return { ...title, type: 'string', description: `${field.target} 的内部编号` }
    default:
      return {
        ...title,
        type: 'string',
        ...(typeof field.max === 'number' ? { maxLength: field.max } : {}),
        ...(field.match ? { pattern: field.match.source } : {}),
      }
  }
}

const objectOf = (fields: Fields, more: Readonly<Record<string, Schema>> = {}): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties: {
    ...more,
    ...Object.fromEntries(
      Object.entries(fields)
        .filter(([, field]) => !field.readOnly)
        .map(([name, field]) => [name, schemaOf(field)]),
    ),
  },
  required: Object.entries(fields)
    .filter(([, field]) => field.required && !field.readOnly)
    .map(([name]) => name),
})

const responses: Schema = {
  200: { description: '回复', content: { 'application/json': { schema: { $ref: '#/components/schemas/Envelope' } } } },
  401: {
    description: '登录已失效',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Envelope' } } },
  },
}
const query = (fields: Fields): Schema[] =>
  Object.entries(fields).map(([name, field]) => ({ name, in: 'query', schema: schemaOf(field) }))
const paging: Schema[] = [
  { name: 'pageNum', in: 'query', schema: { type: 'integer', minimum: 1 } },
  { name: 'pageSize', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 500, default: 20 } },
  { name: 'sort', in: 'query', schema: { type: 'string' }, description: '字段名，前加减号为倒序，多个用逗号隔开' },
  { name: 'q', in: 'query', schema: { type: 'string' }, description: '关键字' },
]
const get = (tag: string, summary: string, parameters: readonly Schema[] = []): { get: Call } => ({
  get: { summary, tags: [tag], parameters, responses },
})
const post = (tag: string, summary: string, schema: Schema): { post: Call } => ({
  post: {
    summary,
    tags: [tag],
    responses,
    parameters: [
      {
        name: 'X-Request-Id',
        in: 'header',
        schema: { type: 'string', maxLength: 64 },
        description: '同一编号24小时内只执行一次',
      },
    ],
    requestBody: { content: { 'application/x-www-form-urlencoded': { schema }, 'application/json': { schema } } },
  },
})

const sn: Schema = { type: 'string', title: '编号' }
const versioned = { sn, version: { type: 'integer', title: '版本号' } }
const addressed = (more: Readonly<Record<string, Schema>> = {}): Schema => ({
  type: 'object',
  properties: { ...versioned, ...more },
  required: ['sn', 'version'],
})
const askedBy = (asks: Fields = {}): Readonly<Record<string, Schema>> =>
  Object.fromEntries(Object.entries(asks).map(([name, field]) => [name, schemaOf(field)]))
const one: Schema[] = [{ name: 'sn', in: 'query', required: true, schema: sn }]
export type Paths = Record<string, Readonly<Record<string, Call>>>

function recordPaths(): Paths {
  const paths: Paths = {}
  for (const definition of entities()) {
    const at = (call: string) => `/v1/business/${definition.kind}/${call}`
    const listed = listColumnsOf(definition)
    paths[at('list')] = get(definition.title, `${definition.title}列表`, [
      ...paging,
      ...query({ ...listed.columns, ...listed.parameters }),
    ])
    paths[at('info')] = get(definition.title, `${definition.title}详情`, one)
    paths[at('export')] = get(
      definition.title,
      `导出${definition.title}`,
      query({ ...listed.columns, ...listed.parameters }),
    )
    for (const [name, { label, asks, rows }] of Object.entries(definition.calls ?? {}))
      paths[at(name)] = post(
        definition.title,
        `${label}：${definition.title}`,
        objectOf(asks, rows ? { sns: { type: 'array', items: { type: 'string' }, title: '勾选行的编号' } } : {}),
      )
    if (definition.readOnly) continue
    paths[at('add')] = post(definition.title, `新增${definition.title}`, objectOf(definition.fields))
    paths[at('edit')] = post(definition.title, `编辑${definition.title}`, {
      ...objectOf(definition.fields, versioned),
      required: ['sn', 'version'],
    })
    for (const action of actionsOf(definition).filter(name => name !== 'edit')) {
      paths[at(action)] = post(
        definition.title,
        `${definition.actions?.[action]?.label ?? ownActions[action]}${definition.title}`,
        addressed({ reason: { type: 'string' }, ...askedBy(definition.actions?.[action]?.asks) }),
      )
    }
  }
  return paths
}

/** The common line fields that lines of a kind have. */
const commonLinesOf = (definition: AnyDocument): Fields => {
  const absent = absentLineFields(definition)
  return Object.fromEntries(Object.entries(commonLineFields).filter(([name]) => !absent.includes(name)))
}

function documentPaths(): Paths {
  const paths: Paths = {}
  for (const definition of documents()) {
    const at = (call: string) => `/v1/business/${definition.kind}/${call}`
    const tag = definition.title
    const header = Object.fromEntries(
      Object.entries(definition.header).map(([name, field]) => [name, { ...commonFields[name], ...field }]),
    ) as Fields
    const lines = {
      type: 'array',
      items: objectOf({ ...commonLinesOf(definition), ...definition.lines } as Fields),
      title: '明细',
    }
    paths[at('list')] = get(tag, `${tag}列表`, [...paging, ...query(header)])
    paths[at('info')] = get(tag, `${tag}详情`, one)
    paths[at('add')] = post(tag, `新增${tag}`, { ...objectOf(header, { lines }), required: [] })
    paths[at('edit')] = post(tag, `编辑${tag}`, {
      ...objectOf(header, { ...versioned, lines }),
      required: ['sn', 'version'],
    })
    paths[at('del')] = post(tag, `删除${tag}`, addressed())
    if (definition.lineRules.import) {
      const sheet = {
        ...objectOf(header, { sn, version: { type: 'string' }, dry: { type: 'string' }, file }),
        required: ['file'],
      }
      paths[at('template')] = get(tag, `${tag}明细导入模板`, [])
      paths[at('import')] = post(tag, `导入${tag}明细：.xls、.xlsx 或 .csv，全部写入或全部不写；dry=true 只检查`, sheet)
      paths[at('importMarked')] = post(tag, `标记错误的导入文件：${tag}`, sheet)
    }
    if (canProposeLots(definition))
      paths[at('propose')] = post(tag, `按有效期分配批号，不写入：${tag}`, objectOf(header, { lines }))
    if (canBeCopied(definition))
      paths[at('copy')] = post(tag, `复制${tag}`, { type: 'object', properties: { sn }, required: ['sn'] })
    for (const [action, spec] of Object.entries(definition.actions))
      paths[at(action)] = post(
        tag,
        `${spec.label}${tag}`,
        addressed({ reason: { type: 'string' }, confirm: { type: 'string' } }),
      )
  }
  return paths
}

/** Actions of records that need no definition. */
const ownActions: Readonly<Record<string, string>> = { del: '删除', enable: '启用', disable: '停用' }

/** A part of a multipart form. */
const file: Schema = { type: 'string', format: 'binary' }

/** 分组汇总: one or several columns, separated by commas. */
const grouping = (groups: readonly string[]) => f.text('分组汇总', { hint: `${groups.join('、')}，可用逗号连写多个` })

/** OpenAPI 3.1 of all calls, derived from the registry once. */
export const openApiDocument = derived((): Description => {
  const reportPaths = Object.fromEntries(
    reports().flatMap(({ kind, title, parameters, groupBy }): [string, Readonly<Record<string, Call>>][] => {
      const asked = query({ ...parameters, ...(groupBy ? { group_by: grouping(groupBy) } : {}) })
      return [
        [`/v1/report/${kind}`, get(title, title, [...paging.slice(0, 3), ...asked])],
        [`/v1/report/${kind}/export`, get(title, `导出${title}`, asked)],
      ]
    }),
  )
  return {
    openapi: '3.1.0',
    info: { title: '医疗器械全生命周期追溯系统', version: '0.1.0' },
    paths: { ...fixedPaths({ get, post }), ...documentPaths(), ...recordPaths(), ...reportPaths },
    components: {
      schemas: {
        Envelope: {
          type: 'object',
          required: ['code', 'msg'],
          properties: {
            code: {
              type: 'integer',
              description: Object.values(replyCodes)
                .map(([code, sentence]) => `${code} ${sentence}`)
                .join('；'),
            },
            msg: text(),
            info: {},
            list: { type: 'array' },
            total: { type: 'integer' },
            page_num: { type: 'integer' },
            page_size: { type: 'integer' },
            summary: {},
            errors: { type: 'array' },
          },
        },
      },
    },
  }
})

const text = (): Schema => ({ type: 'string' })
