import type { AnyDocument } from '#kernel/definition/document.ts'
import { hasPrices } from '#kernel/definition/line-content.ts'
import { compare, isPositive, plain } from '#kernel/values/decimal.ts'
import { documentOf } from '#kernel/registry.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { asOrganisation } from '#modules/base/checks/as-organisation.server.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import { checkScope } from '#modules/trade/licensing/business-scope.server.ts'
import { type AboveListed, checkListed, isAboveListed, pricePerBase } from '#modules/trade/pricing/price-cap.server.ts'
import { packUnits, tradeContext } from '#server/public/drafts.ts'
import type { ActionCheck, ActionContext } from '#server/public/hooks.ts'
import { hasAccount } from '#server/public/intercompany.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import { settingsFor } from '#server/public/settings.ts'

/**
 * The document that is created at the customer, if the customer checks it as a supplier's delivery at our price;
 * undefined if there is none.
 */
export function arrivesAs(definition: AnyDocument): AnyDocument | undefined {
  if (definition.compliance.party !== 'customer' || !hasPrices(definition)) return undefined
  for (const { creates, hidePrices } of definition.intercompany.copies ?? []) {
    const target = creates && !hidePrices ? documentOf(creates.kind) : undefined
    if (target?.compliance.party === 'supplier') return target
  }
  return undefined
}

/** The document as its customer will check it: with the customer's settings, and us as the supplier. */
async function asReceived(ctx: ActionContext, target: AnyDocument): Promise<ActionContext> {
  const { tx, session, doc } = ctx
  const receiver = doc.counterparty_sn!
  return {
    ...ctx,
    session: await systemSessionOf(tx, receiver),
    definition: target,
    settings: await settingsFor(tx, receiver),
    doc: {
      ...doc,
      org_sn: receiver,
      counterparty_sn: session.org.id,
      warehouse_model_inner_sn: null,
      department_inner_sn: null,
      lines: doc.lines.filter(line => isPositive(line.base_quantity)),
    },
  }
}

/** The customer refuses prices above its agreement with us; prices above 挂网价 are handled by the customer's rule. */
async function checkPrices(received: ActionContext): Promise<void> {
  const { tx, session, doc, definition } = received
  const goods = doc.lines.flatMap(line => line.specification_sn ?? [])
  const facts = await specificationFacts(tx, goods, tradeContext(definition, session, doc))
  const packs = await packUnits(
    tx,
    doc.lines.flatMap(line => line.unit_inner_sn ?? []),
  )
  const problems: Problem[] = []
  const listed: AboveListed[] = []
  for (const line of doc.lines) {
    const fact = facts.get(line.specification_sn ?? '')
    if (!fact) continue
    const price = pricePerBase(line, packs)
    const above = (what: string, most: string, then: string) => ({
      field: 'price',
      line: line.line_no,
      msg: `第${line.line_no}行：【${fact.product_name}】单价${plain(price)}高于${what}${plain(most)}，${then}`,
    })
    if (fact.agreed_price !== null && compare(price, fact.agreed_price) > 0)
      problems.push(above('客户的协议价', fact.agreed_price, '客户不能入库，请按协议价销售或先办理调价'))
    else if (session.org.type === 'H' && isAboveListed(price, fact))
      listed.push({ specification: fact.id, problem: above('挂网价', fact.listed_price, '客户不能入库') })
  }
  if (problems.length > 0) throw new BusinessError('rule', problems[0]!.msg, problems)
  await checkListed(received, listed)
}

/** Our licences on file at the customer must name the class of the shipped goods. */
async function checkLicensed(received: ActionContext): Promise<void> {
  try {
    await checkScope(received)
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error
    const said = (msg: string) => `${msg}：以客户存档的证照为准，请先向客户更新证照`
    const problems = error.problems.map(problem => ({ ...problem, msg: said(problem.msg) }))
    throw new BusinessError(error.reason, said(error.message), problems)
  }
}

/**
 * Checks at submit whether the customer would refuse to receive the goods, and refuses or asks before they leave:
 * otherwise they would stay in transit and the customer would lack them.
 */
async function decide(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, definition } = ctx
  const target = arrivesAs(definition)
  const receiver = doc.counterparty_sn
  if (ctx.action !== 'submit' || !target || !receiver || receiver === session.org.id) return
  if (!(await hasAccount(tx, receiver))) return
  await asOrganisation(tx, session, receiver, async () => {
    const received = await asReceived(ctx, target)
    await ctx.hold(() => checkPrices(received))
    await ctx.hold(() => checkLicensed(received))
  })
}

/** Runs on every document that sends priced goods to a customer. */
export const receiverRefusals: ActionCheck = { check: decide }
