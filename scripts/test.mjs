// npm test: the checks, then every test. With arguments only the tests they choose: npm test -- modules/sales
import { runChecks } from './checks.mjs'
import { conclude, runVitest } from './vitest.mjs'

const chosen = process.argv.slice(2)
const failedChecks = chosen.length ? 0 : await runChecks()
const summary = await runVitest(chosen)
conclude({ ...summary, failed: summary.failed + failedChecks })
