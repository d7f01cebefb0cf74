import { type Description, openApiDocument, type Schema } from '#server/api/openapi/describe.ts'

type Fields = Readonly<Record<string, Schema>>
type Part = Schema & { readonly $ref?: string }

/** What a reference in the document refers to. */
export function resolved(description: Description, part: Part): Schema {
  if (part.$ref === undefined) return part
  const { $ref, ...beside } = part
  const found = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], description)
  return { ...resolved(description, found as Part), ...beside }
}

/** A schema without references: of an object its properties, of a list those of its items. */
function whole(description: Description, part: Part): Schema {
  const schema = resolved(description, part)
  if (schema.items) return { ...schema, items: whole(description, schema.items as Part) }
  if (!schema.allOf && !schema.properties) return schema
  return { type: 'object', properties: propertiesIn(description, schema) }
}

/** All properties of an object, with those of the parts it is put together from. */
export function propertiesIn(description: Description, part: Part): Fields {
  const schema = resolved(description, part)
  const parts = (schema.allOf ?? []) as readonly Part[]
  const own = Object.entries((schema.properties ?? {}) as Fields)
  return Object.assign(
    {},
    ...parts.map(each => propertiesIn(description, each)),
    Object.fromEntries(own.map(([name, field]) => [name, whole(description, field)])),
  ) as Fields
}

/** The description of a call at an address as the server routes it: its own, or that of all kinds. */
export function callAt(description: Description, method: string, url: string) {
  const address = url.replaceAll(/:(\w+)/g, '{$1}')
  const { paths } = description
  const common = address.replace(/^\/v1\/business\/[^/]+\//, '/v1/business/{kind}/')
  const some = Object.keys(paths).find(path => new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`).test(path))
  return (paths[address] ?? paths[common] ?? (url.includes(':') ? paths[some ?? ''] : undefined))?.[
    method.toLowerCase()
  ]
}

/** The names of a call's query and body, with what may stand in them. */
export function inputsOf(method: string, url: string): Fields {
  const description = openApiDocument()
  const call = callAt(description, method, url)
  const parameters = (call?.parameters ?? []).map(each => resolved(description, each as Part))
  const asked = parameters
    .filter(one => one.in !== 'header' && one.name !== 'kind')
    .map(one =>
      one.name === 'filter'
        ? propertiesIn(description, one.schema as Part)
        : { [String(one.name)]: resolved(description, one.schema as Part) },
    )
  const body = call?.requestBody && resolved(description, call.requestBody as Part)
  const [content] = Object.values((body?.content ?? {}) as Readonly<Record<string, { readonly schema: Part }>>)
  return Object.assign({}, ...asked, content && propertiesIn(description, content.schema)) as Fields
}
