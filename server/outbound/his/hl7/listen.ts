import type { Sql } from 'postgres'
import { type Config, StartupError } from '#server/config.ts'
import { nameInEnvironment } from '#server/outbound/his/connected.ts'
import { listenMllp, type Mllp } from '#server/outbound/his/hl7/mllp.ts'
import { answeringOf } from '#server/outbound/his/hl7/receive.ts'

/**
 * Listens on the port of each hospital that has one: what arrives there is that hospital's, whatever the message says
 * of itself. Who may connect is the network's to say. Returns what ends it.
 */
export async function listenHl7(sql: Sql, { host, ports }: Config['hl7']): Promise<() => Promise<void>> {
  const open: Mllp[] = []
  const close = async () => void (await Promise.all(open.map(each => each.close())))
  try {
    for (const [code, port] of ports) {
      const org = await hospitalOf(sql, code)
      open.push(await listenMllp({ port, host }, answeringOf(sql, org)).catch(refuseBusy(code)))
    }
  } catch (error) {
    await close()
    throw error
  }
  return close
}

const refuseBusy = (code: string) => (error: NodeJS.ErrnoException & { readonly port?: number }) => {
  if (error.code !== 'EADDRINUSE') throw error
  throw new StartupError(`医院 ${code} 的HL7端口 ${error.port} 已被占用。请关闭占用它的程序，或另指一个端口。`)
}

async function hospitalOf(sql: Sql, code: string): Promise<string> {
  const hospitals = await sql<{ id: string; code: string }[]>`
    select id, code from organisation where system_type = 1 and kept_by_id is null`
  const found = hospitals.find(each => nameInEnvironment(each.code) === code)
  if (!found) throw new StartupError(`HL7 端口的医院 ${code} 不存在，请检查 HL7_ORG 或 HL7_${code}_PORT`)
  return found.id
}
