// npm run day: a warehouse's whole day by hand in the browser (minutes, not seconds): receipts, grants, a count, a transfer, the end of the month.
import { conclude, runVitest } from './vitest.mjs'

conclude(await runVitest(['--project', 'day']))
