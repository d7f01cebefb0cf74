import { configDefaults, defineConfig } from 'vitest/config'

const UNIT = [
  'kernel/**/*.test.ts',
  '{modules,server}/**/*.unit.test.ts',
  'web/**/*.test.{ts,tsx}',
  'tests/tidy/**/*.test.ts',
]
const DATABASE = ['{modules,server}/**/*.test.ts', 'tests/invariants/**/*.test.ts']
/** As many as there are cores on the smallest machine that runs all of it: half of each file is waiting. */
const WORKERS = 2
const STORIES = ['tests/stories/**/*.test.ts']

export default defineConfig({
  test: {
    reporters: ['default', './tests/support/summary.ts'],
    projects: [
      { extends: true, test: { name: 'unit', include: UNIT, maxWorkers: WORKERS } },
      {
        extends: true,
        test: {
          name: 'db',
          include: DATABASE,
          maxWorkers: WORKERS,
          exclude: [...configDefaults.exclude, '**/*.unit.test.ts'],
          globalSetup: ['tests/support/cluster.ts'],
          testTimeout: 30_000,
          hookTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: STORIES,
          globalSetup: ['tests/support/browser.ts', 'tests/support/cluster.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
      // Only by its name (npm run day): minutes of clicking.
      ...(process.argv.includes('day')
        ? [
            {
              extends: true as const,
              test: {
                name: 'day',
                include: ['tests/day/**/*.test.ts'],
                globalSetup: ['tests/support/browser.ts', 'tests/support/cluster.ts'],
                fileParallelism: false,
                testTimeout: 900_000,
                hookTimeout: 240_000,
              },
            },
          ]
        : []),
    ],
  },
})
