// npm run attack -- --minutes 10 --seed N: random legal clicks of eight people at once, the books proved after every round; a quarter of
// the minutes the server and PostgreSQL are killed amid them. After that every deed of every kind is done to papers of the demo, again and again.
import { minutesAndSeed } from './options.mjs'
import { conclude, runVitest } from './vitest.mjs'

const { minutes, seed } = minutesAndSeed('attack', 10)
process.env.ATTACK_SECONDS = String(Math.round(minutes * 45))
process.env.CRASH_SECONDS = String(Math.round(minutes * 15))
process.env.ATTACK_SEED = String(seed)
process.env.DEED_ROUNDS = String(Math.ceil(minutes))
const attacks = ['ledger-attack', 'crash-attack', 'every-deed']
conclude(await runVitest(attacks.map(name => `tests/invariants/${name}.test.ts`)))
