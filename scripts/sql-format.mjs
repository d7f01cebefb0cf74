// npm run sql:format: the program's SQL, one clause a line. With --check it fails where it would change something.
import fs from 'node:fs'
import path from 'node:path'
import { format } from 'sql-formatter'

const ROOT = path.resolve(import.meta.dirname, '..')
const FOLDERS = ['modules', 'server']
/** Folders whose files are not formatted yet; none joins. */
const EXEMPT = ['server/migrations']
const LONGEST_LINE = 120

const OPTIONS = {
  language: 'postgresql',
  tabWidth: 2,
  keywordCase: 'lower',
  dataTypeCase: 'lower',
  functionCase: 'lower',
  expressionWidth: 100,
  // `:name` and `{{ fragment(…) }}` of reports (server/reports/report-sql.ts).
  paramTypes: { named: [':'], numbered: ['$'], custom: [{ regex: String.raw`\{\{[^{}]*\}\}` }] },
}

const files = FOLDERS.flatMap(folder =>
  fs
    .readdirSync(path.join(ROOT, folder), { recursive: true })
    .map(file => path.posix.join(folder, file.replaceAll(path.sep, '/')))
    .filter(file => file.endsWith('.sql') && !EXEMPT.some(exempt => file.startsWith(`${exempt}/`))),
)
const checking = process.argv.includes('--check')
const problems = files.sort().flatMap(file => {
  const written = fs.readFileSync(path.join(ROOT, file), 'utf8')
  const formatted = `${format(written, OPTIONS)}\n`
  if (!checking && formatted !== written) fs.writeFileSync(path.join(ROOT, file), formatted)
  const long = formatted.split('\n').flatMap((line, at) => (line.length > LONGEST_LINE ? [`${file}:${at + 1}`] : []))
  return [
    ...(checking && formatted !== written ? [`${file} is not formatted`] : []),
    ...long.map(place => `${place} is longer than ${LONGEST_LINE} characters`),
  ]
})
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)
