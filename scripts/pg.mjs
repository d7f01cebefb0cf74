// The embedded PostgreSQL 18: a child process whose data lives under DATA_DIR and which listens on a Unix socket only.
import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { canEnter, chooseAccount, findBinaries } from './pg-binaries.mjs'
import { isAlive, usersOf, withLock } from './pg-users.mjs'

export const OWNER = 'spd_owner'
const MAJOR_VERSION = '18'
// Where data and programs go when PostgreSQL's account cannot enter the checkout.
const CLOSED_HOME = '/var/lib/medtrace'
const START_PATIENCE_MS = 120_000 // crash recovery replays everything not yet written
const CRASH_PATIENCE_MS = 15_000
const STOP_PATIENCE_MS = 2500
const LARGE_LOG = 20 * 1024 * 1024

const shortHash = text => createHash('sha1').update(text).digest('hex').slice(0, 10)

/**
 * Starts the cluster under dataRoot, or joins it if already running. stop() ends it when no one else uses it;
 * takenOver: it was left running by a process that died.
 */
export async function startPg({ dataRoot, test = false, log = console.log }) {
  const place = choosePlace(path.resolve(dataRoot), log)
  prepareFolders(place)
  const users = usersOf(place.root)
  return withLock(place.root, async () => {
    const password = readSecret(place)
    if (!fs.existsSync(path.join(place.data, '.ready'))) initialise(place, test)
    refuseOtherVersion(place)
    const others = users.others()
    let pid = await settledPid(place)
    const found = pid !== null
    if (found)
      log(others.length ? `[pg] 共用运行中的 PostgreSQL（pid ${pid}）` : `[pg] 接管仍在运行的 PostgreSQL（pid ${pid}）`)
    else pid = await launch(place, test)
    users.enter()
    const stop = () => withLock(place.root, () => leave(place, users, pid))
    return {
      sock: place.sock,
      password,
      pid,
      stop,
      takenOver: found && others.length === 0,
      joined: found && others.length > 0,
    }
  })
}

function choosePlace(wanted, log) {
  const account = chooseAccount()
  const root = canEnter(wanted, account) ? wanted : path.join(CLOSED_HOME, shortHash(wanted))
  if (root !== wanted) log(`[pg] 用户 ${account.name} 进不了 ${wanted}，数据库改放 ${root}`)
  const data = path.join(root, 'pgdata')
  // Named by hash: a socket's path must stay under 108 bytes wherever the checkout is.
  return { account, root, data, sock: `/tmp/.mt-${shortHash(data)}`, native: findBinaries(account, CLOSED_HOME) }
}

function prepareFolders({ account, root, sock }) {
  fs.mkdirSync(root, { recursive: true })
  fs.mkdirSync(sock, { recursive: true, mode: 0o700 })
  const { uid } = fs.lstatSync(sock)
  const trusted = [process.getuid?.() ?? uid, account?.uid]
  if (!fs.lstatSync(sock).isDirectory() || !trusted.includes(uid))
    throw new Error(`${sock} 属于其他用户，请删除后重试。`)
  own(account, sock)
}

function own(account, file) {
  if (account) fs.lchownSync(file, account.uid, account.gid)
}

function readSecret({ account, root }) {
  const secret = path.join(root, 'pg.secret')
  try {
    if (!fs.existsSync(secret)) fs.writeFileSync(secret, randomBytes(18).toString('hex'), { mode: 0o600 })
    own(account, secret)
    return fs.readFileSync(secret, 'utf8').trim()
  } catch (error) {
    if (error.code !== 'EACCES' && error.code !== 'EPERM') throw error
    throw new Error(`数据目录 ${root} 属于其他用户。请用原来的用户启动，或用 DATA_DIR 另指一个目录。`)
  }
}

function processOptions({ account, sock, native }) {
  const identity = account ? { uid: account.uid, gid: account.gid } : {}
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', LD_LIBRARY_PATH: path.join(native, 'lib') }
  return { ...identity, cwd: sock, env }
}

