// Plain JavaScript for any Node >= 18.
import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { isAlive } from './pg-users.mjs'

/** An install of all packages over a slow line takes less: an older lock was left by a machine that lost its power. */
const LONGEST_MS = 60 * 60_000
const sleep = milliseconds => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

/**
 * Runs `work` while no other process does so with the same lock file; waits until then and calls `onWait` once before.
 * The lock of a process that has ended is taken over.
 */
export function oneAtATime(lockFile, work, onWait = () => {}) {
  let waited = false
  while (!take(lockFile)) {
    if (isAbandoned(lockFile)) takeAway(lockFile)
    else {
      if (!waited) onWait()
      waited = true
      sleep(200)
    }
  }
  try {
    return work()
  } finally {
    rmSync(lockFile, { force: true })
  }
}

function take(lockFile) {
  try {
    const file = openSync(lockFile, 'wx')
    writeSync(file, String(process.pid))
    closeSync(file)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

// A lock without a number is one that is being written.
function isAbandoned(lockFile) {
  try {
    const holder = readFileSync(lockFile, 'utf8')
    return holder !== '' && (!isAlive(Number(holder)) || isOlderThan(lockFile, LONGEST_MS))
  } catch {
    return false
  }
}

// Several may find the same lock abandoned: one of them removes it, and looks again before it does.
function takeAway(lockFile) {
  const remover = `${lockFile}.remover`
  if (!take(remover)) {
    // It exists for less than a millisecond, unless its process was killed in it.
    if (isOlderThan(remover, 10_000)) rmSync(remover, { force: true })
    return
  }
  if (isAbandoned(lockFile)) rmSync(lockFile, { force: true })
  rmSync(remover, { force: true })
}

function isOlderThan(file, milliseconds) {
  try {
    return Date.now() - statSync(file).mtimeMs > milliseconds
  } catch {
    return false
  }
}
