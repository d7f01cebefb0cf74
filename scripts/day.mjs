// npm run day: a warehouse's whole day by hand in the browser (minutes, not seconds): receipts, issues, a count, a
// transfer, month end.
import { conclude, runVitest } from './vitest.mjs'

conclude(await runVitest(['--project', 'day']))
