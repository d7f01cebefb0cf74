import { expect, test } from 'vitest'
import { importsOf, sources } from './sources.ts'

/**
 * Money and goods are decimals, never JavaScript numbers. A text becomes a number in three places only, each with
 * its own name: whole pieces of a quantity (`kernel/values/decimal.ts`), what counts or addresses
 * (`kernel/values/integer.ts`), and measures that are neither money nor goods (`kernel/values/inexact.ts`). So a
 * `Number(` anywhere else is a mistake, or wants one of those names.
 */
const readers = ['kernel/values/decimal.ts', 'kernel/values/integer.ts', 'kernel/values/inexact.ts']
const code = sources(/\.tsx?$/).filter(({ file }) => /^(app|kernel|modules|server|demo|web|tests|bench)\//.test(file))
/** The product, its tests and its measurements; not this file, which names what it looks for. */
const judged = code.filter(({ file }) => !readers.includes(file) && file !== 'tests/tidy/numbers.test.ts')
const tests = sources(/\.test\.tsx?$/)

/** The text without its comments, line by line. */
const statements = (text: string): string[] =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, found => found.replace(/[^\n]/g, ''))
    .split('\n')
    .map(line => line.replace(/^\s*\/\/.*/, ''))

const found = (files: typeof code, wrong: RegExp): string[] =>
  files.flatMap(({ file, text }) =>
    statements(text).flatMap((line, at) =>
      wrong.test(line) ? [`${file}:${at + 1}: ${line.trim().slice(0, 80)}`] : [],
    ),
  )

/** `Number(x)` and `map(Number)`; a constant, a question of the type, a test's `any(Number)`, a text are none of it. */
const conversion =
  /(?<!any\()\bNumber\b(?!'|\.(?:is[A-Z]\w+|NaN|M\w+_SAFE_INTEGER|POSITIVE_INFINITY|EPSILON|parseInt)\b)|\bparseFloat\b/
/** `+x`, where nothing stands that it could be added to. */
const unaryPlus = /(?:^|[=(,?:[{&|!]|\breturn|=>)\s*\+(?=[a-zA-Z_$(])/

test('a text becomes a number only in the readers that have a name for it', () => {
  expect(judged.length).toBeGreaterThan(1500)
  expect(found(judged, conversion)).toEqual([])
  expect(found(judged, unaryPlus)).toEqual([])
})

test('what the check would miss, it finds', () => {
  const trips = ['Number(line.price)', 'rows.map(Number)', 'Number.parseFloat(price)', 'parseFloat(price)']
  expect(trips.filter(text => !conversion.test(text))).toEqual([])
  expect(['const n = +line.price', 'sum(+price)', 'return +price'].filter(text => !unaryPlus.test(text))).toEqual([])
  expect(
    ["'Number'", 'Number.isInteger(n)', 'expect.any(Number)', 'Number.NaN', 'a + b', 'n++', '"a" +'].filter(
      t => conversion.test(t) || unaryPlus.test(t),
    ),
  ).toEqual([])
})

/**
 * Who may measure: degrees, pixels, bars of a drawing, sizes of files, figures that the platform sets. A new one is
 * a decision.
 */
const measuring = [
  'kernel/print/print-layout.ts',
  'kernel/definition/setting.ts',
  'modules/hospital/cabinet/device/alarms.server.ts',
  'modules/trade/licensing/dealer-lights.server.ts',
  'modules/base/settings/hospital-policies.ts',
  'modules/platform/operator/monitoring/interface-metrics.web.tsx',
  'modules/trade/purchasing/receiving/arrival-order.server.ts',
  'modules/goods/quality/storage-check.server.ts',
  'modules/base/settings/plan-limits.server.ts',
  'modules/goods/trace/LotFlow.tsx',
  'modules/trade/transport/cold-chain/departure.server.ts',
  'modules/trade/transport/cold-chain/recorder-file.ts',
  'modules/trade/transport/cold-chain/recorder-time.ts',
  'modules/base/vocabulary/storage-conditions.ts',
  'modules/goods/warnings/warning-figures.tsx',
  'demo/simulation/goods.ts',
  'server/file-readers/number-cell.ts',
  'web/board/card-picture.ts',
  'web/board/save-picture.ts',
  'web/charts/Chart.tsx',
  'web/charts/report-chart.ts',
  'web/flow/FlowCharts.tsx',
  'web/print/document/Contract.tsx',
  'web/print/document/measure-page.ts',
  'web/wall/cards/Areas.tsx',
  'web/wall/cards/Lines.tsx',
]
test('only who measures what is neither money nor goods reads inexactly', () => {
  const measures = code.filter(source => importsOf(source).includes('kernel/values/inexact.ts')).map(({ file }) => file)
  expect(measures.toSorted()).toEqual(measuring.toSorted())
})

test('no test compares figures that are nearly the same', () => {
  const nearly = ['toBeClose', 'To('].join('')
  // The width of drawn text is a measure.
  expect(
    tests
      .filter(({ file, text }) => text.includes(nearly) && file !== 'web/print/document/page-layout.test.ts')
      .map(({ file }) => file),
  ).toEqual([])
})