/** initdb. An interrupted one has no .ready and is redone from scratch. */
function initialise(place, test) {
  const { account, root, data, native } = place
  fs.rmSync(data, { recursive: true, force: true })
  fs.mkdirSync(data, { mode: 0o700 })
  own(account, data)
  // LC_CTYPE must know Chinese letters, or pg_trgm extracts no trigrams from them and no search uses its index.
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--lc-ctype=C.UTF-8']
  const access = ['-U', OWNER, '--pwfile', path.join(root, 'pg.secret'), '-A', 'scram-sha-256']
  const args = ['-D', data, ...access, '-E', 'UTF8', ...locale, '-T', 'simple', '-k', '--no-instructions']
  if (test) args.push('--no-sync')
  const done = spawnSync(path.join(native, 'bin', 'initdb'), args, { ...processOptions(place), encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`初始化数据库失败：${done.error?.message ?? done.stderr}`)
  fs.writeFileSync(path.join(data, '.ready'), '')
}

function refuseOtherVersion({ data }) {
  const version = fs.readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim()
  if (version === MAJOR_VERSION) return
  throw new Error(
    `${data} 由 PostgreSQL ${version} 写成，本程序自带 ${MAJOR_VERSION}。请用原版本导出后再导入，或用 DATA_DIR 另指一个目录。`,
  )
}

/** Lines of the postmaster's pid file; the file may disappear at any moment. */
function pidFileLines({ data }) {
  try {
    return fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}

/** The living postmaster of this folder, or null. */
function runningPid(place) {
  const pid = Number(pidFileLines(place)[0] ?? 0)
  return pid > 0 && isAlive(pid) && isPostmasterOf(pid, place) ? pid : null
}

/** The same, once it has finished starting or stopping. */
async function settledPid(place) {
  const pid = runningPid(place)
  if (pid === null) return null
  const isStopping = pidFileLines(place)[7]?.trim() === 'stopping'
  if (isStopping) return (await untilGone(pid, place, START_PATIENCE_MS)) ? null : pid
  await untilReady(place, pid, () => (isAlive(pid) ? null : '已退出'))
  return runningPid(place)
}

function isPostmasterOf(pid, { data }) {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data)
  } catch {
    return process.platform !== 'linux'
  }
}

/** Starts the postmaster. After a kill its backends may still hold the shared memory for a moment, so it retries. */
async function launch(place, test) {
  const deadline = Date.now() + CRASH_PATIENCE_MS
  const crashed = fs.existsSync(path.join(place.data, 'postmaster.pid'))
  for (;;) {
    const { pid, failure } = spawnPostmaster(place, test)
    const problem = await untilReady(place, pid, failure)
    if (problem === null) return pid
    if (!crashed || Date.now() > deadline)
      throw new Error(`PostgreSQL 启动失败（${problem}），原因见 ${place.root}/pg.log`)
    await sleep(300)
  }
}

function spawnPostmaster(place, test) {
  const args = ['-D', place.data, '-k', place.sock, ...settings(test).flatMap(setting => ['-c', setting])]
  const log = openLog(place)
  // Detached: Ctrl-C goes to the whole group, but the database must outlive the server by a moment.
  const options = { ...processOptions(place), detached: true, stdio: ['ignore', log, log] }
  const child = spawn(path.join(place.native, 'bin', 'postgres'), args, options)
  fs.closeSync(log)
  child.unref()
  let failure = null
  child.on('exit', (code, signal) => (failure = code ?? signal))
  child.on('error', error => (failure = error.message))
  return { pid: child.pid, failure: () => failure }
}

function settings(test) {
  const always = [
    'listen_addresses=',
    'unix_socket_permissions=0700',
    'shared_buffers=256MB',
    'timezone=UTC',
    'jit=off',
  ]
  if (!test) return [...always, 'max_connections=60']
  // A new table without statistics gets plans a hundred times as expensive, so statistics are gathered within
  // seconds, not at the next minute.
  return [
    ...always,
    'max_connections=300',
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'autovacuum_naptime=3s',
  ]
}

/** The log, started afresh when it has grown large; the previous one is kept. */
function openLog({ root }) {
  const file = path.join(root, 'pg.log')
  if (fs.existsSync(file) && fs.statSync(file).size > LARGE_LOG) fs.renameSync(file, `${file}.1`)
  return fs.openSync(file, 'a')
}

/** null once it accepts connections, or the error. */
async function untilReady(place, pid, failure) {
  const deadline = Date.now() + START_PATIENCE_MS
  for (;;) {
    const lines = pidFileLines(place)
    if (Number(lines[0]) === pid && lines[7]?.trim() === 'ready') return null
    if (failure() !== null) return failure()
    if (Date.now() > deadline) return '超时'
    await sleep(50)
  }
}

async function leave(place, users, pid) {
  users.leave()
  if (users.others().length > 0 || runningPid(place) !== pid) return
  process.kill(pid, 'SIGINT')
  if (await untilGone(pid, place, STOP_PATIENCE_MS)) return
  process.kill(pid, 'SIGQUIT') // immediate shutdown; committed data is recovered at the next start
  await untilGone(pid, place, 1000)
}

async function untilGone(pid, place, patienceMs) {
  const deadline = Date.now() + patienceMs
  while (runningPid(place) === pid) {
    if (Date.now() > deadline) return false
    await sleep(50)
  }
  return true
}
