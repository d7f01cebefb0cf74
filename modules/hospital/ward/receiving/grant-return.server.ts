import { grantReturn } from '#modules/hospital/ward/receiving/grant-return.doc.ts'
import { type ActionContext, atReviewOnly, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { patchDocument, type TypedDocument } from '#server/public/documents.ts'
import { grantReturnSheet } from '#modules/hospital/ward/receiving/department-return-print.server.ts'
import { settleGrantsAgain, takeBackGrants } from '#modules/finance/settlement/settled-grants.server.ts'
import { takenBack } from '#modules/finance/settlement/settlement-lines.server.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { employeeOf } from '#server/public/organisations.ts'

type Context = ContextOf<typeof grantReturn>
type GrantReturn = TypedDocument<typeof grantReturn>

const write = ({ tx, session, doc }: ActionContext, values: Readonly<Record<string, string>>) =>
  patchDocument(tx, session, doc, values, 'withAction')

/**
 * Sets the kind of a return: goods that never arrived are missing, whatever the user ticked; goods that the ward has
 * are not.
 */
async function nameType(ctx: Context): Promise<GrantReturn> {
  const { doc } = ctx
  const missing = doc.source_type === sourceTypes.GRANT_REST
  const type = missing ? 'missing' : doc.return_type === 'missing' ? 'other' : (doc.return_type ?? 'unused')
  await write(ctx, { return_type: type })
  return { ...doc, return_type: type }
}

/** Only users of the receiving warehouse may enter what it received. */
async function refuseOthers({ session, doc }: ActionContext): Promise<void> {
  if (session.warehouses === 'all' || session.warehouses.has(doc.to_warehouse_model_inner_sn ?? '')) return
  throw new BusinessError('forbidden', '没有操作权限：请由退入仓库验收并审核')
}

/** The inspector is recorded on the document. */
async function keepReceiver(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const receiver = doc.receiver_inner_sn ? null : await employeeOf(tx, session)
  if (receiver) await write(ctx, { receiver_inner_sn: receiver })
}

export const grantReturnRules = documentHooks(grantReturn, {
  printFields: grantReturnSheet,
  prepare: { submit: nameType },
  validate: { inspect: refuseOthers, review: atReviewOnly(refuseOthers) },
  afterAction: {
    inspect: keepReceiver,
    review: takeBackGrants,
    unreview: async ctx => settleGrantsAgain(ctx, await takenBack(ctx)),
    redReverse: async ctx => settleGrantsAgain(ctx, await takenBack(ctx)),
  },
})
