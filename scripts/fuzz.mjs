// npm run fuzz -- --minutes 5 --seed N: sends every endpoint input that no page would send, and reads other codes than
// npm test does. FUZZ_ROUTE='POST /v1/business/saleOdo/add' limits it to one call.
import { minutesAndSeed } from './options.mjs'
import { conclude, runVitest } from './vitest.mjs'

const { minutes, seed } = minutesAndSeed('fuzz', 5)
process.env.FUZZ_SECONDS = String(Math.round(minutes * 60))
process.env.FUZZ_SEED = String(seed)
conclude(await runVitest(['tests/invariants/fuzz.test.ts', 'kernel/codes']))
