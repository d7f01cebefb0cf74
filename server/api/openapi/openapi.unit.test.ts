import { writeFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { openApiDocument } from '#server/api/openapi/describe.ts'
it('x', async () => {
  const text = JSON.stringify(openApiDocument())
  writeFileSync('/tmp/b-npm/openapi.json', text)
  const config = await createConfig({ extends: ['recommended'] })
  const began = performance.now()
  const problems = await lintFromString({ source: text, config, absoluteRef: 'openapi.json' })
  console.log(Buffer.byteLength(text), Math.round(performance.now() - began), problems.length)
  const by = new Map<string, number>()
  for (const p of problems) by.set(`${p.severity} ${p.ruleId}`, (by.get(`${p.severity} ${p.ruleId}`) ?? 0) + 1)
  console.log([...by], problems.filter((p, i, a) => a.findIndex(q => q.ruleId === p.ruleId) === i).map(p => `${p.ruleId} ${p.message} ${p.location[0]?.pointer}`).join('\n'))
  const d = openApiDocument()
  console.log(Buffer.byteLength(JSON.stringify(d.paths)), Object.entries(d.components).map(([n, v]) => [n, Object.keys(v as object).length, Buffer.byteLength(JSON.stringify(v))]))
})
