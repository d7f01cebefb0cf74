import { forgetPieces, namePieces, refusePartOfBoxes, refuseWrongChildren } from '#modules/packs/boxes.server.ts'
import { type Decimal, isPositive, subtract } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext, DocumentHooks } from '#server/public/hooks.ts'
import type { Tx } from '#server/public/database.ts'
import { createSystemDraft, definitionOf } from '#server/public/drafts.ts'
import { loadDocument, patchDocument, patchLines } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'

const lostOf = (line: object): Decimal => ((line as { lost_quantity?: Decimal | null }).lost_quantity ?? '0') as Decimal

async function keepReleased(tx: Tx, session: Session, sn: string): Promise<void> {
  const doc = await loadDocument(tx, session.org.id, definitionOf('unpack'), sn)
  if (doc.lines.length === 0) return
  await patchLines(
    tx,
    session,
    doc,
    doc.lines.map(line => ({
      line_no: line.line_no,
      values: { released_quantity: subtract(line.base_quantity, lostOf(line), 3) },
    })),
    'derived',
  )
}

/** What was not in the pack any more is a loss: its draft waits for somebody else's approval. */
async function draftLoss({ tx, session, doc }: ActionContext): Promise<void> {
  const lost = doc.lines.filter(line => isPositive(lostOf(line)))
  if (lost.length === 0) return
  const sn = await createSystemDraft(
    tx,
    session,
    'loss',
    {
      warehouse_model_inner_sn: doc.warehouse_model_inner_sn,
      loss_type: 'other',
      loss_reason: `拆包损耗：拆包单${doc.sn}`,
    },
    lost.map(line => ({
      specification_sn: line.specification_sn,
      lot_no: line.lot_no,
      lot_id: line.lot_id,
      owner_org_sn: line.owner_org_sn,
      location: (line.target_location as string | null | undefined) ?? line.location,
      quantity: lostOf(line),
      line_reason: '拆包损耗',
    })) as never,
  )
  await patchDocument(tx, session, doc, { loss_sn: sn }, 'withAction')
}

/** What stands as lost cannot come back into the pack. */
async function refuseLost({ tx, session, doc, spec }: ActionContext): Promise<void> {
  const [loss] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = 'loss' and role = 'own'
      and sn = ${String(doc.loss_sn ?? '')} and state not in ('cancelled', 'deleted', 'reversed')`
  if (loss)
    throw new BusinessError('blocked', `拆包损耗已生成报损单${loss.sn}，请先作废或红冲该报损单，再${spec.label}`)
}

export const unpackHooks: DocumentHooks = {
  kind: 'unpack',
  afterSave: keepReleased,
  validate: {
    submit: refuseWrongChildren,
    review: refuseWrongChildren,
    unreview: refuseLost,
    redReverse: [refuseLost, refusePartOfBoxes],
  },
  afterAction: {
    review: async ctx => {
      await namePieces(ctx)
      await draftLoss(ctx)
    },
    unreview: forgetPieces,
    redReverse: forgetPieces,
  },
}
