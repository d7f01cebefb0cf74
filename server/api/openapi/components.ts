import { replyCodes } from '#kernel/rules/errors.ts'
import { objectOf, refTo, type Schema, valueTypes, withSharedFields } from '#server/api/openapi/schemas.ts'

export type Operation = {
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Schema[]
  readonly requestBody?: Schema
  readonly responses: Schema
  readonly security?: readonly Schema[]
  readonly operationId?: string
}
export type PathItem = Readonly<Record<string, Operation>>
export type Paths = Record<string, PathItem>

const text: Schema = { type: 'string' }
const whole: Schema = { type: 'integer' }
const sn: Schema = { type: 'string', title: '编号' }
const version: Schema = { type: 'integer', title: '版本号' }
/** An object in a query is, by the standard, a parameter for each of its fields. */
const EXPLODED = { name: 'filter', in: 'query' } as const
const JSON_BODY = 'application/json'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const envelope = objectOf(
  {
    code: {
      type: 'integer',
      description: Object.values(replyCodes)
        .map(([code, sentence]) => `${code} ${sentence}`)
        .join('；'),
    },
    msg: text,
    info: {},
    list: { type: 'array' },
    total: whole,
    page_num: whole,
    page_size: whole,
    summary: {},
    errors: { type: 'array' },
  },
  { required: ['code', 'msg'] },
)
const reply = (description: string, schema: Schema = refTo('schemas', 'Envelope')): Schema => ({
  description,
  content: { [JSON_BODY]: { schema } },
})

/**
 * Schemas and parameters that several calls share, collected while the calls are described. Programs read the document,
 * so a shared part stands in it once and is the same for every call.
 */
export class Components {
  readonly #schemas: Record<string, Schema> = {
    ...valueTypes,
    Envelope: envelope,
    paging: objectOf({
      pageNum: { type: 'integer', minimum: 1 },
      pageSize: { type: 'integer', minimum: 1, maximum: 500, default: 20 },
      sort: { type: 'string', description: '字段名，前加减号为倒序，多个用逗号隔开' },
      q: { type: 'string', description: '关键字' },
    }),
    action: objectOf({ sn, version, reason: text, confirm: text }, { required: ['sn', 'version'] }),
    one: objectOf({ sn }, { required: ['sn'] }),
  }
  readonly #parameters: Record<string, Schema> = {
    sn: { name: 'sn', in: 'query', required: true, schema: sn },
  }
  readonly #bodies: Record<string, Schema> = {}
  readonly #responses: Record<string, Schema> = {
    ok: reply('回复：code 为 0 表示成功，否则 msg 说明原因'),
    no: reply('登录已失效、没有操作权限、地址不存在或请求过于频繁'),
    workbook: { description: '工作簿', content: { [XLSX]: { schema: { type: 'string', format: 'binary' } } } },
  }
  readonly one: readonly Schema[] = [refTo('parameters', 'sn')]

  schema(name: string, schema: Schema): Schema {
    this.#schemas[name] ??= schema
    return refTo('schemas', name)
  }

  /** Paging and the fields of objects as parameters of a query, each by its own name. */
  filter(name: string, ...fields: readonly Schema[]): Schema {
    this.#parameters[name] ??= { ...EXPLODED, schema: { allOf: [refTo('schemas', 'paging'), ...fields] } }
    return refTo('parameters', name)
  }

  /** A body under the name of a schema; with a file in several parts. */
  body(name: string, schema?: Schema, hasFile = false): Schema {
    const within = { schema: schema === undefined ? refTo('schemas', name) : this.schema(name, schema) }
    this.#bodies[name] ??= {
      content: { [hasFile ? 'multipart/form-data' : JSON_BODY]: within },
    }
    return refTo('requestBodies', name)
  }

  /** Replies whose type is known: rows in `list`, one of them in `info`. */
  replyOf(name: string, row: Schema): Schema {
    const properties = { list: { type: 'array', items: row }, info: row }
    this.#responses[name] ??= reply('回复', { allOf: [refTo('schemas', 'Envelope'), { properties }] })
    return this.responses(name)
  }

  responses(ok = 'ok'): Schema {
    return { 200: refTo('responses', ok), '4XX': refTo('responses', 'no') }
  }

  whole(): Schema {
    return {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-sid',
          description: '登录后由服务器设置；未启用 https 的安装名为 sid',
        },
      },
      parameters: this.#parameters,
      requestBodies: this.#bodies,
      responses: this.#responses,
      schemas: withSharedFields(this.#schemas),
    }
  }
}

/** A call that is the same for many kinds: what it is called there, and its body. */
type CommonCall = { readonly body: string; readonly labels: Map<string, string> }
const COMMON = '各类单据与档案'
/** Different words for one call that are named; beyond them nobody reads. */
const MOST_LABELS = 6

/** Describes calls with what they share. */
export class Describer {
  readonly shared = new Components()
  readonly #common = new Map<string, CommonCall>()

  /** A call of a kind that needs nothing of its own: described once for all kinds that have it. */
  common(kind: string, call: string, label: string, body: 'action' | 'one'): void {
    const known = this.#common.get(`${call} ${body}`) ?? { body, labels: new Map() }
    this.#common.set(`${call} ${body}`, known)
    known.labels.set(kind, label)
  }

  /** The calls that are common to kinds; a call of one kind only is described at its own address. */
  commonPaths(): Paths {
    const taken = new Set<string>()
    return Object.fromEntries(
      [...this.#common].flatMap(([key, { body, labels }]): [string, PathItem][] => {
        const [call = ''] = key.split(' ')
        const kinds = [...labels.keys()]
        const words = [...new Set(labels.values())].slice(0, MOST_LABELS).join('、')
        const request = this.shared.body(body)
        if (kinds.length === 1 || taken.has(call))
          return kinds.map(kind => [`/v1/business/${kind}/${call}`, this.post(COMMON, labels.get(kind)!, request)])
        taken.add(call)
        const kind: Schema = { name: 'kind', in: 'path', required: true, schema: { type: 'string', enum: kinds } }
        const { post } = this.post(COMMON, words, request)
        return [[`/v1/business/{kind}/${call}`, { post: { ...post, parameters: [kind] } }]]
      }),
    )
  }

  get(tag: string, summary: string, parameters: readonly Schema[] = [], responses?: Schema): { get: Operation } {
    return {
      get: {
        summary,
        tags: [tag],
        ...(parameters.length > 0 ? { parameters } : {}),
        responses: responses ?? this.shared.responses(),
      },
    }
  }
  post(tag: string, summary: string, requestBody: Schema, responses?: Schema): { post: Operation } {
    return { post: { summary, tags: [tag], requestBody, responses: responses ?? this.shared.responses() } }
  }
}
