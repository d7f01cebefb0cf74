// Runs vitest and counts the results.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ROOT } from './checks.mjs'

/** The counts over all projects; a run that failed without a failing test counts as one failure. */
export async function runVitest(args) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'medtrace-summary-'))
  const file = path.join(folder, 'summary.json')
  try {
    const code = await spawnVitest(args, file)
    const summary = readSummary(file)
    if (code !== 0 && summary.failed === 0) {
      summary.failed = 1
      summary.failures.push(`vitest ${args.join(' ')}: exit code ${code}`)
    }
    return summary
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function spawnVitest(args, file) {
  const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const env = { ...process.env, SUMMARY_FILE: file }
  const child = spawn(process.execPath, [vitest, 'run', ...args], { cwd: ROOT, stdio: 'inherit', env })
  // Vitest removes its throw-away database before it ends, so we wait; a second SIGINT would interrupt it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'))
  return new Promise(resolve => child.on('exit', code => resolve(code ?? 1)))
}

function readSummary(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { passed: 0, failed: 0, skipped: 0, failures: [] }
  }
}

/** What failed, the last line of every test command, and its exit code. */
export function conclude({ passed, failed, skipped, failures = [] }) {
  for (const failure of failures) console.log(`✗ ${failure}`)
  console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
  process.exit(failed ? 1 : 0)
}
