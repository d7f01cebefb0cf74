// The static checks: types, lint, format. A failing one is printed.
import { spawn } from 'node:child_process'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '..')

const CHECKS = [
  { title: '类型', args: [packageFile('typescript/bin/tsc'), '-p', '.'] },
  { title: '代码规则', args: [packageFile('oxlint/bin/oxlint'), '--deny-warnings'] },
  {
    title: '格式',
    args: [packageFile('@biomejs/biome/bin/biome'), 'format', '--max-diagnostics=20'],
    advice: '自动改正：npx biome format --write',
  },
  {
    title: 'SQL 格式',
    args: ['scripts/sql-format.mjs', '--check'],
    advice: '自动改正：npm run sql:format',
  },
]

/** Runs all checks and returns the titles of those that failed. */
export async function runChecks() {
  const results = await Promise.all(CHECKS.map(runCheck))
  return CHECKS.filter((_, at) => !results[at]).map(({ title }) => title)
}

async function runCheck({ title, args, advice }) {
  const began = Date.now()
  const { code, output } = await run(args)
  const seconds = ((Date.now() - began) / 1000).toFixed(1)
  if (code === 0) console.log(`✓ ${title}（${seconds} 秒）`)
  else console.log(`✗ ${title}（${seconds} 秒）\n${output.trimEnd()}${advice ? `\n${advice}` : ''}\n`)
  return code === 0
}

function packageFile(file) {
  return path.join(ROOT, 'node_modules', file)
}

function run(args) {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text))
  return new Promise(resolve => {
    child.on('error', error => resolve({ code: 1, output: error.message }))
    child.on('close', code => resolve({ code: code ?? 1, output }))
  })
}
