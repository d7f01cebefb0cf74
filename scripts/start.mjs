// npm start: build the web app, start the embedded database, serve.
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig, StartupError } from '../server/config.ts'
import { buildWeb } from './build-web.mjs'
import { withCluster } from './embedded.mjs'
import { startDemoEInvoice } from './demo-einvoice.mjs'
import { startDemoHis } from './demo-his.mjs'
import { choosePort } from './free-port.mjs'

const ROOT = path.resolve(import.meta.dirname, '..')
const PATIENCE_MS = 3000
const LAST_PATIENCE_MS = 9500

const building = new AbortController()
let cluster = null
let server = null
let stopping = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => onSignal(signal))
stopWithRunner()
const starting = start()
starting.catch(error => {
  if (stopping) return
  complain(error)
  stop(1)
})

async function start() {
  const config = readConfig()
  const port = await choosePort(config)
  await buildWeb(ROOT, building.signal)
  if (stopping) return
  cluster = await withCluster({ ...config, port })
  if (stopping) return
  const { serve } = await import('../app/main.ts')
  server = await serve(cluster.config, startDemoHis, startDemoEInvoice)
  if (stopping) return
  const actual = Number(new URL(server.url).port)
  if (!config.portIsFixed && actual !== config.port) console.log(`端口 ${config.port} 已被占用，改用 ${actual}`)
  console.log(`ready ${server.url}`)
}

function onSignal(signal) {
  if (!stopping) {
    console.log('正在停止……')
    stop(0)
  } else if (signal === 'SIGINT') process.exit(130)
}

/** Shuts down cleanly within ten seconds, also while starting; what does not end in time is left to crash recovery. */
async function stop(code) {
  stopping = true
  setTimeout(() => process.exit(1), LAST_PATIENCE_MS).unref()
  building.abort()
  await patiently(starting.catch(() => {})) // its failure has been reported
  await patiently(server?.close())
  await cluster?.stop()
  process.exit(code)
}

async function patiently(ending) {
  try {
    await Promise.race([ending, sleep(PATIENCE_MS)])
  } catch (error) {
    console.error(error)
  }
}

function complain(error) {
  const code = error?.code
  if (error instanceof StartupError || isChinese(error?.message)) console.error(error.message)
  else if (code === 'EADDRINUSE') console.error('端口刚被别的程序占用，请重新启动。')
  else if (code === 'EACCES' || code === 'EPERM')
    console.error(`没有权限访问 ${error.path}。请检查目录的所有者，或用 DATA_DIR 另指一个目录。`)
  else console.error('启动失败，原因如下；请据此改正，或把全文交给维护人员。\n', error)
}

const isChinese = text => /^.{0,40}\p{Script=Han}/u.test(text ?? '')

/** The runner was killed: no one would pass on signals any more. */
function stopWithRunner() {
  const runner = Number(process.env.RUNNER_PID)
  if (runner !== process.ppid) return
  setInterval(() => process.ppid !== runner && onSignal('SIGTERM'), 500).unref()
}
