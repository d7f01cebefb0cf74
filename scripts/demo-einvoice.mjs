// The stand-in of a provider of electronic invoices, started and ended with the demo: a port and a key of its own.
import { randomBytes } from 'node:crypto'
import path from 'node:path'

/** Null where the environment names one, or the stand-in does not start: the demo works without it. */
export async function startDemoEInvoice({ dataDir, einvoice }) {
  if (einvoice.standIn !== null) return null
  try {
    const { startEInvoice } = await import('../deploy/einvoice/server.ts')
    const account = { appKey: 'standin', appSecret: randomBytes(16).toString('hex') }
    const provider = await startEInvoice({ ...account, folder: path.join(dataDir, 'einvoice') })
    return { standIn: { url: provider.url, ...account }, close: provider.close }
  } catch (error) {
    console.error('模拟开票通道未能启动，本次不接通，原因如下：', error)
    return null
  }
}
