import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'

/** The shipped nginx configuration in front of these processes; needs nginx on the PATH. */
export async function openNginx(servers: readonly string[]): Promise<{ url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'medtrace-nginx-'))
  const port = await freePort()
  const shipped = readFileSync(path.resolve(import.meta.dirname, '../../deploy/nginx/medtrace.conf'), 'utf8')
  const ours = servers.reduce(
    (text, server, at) => text.replace(`127.0.0.1:808${at + 1}`, new URL(server).host),
    shipped
      .replace('listen 8080', `listen 127.0.0.1:${port}`)
      .replace('/var/log/nginx/medtrace.log', path.join(folder, 'access.log')),
  )
  const file = path.join(folder, 'nginx.conf')
  const inFolder = (name: string) => path.join(folder, name)
  writeFileSync(
    file,
    `daemon off; pid ${inFolder('pid')}; error_log ${inFolder('error.log')}; events {}
http {
  access_log off; client_body_temp_path ${inFolder('body')}; proxy_temp_path ${inFolder('proxy')};
  fastcgi_temp_path ${inFolder('f')}; uwsgi_temp_path ${inFolder('u')}; scgi_temp_path ${inFolder('s')};
${ours}
}`,
  )
  const nginx = spawn('nginx', ['-p', folder, '-c', file], { stdio: 'inherit' })
  const ended = new Promise<void>((resolve, reject) => {
    nginx.on('error', error =>
      reject(new Error(`nginx 无法运行（${error.message}）。请先安装：apt-get install -y nginx`)),
    )
    nginx.on('exit', () => resolve())
  })
  const url = `http://127.0.0.1:${port}`
  await Promise.race([listening(`${url}/healthz`), ended.then(() => Promise.reject(new Error(`nginx ended: ${file}`)))])
  return {
    url,
    close: async () => {
      nginx.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

async function listening(address: string): Promise<void> {
  for (;;) {
    const reply = await fetch(address).catch(() => null)
    if (reply?.ok) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}
