import type { ModuleHooks } from '#server/public/hooks.ts'
import { arrivingCodesCheck } from '#modules/base/checks/arriving-codes.server.ts'
import { expiryCheck } from '#modules/base/checks/expired-lots.server.ts'
import { firstExpiryFirst } from '#modules/base/checks/fefo.server.ts'
import { lotsAlikeCheck } from '#modules/base/checks/lots-alike.server.ts'
import { recallCheck, unfitCheck } from '#modules/base/checks/recalled-lots.server.ts'
import { refuseUnknownPlaces } from '#modules/base/checks/storage-location.server.ts'
import { wholePiecesCheck } from '#modules/base/checks/whole-pieces.server.ts'

export const checksHooks: ModuleHooks = {
  actionChecks: [
    recallCheck,
    expiryCheck,
    unfitCheck,
    arrivingCodesCheck,
    lotsAlikeCheck,
    wholePiecesCheck,
    firstExpiryFirst,
  ],
  finalChecks: [{ check: refuseUnknownPlaces }],
}
