import { randomUUID } from 'node:crypto'
import path from 'node:path'
import Fastify, { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { checkDefinitions } from '#kernel/derive/check.ts'
import { documents, entities, reports, tools } from '#kernel/registry.ts'
import type { Config } from '#server/config.ts'
import { registerModules } from '#server/composition.ts'
import { objectStore } from '#server/engine/files/object-store.ts'
import { diskStore } from '#server/engine/files/store.ts'
import { loadDeviceKey } from '#server/engine/device/key.ts'
import { layPermissions } from '#server/engine/menu-nodes.ts'
import { hisCarrier } from '#server/engine/outbound/his.ts'
import { rssFeed } from '#server/engine/outbound/udi-feed.ts'
import { udiCarrier } from '#modules/catalogue/udi-feed.server.ts'
import { connectWith } from '#server/registry/connections.ts'
import { hooks } from '#server/registry/hooks.ts'
import { smsCarrier, smsSenderOf, watchedSender } from '#server/engine/identity/sms/sender.ts'
import { addAccessLog } from '#server/plugins/access-log.ts'
import { addBodies, bodyLimit, parseQuery } from '#server/plugins/bodies.ts'
import { addCallTable } from '#server/plugins/call-table.ts'
import type { Database } from '#server/plugins/database.ts'
import { addDeedLog } from '#server/plugins/log.ts'
import { addLoadGate } from '#server/plugins/load-gate.ts'
import { addMoneyGuard } from '#server/plugins/money.ts'
import { addSecurity, securityHeaders } from '#server/plugins/security.ts'
import { addSession } from '#server/plugins/session.ts'
import { addWeb, answerUnknown } from '#server/plugins/web.ts'
import { addCaptcha } from '#server/wire/captcha.ts'
import { addAssistant } from '#server/wire/assistant.ts'
import { addEnvelope, answerUnreadable } from '#server/wire/envelope.ts'
import { addDeviceApi } from '#server/wire/device-api.ts'
import { addDevices } from '#server/wire/devices.ts'
import { addDivisions } from '#server/wire/divisions.ts'
import { addDocumentImport } from '#server/wire/document-import.ts'
import { addDocuments } from '#server/wire/documents.ts'
import { addExports } from '#server/wire/exports.ts'
import { addFiles } from '#server/wire/files.ts'
import { addGoodsPage } from '#server/wire/goods-page.ts'
import { addHealth } from '#server/wire/health.ts'
import { addIdentity } from '#server/wire/identity.ts'
import { addMenu } from '#server/wire/menu.ts'
import { addOutbound } from '#server/wire/outbound.ts'
import { addOpenApi } from '#server/wire/openapi.ts'
import { addMessages } from '#server/wire/messages.ts'
import { addRealtime } from '#server/wire/realtime.ts'
import { addPackedFiles } from '#server/wire/packed-files.ts'
import { addRecordCalls } from '#server/wire/record-calls.ts'
import { addRecordImport } from '#server/wire/record-import.ts'
import { addRecords } from '#server/wire/records.ts'
import { addRecovery } from '#server/wire/recovery.ts'
import { addRegister } from '#server/wire/register.ts'
import { addReports } from '#server/wire/reports.ts'
import { checkReportSql } from '#server/reports/report-sql.ts'
import { addSms } from '#server/wire/sms.ts'
import { addTables } from '#server/wire/tables.ts'
import { addLabels } from '#server/wire/labels.ts'
import { addTrace } from '#server/wire/trace.ts'
import { addFlows } from '#server/wire/flows.ts'

/** Where this installation keeps its files: a bucket that all its processes share, or a folder. */
export const storeOf = (config: Config) =>
  config.fileStore ? objectStore(config.fileStore) : diskStore(path.join(config.dataDir, 'files'))

export type AppParts = {
  readonly config: Config
  readonly database: Database
  readonly logger?: boolean
  /** How late the event loop is, in milliseconds; measured where nothing is given. */
  readonly lag?: () => number
}

/** How requests are read before anything of ours sees them, and what is logged of them. */
const newServer = (config: Config, logger: boolean): FastifyInstance =>
  Fastify({
    logger: logger && { level: config.logLevel },
    // Replies are told by the house's own line, once they are given.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit,
    // Only a proxy that is named, else one on this machine, is believed about addresses and hosts.
    trustProxy: config.trustedProxy,
    requestIdHeader: false,
    routerOptions: { querystringParser: parseQuery, maxParamLength: 200 },
    frameworkErrors: (_error, request, reply) =>
      void answerUnknown(config.webDir, request as FastifyRequest, (reply as FastifyReply).headers(securityHeaders)),
    clientErrorHandler: (error, socket) => {
      if (socket.writable) socket.end(answerUnreadable(error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400))
    },
  })

/** The whole HTTP server, not yet listening: how requests are read, what is derived from the registry, the fixed calls, the web app. */
export async function buildApp({ config, database, logger = true, lag }: AppParts): Promise<FastifyInstance> {
  registerModules()
  const wrong = [
    ...checkDefinitions({
      documents: documents(),
      entities: entities(),
      reports: reports(),
      tools: tools(),
    }),
    ...checkReportSql(reports()),
  ]
  if (wrong.length > 0) throw new Error(`the definitions are not sound:\n${wrong.join('\n')}`)
  const app = newServer(config, logger)
  addCallTable(app)
  connectWith({ deviceKey: loadDeviceKey(config.deviceKey, config.dataDir), carriers: carriersOf(config, database) })
  await layPermissions(database.owner)
  for (const seed of hooks().startupSeeds) await seed(database.owner)
  addEnvelope(app)
  addAccessLog(app)
  addSecurity(app)
  addLoadGate(app, { calls: config.mostCalls, reports: config.mostReports, reportsOfOne: 20 }, lag)
  await addRealtime(app, database.app)
  addHealth(app, database.app)
  await addSession(app, database.app)
  addBodies(app)
  addMoneyGuard(app)
  addDeedLog(app, database.app)

  addDocuments(app, database)
  addRecords(app, database)
  addRecordCalls(app, database.app)
  await addRecordImport(app, database.app)
  await addDocumentImport(app, database.app)
  addReports(app, database)
  const store = storeOf(config)
  await addFiles(app, database.app, store)
  addPackedFiles(app, database.app, store)
  for (const addRoutes of hooks().routes) addRoutes(app, { sql: database.app, store })
  addExports(app, database, store, config.exportLongRows)

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
  addAssistant(app, database.app, config.llm)
  addOpenApi(app)

  await addWeb(app, config.webDir)
  return app
}

/** Who carries calls to other systems, as far as this installation is connected with them. */
const carriersOf = (config: Config, database: Database) => ({
  sms: smsCarrier(smsSenderOf(config)),
  ...(config.his ? { his: hisCarrier(config.his) } : {}),
  ...(config.udiFeed ? { udi: udiCarrier(database.owner, storeOf(config), rssFeed(config.udiFeed)) } : {}),
})

/** What strangers may call: captchas, codes by SMS, recovering a password, registering, the goods behind a label. */
async function addDoor(app: FastifyInstance, config: Config, database: Database): Promise<void> {
  const desk = { sql: database.app, config, send: watchedSender(database.app, smsSenderOf(config)) }
  addCaptcha(app, desk)
  addDivisions(app)
  addGoodsPage(app, database.app)
  addSms(app, desk)
  addRecovery(app, desk)
  await addRegister(app, desk, storeOf(config))
}
