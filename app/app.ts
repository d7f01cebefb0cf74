import { randomUUID } from 'node:crypto'
import path from 'node:path'
import Fastify, { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { checkDefinitions } from '#kernel/checks/check-definitions.ts'
import { boards, type Definitions, derived, documents, entities, reports, tools, walls } from '#kernel/registry.ts'
import type { Config } from '#server/config.ts'
import { registerModules } from '#app/composition.ts'
import { objectStore } from '#server/files/object-store.ts'
import { diskStore } from '#server/files/store.ts'
import { loadDeviceKey } from '#server/devices/key.ts'
import { seedPermissions } from '#server/menu/stored-menu.ts'
import { hisCarrier } from '#server/outbound/his/ask.ts'
import { hisConnectionOf } from '#server/outbound/his/open.ts'
import { waybillClient } from '#server/outbound/waybills.ts'
import { waybillCarrier } from '#modules/trade/transport/tracking/waybill-tracks.server.ts'
import { lisClient } from '#server/outbound/lis.ts'
import { INVOICE_SYSTEM } from '#server/outbound/einvoice/open.ts'
import { rssFeed } from '#server/outbound/udi-feed.ts'
import { udiCarrier } from '#modules/trade/catalogue/udi/udi-feed.server.ts'
import { einvoiceCarrier } from '#modules/finance/invoicing/electronic/carrier.server.ts'
import { lisCarrier } from '#modules/hospital/reagents/lis-tests.server.ts'
import { connectWith } from '#server/registry/connections.ts'
import { hooks } from '#server/registry/hooks.ts'
import { smsCarrier } from '#server/identity/sms/carrier.ts'
import { smsSenderOf, watchedSender } from '#server/identity/sms/sender.ts'
import { logOptions } from '#server/plugins/log-options.ts'
import { addAccessLog } from '#server/plugins/access-log.ts'
import { addBodies, bodyLimit, parseQuery } from '#server/plugins/bodies.ts'
import { addCallTable } from '#server/plugins/call-table.ts'
import type { Database } from '#server/plugins/database.ts'
import { addOperationLog } from '#server/plugins/log.ts'
import { addLoadGate } from '#server/plugins/load-gate.ts'
import { addMoneyGuard } from '#server/plugins/money.ts'
import { addSecurity, securityHeaders } from '#server/plugins/security.ts'
import { addSession } from '#server/plugins/session.ts'
import { addWeb, answerUnknown } from '#server/plugins/web.ts'
import { addCaptcha } from '#server/api/identity/captcha.ts'
import { addAssistant } from '#server/api/content/assistant.ts'
import { addEnvelope, answerUnreadable } from '#server/http/envelope.ts'
import { addDeviceApi } from '#server/api/device/device.ts'
import { addDevices } from '#server/api/identity/sessions.ts'
import { addDivisions } from '#server/api/content/divisions.ts'
import { addDocumentImport } from '#server/api/documents/import.ts'
import { addDocuments } from '#server/api/documents/documents.ts'
import { addExports } from '#server/api/documents/exports.ts'
import { addFiles } from '#server/api/files/files.ts'
import { addGoodsPage } from '#server/api/trace/public-item.ts'
import { addHealth } from '#server/api/operations/health.ts'
import { addIdentity } from '#server/api/identity/sign-in.ts'
import { addMenu } from '#server/api/identity/menu.ts'
import { addOutbound } from '#server/api/operations/outbound.ts'
import { addOpenApi } from '#server/api/openapi/page.ts'
import { addMessages } from '#server/api/messages/inbox.ts'
import { addRealtime } from '#server/api/messages/socket.ts'
import { addPackedFiles } from '#server/api/files/archive.ts'
import { addRecordCalls } from '#server/api/records/calls.ts'
import { addRecordImport } from '#server/api/records/import.ts'
import { addRecords } from '#server/api/records/records.ts'
import { addRecovery } from '#server/api/identity/recovery.ts'
import { addRegister } from '#server/api/identity/register.ts'
import { addReportCalls } from '#server/api/reports/calls.ts'
import { addRulebook } from '#server/api/content/rulebook.ts'
import { addReports } from '#server/api/reports/reports.ts'
import { checkReportSql } from '#server/reports/report-sql.ts'
import { addSms } from '#server/api/identity/sms.ts'
import { addTables } from '#server/api/content/table-layout.ts'
import { addLabels } from '#server/api/trace/labels.ts'
import { addTrace } from '#server/api/trace/trace.ts'
import { addFlows } from '#server/api/reports/process-charts.ts'
import { addBoards } from '#server/api/reports/boards.ts'
import { addWalls } from '#server/api/reports/walls.ts'
import { boardReports } from '#kernel/wall/board-definition.ts'
import { ownReports } from '#kernel/wall/wall-definition.ts'
import { addQueryNames } from '#server/api/request/query-names.ts'

/** The store for this installation's files: a bucket that all its processes share, or a folder. */
export const storeOf = (config: Config) =>
  config.fileStore ? objectStore(config.fileStore) : diskStore(path.join(config.dataDir, 'files'))

export type AppParts = {
  readonly config: Config
  readonly database: Database
  readonly logger?: boolean
  /** The lag of the event loop, in milliseconds; measured where nothing is given. */
  readonly lag?: () => number
  /** Definitions in place of the registered modules' own. */
  readonly definitions?: Definitions
}

/** The server with its limits for reading requests, and its log. */
const newServer = (config: Config, logger: boolean): FastifyInstance =>
  Fastify({
    logger: logger && logOptions(config.logLevel),
    // Replies are logged by our own line, after they are sent.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit,
    // Addresses and hosts are only accepted from a configured proxy, else from one on this machine.
    trustProxy: config.trustedProxy,
    requestIdHeader: false,
    // Calls are not asked for an answer without its body; monitors ask /healthz for it.
    exposeHeadRoutes: false,
    routerOptions: { querystringParser: parseQuery, maxParamLength: 200 },
    frameworkErrors: (_error, request, reply) =>
      void answerUnknown(config.webDir, request as FastifyRequest, (reply as FastifyReply).headers(securityHeaders)),
    clientErrorHandler: (error, socket) => {
      if (socket.writable) socket.end(answerUnreadable(error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400))
    },
  })

/**
 * The whole HTTP server, not yet listening: request parsing, routes derived from the registry, fixed calls, the web
 * app.
 */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, database, logger = true, lag } = parts
  registerModules(parts.definitions)
  refuseUnsound()
  const app = newServer(config, logger)
  addCallTable(app)
  connectWith({
    deviceKey: loadDeviceKey(config.deviceKey, config.dataDir),
    carriers: carriersOf(config, database),
    files: storeOf(config),
    his: hisConnectionOf(database.app, config.his),
    einvoice: { addresses: config.einvoice, sql: database.app },
  })
  await seedPermissions(database.owner)
  for (const seed of hooks().startupSeeds) await seed(database.owner)
  await addPlugins(app, config, database, lag)
  await addDefinedCalls(app, config, database)
  await addFixedCalls(app, config, database)
  await addWeb(app, config.webDir)
  return app
}

