import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ChildReply, ChildTask } from '#server/file-workers/child.ts'
import { note } from '#server/file-workers/figures.ts'
import { FILE_WORKER } from '#server/file-workers/in-worker.ts'

/** A worker without work ends after this; the next file begins with a new one. */
const IDLE_MS = 5 * 60_000
/** Processor time is what ends a job; one that only waits is ended after so many times as long. */
const PATIENCE = 12
const HEAP_MB = 384

/** It may read what is installed and nothing else: no file is written and no program started. */
const PERMISSIONS = ['--permission', '--allow-fs-read=*', '--allow-worker', '--allow-addons', '--allow-wasi']

export const tooMuch = (): BusinessError =>
  new BusinessError('invalid', '文件内容过多，无法读取，请拆分后分批上传或导入')
const broken = (): BusinessError => new BusinessError('invalid', '文件无法识别或已损坏，请核对后重新上传')

/**
 * A process that reads one file after the other. Whatever a file does to it - time, memory, a fault of native code -
 * ends it alone; it has no secrets of the server.
 */
export class FileProcess {
  readonly #child: ChildProcess
  readonly #ended: (ended: FileProcess) => void
  #idle: NodeJS.Timeout | undefined
  #waiting: { readonly settle: (reply: ChildReply | null) => void } | null = null
  isAlive = true

  constructor(ended: (ended: FileProcess) => void) {
    this.#ended = ended
    this.#child = fork(fileURLToPath(new URL('./child.ts', import.meta.url)), [], {
      execArgv: [`--max-old-space-size=${HEAP_MB}`, '--disable-warning=SecurityWarning', ...PERMISSIONS],
      env: {
        [FILE_WORKER]: '1',
        PATH: process.env.PATH,
        TZ: process.env.TZ,
        FONTCONFIG_PATH: process.env.FONTCONFIG_PATH,
      },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child.on('message', (reply: ChildReply) => this.#waiting?.settle(reply))
    for (const event of ['exit', 'error'] as const) this.#child.on(event, () => this.#end())
    this.#rest()
  }

  /** Runs one call of a reader; a process that took too much is gone afterwards. */
  async call(task: ChildTask): Promise<unknown> {
    clearTimeout(this.#idle)
    this.#child.ref()
    this.#child.channel?.ref()
    const reply = await new Promise<ChildReply | null>(resolve => {
      const late = setTimeout(() => this.#end(), task.cpuMs * PATIENCE)
      this.#waiting = { settle: answer => (clearTimeout(late), resolve(answer)) }
      if (!this.isAlive) return this.#waiting.settle(null)
      this.#child.send(task, error => error && this.#end())
    })
    this.#waiting = null
    this.#rest()
    note(reply?.spent ?? null)
    if (reply === null) throw tooMuch()
    if ('refused' in reply) throw new BusinessError('invalid', reply.refused)
    if ('broken' in reply) throw broken()
    return reply.read
  }

  /** An idle worker holds up neither the end of the server nor its memory for long. */
  #rest(): void {
    this.#child.unref()
    this.#child.channel?.unref()
    this.#idle = setTimeout(() => this.#end(), IDLE_MS)
    this.#idle.unref()
  }

  #end(): void {
    clearTimeout(this.#idle)
    if (this.isAlive) this.#child.kill('SIGKILL')
    this.isAlive = false
    this.#waiting?.settle(null)
    this.#ended(this)
  }
}
