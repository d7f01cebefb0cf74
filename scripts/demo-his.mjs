// The stand-in of the demo hospital's HIS and of its laboratory's system, started and ended with the demo: a port and a
// token of its own.
import { randomBytes } from 'node:crypto'
import path from 'node:path'

const HOSPITAL = 'H01'

/** Null where the hospital has a HIS by the environment, or the stand-in does not start: the demo works without it. */
export async function startDemoHis(config) {
  const { byOrganisation, ofOnlyHospital } = config.his
  if (byOrganisation.size > 0 || ofOnlyHospital !== null) return null
  try {
    return await started(config)
  } catch (error) {
    console.error('演示医院的HIS未能启动，本次不接通HIS，原因如下：', error)
    return null
  }
}

async function started({ dataDir }) {
  const { startHis } = await import('../deploy/his/server.ts')
  const { faultsFrom } = await import('../deploy/his/faults.ts')
  const token = randomBytes(16).toString('hex')
  const folder = path.join(dataDir, 'his')
  const his = await startHis({ token, hospital: HOSPITAL, folder, faults: faultsFrom(process.env) })
  const address = { adapter: 'fhir', baseUrl: `${his.url}/fhir`, token }
  return {
    addresses: { byOrganisation: new Map([[HOSPITAL, address]]), ofOnlyHospital: null },
    lis: { baseUrl: `${his.url}/lis`, token },
    close: his.close,
  }
}
