// After every npm install: applies patches/*.patch to node_modules. Plain JavaScript for any Node >= 18, and twice in a
// row without harm. A patch that does not fit its package any more stops the install.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

for (const name of readdirSync(path.join(ROOT, 'patches')).filter(file => file.endsWith('.patch'))) {
  const file = path.join(ROOT, 'patches', name)
  if (succeeds('--reverse', '--check', file)) continue
  if (succeeds(file)) continue
  console.error(`补丁 ${name} 不适用于已安装的依赖：请删除 node_modules 后重试，或更新补丁。`)
  process.exit(1)
}

// Outside any repository: within one, git would skip the ignored folder without a word.
function succeeds(...args) {
  const env = { ...process.env, GIT_DIR: path.join(ROOT, 'patches', 'no-repository') }
  return spawnSync('git', ['apply', ...args], { cwd: ROOT, env, stdio: 'ignore' }).status === 0
}
