// npm run check: all checks that take about a minute and need no database.
import { runChecks } from './checks.mjs'
import { conclude, runVitest } from './vitest.mjs'

const failedChecks = await runChecks()
const summary = await runVitest(['--project', 'unit', '--project', 'components', ...process.argv.slice(2)])
conclude({
  ...summary,
  failed: summary.failed + failedChecks.length,
  failures: [...failedChecks, ...summary.failures],
})
