import { createServer } from 'node:net'

const ATTEMPTS = 100

/** The port to listen on: the configured one when PORT was set, else the first free one from it upwards. */
export async function choosePort({ port, portIsFixed, host }) {
  if (portIsFixed) {
    const problem = await probe(port, host)
    if (problem) throw new Error(explain(problem, port, host))
    return port
  }
  for (let candidate = port; candidate < port + ATTEMPTS; candidate++) {
    const problem = await probe(candidate, host)
    if (!problem) return candidate
    if (problem !== 'EADDRINUSE') throw new Error(explain(problem, candidate, host))
  }
  throw new Error(`端口 ${port} 到 ${port + ATTEMPTS - 1} 都被占用。请用 PORT 指定一个空闲端口。`)
}

function probe(port, host) {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', error => resolve(error.code))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

function explain(problem, port, host) {
  if (problem === 'EADDRINUSE') return `端口 ${port} 已被占用。请停掉占用它的程序，或用 PORT 指定另一个端口。`
  if (problem === 'EACCES') return `没有权限监听端口 ${port}。请用 PORT 指定 1024 以上的端口。`
  return `无法在 ${host}:${port} 监听（${problem}）。请检查 HOST 和 PORT。`
}
