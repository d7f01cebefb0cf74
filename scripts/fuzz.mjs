// npm run fuzz -- --minutes 5 --seed N: everything the server answers is asked for what no page would ask.
// FUZZ_ROUTE='POST /v1/business/saleOdo/add' keeps to one call.
import { conclude, runVitest } from './vitest.mjs'

const given = process.argv.slice(2)
const option = name => {
  const at = given.indexOf(`--${name}`)
  return at < 0 ? undefined : Number(given[at + 1])
}
const minutes = option('minutes') ?? 5
const seed = option('seed') ?? Date.now() % 1_000_000
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('用法：npm run fuzz -- --minutes 5 --seed 42')
  process.exit(2)
}
process.env.FUZZ_SECONDS = String(Math.round(minutes * 60))
process.env.FUZZ_SEED = String(seed)
conclude(await runVitest(['tests/invariants/fuzz.test.ts']))
