// npm run bench: runs the benchmarks of bench/ on a throw-away cluster with durable settings, or on DATABASE_URL.
// npm run bench -- --scale [share]: on the network at full size (some 20 GB and half an hour), or a share of it.
import { onThrowAway, reported } from './throw-away.mjs'

const given = process.argv.slice(2)
const isWhole = given[0] === '--scale'
const { DATABASE_URL: databaseUrl = null } = process.env

const run = async socket => {
  const { bench } = await import('../bench/bench.ts')
  await bench({
    databaseUrl,
    socket,
    only: isWhole ? [] : given,
    scale: isWhole ? Number(given[1] ?? 1) : null,
  })
}
if (databaseUrl) process.exit((await reported(run(null))) ? 1 : 0)
else await onThrowAway('bench', run)
