// The stand-in of the demo hospital's HIS, started and ended with the demo: a port and a token of its own.
import { randomBytes } from 'node:crypto'
import path from 'node:path'

const HOSPITAL = 'H01'

/** Null where there is no demo, or the hospital has a HIS by the environment. */
export async function startDemoHis(config) {
  const { byOrganisation, ofOnlyHospital } = config.his
  if (!config.demo || byOrganisation.size > 0 || ofOnlyHospital !== null) return null
  const { startHis } = await import('../deploy/his/server.ts')
  const { faultsFrom } = await import('../deploy/his/faults.ts')
  const token = randomBytes(16).toString('hex')
  const folder = path.join(config.dataDir, 'his')
  const his = await startHis({ token, hospital: HOSPITAL, folder, faults: faultsFrom(process.env) })
  const address = { adapter: 'fhir', baseUrl: `${his.url}/fhir`, token }
  return { addresses: { byOrganisation: new Map([[HOSPITAL, address]]), ofOnlyHospital: null }, close: his.close }
}
