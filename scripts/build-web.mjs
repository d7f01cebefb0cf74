// Builds web/dist, unless it was already built from exactly these sources.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const SOURCES = ['web', 'app', 'kernel', 'modules', 'package-lock.json', 'vite.config.ts']
const NOT_IN_THE_BROWSER = /\.test\.tsx?$|\.server\.ts$|\.sql$|\.md$/

export async function buildWeb(root, signal) {
  if (!existsSync(path.join(root, 'web', 'index.html'))) return
  const key = path.join(root, 'web', 'dist', '.key')
  const wanted = hashOf(root)
  if (existsSync(key) && readFileSync(key, 'utf8') === wanted) return
  const began = Date.now()
  console.log('正在构建网页……')
  await runVite(root, signal)
  writeFileSync(key, wanted)
  console.log(`网页已构建（${((Date.now() - began) / 1000).toFixed(1)} 秒）`)
}

function hashOf(root) {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const file of filesUnder(root, source))
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(path.join(root, file)))
  }
  return hash.digest('hex')
}

function filesUnder(root, source) {
  const whole = path.join(root, source)
  if (!existsSync(whole)) return []
  if (path.extname(source)) return [source]
  const entries = readdirSync(whole, { recursive: true, withFileTypes: true })
  const files = entries
    .filter(entry => entry.isFile())
    .map(entry => path.relative(root, path.join(entry.parentPath, entry.name)))
  return files.filter(file => !file.startsWith(path.join('web', 'dist')) && !NOT_IN_THE_BROWSER.test(file)).sort()
}

function runVite(root, signal) {
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', '--config', 'vite.config.ts', '--logLevel', 'warn']
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    signal,
    env: { ...process.env, NODE_ENV: 'production' },
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', code => (code === 0 ? resolve() : reject(new Error('网页构建失败，原因见上。'))))
  })
}
