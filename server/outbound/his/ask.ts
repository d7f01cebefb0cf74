import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { askOutbound } from '#server/outbound/calls.ts'
import type { Answered, Carrier, Failure } from '#server/outbound/carriers.ts'
import type { His, HisBooked, HisOrders, HisWrite } from '#server/outbound/his/contract.ts'
import { connectedHis } from '#server/outbound/his/connected.ts'
import { hooks } from '#server/registry/hooks.ts'

/** Under which name calls to the HIS are listed and counted. */
const SYSTEM = 'his'

/** The order to send. A function asks the HIS itself for a part of the order once the transaction is over. */
export type ComposedOrder<Order> = Order | ((his: His) => Promise<Order | null>)

/**
 * What a room sends to the HIS, and what it does with the answer; registered in `hisSenders`. A request keeps nothing
 * but a reference: what is sent is composed anew at each try, so that a request that failed for want of a code
 * succeeds once somebody has entered it. All three run in a transaction of the organisation.
 */
export type HisSender<Write extends HisWrite = HisWrite> = {
  readonly name: string
  readonly write: Write
  /** Null: nothing is left to send, which ends the request well. A `BusinessError` fails this try in its words. */
  readonly compose: (tx: Tx, org: string, reference: string) => Promise<ComposedOrder<HisOrders[Write]> | null>
  /** Committed together with the success of the call. */
  readonly accepted: (tx: Tx, org: string, reference: string, booked: HisBooked[Write]) => Promise<void>
  /** Committed together with the failed try; `isLast`: it waits for a person now. */
  readonly failed?: (tx: Tx, org: string, reference: string, failure: Failure) => Promise<void>
}

/** A sender of one write among senders of any; its write alone decides what it is given. */
export const hisSender = <Write extends HisWrite>(sender: HisSender<Write>): HisSender => sender as unknown as HisSender

export type HisRequest = {
  /** The name of a registered sender. */
  readonly sender: string
  /**
   * The same for the same thing for ever, without patient data: `purchaseGrn:RK261126001:review`. What was asked
   * under a key is not asked again, and the HIS books a key once.
   */
  readonly key: string
  /** The title in 接口异常监控: 入库推送. */
  readonly title: string
  /** The key from which the sender composes the order: the number of a document, or the id of a row. */
  readonly reference: string
  readonly kind?: string
  readonly objectNo?: string
}

type Payload = { readonly sender: string; readonly reference: string }

/**
 * Asks for a write in the transaction of the action: it is made exactly when that is committed, and tried again with
 * growing pauses until it succeeds. False: it was asked before. Whether the organisation has a HIS is asked first, by
 * whoever asks (`connectedHis`).
 */
export async function askHis(tx: Tx, org: string, request: HisRequest): Promise<boolean> {
  const { sender, reference, key } = request
  const [asked] = await tx`select 1 from outbound_call where org_id = ${org} and call_key = ${key}`
  if (asked) return false
  await askOutbound(tx, org, {
    system: SYSTEM,
    name: request.title,
    ...(request.kind === undefined ? {} : { subject: request.kind }),
    ...(request.objectNo === undefined ? {} : { objectNo: request.objectNo }),
    key,
    payload: { sender, reference } satisfies Payload,
    request: JSON.stringify({ sender, key }),
  })
  return true
}

const senderOf = (name: string): HisSender => {
  const sender = hooks().hisSenders.find(each => each.name === name)
  if (!sender) throw new Error(`no sender ${name} is registered for the HIS`)
  return sender
}

const composed = (sql: Sql, org: string, { sender, reference }: Payload) =>
  inOrganisation(sql, org, '0', async tx => {
    const order = await senderOf(sender).compose(tx, org, reference)
    if (order === null) return null
    const his = await connectedHis(tx, org)
    if (his === null) throw new BusinessError('rule', '本机构未接通HIS接口')
    return { his, order }
  })

/** Carries what was asked to the HIS of its organisation. */
export const hisCarrier = (sql: Sql): Carrier =>
  Object.assign(
    async (payload: unknown, key: string, org: string): Promise<Answered> => {
      const asked = payload as Payload
      const ready = await composed(sql, org, asked)
      if (ready === null) return { text: '无需发送' }
      const sender = senderOf(asked.sender)
      const write = ready.his[sender.write] as (key: string, order: unknown) => Promise<never>
      const order = typeof ready.order === 'function' ? await ready.order(ready.his) : ready.order
      if (order === null) return { text: '无需发送' }
      const booked = await write(key, order)
      return { text: '已接收', afterwards: tx => sender.accepted(tx, org, asked.reference, booked) }
    },
    {
      async failed(tx: Tx, org: string, payload: unknown, failure: Failure): Promise<void> {
        const { sender, reference } = payload as Payload
        await senderOf(sender).failed?.(tx, org, reference, failure)
      },
    },
  )
