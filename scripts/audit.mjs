// npm run audit: known vulnerabilities in the dependencies, according to the registry. High and critical ones fail;
// without a registry it says so.
import { spawnSync } from 'node:child_process'
import { ROOT } from './checks.mjs'

const GRAVE = ['high', 'critical']
const PATIENCE_MS = 90_000

const asked = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  cwd: ROOT,
  encoding: 'utf8',
  timeout: PATIENCE_MS,
  shell: process.platform === 'win32',
})

/** npm's output if it is a report and not a network error. */
function reportOf(text) {
  try {
    const report = JSON.parse(text)
    return report.metadata?.vulnerabilities ? report : null
  } catch {
    return null
  }
}

const report = reportOf(asked.stdout ?? '')
if (report === null) {
  console.log('依赖检查：软件源没有应答，本次未检查')
  process.exit(0)
}
const counts = report.metadata.vulnerabilities
const grave = Object.values(report.vulnerabilities ?? {}).filter(one => GRAVE.includes(one.severity))
for (const one of grave) console.log(`依赖 ${one.name}（${one.severity}）：${one.range}`)
console.log(`依赖检查：严重 ${counts.critical}，高 ${counts.high}，中 ${counts.moderate}，低 ${counts.low}`)
process.exit(grave.length > 0 ? 1 : 0)
