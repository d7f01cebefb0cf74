import { configDefaults, defineConfig } from 'vitest/config'
import { DemoLast } from './tests/support/sequence.ts'

const UNIT = [
  'kernel/**/*.test.ts',
  '{app,modules,server,demo,deploy}/**/*.unit.test.ts',
  'web/**/*.test.ts',
  'tests/tidy/**/*.test.ts',
]
/** Pages and their parts drawn in a simulated browser, with a server that answers as the test says. */
const COMPONENTS = ['web/**/*.test.tsx']
const DATABASE = ['{app,modules,server,demo}/**/*.test.ts', 'tests/invariants/**/*.test.ts']
/**
 * One more than the smallest machine that runs all tests has cores: a test over the database waits for it half of its
 * time. Projects that run side by side have the same number.
 */
const WORKERS = 3
/**
 * Tests of a file run in the order this seed gives, not in the order they are written: none may need another. The seed
 * is printed; `--sequence.seed=N` tries another order. What is one sequence is one test: tests/support/steps.ts.
 */
const SEED = 7
/** Browser stories, and days that are lived by hand, are told in their order. */
const AS_WRITTEN = { shuffle: false }
/** While one page renders, another waits for its rows. */
const PAGES_AT_ONCE = 2
const STORIES = ['tests/stories/**/*.test.ts']
/** Pages render and save asynchronously: expectations in browser tests are polled, for busy machines too. */
const WORK_TAKES_TIME = { poll: { timeout: 30_000 } }
/** The longest test over the database takes a minute beside all others; one that never ends is still found. */
const SLOW_MACHINE_MS = 300_000
/** A story that takes half a minute alone may take ten times that on a slow machine, beside all other tests. */
const STORY_MS = 480_000
/** The demo is seeded in some five minutes, on a slow machine in half an hour, and other tests go on beside it. */
const SEEDING_MS = 3_600_000

export default defineConfig({
  test: {
    reporters: ['default', './tests/support/summary.ts'],
    sequence: { sequencer: DemoLast, shuffle: { tests: true }, seed: SEED },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: UNIT,
          maxWorkers: WORKERS,
          setupFiles: ['tests/support/definitions.ts', 'tests/support/properties.ts'],
          testTimeout: SLOW_MACHINE_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          environment: 'happy-dom',
          include: COMPONENTS,
          maxWorkers: WORKERS,
          setupFiles: ['tests/support/page/environment.ts'],
          unstubGlobals: true,
          testTimeout: SLOW_MACHINE_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'db',
          isolate: false,
          include: DATABASE,
          maxWorkers: WORKERS,
          exclude: [...configDefaults.exclude, '**/*.unit.test.ts'],
          setupFiles: ['tests/support/registry.ts', 'tests/support/properties.ts'],
          globalSetup: ['tests/support/cluster.ts'],
          expect: WORK_TAKES_TIME,
          testTimeout: SLOW_MACHINE_MS,
          hookTimeout: SEEDING_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          sequence: AS_WRITTEN,
          include: STORIES,
          setupFiles: ['tests/support/registry.ts'],
          globalSetup: ['tests/support/browser.ts', 'tests/support/cluster.ts'],
          fileParallelism: false,
          maxConcurrency: PAGES_AT_ONCE,
          expect: WORK_TAKES_TIME,
          // On a busy machine a browser test may fail; the report names the test that needed a retry.
          retry: process.env.CI ? 2 : 0,
          testTimeout: STORY_MS,
          hookTimeout: SEEDING_MS,
        },
      },
      // Run only by name, because they take minutes: npm run day, npm run rolling.
      ...['day', 'rolling']
        .filter(name => process.argv.includes(name))
        .map(name => ({
          extends: true as const,
          test: {
            name,
            sequence: AS_WRITTEN,
            include: [`tests/${name}/**/*.test.ts`],
            setupFiles: ['tests/support/registry.ts'],
            globalSetup: ['tests/support/browser.ts', 'tests/support/cluster.ts'],
            fileParallelism: false,
            expect: WORK_TAKES_TIME,
            testTimeout: 900_000,
            hookTimeout: SEEDING_MS,
          },
        })),
    ],
  },
})
