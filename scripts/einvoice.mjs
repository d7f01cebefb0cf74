// npm run einvoice: the stand-in of a provider of electronic invoices, until it is stopped. EINVOICE_PORT (default
// 8094), EINVOICE_APP_KEY, EINVOICE_APP_SECRET, EINVOICE_DATA_DIR (none: it forgets what it issued).
import { startEInvoice } from '../deploy/einvoice/server.ts'

const {
  EINVOICE_PORT = '8094',
  EINVOICE_APP_KEY = 'standin',
  EINVOICE_APP_SECRET = 'standin',
  EINVOICE_DATA_DIR,
  HOST = '127.0.0.1',
} = process.env

try {
  const provider = await startEInvoice({
    port: Number(EINVOICE_PORT),
    host: HOST,
    appKey: EINVOICE_APP_KEY,
    appSecret: EINVOICE_APP_SECRET,
    folder: EINVOICE_DATA_DIR ?? null,
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => void provider.close().then(() => process.exit(0)))
  console.log(`einvoice ready ${provider.url}`)
} catch (error) {
  console.error(error?.code === 'EADDRINUSE' ? `端口 ${EINVOICE_PORT} 已被占用，请用 EINVOICE_PORT 另指一个` : error)
  process.exit(1)
}
