// Registers who uses an embedded cluster: several processes may share one, and the last to leave stops it.
import * as fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** A process is identified by its number and start time: numbers are reused, especially after a reboot. */
function birthOf(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}:${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return ''
  }
}

const cardOf = pid => `${pid} ${birthOf(pid)}`

function isLiving(card) {
  const [pid, birth] = card.split(' ')
  return Number(pid) > 0 && isAlive(Number(pid)) && (!birth || birth === birthOf(Number(pid)))
}

/** The registry of users in a folder: one file per user, named by process number. */
export function usersOf(dataRoot) {
  const book = path.join(dataRoot, 'pg.users')
  const myPage = path.join(book, String(process.pid))
  return {
    enter() {
      fs.mkdirSync(book, { recursive: true })
      fs.writeFileSync(myPage, cardOf(process.pid))
    },
    leave() {
      fs.rmSync(myPage, { force: true })
    },
    /** Other living processes; removes the files of dead ones on the way. */
    others() {
      if (!fs.existsSync(book)) return []
      const pages = fs.readdirSync(book).filter(page => page !== String(process.pid))
      return pages.filter(page => {
        const living = isLiving(readOrEmpty(path.join(book, page)))
        if (!living) fs.rmSync(path.join(book, page), { force: true })
        return living
      })
    },
  }
}

function readOrEmpty(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Runs the work while no other process opens or stops the cluster in this folder. */
export async function withLock(dataRoot, work, patienceMs = 90_000) {
  const lock = path.join(dataRoot, 'pg.lock')
  const deadline = Date.now() + patienceMs
  while (!tryLock(lock)) {
    const holder = readOrEmpty(lock)
    // An empty lock file is just being written, unless it stays empty.
    if ((holder && !isLiving(holder)) || (!holder && ageOf(lock) > 5000)) fs.rmSync(lock, { force: true })
    else if (Date.now() > deadline)
      throw new Error(`另一进程正占用数据目录 ${dataRoot}（${holder.split(' ')[0]}），请稍后重试。`)
    else await sleep(100)
  }
  try {
    return await work()
  } finally {
    fs.rmSync(lock, { force: true })
  }
}

function tryLock(lock) {
  try {
    fs.writeFileSync(lock, cardOf(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function ageOf(file) {
  try {
    return Date.now() - fs.statSync(file).mtimeMs
  } catch {
    return 0
  }
}
