// npm run machines: three processes behind the shipped nginx configuration, two of them killed one after the other.
// Needs nginx.
import { conclude, runVitest } from './vitest.mjs'

process.env.BEHIND_NGINX = '1'
conclude(await runVitest(['--project', 'db', 'tests/invariants/machines.test.ts']))
