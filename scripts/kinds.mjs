// npm run kinds: writes docs/kinds.md.
import fs from 'node:fs'
import path from 'node:path'
import { kindsPage } from './kinds.ts'

fs.writeFileSync(path.resolve(import.meta.dirname, '../docs/kinds.md'), kindsPage())
