// npm run carrier: the stand-in of a carrier, until it is stopped. CARRIER_PORT (default 8092), CARRIER_TOKEN.
import { startCarrier } from '../deploy/carrier/server.ts'

const { CARRIER_PORT = '8092', CARRIER_TOKEN = '', HOST = '127.0.0.1' } = process.env

try {
  const carrier = await startCarrier({ port: Number(CARRIER_PORT), host: HOST, token: CARRIER_TOKEN })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => void carrier.close().then(() => process.exit(0)))
  console.log(`carrier ready ${carrier.url}`)
} catch (error) {
  console.error(error?.code === 'EADDRINUSE' ? `端口 ${CARRIER_PORT} 已被占用，请用 CARRIER_PORT 另指一个` : error)
  process.exit(1)
}
