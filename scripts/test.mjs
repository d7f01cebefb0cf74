// npm test: the checks, then every test. With arguments only the tests they choose: npm test -- modules/sales
import { GIVEN_CLUSTER, openCluster } from '../tests/support/cluster.ts'
import { seededTemplate } from '../tests/support/template.ts'
import { runChecks } from './checks.mjs'
import { conclude, runVitest } from './vitest.mjs'

const chosen = process.argv.slice(2)
conclude(chosen.length ? await runVitest(chosen) : await runAll())

/**
 * A browser leaves a core idle while it waits for a page: tests that need none run in parallel, on one database
 * server.
 */
async function runAll() {
  const shared = openCluster()
  // What is written and typed is checked while the database server starts and the demo is seeded.
  const [failedChecks, cluster] = await Promise.all([runChecks(), shared.cluster])
  process.env[GIVEN_CLUSTER] = JSON.stringify(cluster)
  const demo = seedAhead(cluster)
  const projects = [['unit', 'components', 'db'], ['browser']]
  const summaries = await Promise.all(projects.map(names => runVitest(names.flatMap(name => ['--project', name]))))
  await demo
  await shared.close()
  const total = count => summaries.reduce((sum, summary) => sum + summary[count], 0)
  return {
    passed: total('passed'),
    failed: total('failed') + failedChecks.length,
    skipped: total('skipped'),
    failures: [...failedChecks, ...summaries.flatMap(({ failures }) => failures)],
  }
}

/**
 * Starts seeding the demo before the tests need it; a test that needs it finds it, waits for it, or creates it if
 * this failed.
 */
async function seedAhead({ maintenance, template }) {
  const { seedDemo } = await import('../demo/seed.ts')
  await seededTemplate(maintenance, template, 'demo', seedDemo).catch(() => {})
}
