// npm run attack -- --minutes 10 --seed N: eight users make random legal clicks at once; the ledgers are checked
// after every round. For a quarter of the minutes the server and PostgreSQL are killed meanwhile. Afterwards every
// action of every kind is run repeatedly on documents of the demo, and another tenant's calls are timed while one
// organisation sends hostile files.
import { minutesAndSeed } from './options.mjs'
import { conclude, runVitest } from './vitest.mjs'

const { minutes, seed } = minutesAndSeed('attack', 10)
process.env.ATTACK_SECONDS = String(Math.round(minutes * 45))
process.env.CRASH_SECONDS = String(Math.round(minutes * 15))
process.env.ATTACK_SEED = String(seed)
process.env.FILES_SECONDS = String(Math.round(minutes * 3))
process.env.ACTION_ROUNDS = String(Math.ceil(minutes))
const attacks = ['ledger-attack', 'crash-attack', 'every-action', 'files-from-people']
conclude(await runVitest(attacks.map(name => `tests/invariants/${name}.test.ts`)))
