import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const LOCK = new URL('../../scripts/one-at-a-time.mjs', import.meta.url).href
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'install-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A command that installs for a while unless another one did so before it. */
async function start(ends: 'well' | 'killed' = 'well'): Promise<void> {
  const program = `
    import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
    import { oneAtATime } from ${JSON.stringify(LOCK)}
    oneAtATime('lock', () => {
      if (existsSync('installed')) return
      appendFileSync('log', 'begins ')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
      if (${ends === 'killed'}) process.kill(process.pid, 'SIGKILL')
      appendFileSync('log', 'ends ')
      writeFileSync('installed', '')
    })`
  await once(spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: folder, stdio: 'inherit' }), 'exit')
}
const log = () => readFileSync(path.join(folder, 'log'), 'utf8')

describe('commands that start at the same time in a new folder', () => {
  it('install once, and the others wait for it', async () => {
    await Promise.all([start(), start(), start(), start()])
    expect(log()).toBe('begins ends ')
  })

  it('install after one that was killed while it installed', async () => {
    await start('killed')
    await Promise.all([start(), start(), start()])
    expect(log()).toBe('begins begins ends ')
  })

  it('take over the lock of a process that has ended, however many find it', async () => {
    writeFileSync(path.join(folder, 'lock'), '99999999')
    await Promise.all(Array.from({ length: 8 }, () => start()))
    expect(log()).toBe('begins ends ')
  })
})
