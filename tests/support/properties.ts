import fc from 'fast-check'
import { parseInteger } from '#kernel/values/integer.ts'

/**
 * Properties draw the same cases in every run of `npm test`, so that a commit is not refused for what it did not touch;
 * `npm run fuzz -- --seed N` looks for others.
 */
const SEED = '20261126'
fc.configureGlobal({ seed: parseInteger(process.env.FUZZ_SEED ?? SEED) })
