import { f } from '#kernel/definition/field.ts'
import { derived, reports } from '#kernel/registry.ts'
import { Describer, type PathItem, type Paths } from '#server/api/openapi/components.ts'
import { documentPaths } from '#server/api/openapi/document-paths.ts'
import { fixedPaths } from '#server/api/openapi/fixed-paths.ts'
import { callBody, recordPaths } from '#server/api/openapi/record-paths.ts'
import { namesBeside, objectOf, propertiesOf, type Schema } from '#server/api/openapi/schemas.ts'
import program from '../../../package.json' with { type: 'json' }

export type { Schema } from '#server/api/openapi/schemas.ts'
export type Description = {
  readonly openapi: '3.1.0'
  readonly info: Schema
  readonly servers: readonly Schema[]
  readonly security: readonly Schema[]
  readonly paths: Paths
  readonly components: Schema
}

/** 分组汇总: one or several columns, separated by commas. */
const grouping = (groups: readonly string[]) => f.text('分组汇总', { hint: `${groups.join('、')}，可用逗号连写多个` })

const REPORT_QUERY = f.text('查询条件', {
  hint: '勾选的行所在报表的参数，如 begin_date=2026-11-01&end_date=2026-11-30',
})

function reportPaths(describer: Describer): Paths {
  const { shared } = describer
  return Object.fromEntries(
    reports().flatMap(({ kind, title, parameters, columns, groupBy, calls = {} }): [string, PathItem][] => {
      const asked = { ...parameters, ...(groupBy ? { group_by: grouping(groupBy) } : {}) }
      const row = shared.schema(`${kind}.row`, objectOf({ ...propertiesOf(columns), ...namesBeside(columns) }))
      const filter = shared.filter(`report.${kind}`, shared.schema(`${kind}.filter`, objectOf(propertiesOf(asked))))
      const at = `/v1/report/${kind}`
      const reply = shared.replyOf(`report.${kind}`, row)
      return [
        [at, describer.get(title, '查询', [filter], reply)],
        [`${at}/export`, describer.get(title, '导出', [filter], shared.responses('workbook'))],
        ...Object.entries(calls).map(([name, { label, asks }]): [string, PathItem] => [
          `${at}/${name}`,
          describer.post(title, label, callBody(describer, `${kind}.${name}`, { ...asks, query: REPORT_QUERY }, true)),
        ]),
      ]
    }),
  )
}

/** The name of a call for programs: `purchaseOrder_list`. */
const nameOf = (path: string): string =>
  path
    .replace(/^\/(v1\/)?(business\/)?/, '')
    .replaceAll(/[{}]/g, '')
    .replaceAll('/', '_')

const named = (paths: Paths): Paths =>
  Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, call]) => [method, { operationId: nameOf(path), ...call }]),
      ),
    ]),
  )

const INTRODUCTION = [
  '每个回复都是 {"code":0,"msg":""} 的形式，code 为 0 表示成功，其余见返回码。',
  '除登录、注册、找回密码和运行状态外，都要先登录，由会话 Cookie 证明身份。',
  'POST 的内容也可以是表单（application/x-www-form-urlencoded），其中嵌套的部分写成 JSON 文本。',
  'POST 可带请求头 X-Request-Id（最多64个字符）：同一编号24小时内只执行一次，重发得到同一回复。',
  '列表的筛选条件是各字段名；日期、数量和金额另可用 begin_字段名、end_字段名 限定范围，选项可用逗号连写多个。',
  '只读字段（readOnly）由系统填写，写入时不要带。选项的说明按取值的次序排列。',
].join('\n\n')

/** OpenAPI 3.1 of all calls, derived from the registry once. */
export const openApiDocument = derived((): Description => {
  const describer = new Describer()
  const paths = {
    ...fixedPaths(describer),
    ...documentPaths(describer),
    ...recordPaths(describer),
    ...reportPaths(describer),
    ...describer.commonPaths(),
  }
  return {
    openapi: '3.1.0',
    info: {
      title: '医疗器械全生命周期追溯系统',
      version: program.version,
      description: INTRODUCTION,
      license: { name: '版权所有，随系统使用', url: '/docs' },
    },
    servers: [{ url: '/' }],
    security: [{ session: [] }],
    paths: named(paths),
    components: describer.shared.whole(),
  }
})
