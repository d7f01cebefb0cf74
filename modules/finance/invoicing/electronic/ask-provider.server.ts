import { askOutbound, INVOICE_SYSTEM } from '#server/public/outbound.ts'
import type { Tx } from '#server/public/database.ts'

/** A request to a provider, by reference: its content is composed anew at each try. */
export type Asked = {
  readonly task: 'issue' | 'applyRed' | 'issueRed' | 'deliver' | 'files'
  /** The id in `e_invoice`. */
  readonly id: string
  readonly email?: string | null
  readonly phone?: string | null
}
const names: Readonly<Record<Asked['task'], string>> = {
  issue: '开票',
  applyRed: '申请红字确认单',
  issueRed: '红字发票开具',
  deliver: '发票交付',
  files: '下载版式文件',
}

/** Requests a call in the transaction of the action: it is made only if that is committed. */
export async function askProvider(
  tx: Tx,
  org: string,
  { sn, attempt, ...asked }: Asked & { readonly sn: string; readonly attempt: number },
): Promise<void> {
  await askOutbound(tx, org, {
    system: INVOICE_SYSTEM,
    name: names[asked.task],
    subject: 'eInvoice',
    objectNo: sn,
    key: `einvoice:${asked.id}:${asked.task}:${attempt}`,
    payload: asked,
    request: JSON.stringify({ task: asked.task, sn, attempt }),
  })
}
