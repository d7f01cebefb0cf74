// npm run his: the stand-in of a hospital's HIS and LIS, until it is stopped. HIS_PORT (default 8090), HIS_TOKEN,
// HIS_HOSPITAL, HIS_DATA_DIR (none: it forgets what was written) and the faults of deploy/his/README.md.
import { startHis } from '../deploy/his/server.ts'
import { faultsFrom } from '../deploy/his/faults.ts'

const { HIS_PORT = '8090', HIS_TOKEN = '', HIS_HOSPITAL = 'H01', HIS_DATA_DIR, HOST = '127.0.0.1' } = process.env

try {
  const his = await startHis({
    port: Number(HIS_PORT),
    host: HOST,
    token: HIS_TOKEN,
    hospital: HIS_HOSPITAL,
    folder: HIS_DATA_DIR ?? null,
    faults: faultsFrom(process.env),
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => void his.close().then(() => process.exit(0)))
  console.log(`HIS ready ${his.url}/fhir ${his.url}/json ${his.url}/lis`)
} catch (error) {
  console.error(error?.code === 'EADDRINUSE' ? `端口 ${HIS_PORT} 已被占用，请用 HIS_PORT 另指一个` : error)
  process.exit(1)
}
