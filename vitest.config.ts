import { configDefaults, defineConfig } from 'vitest/config'
import { DemoLast } from './tests/support/sequence.ts'

const UNIT = [
  'kernel/**/*.test.ts',
  '{modules,server,demo}/**/*.unit.test.ts',
  'web/**/*.test.{ts,tsx}',
  'tests/tidy/**/*.test.ts',
]
const DATABASE = ['{modules,server,demo}/**/*.test.ts', 'tests/invariants/**/*.test.ts']
/** As many as there are cores on the smallest machine that runs all of it: half of each file is waiting. */
const WORKERS = 2
const STORIES = ['tests/stories/**/*.test.ts']
/** A page answers when it is drawn, and what is made behind it when it is made: what a story expects is asked again until it is so, on a busy machine too. */
const WORK_TAKES_TIME = { poll: { timeout: 10_000 } }

export default defineConfig({
  test: {
    reporters: ['default', './tests/support/summary.ts'],
    sequence: { sequencer: DemoLast },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: UNIT,
          maxWorkers: WORKERS,
          setupFiles: ['tests/support/definitions.ts'],
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
          setupFiles: ['tests/support/registry.ts'],
          globalSetup: ['tests/support/cluster.ts'],
          expect: WORK_TAKES_TIME,
          testTimeout: 30_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: STORIES,
          setupFiles: ['tests/support/registry.ts'],
          globalSetup: ['tests/support/browser.ts', 'tests/support/cluster.ts'],
          fileParallelism: false,
          maxConcurrency: WORKERS,
          expect: WORK_TAKES_TIME,
          // On a busy machine a browser may miss a beat; the report names the story that needed its second try.
          retry: process.env.CI ? 1 : 0,
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      // Only by their names, for they take minutes: npm run day, npm run rolling.
      ...['day', 'rolling']
        .filter(name => process.argv.includes(name))
        .map(name => ({
          extends: true as const,
          test: {
            name,
            include: [`tests/${name}/**/*.test.ts`],
            setupFiles: ['tests/support/registry.ts'],
            globalSetup: ['tests/support/browser.ts', 'tests/support/cluster.ts'],
            fileParallelism: false,
            expect: WORK_TAKES_TIME,
            testTimeout: 900_000,
            hookTimeout: 600_000,
          },
        })),
    ],
  },
})
