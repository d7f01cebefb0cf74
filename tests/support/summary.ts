import { writeFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

export interface Summary {
  passed: number
  failed: number
  skipped: number
  /** Each failed test with the first line of its error, for whoever sees the end of a log alone. */
  failures: string[]
}

/** Counts the tests of all projects into the file SUMMARY_FILE, for the last line of `npm test`. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<SerializedError>): void {
    const file = process.env.SUMMARY_FILE
    if (!file) return
    writeFileSync(file, JSON.stringify(count(modules, unhandled)))
  }
}

function count(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<SerializedError>): Summary {
  const summary: Summary = { passed: 0, failed: unhandled.length, skipped: 0, failures: [] }
  summary.failures.push(...unhandled.map(({ message }) => firstLine(message)))
  for (const module of modules) {
    let failedInside = 0
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      // A test without a result was cut off by a broken hook or a killed worker.
      if (state === 'pending') continue
      summary[state] += 1
      if (state !== 'failed') continue
      failedInside += 1
      const [error] = test.result().errors ?? []
      summary.failures.push(`${module.relativeModuleId} > ${test.fullName}: ${firstLine(error?.message)}`)
    }
    // A file that does not load, or whose hooks fail, counts as failed even if none of its own tests failed.
    if (module.state() === 'failed' && failedInside === 0) {
      summary.failed += 1
      summary.failures.push(`${module.relativeModuleId}: ${firstLine(module.errors()[0]?.message)}`)
    }
  }
  return summary
}

const firstLine = (message = ''): string => message.split('\n')[0]!.slice(0, 200)
