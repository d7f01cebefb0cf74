// npm run attack -- --minutes 10 --seed N: random legal clicks of eight people at once, the books proved after every round; a quarter of
// the minutes the server and PostgreSQL are killed amid them.
import { conclude, runVitest } from './vitest.mjs'

const given = process.argv.slice(2)
const option = name => {
  const at = given.indexOf(`--${name}`)
  return at < 0 ? undefined : Number(given[at + 1])
}
const minutes = option('minutes') ?? 10
const seed = option('seed') ?? Date.now() % 1_000_000
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('用法：npm run attack -- --minutes 10 --seed 42')
  process.exit(2)
}
process.env.ATTACK_SECONDS = String(Math.round(minutes * 45))
process.env.CRASH_SECONDS = String(Math.round(minutes * 15))
process.env.ATTACK_SEED = String(seed)
conclude(await runVitest(['tests/invariants/ledger-attack.test.ts', 'tests/invariants/crash-attack.test.ts']))
