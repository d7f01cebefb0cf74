// npm test: the checks, then every test. With arguments only the tests they choose: npm test -- modules/sales
import { runChecks } from './checks.mjs'
import { conclude, runVitest } from './vitest.mjs'

const chosen = process.argv.slice(2)
const failedChecks = chosen.length ? 0 : await runChecks()
// A browser leaves a core idle while it waits for a page: what needs none runs beside it, each with a cluster of its own.
const runs = chosen.length
  ? [chosen]
  : [
      ['--project', 'unit', '--project', 'db'],
      ['--project', 'browser'],
    ]
const summaries = await Promise.all(runs.map(args => runVitest(args)))
const total = count => summaries.reduce((sum, summary) => sum + summary[count], 0)
conclude({ passed: total('passed'), failed: total('failed') + failedChecks, skipped: total('skipped') })
