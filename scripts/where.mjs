// npm run where -- 验收单: prints where a title, a kind, a route or a sentence is defined, checked, tested and documented.
import { whereIs } from './kinds.ts'

const asked = process.argv.slice(2).join(' ').trim()
const lines = asked === '' ? [] : whereIs(asked)
console.log(lines.length > 0 ? lines.join('\n') : `没有找到“${asked}”。可以写标题、单据代码、网址，或页面上的一句话。`)
process.exitCode = lines.length > 0 ? 0 : 1
