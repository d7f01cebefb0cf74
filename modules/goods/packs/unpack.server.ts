import { unpack } from '#modules/goods/packs/unpack.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import {
  forgetPieces,
  keepBoxes,
  lostOf,
  namePieces,
  refuseOpenedBoxes,
  refusePartOfBoxes,
  refuseWrongChildren,
  releasedOf,
} from '#modules/goods/packs/boxes.server.ts'
import { isPackCode, isPartCode } from '#kernel/codes/pack-code.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Tx } from '#server/public/database.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import { loadDocument, patchDocument, patchLines } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'

type Context = ContextOf<typeof unpack>

type Open = { readonly piece_code: string; readonly pack_code: string; readonly pack_type: string }

/** Refuses packs of another kind than the document states, and losses of coded pieces without their codes. */
async function refuseOther({ tx, session, doc }: Context): Promise<void> {
  if (doc.unpack_type === 'box') return
  const codes = doc.lines.flatMap(line => line.unit_codes)
  const rows = await tx<Open[]>`
    select k.piece_code, k.pack_code, coalesce(t.pack_type, 'combined') as pack_type
      from pack k left join pack_template t on t.org_id = k.org_id and t.id = k.template_id
     where k.org_id = ${session.org.id} and k.piece_code = any(${codes}) and k.opened_at is null`
  const packed = new Map(rows.map(row => [row.piece_code, row]))
  const isCombined = doc.unpack_type === 'combined'
  for (const line of doc.lines)
    for (const code of line.unit_codes) {
      const refuse = (field: string, msg: string): never => {
        throw new BusinessError('rule', msg, [{ field, line: line.line_no, msg }])
      }
      const pack = packed.get(code)
      if (!pack && !isPackCode(code))
        refuse('unit_codes', `第${line.line_no}行：院内码${code}不在定数包内，请扫描要拆的定数包码`)
      const combined = pack ? pack.pack_type === 'combined' : isPartCode(code)
      if (combined !== isCombined)
        refuse('unit_codes', `第${line.line_no}行：请扫描要拆的${isCombined ? '组合包码' : '定数包码'}`)
      if (pack && isPositive(lostOf(line)))
        refuse('lost_quantity', `第${line.line_no}行：一物一码产品的损耗请在拆包后按院内码报损`)
    }
}

/** Marks packs of coded pieces as opened, or as closed again with their pieces. */
async function keepOpened({ tx, session, doc }: ActionContext): Promise<void> {
  await tx`
    update pack set opened_at = posting_now()
     where org_id = ${session.org.id} and opened_at is null
       and piece_code = any(${doc.lines.flatMap(line => line.unit_codes)})`
}
async function closeAgain({ tx, session, doc, spec }: ActionContext): Promise<void> {
  const codes = doc.lines.flatMap(line => line.unit_codes)
  const [packed] = await tx<{ pack_code: string; piece_code: string }[]>`
    select pack_code, piece_code from pack
     where org_id = ${session.org.id} and piece_code = any(${codes}) and opened_at is null limit 1`
  if (packed)
    throw new BusinessError(
      'blocked',
      `院内码${packed.piece_code}已重新组入定数包${packed.pack_code}，不能${spec.label}`,
    )
  await tx`
    update pack k set opened_at = null
     where k.org_id = ${session.org.id} and k.piece_code = any(${codes})
       and k.made_at = (select max(n.made_at) from pack n
                         where n.org_id = k.org_id and n.lot_id = k.lot_id and n.unit_id = k.unit_id)`
}

async function keepReleased(tx: Tx, session: Session, sn: string): Promise<void> {
  const doc = await loadDocument(tx, session.org.id, unpack, sn)
  if (doc.lines.length === 0) return
  await patchLines(
    tx,
    session,
    doc,
    doc.lines.map(line => ({
      line_no: line.line_no,
      values: { released_quantity: releasedOf(line) },
    })),
    'derived',
  )
}

/** Books goods that were missing from the pack as a loss: its draft waits for another person's approval. */
async function draftLoss({ tx, session, doc }: Context): Promise<void> {
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

/** Goods that a valid loss document contains cannot come back into the pack. */
async function refuseLost({ tx, session, doc, spec }: Context): Promise<void> {
  const [loss] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = 'loss' and role = 'own'
      and sn = ${String(doc.loss_sn ?? '')} and state not in ('cancelled', 'deleted', 'reversed')`
  if (loss)
    throw new BusinessError('blocked', `拆包损耗已生成报损单${loss.sn}，请先作废或红冲该报损单，再${spec.label}`)
}

/** Packs of coded pieces can only be closed again as a whole. */
async function refusePartOfPacks({ tx, session, doc, body }: ActionContext): Promise<void> {
  if (body.lines === undefined || body.lines === null || body.lines === '') return
  const codes = doc.lines.flatMap(line => line.unit_codes)
  const [piece] = await tx`
    select 1 from pack where org_id = ${session.org.id} and piece_code = any(${codes}) limit 1`
  if (piece) throw new BusinessError('rule', '一物一码产品的拆包请整单红冲')
}

const closedAgain = async (ctx: Context): Promise<void> => {
  if (ctx.doc.unpack_type !== 'box') await closeAgain(ctx)
  await forgetPieces(ctx)
}

export const unpackHooks = documentHooks(unpack, {
  afterSave: keepReleased,
  validate: {
    submit: [refuseWrongChildren, refuseOther, refuseOpenedBoxes],
    review: [refuseWrongChildren, refuseOther, refuseOpenedBoxes],
    unreview: refuseLost,
    redReverse: [refuseLost, refusePartOfBoxes, refusePartOfPacks],
  },
  afterAction: {
    review: async ctx => {
      await keepOpened(ctx)
      await namePieces(ctx)
      await keepBoxes(ctx)
      await draftLoss(ctx)
    },
    unreview: closedAgain,
    redReverse: closedAgain,
  },
})
