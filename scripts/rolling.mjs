// npm run rolling -- COMMIT: runs the version of that commit and this one side by side on one database, as in a
// rolling upgrade.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ROOT } from './checks.mjs'
import { conclude, runVitest } from './vitest.mjs'

const commit = process.argv[2]
if (!commit) {
  console.error('用法：npm run rolling -- 提交号或标签')
  process.exit(2)
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'medtrace-rolling-'))
conclude(await bothVersions().finally(() => fs.rmSync(folder, { recursive: true, force: true })))

async function bothVersions() {
  process.env.OLD_PROGRAM = checkOut(commit, path.join(folder, 'old'))
  return runVitest(['--project', 'rolling'])
}

/** Checks out the commit into its own folder and installs its packages. */
function checkOut(wanted, place) {
  run('git', ['clone', '--quiet', '--no-checkout', ROOT, place], ROOT)
  run('git', ['checkout', '--quiet', wanted], place)
  const locks = [ROOT, place].map(root => fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  if (locks[0] === locks[1]) fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(place, 'node_modules'))
  else run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], place)
  return place
}

function run(program, args, cwd) {
  const { status } = spawnSync(program, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} 失败`)
}
