import type { FastifyInstance } from 'fastify'
import { contentPolicy, newNonce } from '#server/plugins/security.ts'
import { replyCodes } from '#kernel/rules/errors.ts'
import { documents, entities, reports } from '#kernel/registry.ts'
import { openApiDocument } from '#server/api/openapi/describe.ts'

/** The contract for connecting systems: OpenAPI 3.1 as JSON, and a page to read. */
export function addOpenApi(app: FastifyInstance): void {
  app.get('/docs/json', async () => openApiDocument())
  app.get('/docs', async (request, reply) => {
    const nonce = newNonce()
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentPolicy({ host: request.host, nonce }))
      .send(page(nonce))
  })
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const rowOf = (cells: readonly string[], tag: 'th' | 'td') =>
  `<tr>${cells.map(cell => `<${tag}>${escape(cell)}</${tag}>`).join('')}</tr>`
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  `<table><thead>${rowOf(head, 'th')}</thead><tbody>${rows.map(row => rowOf(row, 'td')).join('')}</tbody></table>`

function page(nonce: string): string {
  const calls = Object.entries(openApiDocument().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => [method.toUpperCase(), path, `${call.tags[0]}：${call.summary}`]),
  )
  const codes = Object.values(replyCodes).map(([code, sentence]) => [String(code), sentence])
  const kinds = [...documents(), ...entities(), ...reports()].map(({ kind, title, is }) => [
    kind,
    title,
    { document: '单据', entity: '档案', report: '报表' }[is],
  ])
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>接口文档</title>
<style nonce="${nonce}">
body{font:14px/1.6 system-ui,"PingFang SC","Microsoft YaHei",sans-serif;max-width:1100px;margin:24px auto;
padding:0 16px;color:#1f2329}
table{border-collapse:collapse;width:100%;margin:8px 0 32px}
td,th{border-bottom:1px solid #e5e6eb;padding:6px 8px;text-align:left;vertical-align:top}
td:nth-child(2){font-family:ui-monospace,monospace}</style></head>
<body><h1>接口文档</h1>
<p>机器可读的 OpenAPI 3.1 在 <a href="/docs/json">/docs/json</a>。
每个回复都是 <code>{"code":0,"msg":""}</code> 的形式，code 为 0 表示成功。</p>
<h2>返回码</h2>${table(['返回码', '说明'], codes)}
<h2>业务定义</h2>${table(['名称', '标题', '类别'], kinds)}
<h2>接口</h2>${table(['方法', '地址', '说明'], calls)}</body></html>`
}