const whatIsUnsound = derived(() => {
  const all = { documents: documents(), entities: entities(), reports: reports(), tools: tools() }
  const every = [...reports(), ...ownReports(walls()), ...boardReports(boards())]
  return [...checkDefinitions(all), ...checkReportSql(every)]
})

/** Throws when a definition is not sound: nothing is served then. */
function refuseUnsound(): void {
  const wrong = whatIsUnsound()
  if (wrong.length > 0) throw new Error(`the definitions are not sound:\n${wrong.join('\n')}`)
}

/** The plugins that every call passes through, from the outside in: the envelope first, the operation log last. */
async function addPlugins(
  app: FastifyInstance,
  config: Config,
  database: Database,
  lag: AppParts['lag'],
): Promise<void> {
  addEnvelope(app)
  addAccessLog(app)
  addSecurity(app, config)
  const { mostCalls: calls, mostReports: reports, mostChanges: changesOfOne } = config
  addLoadGate(app, { calls, reports, reportsOfOne: 20, changesOfOne }, lag)
  await addRealtime(app, database.app)
  addHealth(app, database.app)
  await addSession(app, database.app)
  addBodies(app)
  addQueryNames(app)
  addMoneyGuard(app)
  addOperationLog(app, database.app)
}

/** Calls that follow from definitions and hooks, with their imports, exports and files. */
async function addDefinedCalls(app: FastifyInstance, config: Config, database: Database): Promise<void> {
  addDocuments(app, database)
  addRecords(app, database)
  addRecordCalls(app, database.app)
  await addRecordImport(app, database.app)
  await addDocumentImport(app, database.app)
  addReports(app, database)
  addReportCalls(app, database.app)
  const store = storeOf(config)
  await addFiles(app, database.app, store)
  addPackedFiles(app, database.app, store)
  for (const addRoutes of hooks().routes) addRoutes(app, { sql: database.app, store })
  addExports(app, database, store, config.exportLongRows)
}

/** Calls that are the same in every installation, and the description of them all. */
async function addFixedCalls(app: FastifyInstance, config: Config, database: Database): Promise<void> {
  addIdentity(app, database.app)
  addDevices(app, database.app)
  await addDoor(app, config, database)
  addMessages(app, database.app)
  addMenu(app, database.app)
  await addDeviceApi(app, database.app)
  addOutbound(app, database.app)
  addTables(app, database.app)
  addTrace(app, database.app)
  addLabels(app, database.app, config.publicUrl)
  addFlows(app, database.app)
  addWalls(app, database)
  addBoards(app, database)
  addAssistant(app, database.app, config.llm)
  addRulebook(app, database.app)
  addOpenApi(app)
}

const knowsHis = ({ byOrganisation, ofOnlyHospital }: Config['his']): boolean =>
  byOrganisation.size > 0 || ofOnlyHospital !== null

/** The carriers of outgoing calls to the other systems with which this installation is connected. */
const carriersOf = (config: Config, database: Database) => ({
  sms: smsCarrier(database.app, smsSenderOf(config)),
  ...(knowsHis(config.his) ? { his: hisCarrier(database.app) } : {}),
  [INVOICE_SYSTEM]: einvoiceCarrier(database.app, storeOf(config)),
  ...(config.lis ? { lis: lisCarrier(database.app, lisClient(config.lis)) } : {}),
  ...(config.waybills ? { waybill: waybillCarrier(waybillClient(config.waybills)) } : {}),
  ...(config.udiFeed ? { udi: udiCarrier(database.owner, storeOf(config), rssFeed(config.udiFeed)) } : {}),
})

/** Calls that need no sign-in: captchas, SMS codes, password recovery, registration, the goods behind a label. */
async function addDoor(app: FastifyInstance, config: Config, database: Database): Promise<void> {
  const service = { sql: database.app, config, send: watchedSender(database.app, smsSenderOf(config)) }
  addCaptcha(app, service)
  addDivisions(app)
  addGoodsPage(app, database.app)
  addSms(app, service)
  addRecovery(app, service)
  await addRegister(app, service, storeOf(config))
}
